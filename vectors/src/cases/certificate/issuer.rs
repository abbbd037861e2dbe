//! The node CA's own end: no leaf outlives it, and an expired one issues nothing (CERTIFICATE-1).

use serde_json::{Value, json};

use crate::case::{Entry, NOW};
use crate::script::{
    Expectation, accepted, enqueue, join, joined, reclaimed, refused, renew, renewed, restart, script_accept,
    script_reject, x509pop,
};
use crate::testkit::encode::b64u;
use crate::testkit::world::{Enrolled, Machine, World, enrolled, grant, machine, node, node_ca};
use crate::testkit::x509::node_root;

const RULE: &str = "CERTIFICATE-1";
/// Where the certificate of a day ends that is issued at [`NOW`].
const FULL: &str = "2026-01-01T23:59:00Z";
/// The issuer's last second, and a time in it.
const END: &str = "2026-01-01T00:30:00Z";
const LAST: &str = "2026-01-01T00:30:00.999Z";
const OVER: &str = "2026-01-01T00:30:01.000Z";

/// What differs when only the time of a renewal does, or of a re-join.
const OF_RENEWAL: [&str; 3] =
    ["/steps/0/at", "/steps/0/request/clientTimeMs", "/steps/0/request/popSig/$pop/clientTimeMs"];
const OF_REJOIN: [&str; 3] = [
    "/steps/0/at",
    "/steps/0/request/x509pop/clientTimeMs",
    "/steps/0/request/x509pop/popSig/$pop/clientTimeMs",
];

pub(super) fn entries() -> Vec<Entry> {
    let mut all = clamped();
    all.extend(last_second());
    all.extend(expired());
    all.extend(still_answered());
    all
}

fn accept(name: &str, title: &str) -> Entry {
    script_accept(&format!("certificate/issuer-{name}"), RULE, title)
}

fn reject(name: &str, title: &str) -> Entry {
    script_reject(&format!("certificate/issuer-{name}"), RULE, title)
}

/// The world whose node CA ends here.
fn ending(not_after: &str) -> World {
    between("2021-01-01T00:00:00Z", not_after)
}

fn between(not_before: &str, not_after: &str) -> World {
    let root = node_root();
    let certificate = node_ca().certificate(&root).valid(not_before, not_after).signed(&root.key);
    World::usual().set("/keys/nodeCa/certificate", b64u(certificate))
}

fn second() -> Machine {
    machine("a").rekeyed("second")
}

fn live() -> Enrolled {
    enrolled("a", &machine("a"), "2025-12-31T12:00:00Z")
}

fn dead() -> Enrolled {
    enrolled("a", &machine("a"), "2025-12-30T12:00:00Z")
}

/// A join by token at this time.
fn joining(entry: Entry, world: &World, at: &str, expected: Expectation) -> Entry {
    let token = grant("issuer");
    entry
        .world(&world.clone().token(&token))
        .step("join", at, join(&machine("a"), &token), expected)
        .recipe("A node CA whose certificate ends at this time, and a join.")
}

fn clamped() -> Vec<Entry> {
    let row = |name: &str, title: &str, world: &World, why: &str| {
        joining(accept(name, title), world, NOW, joined("n1")).why(why)
    };
    let limited = grant("issuer").with("ttlLimitS", 600);
    vec![
        row(
            "ends-before",
            "No leaf outlives its issuer.",
            &ending("2026-01-01T12:00:00Z"),
            "A leaf that goes on has a dead issuer, and whether it verifies depends on the verifier.",
        ),
        row(
            "ends-a-second-before",
            "An issuer that ends a second before the leaf would have cuts that second.",
            &ending("2026-01-01T23:58:59Z"),
            "The first end that cuts.",
        ),
        row(
            "ends-with-it",
            "An issuer that ends with the leaf cuts nothing.",
            &ending(FULL),
            "The last end that does not cut.",
        ),
        row(
            "ends-a-second-after",
            "An issuer that ends a second after the leaf lengthens nothing.",
            &ending("2026-01-01T23:59:01Z"),
            "The issuer's end is a bound, not the leaf's end.",
        ),
        row(
            "born-after-the-backdate",
            "The backdate is a minute though the issuer is younger.",
            &between("2025-12-31T23:59:30Z", "2031-01-01T00:00:00Z"),
            "Only the end is bound: a verifier looks at the issuer's own beginning.",
        ),
        accept("ends-after-limit", "The attestor's limit counts where it is sooner than the issuer's end.")
            .world(&ending("2026-01-01T12:00:00Z").token(&limited))
            .step("join", NOW, join(&machine("a"), &limited), joined("n1"))
            .why("The smallest of all bounds.")
            .recipe("A node CA that ends at noon, and a join by a token with a limit of ten minutes."),
        accept("ends-before-renewal", "A renewed leaf does not outlive its issuer either.")
            .also("RENEWAL-4")
            .world(&ending("2026-01-01T12:00:00Z").enrolled(&live()))
            .step("renew", NOW, renew(&second(), &live(), &live().key), renewed("second"))
            .why("Each way to a certificate ends at the issuer's end.")
            .recipe("A node CA that ends at noon, and a renewal."),
        accept("ends-before-outage", "A leaf after an outage does not outlive its issuer either.")
            .also("X509POP-3")
            .world(&ending("2026-01-01T12:00:00Z").enrolled(&dead()))
            .step("join", NOW, x509pop(&second(), &dead(), &dead().key), reclaimed(&node("a"), "second"))
            .why("Each way to a certificate ends at the issuer's end.")
            .recipe("A node CA that ends at noon, and a re-join with an expired certificate."),
    ]
}

