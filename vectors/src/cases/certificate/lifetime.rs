//! How long a certificate lasts: the smallest of what is configured, two hours of ramdisk, and the attestor's limit
//! (CERTIFICATE-1).

use crate::case::{Entry, NOW};
use crate::script::{
    Expectation, join, joined, reclaimed, refused, renew, renewed, script_accept, script_reject, x509pop,
};
use crate::testkit::world::{Enrolled, Grant, Machine, World, enrolled, grant, machine, node};

const RULE: &str = "CERTIFICATE-1";
const LIVE: &str = "2025-12-31T12:00:00Z";
const DEAD: &str = "2025-12-30T12:00:00Z";
const LATER: &str = "2026-01-01T00:05:00.000Z";
const A_DAY: i64 = 86400;

pub(super) fn entries() -> Vec<Entry> {
    let mut all = clock();
    all.extend(configured());
    all.extend(limits());
    all.extend(ramdisk());
    all.extend(renewals());
    all.extend(rejoins());
    all.extend(of_use_in_tests());
    all
}

fn accept(name: &str, title: &str) -> Entry {
    script_accept(&format!("certificate/lifetime-{name}"), RULE, title)
}

fn second() -> Machine {
    machine("a").rekeyed("second")
}

fn configuring(ttl_s: i64) -> World {
    World::usual().set("/certTtlS", ttl_s)
}

/// A join by this token, under this configured ttl.
fn admitted(name: &str, title: &str, ttl_s: i64, token: &Grant, at: &str) -> Entry {
    let role = token.row["role"].as_str().unwrap_or_default();
    accept(name, title)
        .world(&configuring(ttl_s).token(token))
        .step("join", at, join(&machine("a"), token).role(role), joined("n1"))
        .recipe("A join; then look at the two times of the leaf.")
}

fn plain() -> Grant {
    grant("lifetime")
}

fn limited(limit_s: i64) -> Grant {
    plain().with("ttlLimitS", limit_s)
}

/// With this end of the new certificate, the only one of its step.
fn until(expected: Expectation, not_after: &str) -> Expectation {
    expected.with("/effects/certs/0/notAfter", not_after).with("/out/response/$answer/notAfter", not_after)
}

fn clock() -> Vec<Entry> {
    let row = |name: &str, title: &str, at: &str| admitted(name, title, A_DAY, &plain(), at);
    vec![
        row("a-day", "A certificate is a minute older than its issue, and a day long with that minute.", NOW)
            .documented()
            .why("The backdate is for slow clocks, and comes out of the lifetime: the maximum stays true."),
        row(
            "of-the-example",
            "The clock is cut to seconds: at .700 the dates are those of the second that runs.",
            "2026-01-01T00:00:00.700Z",
        )
        .why("The example of the page. Rounded up, notBefore and notAfter would both be a second late."),
        row(
            "last-millisecond",
            "In the last millisecond of a second the dates are still those of that second.",
            "2026-01-01T00:00:00.999Z",
        )
        .why("Cut, not rounded."),
        row(
            "half-a-second",
            "At half a second the dates are those of the second that runs.",
            "2026-01-01T00:00:00.500Z",
        )
        .why("Where rounding begins, in whatever direction ties go."),
        row(
            "first-millisecond",
            "In the first millisecond of a second the dates are those of that second.",
            "2026-01-01T00:00:01.001Z",
        )
        .why("A clock that rounds up is a second ahead here already."),
    ]
}

fn configured() -> Vec<Entry> {
    let row = |name: &str, title: &str, ttl_s: i64, why: &str| {
        admitted(name, title, ttl_s, &plain(), NOW).documented().why(why)
    };
    vec![
        row(
            "configured",
            "A configured hour makes certificates of an hour.",
            3600,
            "The configuration shortens.",
        ),
        row(
            "shortest",
            "A configured second is the least, and legal.",
            1,
            "Of use in tests only: such a certificate is dead when issued.",
        ),
        row(
            "longest-but-one",
            "A second less than a day is a second less.",
            86399,
            "The last value that is not the default.",
        ),
    ]
}

