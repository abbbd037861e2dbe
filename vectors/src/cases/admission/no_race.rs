//! What looks like a race and is none, and what comes before one (ADMISSION-1, ADMISSION-3, ADMISSION-4).

use serde_json::json;

use super::refused::claiming;
use crate::case::{Entry, NOW};
use crate::script::{
    Join, accepted, answered_again, join, joined, refused, revoke, revoked, script_accept, script_reject,
};
use crate::testkit::world::{Grant, TOKENS_EXPIRE, World, grant, machine, pool, serial, tenant};

/// Two machines, both begun before either finishes.
const GOOD: &str = "admission/two-machines-at-once";
/// One join in two halves.
const HALVES: &str = "admission/two-halves";
const RECIPE: &str = "Joins in two halves: the reading before the lock, and the rest.";

pub(super) fn entries() -> Vec<Entry> {
    vec![
        two_machines(),
        last_use(),
        last_use_of_one_machine(),
        halves(),
        revoked_between(),
        revoked_race(),
        last_millisecond(),
        expired_between(),
        same_seal(),
        untrusted(),
        winner_refused(),
        expect_first(),
    ]
}

fn token(uses: u32) -> Grant {
    grant("no race").uses(uses)
}

/// Machine a and another begin, then a finishes.
fn both(entry: Entry, token: &Grant, other: &Join) -> Entry {
    entry
        .world(&World::usual().token(token))
        .step("a-begins", NOW, join(&machine("a"), token).begin("a"), accepted(json!({})))
        .step("b-begins", NOW, other.clone().begin("b"), accepted(json!({})))
        .step("a-finishes", NOW, join(&machine("a"), token).finish("a"), joined("n1"))
        .recipe(RECIPE)
}

fn two_machines() -> Entry {
    let token = token(2);
    let other = join(&machine("b"), &token);
    both(
        script_accept(GOOD, "ADMISSION-4", "Two machines that join at once by one token do not race."),
        &token,
        &other,
    )
    .also("ADMISSION-3")
    .step("b-finishes", NOW, other.finish("b"), joined("n2"))
    .why("A race is about one machine's key; a rack that is switched on joins all at once.")
}

fn last_use() -> Entry {
    let token = token(1);
    let other = join(&machine("b"), &token);
    let title =
        "Two machines that join at once by the last use: the first takes it, the second is refused as used.";
    both(script_reject("admission/two-machines-for-the-last-use", "ADMISSION-3", title), &token, &other)
        .documented()
        .step("b-finishes", NOW, other.finish("b"), refused("token-used"))
        .twin(GOOD, &["/world/tokens/0/usesLeft", "/world/tokens/0/maxUses"], "The token has one use.")
        .why("The count is read under the lock: what was left when the join began says nothing.")
}

fn last_use_of_one_machine() -> Entry {
    let token = token(1);
    let other = join(&machine("a").rekeyed("second"), &token);
    let title = "Two joins of one machine that race for the last use: the loser is refused as used, not as a conflict.";
    both(script_reject("admission/race-for-the-last-use", "ADMISSION-4", title), &token, &other)
        .also("ADMISSION-3")
        .step("b-finishes", NOW, other.finish("b"), refused("token-used"))
        .twin(
            GOOD,
            &["/world/tokens/0/usesLeft", "/world/tokens/0/maxUses", "/steps/1"],
            "The token has one use, and both joins are of one machine.",
        )
        .why("Checks that stand before the reclaim step refuse first; a retry would not help.")
}

/// One join in two halves, with something between them.
fn begun(entry: Entry, token: &Grant) -> Entry {
    entry
        .world(&World::usual().token(token))
        .step("begin", NOW, join(&machine("a"), token).begin("a"), accepted(json!({})))
        .recipe(RECIPE)
}

fn halves() -> Entry {
    let token = token(1);
    begun(script_accept(HALVES, "ADMISSION-1", "A join in two halves is a join."), &token)
        .step("finish", NOW, join(&machine("a"), &token).finish("a"), joined("n1"))
        .why("The first half reads and judges nothing; everything is decided in the second.")
}

fn revoked_between() -> Entry {
    let token = token(1);
    let title = "A token that is revoked after the join began and before its lock is refused as revoked.";
    begun(script_reject("admission/revoked-before-the-lock", "ADMISSION-1", title), &token)
        .also("TOKEN-8")
        .step("revoke", NOW, revoke(&tenant("a"), &pool("a"), &token.bearer.id), revoked(&token.bearer.id))
        .step("finish", NOW, join(&machine("a"), &token).finish("a"), refused("token-revoked"))
        .twin(HALVES, &["/steps/1", "/steps/2"], "The token is revoked between the halves.")
        .why("An owner who revokes a stolen token must win over every join that has not committed.")
}

fn revoked_race() -> Entry {
    let token = token(2);
    let other = join(&machine("a").rekeyed("second"), &token);
    let title = "A join that lost a race is refused as revoked where the token was revoked meanwhile.";
    both(script_reject("admission/race-and-revocation", "ADMISSION-4", title), &token, &other)
        .also("TOKEN-8")
        .step("revoke", NOW, revoke(&tenant("a"), &pool("a"), &token.bearer.id), revoked(&token.bearer.id))
        .step("b-finishes", NOW, other.finish("b"), refused("token-revoked"))
        .twin(
            GOOD,
            &["/steps/1", "/steps/3", "/steps/4"],
            "Both joins are of one machine, and the token is revoked before b finishes.",
        )
        .why("A conflict says \"retry\"; a revoked token never gets better.")
}

