//! What a token must be to reclaim a node: allowed to, and of the same tenant, site, pool and role.

use super::{GOOD, RECIPE, back, bad, good, issued, old, token, with};
use crate::case::{Entry, NOW};
use crate::script::{join, reclaimed, refused, script_accept, script_reject};
use crate::testkit::world::{Enrolled, Grant, World, node, pool, site, tenant};

const RULE: &str = "RECLAIM-2";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = vec![same_place(), own_site(), node_tenant(), node_tenant_plain(), keeps_its_use()];
    all.extend(token_alone());
    all.extend(node_alone());
    all.extend(moved_pool());
    for role in ["site", "ramdisk"] {
        all.push(same_role(role));
        all.push(other_kind(role));
        all.push(other_token(role));
    }
    all
}

fn same_place() -> Entry {
    let title = "A token that allows a reclaim, of the node's tenant, site, pool and role, reclaims it.";
    good("same-place", RULE, title, &with(&old(), &token()))
        .also("RECLAIM-3")
        .documented()
        .why("The one combination that is admitted; each refused neighbour differs from it in one thing.")
}

fn own_site() -> Entry {
    let here = issued(old().with("poolId", pool("aa")).with("siteId", site("a")));
    let title = "In a tenant's own site a token of that pool reclaims its node.";
    good("own-site", RULE, title, &with(&here, &token().of("a", "aa")))
        .documented()
        .why("Sites are compared with each other and never with a particular one.")
}

/// The node's certificate role was lowered (HOSTED-2); its kind is `node` all the same.
fn lowered() -> Enrolled {
    issued(old().with("certificateRole", "node-tenant"))
}

fn node_tenant() -> Entry {
    let title = "A token of role node reclaims a node of kind node whose certificate role is node-tenant.";
    good("node-tenant", RULE, title, &with(&lowered(), &token())).also("HOSTED-2").why(
        "Certificate roles say whom the platform trusts, kinds what a machine is: only the kind is compared.",
    )
}

fn node_tenant_plain() -> Entry {
    let title = "A node of certificate role node-tenant is not reclaimed by a token that allows none.";
    bad("node-tenant-plain-token", RULE, title, &with(&lowered(), &token().with("allowReclaim", false)))
        .documented()
        .twin("reclaim/node-tenant", &["/world/tokens/0/allowReclaim"], "the token allows no reclaim")
        .why("A lowered node is still its tenant's.")
}

fn keeps_its_use() -> Entry {
    let world = |from: Enrolled| World::usual().token(&token()).token(&grant_of_pool_ac()).enrolled(&from);
    let title = "After a refused reclaim the node is untouched, and the right token reclaims it.";
    script_accept("reclaim/wrong-token-first", RULE, title)
        .also("ADMISSION-2")
        .documented()
        .world(&world(old()))
        .step("wrong", NOW, join(&back(), &grant_of_pool_ac()), refused("reclaim"))
        .step("right", "2026-01-01T00:01:00.000Z", join(&back(), &token()), reclaimed(&node("a"), "new"))
        .why("A refusal that half reclaims leaves the machine without any certificate.")
        .recipe("A join with a token of another pool, then one with the right token.")
}

fn grant_of_pool_ac() -> Grant {
    crate::testkit::world::grant("wrong").reclaims().of("a", "ac")
}

/// The token differs from the good one in single members.
fn token_alone() -> Vec<Entry> {
    let row = |name: &str, title: &str, token: &Grant, at: &[&str], what: &str| {
        bad(name, RULE, title, &with(&old(), token)).documented().twin(GOOD, at, what)
    };
    let pool_at = "/world/tokens/0/poolId";
    vec![
        row(
            "plain-token",
            "A token without allowReclaim reclaims nothing.",
            &token().with("allowReclaim", false),
            &["/world/tokens/0/allowReclaim"],
            "the token allows no reclaim",
        )
        .why("A token for new machines must not take over old ones: anyone can read identifiers."),
        row(
            "token-of-another-pool",
            "A token of another pool of the same tenant and site reclaims nothing here.",
            &token().of("a", "ac"),
            &[pool_at],
            "the token is of pool ac",
        )
        .why("Whoever may fill one pool must not empty another."),
        row(
            "token-of-another-site",
            "A token of the same tenant's pool in another site reclaims nothing here.",
            &token().of("a", "aa"),
            &[pool_at],
            "the token is of pool aa, in another site",
        )
        .why("The certificate would name a site in which the machine does not stand."),
        row(
            "token-of-another-tenant",
            "A token of another tenant's pool in the same site reclaims nothing here.",
            &token().of("b", "b"),
            &[pool_at, "/world/tokens/0/tenant"],
            "the token is of tenant b's pool",
        )
        .why("One tenant would take over the machines of another by spelling their serials."),
        row(
            "token-of-the-root-tenant",
            "A token of the root tenant's pool in the same site reclaims no node of a tenant.",
            &token().of("r00t", "r00t"),
            &[pool_at, "/world/tokens/0/tenant"],
            "the token is of the root tenant's pool",
        )
        .why("The root tenant can see and retire such a node, and that is loud; a token of its pool is not."),
        row(
            "token-tenant-alone",
            "A token whose tenant is not the node's reclaims nothing, even in the node's own pool.",
            &token().with("tenant", tenant("b")),
            &["/world/tokens/0/tenant"],
            "the token's tenant is b",
        )
        .also("ADMISSION-1")
        .why("Tenant and pool are compared each for itself, and before the pool is looked at."),
    ]
}

