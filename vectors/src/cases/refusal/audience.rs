//! Who hears of a refused token join: the root tenant before the token's secret verified, the token's tenant after (REFUSAL-2).

use serde_json::json;

use super::join::NOW_S;
use crate::case::{Entry, NOW};
use crate::script::{Join, join, joined, refused, script_accept, script_reject};
use crate::testkit::csr;
use crate::testkit::encode::b64u;
use crate::testkit::keys::key;
use crate::testkit::request::claims;
use crate::testkit::seal;
use crate::testkit::token::token as bearer;
use crate::testkit::world::{Grant, World, encryption_key, enrolled, grant, machine, serial, tenant};

const RULE: &str = "REFUSAL-2";
const GOOD: &str = "refusal/audience-none";
const TO_ROOT: &str = "An event in a tenant's stream is a write into that tenant's data: who has not proved to hold its token causes none.";
const TO_TENANT: &str =
    "The holder of the tenant's token failed: that tenant can mend it, and the root tenant can not.";
const SEAL: &str = "/steps/0/request/seal";
const CSR: &str = "/steps/0/request/csr";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = vec![good(), replayed(), pool_of_another(), rootless()];
    all.extend(early());
    all.extend(sealed());
    all.extend(secrets());
    all.extend(of_the_token());
    all.extend(later());
    all
}

/// A token of tenant b: neither the root tenant nor the first.
fn token() -> Grant {
    grant("audience").of("b", "b")
}

fn world(token: &Grant) -> World {
    World::usual().token(token)
}

fn request() -> Join {
    join(&machine("a"), &token())
}

fn good() -> Entry {
    script_accept(GOOD, RULE, "A good join with a tenant's token makes no event of a refusal, for anybody.")
        .documented()
        .world(&world(&token()))
        .step("join", NOW, request(), joined("n1"))
        .why("The twin of the joins that somebody hears of.")
        .recipe("A good join with a token of a tenant that is not the root tenant.")
}

fn entry(reason: &str, title: &str, world: &World, request: Join, at: &[&str], what: &str) -> Entry {
    script_reject(&format!("refusal/audience-{reason}"), RULE, title)
        .documented()
        .world(world)
        .step("join", NOW, request, refused(reason))
        .twin(GOOD, at, what)
        .recipe("A good join; then what differs from the twin. The event is read from the store.")
}

fn root(reason: &str, world: &World, request: Join, at: &[&str], what: &str) -> Entry {
    let title = format!("The root tenant hears of {reason}.");
    entry(reason, &title, world, request, at, what).also("REFUSAL-3").why(TO_ROOT)
}

fn owner(reason: &str, token: &Grant, at: &[&str], what: &str) -> Entry {
    owner_in(reason, &world(token), request(), at, what)
}

fn owner_in(reason: &str, world: &World, request: Join, at: &[&str], what: &str) -> Entry {
    let title = format!("The token's tenant hears of {reason}.");
    entry(reason, &title, world, request, at, what).also("REFUSAL-3").why(TO_TENANT)
}

fn early() -> Vec<Entry> {
    let world = world(&token());
    let escape = b64u("b7\u{1b}u12");
    let longer = [machine("a").csr(), vec![5, 0]].concat();
    vec![
        root(
            "attestor",
            &world,
            request().attestor("ghost"),
            &["/steps/0/request/attestor"],
            "the attestor's name",
        ),
        root("role-invalid", &world, request().role("NODE"), &["/steps/0/request/role"], "the role is NODE"),
        root(
            "csr",
            &world,
            request().csr(longer),
            &[CSR, SEAL],
            "two octets after the CSR, and the seal for that",
        ),
        root(
            "claims",
            &world,
            request().with("/claims/hostname", escape),
            &["/steps/0/request/claims/hostname"],
            "an escape character in the hostname",
        ),
    ]
}

/// The good join's seal.
fn honest(csr: &[u8]) -> seal::Seal {
    seal::honest("audience", &encryption_key(), &token().bearer.text(), csr, NOW_S)
}

fn sealed() -> Vec<Entry> {
    let world = world(&token());
    let own = machine("a").csr();
    let foreign = format!("\"sha256/{}=\"", "A".repeat(43));
    let other = csr::honest(&key("another node")).der();
    let window = world.clone().set("/iatWindow", json!({"pastS": 300, "aheadS": 300}));
    vec![
        root("seal", &world, request().sealed(*b"no seal"), &[SEAL], "the seal is no JWE"),
        root(
            "seal-key",
            &world,
            request().sealed(honest(&own).member("kid", &foreign).text()),
            &[SEAL],
            "the seal's kid names a key that the server does not hold",
        ),
        root(
            "seal-iat",
            &window,
            request().iat(NOW_S - 301),
            &["/world/iatWindow", SEAL],
            "the seal is 301 seconds old where 300 are allowed",
        )
        .choice("seal.iat-window", "window"),
        root(
            "seal-csr",
            &world,
            request().sealed(honest(&other).text()),
            &[SEAL],
            "the seal is for another CSR",
        ),
    ]
}

