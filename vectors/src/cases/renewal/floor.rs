//! The floor: what has left the memory stays closed although the clock is set back.

use super::again::{LATEST, PAST, TIME, first, neighbour, other, used};
use super::{of, old, to, with};
use crate::case::{Entry, NOW};
use crate::script::{
    Renew, accepted, join, reclaimed, refused, renew, renewed, restart, script_accept, script_reject,
};
use crate::testkit::world::{grant, machine};

const RULE: &str = "RENEWAL-3";
/// The clock after it was set back: the client time of the first use is in the window again.
const BACK: &str = "2026-01-01T00:01:00.000Z";
const GOOD: &str = "renewal/floor-passed-by-a-millisecond";

pub(super) fn entries() -> Vec<Entry> {
    vec![
        above(),
        below("floor-reached", "A client time at the floor is a replay, although the proof is new.", TIME)
            .why("At the floor stood the proof that left: an inclusive memory needs an inclusive floor."),
        below(
            "floor-missed-by-a-millisecond",
            "A client time a millisecond below the floor is a replay.",
            "2026-01-01T00:00:59.999Z",
        )
        .why("What is older than what has left may itself have been used: nobody remembers."),
        below("floor-missed-by-a-minute", "A client time a minute below the floor is a replay.", NOW)
            .why("The floor is a line, not a list of single times."),
        first_use_again(),
        before_it_leaves(),
        future_entry(),
        hour_back(),
        hour_back_without_floor(),
        highest(&["2026-01-01T00:01:00.000Z", "2026-01-01T00:00:30.000Z"], "first"),
        highest(&["2026-01-01T00:00:30.000Z", "2026-01-01T00:01:00.000Z"], "last"),
        restarted(),
        another_node(),
        after_reclaim(),
        floor_after_reclaim(),
        of_refused(),
        clock_ages_nothing(),
        identity_ages_nothing(),
    ]
}

/// A renewal to a key of that name with this client time.
fn at(name: &str, time: &str) -> Renew {
    renew(&to(name), &old(), &old().key).client_time(time)
}

/// The first use has left: another renewal came after it was 120 s old.
fn left(entry: Entry) -> Entry {
    first(entry)
        .step("next", PAST, of(&old()).client_time(PAST), renewed("third"))
        .recipe("A renewal, one after it has left the memory, and one with the clock set back.")
}

fn good(name: &str, title: &str) -> Entry {
    left(script_accept(&format!("renewal/{name}"), RULE, title))
}

fn bad(name: &str, title: &str) -> Entry {
    left(script_reject(&format!("renewal/{name}"), RULE, title))
}

fn above() -> Entry {
    good(
        "floor-passed-by-a-millisecond",
        "With the clock set back, a client time a millisecond above the floor passes.",
    )
    .step("back", BACK, at("fourth", "2026-01-01T00:01:00.001Z"), renewed("fourth"))
    .why("The floor closes what has left, and no more: a machine whose server's clock is set right must go on.")
}

const LAST_TIME: [&str; 2] = ["/steps/2/request/clientTimeMs", "/steps/2/request/popSig/$pop/clientTimeMs"];

fn below(name: &str, title: &str, time: &str) -> Entry {
    bad(name, title).step("back", BACK, at("fourth", time), refused("replay")).twin(
        GOOD,
        &LAST_TIME,
        "the client time of the last request, sent and signed",
    )
}

fn first_use_again() -> Entry {
    let title = "With the clock set back, the proof that has left the memory is a replay.";
    bad("floor-first-use-again", title)
        .documented()
        .step("back", BACK, used(), refused("replay"))
        .twin(GOOD, &["/steps/2/request"], "the last request is the first once more")
        .why("Clocks are set back, by operators and by restored machines; a relay only has to wait for it.")
}

fn before_it_leaves() -> Entry {
    let title = "While the first use is still remembered, its client time is no floor.";
    first(script_accept("renewal/floor-not-yet", RULE, title))
        .step("next", LATEST, of(&old()).client_time(LATEST), renewed("third"))
        .step("back", BACK, other(), renewed("fourth"))
        .why("At exactly 120 s the entry is still there and tells proofs apart; a floor would refuse honest ones.")
}

