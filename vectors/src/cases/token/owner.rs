//! Who may mint, list and revoke: the owner tenant of the pool, and nobody learns more.

use serde_json::{Value, json};

use super::stateful::{list_of, page};
use crate::case::{Entry, NOW};
use crate::script::{
    accepted, refused, revoke, revoked, script_accept, script_reject, token_create, token_created,
};
use crate::testkit::world::{Grant, World, grant, pool, tenant};

const MINT: &str = "token/owner-mints";
const LIST: &str = "token/owner-lists";
const REVOKE: &str = "token/owner-revokes";
/// Tenant a's pool a stands here in the usual world.
const AGENT: &str = "/world/pools/1/agent";

pub(super) fn entries() -> Vec<Entry> {
    [goods(), strangers(), agents(), order()].concat()
}

fn token() -> Grant {
    grant("owner")
}

fn mint(owner: &str, name: &str, request: Value) -> Value {
    token_create(&tenant(owner), &pool(name), request)
}

fn plain() -> Value {
    json!({"ttlSeconds": 3600})
}

fn world() -> World {
    World::usual().token(&token())
}

fn good(id: &str, title: &str) -> Entry {
    script_accept(id, "TOKEN-6", title)
        .documented()
        .world(&world())
        .recipe("A token in tenant a's pool; the request of that tenant.")
}

fn goods() -> Vec<Entry> {
    let id = token().bearer.id;
    vec![
        good(MINT, "The owner tenant of a pool mints a token for it.")
            .step("ask", NOW, mint("a", "a", plain()), token_created("t1"))
            .why("The one tenant that decides which machines come into its pool."),
        good(LIST, "The owner tenant of a pool lists its tokens.")
            .step("ask", NOW, list_of("a", "a", json!({})), accepted(page(&[&token()])))
            .why("Who made a token must be able to see that it is there."),
        good(REVOKE, "The owner tenant of a pool revokes a token of it.")
            .step("ask", NOW, revoke(&tenant("a"), &pool("a"), &id), revoked(&id))
            .why("Who made a token must be able to end it."),
    ]
}

/// A request that is answered as if there were no such pool.
fn hidden(name: &str, title: &str, twin: &str, at: &str, request: Value) -> Entry {
    script_reject(&format!("token/{name}"), "TOKEN-6", title)
        .documented()
        .world(&world())
        .step("ask", NOW, request, refused("NOT_FOUND"))
        .twin(
            twin,
            &[at],
            if at.ends_with("tenant") { "Another tenant asks." } else { "Another pool is named." },
        )
        .recipe("The request of another tenant, or for a pool that is not there.")
}

fn strangers() -> Vec<Entry> {
    const TENANT: &str = "/steps/0/request/tenant";
    const POOL: &str = "/steps/0/request/poolId";
    let id = token().bearer.id;
    let revoke = |owner: &str, name: &str| revoke(&tenant(owner), &pool(name), &id);
    let mine = "A tenant that can mint into another's pool puts its machines among the other's.";
    let same = "Two answers that can be told apart tell a stranger which pools there are.";
    let root = "The platform's tenant owns its pools alone: what it wants in a tenant's pool it asks that tenant for.";
    vec![
        hidden(
            "mint-of-another-tenant",
            "Another tenant cannot mint for a pool.",
            MINT,
            TENANT,
            mint("b", "a", plain()),
        )
        .why(mine),
        hidden(
            "mint-of-the-root-tenant",
            "The root tenant cannot mint for a tenant's pool.",
            MINT,
            TENANT,
            mint("r00t", "a", plain()),
        )
        .why(root),
        hidden(
            "mint-for-no-pool",
            "A token for a pool that is not there is NOT_FOUND.",
            MINT,
            POOL,
            mint("a", "none", plain()),
        )
        .why(same),
        hidden(
            "mint-for-anothers-pool",
            "A tenant cannot mint for the pool of another.",
            MINT,
            POOL,
            mint("a", "b", plain()),
        )
        .why(same),
        hidden(
            "list-of-another-tenant",
            "Another tenant cannot list a pool's tokens.",
            LIST,
            TENANT,
            list_of("b", "a", json!({})),
        )
        .why("A list tells how many machines are coming, and when."),
        hidden(
            "list-of-no-pool",
            "The list of a pool that is not there is NOT_FOUND, not empty.",
            LIST,
            POOL,
            list_of("a", "none", json!({})),
        )
        .why(same),
        hidden(
            "revoke-of-another-tenant",
            "Another tenant cannot revoke a pool's token.",
            REVOKE,
            TENANT,
            revoke("b", "a"),
        )
        .why("A revocation by a stranger stops the machines that wait to join."),
        hidden(
            "revoke-of-the-root-tenant",
            "The root tenant cannot revoke a tenant's token.",
            REVOKE,
            TENANT,
            revoke("r00t", "a"),
        )
        .why(root),
        hidden(
            "revoke-in-no-pool",
            "Revoking in a pool that is not there is NOT_FOUND.",
            REVOKE,
            POOL,
            revoke("a", "none"),
        )
        .why(same),
    ]
}

