//! Which attestors a pool takes (DESTINATION-2): `policy.joinAttestors`.

use serde_json::{Value, json};

use crate::case::{Entry, NOW};
use crate::script::{join, joined, reclaimed, refused, script_accept, script_reject, x509pop};
use crate::testkit::world::{Enrolled, Grant, World, enrolled, grant, machine, node};

const TOKEN: &str = "destination/policy-lists-join-token";
const RECLAIM: &str = "destination/policy-lists-join-token-reclaim";
const BACK: &str = "destination/policy-lists-x509pop";
const LIST: &str = "/world/pools/1/policy/joinAttestors";
const RECIPE: &str = "A pool whose policy has these joinAttestors.";

pub(super) fn entries() -> Vec<Entry> {
    let mut entries = vec![
        token_good(
            TOKEN,
            "A token join into a pool that lists join-token is admitted.",
            &policy(&["join-token"]),
        ),
        token_good(
            "destination/policy-lists-several",
            "The place in the list makes no difference.",
            &policy(&["tpm", "join-token"]),
        ),
        token_good(
            "destination/policy-absent",
            "A pool whose policy has no joinAttestors takes all attestors.",
            &json!({}),
        ),
        token_good(
            "destination/policy-of-other-things",
            "A policy that is about other things takes all attestors.",
            &json!({"requestBinding": "optional"}),
        ),
        named(),
    ];
    entries.extend(token_refused());
    entries.extend([reclaim(), reclaim_refused(), reclaim_empty()]);
    entries.extend([back(), back_absent()]);
    entries.extend(back_refused());
    entries
}

fn token() -> Grant {
    grant("policy")
}

fn policy(attestors: &[&str]) -> Value {
    json!({"joinAttestors": attestors})
}

fn token_good(id: &str, title: &str, policy: &Value) -> Entry {
    script_accept(id, "DESTINATION-2", title)
        .world(&World::usual().token(&token()).pool("a", "policy", policy.clone()))
        .step("join", NOW, join(&machine("a"), &token()), joined("n1"))
        .why("Absent allows all; present allows what it lists.")
        .recipe(RECIPE)
}

fn named() -> Entry {
    let world = World::usual().token(&token()).pool("a", "policy", policy(&["join-token"]));
    let title = "The empty name and join-token are one attestor for the policy.";
    script_accept("destination/policy-names-the-resolved", "DESTINATION-2", title)
        .world(&world)
        .step("join", NOW, join(&machine("a"), &token()).attestor("join-token"), joined("n1"))
        .why("What is compared is the resolved name.")
        .recipe(RECIPE)
}

fn token_refused() -> Vec<Entry> {
    [
        ("empty", &[][..], "that takes no attestor"),
        ("x509pop-alone", &["x509pop"], "that takes x509pop alone"),
        ("tpm-alone", &["tpm"], "that takes tpm alone"),
        ("upper-case", &["JOIN-TOKEN"], "that spells join-token in upper case"),
        ("empty-name", &[""], "that lists the empty name"),
        ("blank", &["join-token "], "that lists join-token with a blank after it"),
        ("wildcard", &["*"], "that lists a star"),
        ("longer", &["join-tokens"], "that lists a longer name"),
    ]
    .map(|(name, attestors, words)| {
        let title = format!("A token join into a pool {words} is refused, and the token keeps its use.");
        script_reject(&format!("destination/policy-{name}"), "DESTINATION-2", &title)
            .documented()
            .world(&World::usual().token(&token()).pool("a", "policy", policy(attestors)))
            .step("join", NOW, join(&machine("a"), &token()), refused("pool-attestor"))
            .twin(TOKEN, &[LIST], "The list does not have join-token.")
            .why("An owner who asks for hardware attestation must not get machines by a token that was made before.")
            .recipe(RECIPE)
    })
    .into()
}

fn old() -> Enrolled {
    enrolled("a", &machine("a"), "2025-12-31T12:00:00Z")
}

fn with_node(policy: &Value) -> World {
    World::usual().token(&token().reclaims()).enrolled(&old()).pool("a", "policy", policy.clone())
}

fn reclaim() -> Entry {
    script_accept(RECLAIM, "DESTINATION-2", "A token reclaim in a pool that lists join-token is admitted.")
        .documented()
        .world(&with_node(&policy(&["join-token"])))
        .step("join", NOW, join(&machine("a"), &token()), reclaimed(&node("a"), "c1"))
        .why("The reclaim that the refused ones differ from.")
        .recipe(RECIPE)
}

fn reclaim_by(name: &str, title: &str, attestors: &[&str]) -> Entry {
    script_reject(&format!("destination/{name}"), "DESTINATION-2", title)
        .documented()
        .world(&with_node(&policy(attestors)))
        .step("join", NOW, join(&machine("a"), &token()), refused("pool-attestor"))
        .twin(RECLAIM, &[LIST], "The list does not have join-token.")
        .why("Otherwise whoever holds a token and can spell the identifiers takes an attested node over.")
        .recipe(RECIPE)
}

fn reclaim_refused() -> Entry {
    reclaim_by(
        "policy-reclaim",
        "A token reclaim in a pool that takes x509pop alone is refused.",
        &["x509pop"],
    )
}

fn reclaim_empty() -> Entry {
    reclaim_by("policy-reclaim-empty", "A token reclaim in a pool that takes no attestor is refused.", &[])
}

fn expired() -> Enrolled {
    enrolled("a", &machine("a"), "2025-12-30T12:00:00Z")
}

fn back_good(id: &str, title: &str, policy: &Value) -> Entry {
    script_accept(id, "DESTINATION-2", title)
        .world(&World::usual().enrolled(&expired()).pool("a", "policy", policy.clone()))
        .step("join", NOW, x509pop(&machine("a"), &expired(), &expired().key), reclaimed(&node("a"), "c1"))
        .why("The policy holds for every attestor, by its name.")
        .recipe(RECIPE)
}

fn back() -> Entry {
    back_good(BACK, "An x509pop join into a pool that lists x509pop is admitted.", &policy(&["x509pop"]))
}

fn back_absent() -> Entry {
    back_good("destination/policy-absent-x509pop", "A pool without joinAttestors takes x509pop.", &json!({}))
}

fn back_refused() -> Vec<Entry> {
    [
        ("x509pop-empty", &[][..], "that takes no attestor"),
        ("x509pop-join-token-alone", &["join-token"], "that takes join-token alone"),
        ("x509pop-upper-case", &["X509POP"], "that spells x509pop in upper case"),
    ]
    .map(|(name, attestors, words)| {
        let title = format!("An x509pop join into a pool {words} is refused, and the node stays as it is.");
        script_reject(&format!("destination/policy-{name}"), "DESTINATION-2", &title)
            .world(&World::usual().enrolled(&expired()).pool("a", "policy", policy(attestors)))
            .step("join", NOW, x509pop(&machine("a"), &expired(), &expired().key), refused("pool-attestor"))
            .twin(BACK, &[LIST], "The list does not have x509pop.")
            .why("An owner who does not trust a certificate that lapsed can say so.")
            .recipe(RECIPE)
    })
    .into()
}
