//! A refused join records nothing of its seal: the same seal may be sent again, and admits.

use serde_json::json;

use super::resend::{CHOICE, LATER, claiming, plain_claims};
use crate::case::{Entry, NOW};
use crate::script::{
    Join, accepted, answered_again, join, joined, reclaimed, refused, retire, retired, script_accept,
    script_reject,
};
use crate::testkit::request::claims;
use crate::testkit::world::{Grant, World, enrolled, grant, machine, node};

const FREE: &str = "seal/free-after-expect";
/// A minute after [`LATER`].
const LAST: &str = "2026-01-01T00:02:00.000Z";

pub(super) fn entries() -> Vec<Entry> {
    [tries(), rows(), windows(), again()].concat()
}

/// A token of one use that expects the serial of the machine of these cases.
fn token() -> Grant {
    grant("free").with("expect", json!({"serial": "5q4q7y1"}))
}

fn own(token: &Grant) -> Join {
    join(&claiming(json!({})), token)
}

fn wrong() -> Join {
    join(&claiming(json!({"productSerial": "5Q4Q7Y2"})), &token())
}

fn good(id: &str, title: &str, world: &World) -> Entry {
    script_accept(id, "SEAL-8", title)
        .also("ADMISSION-2")
        .world(world)
        .recipe("A join that is refused; the same seal and CSR once more when what was wrong is right.")
}

/// What was wrong was in the request.
fn tries() -> Vec<Entry> {
    let plain = grant("free");
    let bare = claims(json!({"productSerial": plain_claims()["productSerial"], "hostname": "rack-7"}));
    let under_refuse = |name: &str, value: &str| {
        good(
            name,
            &format!("Under {value} a seal whose join did not match expect admits one that does."),
            &World::usual().token(&token()),
        )
        .also("EXPECT-3")
        .choice(CHOICE, value)
        .step("refused", NOW, wrong(), refused("expect"))
        .step("join", LATER, own(&token()), joined("n1"))
        .why("The client keeps its seal and sends it again when its configuration was corrected.")
    };
    vec![
        under_refuse(FREE, "stored-answer"),
        under_refuse("seal/free-after-expect-under-refuse", "refuse"),
        good(
            "seal/free-after-role",
            "A seal that was sent for another role admits for its token's.",
            &World::usual().token(&plain),
        )
        .also("TOKEN-11")
        .step("refused", NOW, own(&plain).role("site"), refused("token-role"))
        .step("join", LATER, own(&plain), joined("n1"))
        .why("A corrected configuration, and the same seal."),
        good(
            "seal/free-after-placeholders",
            "A seal that was sent with too few identifiers admits with all of them.",
            &World::usual().token(&plain),
        )
        .also("HARDWARE-KEY-3")
        .step("refused", NOW, join(&machine("a").claiming(bare), &plain), refused("placeholder-hardware"))
        .step("join", LATER, own(&plain), joined("n1"))
        .why("The permission to read the SMBIOS table came later."),
        good(
            "seal/free-after-many",
            "A seal that was refused many times is good still, and then has its answer.",
            &World::usual().token(&token()),
        )
        .choice(CHOICE, "stored-answer")
        .repeated(5, "refused", NOW, wrong(), refused("expect"))
        .step("join", LATER, own(&token()), joined("n1"))
        .step("resend", LAST, own(&token()), answered_again("join"))
        .about("join")
        .why("Refusals leave nothing, however many; the admission leaves its answer."),
    ]
}

/// What was wrong was in the store.
fn rows() -> Vec<Entry> {
    let plain = grant("free");
    let old = enrolled("a", &claiming(json!({})), "2025-12-31T12:00:00Z");
    let (first, second) = (grant("first"), grant("second").reclaims());
    let raced = || join(&claiming(json!({})).rekeyed("second"), &second);
    vec![
        good(
            "seal/free-after-reclaim",
            "A seal that was refused because the machine has a node admits when that is retired.",
            &World::usual().token(&plain).enrolled(&old),
        )
        .also("RECLAIM-2")
        .step("refused", NOW, own(&plain), refused("reclaim"))
        .step("retire", NOW, retire(&node("a")), retired(&node("a")))
        .step("join", LATER, own(&plain), joined("n1"))
        .why("The operator retires the old node, and the machine goes on trying with the request it has."),
        good(
            "seal/free-after-conflict",
            "A seal whose join lost a race admits when it is sent again.",
            &World::usual().token(&first).token(&second),
        )
        .also("ADMISSION-4")
        .step("begin", NOW, raced().begin("one"), accepted(json!({})))
        .step("other", NOW, own(&first), joined("n1"))
        .step("lost", NOW, raced().finish("one"), refused("CONFLICT"))
        .step("join", LATER, raced(), reclaimed("$n1", "c2"))
        .why("CONFLICT says: send the same again. A seal that it burnt could not be."),
    ]
}

/// What was wrong was the clock (SEAL-4).
fn windows() -> Vec<Entry> {
    let plain = grant("free");
    // Two minutes ahead of the clock of the cases.
    let ahead = || own(&plain).iat(1_767_225_720);
    vec![
        good(
            "seal/free-after-its-time",
            "A seal that came too early for the window admits when its time has come.",
            &World::usual().token(&plain).set("/iatWindow", json!({"pastS": 600, "aheadS": 60})),
        )
        .also("SEAL-4")
        .choice("seal.iat-window", "window")
        .step("refused", NOW, ahead(), refused("seal-iat"))
        .step("join", LATER, ahead(), joined("n1"))
        .why("The clock of the machine was ahead; a minute later the same seal is inside the window."),
    ]
}

/// A refused request that is sent again is refused for what is wrong with it, not for its seal.
fn again() -> Vec<Entry> {
    let plain = grant("free");
    let used = grant("free").with("usesLeft", 0);
    let row = |name: &str,
               title: &str,
               world: World,
               request: Join,
               reason: &str,
               twin: &str,
               at: &[&str]| {
        script_reject(&format!("seal/{name}"), "SEAL-8", title)
            .also("ADMISSION-2")
            .world(&world)
            .step("refused", NOW, &request, refused(reason))
            .step("again", LATER, request, refused(reason))
            .twin(twin, at, "What is wrong is wrong still.")
            .why("The owner needs the same reason each time; seal-replayed would send him looking for a thief.")
            .recipe("A join that is refused; the same octets once more.")
    };
    vec![
        row(
            "refused-twice-expect",
            "A request that does not match expect is refused for that each time.",
            World::usual().token(&token()),
            wrong(),
            "expect",
            "seal/free-after-expect",
            &["/steps/1/request/claims/productSerial"],
        )
        .choice(CHOICE, "stored-answer"),
        row(
            "refused-twice-expect-under-refuse",
            "Under refuse a request that does not match expect is refused for that each time.",
            World::usual().token(&token()),
            wrong(),
            "expect",
            "seal/free-after-expect-under-refuse",
            &["/steps/1/request/claims/productSerial"],
        )
        .choice(CHOICE, "refuse"),
        row(
            "refused-twice-role",
            "A request for another role is refused for that each time.",
            World::usual().token(&plain),
            own(&plain).role("site"),
            "token-role",
            "seal/free-after-role",
            &["/steps/1/request/role"],
        ),
        row(
            "refused-twice-used",
            "A request with a token that others used up is refused for that each time.",
            World::usual().token(&used),
            own(&used),
            "token-used",
            "seal/free-after-role",
            &["/world/tokens/0/usesLeft", "/steps/0/request/role"],
        ),
    ]
}