fn other_agent(entry: Entry, agent: &str) -> Entry {
    entry
        .world(&world().pool("a", "agent", agent))
        .recipe("A pool that does not run the daemon; the request of its owner.")
}

fn agents() -> Vec<Entry> {
    let id = token().bearer.id;
    let bad = |name: &str, agent: &str, title: &str| {
        other_agent(script_reject(&format!("token/mint-for-{name}"), "TOKEN-6", title).documented(), agent)
            .step("ask", NOW, mint("a", "a", plain()), refused("INVALID_STATE"))
            .twin(MINT, &[AGENT], "The pool's agent.")
            .why("A machine that joins a pool without the daemon would be managed by nobody.")
    };
    vec![
        bad("another-agent", "kubelet", "A pool that runs another agent gets no token."),
        bad("an-agent-in-capitals", "BCD", "The agent's name is compared exactly."),
        bad("no-agent", "", "A pool with an empty agent gets no token."),
        other_agent(
            script_accept(
                "token/list-beside-another-agent",
                "TOKEN-6",
                "The tokens of a pool whose agent was changed are listed.",
            ),
            "kubelet",
        )
        .step("ask", NOW, list_of("a", "a", json!({})), accepted(page(&[&token()])))
        .why("Only minting asks for the agent: what was made before must stay visible."),
        other_agent(
            script_accept(
                "token/revoke-beside-another-agent",
                "TOKEN-6",
                "A token of a pool whose agent was changed is revoked.",
            ),
            "kubelet",
        )
        .step("ask", NOW, revoke(&tenant("a"), &pool("a"), &id), revoked(&id))
        .why("Only minting asks for the agent: a token that leaked must end whatever the pool runs today."),
    ]
}

/// Two things are wrong: what is judged first is answered.
fn order() -> Vec<Entry> {
    let (tenant_at, request_at) = ("/steps/0/request/tenant", "/steps/0/request/request/ttlSeconds");
    let both = |name: &str, title: &str| {
        script_reject(&format!("token/{name}"), "TOKEN-6", title).recipe("A request with two things wrong.")
    };
    vec![
        both("owner-before-request", "A wrong request of another tenant is NOT_FOUND.")
            .world(&world())
            .step("ask", NOW, mint("b", "a", json!({"ttlSeconds": 1})), refused("NOT_FOUND"))
            .twin(MINT, &[tenant_at, request_at], "Another tenant, and a lifetime of a second.")
            .why("A stranger who hears that the request is wrong has learned that the pool is there."),
        both("owner-before-agent", "Another tenant's request for a pool without the daemon is NOT_FOUND.")
            .world(&world().pool("a", "agent", "kubelet"))
            .step("ask", NOW, mint("b", "a", plain()), refused("NOT_FOUND"))
            .twin(MINT, &[tenant_at, AGENT], "Another tenant, and another agent.")
            .why(
                "A stranger who hears INVALID_STATE knows that the pool is there, and what it does not run.",
            ),
        both("request-before-agent", "A wrong request for a pool without the daemon is INVALID_ARGUMENT.")
            .world(&world().pool("a", "agent", "kubelet"))
            .step("ask", NOW, mint("a", "a", json!({"ttlSeconds": 1})), refused("INVALID_ARGUMENT"))
            .twin(MINT, &[request_at, AGENT], "A lifetime of a second, and another agent.")
            .why("What is wrong in the request itself is said before what is wrong where it would go."),
        both("owner-before-limit", "Another tenant's list with a wrong limit is NOT_FOUND.")
            .world(&world())
            .step("ask", NOW, list_of("b", "a", json!({"limit": 0})), refused("NOT_FOUND"))
            .twin(LIST, &[tenant_at, "/steps/0/request/limit"], "Another tenant, and a limit of 0.")
            .why("The same answer as for a pool that is not there, whatever else is wrong."),
    ]
}
