//! The joins that are admitted, the twins of everything else in this step.

use serde_json::{Value, json};

use super::join::{Join, good, node};
use crate::case::{Entry, accept};
use crate::testkit::csr;
use crate::testkit::request::claims;

/// The twin of every case without a window.
pub(super) const GOOD: &str = "refusal/join-good";
/// The twin of every case with the iat window.
pub(super) const WINDOW: &str = "refusal/join-good-window";
/// The twin of the cases about a binding in the CSR.
pub(super) const BOUND: &str = "refusal/join-good-bound";

pub(super) fn entries() -> Vec<Entry> {
    vec![plain(), named_attestor(), window(), bound(), pinned()]
}

/// The good join whose CSR carries the hash of its request, in a pool that demands it.
pub(super) fn bound_join() -> Join {
    let mut join = good();
    // Only nonsense in the request would leave the CSR without the binding, and then the case itself fails.
    join.csr = csr::with_binding(&node(), &join.request()).unwrap_or(join.csr);
    join.request_binding = "required";
    join
}

/// The iat window of the cases: five minutes either way.
pub(super) fn five_minutes() -> Value {
    json!({"pastS": 300, "aheadS": 300})
}

fn admitted(id: &str, title: &str, join: &Join, trusted: bool) -> Entry {
    accept(id, "REFUSAL-3", title)
        .call("join.check", join.input())
        .out(join.output(trusted))
        .recipe("A join in order: token sealed with the CSR's hash, an honest CSR, three identifiers, a row alive for another hour.")
}

fn plain() -> Entry {
    admitted(GOOD, "A join in which every check passes is admitted.", &good(), true)
        .also("ADMISSION-7")
        .why("Everything that is refused in this step differs from this join in the fault alone.")
}

fn named_attestor() -> Entry {
    let mut join = good();
    join.attestor = "join-token".into();
    admitted("refusal/join-good-named", "The empty attestor and join-token are one.", &join, true)
        .also("ADMISSION-7")
        .also("BINDING-1")
        .why("The request hash is the same for both spellings, so a gateway that fills in the name breaks no binding.")
}

fn window() -> Entry {
    let mut join = good();
    join.window = Some(five_minutes());
    admitted(WINDOW, "A seal made now is inside any window.", &join, true)
        .also("SEAL-4")
        .choice("seal.iat-window", "window")
        .why("The twin of the cases in which the seal is too old.")
}

fn bound() -> Entry {
    admitted(BOUND, "A CSR that carries the request's hash is admitted where that is required.", &bound_join(), true)
        .also("BINDING-2")
        .choice("request-binding", "checked")
        .why("The hash joins attestor, role, token, and claims to the machine's key: a gateway can change none of them.")
}

fn pinned() -> Entry {
    let mut join = good();
    join.claims = claims(json!({"productSerial": "CN7220036H04QB", "permanentMacs": []}));
    join.expect = json!({"serial": "cn7220036h04qb"});
    admitted(
        "refusal/join-good-pinned",
        "With an expect binding that matches, one identifier is enough.",
        &join,
        false,
    )
    .also("HARDWARE-KEY-3")
    .also("EXPECT-1")
    .why("The placeholder rule is lifted by a binding; the key stays untrusted and never reclaims.")
}