fn future_entry() -> Entry {
    let title = "With the clock set back to before the first use, the same proof is a replay.";
    let time = NOW;
    script_reject("renewal/replay-before-its-use", RULE, title)
        .world(&with(&old()))
        .step("renew", NOW, of(&old()).client_time(time), renewed("second"))
        .step("back", "2025-12-31T23:59:00.000Z", of(&old()).client_time(time), refused("replay"))
        .twin(super::GOOD, &["/steps/1"], "the same request once more, with the clock set back by a minute")
        .why("A use in the future is a use: its age is below zero, and not above 120 s.")
        .recipe("A renewal, the clock set back by a minute, and its request once more.")
}

const HOUR_BACK: &str = "2025-12-31T23:00:00.000Z";

fn hour_back() -> Entry {
    let title = "With the clock set back by an hour, every client time of then is below the floor.";
    bad("floor-hour-back", title)
        .step("back", HOUR_BACK, at("fourth", HOUR_BACK), refused("replay"))
        .twin(GOOD, &["/steps/2/at", LAST_TIME[0], LAST_TIME[1]], "the clock is set back by an hour")
        .why("Nobody knows what was used then. The node waits or joins again, or an operator clears the floor.")
}

fn hour_back_without_floor() -> Entry {
    let title = "With the clock set back by an hour before anything has left, a new proof passes.";
    first(script_accept("renewal/no-floor-hour-back", RULE, title))
        .step("back", HOUR_BACK, at("third", HOUR_BACK), renewed("third"))
        .why("The first use is in the future of this clock, so it is remembered; there is no floor before one has left.")
}

/// Two uses leave together; the floor is the higher client time, whichever came first.
fn highest(times: &[&str; 2], which: &str) -> Entry {
    let all: &[&str] = &["/steps/0", "/steps/1", "/steps/2", "/steps/3"];
    // The first step is the twin's where its client time is.
    let at_steps = if times[0] == TIME { all.get(1..).unwrap_or_default() } else { all };
    let title =
        format!("Of two uses that leave together the higher client time, here of the {which}, is the floor.");
    script_reject(&format!("renewal/floor-highest-{which}"), RULE, &title)
        .world(&with(&old()))
        .step("renew", NOW, at("second", times[0]), renewed("second"))
        .step("renew-2", "2026-01-01T00:00:01.000Z", at("third", times[1]), renewed("third"))
        .step(
            "next",
            "2026-01-01T00:02:01.001Z",
            of(&old()).client_time("2026-01-01T00:02:01.001Z"),
            renewed("fourth"),
        )
        .step("back", BACK, at("fifth", "2026-01-01T00:00:45.000Z"), refused("replay"))
        .twin(GOOD, at_steps, "two uses leave, and the last client time lies between theirs")
        .why("The client time decides, not the order of uses: clients' clocks differ, and so do their requests' ways.")
        .recipe("Two renewals a second apart, one after both have left, and one with the clock set back.")
}

fn restarted() -> Entry {
    let title = "The floor outlives a restart.";
    bad("floor-after-restart", title)
        .step("restart", PAST, restart(), accepted(serde_json::json!({})))
        .step("back", BACK, used(), refused("replay"))
        .twin(GOOD, &["/steps/2", "/steps/3"], "a restart, and then the first request once more")
        .why("Machines whose clock jumps are machines that have just started.")
}

fn another_node() -> Entry {
    let request =
        renew(&to("fourth"), &neighbour(), &neighbour().key).client_time("2026-01-01T00:00:30.000Z");
    let title = "A client time below one node's floor passes for another node.";
    script_accept("renewal/floor-of-another-node", RULE, title)
        .world(&with(&old()).enrolled(&neighbour()))
        .step("renew", NOW, used(), renewed("second"))
        .step("next", PAST, of(&old()).client_time(PAST), renewed("third"))
        .step("back", BACK, request, renewed("fourth"))
        .why("With one floor for all, one machine with a clock ahead of the others locks them out.")
        .recipe("A node whose first use has left, and the renewal of another node with the clock set back.")
}