fn last_second() -> Vec<Entry> {
    let row = |name: &str, title: &str, at: &str, why: &str| {
        joining(accept(name, title), &ending(END), at, joined("n1")).also("TIME-2").why(why)
    };
    vec![
        row(
            "second-before",
            "An issuer issues in the millisecond before its last second.",
            "2026-01-01T00:29:59.999Z",
            "The leaf has a second left.",
        ),
        row(
            "last-second",
            "An issuer issues at the beginning of its last second.",
            "2026-01-01T00:30:00.000Z",
            "notAfter is included.",
        ),
        row(
            "last-millisecond",
            "An issuer issues in the last millisecond of its last second.",
            LAST,
            "The validity period is inclusive of both dates (RFC 5280, 4.1.2.5).",
        ),
        accept("last-renewal", "An issuer renews in its last millisecond.")
            .also("TIME-2")
            .world(&ending(END).enrolled(&live()))
            .step("renew", LAST, renew(&second(), &live(), &live().key), renewed("second"))
            .why("The same edge as for a join.")
            .recipe("A node CA in its last second, and a renewal."),
        accept("last-outage", "An issuer serves a re-join in its last millisecond.")
            .also("TIME-2")
            .world(&ending(END).enrolled(&dead()))
            .step("join", LAST, x509pop(&second(), &dead(), &dead().key), reclaimed(&node("a"), "second"))
            .why("The same edge as for a join.")
            .recipe("A node CA in its last second, and a re-join with an expired certificate."),
    ]
}

fn expired() -> Vec<Entry> {
    let error = || refused("INVALID_CONFIG");
    let at = ["/steps/0/at"];
    let later = "a millisecond later: the issuer's last second is over";
    let unknown = |entry: Entry| {
        // The token is not there.
        entry
            .world(&ending(END))
            .step("join", OVER, join(&machine("a"), &grant("issuer")), error())
            .recipe("An expired node CA, and a join whose token the store does not have.")
    };
    vec![
        joining(reject("expired", "An expired issuer is INVALID_CONFIG."), &ending(END), OVER, error())
            .also("ADMISSION-4")
            .twin("certificate/issuer-last-millisecond", &at, later)
            .why("The machine is in order and its token is not used up: the operator has slept."),
        joining(
            reject("long-expired", "An issuer that expired years ago is INVALID_CONFIG."),
            &ending("2024-01-01T00:00:00Z"),
            LAST,
            error(),
        )
        .also("ADMISSION-4")
        .twin(
            "certificate/issuer-last-millisecond",
            &["/world/keys/nodeCa/certificate"],
            "the issuer's dates",
        )
        .why("A leaf under it would be dead when issued."),
        unknown(reject(
            "expired-before-token",
            "An expired issuer comes before anything that is wrong with the request.",
        ))
        .also("ADMISSION-4")
        .twin(
            "certificate/issuer-last-millisecond",
            &["/steps/0/at", "/world/tokens/0"],
            "a millisecond later, and the token is not there",
        )
        .why("It is no refusal: no event, and nobody learns from it which tokens there are."),
        reject("expired-renewal", "An expired issuer renews nothing.")
            .also("ADMISSION-4")
            .world(&ending(END).enrolled(&live()))
            .step("renew", OVER, renew(&second(), &live(), &live().key), error())
            .twin("certificate/issuer-last-renewal", &OF_RENEWAL, later)
            .why("The node goes on with what it has, and comes again.")
            .recipe("An expired node CA, and a renewal."),
        reject("expired-outage", "An expired issuer serves no re-join.")
            .also("ADMISSION-4")
            .world(&ending(END).enrolled(&dead()))
            .step("join", OVER, x509pop(&second(), &dead(), &dead().key), error())
            .twin("certificate/issuer-last-outage", &OF_REJOIN, later)
            .why("Every join asks for a certificate.")
            .recipe("An expired node CA, and a re-join with an expired certificate."),
    ]
}

/// What issues nothing does not ask for the issuer.
fn still_answered() -> Vec<Entry> {
    let row = |name: &str, title: &str, request: Value, why: &str| {
        accept(name, title)
            .also("ADMISSION-4")
            .world(&ending("2025-12-01T00:00:00Z").enrolled(&live()))
            .step("step", NOW, request, accepted(json!({})))
            .why(why)
            .recipe("An expired node CA, and a request that issues no certificate.")
    };
    vec![
        row(
            "expired-enqueue",
            "A command is queued though the issuer has expired.",
            enqueue(&node("a"), "node.reboot"),
            "Nodes that are alive go on.",
        ),
        row(
            "expired-restart",
            "A restart goes well though the issuer has expired.",
            restart(),
            "It is no fault of the start: the clock may be set right afterwards.",
        ),
    ]
}
