//! `suppressed`: the number dropped from the bucket since its last published event; told once, and kept over a clean stop.

use serde_json::{Value, json};

use super::flood::{
    LAST, NEXT, START, THIRD, admitted, dropped, good, pending, roleless, stopped, stranger, told, world,
};
use crate::case::Entry;
use crate::script::{refused, restart, script_accept, script_reject};

const RULE: &str = "REFUSAL-4";
const TOLD: &str = "refusal/suppressed-told";
const RECIPE: &str = "Joins under a name that no attestor has, so many and at such times as the steps say.";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = vec![counted(), reset(), reset_within(), over_minutes(), quiet(), own_bucket()];
    all.extend([stop(), after_the_stop(), stop_full(), stop_counts_on(), stop_takes_no_slot(), stop_twice()]);
    all.extend([stop_quiet(), stop_order(), stop_keeps_slots(), stop_keeps_minutes()]);
    all
}

/// A minute with so many refusals, the first of which tells of `suppressed` others.
fn minute(entry: Entry, name: &str, at: &str, times: u32, suppressed: u32) -> Entry {
    let published = usize::try_from(times.min(60)).unwrap_or(60);
    entry.repeated(times, name, at, stranger("ghost"), told("attestor", published, suppressed))
}

fn begun(id: &str, title: &str, times: u32) -> Entry {
    let entry = script_accept(id, RULE, title).recipe(RECIPE).world(&world());
    minute(entry, "flood", START, times, 0)
}

/// As [`begun`], with the good join in the same minute: the twin is the script up to there.
fn begun_bad(id: &str, title: &str, times: u32) -> Entry {
    let entry = script_reject(id, RULE, title).recipe(RECIPE).world(&world());
    minute(entry, "flood", START, times, 0).step("join", LAST, good(), admitted())
}

fn counted() -> Entry {
    let title = "The first event of the next minute tells how many were dropped.";
    let entry =
        script_accept(TOLD, "REFUSAL-2", title).also(RULE).documented().recipe(RECIPE).world(&world());
    minute(entry, "flood", START, 63, 0)
        .step("next", NEXT, stranger("ghost"), told("attestor", 1, 3))
        .step("join", NEXT, good(), admitted())
        .why("An owner who sees sixty must be able to tell sixty from a million.")
}

fn reset() -> Entry {
    let title = "What was told of once is not told of again.";
    begun_bad("refusal/suppressed-reset", title, 63)
        .step("next", NEXT, stranger("ghost"), told("attestor", 1, 3))
        .step("second", NEXT, stranger("ghost"), refused("attestor"))
        .twin("refusal/suppressed-reset@join", &["/steps/2", "/steps/3"], "two refusals in the next minute")
        .why("Whoever adds up the events gets the number of refusals, no more.")
}

fn reset_within() -> Entry {
    let title = "Each minute's count begins where the last one's was told.";
    let entry = begun("refusal/suppressed-each-minute", title, 62);
    let entry = minute(entry, "second", NEXT, 65, 2);
    minute(entry, "third", THIRD, 1, 5)
        .step("join", THIRD, good(), admitted())
        .why("Sum of the events and of what they tell is the number of the refusals.")
}

fn over_minutes() -> Entry {
    let title = "What is dropped in a full minute that the clock comes back to adds to the count.";
    let entry = begun("refusal/suppressed-adds-up", title, 61)
        .step("join", LAST, good(), admitted())
        .repeated(2, "more", LAST, stranger("ghost"), told("attestor", 0, 0));
    minute(entry, "next", NEXT, 1, 3)
        .about("join")
        .why("The count is since the last event, whatever else came between.")
}

fn quiet() -> Entry {
    let title = "The count waits for the next event, however long that takes.";
    begun_bad("refusal/suppressed-waits", title, 61)
        .step("later", "2026-01-01T05:00:00.000Z", stranger("ghost"), told("attestor", 1, 1))
        .twin("refusal/suppressed-waits@join", &["/steps/2"], "one refusal five hours later")
        .why("The slots are forgotten by then, the count is not.")
}

fn own_bucket() -> Entry {
    let title = "An event tells of its own bucket's count alone.";
    begun_bad("refusal/suppressed-own-bucket", title, 63)
        .step("other", NEXT, roleless(), refused("role-invalid"))
        .step("own", NEXT, stranger("ghost"), told("attestor", 1, 3))
        .twin(
            "refusal/suppressed-own-bucket@join",
            &["/steps/2", "/steps/3"],
            "two refusals for two reasons in the next minute",
        )
        .why("A count under the wrong reason sends the owner after the wrong fault.")
}

fn root(suppressed: u32) -> Value {
    json!([pending("r00t", "unknown", "attestor", suppressed)])
}

fn stop() -> Entry {
    let title = "A clean stop publishes what is pending: attestor and reason, an empty role, no hashes.";
    begun("refusal/stop-tells", title, 62)
        .step("stop", LAST, restart(), stopped(root(2)))
        .why("The requests are gone; the count is what is left of them.")
}