/// When the usual tokens expire, less a millisecond.
const LAST: &str = "2026-01-01T00:59:59.999Z";

/// The seal's window is a quarter of an hour: a machine seals anew for a later join.
fn late(token: &Grant) -> Join {
    join(&machine("a"), token).iat(1_767_229_199)
}

fn ended(entry: Entry, token: &Grant) -> Entry {
    entry
        .world(&World::usual().token(token))
        .step("begin", LAST, late(token).begin("a"), accepted(json!({})))
        .recipe(RECIPE)
}

fn last_millisecond() -> Entry {
    let token = token(1);
    let title = "A join whose lock is taken in the last millisecond of the token is admitted.";
    ended(script_accept("admission/lock-in-the-last-millisecond", "ADMISSION-1", title), &token)
        .also("TIME-2")
        .step("finish", LAST, late(&token).finish("a"), joined("n1"))
        .why("The clock that counts is the one of the locked row, and the token lives to the end.")
}

fn expired_between() -> Entry {
    let token = token(1);
    let title = "A token that expires between the halves of a join is refused as expired.";
    ended(script_reject("admission/expired-before-the-lock", "ADMISSION-1", title), &token)
        .also("TIME-2")
        .documented()
        .step("finish", TOKENS_EXPIRE, late(&token).finish("a"), refused("token-expired"))
        .twin(
            "admission/lock-in-the-last-millisecond",
            &["/steps/1/at"],
            "The second half runs a millisecond later.",
        )
        .why("A join that waits long for its lock must not be judged by the time at which it came.")
}

fn same_seal() -> Entry {
    let token = token(1);
    let same = join(&machine("a"), &token);
    both(
        script_accept(
            "admission/same-seal-at-once",
            "ADMISSION-4",
            "A request that is sent twice at once never races itself: the second gets the stored answer.",
        ),
        &token,
        &same,
    )
    .also("SEAL-8")
    .step("b-finishes", NOW, same.finish("b"), answered_again("a-finishes"))
    .choice("seal.resend", "stored-answer")
    .why("A relay that sends twice, or a client that gave up waiting, must not be told of a conflict with itself.")
}

fn untrusted() -> Entry {
    let machine = claiming(json!({"productSerial": serial("a")}));
    let token = token(2).with("expect", json!({"serial": serial("a")}));
    let (first, second) = (join(&machine, &token), join(&machine.clone().rekeyed("second"), &token));
    let title = "Two joins of one machine without a trusted key never race: each is a new node.";
    script_accept("admission/untrusted-never-races", "ADMISSION-4", title)
        .also("HARDWARE-KEY-3")
        .world(&World::usual().token(&token))
        .step("a-begins", NOW, first.clone().begin("a"), accepted(json!({})))
        .step("b-begins", NOW, second.clone().begin("b"), accepted(json!({})))
        .step("a-finishes", NOW, first.finish("a"), joined("n1").untrusted())
        .step("b-finishes", NOW, second.finish("b"), joined("n2").untrusted())
        .why("A key of one identifier is never looked up, so there is nothing that could change between two readings.")
        .recipe(RECIPE)
}

fn winner_refused() -> Entry {
    let (a, b) = (token(1).of("b", "b"), grant("no race either"));
    let (first, second) = (join(&machine("a"), &a), join(&machine("a"), &b));
    script_accept(
        "admission/first-refused-second-joins",
        "ADMISSION-4",
        "A join that began beside one that is refused does not race.",
    )
    .also("ADMISSION-2")
    .world(&World::usual().token(&a).token(&b).pool("b", "agent", "kubeadm"))
    .step("a-begins", NOW, first.clone().begin("a"), accepted(json!({})))
    .step("b-begins", NOW, second.clone().begin("b"), accepted(json!({})))
    .step("a-finishes", NOW, first.finish("a"), refused("pool-agent"))
    .step("b-finishes", NOW, second.finish("b"), joined("n1"))
    .why("What was undone was never there: the second reading finds no node, as the first did.")
    .recipe(RECIPE)
}

fn expect_first() -> Entry {
    let (token, pinned) = (token(2), grant("pinned").with("expect", json!({"serial": serial("b")})));
    let other = join(&machine("a").rekeyed("second"), &pinned);
    let title = "A join that lost a race and is not the expected machine is refused for the binding.";
    script_reject("admission/race-and-expect", "ADMISSION-4", title)
        .also("EXPECT-3")
        .world(&World::usual().token(&token).token(&pinned))
        .step("a-begins", NOW, join(&machine("a"), &token).begin("a"), accepted(json!({})))
        .step("b-begins", NOW, other.clone().begin("b"), accepted(json!({})))
        .step("a-finishes", NOW, join(&machine("a"), &token).finish("a"), joined("n1"))
        .step("b-finishes", NOW, other.finish("b"), refused("expect"))
        .twin(GOOD, &["/world/tokens/1", "/steps/1"], "b is the same machine with a token that expects another.")
        .why("The race is noticed at the reclaim step; expect comes before it and is a refusal with its event.")
        .recipe(RECIPE)
}