fn secrets() -> Vec<Entry> {
    let mut guess = token();
    guess.bearer.secret = bearer("a guess").secret;
    vec![
        root("token-unknown", &World::usual(), request(), &["/world/tokens/0"], "there is no such token"),
        root(
            "token-secret",
            &world(&token()),
            join(&machine("a"), &guess),
            &[SEAL],
            "the seal holds the token's id with another secret",
        ),
    ]
}

fn of_the_token() -> Vec<Entry> {
    vec![
        owner(
            "token-revoked",
            &token().with("revokedAt", NOW),
            &["/world/tokens/0/revokedAt"],
            "the token is revoked",
        ),
        owner(
            "token-expired",
            &token().with("expiresAt", NOW),
            &["/world/tokens/0/expiresAt"],
            "the token has expired",
        ),
        owner("token-used", &token().with("usesLeft", 0), &["/world/tokens/0/usesLeft"], "no uses are left"),
        owner(
            "token-role",
            &token().with("role", "site"),
            &["/world/tokens/0/role"],
            "the token is for the role site",
        ),
        owner(
            "expect",
            &token().with("expect", json!({"serial": serial("another")})),
            &["/world/tokens/0/expect"],
            "the token is pinned to another machine",
        ),
    ]
}

fn later() -> Vec<Entry> {
    let world = world(&token());
    let poor = machine("a").claiming(claims(json!({"productSerial": "CN7220036H04QB"})));
    let required = world.clone().pool("b", "policy", json!({"requestBinding": "required"}));
    let known = world.clone().enrolled(&enrolled("a", &machine("a"), "2025-12-31T12:00:00Z"));
    let ssh = world.clone().pool("b", "agent", "ssh");
    let closed = world.clone().pool("b", "policy", json!({"joinAttestors": []}));
    // The pools in the order of the world: pool b is the third.
    vec![
        owner_in(
            "request-binding",
            &required,
            request(),
            &["/world/pools/2/policy"],
            "the pool demands a binding, and the CSR has none",
        )
        .choice("request-binding", "checked"),
        owner_in(
            "placeholder-hardware",
            &world,
            join(&poor, &token()),
            &["/steps/0/request/claims"],
            "the machine has one identifier",
        ),
        owner_in(
            "reclaim",
            &known,
            request(),
            &["/world/nodes/0", "/world/certs/0"],
            "the machine is a node of another tenant",
        ),
        owner_in(
            "pool-agent",
            &ssh,
            request(),
            &["/world/pools/2/agent"],
            "the pool does not run the daemon",
        ),
        owner_in(
            "pool-attestor",
            &closed,
            request(),
            &["/world/pools/2/policy"],
            "the pool's policy lists no attestor",
        ),
    ]
}

/// The token was made by tenant a for a pool that is tenant b's by now.
fn pool_of_another() -> Entry {
    let foreign = token().with("tenant", tenant("a"));
    entry(
        "pool-tenant",
        "The token's tenant hears of pool-tenant, not the pool's owner.",
        &world(&foreign),
        request(),
        &["/world/tokens/0/tenant"],
        "the token is of another tenant than the pool",
    )
    .also("REFUSAL-3")
    .why("Whose token it is decides; the pool's owner has nothing to do with it.")
}

fn replayed() -> Entry {
    let again = request().with("/claims/hostname", b64u("another-host"));
    script_reject("refusal/audience-seal-replayed", RULE, "The token's tenant hears of seal-replayed.")
        .documented()
        .also("REFUSAL-3")
        .world(&world(&token()))
        .step("join", NOW, request(), joined("n1"))
        .step("again", NOW, again, refused("seal-replayed"))
        .twin(GOOD, &["/steps/1"], "the same seal once more, with another hostname")
        .why(TO_TENANT)
        .recipe("A good join, and its seal once more with other claims.")
}

fn rootless() -> Entry {
    let nobody = world(&token()).set("/rootTenant", serde_json::Value::Null);
    script_reject(
        "refusal/audience-no-root",
        RULE,
        "Without a root tenant the event is nobody's, and never the token's tenant's.",
    )
    .world(&nobody)
    .step("join", NOW, request().role("NODE"), refused("role-invalid"))
    .twin(
        GOOD,
        &["/world/rootTenant", "/steps/0/request/role"],
        "there is no root tenant, and the role is NODE",
    )
    .why("A deployment that has no root tenant yet must not fall back on whoever is there.")
    .recipe("A deployment without a root tenant; a join that asks for an unknown role.")
}
