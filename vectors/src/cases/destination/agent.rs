//! The pool runs the daemon, and belongs to the token's tenant (DESTINATION-2).

use serde_json::json;

use crate::case::{Entry, NOW};
use crate::script::{join, joined, reclaimed, refused, script_accept, script_reject, x509pop};
use crate::testkit::world::{Enrolled, Grant, World, enrolled, grant, machine, node, pool, tenant};

const GOOD: &str = "destination/pool-in-order";
const RECLAIM: &str = "destination/reclaim-pool-in-order";
const BACK: &str = "destination/x509pop-pool-in-order";
const RECIPE: &str = "A world whose pool is in order, or not.";
const AGENT: &str = "/world/pools/1/agent";
const OWNER: &str = "/world/pools/1/ownerTenant";

pub(super) fn entries() -> Vec<Entry> {
    let mut entries = vec![good(), reclaim(), back()];
    entries.extend(agents());
    entries.extend([gone(), other_tenant(), other_pools_do_not_count(), site_owner_does_not_count()]);
    entries.extend([reclaim_agent(), reclaim_tenant(), back_agent(), back_has_no_tenant()]);
    entries
}

fn token() -> Grant {
    grant("pool")
}

fn world() -> World {
    World::usual().token(&token())
}

fn good() -> Entry {
    script_accept(
        GOOD,
        "DESTINATION-2",
        "A token join into a pool that runs the daemon and belongs to the token's tenant.",
    )
    .documented()
    .world(&world())
    .step("join", NOW, join(&machine("a"), &token()), joined("n1"))
    .why("The join that the refused ones differ from.")
    .recipe(RECIPE)
}

/// The good join in another world, refused by the pool.
fn refusal(name: &str, title: &str, world: &World, reason: &str, at: &[&str], what: &str) -> Entry {
    script_reject(&format!("destination/{name}"), "DESTINATION-2", title)
        .world(world)
        .step("join", NOW, join(&machine("a"), &token()), refused(reason))
        .twin(GOOD, at, what)
        .recipe(RECIPE)
}

fn agents() -> Vec<Entry> {
    [
        ("other", "kubeadm", "runs another agent"),
        ("upper-case", "BCD", "spells the daemon in upper case"),
        ("empty", "", "names no agent"),
        ("blank", "bcd ", "names the daemon with a blank after it"),
        ("longer", "bcd2", "names something longer than the daemon"),
        ("shorter", "bc", "names something shorter than the daemon"),
    ]
    .map(|(name, agent, words)| {
        let title = format!("A join into a pool that {words} is refused, and the token keeps its use.");
        let world = world().pool("a", "agent", agent);
        refusal(
            &format!("agent-{name}"),
            &title,
            &world,
            "pool-agent",
            &[AGENT],
            "The pool's agent is another word.",
        )
        .why("A node that no daemon serves would be adopted by nobody; the word is compared exactly.")
    })
    .into()
}

fn gone() -> Entry {
    let token = token().with("poolId", pool("gone"));
    script_reject("destination/pool-gone", "DESTINATION-2", "A token whose pool no longer exists is refused.")
        .world(&World::usual().token(&token))
        .step("join", NOW, join(&machine("a"), &token), refused("pool-agent"))
        .twin(GOOD, &["/world/tokens/0/poolId"], "The token's pool is not in the store.")
        .why("The row outlives the pool; the event still goes to the token's tenant.")
        .recipe("A token whose pool was deleted.")
}

fn other_tenant() -> Entry {
    let world = world().pool("a", "ownerTenant", tenant("b"));
    let title = "A join into a pool that another tenant owns now is refused, and the event goes to the token's tenant.";
    refusal("other-tenant", title, &world, "pool-tenant", &[OWNER], "The pool belongs to tenant b.")
        .documented()
        .why("A pool can change hands while a token lives: the old owner must not add machines to it.")
}