/// The node differs from the good one in a single member.
fn node_alone() -> Vec<Entry> {
    let row = |member: &str, title: &str, value: String, what: &str| {
        let at = format!("/world/nodes/0/{member}");
        bad(
            &format!("node-{}-alone", member.to_ascii_lowercase()),
            RULE,
            title,
            &with(&old().with(member, value), &token()),
        )
        .documented()
        .twin(GOOD, &[at.as_str()], what)
    };
    vec![
        row(
            "tenant",
            "A node whose tenant alone is another is not reclaimed.",
            tenant("b"),
            "the node is tenant b's",
        )
        .why("A pool that changed hands keeps nodes of its former owner; they stay his."),
        row(
            "siteId",
            "A node whose site alone is another is not reclaimed.",
            site("a"),
            "the node stands in another site than its pool",
        )
        .why("A pool that moved leaves nodes behind; they stay where they are."),
        row(
            "poolId",
            "A node whose pool alone is another is not reclaimed.",
            pool("ac"),
            "the node is in pool ac",
        )
        .why("Pool ac has acceptance checks: by a detour over another pool they would be skipped."),
        row(
            "kind",
            "A node whose kind alone is another is not reclaimed.",
            "site".into(),
            "the node is a site agent",
        )
        .why("Site agents have rights that nodes have not: a node's token must not give them away."),
    ]
}

fn moved_pool() -> Vec<Entry> {
    let here = issued(old().with("siteId", site("a")));
    let world = with(&here, &token()).pool("a", "siteId", site("a"));
    let title = "A pool that moved to another site together with its nodes reclaims them.";
    let stale = with(&here, &token());
    vec![
        good("pool-moved", RULE, title, &world).why(
            "The token's site is that of its pool at the time of the join; nothing is kept in the token.",
        ),
        bad(
            "pool-moved-back",
            RULE,
            "A pool that moved away from its node's site reclaims that node no more.",
            &stale,
        )
        .twin("reclaim/pool-moved", &["/world/pools/1/siteId"], "the pool is in another site than the node")
        .why("A machine does not move because a row does."),
    ]
}

/// A node of this kind and role.
fn of_kind(role: &str) -> Enrolled {
    issued(old().with("kind", role).with("certificateRole", role))
}

fn same_role(role: &str) -> Entry {
    let token = token().with("role", role);
    let title = format!("A token of role {role} reclaims a node of kind {role}.");
    script_accept(&format!("reclaim/kind-{role}"), RULE, &title)
        .documented()
        .world(&with(&of_kind(role), &token))
        .step("join", NOW, join(&back(), &token).role(role), reclaimed(&node("a"), "new"))
        .why("Each kind of machine comes back by a token of its own role.")
        .recipe(RECIPE)
}

/// The token's role is right and the node is an ordinary one.
fn other_kind(role: &str) -> Entry {
    let token = token().with("role", role);
    let title = format!("A token of role {role} does not reclaim a node of kind node.");
    script_reject(&format!("reclaim/kind-node-by-{role}"), RULE, &title)
        .documented()
        .world(&with(&old(), &token))
        .step("join", NOW, join(&back(), &token).role(role), refused("reclaim"))
        .twin(
            &format!("reclaim/kind-{role}"),
            &["/world/nodes/0/kind", "/world/nodes/0/certificateRole", "/world/certs/0/der"],
            "the node is of kind node",
        )
        .why("The machine would come back with other rights than it had.")
        .recipe(RECIPE)
}

/// An ordinary token meets a node of this kind.
fn other_token(role: &str) -> Entry {
    let title = format!("A token of role node does not reclaim a node of kind {role}.");
    bad(&format!("kind-{role}-by-node"), RULE, &title, &with(&of_kind(role), &token()))
        .documented()
        .twin(
            GOOD,
            &["/world/nodes/0/kind", "/world/nodes/0/certificateRole", "/world/certs/0/der"],
            &format!("the node is of kind {role}"),
        )
        .why("The kind of a machine is not changed by whoever holds a token for another.")
}
