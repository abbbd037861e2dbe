//! How the two dates are written, before 2050 and from then on; days that a calendar counts differently; and which ttl can
//! be configured (CERTIFICATE-1).

use serde_json::Value;

use crate::case::{Entry, NOW};
use crate::script::{join, joined, reclaimed, renew, renewed, script_accept, script_reject, x509pop};
use crate::testkit::encode::b64u;
use crate::testkit::world::{Enrolled, World, enrolled, grant, instant_ms, machine, node, node_ca, seconds};
use crate::testkit::x509::node_root;

const RULE: &str = "CERTIFICATE-1";
const RECIPE: &str =
    "A join at this time under an issuer that lasts long enough; then look at the two dates of the leaf.";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = around_2050();
    all.extend(other_ways());
    all.extend(calendar());
    all.extend(start_up());
    all
}

/// The usual world under a node CA that ends here.
fn lasting(not_after: &str) -> World {
    let root = node_root();
    let certificate = node_ca().certificate(&root).valid("2021-01-01T00:00:00Z", not_after).signed(&root.key);
    World::usual().set("/keys/nodeCa/certificate", b64u(certificate))
}

fn accept(name: &str, title: &str) -> Entry {
    script_accept(&format!("certificate/dates-{name}"), RULE, title)
}

/// A join at this time, by a token that lasts for another hour, under the node CA of this end.
fn joining(entry: Entry, not_after: &str, at: &str) -> Entry {
    let token = grant("dates").with("expiresAt", instant_ms(seconds(at) + 3600));
    let request = join(&machine("a"), &token).iat(u64::try_from(seconds(at)).unwrap_or_default());
    entry.world(&lasting(not_after).token(&token)).step("join", at, request, joined("n1")).recipe(RECIPE)
}

fn around_2050() -> Vec<Entry> {
    let row = |name: &str, title: &str, at: &str, why: &str| {
        joining(accept(name, title), "2060-01-01T00:00:00Z", at).why(why)
    };
    vec![
        row(
            "before-2050",
            "Through 2049 both dates are UTCTime.",
            "2049-12-01T00:00:00.000Z",
            "RFC 5280, 4.1.2.5: the form follows from the year.",
        ),
        row(
            "last-of-2049",
            "The last second of 2049 is a UTCTime.",
            "2049-12-31T00:00:59.000Z",
            "notAfter is 2049-12-31T23:59:59Z.",
        ),
        row(
            "first-of-2050",
            "The first second of 2050 is a GeneralizedTime, beside a notBefore that is a UTCTime.",
            "2049-12-31T00:01:00.000Z",
            "notAfter is 2050-01-01T00:00:00Z. As a UTCTime it would say 1950.",
        ),
        row(
            "between",
            "Over the new year of 2050 the two dates have two forms.",
            "2049-12-31T12:00:00.000Z",
            "Each date has the form of its own year.",
        ),
        row(
            "not-before-last-of-2049",
            "The backdate reaches into 2049: a UTCTime still.",
            "2050-01-01T00:00:59.000Z",
            "notBefore is 2049-12-31T23:59:59Z, though it is issued in 2050.",
        ),
        row(
            "not-before-first-of-2050",
            "From the first minute of 2050 on both dates are GeneralizedTime.",
            "2050-01-01T00:01:00.000Z",
            "notBefore is 2050-01-01T00:00:00Z.",
        ),
        row(
            "after-2050",
            "In the fifties both dates are GeneralizedTime.",
            "2055-06-15T12:00:00.700Z",
            "Four digits of the year, no fraction of a second.",
        ),
        joining(
            accept("clamped-in-2050", "A leaf that ends with its issuer in 2050 says so in GeneralizedTime."),
            "2050-01-01T00:00:00Z",
            "2049-12-31T20:00:00.000Z",
        )
        .why("The form follows from the date that is written, wherever it comes from."),
        joining(
            accept("clamped-in-2049", "A leaf that ends with its issuer in 2049 says so in UTCTime."),
            "2049-12-31T23:59:59Z",
            "2049-12-31T20:00:00.000Z",
        )
        .why("Without the issuer's end it would be a date of 2050."),
    ]
}

