//! The relay in the middle: what it changes beside a bound CSR is refused (BINDING-2), and the token that it puts in its place.

use serde_json::{Value, json};

use crate::case::{Entry, NOW};
use crate::script::{
    Expectation, Join, join, joined, reclaimed, refused, script_accept, script_reject, x509pop,
};
use crate::testkit::csr;
use crate::testkit::world::{Enrolled, Grant, World, enrolled, grant, machine, node};

const BOUND: &str = "binding/relay-bound";
const REQUIRED: &str = "binding/relay-required-bound";
const BACK: &str = "binding/relay-x509pop-bound";
const RECIPE: &str = "Two tokens of two tenants' pools; the machine has the one, the relay the other.";
const CHOICE: &str = "request-binding";
const POLICY: &str = "/world/pools/1/policy/requestBinding";
const CSR: &str = "/steps/0/request/csr";
const SEAL: &str = "/steps/0/request/seal";

pub(super) fn entries() -> Vec<Entry> {
    vec![
        bound(),
        unbound(),
        token_swapped(),
        token_swapped_unbound(),
        token_swapped_unchecked(),
        claims_changed(),
        claims_unchecked(),
        role_changed(),
        required(),
        required_unbound(),
        required_unchecked(),
        optional(),
        required_elsewhere(),
        swapped_into_required(),
        back(),
        back_changed(),
        back_as_token_join(),
        back_required(),
    ]
}

fn token() -> Grant {
    grant("the machine's")
}

fn relays() -> Grant {
    grant("the relay's").of("b", "b")
}

fn world() -> World {
    World::usual().token(&token()).token(&relays())
}

/// World whose pool a wants this of the binding.
fn wanting(policy: &str) -> World {
    world().pool("a", "policy", json!({"requestBinding": policy}))
}

fn own() -> Join {
    join(&machine("a"), &token())
}

/// The CSR that the machine made for its own token, beside the relay's token; the seal is the relay's.
fn swapped() -> Join {
    join(&machine("a"), &relays()).csr(bound_csr(&own()))
}

/// The CSR of the join's machine that binds the join as it is.
fn bound_csr(join: &Join) -> Vec<u8> {
    csr::with_binding(&machine("a").key, &join.hashed()).map(|csr| csr.der()).unwrap_or_default()
}

fn hostname() -> Value {
    machine("b").claims["hostname"].clone()
}

fn accepts(id: &str, title: &str, world: &World, join: Join, expected: Expectation) -> Entry {
    script_accept(id, "BINDING-2", title).world(world).step("join", NOW, join, expected).recipe(RECIPE)
}

/// Refused for the binding, under `checked`.
fn refuses(name: &str, title: &str, world: &World, join: Join) -> Entry {
    script_reject(&format!("binding/relay-{name}"), "BINDING-2", title)
        .choice(CHOICE, "checked")
        .world(world)
        .step("join", NOW, join, refused("request-binding"))
        .recipe(RECIPE)
}

fn bound() -> Entry {
    accepts(BOUND, "A bound join that nobody touched is admitted.", &world(), own().bound(), joined("n1"))
        .why("The join that the tampered ones differ from.")
}

fn unbound() -> Entry {
    let title = "A join without a binding is admitted where the pool does not ask for one.";
    accepts("binding/relay-unbound", title, &world(), own(), joined("n1"))
        .why("Agents of the first version send none.")
}

fn token_swapped() -> Entry {
    let title = "A seal of another pool's token made around the machine's bound CSR is refused, and that token keeps its use.";
    refuses("token-swapped", title, &world(), swapped())
        .twin(BOUND, &[SEAL], "The seal holds the relay's token and is made for the same CSR.")
        .why(
            "Anyone can seal to the server's public key: without the binding a relay lands the machine in its own pool. The \
             event goes to the tenant whose token it was.",
        )
}

fn token_swapped_unbound() -> Entry {
    let title = "A seal of another pool's token made around an unbound CSR is admitted into that pool.";
    accepts(
        "binding/relay-token-swapped-unbound",
        title,
        &world(),
        join(&machine("a"), &relays()),
        joined("n1"),
    )
    .why("The server cannot tell this join from an honest one; only the binding makes the difference.")
}

fn token_swapped_unchecked() -> Entry {
    let title =
        "Where bindings are not checked, a seal of another pool's token around a bound CSR is admitted.";
    accepts("binding/relay-token-swapped-unchecked", title, &world(), swapped(), joined("n1"))
        .choice(CHOICE, "none")
        .why("The documented protocol has no binding, and ignores the attribute whatever it says.")
}

fn claims_changed() -> Entry {
    let title = "Claims that a relay changed beside a bound CSR are refused, and the token keeps its use.";
    refuses("claims-changed", title, &world(), own().bound().with("/claims/hostname", hostname()))
        .twin(BOUND, &["/steps/0/request/claims/hostname"], "The host name is another.")
        .why(
            "Claims lie beside the seal; a relay that writes them could give the machine another's identity.",
        )
}

