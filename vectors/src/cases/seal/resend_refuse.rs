//! The same seal again where `seal.resend` is `refuse`: every seal that has admitted a join is replayed.

use serde_json::json;

use super::resend::{CHOICE, LATER, claiming, request, token};
use crate::case::{Entry, NOW};
use crate::script::{
    Expectation, Join, accepted, join, joined, refused, restart, revoke, revoked, script_accept,
    script_reject,
};
use crate::testkit::world::{Grant, TOKENS_EXPIRE, World, grant, machine, pool, tenant};

const ONE: &str = "seal/refuse-joins";
const OTHER: &str = "seal/refuse-another-seal";
const RACE: &str = "seal/refuse-begun-twice";
const RECIPE: &str = "A server whose seal.resend is refuse; a join, then the same seal once more.";

pub(super) fn entries() -> Vec<Entry> {
    [goods(), replays(), race()].concat()
}

fn begun(entry: Entry, token: &Grant) -> Entry {
    entry
        .choice(CHOICE, "refuse")
        .world(&World::usual().token(token))
        .step("join", NOW, join(&claiming(json!({})), token), joined("n1"))
        .recipe(RECIPE)
}

fn goods() -> Vec<Entry> {
    vec![
        begun(script_accept(ONE, "SEAL-8", "Under refuse a seal admits its one join."), &token())
            .why("The choice is about the second time alone."),
        begun(
            script_accept(
                OTHER,
                "SEAL-8",
                "Under refuse another machine joins with another seal of the token.",
            ),
            &token(),
        )
        .step("other", LATER, join(&machine("b"), &token()), joined("n2"))
        .why("One join is for one seal, not for one token."),
        begun(
            script_accept(
                "seal/refuse-used-up",
                "SEAL-8",
                "Under refuse a token of one use admits its machine.",
            ),
            &grant("resend"),
        )
        .why("The usual token, used once."),
    ]
}

fn replayed(name: &str, title: &str, token: &Grant) -> Entry {
    begun(script_reject(&format!("seal/refuse-{name}"), "SEAL-8", title), token)
}

fn replays() -> Vec<Entry> {
    let single = grant("resend");
    let again = |token: &Grant| join(&claiming(json!({})), token);
    let no = || -> Expectation { refused("seal-replayed") };
    let what = "The same seal once more.";
    let id = token().bearer.id;
    let other: Join = join(&claiming(json!({"productSerial": "5Q4Q7Y2"})), &token());
    vec![
        replayed("resend", "Under refuse an equal request is replayed, though a use is left.", &token())
            .step("resend", LATER, request(), no())
            .twin(ONE, &["/steps/1"], what)
            .why("An operator who chose this would rather strand a machine than answer twice."),
        replayed("resend-without-a-use", "Under refuse an equal request is replayed, not used up.", &single)
            .step("resend", LATER, again(&single), no())
            .twin("seal/refuse-used-up", &["/steps/1"], what)
            .why("The lookup comes before the uses: the reason says that the seal was seen before."),
        replayed(
            "resend-after-expiry",
            "Under refuse an equal request after the token's end is replayed, not expired.",
            &token(),
        )
        .step("resend", TOKENS_EXPIRE, request(), no())
        .twin(ONE, &["/steps/1"], what)
        .why("The lookup comes before the expiry."),
        replayed(
            "resend-after-revocation",
            "Under refuse an equal request after the revocation is replayed, not revoked.",
            &token(),
        )
        .step("revoke", NOW, revoke(&tenant("a"), &pool("a"), &id), revoked(&id))
        .step("resend", LATER, request(), no())
        .twin(ONE, &["/steps/1", "/steps/2"], "The token was revoked, and the same seal comes once more.")
        .why("The lookup comes before the revocation."),
        replayed("resend-after-restart", "Under refuse a seal is known after a restart.", &token())
            .step("restart", NOW, restart(), accepted(json!({})))
            .step("resend", LATER, request(), no())
            .twin(ONE, &["/steps/1", "/steps/2"], "A restart, and the same seal once more.")
            .why("What was admitted is stored with the admission."),
        replayed(
            "resend-after-the-certificate",
            "Under refuse a seal is replayed when its certificate has expired.",
            &token(),
        )
        .step("resend", "2026-01-01T23:59:01.000Z", request(), no())
        .twin(ONE, &["/steps/1"], what)
        .why("That the answer would be worth nothing does not make the seal new."),
        replayed("other-claims", "Under refuse the same seal beside other claims is replayed.", &token())
            .step("resend", LATER, other, no())
            .twin(OTHER, &["/steps/1/request"], "The seal of the first machine, beside other claims.")
            .why("Every request whose seal has admitted a join, equal or not."),
        replayed("other-role", "Under refuse the same seal for another role is replayed.", &token())
            .step("resend", LATER, request().role("site"), no())
            .twin(ONE, &["/steps/1"], "The same seal once more, for another role.")
            .why("The lookup comes before the token's role."),
    ]
}

/// Two equal requests that both begin before either has the lock.
fn race() -> Vec<Entry> {
    let started = |entry: Entry| {
        entry
            .also("ADMISSION-4")
            .choice(CHOICE, "refuse")
            .world(&World::usual().token(&token()))
            .step("begin", NOW, request().begin("one"), accepted(json!({})))
            .step("begin-again", NOW, request().begin("two"), accepted(json!({})))
            .step("join", NOW, request().finish("one"), joined("n1"))
            .recipe("A server whose seal.resend is refuse; two equal joins that both begin before either has the lock.")
    };
    vec![
        started(script_accept(RACE, "SEAL-8", "Under refuse the first of two equal requests at once is admitted."))
            .why("It has the lock, and its seal has admitted nothing yet."),
        started(script_reject("seal/refuse-race", "SEAL-8", "Under refuse the second of two equal requests at once is replayed, not CONFLICT."))
            .step("resend", NOW, request().finish("two"), refused("seal-replayed"))
            .twin(RACE, &["/steps/3"], "The second request goes on.")
            .why("It waits for the lock, and then its seal has admitted a join. CONFLICT would have it sent once more."),
    ]
}
