//! The request binding and the pool of the node: what comes after the evidence (X509POP-5).

use serde_json::{Value, json};

use super::{GOOD, back, bad, good, of, old, to, with};
use crate::case::Entry;
use crate::script::{Join, x509pop};
use crate::testkit::csr::{UNSTRUCTURED_NAME, honest};
use crate::testkit::der;
use crate::testkit::world::{World, machine, tenant};

const RULE: &str = "X509POP-5";
const BOUND: &str = "x509pop/bound";
const CSR: [&str; 2] = ["/steps/0/request/csr", "/steps/0/request/x509pop/popSig/$pop/csr"];
const POLICY: &str = "/world/pools/1/policy";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = vec![bound(), required(), required_bound(), none(), none_required()];
    all.extend(wrong());
    all.extend(pools());
    all
}

/// The pool's policy, with one member.
fn policy(member: &str, value: Value) -> World {
    let mut policy = json!({});
    policy[member] = value;
    with(&old()).pool("a", "policy", policy)
}

fn passes(name: &str, title: &str, world: &World, request: Join) -> Entry {
    good(name, RULE, title, world, request, back())
}

fn bound() -> Entry {
    passes(
        "bound",
        "A CSR that names the request, with x509pop and no token, joins.",
        &with(&old()),
        of(&old()).bound(),
    )
    .also("BINDING-2")
    .why("The hash covers attestor, role and claims; where there is no token its id is empty.")
}

fn required() -> Entry {
    let title = "In a pool that requires the binding a CSR without one does not join.";
    bad(
        "binding-required",
        RULE,
        title,
        "request-binding",
        &policy("requestBinding", json!("required")),
        of(&old()),
    )
    .also("BINDING-2")
    .twin(GOOD, &[POLICY], "the pool requires the binding")
    .why("The pool's policy holds for every way in.")
}

fn required_bound() -> Entry {
    let title = "In a pool that requires the binding a CSR with the right one joins.";
    passes("binding-required-bound", title, &policy("requestBinding", json!("required")), of(&old()).bound())
        .also("BINDING-2")
        .why("The requirement can be met by every attestor.")
}

fn none() -> Entry {
    passes(
        "binding-not-looked-at",
        "Where bindings are not checked a wrong one joins.",
        &with(&old()),
        of(&old()).csr(nonsense()),
    )
    .choice("request-binding", "none")
    .also("BINDING-2")
    .why("Under `none` the attribute is ignored, whatever it says.")
}

fn none_required() -> Entry {
    passes(
        "binding-required-not-checked",
        "Where bindings are not checked a pool that requires them takes a CSR without one.",
        &policy("requestBinding", json!("required")),
        of(&old()),
    )
    .choice("request-binding", "none")
    .also("BINDING-2")
    .why("Under `none` the policy has no effect.")
}

fn nonsense() -> Vec<u8> {
    let value = der::tlv(der::UTF8, "bc-join-request-v1:none");
    honest(&to("second").key).attribute(UNSTRUCTURED_NAME, &[&value]).der()
}

fn wrong() -> Vec<Entry> {
    let fails = |name: &str, title: &str, request: Join| {
        bad(name, RULE, title, "request-binding", &with(&old()), request).also("BINDING-2")
    };
    let elsewhere = of(&old()).attestor("join-token").bound().attestor("x509pop");
    let other_role = of(&old()).role("site").bound().role("node");
    let mut other_claims = x509pop(&to("second").claiming(machine("b").claims), &old(), &old().key).bound();
    other_claims = other_claims.with("/claims", machine("a").claims);
    vec![
        fails("binding-of-join-token", "A CSR that was bound to a join by token does not join.", elsewhere)
            .twin(BOUND, &CSR, "the binding in the CSR")
            .why("A relay must not take a CSR from one way in to another."),
        fails("binding-of-another-role", "A CSR that was bound to another role does not join.", other_role)
            .twin(BOUND, &CSR, "the binding in the CSR")
            .why("Though the role asked selects nothing here, it is what the machine said."),
        fails("binding-of-other-claims", "A CSR that was bound to other claims does not join.", other_claims)
            .twin(BOUND, &CSR, "the binding in the CSR")
            .why("Though the claims select nothing here, they are recorded."),
        fails(
            "binding-of-nonsense",
            "A CSR whose binding is no hash does not join.",
            of(&old()).csr(nonsense()),
        )
        .twin(GOOD, &CSR, "the binding in the CSR")
        .why("What begins as a binding must be one."),
    ]
}

fn pools() -> Vec<Entry> {
    let attestors = |name: &str, title: &str, list: Value| {
        bad(name, RULE, title, "pool-attestor", &policy("joinAttestors", list), of(&old()))
            .also("DESTINATION-2")
            .twin(
                "x509pop/pool-lists-it",
                &["/world/pools/1/policy/joinAttestors"],
                "the attestors that the pool takes",
            )
    };
    vec![
        passes(
            "pool-lists-it",
            "A pool whose list of attestors has x509pop takes its node back.",
            &policy("joinAttestors", json!(["tpm", "x509pop"])),
            of(&old()),
        )
        .also("DESTINATION-2")
        .why("The list names ways in, and this is one."),
        attestors(
            "pool-lists-others",
            "A pool whose list has join-token alone takes no node back.",
            json!(["join-token"]),
        )
        .why("A way back is a way in: the list would be worth nothing if old certificates passed it."),
        attestors("pool-lists-none", "A pool whose list is empty takes no node back.", json!([]))
            .why("An empty list allows none, unlike no list."),
        attestors(
            "pool-lists-another-spelling",
            "Names of attestors are compared exactly.",
            json!(["X509POP", "x509pop "]),
        )
        .why("A list with a typing error must not allow what it does not name."),
        bad(
            "pool-agent",
            RULE,
            "A pool that no longer runs the daemon takes no node back.",
            "pool-agent",
            &with(&old()).pool("a", "agent", "kubelet"),
            of(&old()),
        )
        .also("DESTINATION-2")
        .twin(GOOD, &["/world/pools/1/agent"], "the pool runs another agent")
        .why("Pools change while machines are off."),
        passes(
            "pool-sold",
            "A pool that belongs to another tenant by now takes its node back.",
            &with(&old()).pool("a", "ownerTenant", tenant("b")),
            of(&old()),
        )
        .also("DESTINATION-2")
        .why("Who owns the pool is asked of tokens alone, which have a tenant of their own."),
        good(
            "pool-with-acceptance",
            RULE,
            "In a pool with acceptance checks the node that is back is not queued.",
            &with(&old()).pool("a", "acceptanceChecks", true),
            of(&old()),
            back(),
        )
        .also("ADMISSION-6")
        .also("RECLAIM-3")
        .why("Acceptance runs again: nobody knows what happened to the machine while it was off."),
    ]
}