fn claims_unchecked() -> Entry {
    let title = "Where bindings are not checked, changed claims beside a bound CSR are admitted.";
    let changed = machine("a").claiming({
        let mut claims = machine("a").claims;
        claims["hostname"] = hostname();
        claims
    });
    let join = join(&changed, &token()).csr(bound_csr(&own()));
    accepts("binding/relay-claims-changed-unchecked", title, &world(), join, joined("n1"))
        .choice(CHOICE, "none")
        .why("Under none the attribute is ignored; the response's request_sha256 still tells the client what the server saw.")
}

fn role_changed() -> Entry {
    let title =
        "A role that a relay changed beside a bound CSR is refused for the binding, not for the role.";
    refuses("role-changed", title, &world(), own().bound().role("site"))
        .twin(BOUND, &["/steps/0/request/role"], "The role is another.")
        .why("The binding comes before the token's role, so that tampering shows as such.")
}

fn required() -> Entry {
    let title = "A bound join is admitted into a pool that requires the binding.";
    accepts(REQUIRED, title, &wanting("required"), own().bound(), joined("n1"))
        .why("The join that the unbound one differs from.")
}

fn required_unbound() -> Entry {
    let title =
        "An unbound join into a pool that requires the binding is refused, and the token keeps its use.";
    refuses("required-unbound", title, &wanting("required"), own())
        .twin(REQUIRED, &[CSR, SEAL], "The CSR has no binding.")
        .why("A relay can make the machine's first version of itself; the pool's owner can say that there is none.")
}

fn required_unchecked() -> Entry {
    let title = "Where bindings are not checked, an unbound join into a pool that requires one is admitted.";
    accepts("binding/relay-required-unchecked", title, &wanting("required"), own(), joined("n1"))
        .choice(CHOICE, "none")
        .why("Under none the policy has no effect.")
}

fn optional() -> Entry {
    let title = "An unbound join into a pool whose binding is optional is admitted.";
    accepts("binding/relay-optional", title, &wanting("optional"), own(), joined("n1"))
        .why("The word that stands for the default is the default.")
}

fn required_elsewhere() -> Entry {
    let title = "An unbound join is admitted although another pool of the deployment requires the binding.";
    let elsewhere = world().pool("b", "policy", json!({"requestBinding": "required"}));
    accepts("binding/relay-required-elsewhere", title, &elsewhere, own(), joined("n1"))
        .why("The policy that counts is that of the token's pool.")
}

fn swapped_into_required() -> Entry {
    let title =
        "An unbound CSR under the relay's token is refused where the relay's pool requires the binding.";
    let elsewhere = world().pool("b", "policy", json!({"requestBinding": "required"}));
    refuses("token-swapped-into-required", title, &elsewhere, join(&machine("a"), &relays()))
        .twin(
            "binding/relay-token-swapped-unbound",
            &["/world/pools/2/policy/requestBinding"],
            "The relay's pool requires the binding.",
        )
        .why("A pool that requires bindings takes no machine that did not name its token.")
}

fn expired() -> Enrolled {
    enrolled("a", &machine("a"), "2025-12-30T12:00:00Z")
}

fn with_node() -> World {
    World::usual().enrolled(&expired())
}

/// The machine is back with its own key.
fn returning() -> Join {
    x509pop(&machine("a"), &expired(), &expired().key)
}

fn back() -> Entry {
    let title = "A bound x509pop join is admitted; its token id is empty in the hash.";
    script_accept(BACK, "BINDING-1", title)
        .also("BINDING-2")
        .world(&with_node())
        .step("join", NOW, returning().bound(), reclaimed(&node("a"), "c1"))
        .recipe(RECIPE)
        .why("The same fields for every attestor.")
}

fn back_changed() -> Entry {
    let title =
        "Claims that a relay changed beside a bound x509pop join are refused, and the node stays as it is.";
    refuses(
        "x509pop-claims-changed",
        title,
        &with_node(),
        returning().bound().with("/claims/hostname", hostname()),
    )
    .twin(BACK, &["/steps/0/request/claims/hostname"], "The host name is another.")
    .why(
        "The proof signs the CSR, and the CSR binds the request: the claims become the node's recorded ones.",
    )
}

fn back_as_token_join() -> Entry {
    let title = "An x509pop join whose CSR is bound to a token join is refused.";
    refuses("x509pop-bound-to-a-token", title, &with_node(), returning().csr(bound_csr(&own())))
        .twin(
            BACK,
            &[CSR, "/steps/0/request/x509pop/popSig/$pop/csr"],
            "The CSR binds attestor join-token and a token id.",
        )
        .why("The CSR was made for another request; attestor and token id are part of the hash.")
}

fn back_required() -> Entry {
    let title = "An unbound x509pop join into a pool that requires the binding is refused.";
    let world = with_node().pool("a", "policy", json!({"requestBinding": "required"}));
    refuses("x509pop-binding-required", title, &world, returning())
        .twin(
            BACK,
            &[POLICY, CSR, "/steps/0/request/x509pop/popSig/$pop/csr"],
            "The node's pool requires the binding, and the CSR has none.",
        )
        .why("The policy is the pool's, whatever the attestor.")
}
