//! The token, or the node, says where a join lands (DESTINATION-1).

use serde_json::json;

use crate::case::{Entry, NOW};
use crate::script::{join, joined, reclaimed, refused, script_accept, script_reject, x509pop};
use crate::testkit::world::{
    Enrolled, Grant, World, enrolled, grant, machine, node, pool, serial, site, tenant,
};

const GOOD: &str = "destination/pool-of-the-token";
const RECIPE: &str = "A join in the usual world; the node's row tells pool, site, owner and kind.";

pub(super) fn entries() -> Vec<Entry> {
    vec![
        lands(
            "pool-of-the-token",
            "A token join lands in the token's pool, which gives site and owner.",
            "a",
            "a",
            "r00t",
        )
        .why("The request has no member for a pool, and no claim selects one."),
        lands(
            "pool-of-another-tenant",
            "The same machine by another tenant's token lands in that tenant's pool.",
            "b",
            "b",
            "r00t",
        )
        .why("Nothing of the machine decides where it lands."),
        lands(
            "pool-in-the-tenants-own-site",
            "A token of a pool in the tenant's own site lands in that site.",
            "a",
            "aa",
            "a",
        )
        .why("The site is the pool's, and with it the SPIFFE ID of the machine."),
        lands(
            "pool-of-the-root-tenant",
            "A token of the root tenant's pool lands there.",
            "r00t",
            "r00t",
            "r00t",
        )
        .why("The platform's own pool is a pool like others."),
        two_pools(),
        role_of_the_token(),
        other_role(),
        other_role_of_a_site_token(),
        expected(),
        other_machine(),
        own_place(),
        role_selects_nothing(),
        site_agent_asks_for_node(),
        no_expect(),
    ]
}

fn token() -> Grant {
    grant("destination")
}

/// One join by a token of this pool.
fn lands(name: &str, title: &str, owner: &str, at: &str, of_site: &str) -> Entry {
    let token = token().of(owner, at);
    script_accept(&format!("destination/{name}"), "DESTINATION-1", title)
        .world(&World::usual().token(&token))
        .step(
            "join",
            NOW,
            join(&machine("a"), &token),
            joined("n1")
                .with("/effects/nodes/0/tenant", tenant(owner))
                .with("/effects/nodes/0/poolId", pool(at))
                .with("/effects/nodes/0/siteId", site(of_site)),
        )
        .recipe(RECIPE)
}

fn two_pools() -> Entry {
    let (first, second) = (grant("first"), grant("second").of("a", "ac"));
    let title = "Two machines by two tokens of one tenant land in two pools.";
    script_accept("destination/two-pools", "DESTINATION-1", title)
        .world(&World::usual().token(&first).token(&second))
        .step("first", NOW, join(&machine("a"), &first), joined("n1"))
        .step("second", NOW, join(&machine("b"), &second), joined("n2"))
        .why("A server that takes the tenant's first pool works as long as there is one.")
        .recipe(RECIPE)
}

fn role_of_the_token() -> Entry {
    let token = token().with("role", "site");
    script_accept("destination/role-of-the-token", "DESTINATION-1", "A token for a site agent makes a site agent.")
        .world(&World::usual().token(&token))
        .step("join", NOW, join(&machine("a"), &token).role("site"), joined("n1"))
        .why("The role is part of the destination; the machine asks for the same, so that it can check its answer.")
        .recipe(RECIPE)
}

fn other_role() -> Entry {
    script_reject("destination/other-role", "DESTINATION-1", "A join that asks for another role than the token's is refused.")
        .world(&World::usual().token(&token()))
        .step("join", NOW, join(&machine("a"), &token()).role("site"), refused("token-role"))
        .twin(GOOD, &["/steps/0/request/role"], "The role asked is site.")
        .why("Neither the asked nor the token's role is given in silence: a machine must not become what it did not ask to be.")
        .recipe(RECIPE)
}

fn other_role_of_a_site_token() -> Entry {
    let token = token().with("role", "site");
    let title = "A join that asks for node by a token for a site agent is refused.";
    script_reject("destination/node-by-a-site-token", "DESTINATION-1", title)
        .world(&World::usual().token(&token))
        .step("join", NOW, join(&machine("a"), &token), refused("token-role"))
        .twin("destination/role-of-the-token", &["/steps/0/request/role"], "The role asked is node.")
        .why("Also the lesser role is another role.")
        .recipe(RECIPE)
}

