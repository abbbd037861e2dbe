//! What comes from the stored leaf and its node, and that the claims select nothing (X509POP-3).

use serde_json::json;

use super::{GOOD, ISSUED, back, bad, of, old, to, with};
use crate::case::Entry;
use crate::script::{Expectation, Join, reclaimed, x509pop};
use crate::testkit::csr::{attribute, honest};
use crate::testkit::der;
use crate::testkit::world::{Enrolled, World, pool, site};

const RULE: &str = "X509POP-3";
const STATEMENT: &str = "urn:bc:example:one";
const AK: &str = "urn:bc:tpm-ak:sha256:62854727bebcef250a3a01b5aab872a2da174687ffeab8ee08fdbc80c86d6c04";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = kinds();
    all.extend(statements());
    all.extend(roles());
    all.extend([limit(), own_site(), outage_after_outage()]);
    all.extend(attestation());
    all
}

fn good(name: &str, title: &str, world: &World, request: Join, expected: Expectation) -> Entry {
    super::good(name, RULE, title, world, request, expected)
}

fn kept(name: &str, title: &str, old: &Enrolled, expected: Expectation) -> Entry {
    good(name, title, &with(old), of(old), expected)
}

fn kinds() -> Vec<Entry> {
    let row = |name: &str, title: &str, old: &Enrolled| kept(name, title, old, back()).also("CERTIFICATE-6");
    vec![
        row(
            "kinds-kept",
            "The allowed kinds of the old certificate are those of the new one, in their order.",
            &old().with_cert("allowedKinds", json!(["node.reboot", "log.*"])),
        )
        .why("A restricted node must not be free after an outage."),
        row(
            "kinds-none-kept",
            "An empty list of allowed kinds is kept.",
            &old().with_cert("allowedKinds", json!([])),
        )
        .why("An empty list allows nothing, and is easily taken for no list, which allows everything."),
        row("kinds-absent-kept", "Where there is no list of kinds there is none afterwards.", &old())
            .why("No list allows every kind; an empty one in its place would stop the node."),
    ]
}

/// The node with an expired certificate that makes these statements.
fn stating(statements: &[&str]) -> Enrolled {
    let leaf = old().issue(&old().key, ISSUED, 86400, statements);
    old().holding(leaf)
}

fn with_statements(statements: &[&str]) -> Expectation {
    // The old certificate's revocation stands first.
    back()
        .with("/effects/certs/1/statements", json!(statements))
        .with("/out/response/$answer/statements", json!(statements))
}

/// A CSR for the second key that asks for this URI.
fn asking(uri: &str) -> Vec<u8> {
    let names = der::sequence(&[&der::tlv(0x86, uri)]);
    let extension = der::sequence(&[&der::oid("2.5.29.17"), &der::tlv(der::OCTET_STRING, names)]);
    honest(&to("second").key)
        .attributes(&[&attribute("1.2.840.113549.1.9.14", &[&der::sequence(&[&extension])])])
        .der()
}

fn statements() -> Vec<Entry> {
    let several = ["urn:bc:example:two", STATEMENT, "urn:bc:Example:%41"];
    vec![
        kept(
            "statement-kept",
            "A statement of the old certificate is in the new one.",
            &stating(&[STATEMENT]),
            with_statements(&[STATEMENT]),
        )
        .why("Who relies on a statement relies on it after an outage too."),
        kept(
            "statements-kept",
            "Statements are kept in their order, each as it was written.",
            &stating(&several),
            with_statements(&several),
        )
        .why("Statements are copied and not understood: sorting or folding them makes other statements."),
        good(
            "statement-asked",
            "A statement that the CSR asks for is not in the certificate.",
            &with(&old()),
            of(&old()).csr(asking("urn:bc:example:mine")),
            back(),
        )
        .also("CERTIFICATE-2")
        .why("What a machine writes about itself is no statement of the service."),
    ]
}

