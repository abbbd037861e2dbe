//! A server without its join configuration answers INVALID_CONFIG before it looks at anything (ADMISSION-4).

use serde_json::{Value, json};

use crate::case::{Entry, NOW};
use crate::script::{
    Join, accepted, join, joined, reclaimed, refused, renew, renewed, script_accept, script_reject, x509pop,
};
use crate::testkit::world::{Enrolled, Grant, World, enrolled, grant, machine, node};

const GOOD: &str = "admission/configured";
const RENEWED: &str = "admission/renewal-configured";
const BACK: &str = "admission/x509pop-configured";
const HALVES: &str = "admission/configured-halves";
const WHAT: &str = "The server has no join configuration.";
const RECIPE: &str = "A world with keys, or without them.";
const KEYS: &str = "/world/keys";

pub(super) fn entries() -> Vec<Entry> {
    vec![
        good(),
        without(),
        bad(
            "attestor",
            "an attestor that does not exist",
            &request().attestor("none"),
            "/steps/0/request/attestor",
        ),
        bad("role", "a role that does not exist", &request().role("admin"), "/steps/0/request/role"),
        bad("csr", "a CSR that is none", &request().with("/csr", ""), "/steps/0/request/csr"),
        bad("seal", "a seal that is none", &request().with("/seal", ""), "/steps/0/request/seal"),
        halves(),
        half(),
        renewal(),
        renewal_without(),
        back(),
        back_without(),
        token_ops_go_on(),
    ]
}

fn token() -> Grant {
    grant("configured")
}

fn request() -> Join {
    join(&machine("a"), &token())
}

fn world() -> World {
    World::usual().token(&token())
}

fn none(world: World) -> World {
    world.set("/keys", Value::Null)
}

fn good() -> Entry {
    script_accept(GOOD, "ADMISSION-4", "A server with its join configuration admits a join.")
        .also("ADMISSION-1")
        .world(&world())
        .step("join", NOW, request(), joined("n1"))
        .why("The join that the others of this file differ from.")
        .recipe(RECIPE)
}

fn without() -> Entry {
    let title =
        "A server without its join configuration answers INVALID_CONFIG, and the token keeps its use.";
    script_reject("admission/not-configured", "ADMISSION-4", title)
        .documented()
        .world(&none(world()))
        .step("join", NOW, request(), refused("INVALID_CONFIG"))
        .twin(GOOD, &[KEYS], WHAT)
        .why("The operator's mistake is no refusal: the machine is told, and no event accuses it.")
        .recipe(RECIPE)
}

fn bad(name: &str, words: &str, join: &Join, at: &str) -> Entry {
    let title = format!("Without the join configuration {words} makes no difference to INVALID_CONFIG.");
    script_reject(&format!("admission/not-configured-{name}"), "ADMISSION-4", &title)
        .world(&none(world()))
        .step("join", NOW, join, refused("INVALID_CONFIG"))
        .twin(GOOD, &[KEYS, at], "The server has no join configuration, and the request is bad as well.")
        .why("The answer comes before the request is looked into: otherwise a broken server counts refusals.")
        .recipe(RECIPE)
}

fn halves() -> Entry {
    script_accept(
        HALVES,
        "ADMISSION-4",
        "A join in two halves is admitted by a server with its configuration.",
    )
    .world(&world())
    .step("begin", NOW, request().begin("a"), accepted(json!({})))
    .step("finish", NOW, request().finish("a"), joined("n1"))
    .why("The join that the next one differs from.")
    .recipe(RECIPE)
}

fn half() -> Entry {
    script_reject(
        "admission/not-configured-halves",
        "ADMISSION-4",
        "A join in two halves ends in INVALID_CONFIG.",
    )
    .world(&none(world()))
    .step("begin", NOW, request().begin("a"), accepted(json!({})))
    .step("finish", NOW, request().finish("a"), refused("INVALID_CONFIG"))
    .twin(HALVES, &[KEYS], WHAT)
    .why("The first half only reads; what needs the keys is the second.")
    .recipe(RECIPE)
}

fn old() -> Enrolled {
    enrolled("a", &machine("a"), "2025-12-31T12:00:00Z")
}

fn renewal() -> Entry {
    script_accept(RENEWED, "ADMISSION-4", "A server with its join configuration renews.")
        .world(&World::usual().enrolled(&old()))
        .step("renew", NOW, renew(&machine("a"), &old(), &old().key), renewed("c1"))
        .why("The renewal that the next one differs from.")
        .recipe(RECIPE)
}

fn renewal_without() -> Entry {
    let title = "A server without its join configuration answers a renewal with INVALID_CONFIG.";
    script_reject("admission/renewal-not-configured", "ADMISSION-4", title)
        .world(&none(World::usual().enrolled(&old())))
        .step("renew", NOW, renew(&machine("a"), &old(), &old().key), refused("INVALID_CONFIG"))
        .twin(RENEWED, &[KEYS], WHAT)
        .why("The same answer for Join and Renew; the proof is not used up.")
        .recipe(RECIPE)
}

fn expired() -> Enrolled {
    enrolled("a", &machine("a"), "2025-12-30T12:00:00Z")
}

fn back() -> Entry {
    script_accept(
        BACK,
        "ADMISSION-4",
        "A server with its join configuration takes a machine back by x509pop.",
    )
    .world(&World::usual().enrolled(&expired()))
    .step("join", NOW, x509pop(&machine("a"), &expired(), &expired().key), reclaimed(&node("a"), "c1"))
    .why("The join that the next one differs from.")
    .recipe(RECIPE)
}

fn back_without() -> Entry {
    let title = "A server without its join configuration answers x509pop with INVALID_CONFIG.";
    script_reject("admission/x509pop-not-configured", "ADMISSION-4", title)
        .world(&none(World::usual().enrolled(&expired())))
        .step("join", NOW, x509pop(&machine("a"), &expired(), &expired().key), refused("INVALID_CONFIG"))
        .twin(BACK, &[KEYS], WHAT)
        .why("Whatever the attestor: without keys nothing can be signed.")
        .recipe(RECIPE)
}

fn token_ops_go_on() -> Entry {
    use crate::script::{revoke, revoked};
    use crate::testkit::world::{pool, tenant};
    let id = token().bearer.id;
    let title = "A token can be revoked on a server without its join configuration.";
    script_accept("admission/revoked-while-not-configured", "ADMISSION-4", title)
        .also("TOKEN-8")
        .world(&none(world()))
        .step("join", NOW, request(), refused("INVALID_CONFIG"))
        .step("revoke", NOW, revoke(&tenant("a"), &pool("a"), &id), revoked(&id))
        .why("INVALID_CONFIG is the answer to Join, TpmChallenge and Renew, and of no other call.")
        .recipe(RECIPE)
}