fn pinned(name: &str) -> Grant {
    token().with("expect", json!({"serial": serial(name)}))
}

fn expected() -> Entry {
    let token = pinned("a");
    script_accept(
        "destination/expect-of-the-token",
        "DESTINATION-1",
        "The token's expect is the destination's.",
    )
    .also("EXPECT-3")
    .world(&World::usual().token(&token))
    .step("join", NOW, join(&machine("a"), &token), joined("n1"))
    .why("The machine that the token names lands where the token says.")
    .recipe(RECIPE)
}

fn other_machine() -> Entry {
    let token = pinned("b");
    script_reject(
        "destination/expects-another",
        "DESTINATION-1",
        "A machine that the destination does not expect is refused.",
    )
    .also("EXPECT-3")
    .world(&World::usual().token(&token))
    .step("join", NOW, join(&machine("a"), &token), refused("expect"))
    .twin(
        "destination/expect-of-the-token",
        &["/world/tokens/0/expect/serial"],
        "Another machine is expected.",
    )
    .why("The expect belongs to the token's row, like pool and role.")
    .recipe(RECIPE)
}

/// A node of the pool, expired.
fn expired() -> Enrolled {
    enrolled("a", &machine("a"), "2025-12-30T12:00:00Z")
}

fn own_place() -> Entry {
    let node_of = expired().with("poolId", pool("aa")).with("siteId", site("a"));
    let node_of = node_of.clone().holding(node_of.issue(&node_of.key, "2025-12-30T12:00:00Z", 86400, &[]));
    let title = "A machine that is back by x509pop lands in its node's own pool and site.";
    script_accept("destination/x509pop-own-pool", "DESTINATION-1", title)
        .also("X509POP-3")
        .world(&World::usual().enrolled(&node_of))
        .step(
            "join",
            NOW,
            x509pop(&machine("a").rekeyed("back"), &node_of, &node_of.key),
            reclaimed(&node("a"), "c1"),
        )
        .why("There is no token; the stored leaf and its node decide.")
        .recipe(RECIPE)
}

fn role_selects_nothing() -> Entry {
    let node_of = expired();
    let title = "The role that an x509pop join asks for selects nothing: the leaf gets the stored one.";
    script_accept("destination/x509pop-role-asked", "DESTINATION-1", title)
        .also("X509POP-3")
        .world(&World::usual().enrolled(&node_of))
        .step(
            "join",
            NOW,
            x509pop(&machine("a").rekeyed("back"), &node_of, &node_of.key).role("site"),
            reclaimed(&node("a"), "c1"),
        )
        .why("A node must not come back as a site agent; the client's own check (RESPONSE-4) refuses what it did not ask for.")
        .recipe(RECIPE)
}

fn site_agent_asks_for_node() -> Entry {
    let agent = expired().with("kind", "site").with("certificateRole", "site");
    let agent = agent.clone().holding(agent.issue(&agent.key, "2025-12-30T12:00:00Z", 86400, &[]));
    let title = "A site agent that asks for node by x509pop stays a site agent.";
    script_accept("destination/x509pop-site-agent", "DESTINATION-1", title)
        .also("X509POP-3")
        .world(&World::usual().enrolled(&agent))
        .step(
            "join",
            NOW,
            x509pop(&machine("a").rekeyed("back"), &agent, &agent.key),
            reclaimed(&node("a"), "c1"),
        )
        .why("The role comes from the stored leaf in both directions.")
        .recipe(RECIPE)
}

fn no_expect() -> Entry {
    let title = "An x509pop join has no expect: a machine whose identifiers have all changed comes back.";
    let node_of = expired();
    let changed = machine("b").rekeyed("back");
    script_accept("destination/x509pop-no-expect", "DESTINATION-1", title)
        .also("X509POP-3")
        .world(&World::usual().token(&pinned("a").with("usesLeft", 0)).enrolled(&node_of.clone().with("tokenId", pinned("a").bearer.id)))
        .step("join", NOW, x509pop(&changed, &node_of, &node_of.key), reclaimed(&node("a"), "c1"))
        .why("The board was replaced during the outage; the token by which the node once joined expects nothing any more.")
        .recipe("A node whose used token was bound to the serial of the old board.")
}