/// The machine of the node takes it over with a token.
fn reclaims(entry: Entry, at: &str) -> Entry {
    let token = grant("renewal").reclaims();
    entry
        .step("reclaim", at, join(&machine("a").rekeyed("second"), &token), reclaimed(&old().id(), "taken"))
        .recipe(
            "A renewal, a reclaim of the node by token, and a renewal with the certificate of the reclaim.",
        )
}

fn after_reclaim() -> Entry {
    let token = grant("renewal").reclaims();
    let title = "After a reclaim the proof with the same fields passes: the memory begins anew.";
    let entry = script_accept("renewal/memory-after-reclaim", RULE, title)
        .world(&with(&old()).token(&token))
        .step("renew", NOW, at("third", TIME), renewed("third"));
    reclaims(entry, "2026-01-01T00:00:01.000Z")
        .step(
            "again",
            "2026-01-01T00:00:02.000Z",
            renew(&to("third"), "reclaim", &to("second").key).client_time(TIME),
            renewed("fourth"),
        )
        .why("Every key that signed the proofs of before is out; whoever holds the new one makes new ones.")
}

fn floor_after_reclaim() -> Entry {
    let token = grant("renewal").reclaims();
    let title = "A reclaim clears the floor.";
    let entry = script_accept("renewal/floor-after-reclaim", RULE, title)
        .world(&with(&old()).token(&token))
        .step("renew", NOW, at("third", TIME), renewed("third"))
        .step("next", PAST, of(&old()).client_time(PAST), renewed("fourth"));
    reclaims(entry, "2026-01-01T00:02:30.000Z")
        .step(
            "back",
            BACK,
            renew(&to("fifth"), "reclaim", &to("second").key).client_time(BACK),
            renewed("fifth"),
        )
        .why("Otherwise a node whose floor a wrong clock has raised stays locked out, whatever its machine does.")
}

fn of_refused() -> Entry {
    let certificates = super::order::certificates(&old(), 8);
    let title = "A proof that was recorded and then refused leaves its client time as floor too.";
    script_reject("renewal/floor-of-a-refused-use", RULE, title)
        .world(&certificates)
        .step("limit", NOW, at("second", TIME), refused("renew-limit"))
        .step("next", PAST, at("third", PAST), refused("renew-limit"))
        .step("back", BACK, at("fourth", TIME), refused("replay"))
        .twin(
            GOOD,
            &["/world/certs", "/steps/1/request", "/steps/2/request"],
            "the node has eight live certificates, and the last client time is at the floor",
        )
        .why("A refusal after the step `replay` leaves the proof used, with all that follows.")
        .recipe("A node with eight live certificates; three renewals, the last with the clock set back.")
}

/// A request that is refused before the step `replay` comes where `next` was.
fn ages_nothing(name: &str, title: &str, request: Renew, reason: &str) -> Entry {
    first(script_accept(&format!("renewal/{name}"), RULE, title))
        .step("refused", PAST, request, refused(reason))
        .step("back", BACK, other(), renewed("third"))
        .recipe("A renewal, a refused one when the first would leave, and one with the clock set back.")
}

fn clock_ages_nothing() -> Entry {
    ages_nothing(
        "floor-not-by-clock",
        "A request that the clock refuses takes nothing out of the memory.",
        at("third", "2026-01-01T00:01:00.000Z"),
        "clock",
    )
    .why("Entries leave at the step `replay`, which this request never reaches; so the memory still tells proofs apart.")
}

fn identity_ages_nothing() -> Entry {
    ages_nothing(
        "floor-not-by-identity",
        "A request that is refused for its caller takes nothing out of the memory.",
        at("third", PAST).with("/caller", serde_json::Value::Null),
        "identity",
    )
    .why("Entries leave at the step `replay`, which this request never reaches.")
}
