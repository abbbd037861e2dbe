//! When a certificate is dead, and when its grace is over, to the millisecond (TIME-2).

use crate::case::Entry;
use crate::script::{Expectation, reclaimed, refused, renew, renewed, script_accept, script_reject, x509pop};
use crate::testkit::world::{Enrolled, World, enrolled, machine, node};

const RULE: &str = "TIME-2";
/// notAfter is 2026-01-01T12:00:00Z, as in the page's example.
const ISSUED: &str = "2025-12-31T12:01:00Z";
/// What differs when only the time of a renewal does.
const OF_RENEWAL: [&str; 3] =
    ["/steps/0/at", "/steps/0/request/clientTimeMs", "/steps/0/request/popSig/$pop/clientTimeMs"];
/// The same of a re-join.
const OF_JOIN: [&str; 3] = [
    "/steps/0/at",
    "/steps/0/request/x509pop/clientTimeMs",
    "/steps/0/request/x509pop/popSig/$pop/clientTimeMs",
];

pub(super) fn entries() -> Vec<Entry> {
    let mut all = renewals();
    all.extend(joins());
    all
}

fn old() -> Enrolled {
    enrolled("a", &machine("a"), ISSUED)
}

fn renewal(entry: Entry, at: &str, expected: Expectation) -> Entry {
    let request = renew(&machine("a").rekeyed("second"), &old(), &old().key);
    entry
        .world(&World::usual().enrolled(&old()))
        .step("renew", at, request, expected)
        .recipe("A certificate with this notAfter, and a renewal at this time.")
}

fn rejoin(entry: Entry, at: &str, expected: Expectation) -> Entry {
    let request = x509pop(&machine("a").rekeyed("second"), &old(), &old().key);
    entry
        .world(&World::usual().enrolled(&old()))
        .step("join", at, request, expected)
        .recipe("A certificate with this notAfter, and a re-join with it at this time.")
}

fn renewals() -> Vec<Entry> {
    let good = |name: &str, title: &str, at: &str| {
        renewal(script_accept(&format!("time/{name}"), RULE, title), at, renewed("second"))
            .why("The validity period is inclusive of both dates (RFC 5280, 4.1.2.5).")
    };
    vec![
        good(
            "certificate-before-not-after",
            "A certificate renews in the second before its notAfter.",
            "2026-01-01T11:59:59.999Z",
        ),
        good(
            "certificate-at-not-after",
            "A certificate renews at the beginning of the second of its notAfter.",
            "2026-01-01T12:00:00.000Z",
        ),
        good(
            "certificate-last-millisecond",
            "A certificate renews in the last millisecond of the second of its notAfter.",
            "2026-01-01T12:00:00.999Z",
        ),
        renewal(
            script_reject(
                "time/certificate-dead",
                RULE,
                "A certificate is dead from the second after its notAfter on.",
            ),
            "2026-01-01T12:00:01.000Z",
            refused("cert-expired"),
        )
        .twin("time/certificate-last-millisecond", &OF_RENEWAL, "a millisecond later")
        .why("Two that both meant the obvious thing have differed by one second here."),
    ]
}

fn joins() -> Vec<Entry> {
    let good = |name: &str, title: &str, at: &str| {
        rejoin(script_accept(&format!("time/{name}"), RULE, title), at, reclaimed(&node("a"), "second"))
    };
    let bad = |name: &str, title: &str, at: &str, reason: &str, twin: &str| {
        rejoin(script_reject(&format!("time/{name}"), RULE, title), at, refused(reason)).twin(
            twin,
            &OF_JOIN,
            "the time of the re-join, and of its proof",
        )
    };
    let (first, last) = ("time/grace-first-millisecond", "time/grace-last-millisecond");
    vec![
        good(
            "grace-first-millisecond",
            "The grace begins when the certificate is dead.",
            "2026-01-01T12:00:01.000Z",
        )
        .why("No instant lies between the certificate's life and its grace."),
        good(
            "grace-last-millisecond",
            "The grace lasts for seven days after the second of notAfter.",
            "2026-01-08T12:00:00.999Z",
        )
        .why("604800 seconds from the death on, not from notAfter."),
        bad(
            "grace-not-begun",
            "There is no grace through the second of notAfter.",
            "2026-01-01T12:00:00.999Z",
            "cert-not-expired",
            first,
        )
        .why("What is alive renews, and does not begin a new generation."),
        bad(
            "grace-over",
            "The grace is over seven days after the death.",
            "2026-01-08T12:00:01.000Z",
            "grace",
            last,
        )
        .why("A key that was stolen long ago opens nothing."),
    ]
}
