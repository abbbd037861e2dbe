//! The order of the pool's checks, and what comes before them (DESTINATION-2).

use serde_json::json;

use crate::case::{Entry, NOW};
use crate::script::{join, joined, refused, script_accept, script_reject, x509pop};
use crate::testkit::world::{Enrolled, Grant, World, enrolled, grant, machine, pool, tenant};

const GOOD: &str = "destination/order-good";
const RECIPE: &str = "A world in which two or more things about the pool are wrong.";
const AGENT: &str = "/world/pools/1/agent";
const OWNER: &str = "/world/pools/1/ownerTenant";
const POLICY: &str = "/world/pools/1/policy";

pub(super) fn entries() -> Vec<Entry> {
    vec![
        good(),
        agent_first(),
        agent_before_attestor(),
        tenant_second(),
        all(),
        gone(),
        reclaim_first(),
        reclaim_before_all(),
        back(),
    ]
}

fn token() -> Grant {
    grant("pool order")
}

fn world() -> World {
    World::usual().token(&token())
}

fn agent(world: World) -> World {
    world.pool("a", "agent", "kubeadm")
}

fn owner(world: World) -> World {
    world.pool("a", "ownerTenant", tenant("b"))
}

fn policy(world: World) -> World {
    world.pool("a", "policy", json!({"joinAttestors": []}))
}

fn good() -> Entry {
    script_accept(GOOD, "DESTINATION-2", "A join that the pool has nothing against.")
        .world(&world())
        .step("join", NOW, join(&machine("a"), &token()), joined("n1"))
        .why("The join that those with two faults differ from.")
        .recipe(RECIPE)
}

fn both(name: &str, title: &str, world: &World, reason: &str, at: &[&str]) -> Entry {
    script_reject(&format!("destination/{name}"), "DESTINATION-2", title)
        .world(world)
        .step("join", NOW, join(&machine("a"), &token()), refused(reason))
        .twin(GOOD, at, "More than one thing is wrong.")
        .why("The reason that is recorded is the first of the table, so that two implementations tell the same.")
        .recipe(RECIPE)
}

fn agent_first() -> Entry {
    let title = "A pool that runs another agent and has changed hands refuses for the agent.";
    both("order-agent-tenant", title, &owner(agent(world())), "pool-agent", &[AGENT, OWNER])
}

fn agent_before_attestor() -> Entry {
    let title = "A pool that runs another agent and takes no attestor refuses for the agent.";
    both("order-agent-attestor", title, &policy(agent(world())), "pool-agent", &[AGENT, POLICY])
}

fn tenant_second() -> Entry {
    let title = "A pool that has changed hands and takes no attestor refuses for the tenant.";
    both("order-tenant-attestor", title, &policy(owner(world())), "pool-tenant", &[OWNER, POLICY])
}

fn all() -> Entry {
    let title = "A pool with which everything is wrong refuses for the agent.";
    both("order-all", title, &policy(owner(agent(world()))), "pool-agent", &[AGENT, OWNER, POLICY])
}

fn gone() -> Entry {
    let old = enrolled("a", &machine("a"), "2025-12-31T12:00:00Z");
    let token = token().with("poolId", pool("gone")).reclaims();
    let title = "A known machine by a token whose pool no longer exists is refused for the reclaim, not for the pool.";
    script_reject("destination/order-reclaim-gone", "DESTINATION-2", title)
        .world(&World::usual().token(&token).enrolled(&old))
        .step("join", NOW, join(&machine("a"), &token), refused("reclaim"))
        .twin(
            GOOD,
            &["/world/tokens/0/poolId", "/world/tokens/0/allowReclaim", "/world/nodes", "/world/certs"],
            "The token's pool is gone, and the machine is a node of another.",
        )
        .why("The node's pool is not the token's, and that is judged first.")
        .recipe("A token that allows a reclaim, of a pool that was deleted.")
}

/// The machine is a node already, and the token allows no reclaim.
fn known(world: World) -> World {
    world.enrolled(&enrolled("a", &machine("a"), "2025-12-31T12:00:00Z"))
}

fn reclaim_first() -> Entry {
    let title =
        "A known machine without allowReclaim in a pool that takes no attestor is refused for the reclaim.";
    both(
        "order-reclaim-attestor",
        title,
        &known(policy(world())),
        "reclaim",
        &[POLICY, "/world/nodes", "/world/certs"],
    )
}

fn reclaim_before_all() -> Entry {
    let title = "A known machine without allowReclaim in a pool with which everything is wrong is refused for the reclaim.";
    both(
        "order-reclaim-all",
        title,
        &known(policy(owner(agent(world())))),
        "reclaim",
        &[AGENT, OWNER, POLICY, "/world/nodes", "/world/certs"],
    )
}

fn expired() -> Enrolled {
    enrolled("a", &machine("a"), "2025-12-30T12:00:00Z")
}

fn back() -> Entry {
    let title = "An x509pop join into a pool with which everything is wrong is refused for the agent.";
    script_reject("destination/order-x509pop", "DESTINATION-2", title)
        .world(&policy(agent(World::usual().enrolled(&expired()))))
        .step("join", NOW, x509pop(&machine("a"), &expired(), &expired().key), refused("pool-agent"))
        .twin(
            "destination/x509pop-pool-in-order",
            &[AGENT, POLICY],
            "The pool runs another agent and takes no attestor.",
        )
        .why("The same order for every attestor.")
        .recipe(RECIPE)
}