/// At this time in 2049, with a certificate that was issued a while before.
fn other_ways() -> Vec<Entry> {
    let at = "2049-12-31T12:00:00.000Z";
    let second = machine("a").rekeyed("second");
    let old = |issued: &str| -> Enrolled { enrolled("a", &machine("a"), issued) };
    let (live, dead) = (old("2049-12-31T00:00:00Z"), old("2049-12-29T00:00:00Z"));
    // Its own notAfter is a date of 2050.
    let across = old("2049-12-31T06:00:00Z");
    let world = |old: &Enrolled| lasting("2060-01-01T00:00:00Z").enrolled(old);
    vec![
        accept("renewal", "A renewal over the new year of 2050 has two forms of date too.")
            .also("RENEWAL-4")
            .world(&world(&live))
            .step("renew", at, renew(&second, &live, &live.key), renewed("second"))
            .why("Each way to a certificate writes its own dates.")
            .recipe("A renewal at noon of the last day of 2049."),
        accept("outage", "A re-join over the new year of 2050 has two forms of date too.")
            .also("X509POP-3")
            .world(&world(&dead))
            .step(
                "join",
                at,
                x509pop(&second, &dead, &dead.key).iat(u64::try_from(seconds(at)).unwrap_or_default()),
                reclaimed(&node("a"), "second"),
            )
            .why("Each way to a certificate writes its own dates.")
            .recipe("A re-join at noon of the last day of 2049."),
        accept("read-in-2050", "A certificate whose notAfter is a GeneralizedTime is alive until then.")
            .also("TIME-2")
            .world(&world(&across))
            .step(
                "renew",
                "2050-01-01T05:59:00.999Z",
                renew(&second, &across, &across.key),
                renewed("second"),
            )
            .why("A reader that takes the years of one form for those of the other sees a dead certificate.")
            .recipe("A certificate that ends in 2050, and a renewal in its last millisecond."),
    ]
}

fn calendar() -> Vec<Entry> {
    let row = |name: &str, title: &str, at: &str, why: &str| {
        joining(accept(name, title), "2060-01-01T00:00:00Z", at).why(why)
    };
    vec![
        row(
            "leap-day",
            "A day from the end of February 2028 on ends on the 29th.",
            "2028-02-28T12:00:00.000Z",
            "2028 is a leap year.",
        ),
        row(
            "no-leap-day",
            "A day from the end of February 2026 on ends on the first of March.",
            "2026-02-28T12:00:00.000Z",
            "2026 is none.",
        ),
        row(
            "midnight",
            "A minute before midnight belongs to the day before.",
            "2026-03-01T00:00:30.000Z",
            "notBefore is in February.",
        ),
        row(
            "summer",
            "A day is 86400 seconds where clocks change.",
            "2026-03-28T12:00:00.000Z",
            "Dates are UTC; a local calendar has a day of 23 hours here.",
        ),
        row(
            "second-2038",
            "Dates beyond the end of 32 bits are dates.",
            "2038-01-19T03:14:07.000Z",
            "Seconds since 1970 in 31 bits end between notBefore and notAfter.",
        ),
    ]
}

/// The configured ttl is looked at when the service starts.
fn start_up() -> Vec<Entry> {
    let token = grant("start");
    let world = |ttl_s: Value| World::usual().set("/certTtlS", ttl_s).token(&token);
    let reject = |name: &str, title: &str, ttl_s: Value, why: &str| {
        script_reject(&format!("certificate/configured-{name}"), RULE, title)
            .world(&world(ttl_s))
            .unloadable("INVALID_CONFIG")
            .twin("certificate/configured-a-day", &["/world/certTtlS"], "the configured ttl")
            .why(why)
            .recipe("A service that is configured with this ttl, and starts.")
    };
    let accept = |name: &str, title: &str, ttl_s: i64| {
        script_accept(&format!("certificate/configured-{name}"), RULE, title)
            .world(&world(ttl_s.into()))
            .step("join", NOW, join(&machine("a"), &token), joined("n1"))
            .recipe("A service that is configured with this ttl, and a join.")
    };
    vec![
        accept("a-day", "The configured maximum is a day.", 86400)
            .documented()
            .why("The default, and the last value that is taken."),
        accept("a-second", "The configured minimum is a second.", 1).why("The first value that is taken."),
        reject(
            "a-second-too-many",
            "A second more than a day is an error at start-up.",
            86401.into(),
            "Clamped, the operator believes in a lifetime that is not there.",
        ),
        reject(
            "a-year",
            "A configured year is an error at start-up.",
            31_536_000.into(),
            "The usual lifetime of certificates elsewhere.",
        ),
        reject(
            "beyond-32-bits",
            "A day and 2^32 seconds are an error at start-up.",
            4_295_053_696_i64.into(),
            "Cut to 32 bits it is a day.",
        ),
        reject(
            "nothing",
            "A configured ttl of zero is an error at start-up.",
            0.into(),
            "Zero does not mean the default.",
        ),
        reject(
            "negative",
            "A negative ttl is an error at start-up.",
            (-1).into(),
            "Nor does it mean for ever.",
        ),
        reject(
            "negative-day",
            "A day with its sign turned round is an error at start-up.",
            (-86400).into(),
            "A magnitude is not a value.",
        ),
        reject(
            "fraction",
            "A ttl with a fraction is an error at start-up.",
            3600.5.into(),
            "Neither cut nor rounded.",
        ),
        reject(
            "fraction-of-zero",
            "3600.0 is no integer.",
            3600.0.into(),
            "A number is an integer by how it is written, or two implementations disagree about it.",
        ),
        reject("day-with-fraction", "86400.0 is no integer.", 86400.0.into(), "The maximum is no exception."),
        reject(
            "less-than-a-second",
            "Half a second is an error at start-up.",
            0.5.into(),
            "Rounded up it would be the minimum.",
        ),
    ]
}
