//! One reclaim after another: reinstalls, clones that take turns, and what becomes of the keys that lost.

use super::{comes_back, old, token, with};
use crate::case::{Entry, NOW};
use crate::script::{
    Expectation, Holder, Renew, answered_again, join, joined, reclaimed, refused, renew, renewed,
    script_accept, script_reject, x509pop,
};
use crate::testkit::world::{Grant, Machine, World, grant, machine, node};

const RULE: &str = "RECLAIM-3";
const LATER: &str = "2026-01-01T00:01:00.000Z";
const LATER_STILL: &str = "2026-01-01T00:02:00.000Z";
const AT_LAST: &str = "2026-01-01T00:03:00.000Z";

pub(super) fn entries() -> Vec<Entry> {
    vec![
        two_generations(),
        three_turns(),
        same_key_again(),
        loser_sends_again(),
        loser_comes_back(),
        loser_joins_again(),
        winner_renews(),
        loser_renews(),
        renewed_then_reclaimed(),
        renewed_loser(),
        winner_by_certificate(),
        loser_by_certificate(),
        fresh_proofs(),
        stale_proof(),
        sent_again(),
    ]
}

/// A token of pool a for many reclaims.
fn many() -> Grant {
    token().uses(10)
}

/// The machine with the node key of that name: reinstalled, or a clone.
fn keyed(name: &str) -> Machine {
    machine("a").rekeyed(name)
}

/// A first join by a plain token, then two reclaims by one token.
fn turns(entry: Entry, second: &str, third: &str) -> Entry {
    let first = grant("first");
    entry
        .world(&World::usual().token(&first).token(&many()))
        .step("first", NOW, join(&keyed("one"), &first), joined("n1"))
        .step("second", LATER, join(&keyed(second), &many()), reclaimed("$n1", "c2"))
        .step("third", LATER_STILL, join(&keyed(third), &many()).fresh("third"), reclaimed("$n1", "c3"))
}

fn two_generations() -> Entry {
    let title =
        "Two reclaims in a row raise the generation twice, and each revokes what the one before issued.";
    turns(script_accept("reclaim/twice", RULE, title), "two", "three")
        .documented()
        .why("Each event names the key that it ends and the one that begins, so the chain can be read back.")
        .recipe("A machine joins, and is reinstalled and reclaimed twice.")
}

fn three_turns() -> Entry {
    let title = "Clones that take turns end each other's certificates, and the generation shows the fight.";
    turns(script_accept("reclaim/clones-take-turns", RULE, title), "two", "one")
        .step("fourth", AT_LAST, join(&keyed("two"), &many()).fresh("fourth"), reclaimed("$n1", "c4"))
        .why("Both keys are told each time: the same two hashes change places, which no reinstall does.")
        .recipe("Two machines with the same identifiers and two node keys join by turns with one token.")
}

fn same_key_again() -> Entry {
    let title = "A machine that joins again and again with one node key raises the generation each time.";
    turns(script_accept("reclaim/same-key-twice", RULE, title), "one", "one")
        .also("RECLAIM-1")
        .why("Old and new hash are equal then; the generation still counts each join.")
        .recipe("One machine with one node key joins three times, each time with its own seal.")
}

fn loser_sends_again() -> Entry {
    let title = "The octets that won the node once do not win it again after another reclaim.";
    turns(script_reject("reclaim/clone-sends-again", RULE, title), "two", "one")
        .also("SEAL-8")
        .step("fourth", AT_LAST, join(&keyed("two"), &many()), refused("seal-replayed"))
        .twin("reclaim/clones-take-turns", &["/steps/3/request/seal"], "the seal is that of the second join")
        .why("A recorded request is no way to take turns: the generation of its answer is over.")
        .recipe("As the twin, with the octets of the second join in place of the last one.")
}

