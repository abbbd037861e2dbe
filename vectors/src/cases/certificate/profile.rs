//! The leaf field by field: names, subject, issuer, extensions, serials (CERTIFICATE-2 to CERTIFICATE-4).
//!
//! The judge holds every issued leaf against the whole profile; these cases vary what the fields follow from.

use serde_json::json;

use crate::case::{Entry, NOW};
use crate::script::{Expectation, join, joined, reclaimed, renew, renewed, script_accept, x509pop};
use crate::testkit::der::{OCTET_STRING, SEQUENCE, oid, sequence, set, tlv};
use crate::testkit::encode::b64u;
use crate::testkit::world::{Enrolled, Machine, World, enrolled, grant, machine, node, node_ca};
use crate::testkit::x509::{CN, OU, SUBJECT_KEY_IDENTIFIER, name, node_root};

const LIVE: &str = "2025-12-31T12:00:00Z";
const DEAD: &str = "2025-12-30T12:00:00Z";
const ROLES: [&str; 3] = ["node", "site", "ramdisk"];
const RECIPE: &str = "A join; then take the leaf apart.";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = identity();
    all.extend(statements());
    all.extend(subject());
    all.extend(issuer_name());
    all.extend(issuer_key());
    all.extend(serials());
    all
}

fn second() -> Machine {
    machine("a").rekeyed("second")
}

fn accept(name: &str, rule: &str, title: &str) -> Entry {
    script_accept(&format!("certificate/{name}"), rule, title).documented()
}

/// A join by token of this role, in this world.
fn joining(entry: Entry, world: &World, role: &str) -> Entry {
    let token = grant("profile").with("role", role);
    entry
        .world(&world.clone().token(&token))
        .step("join", NOW, join(&machine("a"), &token).role(role), joined("n1"))
        .recipe(RECIPE)
}

fn identity() -> Vec<Entry> {
    const RULE: &str = "CERTIFICATE-2";
    let of_role = |role: &str| {
        let title =
            format!("The SPIFFE ID of the role {role} has site and node in its path, and nothing else.");
        joining(accept(&format!("path-{role}"), RULE, &title), &World::usual(), role)
            .why("The path is the same for every role: the role stands in the subject.")
    };
    let own = grant("profile own site").of("a", "aa");
    let tenants = grant("profile of b").of("b", "b");
    let domain = |name: &str, domain: &str, why: &str| {
        let shown =
            if domain.len() > 60 { format!("of {} characters", domain.len()) } else { domain.to_owned() };
        let title = format!("The identity is in the trust domain of the service, {shown}.");
        joining(
            accept(&format!("domain-{name}"), RULE, &title),
            &World::usual().set("/trustDomain", domain),
            "node",
        )
        .why(why)
    };
    let mut all: Vec<Entry> = ROLES.iter().map(|role| of_role(role)).collect();
    all.extend([
        accept("path-own-site", RULE, "The SPIFFE ID names the site of the pool.")
            .world(&World::usual().token(&own))
            .step("join", NOW, join(&machine("a"), &own), joined("n1"))
            .why("A site of a tenant's own is written like any other.")
            .recipe(RECIPE),
        accept("path-without-tenant", RULE, "The SPIFFE ID does not name the tenant.")
            .also("CERTIFICATE-3")
            .world(&World::usual().token(&tenants))
            .step("join", NOW, join(&machine("a"), &tenants), joined("n1"))
            .why("Whose node it is the service knows; who sees the leaf need not.")
            .recipe(RECIPE),
        domain("another", "nodes.example.net", "The trust domain is configured, not compiled in."),
        domain("one-label", "cluster", "A trust domain need not have a dot."),
        domain("longest", &"a".repeat(255), "255 octets are the longest that SPIFFE allows."),
    ]);
    all
}

/// The node of the world's beginning, whose leaf carries these statements.
fn stated(at: &str, statements: &[&str]) -> Enrolled {
    let old = enrolled("a", &machine("a"), at);
    let leaf = old.issue(&old.key, at, 86400, statements);
    old.holding(leaf)
}

