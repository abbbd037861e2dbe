//! A minute is floor(now_ms / 60000) of the store's clock; its slots are kept for an hour.

use super::flood::{LAST, NEXT, START, THIRD, admitted, dropped, good, stranger, told, world};
use crate::case::Entry;
use crate::script::{Expectation, refused, script_accept, script_reject};

const RULE: &str = "REFUSAL-4";
const FIRST: &str = "refusal/minute-first-millisecond";
const RECIPE: &str =
    "Joins under a name that no attestor has, at the times of the steps; the store's clock is set for each.";

pub(super) fn entries() -> Vec<Entry> {
    vec![
        first_millisecond(),
        last_millisecond(),
        two_milliseconds(),
        not_sliding(),
        no_credit(),
        set_back(),
        set_back_full(),
        an_hour(),
        beyond_the_hour(),
        set_back_within(),
    ]
}

fn full(entry: Entry, at: &str) -> Entry {
    entry.recipe(RECIPE).world(&world()).repeated(60, "flood", at, stranger("ghost"), told("attestor", 60, 0))
}

fn more(entry: Entry, name: &str, at: &str, expected: Expectation) -> Entry {
    entry.step(name, at, stranger("ghost"), expected)
}

fn first_millisecond() -> Entry {
    let title =
        "A minute begins with its first millisecond: the slots of the one before are no longer counted.";
    let entry = full(script_accept(FIRST, RULE, title), LAST);
    more(entry, "next", NEXT, refused("attestor"))
        .step("join", NEXT, good(), admitted())
        .why("Replicas that begin their minutes a millisecond apart count one refusal twice or not at all.")
}

fn last_millisecond() -> Entry {
    let title = "The last millisecond of a minute still belongs to it.";
    let entry = full(script_reject("refusal/minute-last-millisecond", RULE, title), START);
    more(entry.step("join", START, good(), admitted()), "last", LAST, dropped("attestor"))
        .twin(
            "refusal/minute-last-millisecond@join",
            &["/steps/2"],
            "one more refusal in the minute's last millisecond",
        )
        .why("Both ends of the minute decide: sixty at its beginning leave none at its end.")
}

fn two_milliseconds() -> Entry {
    let title = "120 refusals on the two sides of a minute's end make 120 events.";
    let entry = full(script_accept("refusal/minute-two-sides", RULE, title), LAST);
    entry
        .repeated(60, "next", NEXT, stranger("ghost"), told("attestor", 60, 0))
        .step("join", NEXT, good(), admitted())
        .why("The minute is one of the clock, not the last sixty seconds.")
}

fn not_sliding() -> Entry {
    let title = "A minute does not begin with a bucket's first refusal.";
    let entry = full(script_reject("refusal/minute-of-the-clock", RULE, title), "2026-01-01T00:00:30.000Z");
    let entry = more(entry, "in-the-next", NEXT, refused("attestor"))
        .step("join", NEXT, good(), admitted())
        .repeated(59, "rest", "2026-01-01T00:01:10.000Z", stranger("ghost"), told("attestor", 59, 0));
    more(entry, "more", "2026-01-01T00:01:45.000Z", dropped("attestor"))
        .twin(
            "refusal/minute-of-the-clock@join",
            &["/steps/3", "/steps/4"],
            "sixty more refusals of the same minute",
        )
        .why("A minute that begins with the first refusal is another one in each replica.")
}

fn no_credit() -> Entry {
    let title = "A minute in which nothing was refused lends no slots to the next.";
    let entry = script_reject("refusal/minute-no-credit", RULE, title)
        .world(&world())
        .recipe(RECIPE)
        .step("first", START, stranger("ghost"), refused("attestor"))
        .step("join", START, good(), admitted());
    let entry = entry.repeated(60, "flood", THIRD, stranger("ghost"), told("attestor", 60, 0));
    more(entry, "more", THIRD, dropped("attestor"))
        .twin("refusal/minute-no-credit@join", &["/steps/2", "/steps/3"], "61 refusals two minutes later")
        .why("A bucket that saves up lets the flood in after every quiet hour.")
}

fn set_back() -> Entry {
    let title = "A clock that is set back a minute finds that minute's slots as they were.";
    let entry = full(script_reject("refusal/minute-set-back", RULE, title), START);
    let entry = more(entry, "next", NEXT, refused("attestor")).step("join", NEXT, good(), admitted());
    more(entry, "back", LAST, dropped("attestor"))
        .twin("refusal/minute-set-back@join", &["/steps/3"], "one more refusal after the clock was set back")
        .why("A store's clock is corrected now and then; who can cause it must not get sixty slots for it.")
}

fn set_back_full() -> Entry {
    let title = "A clock that is set back finds the slots that a minute had left.";
    let entry = script_reject("refusal/minute-set-back-rest", RULE, title)
        .recipe(RECIPE)
        .world(&world())
        .repeated(58, "most", START, stranger("ghost"), told("attestor", 58, 0));
    let entry = more(entry, "next", NEXT, refused("attestor"))
        .step("join", NEXT, good(), admitted())
        .repeated(2, "back", LAST, stranger("ghost"), told("attestor", 2, 0));
    more(entry, "more", LAST, dropped("attestor"))
        .twin(
            "refusal/minute-set-back-rest@join",
            &["/steps/3", "/steps/4"],
            "three more refusals in the minute before",
        )
        .why("Slots belong to their minute: neither full nor empty because the clock was elsewhere.")
}

/// The minute of the flood is 60 before this one.
const HOUR: &str = "2026-01-01T01:00:00.000Z";
/// 61 after it.
const HOUR_AND_MORE: &str = "2026-01-01T01:01:00.000Z";

fn an_hour() -> Entry {
    let title = "After an hour a clock that is set back by it opens no slot twice.";
    let entry = full(script_reject("refusal/minute-an-hour-back", RULE, title), START);
    let entry = entry.step("join", START, good(), admitted());
    let entry = more(entry, "hour", "2026-01-01T01:00:59.999Z", refused("attestor"));
    more(entry, "back", START, dropped("attestor"))
        .twin(
            "refusal/minute-an-hour-back@join",
            &["/steps/2", "/steps/3"],
            "a refusal an hour later, then one an hour back",
        )
        .why("An hour is what a clock is off by when somebody mistakes summer time.")
}

fn beyond_the_hour() -> Entry {
    let title = "A minute that is 61 before the newest is forgotten.";
    let entry = full(script_accept("refusal/minute-forgotten", RULE, title), START);
    let entry = more(entry, "later", HOUR_AND_MORE, refused("attestor"));
    more(entry, "back", START, refused("attestor"))
        .step("join", START, good(), admitted())
        .why("What a bucket keeps has an end, else a flood of years fills the store.")
}

fn set_back_within() -> Entry {
    let title = "The newest minute counts even if its refusals were only counted.";
    let entry = full(script_reject("refusal/minute-newest-dropped", RULE, title), HOUR);
    let entry = entry
        .step("join", "2026-01-01T00:59:00.000Z", good(), admitted())
        .repeated(2, "dropped", HOUR, stranger("ghost"), told("attestor", 0, 0))
        .step("back", START, stranger("ghost"), told("attestor", 1, 2));
    more(entry, "again", HOUR, dropped("attestor"))
        .twin(
            "refusal/minute-newest-dropped@join",
            &["/steps/2", "/steps/3", "/steps/4"],
            "refusals in the full minute, one an hour back, and one in the full minute again",
        )
        .why("A refusal in an old minute with room is told of, with the count, and the full minute stays full.")
}