fn other_pools_do_not_count() -> Entry {
    let world = ["r00t", "b", "ac", "aa"].iter().fold(world(), |world, name| {
        world.pool(name, "agent", "kubeadm").pool(name, "policy", json!({"joinAttestors": []}))
    });
    let title = "A join is admitted although every other pool would refuse it.";
    script_accept("destination/other-pools-do-not-count", "DESTINATION-2", title)
        .world(&world)
        .step("join", NOW, join(&machine("a"), &token()), joined("n1"))
        .why("The pool that counts is that of the token's row.")
        .recipe(RECIPE)
}

fn site_owner_does_not_count() -> Entry {
    let of_b = token().of("b", "aa");
    let title = "A tenant's pool in another tenant's site takes its machines.";
    script_accept("destination/site-of-another", "DESTINATION-2", title)
        .world(&World::usual().token(&of_b).pool("aa", "ownerTenant", tenant("b")))
        .step("join", NOW, join(&machine("a"), &of_b), joined("n1"))
        .why("The owner that is compared is the pool's, never the site's.")
        .recipe("Pool aa lies in the site of tenant a and belongs to tenant b, as does the token.")
}

fn old() -> Enrolled {
    enrolled("a", &machine("a"), "2025-12-31T12:00:00Z")
}

fn with_node() -> World {
    World::usual().token(&token().reclaims()).enrolled(&old())
}

fn reclaim() -> Entry {
    script_accept(RECLAIM, "DESTINATION-2", "A reclaim into a pool that is in order.")
        .world(&with_node())
        .step("join", NOW, join(&machine("a"), &token()), reclaimed(&node("a"), "c1"))
        .why("The reclaim that the refused ones differ from.")
        .recipe(RECIPE)
}

fn reclaim_refused(name: &str, title: &str, world: &World, reason: &str, at: &str) -> Entry {
    script_reject(&format!("destination/{name}"), "DESTINATION-2", title)
        .world(world)
        .step("join", NOW, join(&machine("a"), &token()), refused(reason))
        .twin(RECLAIM, &[at], "The pool has changed since the node joined.")
        .why("The pool is asked at a reclaim too: generation, certificates and the use stay as they were.")
        .recipe(RECIPE)
}

fn reclaim_agent() -> Entry {
    let title = "A reclaim in a pool that no longer runs the daemon is refused.";
    reclaim_refused("reclaim-agent", title, &with_node().pool("a", "agent", "kubeadm"), "pool-agent", AGENT)
}

fn reclaim_tenant() -> Entry {
    let title = "A reclaim in a pool that another tenant owns now is refused.";
    reclaim_refused(
        "reclaim-tenant",
        title,
        &with_node().pool("a", "ownerTenant", tenant("b")),
        "pool-tenant",
        OWNER,
    )
}

fn expired() -> Enrolled {
    enrolled("a", &machine("a"), "2025-12-30T12:00:00Z")
}

fn back() -> Entry {
    script_accept(BACK, "DESTINATION-2", "An x509pop join into a pool that is in order.")
        .world(&World::usual().enrolled(&expired()))
        .step("join", NOW, x509pop(&machine("a"), &expired(), &expired().key), reclaimed(&node("a"), "c1"))
        .why("The join that the refused one differs from.")
        .recipe(RECIPE)
}

fn back_agent() -> Entry {
    script_reject(
        "destination/x509pop-agent",
        "DESTINATION-2",
        "An x509pop join into a pool that no longer runs the daemon is refused.",
    )
    .world(&World::usual().enrolled(&expired()).pool("a", "agent", "kubeadm"))
    .step("join", NOW, x509pop(&machine("a"), &expired(), &expired().key), refused("pool-agent"))
    .twin(BACK, &[AGENT], "The node's pool runs another agent.")
    .why("The check is every attestor's.")
    .recipe(RECIPE)
}

fn back_has_no_tenant() -> Entry {
    let title = "An x509pop join into a pool that has changed hands is admitted: there is no token whose tenant could differ.";
    script_accept("destination/x509pop-has-no-tenant", "DESTINATION-2", title)
        .world(&World::usual().enrolled(&expired()).pool("a", "ownerTenant", tenant("b")))
        .step("join", NOW, x509pop(&machine("a"), &expired(), &expired().key), reclaimed(&node("a"), "c1"))
        .why("pool-tenant is join-token's alone; the node keeps its tenant.")
        .recipe(RECIPE)
}