fn statements() -> Vec<Entry> {
    const RULE: &str = "CERTIFICATE-2";
    let renewing = |name: &str, title: &str, statements: &[&str]| {
        let old = stated(LIVE, statements);
        accept(name, RULE, title)
            .also("RENEWAL-4")
            .world(&World::usual().enrolled(&old))
            .step("renew", NOW, renew(&second(), &old, &old.key), renewed("second"))
            .recipe("A renewal of a leaf with these statements.")
    };
    let old = stated(DEAD, &["urn:bc:later:1"]);
    let kept = json!(["urn:bc:later:1"]);
    vec![
        renewing("statement-after-identity", "A statement stands after the SPIFFE ID.", &["urn:bc:later:1"])
            .why("Verifiers that read the first URI must find the identity there."),
        renewing(
            "statements-in-order",
            "Statements keep their order after the SPIFFE ID.",
            &["urn:bc:later:2", "urn:bc:another", "urn:bc:later:1"],
        )
        .why("Sorted or as a set, the names of a leaf change with each renewal."),
        accept("statement-after-outage", RULE, "A statement stands after the SPIFFE ID after an outage too.")
            .also("X509POP-3")
            .world(&World::usual().enrolled(&old))
            .step(
                "join",
                NOW,
                x509pop(&second(), &old, &old.key),
                reclaimed(&node("a"), "second")
                    .with("/effects/certs/1/statements", kept.clone())
                    .with("/out/response/$answer/statements", kept),
            )
            .why("Each way to a certificate writes its names anew.")
            .recipe("A re-join with an expired leaf that carries a statement."),
    ]
}

fn subject() -> Vec<Entry> {
    const RULE: &str = "CERTIFICATE-3";
    let of_role = |role: &str| {
        let title = format!("The subject of a leaf of the role {role} is OU=bc-role:{role} alone.");
        joining(accept(&format!("subject-issued-{role}"), RULE, &title), &World::usual(), role)
            .why("One attribute: whoever reads any OU reads this one.")
    };
    let hosted = grant("profile hosted").with("hosted", "kubernetes");
    let lowered = |at: &str| {
        let old = enrolled("a", &machine("a"), at).with("certificateRole", "node-tenant");
        let leaf = old.issue(&old.key, at, 86400, &[]);
        old.holding(leaf)
    };
    let (live, dead) = (lowered(LIVE), lowered(DEAD));
    let mut all: Vec<Entry> = ROLES.iter().map(|role| of_role(role)).collect();
    all.extend([
        accept(
            "subject-issued-node-tenant",
            RULE,
            "The subject of a lowered leaf is OU=bc-role:node-tenant alone.",
        )
        .also("HOSTED-1")
        .world(&World::usual().token(&hosted))
        .step("join", NOW, join(&machine("a"), &hosted), joined("n1").role("node-tenant"))
        .why("Who sees only the leaf must see that the node is its tenant's.")
        .recipe("A join by a hosted token; then look at the subject."),
        accept("subject-renewed-node-tenant", RULE, "A renewal writes the lowered role again.")
            .also("RENEWAL-4")
            .world(&World::usual().enrolled(&live))
            .step("renew", NOW, renew(&second(), &live, &live.key), renewed("second"))
            .why("Otherwise a node raises itself by renewing.")
            .recipe("A renewal of a leaf of the role node-tenant."),
        accept(
            "subject-outage-node-tenant",
            RULE,
            "A re-join after an outage writes the lowered role again.",
        )
        .also("X509POP-3")
        .world(&World::usual().enrolled(&dead))
        .step("join", NOW, x509pop(&second(), &dead, &dead.key), reclaimed(&node("a"), "second"))
        .why("Otherwise a node raises itself by staying away.")
        .recipe("A re-join with an expired leaf of the role node-tenant."),
    ]);
    all
}

/// The issuer's certificate with this DER as subject, and this subjectKeyIdentifier.
fn issued_by(subject: Option<Vec<u8>>, key_id: Option<&[u8]>) -> World {
    let root = node_root();
    let mut certificate = node_ca().certificate(&root);
    if let Some(subject) = subject {
        certificate.subject = subject;
    }
    for extension in certificate.extensions.iter_mut().filter(|one| one.oid == SUBJECT_KEY_IDENTIFIER) {
        if let Some(key_id) = key_id {
            extension.value = tlv(OCTET_STRING, key_id);
        }
    }
    World::usual().set("/keys/nodeCa/certificate", b64u(certificate.signed(&root.key)))
}

