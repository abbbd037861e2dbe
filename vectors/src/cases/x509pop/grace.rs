//! The seven days of grace, to the millisecond (X509POP-1, TIME-2).

use super::{AT, DER, LEAF, back, of, old, with};
use crate::case::Entry;
use crate::script::{reclaimed, refused, renew, script_accept, script_reject, x509pop};
use crate::testkit::world::{Enrolled, enrolled, machine};

const RULE: &str = "X509POP-1";
const FIRST: &str = "x509pop/grace-first-millisecond";
const LAST: &str = "x509pop/grace-last-millisecond";
/// The last millisecond in which the usual certificate is valid, and the first in which it is not.
const VALID: &str = "2025-12-31T11:59:00.999Z";
const DEAD: &str = "2025-12-31T11:59:01.000Z";
/// The last millisecond of its grace, and the first after it.
const ALIVE: &str = "2026-01-07T11:59:00.999Z";
const OVER: &str = "2026-01-07T11:59:01.000Z";

pub(super) fn entries() -> Vec<Entry> {
    vec![
        good(FIRST, "A certificate that has expired this millisecond joins.", DEAD)
            .why("Renewal ends where x509pop begins: between them no machine may fall."),
        good(LAST, "A certificate joins in the last millisecond of its grace.", ALIVE)
            .why("Seven whole days after the last second of its life."),
        bad(
            "not-expired",
            "A certificate in its last valid millisecond is to be renewed, and does not join.",
            "cert-not-expired",
            VALID,
            FIRST,
        )
        .why(
            "Who can renew needs no new generation, which would revoke every other certificate of the node.",
        ),
        bad("grace-over", "A millisecond after the seven days the grace is over.", "grace", OVER, LAST)
            .why("An old key is worth something for a week, and not for ever."),
        bad(
            "grace-long-over",
            "A certificate that expired a year ago does not join.",
            "grace",
            "2026-12-31T11:59:01.000Z",
            LAST,
        )
        .documented()
        .why("Disks that were thrown away long ago open nothing."),
        not_yet_valid(),
        to_the_second(),
        renewed_instead(),
        short(),
    ]
}

fn good(id: &str, title: &str, at: &str) -> Entry {
    script_accept(id, RULE, title)
        .also("TIME-2")
        .world(&with(&old()))
        .step("join", at, of(&old()), back())
        .recipe("A certificate with notAfter 2025-12-31T11:59:00Z and a join with it at that time.")
}

fn bad(name: &str, title: &str, reason: &str, at: &str, twin: &str) -> Entry {
    script_reject(&format!("x509pop/{name}"), RULE, title)
        .also("TIME-2")
        .world(&with(&old()))
        .step("join", at, of(&old()), refused(reason))
        .twin(twin, &AT, "the clock, and with it the client time")
        .recipe("A certificate with notAfter 2025-12-31T11:59:00Z and a join with it at that time.")
}

fn not_yet_valid() -> Entry {
    let at = "2025-12-30T11:58:59.999Z";
    bad(
        "not-yet-valid",
        "A certificate that is not valid yet has not expired, and does not join.",
        "cert-not-expired",
        at,
        FIRST,
    )
    .why("With the server's clock set back before its issue it is neither valid nor expired.")
}

fn to_the_second() -> Entry {
    // Issued a second earlier: it ends a second earlier.
    let earlier = enrolled("a", &machine("a"), "2025-12-30T11:59:59Z");
    script_reject(
        "x509pop/grace-a-second-earlier",
        RULE,
        "The grace is counted from the certificate's own notAfter.",
    )
    .also("TIME-2")
    .world(&with(&earlier))
    .step("join", ALIVE, of(&earlier), refused("grace"))
    .twin(LAST, &[DER, LEAF], "the certificate was issued, and ends, a second earlier")
    .why("Neither the row's date nor a whole day counts, but the second in the certificate.")
    .recipe(
        "A certificate with notAfter 2025-12-31T11:58:59Z and a join in the last second of the usual grace.",
    )
}

/// A certificate of an hour.
fn hour() -> Enrolled {
    let leaf = old().issue(&old().key, "2025-12-31T22:00:00Z", 3600, &[]);
    old().holding(leaf)
}

fn short() -> Entry {
    let title = "The grace of a certificate of an hour is seven days too.";
    script_accept("x509pop/grace-of-an-hour", RULE, title)
        .also("CERTIFICATE-1")
        .world(&with(&hour()))
        .step("join", "2026-01-07T22:59:00.999Z", of(&hour()), back())
        .why("The outage is as long as it is, however short the certificate was.")
        .recipe("A certificate with notAfter 2025-12-31T22:59:00Z and a join with it seven days later.")
}

fn renewed_instead() -> Entry {
    let title = "A certificate that is refused here as not expired is renewed in the same millisecond, and joins after its end.";
    let second = machine("a").rekeyed("second");
    script_accept("x509pop/renewed-then-rejoined", RULE, title)
        .also("RENEWAL-7")
        .also("X509POP-2")
        .world(&with(&old()))
        .step("early", VALID, of(&old()), refused("cert-not-expired"))
        .step("renew", VALID, renew(&second, &old(), &old().key), crate::script::renewed("second"))
        .step(
            "join",
            "2026-01-05T00:00:00.000Z",
            x509pop(&machine("a").rekeyed("third"), "renew", &second.key),
            reclaimed(&old().id(), "taken"),
        )
        .why("A whole life: late, renewed, then off for days, and back.")
        .recipe("A join that is too early, a renewal in its place, and days later a join with the new certificate.")
}