/// A join of one clone, a reclaim by the other, and the first comes back with its first token.
fn comes_back_with(entry: Entry, first: &Grant, expected: impl Into<Expectation>) -> Entry {
    entry
        .also("RECLAIM-2")
        .world(&World::usual().token(first).token(&many()))
        .step("first", NOW, join(&keyed("one"), first), joined("n1"))
        .step("second", LATER, join(&keyed("two"), &many()), reclaimed("$n1", "c2"))
        .step("third", LATER_STILL, join(&keyed("one"), first).fresh("third"), expected)
        .recipe("Two clones join, the second by a reclaim; the first tries again with its first token.")
}

fn loser_comes_back() -> Entry {
    let first = grant("first").uses(2).reclaims();
    let title = "The clone that lost its node gets it back by a token that allows a reclaim.";
    comes_back_with(script_accept("reclaim/clone-comes-back", RULE, title), &first, reclaimed("$n1", "c3"))
        .why("Nobody can tell the original from the copy; the row names the token of the last one.")
}

fn loser_joins_again() -> Entry {
    let first = grant("first").uses(2);
    let title = "The clone that lost its node does not get it back by a token that allows no reclaim.";
    comes_back_with(script_reject("reclaim/clone-plain-token", RULE, title), &first, refused("reclaim"))
        .twin(
            "reclaim/clone-comes-back",
            &["/world/tokens/0/allowReclaim"],
            "the first token allows no reclaim",
        )
        .why("Having had the node once gives no right to it.")
}

/// A reclaim of node a, then a renewal.
fn then_renewed(entry: Entry, request: Renew, expected: impl Into<Expectation>) -> Entry {
    entry
        .also("RENEWAL-2")
        .world(&with(&old(), &token()))
        .step("join", NOW, comes_back(), reclaimed(&node("a"), "new"))
        .step("renew", LATER, request, expected)
        .recipe("A reclaim, then a renewal.")
}

fn winner_renews() -> Entry {
    let title = "The certificate of a reclaim renews, in the new generation.";
    let request = renew(&keyed("next"), "join", &keyed("new").key);
    then_renewed(script_accept("reclaim/winner-renews", RULE, title), request, renewed("next"))
        .why("The machine that came back goes on as any other.")
}

fn loser_renews() -> Entry {
    let title = "A certificate from before a reclaim renews no more.";
    let request = renew(&keyed("next"), &old(), &old().key);
    then_renewed(script_reject("reclaim/loser-renews", RULE, title), request, refused("cert-revoked"))
        .documented()
        .twin(
            "reclaim/winner-renews",
            &["/steps/1/request"],
            "the renewal is by the certificate from before the reclaim",
        )
        .why("Whoever copied the old key off the replaced disk is out at once.")
}

/// A renewal, a reclaim, and a renewal by the certificate of that first renewal or of the reclaim.
fn renewed_before(entry: Entry, holder: &str, key: &str, expected: impl Into<Expectation>) -> Entry {
    entry
        .world(&with(&old(), &token()))
        .step("renew", NOW, renew(&keyed("second"), &old(), &old().key), renewed("second"))
        .step("join", LATER, comes_back(), reclaimed(&node("a"), "new"))
        .step("again", LATER_STILL, renew(&keyed("next"), holder, &keyed(key).key), expected)
        .recipe("A renewal, then a reclaim, then a renewal.")
}

fn renewed_then_reclaimed() -> Entry {
    let title =
        "A reclaim after a renewal revokes both certificates and tells the renewed key as the old one.";
    renewed_before(script_accept("reclaim/after-renewal", RULE, title), "join", "new", renewed("next"))
        .about("join")
        .why("The machine used its newest certificate last; the first would tell a stale key.")
}

fn renewed_loser() -> Entry {
    let title = "A certificate that was renewed before a reclaim renews no more after it.";
    renewed_before(
        script_reject("reclaim/renewed-loser", RULE, title),
        "renew",
        "second",
        refused("cert-revoked"),
    )
    .documented()
    .twin(
        "reclaim/after-renewal@again",
        &["/steps/2/request"],
        "the last renewal is by the certificate of the first renewal",
    )
    .why("Every older certificate is revoked, renewed ones like issued ones.")
}

