//! Each reason by itself, and the swaps that the binding finds.

use serde_json::json;

use super::accepted::{BOUND, GOOD, WINDOW, bound_join};
use super::fault::{FAULTS, Fault};
use super::join::{Join, good};
use crate::case::{Entry, reject};
use crate::testkit::encode::b64u;

pub(super) fn entries() -> Vec<Entry> {
    let mut entries: Vec<Entry> = FAULTS.iter().map(alone).collect();
    entries.extend([no_row(), no_seal(), swapped_claims(), wrong_tag()]);
    entries
}

/// The good join with these faults, as a case whose reason is `reason`.
pub(super) fn faulty(id: &str, title: &str, reason: &str, faults: &[&Fault]) -> Entry {
    let mut join = good();
    faults.iter().for_each(|fault| (fault.make)(&mut join));
    // Two faults may change one place, as the claims.
    let mut at: Vec<&str> = Vec::new();
    faults.iter().flat_map(|fault| fault.at).for_each(|place| {
        if !at.contains(place) {
            at.push(place);
        }
    });
    let what: Vec<&str> = faults.iter().map(|fault| fault.what).collect();
    let twin = if join.window.is_some() { WINDOW } else { GOOD };
    let entry = refused(id, title, reason, &join).twin(twin, &at, &what.join("; "));
    faults
        .iter()
        .filter_map(|fault| fault.choice())
        .fold(entry, |entry, (name, value)| entry.choice(name, value))
}

fn refused(id: &str, title: &str, reason: &str, join: &Join) -> Entry {
    reject(id, "REFUSAL-3", reason, title)
        .refused()
        .call("join.check", join.input())
        .recipe("The twin's join, made anew with the fault; what depends on it (the seal over the CSR) is made right.")
}

fn alone(fault: &Fault) -> Entry {
    let title = format!("A join whose only fault is this is refused {}: {}.", fault.reason, fault.what);
    faulty(&format!("refusal/only-{}", fault.reason), &title, fault.reason, &[fault])
        .also(fault.rule)
        .why("The reason is what the operator sees; the agent sees the one refusal.")
}

fn no_row() -> Entry {
    let mut join = good();
    join.row = serde_json::Value::Null;
    refused(
        "refusal/only-no-row",
        "A token that the store does not know is refused token-unknown.",
        "token-unknown",
        &join,
    )
    .twin(GOOD, &["/in/row"], "there is no row")
    .also("TOKEN-11")
    .why("The token parses, the seal opens; only the store can say that nobody minted it.")
}

fn no_seal() -> Entry {
    let mut input = good().input();
    input["request"]["seal"] = "".into();
    reject("refusal/only-no-seal", "REFUSAL-3", "seal", "A token join without a seal is refused seal.")
        .also("ADMISSION-7")
        .refused()
        .call("join.check", input)
        .twin(GOOD, &["/in/request/seal"], "the seal is empty")
        .why("Absent evidence is a fault of the evidence, not of the message: the sender gets the one refusal.")
        .recipe("The twin's join with an empty seal.")
}

fn swapped_claims() -> Entry {
    let mut input = bound_join().input();
    input["request"]["claims"]["productSerial"] = b64u("CN7220036H04QC").into();
    reject(
        "refusal/only-swapped-claims",
        "REFUSAL-3",
        "request-binding",
        "Claims that a gateway changed break the binding.",
    )
    .also("BINDING-2")
    .choice("request-binding", "checked")
    .refused()
    .call("join.check", input)
    .twin(BOUND, &["/in/request/claims/productSerial"], "the serial is another machine's")
    .why("Without the binding a hostile gateway folds an honest machine into another one's node.")
    .recipe("The twin's join; the serial is changed after CSR and seal were made.")
}

fn wrong_tag() -> Entry {
    let mut join = good();
    join.tag = Some(vec![0; 16]);
    join.header.push(("kid", json!(format!("sha256/{}=", "A".repeat(43))).to_string()));
    refused("refusal/order-seal-key-and-tag", "kid is looked up before anything is decrypted.", "seal-key", &join)
        .also("SEAL-5")
        .twin(GOOD, &["/in/request/seal:header.kid", "/in/request/seal:tag"], "kid names no key, and the tag is zeros")
        .why("seal stands before seal-key for the structure alone; a broken tag behind an unknown key is never seen.")
}
