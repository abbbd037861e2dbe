//! The order of the reasons that need a store: stored answers, known machines, pools (REFUSAL-3).

use serde_json::json;

use crate::case::{Entry, NOW};
use crate::script::{Join, join, joined, refused, revoke, revoked, script_accept, script_reject};
use crate::testkit::encode::b64u;
use crate::testkit::request::claims;
use crate::testkit::world::{Grant, Machine, World, enrolled, grant, machine, pool, serial, tenant};

const RULE: &str = "REFUSAL-3";
const GOOD: &str = "refusal/store-good";
const RECIPE: &str = "A good join; then what differs from the twin, each a reason of its own.";
const WHY: &str = "The order decides what the event says; a check out of its place hides behind another.";
/// The token has expired by then.
const LATE: &str = "2026-01-01T02:00:00.000Z";

/// Faults that are combined, in the order of their reasons; `at` is what each changes.
const FAULTS: [(&str, &str); 9] = [
    ("request-binding", "/world/pools/1/policy/requestBinding"),
    ("token-revoked", "/world/tokens/0/revokedAt"),
    ("token-used", "/world/tokens/0/usesLeft"),
    ("expect", "/world/tokens/0/expect"),
    ("placeholder-hardware", "/steps/0/request/claims"),
    ("reclaim", "/world/nodes/0"),
    ("pool-agent", "/world/pools/1/agent"),
    ("pool-tenant", "/world/tokens/0/tenant"),
    ("pool-attestor", "/world/pools/1/policy/joinAttestors"),
];

pub(super) fn entries() -> Vec<Entry> {
    let mut all = vec![good(), everything()];
    for (place, (first, _)) in FAULTS.iter().enumerate() {
        all.extend(FAULTS.iter().skip(place + 1).filter_map(|(second, _)| pair(first, second)));
    }
    all.extend(replays());
    all.push(replay_of_revoked());
    all
}

/// What a join is judged by, with these faults.
struct Scene {
    token: Grant,
    world: World,
    machine: Machine,
}

fn scene(faults: &[&str]) -> Scene {
    let has = |reason: &str| faults.contains(&reason);
    let (mut token, mut world, mut machine) = (grant("store"), World::usual(), machine("a"));
    let mut policy = json!({});
    if has("request-binding") {
        policy["requestBinding"] = "required".into();
    }
    if has("token-revoked") {
        token = token.with("revokedAt", NOW);
    }
    if has("token-used") {
        token = token.with("usesLeft", 0);
    }
    if has("expect") {
        token = token.with("expect", json!({"serial": serial("another")}));
    }
    if has("reclaim") {
        world = world.enrolled(&enrolled("a", &machine, "2025-12-31T12:00:00Z"));
    }
    if has("placeholder-hardware") {
        machine = machine.claiming(claims(json!({"productSerial": "CN7220036H04QB"})));
    }
    if has("pool-agent") {
        world = world.pool("a", "agent", "ssh");
    }
    if has("pool-tenant") {
        token = token.with("tenant", tenant("b"));
    }
    if has("pool-attestor") {
        policy["joinAttestors"] = json!(["x509pop"]);
    }
    Scene { world: world.pool("a", "policy", policy).token(&token), token, machine }
}

impl Scene {
    fn join(&self) -> Join {
        join(&self.machine, &self.token)
    }
}

fn good() -> Entry {
    let scene = scene(&[]);
    script_accept(GOOD, RULE, "A join that no check of the store objects to is admitted.")
        .world(&scene.world)
        .step("join", NOW, scene.join(), joined("n1"))
        .why("The twin of the joins to which two checks object.")
        .recipe("A good join.")
}

