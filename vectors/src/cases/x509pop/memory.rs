//! The proof's memory: RENEWAL-3's, one and the same for renewals and joins of a node (X509POP-1).

use serde_json::json;

use super::{GOOD, back, of, old, to, with};
use crate::case::{Entry, NOW};
use crate::cases::renewal::purposes::{live_and_expired, newest};
use crate::script::{
    Join, accepted, reclaimed, refused, renew, renewed, restart, script_accept, script_reject, x509pop,
};
use crate::testkit::csr::{UNSTRUCTURED_NAME, honest};
use crate::testkit::der;
use crate::testkit::world::{Enrolled, enrolled, machine};

const RULE: &str = "X509POP-1";
/// The client time of the first proof, which is used at [`NOW`].
const TIME: &str = "2026-01-01T00:01:00.000Z";
const LATEST: &str = "2026-01-01T00:02:00.000Z";
const PAST: &str = "2026-01-01T00:02:00.001Z";
const OTHER_CSR: &str = "x509pop/memory-another-csr";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = vec![another_csr(), another_csr_late(), alive_again()];
    all.extend(edges());
    all.extend([other_claims(), high_s(), restarted(), pool_uses(), answered()]);
    all.extend([above_floor(), at_floor(), above_shared(), at_shared(), floor_of_join(), cleared()]);
    all.push(early());
    all
}

/// A CSR that holds a binding of nonsense.
fn bad_csr() -> Vec<u8> {
    let value = der::tlv(der::UTF8, "bc-join-request-v1:none");
    honest(&to("second").key).attribute(UNSTRUCTURED_NAME, &[&value]).der()
}

/// A join that is refused for its binding, after its proof was recorded.
fn spent(time: &str) -> Join {
    of(&old()).csr(bad_csr()).client_time(time)
}

fn begun(entry: Entry) -> Entry {
    entry
        .also("RENEWAL-3")
        .world(&with(&old()))
        .step("spent", NOW, spent(TIME), refused("request-binding"))
        .recipe("A join whose binding is wrong, which is refused with its proof used; then another.")
}

fn good(id: &str, title: &str) -> Entry {
    begun(script_accept(id, RULE, title))
}

fn bad(name: &str, title: &str) -> Entry {
    begun(script_reject(&format!("x509pop/{name}"), RULE, title))
}

fn another_csr() -> Entry {
    good(OTHER_CSR, "With the client time of a used proof and another CSR the join is a new one.")
        .step("join", NOW, of(&old()).client_time(TIME), back())
        .why("A machine that was refused for its CSR makes another at once.")
}

fn another_csr_late() -> Entry {
    good(
        "x509pop/memory-another-csr-120000ms",
        "The same 120 s later: nothing has left, so there is no floor.",
    )
    .step("join", LATEST, of(&old()).client_time(TIME), back())
    .why("The memory holds through 120 s, and its floor rises after them.")
}

/// The used proof once more.
fn again(name: &str, title: &str, at: &str, reason: &str) -> Entry {
    bad(name, title).step("again", at, spent(TIME), refused(reason)).twin(
        OTHER_CSR,
        &["/steps/1"],
        "the second request is the first once more",
    )
}

fn edges() -> Vec<Entry> {
    vec![
        again(
            "replay-at-once",
            "The proof of a refused join is a replay when it comes again.",
            NOW,
            "replay",
        )
        .why("A refusal after the step `replay` leaves the proof used: no relay gets a second try."),
        again(
            "replay-119999ms",
            "The same proof 119.999 s after its use is a replay.",
            "2026-01-01T00:01:59.999Z",
            "replay",
        )
        .why("The memory is as long as the window is wide."),
        again("replay-120000ms", "The same proof exactly 120 s after its use is a replay.", LATEST, "replay")
            .why("The client time still counts in this millisecond, so the memory must hold through it."),
        again("replay-120001ms", "The same proof 120.001 s after its use is too old.", PAST, "clock")
            .why("Memory and window end together."),
    ]
}

fn other_claims() -> Entry {
    let request = x509pop(&to("second").claiming(machine("c").claims), &old(), &old().key)
        .csr(bad_csr())
        .client_time(TIME);
    bad("replay-other-claims", "The same proof with other claims is a replay.")
        .step("again", NOW, request, refused("replay"))
        .twin(OTHER_CSR, &["/steps/1"], "the second request is the first once more, with other claims")
        .why("The claims are no part of what the proof signs; with them in the key every claim is a new try.")
}

