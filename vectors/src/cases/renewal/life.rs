//! A certificate's life: it renews through its last second, and an expired one never.

use super::{GOOD, of, old, to, with};
use crate::case::{Entry, NOW};
use crate::script::{refused, renew, renewed, script_accept, script_reject};

const TIME: &str = "TIME-2";
const LIFE: &str = "RENEWAL-7";
const LAST: &str = "renewal/last-millisecond";
const AT: [&str; 3] =
    ["/steps/0/at", "/steps/0/request/clientTimeMs", "/steps/0/request/popSig/$pop/clientTimeMs"];

pub(super) fn entries() -> Vec<Entry> {
    vec![last(), dead(), in_time(), retried(), expired_days_ago()]
}

fn last() -> Entry {
    let title = "A certificate renews in the last millisecond of the second that its notAfter names.";
    script_accept(LAST, LIFE, title)
        .also(TIME)
        .world(&with(&old()))
        .step("renew", "2026-01-01T11:59:00.999Z", of(&old()), renewed("second"))
        .why("The validity includes its last second (RFC 5280), and clocks run in milliseconds.")
        .recipe("A certificate with notAfter 2026-01-01T11:59:00Z and a renewal in its last millisecond.")
}

fn dead() -> Entry {
    script_reject("renewal/first-dead-millisecond", LIFE, "A millisecond later it has expired.")
        .also(TIME)
        .world(&with(&old()))
        .step("renew", "2026-01-01T11:59:01.000Z", of(&old()), refused("cert-expired"))
        .twin(LAST, &AT, "one millisecond later")
        .why("Two sides that count the last second differently lose a machine in it.")
        .recipe("A certificate with notAfter 2026-01-01T11:59:00Z and a renewal in the first millisecond after it.")
}

fn in_time() -> Entry {
    let title =
        "A machine that renews after three fifths of each lifetime is never without a live certificate.";
    script_accept("renewal/in-time", LIFE, title)
        .documented()
        .also("RENEWAL-4")
        .world(&with(&old()))
        .step("first", "2026-01-01T02:23:00.000Z", of(&old()), renewed("second"))
        .step(
            "second",
            "2026-01-01T16:46:00.000Z",
            renew(&to("third"), "first", &to("second").key),
            renewed("third"),
        )
        .step(
            "third",
            "2026-01-02T07:09:00.000Z",
            renew(&to("fourth"), "second", &to("third").key),
            renewed("fourth"),
        )
        .why("Days of ordinary life: each renewal is by the certificate of the one before.")
        .recipe("Three renewals, each 0.6 of a day after the notBefore of the certificate that it renews.")
}

fn retried() -> Entry {
    let title = "An attempt that was lost is repeated with the same CSR and a new client time.";
    script_accept("renewal/retried", LIFE, title)
        .also("RENEWAL-3")
        .world(&with(&old()))
        .step("lost", NOW, of(&old()), renewed("second"))
        .step("same", "2026-01-01T00:00:05.000Z", of(&old()).client_time(NOW), refused("replay"))
        .step("fresh", "2026-01-01T00:00:05.000Z", of(&old()), renewed("third"))
        .why("Sending the old request again is refused for ever; what is new is the client time, and the CSR may stay.")
        .recipe("A renewal whose answer is lost, its request once more, and a new request with its CSR.")
}

fn expired_days_ago() -> Entry {
    let title = "A certificate that expired a week ago renews nothing.";
    script_reject("renewal/expired-a-week-ago", LIFE, title)
        .documented()
        .world(&with(&old()))
        .step("renew", "2026-01-08T11:59:00.000Z", of(&old()), refused("cert-expired"))
        .twin(GOOD, &AT, "a week later")
        .why("The way back after an outage is x509pop, with its own limits, and never a renewal.")
        .recipe("An honest renewal a week after the certificate's end.")
}
