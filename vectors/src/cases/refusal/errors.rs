//! Errors that are no refusals carry their names, and nobody is told of a refusal (REFUSAL-5).

use serde_json::{Value, json};

use super::flood::{LAST, START, admitted, good, roleless, stranger, token, told, world};
use crate::case::{Entry, NOW};
use crate::script::{
    Request, accepted, enqueue, join, joined, refused, renew, retire, retired, revoke, revoked,
    script_accept, script_reject, token_create, token_created,
};
use crate::testkit::world::{Enrolled, World, enrolled, grant, id, machine, node, pool, tenant};

const RULE: &str = "REFUSAL-5";
const CREATED: &str = "refusal/error-none-created";
const REVOKED: &str = "refusal/error-none-revoked";
const ENQUEUED: &str = "refusal/error-none-enqueued";
const RETIRED: &str = "refusal/error-none-retired";
const LISTED: &str = "refusal/error-none-listed";
const RACED: &str = "refusal/error-none-beside-another";
const WHY: &str = "A caller that is let in gets told what to mend; the name is what its program goes by.";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = vec![created(), revoked_token(), enqueued(), retired_node(), listed(), beside()];
    all.extend(creates());
    all.extend(others());
    all.extend(conflicts());
    all.extend(unconfigured());
    all
}

fn old() -> Enrolled {
    enrolled("a", &machine("of the node"), "2025-12-31T12:00:00Z")
}

fn usual() -> World {
    world().enrolled(&old())
}

fn good_case(id: &str, title: &str) -> Entry {
    script_accept(id, RULE, title).world(&usual()).why(WHY).recipe("The request of the step.")
}

fn bad(
    name: &str,
    title: &str,
    error: &str,
    request: impl Into<Request>,
    twin: (&str, &[&str], &str),
) -> Entry {
    script_reject(&format!("refusal/error-{name}"), RULE, title)
        .world(&usual())
        .step("step", NOW, request, refused(error))
        .twin(twin.0, twin.1, twin.2)
        .why(WHY)
        .recipe("The request of the twin with what differs; the name of the error is compared.")
}

fn asked() -> Value {
    json!({"ttlSeconds": 3600})
}

fn created() -> Entry {
    good_case(CREATED, "A token is created, and no error is told of.").step(
        "step",
        NOW,
        token_create(&tenant("a"), &pool("a"), asked()),
        token_created("t1"),
    )
}

fn revoked_token() -> Entry {
    let own = token().bearer.id;
    good_case(REVOKED, "A token of the pool is revoked, and no error is told of.").step(
        "step",
        NOW,
        revoke(&tenant("a"), &pool("a"), &own),
        revoked(&own),
    )
}

fn enqueued() -> Entry {
    good_case(ENQUEUED, "A command for a live node is queued, and no error is told of.").step(
        "step",
        NOW,
        enqueue(&node("a"), "node.reboot"),
        accepted(json!({})),
    )
}

fn retired_node() -> Entry {
    good_case(RETIRED, "A node is retired, and no error is told of.").step(
        "step",
        NOW,
        retire(&node("a")),
        retired(&node("a")),
    )
}

/// A list of the tokens of a pool without any.
fn list(limit: u32) -> Value {
    json!({
        "do": "token-list", "tenant": tenant("b"), "poolId": pool("b"), "includeInactive": true, "limit": limit,
    })
}

fn listed() -> Entry {
    good_case(LISTED, "A list of at most one is given, and no error is told of.").step(
        "step",
        NOW,
        list(1),
        accepted(json!({"records": [], "next": null})),
    )
}

fn creates() -> Vec<Entry> {
    let create = |owner: &str, name: &str, request: Value| token_create(&tenant(owner), &pool(name), request);
    let at = |place: &'static [&'static str], what: &'static str| (CREATED, place, what);
    let mut ssh = bad(
        "invalid-state-create",
        "A token for a pool that does not run the daemon is INVALID_STATE.",
        "INVALID_STATE",
        create("a", "a", asked()),
        at(&["/world/pools/1/agent"], "the pool's agent"),
    );
    ssh.0.world = Some(usual().pool("a", "agent", "ssh").0);
    vec![
        bad(
            "invalid-argument-create",
            "A token for 59 seconds is INVALID_ARGUMENT.",
            "INVALID_ARGUMENT",
            create("a", "a", json!({"ttlSeconds": 59})),
            at(&["/steps/0/request/request/ttlSeconds"], "a second less than the shortest lifetime"),
        ),
        bad(
            "not-found-create",
            "A token for another tenant's pool is NOT_FOUND.",
            "NOT_FOUND",
            create("a", "b", asked()),
            at(&["/steps/0/request/poolId"], "the pool is another tenant's"),
        ),
        ssh,
    ]
}

