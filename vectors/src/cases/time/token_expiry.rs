//! A token is dead when now ≥ expiresAt, to the millisecond.

use serde_json::{Value, json};

use crate::case::{Entry, NOW, accept, reject};
use crate::cases::token::{LATER, admission};

pub(super) fn entries() -> Vec<Entry> {
    vec![alive(), dead(), last_millisecond(), first_millisecond(), long_dead(), calendar(), calendar_dead()]
}

fn expiring(at: &str) -> Value {
    admission(|input| input["row"]["expiresAt"] = at.into())
}

fn alive() -> Entry {
    let entry = accept(
        "time/token-alive",
        "TIME-2",
        "A token is alive while now is before expiresAt, by a millisecond too.",
    )
    .why("A service that cuts now to seconds, or compares in minutes, refuses the last of a token's life.")
    .family("token.admit")
    .recipe(
        "The example token of TOKEN, its row expiring at the row's time; now is 2026-01-01T00:00:00.000Z.",
    );
    [
        ("1-millisecond", "2026-01-01T00:00:00.001Z"),
        ("999-milliseconds", "2026-01-01T00:00:00.999Z"),
        ("1-second", "2026-01-01T00:00:01.000Z"),
        ("1-minute", "2026-01-01T00:01:00.000Z"),
        ("24-hours", "2026-01-02T00:00:00.000Z"),
    ]
    .iter()
    .fold(entry, |entry, (name, at)| entry.row(name, expiring(at), json!({"usesLeft": 0})))
}

fn dead() -> Entry {
    let entry = reject("time/token-dead", "TIME-2", "token-expired", "A token is dead when now is expiresAt or later.")
        .also("TOKEN-11")
        .refused()
        .why("The edge belongs to the dead side. Whether a sweeper has run does not matter: the row still stands and is refused.")
        .family("token.admit")
        .twin("time/token-alive#1-millisecond", &["/in/row/expiresAt"], "expiresAt is now or before")
        .recipe("The example token of TOKEN, its row expired at the row's time; now is 2026-01-01T00:00:00.000Z.");
    [
        ("now", NOW),
        ("1-millisecond-ago", "2025-12-31T23:59:59.999Z"),
        ("1-second-ago", "2025-12-31T23:59:59.000Z"),
        ("1-minute-ago", "2025-12-31T23:59:00.000Z"),
        ("a-day-ago", "2025-12-31T00:00:00.000Z"),
        ("epoch", "1970-01-01T00:00:00.000Z"),
    ]
    .iter()
    .fold(entry, |entry, (name, at)| entry.bad(name, expiring(at)))
}

fn last_millisecond() -> Entry {
    accept("time/token-last-millisecond", "TIME-2", "59:59.999 is before one o'clock.")
        .also("TIME-1")
        .why("The clock of the call is the one that counts, and its milliseconds do.")
        .at("2026-01-01T00:59:59.999Z")
        .call("token.admit", expiring(LATER))
        .out(json!({"usesLeft": 0}))
        .recipe("The example token of TOKEN, presented a millisecond before its end.")
}

fn first_millisecond() -> Entry {
    reject("time/token-first-dead-millisecond", "TIME-2", "token-expired", "At one o'clock it is over.")
        .also("TIME-1")
        .refused()
        .why("A process that reads its own clock, and not the one it is given, admits this token for ever.")
        .at(LATER)
        .call("token.admit", expiring(LATER))
        .twin("time/token-last-millisecond", &["/now"], "the clock is a millisecond later: expiresAt itself")
        .recipe("The example token of TOKEN, presented at its end.")
}

fn long_dead() -> Entry {
    reject(
        "time/token-dead-for-years",
        "TIME-2",
        "token-expired",
        "A row that nobody deleted is refused twelve years later.",
    )
    .refused()
    .why("Rows acted alive until a sweeper ran, and arithmetic in 32 bits ends in 2038.")
    .at("2038-01-19T03:14:08.000Z")
    .call("token.admit", expiring(LATER))
    .twin("time/token-last-millisecond", &["/now"], "the clock is past 2^31 seconds")
    .recipe("The example token of TOKEN, presented twelve years after its end.")
}

fn calendar() -> Entry {
    let entry = accept(
        "time/token-alive-across",
        "TIME-2",
        "Midnight, a leap day and the year 2038 are instants like others.",
    )
    .why("Comparing texts or parts of dates, or seconds in 32 bits, goes wrong at these places.")
    .at("2028-02-29T23:59:59.999Z")
    .family("token.admit")
    .recipe("The example token of TOKEN, presented in the last millisecond of a leap day.");
    [
        ("leap-day", "2028-03-01T00:00:00.000Z"),
        ("next-year", "2029-01-01T00:00:00.000Z"),
        ("2038", "2038-01-19T03:14:08.000Z"),
        ("2106", "2106-02-07T06:28:16.000Z"),
        ("9999", "9999-12-01T00:00:00.000Z"),
    ]
    .iter()
    .fold(entry, |entry, (name, at)| entry.row(name, expiring(at), json!({"usesLeft": 0})))
}

fn calendar_dead() -> Entry {
    let entry = reject(
        "time/token-dead-across",
        "TIME-2",
        "token-expired",
        "A later hour of an earlier day is over.",
    )
    .refused()
    .why("A comparison that looks at the wrong part of a date first takes these for the future.")
    .at("2028-02-29T23:59:59.999Z")
    .family("token.admit")
    .twin("time/token-alive-across#leap-day", &["/in/row/expiresAt"], "expiresAt is before the clock")
    .recipe("The example token of TOKEN, expired before the last millisecond of a leap day.");
    [
        ("the-same-millisecond", "2028-02-29T23:59:59.999Z"),
        ("a-millisecond-before", "2028-02-29T23:59:59.998Z"),
        ("the-day-before", "2028-02-28T23:59:59.999Z"),
        ("december-before", "2027-12-31T23:59:59.999Z"),
    ]
    .iter()
    .fold(entry, |entry, (name, at)| entry.bad(name, expiring(at)))
}
