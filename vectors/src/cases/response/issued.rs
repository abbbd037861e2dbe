//! The answers that a service gives, taken apart by the judge: the chain, the body, what both say of one node.

use serde_json::Value;

use crate::case::{Entry, NOW};
use crate::script::{join, joined, reclaimed, renew, renewed, script_accept, x509pop};
use crate::testkit::encode::b64u;
use crate::testkit::keys::private_jwk;
use crate::testkit::world::{Enrolled, World, enrolled, grant, machine, node, node_ca};
use crate::testkit::x509::{Authority, node_root};

/// The cases of the file.
pub(super) fn cases() -> Vec<Entry> {
    [intermediate(), roots(), roles()].concat()
}

fn live() -> Enrolled {
    enrolled("a", &machine("a"), "2025-12-31T12:00:00Z")
}

fn dead() -> Enrolled {
    enrolled("a", &machine("a"), "2025-12-30T12:00:00Z")
}

/// A join by token, a renewal, and a re-join after an outage.
fn ways(prefix: &str, rule: &str, what: &str, world: &World, why: &str) -> Vec<Entry> {
    let second = machine("a").rekeyed("second");
    let token = grant("answer");
    let accept = |way: &str, title: &str| {
        script_accept(&format!("response/{prefix}-{way}"), rule, &format!("{title} {what}."))
            .documented()
            .why(why)
    };
    vec![
        accept("join", "The chain in the answer to a join is")
            .world(&world.clone().token(&token))
            .step("join", NOW, join(&machine("a"), &token), joined("n1"))
            .recipe("A join by token."),
        accept("renewal", "The chain in the answer to a renewal is")
            .world(&world.clone().enrolled(&live()))
            .step("renew", NOW, renew(&second, &live(), &live().key), renewed("second"))
            .recipe("A renewal."),
        accept("outage", "The chain in the answer to x509pop is")
            .world(&world.clone().enrolled(&dead()))
            .step("join", NOW, x509pop(&second, &dead(), &dead().key), reclaimed(&node("a"), "second"))
            .recipe("A re-join with an expired certificate."),
    ]
}

fn intermediate() -> Vec<Entry> {
    ways(
        "issued-chain",
        "RESPONSE-2",
        "the leaf and its issuer's certificate",
        &World::usual(),
        "Whoever has only the root cannot verify a leaf without the certificate between.",
    )
}

/// The world whose node CA has this certificate.
fn issued_by(authority: &Authority, certificate: Vec<u8>) -> World {
    let key: Value = private_jwk(&authority.key);
    World::usual().set("/keys/nodeCa/key", key).set("/keys/nodeCa/certificate", b64u(certificate))
}

fn roots() -> Vec<Entry> {
    let root = Authority { name: node_root().name, key: node_ca().key };
    let own = root.certificate(&root).signed(&root.key);
    let mut all = ways(
        "issued-by-root",
        "RESPONSE-4",
        "the leaf alone where a root has issued it",
        &issued_by(&root, own),
        "A root in the chain is refused by every client: it must be known beforehand.",
    );
    // Its subject is its issuer, though another key has signed it: a root's new key, certified by the old one.
    let rolled = root.certificate(&root).signed(&node_root().key);
    let token = grant("answer");
    all.push(
        script_accept(
            "response/issued-by-rolled-root",
            "RESPONSE-4",
            "A root whose new key the old one has certified is not sent either.",
        )
        .world(&issued_by(&root, rolled).token(&token))
        .step("join", NOW, join(&machine("a"), &token), joined("n1"))
        .why("Clients refuse any certificate of the chain whose issuer is its subject, whoever signed it.")
        .recipe("A join under a node CA whose certificate has one name twice and another's signature."),
    );
    all
}

fn roles() -> Vec<Entry> {
    let hosted = grant("answer hosted").with("hosted", "kubernetes");
    let of = |role: &str| {
        let token = grant("answer").with("role", role);
        script_accept(
            &format!("response/issued-role-{role}"),
            "RESPONSE-2",
            &format!("The answer names the role {role} as the leaf does."),
        )
        .documented()
        .world(&World::usual().token(&token))
        .step("join", NOW, join(&machine("a"), &token).role(role), joined("n1"))
        .why("The client compares the two with what it has asked for.")
        .recipe("A join by a token for this role.")
    };
    vec![
        of("site"),
        of("ramdisk"),
        script_accept("response/issued-role-node-tenant", "RESPONSE-2", "The answer names the lowered role, as the leaf does.")
            .documented()
            .world(&World::usual().token(&hosted))
            .step("join", NOW, join(&machine("a"), &hosted), joined("n1").role("node-tenant"))
            .why("An answer that says node while the leaf says node-tenant hides the lowering, and clients refuse it.")
            .recipe("A join by a hosted token."),
    ]
}