fn others() -> Vec<Entry> {
    let nobody = id("node", "zzz");
    let id_at: &[&str] = &["/steps/0/request/nodeId"];
    vec![
        bad(
            "not-found-revoke",
            "Revoking a token that does not exist is NOT_FOUND.",
            "NOT_FOUND",
            revoke(&tenant("a"), &pool("a"), &grant("nobody's").bearer.id),
            (REVOKED, &["/steps/0/request/id"], "the id of no token"),
        ),
        bad(
            "not-found-retire",
            "Retiring a node that does not exist is NOT_FOUND.",
            "NOT_FOUND",
            retire(&nobody),
            (RETIRED, id_at, "the id of no node"),
        ),
        bad(
            "not-found-enqueue",
            "A command for a node that does not exist is NOT_FOUND.",
            "NOT_FOUND",
            enqueue(&nobody, "node.reboot"),
            (ENQUEUED, id_at, "the id of no node"),
        ),
        bad(
            "invalid-argument-list",
            "A list of at most none is INVALID_ARGUMENT.",
            "INVALID_ARGUMENT",
            list(0),
            (LISTED, &["/steps/0/request/limit"], "the limit is 0"),
        ),
        script_reject(
            "refusal/error-invalid-state-enqueue",
            RULE,
            "A command for a retired node is INVALID_STATE.",
        )
        .world(&usual())
        .step("step", NOW, enqueue(&node("a"), "node.reboot"), accepted(json!({})))
        .step("retire", NOW, retire(&node("a")), retired(&node("a")))
        .step("again", NOW, enqueue(&node("a"), "node.reboot"), refused("INVALID_STATE"))
        .twin(ENQUEUED, &["/steps/1", "/steps/2"], "the node is retired, and the command sent again")
        .why(WHY)
        .recipe("A command, a retirement, and the command again."),
        script_reject(
            "refusal/error-conflict-create",
            RULE,
            "One idempotency key for two different tokens is CONFLICT.",
        )
        .world(&usual())
        .step("step", NOW, token_create(&tenant("a"), &pool("a"), keyed(false)), token_created("t1"))
        .step("again", NOW, token_create(&tenant("a"), &pool("a"), keyed(true)), refused("CONFLICT"))
        .twin("refusal/error-conflict-create@step", &["/steps/1"], "the same key, with allowReclaim")
        .why(
            "The caller believes that its first request was lost; the answer to it would be the wrong token.",
        )
        .recipe("Two creates under one idempotency key."),
    ]
}

fn keyed(reclaim: bool) -> Value {
    json!({"ttlSeconds": 3600, "allowReclaim": reclaim, "idempotencyKey": "refusal"})
}

/// A join in two halves, another machine's between them.
fn raced(entry: Entry, between: &str) -> Entry {
    let other = grant("refusal race");
    let other_join = join(&machine(between), &other);
    entry
        .world(&world().token(&other))
        .step("begin", START, good().begin("slow"), accepted(json!({})))
        .step("between", START, other_join, joined("n2"))
        .recipe("A join that is held before its first lock, another one, then the rest of the first.")
}

fn beside() -> Entry {
    let title = "Two machines that join at once are both admitted.";
    raced(script_accept(RACED, RULE, title), "z")
        .also("ADMISSION-4")
        .step("finish", START, good().finish("slow"), admitted())
        .why("The twin of the same machine's two joins.")
}

fn conflicts() -> Vec<Entry> {
    let twin = &["/steps/1/request"];
    let what = "the same machine joins, in place of another";
    let race = raced(
        script_reject(
            "refusal/error-conflict-race",
            RULE,
            "Two joins of one machine at once end in one CONFLICT.",
        ),
        "a",
    )
    .also("ADMISSION-4")
    .step("finish", START, good().finish("slow"), refused("CONFLICT"))
    .twin(RACED, twin, what)
    .why("It is no refusal: the machine may try again, and no owner is told.");
    let title = "A CONFLICT takes no slot of the minute and is no part of a count.";
    let counted = raced(script_reject("refusal/error-conflict-uncounted", RULE, title), "a")
        .also("REFUSAL-4")
        .step("finish", START, good().finish("slow"), refused("CONFLICT"))
        .repeated(60, "flood", START, stranger("ghost"), told("attestor", 60, 0))
        .step("other", LAST, roleless(), refused("role-invalid"))
        .twin(
            RACED,
            &["/steps/1/request", "/steps/3", "/steps/4"],
            "the same machine joins; refused joins after it",
        )
        .why("Only refusals count against the limit of refusals.");
    vec![race, counted]
}

fn unconfigured() -> Vec<Entry> {
    let null = usual().set("/keys", Value::Null);
    let entry = |name: &str, title: &str| {
        script_reject(&format!("refusal/error-{name}"), RULE, title)
            .also("ADMISSION-4")
            .world(&null)
            .why("Nothing is wrong with the request, and no owner can mend the server: it is no refusal.")
            .recipe("A server without a join configuration; the request of the twin.")
    };
    let renewal = renew(&machine("of the node").rekeyed("second"), &old(), &old().key);
    vec![
        script_accept(
            "refusal/error-none-joined",
            RULE,
            "A server with its configuration admits the good join.",
        )
        .world(&usual())
        .step("join", NOW, good(), admitted())
        .why("The twin of the join to a server without configuration.")
        .recipe("A good join."),
        entry("invalid-config-join", "A join to a server without its configuration is INVALID_CONFIG.")
            .step("join", NOW, good(), refused("INVALID_CONFIG"))
            .twin("refusal/error-none-joined", &["/world/keys"], "there is no join configuration"),
        entry(
            "invalid-config-before-reasons",
            "A join that has every fault is INVALID_CONFIG at a server without its configuration.",
        )
        .step("join", NOW, stranger("ghost").role("").csr(Vec::new()), refused("INVALID_CONFIG"))
        .twin(
            "refusal/error-none-joined",
            &["/world/keys", "/steps/0/request"],
            "there is no join configuration, and a join with many faults",
        ),
        entry("invalid-config-renew", "A renewal at a server without its configuration is INVALID_CONFIG.")
            .step("renew", NOW, renewal, refused("INVALID_CONFIG"))
            .twin(
                "refusal/error-none-joined",
                &["/world/keys", "/steps/0/request"],
                "there is no join configuration, and the request is a renewal",
            ),
    ]
}
