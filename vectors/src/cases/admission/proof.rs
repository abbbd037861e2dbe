//! What outlives a refusal of x509pop: the used proof (ADMISSION-2).

use serde_json::json;

use crate::case::{Entry, NOW};
use crate::script::{Join, reclaimed, refused, script_accept, script_reject, x509pop};
use crate::testkit::world::{Enrolled, World, enrolled, machine, node};

const GOOD: &str = "admission/proof-once";
const RECIPE: &str = "A node whose certificate expired twelve hours ago; its machine sends one proof twice.";
const SECOND: &str = "2026-01-01T00:00:01.000Z";

pub(super) fn entries() -> Vec<Entry> {
    let mut entries = vec![good(), after_binding(), another_proof()];
    entries.extend(after_pool());
    entries
}

fn expired() -> Enrolled {
    enrolled("a", &machine("a"), "2025-12-30T12:00:00Z")
}

fn world() -> World {
    World::usual().enrolled(&expired())
}

/// The same request at any time: the proof's client time is the first step's.
fn proof() -> Join {
    x509pop(&machine("a"), &expired(), &expired().key).bound().client_time(NOW)
}

fn good() -> Entry {
    script_accept(GOOD, "ADMISSION-2", "A proof that nobody has used brings the node back.")
        .also("X509POP-1")
        .world(&world())
        .step("proof", NOW, proof(), reclaimed(&node("a"), "c1"))
        .why("The join that the refused ones differ from.")
        .recipe(RECIPE)
}

/// A relay changes the claims; then the machine's own request comes.
fn after_binding() -> Entry {
    let other = machine("b").claims["hostname"].clone();
    let title =
        "A proof that was refused for the request binding is used: the honest request after it is a replay.";
    script_reject("admission/proof-used-by-binding", "ADMISSION-2", title)
        .also("RENEWAL-3")
        .choice("request-binding", "checked")
        .world(&world())
        .step("tampered", NOW, proof().with("/claims/hostname", other), refused("request-binding"))
        .step("honest", SECOND, proof(), refused("replay"))
        .twin(GOOD, &["/steps/0", "/steps/1"], "The same proof was sent before, beside other claims.")
        .why("Otherwise a refusal gives a relay a second try with the same proof.")
        .recipe(RECIPE)
}

fn after_pool() -> Vec<Entry> {
    [("agent", "pool-agent", json!("kubeadm")), ("policy", "pool-attestor", json!({"joinAttestors": []}))]
        .map(|(member, reason, value)| {
            let title = format!("A proof that was refused as {reason} is used: sent again it is a replay.");
            script_reject(&format!("admission/proof-used-by-{reason}"), "ADMISSION-2", &title)
                .also("RENEWAL-3")
                .world(&world().pool("a", member, value))
                .step("first", NOW, proof(), refused(reason))
                .step("again", SECOND, proof(), refused("replay"))
                .twin(
                    GOOD,
                    &[&*format!("/world/pools/1/{member}"), "/steps/1"],
                    "The pool refuses the join, and the proof is sent once more.",
                )
                .why("The proof is recorded before the admission's transaction begins, so undoing that keeps it.")
                .recipe(RECIPE)
        })
        .into()
}

fn another_proof() -> Entry {
    let other = machine("b").claims["hostname"].clone();
    let title = "After a proof was refused for the binding, the machine comes back with another one.";
    script_accept("admission/proof-anew-after-binding", "ADMISSION-2", title)
        .also("RENEWAL-3")
        .choice("request-binding", "checked")
        .world(&world())
        .step("tampered", NOW, proof().with("/claims/hostname", other), refused("request-binding"))
        .step("anew", SECOND, proof().client_time(SECOND), reclaimed(&node("a"), "c1"))
        .why("Only the proof is spent: node, generation and certificate are as they were.")
        .recipe(RECIPE)
}
