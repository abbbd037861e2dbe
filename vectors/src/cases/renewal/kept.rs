//! What the new certificate keeps of the old one, and what it takes from nobody.

use serde_json::{Value, json};

use super::{ISSUED, of, old, to, with};
use crate::case::{Entry, NOW};
use crate::script::{Expectation, Renew, renew, renewed, script_accept};
use crate::testkit::csr::{UNSTRUCTURED_NAME, attribute, honest, name};
use crate::testkit::der;
use crate::testkit::world::{Enrolled, World};

const RULE: &str = "RENEWAL-4";
/// A statement that is none about an attestation key.
pub(super) const STATEMENT: &str = "urn:bc:example:one";
const EXTENSION_REQUEST: &str = "1.2.840.113549.1.9.14";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = kinds();
    all.extend(statements());
    all.extend(roles());
    all.extend([
        role_of_the_leaf(),
        limit(),
        generation(),
        tenants_site(),
        renewed_from(),
        row(),
        chain_of_three(),
    ]);
    all
}

fn kept(name: &str, title: &str, old: &Enrolled) -> Entry {
    with_world(name, title, &with(old), of(old), renewed("second"))
}

fn with_world(name: &str, title: &str, world: &World, request: Renew, expected: Expectation) -> Entry {
    script_accept(&format!("renewal/{name}"), RULE, title)
        .world(world)
        .step("renew", NOW, request, expected)
        .recipe("A live certificate of the node and an honest renewal with it.")
}

fn kinds() -> Vec<Entry> {
    let row = |name: &str, title: &str, kinds: Value| {
        kept(name, title, &old().with_cert("allowedKinds", kinds)).documented().also("CERTIFICATE-6")
    };
    vec![
        row(
            "kinds-kept",
            "A renewal keeps the allowed kinds, in their order.",
            json!(["node.reboot", "log.*"]),
        )
        .why("A restricted node must not be free after a day."),
        row("kinds-none-kept", "A renewal keeps an empty list of allowed kinds.", json!([]))
            .why("An empty list allows nothing, and is easily taken for no list, which allows everything."),
        kept("kinds-absent-kept", "A renewal of a certificate without a list of kinds has none.", &old())
            .documented()
            .also("CERTIFICATE-6")
            .why("No list allows every kind; an empty one in its place would stop the node."),
    ]
}

/// The node with a certificate that makes these statements.
fn stating(statements: &[&str]) -> Enrolled {
    let leaf = old().issue(&old().key, ISSUED, 86400, statements);
    old().holding(leaf)
}

/// A CSR for the second key that asks for this URI.
fn asking(uri: &str) -> Vec<u8> {
    let names = der::sequence(&[&der::tlv(0x86, uri)]);
    let extension = der::sequence(&[&der::oid("2.5.29.17"), &der::tlv(der::OCTET_STRING, names)]);
    let mut csr = honest(&to("second").key)
        .attributes(&[&attribute(EXTENSION_REQUEST, &[&der::sequence(&[&extension])])]);
    csr.subject = name(&[("2.5.4.11", "bc-role:site")]);
    csr.der()
}

fn statements() -> Vec<Entry> {
    let asked = |uri: &str| of(&old()).csr(asking(uri));
    vec![
        kept("statement-kept", "A renewal keeps a statement.", &stating(&[STATEMENT]))
            .documented()
            .why("Who relies on a statement relies on it after a renewal too."),
        kept(
            "statements-kept",
            "A renewal keeps statements in their order, each as it was written.",
            &stating(&["urn:bc:example:two", STATEMENT, "urn:bc:Example:%41"]),
        )
        .documented()
        .why("Statements are copied and not understood: sorting or folding them makes other statements."),
        with_world(
            "statement-asked",
            "A statement that the CSR asks for is not in the certificate.",
            &with(&old()),
            asked("urn:bc:example:mine"),
            renewed("second"),
        )
        .documented()
        .also("CERTIFICATE-2")
        .why("What a machine writes about itself is no statement of the service."),
        with_world(
            "name-asked",
            "A name and a role that the CSR asks for are not in the certificate.",
            &with(&old()),
            asked("spiffe://compute.example.com/site/site_0000000000000000000000r00t/node/node_0000000000000000000000000b"),
            renewed("second"),
        )
        .documented()
        .also("CERTIFICATE-4")
        .why("A signer that copies names from requests makes every node every other."),
        with_world(
            "binding-not-looked-at",
            "A request binding of nonsense in the CSR of a renewal is not looked at.",
            &with(&old()),
            of(&old()).csr(
                honest(&to("second").key)
                    .attribute(UNSTRUCTURED_NAME, &[&der::tlv(der::UTF8, "bc-join-request-v1:none")])
                    .der(),
            ),
            renewed("second"),
        )
        .also("BINDING-2")
        .why("The binding speaks of a join's request; the CSR of a renewal may be that of the join."),
    ]
}

