//! The client time: a minute either way, both ends included.

use super::{bad, of, old, with};
use crate::case::{Entry, NOW};
use crate::script::{renewed, script_accept};

const RULE: &str = "RENEWAL-3";
const BEHIND: &str = "renewal/clock-60s-behind";
/// The highest integer that every JSON reader keeps exact.
const MAX: i64 = (1 << 53) - 1;
const AHEAD: &str = "renewal/clock-60s-ahead";

pub(super) fn entries() -> Vec<Entry> {
    vec![
        good(BEHIND, "A client time of 60 s ago passes.", "2025-12-31T23:59:00.000Z"),
        good(AHEAD, "A client time 60 s ahead passes.", "2026-01-01T00:01:00.000Z"),
        late(
            "clock-60001ms-behind",
            "A client time of 60.001 s ago is refused.",
            "2025-12-31T23:58:59.999Z",
            BEHIND,
        ),
        late(
            "clock-60001ms-ahead",
            "A client time 60.001 s ahead is refused.",
            "2026-01-01T00:01:00.001Z",
            AHEAD,
        ),
        late("clock-a-day-ahead", "A client time a day ahead is refused.", "2026-01-02T00:00:00.000Z", AHEAD),
        extreme("clock-lowest", "A client time of 2^53 - 1 ms before 1970 is refused.", -MAX),
        extreme("clock-highest", "A client time of 2^53 - 1 ms after 1970 is refused.", MAX),
    ]
}

fn good(id: &str, title: &str, time: &str) -> Entry {
    script_accept(id, RULE, title)
        .world(&with(&old()))
        .step("renew", NOW, of(&old()).client_time(time), renewed("second"))
        .why("Both ends of the window are inside it, to the millisecond.")
        .recipe("A live certificate and a renewal with this client time.")
}

fn late(name: &str, title: &str, time: &str, twin: &str) -> Entry {
    let at = ["/steps/0/request/clientTimeMs", "/steps/0/request/popSig/$pop/clientTimeMs"];
    bad(name, RULE, title, "clock", &with(&old()), of(&old()).client_time(time))
        .twin(twin, &at, "the client time, sent and signed")
        .why("The memory of proofs holds for this window and no wider one.")
}

fn extreme(name: &str, title: &str, time: i64) -> Entry {
    let request = of(&old()).with("/clientTimeMs", time).with("/popSig/$pop/clientTimeMs", time);
    let at = ["/steps/0/request/clientTimeMs", "/steps/0/request/popSig/$pop/clientTimeMs"];
    bad(name, RULE, title, "clock", &with(&old()), request)
        .twin(BEHIND, &at, "the client time, sent and signed")
        .why("Out of the range of dates, and far beyond 32 bits: the difference to the clock must not overflow.")
}