fn after_the_stop() -> Entry {
    let title = "What a clean stop told of is not told of again.";
    begun_bad("refusal/stop-resets", title, 62)
        .step("stop", LAST, restart(), stopped(root(2)))
        .step("next", NEXT, stranger("ghost"), refused("attestor"))
        .twin(
            "refusal/stop-resets@join",
            &["/steps/2", "/steps/3"],
            "a clean stop, and a refusal in the next minute",
        )
        .why("A count that is stored and told is told twice by the next process.")
}

fn stop_full() -> Entry {
    let title = "A minute that is full is full after a restart too.";
    begun_bad("refusal/stop-keeps-the-minute", title, 60)
        .step("stop", LAST, restart(), stopped(json!([])))
        .step("more", LAST, stranger("ghost"), dropped("attestor"))
        .twin("refusal/stop-keeps-the-minute@join", &["/steps/2", "/steps/3"], "a clean stop, and a refusal in the same minute")
        .why("Slots are taken in the store; a process that restarts under a flood would write sixty more each time.")
}

fn stop_counts_on() -> Entry {
    let title = "What is dropped after a restart in the same minute is told of in the next.";
    begun_bad("refusal/stop-counts-on", title, 62)
        .step("stop", LAST, restart(), stopped(root(2)))
        .repeated(3, "more", LAST, stranger("ghost"), told("attestor", 0, 0))
        .step("next", NEXT, stranger("ghost"), told("attestor", 1, 3))
        .twin(
            "refusal/stop-counts-on@join",
            &["/steps/2", "/steps/3", "/steps/4"],
            "a clean stop, and refusals in the same minute and in the next",
        )
        .why("The new process counts what it drops itself.")
}

fn stop_takes_no_slot() -> Entry {
    let title = "The event of a clean stop takes no slot: the next minute has its sixty.";
    let entry =
        begun("refusal/stop-takes-no-slot", title, 62).step("stop", NEXT, restart(), stopped(root(2)));
    minute(entry, "next", NEXT, 60, 0)
        .step("join", NEXT, good(), admitted())
        .why("A report of the minute before must not silence one of this.")
}

fn stop_twice() -> Entry {
    let title = "A second clean stop has nothing to tell.";
    begun("refusal/stop-twice", title, 62)
        .step("stop", LAST, restart(), stopped(root(2)))
        .step("again", LAST, restart(), stopped(json!([])))
        .step("join", LAST, good(), admitted())
        .why("A process that is restarted over and over tells the same count once.")
}

fn stop_quiet() -> Entry {
    let title = "A clean stop tells nothing where nothing was dropped.";
    begun("refusal/stop-nothing-pending", title, 60)
        .step("stop", LAST, restart(), stopped(json!([])))
        .step("join", LAST, good(), admitted())
        .why("Sixty of sixty were told of: an event of zero would be noise.")
}

fn stop_order() -> Entry {
    let title = "A clean stop tells of the buckets in the order in which they first refused, and of each its own count.";
    let entry = script_accept("refusal/stop-two-buckets", RULE, title)
        .recipe("Refused joins for two reasons, then a clean stop.")
        .world(&world())
        .step("first", START, roleless(), refused("role-invalid"));
    minute(entry, "flood", START, 64, 0)
        .repeated(61, "roleless", START, roleless(), told("role-invalid", 59, 0))
        .step(
            "stop",
            LAST,
            restart(),
            stopped(json!([
                pending("r00t", "join-token", "role-invalid", 2),
                pending("r00t", "unknown", "attestor", 4)
            ])),
        )
        .why("Two floods end in two reports, not in one.")
}

fn stop_keeps_slots() -> Entry {
    let title = "A minute that has slots left has them after a restart, and no more.";
    begun_bad("refusal/stop-keeps-the-rest", title, 58)
        .step("stop", LAST, restart(), stopped(json!([])))
        .repeated(2, "rest", LAST, stranger("ghost"), told("attestor", 2, 0))
        .step("more", LAST, stranger("ghost"), dropped("attestor"))
        .twin(
            "refusal/stop-keeps-the-rest@join",
            &["/steps/2", "/steps/3", "/steps/4"],
            "a clean stop, and three refusals in the same minute",
        )
        .why("The slots of the minute are as many after the start as before the stop.")
}

fn stop_keeps_minutes() -> Entry {
    let title = "The slots of the minutes before are kept over a clean stop too.";
    begun_bad("refusal/stop-keeps-minutes-before", title, 60)
        .step("stop", NEXT, restart(), stopped(json!([])))
        .step("next", NEXT, stranger("ghost"), refused("attestor"))
        .step("back", LAST, stranger("ghost"), dropped("attestor"))
        .twin(
            "refusal/stop-keeps-minutes-before@join",
            &["/steps/2", "/steps/3", "/steps/4"],
            "a clean stop in the next minute, a refusal there, and one after the clock was set back",
        )
        .why("A restart and a clock that is set back together must open no slot twice either.")
}