fn issuer_name() -> Vec<Entry> {
    const PRINTABLE: u8 = 0x13;
    const T61: u8 = 0x14;
    const BMP: u8 = 0x1e;
    const IA5: u8 = 0x16;
    let row = |what: &str, title: &str, subject: Vec<u8>, why: &str| {
        let entry = accept(&format!("issuer-name-{what}"), "CERTIFICATE-4", title);
        joining(entry, &issued_by(Some(subject), None), "node").why(why)
    };
    let one = |tag: u8, value: &[u8]| sequence(&[&set(&[&sequence(&[&oid(CN), &tlv(tag, value)])])]);
    let pair = |kind: &str, value: &str| sequence(&[&oid(kind), &tlv(0x0c, value)]);
    let domain = sequence(&[&oid("0.9.2342.19200300.100.1.25"), &tlv(IA5, "example")]);
    vec![
        accept(
            "issuer-name",
            "CERTIFICATE-4",
            "The issuer's name is the subject of the node CA, not of who certified it.",
        )
        .world(&World::usual().token(&grant("profile")))
        .step("join", NOW, join(&machine("a"), &grant("profile")), joined("n1"))
        .why("A name of the wrong certificate breaks the chain at its first link.")
        .recipe(RECIPE),
        row(
            "printable",
            "A PrintableString in the issuer's name stays one.",
            one(PRINTABLE, b"Node CA"),
            "Octet for octet: a name that is written anew is another name to many verifiers.",
        ),
        row(
            "teletex",
            "A TeletexString in the issuer's name stays one.",
            one(T61, b"Node CA \xe9"),
            "Old tools still make them; its octets are no UTF-8.",
        ),
        row(
            "bmp",
            "A BMPString in the issuer's name stays one.",
            one(BMP, b"\0N\0o\0d\0e"),
            "Two octets a character.",
        ),
        row(
            "spaces",
            "Case and spaces in the issuer's name stay as they are.",
            one(0x0c, b"  Node   cA "),
            "The same to a comparison of names, not to one of octets.",
        ),
        row(
            "several",
            "Several attributes of the issuer's name stay in their order.",
            name(&[("2.5.4.6", "DE"), ("2.5.4.10", "Example"), (OU, "Nodes"), (CN, "Node CA")]),
            "Other tools write them the other way round.",
        ),
        row(
            "of-two-values",
            "An RDN of two attributes stays one.",
            sequence(&[&set(&[&pair(CN, "Node CA"), &pair("2.5.4.10", "Example")])]),
            "Taken apart, it is another name.",
        ),
        row(
            "domain-component",
            "Domain components of the issuer's name stay IA5String.",
            sequence(&[&set(&[&domain])]),
            "The names of directories look like this.",
        ),
        row(
            "long",
            "A long name of the issuer is copied whole.",
            name(&[(CN, &"Node CA ".repeat(40))]),
            "Its length takes two octets.",
        ),
        row(
            "role-like",
            "An issuer's name that looks like a role is only its name.",
            name(&[(OU, "bc-role:site")]),
            "What the issuer is called says nothing about the leaf.",
        ),
    ]
}

fn issuer_key() -> Vec<Entry> {
    let row = |what: &str, title: &str, key_id: &[u8], why: &str| {
        let entry = accept(&format!("issuer-key-id-{what}"), "CERTIFICATE-4", title);
        joining(entry, &issued_by(None, Some(key_id)), "node").why(why)
    };
    let all: Vec<u8> = (0..64).collect();
    vec![
        row(
            "any",
            "authorityKeyIdentifier is what the issuer's certificate says, not a hash of its key.",
            &[7; 20],
            "RFC 5280, 4.2.1.1: whoever computes it anew finds no issuer.",
        ),
        row("one-octet", "An identifier of one octet is copied.", &[1], "Identifiers need not be hashes."),
        row(
            "zeros",
            "An identifier that begins with zeros is copied with them.",
            &[0, 0, 0, 1],
            "It is no number.",
        ),
        row("32-octets", "An identifier of 32 octets is copied whole.", &all[..32], "A whole SHA-256."),
        row(
            "64-octets",
            "An identifier of 64 octets is copied whole.",
            &all,
            "The bound of 32 is for the leaf's own.",
        ),
        row(
            "like-der",
            "An identifier that looks like DER is copied as it is.",
            &tlv(SEQUENCE, []),
            "Its content is opaque.",
        ),
    ]
}

/// Several certificates in one script: the judge sees a serial that comes twice.
fn serials() -> Vec<Entry> {
    const RULE: &str = "CERTIFICATE-4";
    let token = grant("serials").uses(16);
    let names: Vec<String> = (1..=16).map(|number| format!("m{number}")).collect();
    let joins = names.iter().fold(
        accept(
            "serials-of-joins",
            RULE,
            "Sixteen joins in one millisecond have sixteen serials, each of 16 octets.",
        )
        .world(&World::usual().token(&token)),
        |entry, name| entry.step(name, NOW, join(&machine(name), &token), joined(name)),
    );
    let old = enrolled("a", &machine("a"), LIVE);
    let to_old_key = |entry: Entry, name: &str, at: &str, expected: Expectation| {
        entry.step(name, at, renew(&machine("a"), &old, &old.key), expected)
    };
    let mut renewals = accept("serials-of-renewals", RULE, "Renewals to one key have a serial each.")
        .world(&World::usual().enrolled(&old));
    for number in 1..=6 {
        let name = format!("renew-{number}");
        let at = format!("2026-01-01T00:00:00.{number:03}Z");
        renewals = to_old_key(renewals, &name, &at, renewed(&name));
    }
    vec![
        joins
            .why("A serial from the clock, or from a counter per process, repeats; one that is too short will.")
            .recipe("Sixteen machines join at the same time; compare the serials."),
        renewals
            .why("A serial that follows from key and dates repeats here: all of them have the same second.")
            .recipe("Six renewals of a node to the key it has, within one second."),
    ]
}