/// The node in this role, of this kind; its certificate was issued an hour ago for this long.
fn acting(role: &str, kind: &str, ttl_s: i64) -> Enrolled {
    let row = old().with("certificateRole", role).with("kind", kind);
    let leaf = row.issue(&row.key, "2025-12-31T23:00:00Z", ttl_s, &[]);
    row.holding(leaf)
}

fn roles() -> Vec<Entry> {
    vec![
        kept(
            "role-node-tenant-kept",
            "A node that a tenant controls stays one: the renewal keeps the role node-tenant.",
            &acting("node-tenant", "node", 86400),
        )
        .documented()
        .also("HOSTED-2")
        .why("A renewal that went by the node's kind would give it the platform's secrets."),
        kept("role-site-kept", "A site agent's renewal keeps the role site.", &acting("site", "site", 86400))
            .documented()
            .why("The role is read from the old certificate, never from a default."),
        kept(
            "role-ramdisk-kept",
            "A ramdisk's renewal keeps its role, and lasts two hours as before.",
            &acting("ramdisk", "ramdisk", 7200),
        )
        .documented()
        .also("CERTIFICATE-1")
        .why("The shorter life of the role holds for every certificate of it."),
    ]
}

fn role_of_the_leaf() -> Entry {
    let leaf = old().leaf;
    let row = old().with("certificateRole", "node-tenant").holding(leaf);
    kept(
        "role-of-the-leaf",
        "The role is that of the presented certificate, not that of the node's row.",
        &row,
    )
    .why("The row says what the next join gives; a renewal changes nothing.")
}

fn limit() -> Entry {
    script_accept(
        "renewal/limit-kept",
        RULE,
        "The limit of the attestor that admitted the node holds for its renewals, and for theirs.",
    )
    .also("CERTIFICATE-1")
    .world(&with(&old().with_cert("ttlLimitS", 3600)))
    .step("renew", NOW, of(&old()), renewed("second"))
    .step(
        "again",
        "2026-01-01T00:30:00.000Z",
        renew(&to("third"), "renew", &to("second").key),
        renewed("third")
            .with("/effects/certs/0/notAfter", "2026-01-01T01:29:00.000Z")
            .with("/out/response/$answer/notAfter", "2026-01-01T01:29:00.000Z"),
    )
    .why("An attestor that admits for an hour means an hour, whoever renews.")
    .recipe("A certificate whose row carries a limit of an hour, a renewal, and a renewal of that.")
}

fn generation() -> Entry {
    kept(
        "generation-kept",
        "A renewal in the second generation is of the second generation.",
        &old().with("generation", 2).with_cert("generation", 2),
    )
    .why("A renewal begins no generation; one of a lower number would be dead at once.")
}

fn tenants_site() -> Entry {
    let site = crate::testkit::world::site("a");
    let row = old().with("siteId", site).with("poolId", crate::testkit::world::pool("aa"));
    let leaf = row.issue(&row.key, ISSUED, 86400, &[]);
    kept("site-kept", "A renewal names the node's own site.", &row.holding(leaf))
        .why("The name is made of the stored node, not of the site that serves the request.")
}

fn renewed_from() -> Entry {
    with_world(
        "renewed-from",
        "The row names the serial of the certificate that was presented, though a newer one is there.",
        &super::order::certificates(&old(), 3),
        of(&old()),
        renewed("second"),
    )
    .also("CERTIFICATE-5")
    .why("Whoever follows a stolen key follows this chain; the newest certificate may be another line.")
}

fn row() -> Entry {
    let title =
        "The row of a renewal names node, generation, role, times, statements and the hash of the new key.";
    script_accept("renewal/row", RULE, title)
        .also("CERTIFICATE-5")
        .documented()
        .world(&with(&stating(&[STATEMENT])))
        .step("renew", NOW, of(&stating(&[STATEMENT])), renewed("second"))
        .why("The hash is over the whole SubjectPublicKeyInfo: other tools make it of the same octets.")
        .recipe("A live certificate of the node and an honest renewal with it.")
}

fn chain_of_three() -> Entry {
    let title = "A renewal of a renewal names the certificate between, and keeps what the first had.";
    let first = old().with_cert("allowedKinds", json!(["log.*"]));
    with_world("renewed-from-renewed", title, &with(&first), of(&first), renewed("second"))
        .step(
            "again",
            "2026-01-01T14:00:00.000Z",
            renew(&to("third"), "renew", &to("second").key),
            renewed("third"),
        )
        .also("RENEWAL-7")
        .why("Each certificate has one predecessor; the rights come down the whole line.")
}
