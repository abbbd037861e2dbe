//! Only the newest certificate of the node's generation counts (X509POP-2).

use super::{CHAIN, GOOD, back, of, old, to, with};
use crate::case::{Entry, NOW};
use crate::script::{Expectation, Join, refused, renew, renewed, script_accept, script_reject, x509pop};
use crate::testkit::keys::key;
use crate::testkit::world::{Enrolled, World, cert_row, enrolled, machine};

const RULE: &str = "X509POP-2";
const NEWER: &str = "x509pop/newest";
const KEY: &str = "/steps/0/request/x509pop/popSig/$pop/key";
const CERTS: &str = "/world/certs";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = vec![newest(), superseded(), by_row(), by_row_older(), alive(), revoked()];
    all.extend([
        earlier_row_of_generation(),
        other_generation(),
        other_node(),
        answer_lost(),
        answer_kept(),
        same_key(),
    ]);
    all
}

/// The node with another certificate for the key of that name.
fn certificate(name: &str, issued: &str, ttl_s: i64) -> Enrolled {
    let leaf = old().issue(&key(name), issued, ttl_s, &[]);
    Enrolled { key: key(name), ..old() }.holding(leaf)
}

/// The usual certificate's row, then this one.
fn then(second: &Enrolled) -> World {
    with(&old()).push("certs", &cert_row(&old().id(), 1, &second.leaf))
}

fn good(id: &str, title: &str, world: &World, request: Join, expected: Expectation) -> Entry {
    script_accept(id, RULE, title)
        .world(world)
        .step("join", NOW, request, expected)
        .recipe("A node with two certificates, and a join with one of them.")
}

fn bad(name: &str, title: &str, world: &World, request: Join) -> Entry {
    script_reject(&format!("x509pop/{name}"), RULE, title)
        .world(world)
        .step("join", NOW, request, refused("pop-superseded"))
        .recipe("A node with two certificates, and a join with one of them.")
}

fn later() -> Enrolled {
    certificate("later", "2025-12-30T18:00:00Z", 86400)
}

fn newest() -> Entry {
    good(NEWER, "The second of two certificates joins.", &then(&later()), of(&later()), back())
        .why("Both are revoked afterwards, and an event tells of each.")
}

fn superseded() -> Entry {
    bad("superseded", "The first of two certificates does not join.", &then(&later()), of(&old()))
        .twin(NEWER, &[CHAIN, KEY], "the certificate that is presented, and its key")
        .why("Whoever has an old key must not get what the newest would: a new generation.")
}

/// Issued later for a shorter time: it ended half a day before the usual one.
fn shorter() -> Enrolled {
    certificate("shorter", "2025-12-30T23:00:00Z", 3600)
}

fn by_row() -> Entry {
    good(
        "x509pop/newest-ends-first",
        "The certificate that was issued last joins, though the one before it ended later.",
        &then(&shorter()),
        of(&shorter()),
        back(),
    )
    .why("The order of the rows decides: lifetimes differ when the configuration changes.")
}

fn by_row_older() -> Entry {
    bad(
        "superseded-ends-last",
        "The certificate that ended last does not join, where another was issued after it.",
        &then(&shorter()),
        of(&old()),
    )
    .twin("x509pop/newest-ends-first", &[CHAIN, KEY], "the certificate that is presented, and its key")
    .why("Dates in certificates say how long they lasted, not which came last.")
}

fn alive() -> Entry {
    let live = certificate("alive", "2025-12-31T18:00:00Z", 86400);
    bad(
        "superseded-by-live",
        "A certificate does not join while a later one is alive.",
        &then(&live),
        of(&old()),
    )
    .twin(GOOD, &["/world/certs/1"], "the node has a later certificate, which has not expired")
    .why("The machine that is in would be thrown out by its own past.")
}

fn revoked() -> Entry {
    let mut row = cert_row(&old().id(), 1, &later().leaf);
    row["revoked"] = "reclaimed".into();
    bad(
        "superseded-by-revoked",
        "A certificate does not join where a later one was issued, even if that was revoked.",
        &with(&old()).push("certs", &row),
        of(&old()),
    )
    .twin(GOOD, &["/world/certs/1"], "the node has a later certificate, which was revoked")
    .why("That it was issued is what counts: revoking the newest must not bring back the one before.")
}

fn earlier_row_of_generation() -> Entry {
    // The world has the rows in the other order.
    let world = World::usual()
        .push("nodes", &old().node)
        .push("certs", &cert_row(&old().id(), 1, &later().leaf))
        .push("certs", &old().cert);
    good(
        "x509pop/newest-is-the-last-row",
        "The certificate whose row came last joins, though its notBefore is earlier.",
        &world,
        of(&old()),
        back(),
    )
    .why("A clock that was set back between two issues turns the dates round, and the rows stay in order.")
}

fn other_generation() -> Entry {
    let second = old().with("generation", 2).with_cert("generation", 2);
    let world = with(&second).push("certs", &cert_row(&old().id(), 1, &later().leaf));
    good(
        "x509pop/newest-of-its-generation",
        "A later row of an older generation supersedes nothing.",
        &world,
        of(&second),
        back(),
    )
    .why("The rule compares within the node's generation, and what is older is out anyway.")
}

fn other_node() -> Entry {
    let other = enrolled("b", &machine("b"), "2025-12-30T18:00:00Z");
    good(
        "x509pop/newest-of-its-node",
        "A later certificate of another node supersedes nothing.",
        &with(&old()).enrolled(&other),
        of(&old()),
        back(),
    )
    .why("Every node has its own last certificate.")
}

const RENEWAL: &str = "2025-12-31T11:00:00.000Z";

fn lost(entry: Entry) -> Entry {
    entry
        .world(&with(&old()))
        .step("renew", RENEWAL, renew(&to("second"), &old(), &old().key), renewed("second"))
        .recipe("A renewal an hour before the end, and after an outage of days a join.")
}

const DAYS_LATER: &str = "2026-01-03T00:00:00.000Z";

fn answer_kept() -> Entry {
    let title = "After a renewal and an outage the new certificate joins.";
    lost(script_accept("x509pop/renewed", RULE, title))
        .step("join", DAYS_LATER, x509pop(&to("third"), "renew", &to("second").key), back())
        .why("The machine has what was issued last.")
}

fn answer_lost() -> Entry {
    let title = "After a renewal whose answer was lost the old certificate does not join.";
    lost(script_reject("x509pop/superseded-by-lost-answer", RULE, title))
        .step("join", DAYS_LATER, x509pop(&to("third"), &old(), &old().key), refused("pop-superseded"))
        .twin(
            "x509pop/renewed",
            &["/steps/1/request/x509pop/chain", "/steps/1/request/x509pop/popSig"],
            "the certificate that is presented, and its key",
        )
        .why("Whether the answer arrived nobody can know; a token is the way back then, which is the safe side.")
}

fn same_key() -> Entry {
    let leaf = old().issue(&old().key, "2025-12-30T18:00:00Z", 86400, &[]);
    let second = old().holding(leaf);
    bad(
        "superseded-same-key",
        "A certificate that was renewed to its own key does not join; its successor would.",
        &then(&second),
        of(&old()),
    )
    .twin(NEWER, &[CHAIN, KEY, CERTS], "both certificates are for one key, and the first is presented")
    .why("The certificate must be the newest, not only its key.")
}