fn high_s() -> Entry {
    bad("replay-high-s", "The used proof with n - s for s is refused as a signature.")
        .step("again", NOW, spent(TIME).form("high-s"), refused("pop-signature"))
        .twin(
            OTHER_CSR,
            &["/steps/1"],
            "the second request is the first once more, its signature in another form",
        )
        .why("ECDSA gives two signatures for one proof, and anyone makes the second from the first.")
}

fn restarted() -> Entry {
    bad("replay-after-restart", "After a restart the used proof is a replay.")
        .step("restart", NOW, restart(), accepted(json!({})))
        .step("again", NOW, spent(TIME), refused("replay"))
        .twin(
            OTHER_CSR,
            &["/steps/1", "/steps/2"],
            "the second request is the first once more, after a restart",
        )
        .why("It is committed before the admission begins.")
}

fn pool_uses() -> Entry {
    let request = || of(&old()).client_time(TIME);
    let title = "A proof that the pool turned away is a replay when it comes again.";
    script_reject("x509pop/replay-after-pool", RULE, title)
        .also("RENEWAL-3")
        .also("ADMISSION-2")
        .world(&with(&old()).pool("a", "policy", json!({"joinAttestors": ["join-token"]})))
        .step("join", NOW, request(), refused("pool-attestor"))
        .step("again", NOW, request(), refused("replay"))
        .twin(
            GOOD,
            &["/world/pools/1/policy", "/steps/0/request/x509pop", "/steps/1"],
            "the pool takes no x509pop, and the request comes twice",
        )
        .why("The proof is spent even when the join fails, though all else is undone.")
        .recipe("A pool that takes no x509pop, a join, and its request once more.")
}

fn answered() -> Entry {
    let title = "The request of a way back that succeeded is refused when it comes again: its certificate is revoked.";
    script_reject("x509pop/sent-twice", RULE, title)
        .also("X509POP-5")
        .world(&with(&old()))
        .step("join", NOW, of(&old()).client_time(NOW), back())
        .step("again", "2026-01-01T00:00:01.000Z", of(&old()).client_time(NOW), refused("cert-revoked"))
        .twin(GOOD, &["/steps/1"], "the same request once more")
        .why("There is no stored answer here: a way back whose answer is lost ends at a token.")
        .recipe("A way back, and its request once more.")
}

fn alive_again() -> Entry {
    let title = "The certificate of a way back renews at once, over the CSR and client time of the join.";
    script_accept("x509pop/renewed-at-once", RULE, title)
        .also("RENEWAL-3")
        .world(&with(&old()))
        .step("join", NOW, of(&old()).client_time(TIME), back())
        .step(
            "renew",
            NOW,
            renew(&to("second"), "join", &to("second").key).client_time(TIME),
            renewed("second"),
        )
        .why("The way back clears the memory, and the purposes differ besides.")
        .recipe("A way back, and a renewal of its certificate to its own key.")
}

/// The first use has left: another came after it was 120 s old.
fn left(entry: Entry) -> Entry {
    begun(entry).step("next", PAST, spent(PAST), refused("request-binding")).recipe(
        "Two joins that are refused with their proofs used, 120.001 s apart; the clock is set back; a join.",
    )
}

const ABOVE: &str = "x509pop/floor-passed-by-a-millisecond";

fn above_floor() -> Entry {
    left(script_accept(ABOVE, RULE, "With the clock set back, a client time just above the floor passes."))
        .step("join", TIME, of(&old()).client_time("2026-01-01T00:01:00.001Z"), back())
        .why("The floor closes what has left, and no more.")
}

fn at_floor() -> Entry {
    left(script_reject(
        "x509pop/floor-reached",
        RULE,
        "A client time at the floor is a replay, although the proof is new.",
    ))
    .step("join", TIME, of(&old()).client_time(TIME), refused("replay"))
    .twin(
        ABOVE,
        &["/steps/2/request/x509pop/clientTimeMs", "/steps/2/request/x509pop/popSig/$pop/clientTimeMs"],
        "the client time of the last request is a millisecond lower",
    )
    .why("What has left the memory stays closed, whatever the clock does.")
}