fn faulty(name: &str, title: &str, reason: &str, faults: &[&str]) -> Entry {
    let mut at: Vec<&str> =
        FAULTS.iter().filter(|(reason, _)| faults.contains(reason)).map(|(_, at)| *at).collect();
    if faults.contains(&"reclaim") {
        at.push("/world/certs/0");
    }
    let scene = scene(faults);
    let entry = script_reject(&format!("refusal/store-{name}"), RULE, title)
        .world(&scene.world)
        .step("join", NOW, scene.join(), refused(reason))
        .twin(GOOD, &at, &faults.join(" and "))
        .why(WHY)
        .recipe(RECIPE);
    if faults.contains(&"request-binding") { entry.choice("request-binding", "checked") } else { entry }
}

/// Both faults; none where the two exclude each other.
fn pair(first: &str, second: &str) -> Option<Entry> {
    // A key that is not trusted is never looked up, so that machine is not known.
    let excluded = first == "placeholder-hardware" && second == "reclaim"
        // A token with a binding lifts the placeholder rule, so that there is but one fault.
        || first == "expect" && second == "placeholder-hardware";
    let title = format!("With both faults the reason is {first}, before {second}.");
    (!excluded).then(|| faulty(&format!("{first}-and-{second}"), &title, first, &[first, second]))
}

fn everything() -> Entry {
    let title = "With every fault of the store the reason is that of the request binding.";
    let faults: Vec<&str> =
        FAULTS.iter().map(|(reason, _)| *reason).filter(|reason| *reason != "placeholder-hardware").collect();
    faulty("everything", title, "request-binding", &faults)
}

/// The seal of an admitted join once more, with a fault that has a later reason.
fn replays() -> Vec<Entry> {
    let token = grant("store");
    let replay = |name: &str, title: &str, at: &str, first: Join, again: Join| {
        script_reject(&format!("refusal/store-replayed-and-{name}"), RULE, title)
            .also("SEAL-8")
            .world(&World::usual().token(&token))
            .step("join", NOW, first, joined("n1"))
            .step("again", at, again, refused("seal-replayed"))
            .twin(
                &format!("refusal/store-replayed-and-{name}@join"),
                &["/steps/1"],
                "the same seal once more, with something else",
            )
            .why("A seal that has admitted a join says so first, whatever else is wrong by now.")
            .recipe("A good join, then its seal in another request.")
    };
    let first = || join(&machine("a"), &token);
    let hostname = |join: Join| join.with("/claims/hostname", b64u("another-host"));
    vec![
        replay(
            "request-binding",
            "A seal used before, in a request with other claims than its CSR is bound to, is replayed.",
            NOW,
            first().bound(),
            hostname(first().bound()),
        )
        .choice("request-binding", "checked"),
        replay(
            "token-expired",
            "A seal used before, in another request, with a token that has expired meanwhile, is replayed.",
            LATE,
            first(),
            hostname(first()),
        ),
        replay(
            "token-used",
            "A seal used before, in another request of the machine known by now, with a token that it has used up, is replayed.",
            NOW,
            first(),
            hostname(first()),
        ),
        replay(
            "token-role",
            "A seal used before, in a request for another role than the token's, is replayed.",
            NOW,
            first(),
            first().role("site"),
        ),
        replay(
            "placeholder-hardware",
            "A seal used before, in a request of a machine without identifiers, is replayed.",
            NOW,
            first(),
            first().with("/claims", claims(json!({}))),
        ),
    ]
}

fn replay_of_revoked() -> Entry {
    let token = grant("store");
    let first = || join(&machine("a"), &token);
    let id = token.bearer.id.clone();
    script_reject(
        "refusal/store-replayed-and-token-revoked",
        RULE,
        "The same request once more, with a token that was revoked meanwhile, is replayed.",
    )
    .also("SEAL-8")
    .world(&World::usual().token(&token))
    .step("join", NOW, first(), joined("n1"))
    .step("revoke", NOW, revoke(&tenant("a"), &pool("a"), &id), revoked(&id))
    .step("again", NOW, first(), refused("seal-replayed"))
    .twin(
        "refusal/store-replayed-and-token-revoked@join",
        &["/steps/1", "/steps/2"],
        "the token is revoked, and the request sent again",
    )
    .why("The stored answer of a revoked token is not given out, and that is the reason.")
    .recipe("A good join, a revocation of its token, the same join.")
}