/// A reclaim, and a day later a return by an expired certificate.
fn by_certificate(
    entry: Entry,
    holder: impl Into<Holder>,
    key: &Machine,
    expected: impl Into<Expectation>,
) -> Entry {
    entry
        .world(&with(&old(), &token()))
        .step("join", NOW, comes_back(), reclaimed(&node("a"), "new"))
        .step("again", "2026-01-02T00:00:00.000Z", x509pop(&keyed("next"), holder, &key.key), expected)
        .recipe("A reclaim; a day later, when both certificates have expired, a return by one of them.")
}

fn winner_by_certificate() -> Entry {
    let title =
        "The certificate of a reclaim brings its machine back after an outage, in a third generation.";
    let entry = script_accept("reclaim/winner-by-certificate", RULE, title).also("X509POP-1");
    by_certificate(entry, "join", &keyed("new"), reclaimed(&node("a"), "next"))
        .why("Reclaims by token and by certificate count in one generation.")
}

fn loser_by_certificate() -> Entry {
    let title = "A certificate from before a reclaim brings its machine back through no other door either.";
    let entry = script_reject("reclaim/loser-by-certificate", RULE, title).also("X509POP-5");
    by_certificate(entry, &old(), &machine("a"), refused("cert-revoked"))
        .documented()
        .twin(
            "reclaim/winner-by-certificate",
            &["/steps/1/request"],
            "the return is by the certificate from before the reclaim",
        )
        .why("Expired in time is revoked all the same.")
}

/// The proof for one CSR at one client time, before and after a reclaim: the same signed fields.
fn proof(holder: impl Into<Holder>, key: &Machine) -> Renew {
    renew(&keyed("next"), holder, &key.key).client_time("2026-01-01T00:00:30.000Z")
}

fn fresh_proofs() -> Entry {
    let title = "A proof with the same fields as one before the reclaim is no replay after it.";
    script_accept("reclaim/proofs-cleared", RULE, title)
        .also("RENEWAL-3")
        .world(&with(&old(), &token()))
        .step("before", NOW, proof(&old(), &machine("a")), renewed("next"))
        .step("join", "2026-01-01T00:00:01.000Z", comes_back(), reclaimed(&node("a"), "new"))
        .step("after", LATER, proof("join", &keyed("new")), renewed("after"))
        .why("A new generation begins with an empty memory: its proofs are by another key.")
        .recipe("A renewal, a reclaim, and a renewal of the same CSR and client time, signed by the new key.")
}

fn stale_proof() -> Entry {
    let title = "In the new generation a proof is a replay at its second use.";
    script_reject("reclaim/proof-twice-after", RULE, title)
        .also("RENEWAL-3")
        .world(&with(&old(), &token()))
        .step("before", NOW, proof(&old(), &machine("a")), renewed("next"))
        .step("join", "2026-01-01T00:00:01.000Z", comes_back(), reclaimed(&node("a"), "new"))
        .step("after", LATER, proof("join", &keyed("new")), renewed("after"))
        .step("again", LATER, proof("join", &keyed("new")), refused("replay"))
        .twin("reclaim/proofs-cleared", &["/steps/3"], "the proof is used once more")
        .why("The memory is cleared, and not switched off.")
        .recipe("As the twin; then the last renewal once more.")
}

fn sent_again() -> Entry {
    let world = with(&old(), &many());
    let title =
        "The request of a reclaim that is sent again raises no generation: the stored answer is given.";
    script_accept("reclaim/sent-again", RULE, title)
        .also("SEAL-8")
        .choice("seal.resend", "stored-answer")
        .world(&world)
        .step("join", NOW, join(&keyed("new"), &many()), reclaimed(&node("a"), "new"))
        .step("again", LATER, join(&keyed("new"), &many()), answered_again("join"))
        .why("An answer that was lost on the way must not count as another reinstall.")
        .recipe("A reclaim, and the same octets once more a minute later.")
}