/// The node in this role, of this kind, with an expired certificate.
fn acting(role: &str, kind: &str, ttl_s: i64) -> Enrolled {
    let row = old().with("certificateRole", role).with("kind", kind);
    let leaf = row.issue(&row.key, ISSUED, ttl_s, &[]);
    row.holding(leaf)
}

fn roles() -> Vec<Entry> {
    let ramdisk = acting("ramdisk", "ramdisk", 7200);
    let asked = |name: &str, title: &str, old: &Enrolled, role: &str| {
        good(name, title, &with(old), of(old).role(role), back()).also("DESTINATION-1")
    };
    let why = "The role asked selects nothing; the client itself refuses an answer with a role that it did not ask for.";
    vec![
        kept(
            "role-node-tenant-kept",
            "A node that a tenant controls comes back as one.",
            &acting("node-tenant", "node", 86400),
            back(),
        )
        .also("HOSTED-2")
        .why("An outage must not raise a node to the platform's secrets."),
        asked("role-site-asked", "A node that asks for the role site comes back as a node.", &old(), "site")
            .why(why),
        asked(
            "role-ramdisk-asked",
            "A node that asks for the role ramdisk comes back as a node.",
            &old(),
            "ramdisk",
        )
        .why(why),
        asked(
            "role-node-asked-by-site",
            "A site agent that asks for the role node comes back as a site agent.",
            &acting("site", "site", 86400),
            "node",
        )
        .why(why),
        asked("role-site-kept", "A site agent comes back as one.", &acting("site", "site", 86400), "site")
            .why("The role is that of the stored certificate."),
        good(
            "role-ramdisk-kept",
            "A ramdisk comes back as one, with a certificate of two hours.",
            &with(&ramdisk),
            of(&ramdisk).role("ramdisk"),
            back(),
        )
        .also("CERTIFICATE-1")
        .why("The shorter life of the role holds for every certificate of it."),
    ]
}

fn limit() -> Entry {
    kept(
        "limit-kept",
        "The limit of the attestor that admitted the node holds for its way back too.",
        &old().with_cert("ttlLimitS", 3600),
        back(),
    )
    .also("CERTIFICATE-1")
    .why("An attestor that admits for an hour means an hour, whoever comes back.")
}

fn own_site() -> Entry {
    let row = old().with("siteId", site("a")).with("poolId", pool("aa"));
    let leaf = row.issue(&row.key, ISSUED, 86400, &[]);
    let row = row.holding(leaf);
    kept("site-kept", "A node comes back to its own pool and site.", &row, back())
        .also("DESTINATION-1")
        .why("The request names neither, and no claim selects one.")
}

fn outage_after_outage() -> Entry {
    let first = old().with_cert("allowedKinds", json!(["log.*"]));
    let title = "A second outage is survived as the first, with the certificate of the first way back.";
    kept("second-outage", title, &first, back())
        .also("X509POP-1")
        .step(
            "again",
            "2026-01-05T00:00:00.000Z",
            x509pop(&to("third"), "join", &to("second").key),
            reclaimed(&old().id(), "taken-again"),
        )
        .why("Generation three; what the first certificate had comes down the whole line.")
}

fn attestation() -> Vec<Entry> {
    let missing = |name: &str, title: &str, statements: &[&str]| {
        let row = stating(statements);
        bad(name, RULE, title, "key-attestation-missing", &with(&row), of(&row)).also("X509POP-5").twin(
            GOOD,
            &[super::DER, super::LEAF],
            "the leaf names an attestation key",
        )
    };
    vec![
        missing(
            "attestation-missing",
            "A certificate that names an attestation key does not join without key_attestation.",
            &[AK],
        )
        .why("Otherwise the statement is dropped, or carried on for a key outside the TPM."),
        missing(
            "attestation-missing-beside-another",
            "A certificate whose second statement names an attestation key does not join without key_attestation.",
            &[STATEMENT, AK],
        )
        .why("All statements are looked at, not the first alone."),
    ]
}
