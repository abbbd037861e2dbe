//! The leaf's dates against the client's clock (TIME-2).

use crate::case::Entry;

use super::accepted::simple;
use super::answer::{Answer, LEAF, VERIFY, bad};

pub(super) fn cases() -> Vec<Entry> {
    vec![begins_now(), last_millisecond(), future(), over(), wrong_clock(), just_before(), backwards()]
}

/// The right answer with other dates in the leaf.
fn dated(not_before: &str, not_after: &str) -> Answer {
    Answer::honest().with(|answer| answer.leaf = answer.leaf.clone().valid(not_before, not_after))
}

fn begins_now() -> Entry {
    let answer = dated("2026-01-01T00:00:00Z", "2026-01-01T12:00:00Z");
    simple("valid-from-now", "A leaf is valid from its first second on.", &answer)
        .also("TIME-2")
        .why("The first millisecond counts.")
}

fn last_millisecond() -> Entry {
    simple("valid-to-last-millisecond", "A leaf is valid through the second of notAfter.", &Answer::honest())
        .also("TIME-2")
        .at("2026-01-01T23:59:00.999Z")
        .why("RFC 5280 includes notAfter; implementations have differed by one second here.")
}

fn future() -> Entry {
    let title = "A leaf that begins in a second is not valid yet.";
    bad("not-yet-valid", "response-validity", title, &LEAF, "notBefore is one second from now")
        .also("TIME-2")
        .twin("response/valid-from-now", &LEAF, "notBefore is one second from now")
        .call(VERIFY, dated("2026-01-01T00:00:01Z", "2026-01-01T12:00:00Z").input())
        .why("A client that stores it cannot use it, and its clock is what is wrong.")
}

fn just_before() -> Entry {
    let title = "A millisecond before notBefore is before it.";
    bad("not-yet-valid-by-a-millisecond", "response-validity", title, &["/now"], "one millisecond earlier")
        .also("TIME-2")
        .twin("response/valid-from-now", &["/now"], "one millisecond earlier")
        .at("2025-12-31T23:59:59.999Z")
        .call(VERIFY, dated("2026-01-01T00:00:00Z", "2026-01-01T12:00:00Z").input())
        .why("A clock cut down to whole seconds the wrong way, or rounded, passes.")
}

fn over() -> Entry {
    let title = "One millisecond after the second of notAfter the leaf is dead.";
    bad("expired", "response-validity", title, &["/now"], "one millisecond later")
        .also("TIME-2")
        .twin("response/valid-to-last-millisecond", &["/now"], "one millisecond later")
        .at("2026-01-01T23:59:01.000Z")
        .call(VERIFY, Answer::honest().input())
        .why("The other side of the same edge.")
}

fn wrong_clock() -> Entry {
    let title = "A clock of 1970 makes every leaf one of the future.";
    bad("clock-of-1970", "response-validity", title, &["/now"], "the clock says 1970")
        .also("TIME-2")
        .at("1970-01-01T00:00:07.000Z")
        .call(VERIFY, Answer::honest().input())
        .why("This is a machine's first boot; the message must name the clock.")
}

fn backwards() -> Entry {
    let title = "A leaf whose notAfter lies before its notBefore is never valid.";
    bad("dates-exchanged", "response-validity", title, &LEAF, "notBefore and notAfter exchanged")
        .also("TIME-2")
        .call(VERIFY, dated("2026-01-01T23:59:00Z", "2025-12-31T23:59:00Z").input())
        .why("Both dates are looked at.")
}