fn limits() -> Vec<Entry> {
    let row = |name: &str, title: &str, ttl_s: i64, limit_s: i64, why: &str| {
        admitted(name, title, ttl_s, &limited(limit_s), NOW).documented().why(why)
    };
    vec![
        row("limit", "The attestor's limit shortens.", A_DAY, 600, "Ten minutes, where a day is configured."),
        row(
            "limit-of-a-second",
            "A limit of one second is one.",
            A_DAY,
            1,
            "The least that still says something.",
        ),
        row(
            "limit-just-below",
            "A limit a second below the configured ttl counts.",
            3600,
            3599,
            "The smaller one.",
        ),
        row(
            "limit-equal",
            "A limit that equals the configured ttl changes nothing.",
            3600,
            3600,
            "Both say an hour.",
        ),
        row(
            "limit-just-above",
            "A limit a second above the configured ttl has no effect.",
            3600,
            3601,
            "The smaller one.",
        ),
        row(
            "limit-above",
            "A limit of a day does not raise a configured hour.",
            3600,
            A_DAY,
            "An attestor may shorten, and no more.",
        ),
        row(
            "limit-beyond-a-day",
            "A limit of a year does not raise the day.",
            A_DAY,
            31_536_000,
            "No row of a database gets past the maximum.",
        ),
    ]
}

fn ramdisk() -> Vec<Entry> {
    let row = |name: &str, title: &str, ttl_s: i64, token: &Grant, why: &str| {
        admitted(&format!("ramdisk-{name}"), title, ttl_s, token, NOW).documented().why(why)
    };
    let token = plain().with("role", "ramdisk");
    let limited = |limit_s: i64| limited(limit_s).with("role", "ramdisk");
    vec![
        row(
            "two-hours",
            "A ramdisk certificate lasts two hours where a day is configured.",
            A_DAY,
            &token,
            "A machine that is being installed.",
        ),
        row(
            "just-above",
            "A configured ttl a second above two hours is cut to them.",
            7201,
            &token,
            "The first value that is cut.",
        ),
        row("equal", "Two configured hours are two hours.", 7200, &token, "Both bounds say the same."),
        row(
            "just-below",
            "A configured ttl a second below two hours counts.",
            7199,
            &token,
            "Two hours are a maximum, not the length.",
        ),
        row(
            "hour",
            "A configured hour is an hour for ramdisk too.",
            3600,
            &token,
            "Two hours are a maximum, not the length.",
        ),
        row(
            "limited",
            "The attestor's limit shortens a ramdisk certificate too.",
            A_DAY,
            &limited(600),
            "The smallest of all three.",
        ),
        row(
            "limit-above",
            "A limit of three hours does not raise the two of ramdisk.",
            A_DAY,
            &limited(10_800),
            "The smallest of all three.",
        ),
        row(
            "all-three",
            "Of three bounds the configured one counts where it is the smallest.",
            600,
            &limited(3600),
            "The smallest of all three.",
        ),
    ]
}

/// The node of the world's beginning, whose attestor set this limit.
fn old(at: &str, limit_s: Option<i64>) -> Enrolled {
    let old = enrolled("a", &machine("a"), at);
    match limit_s {
        Some(limit_s) => old.with_cert("ttlLimitS", limit_s),
        None => old,
    }
}

/// The same in the ramdisk.
fn old_ramdisk(at: &str) -> Enrolled {
    let old = enrolled("a", &machine("a"), at).with("kind", "ramdisk").with("certificateRole", "ramdisk");
    let leaf = old.issue(&old.key, at, 7200, &[]);
    old.holding(leaf)
}

fn renewals() -> Vec<Entry> {
    let row = |name: &str, title: &str, ttl_s: i64, old: &Enrolled, why: &str| {
        accept(&format!("renewed-{name}"), title)
            .also("RENEWAL-4")
            .world(&configuring(ttl_s).enrolled(old))
            .step("renew", NOW, renew(&second(), old, &old.key), renewed("second"))
            .why(why)
            .recipe("A renewal; then look at the two times of the new leaf.")
    };
    let third = machine("a").rekeyed("third");
    let token = limited(3600);
    vec![
        row(
            "a-day",
            "A renewal dates from its own time, not from the old certificate.",
            A_DAY,
            &old(LIVE, None),
            "A new lifetime begins.",
        ),
        row(
            "configured",
            "A renewal has the ttl that is configured now.",
            3600,
            &old(LIVE, None),
            "The old certificate had a day.",
        ),
        row(
            "limit",
            "The attestor's limit holds for renewals.",
            A_DAY,
            &old(LIVE, Some(600)),
            "The row carries it, not the certificate.",
        ),
        row(
            "limit-above",
            "A limit above the configured ttl does not raise it in a renewal.",
            3600,
            &old(LIVE, Some(7200)),
            "The smaller one.",
        ),
        row(
            "ramdisk",
            "A ramdisk certificate renews for two hours at most.",
            A_DAY,
            &old_ramdisk("2025-12-31T23:00:00Z"),
            "The role is that of the old certificate, and so is its maximum.",
        ),
        accept("renewed-limit-of-token", "The limit of a token holds for the renewals of what it admitted.")
            .also("RENEWAL-4")
            .world(&World::usual().token(&token))
            .step("join", NOW, join(&machine("a"), &token), joined("n1"))
            .step(
                "renew",
                LATER,
                renew(&second(), "join", &machine("a").key),
                until(renewed("second"), "2026-01-01T01:04:00.000Z"),
            )
            .step(
                "renew-again",
                "2026-01-01T00:10:00.000Z",
                renew(&third, "renew", &second().key),
                until(renewed("third"), "2026-01-01T01:09:00.000Z"),
            )
            .why("The limit passes from row to row: otherwise the second renewal is free of it.")
            .recipe("A join by a token with a limit of an hour, a renewal, and a renewal of that."),
    ]
}