/// Two renewals at the limit, the first of which has left the memory.
fn limited(entry: Entry) -> Entry {
    let live = || enrolled("a", &machine("a"), "2025-12-31T12:00:00Z");
    let at = |time: &str| renew(&to("second"), &live(), &live().key).client_time(time);
    entry
        .also("RENEWAL-3")
        .world(&live_and_expired(8))
        .step("limit", NOW, at(TIME), refused("renew-limit"))
        .step("next", PAST, at(PAST), refused("renew-limit"))
        .recipe(
            "A node with eight live certificates and an expired newest one: two renewals at the limit, 120.001 s apart; \
             the clock is set back; a join with the newest.",
        )
}

const SHARED: &str = "x509pop/floor-of-renewals-passed";

fn joining(time: &str) -> Join {
    x509pop(&to("third"), &newest(), &newest().key).client_time(time)
}

fn above_shared() -> Entry {
    limited(script_accept(
        SHARED,
        RULE,
        "A client time just above the floor of the node's renewals passes in a join.",
    ))
    .step("join", TIME, joining("2026-01-01T00:01:00.001Z"), reclaimed(&old().id(), "taken"))
    .why("One floor for both purposes, and it is no higher for one than for the other.")
}

fn at_shared() -> Entry {
    limited(script_reject(
        "x509pop/floor-of-renewals",
        RULE,
        "A client time at the floor of the node's renewals is a replay in a join.",
    ))
    .step("join", TIME, joining(TIME), refused("replay"))
    .twin(
        SHARED,
        &["/steps/2/request/x509pop/clientTimeMs", "/steps/2/request/x509pop/popSig/$pop/clientTimeMs"],
        "the client time of the last request is a millisecond lower",
    )
    .why("Two memories are two doors: one floor a node is easier to keep than one a purpose.")
}

fn floor_of_join() -> Entry {
    let live = || enrolled("a", &machine("a"), "2025-12-31T12:00:00Z");
    let title = "A client time at the floor of the node's joins is a replay in a renewal.";
    script_reject("x509pop/floor-of-joins", RULE, title)
        .also("RENEWAL-3")
        .world(&live_and_expired(1).pool("a", "policy", json!({"joinAttestors": ["join-token"]})))
        .step("join", NOW, joining(TIME), refused("pool-attestor"))
        .step("next", PAST, joining(PAST), refused("pool-attestor"))
        .step("renew", TIME, renew(&to("second"), &live(), &live().key), refused("replay"))
        .twin(
            "renewal/renewed",
            &["/world/certs", "/world/pools", "/steps/0", "/steps/1", "/steps/2"],
            "two refused joins with the node's newest certificate, the first of which has left the memory",
        )
        .why("One memory and one floor for both purposes, in both directions.")
        .recipe("Two joins that the pool turns away, 120.001 s apart; the clock is set back; a renewal.")
}

fn cleared() -> Entry {
    let title = "A way back clears memory and floor: a client time below the old floor passes.";
    left(script_accept("x509pop/floor-cleared", RULE, title))
        .also("RECLAIM-3")
        .step("join", PAST, of(&old()), back())
        .step(
            "renew",
            TIME,
            renew(&to("third"), "join", &to("second").key).client_time("2026-01-01T00:00:30.000Z"),
            renewed("third"),
        )
        .why("Every key that signed before is out.")
}

fn early() -> Entry {
    let valid: Enrolled = old();
    let time = "2025-12-31T11:59:00.000Z";
    let request = || of(&valid).client_time(time);
    let title = "A proof that was refused as its certificate was alive is not recorded: a millisecond later it passes.";
    script_accept("x509pop/not-expired-uses-nothing", RULE, title)
        .also("RENEWAL-3")
        .world(&with(&valid))
        .step("early", "2025-12-31T11:59:00.999Z", request(), refused("cert-not-expired"))
        .step("join", "2025-12-31T11:59:01.000Z", request(), back())
        .why("Refusals before the step `replay` record nothing.")
        .recipe(
            "A join in the last millisecond of the certificate, and the same request a millisecond later.",
        )
}