fn rejoins() -> Vec<Entry> {
    let outage = |name: &str, title: &str, ttl_s: i64, old: &Enrolled, why: &str| {
        accept(&format!("outage-{name}"), title)
            .also("X509POP-3")
            .world(&configuring(ttl_s).enrolled(old))
            .step("join", NOW, x509pop(&second(), old, &old.key), reclaimed(&node("a"), "second"))
            .why(why)
            .recipe("A re-join with an expired certificate; then look at the two times of the leaf.")
    };
    let reclaim = |name: &str, title: &str, token: &Grant, old: &Enrolled, why: &str| {
        accept(&format!("reclaim-{name}"), title)
            .also("RECLAIM-3")
            .world(&World::usual().enrolled(old).token(token))
            .step("join", NOW, join(&second(), token), reclaimed(&node("a"), "second"))
            .why(why)
            .recipe("A reclaim by token; then look at the two times of the leaf.")
    };
    let back = old(DEAD, Some(3600));
    let third = machine("a").rekeyed("third");
    let ramdisk = old_ramdisk("2025-12-31T12:00:00Z");
    let rejoin = |name: &str, title: &str| {
        accept(name, title).world(&World::usual().enrolled(&back)).step(
            "join",
            NOW,
            x509pop(&second(), &back, &back.key),
            reclaimed(&node("a"), "second"),
        )
    };
    vec![
        outage(
            "a-day",
            "After an outage a certificate has the configured ttl.",
            A_DAY,
            &old(DEAD, None),
            "No limit, no other ttl.",
        ),
        outage(
            "limit",
            "The attestor's limit holds after an outage.",
            A_DAY,
            &back,
            "It is that of the stored row.",
        ),
        outage(
            "limit-above",
            "A limit above the configured ttl does not raise it after an outage.",
            600,
            &back,
            "The smaller one.",
        ),
        outage(
            "ramdisk",
            "A ramdisk certificate is one of two hours after an outage too.",
            A_DAY,
            &ramdisk,
            "The role stays, and so does its maximum.",
        ),
        rejoin("outage-limit-renewed", "The limit holds for renewals after an outage.")
            .step(
                "renew",
                LATER,
                renew(&third, "join", &second().key),
                until(renewed("third"), "2026-01-01T01:04:00.000Z"),
            )
            .why("The row of the re-join carries the limit on.")
            .recipe("A re-join of a node whose attestor set a limit of an hour, and a renewal."),
        reclaim(
            "limit",
            "A reclaim has the limit of its token.",
            &limited(600).reclaims(),
            &old(LIVE, None),
            "The token admits the machine now.",
        ),
        reclaim(
            "limit-gone",
            "A reclaim by a token without a limit is free of the old one.",
            &plain().reclaims(),
            &old(LIVE, Some(600)),
            "The limit belongs to the attestor that admitted the machine, and that is another one now.",
        ),
    ]
}

/// A ttl below a minute does not outlast the backdate.
fn of_use_in_tests() -> Vec<Entry> {
    let token = plain();
    let script = |entry: Entry, ttl_s: i64, expected: Expectation| {
        entry
            .world(&configuring(ttl_s).token(&token))
            .step("join", NOW, join(&machine("a"), &token), joined("n1"))
            .step("renew", NOW, renew(&second(), "join", &machine("a").key), expected)
            .recipe("A join under a configured ttl of about a minute, and a renewal in the same millisecond.")
    };
    vec![
        script(
            accept("alive-when-issued", "With a ttl of 61 s a certificate lives for two seconds."),
            61,
            renewed("second"),
        )
        .also("TIME-2")
        .why("The minute before the issue is part of the ttl."),
        script(
            script_reject(
                "certificate/lifetime-dead-when-issued",
                RULE,
                "With a ttl of 59 s a certificate is dead when it is issued.",
            ),
            59,
            refused("cert-expired"),
        )
        .also("TIME-2")
        .twin(
            "certificate/lifetime-alive-when-issued",
            &["/world/certTtlS"],
            "the configured ttl is two seconds less",
        )
        .why(
            "Legal, and of use in tests only: whoever adds the backdate to the lifetime would let it renew.",
        ),
    ]
}
