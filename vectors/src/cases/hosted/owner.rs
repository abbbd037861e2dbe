//! When the platform owns a pool, what counts as operated, and which nodes are their tenant's own.

use serde_json::{Value, json};

use super::table::{hosted_in, operated};
use crate::case::{Entry, NOW};
use crate::script::{join, joined, script_accept};
use crate::testkit::world::{Grant, World, grant, machine, site, tenant};

const RECIPE: &str =
    "An honest join with a token of the pool; then look at the certificate role and the node's row.";

pub(super) fn entries() -> Vec<Entry> {
    let mut entries = vec![
        custom_site(),
        foreign_site(),
        other_owner(),
        no_root(),
        no_root_custom(),
        no_root_foreign(),
        claims_do_not_count(),
    ];
    entries.extend(not_true());
    entries.extend(tenant_owned());
    entries.extend(other_roles());
    entries
}

/// A join with this token in this world, and the role and ownership that it leads to.
fn case(id: &str, rule: &str, title: &str, (world, token): (World, Grant), role: &str) -> Entry {
    script_accept(&format!("hosted/{id}"), rule, title)
        .world(&world.token(&token))
        .step("join", NOW, join(&machine("a"), &token), joined("n1").role(role))
        .recipe(RECIPE)
}

/// The platform's pool, which is operated, and a hosted token of it.
fn platform() -> (World, Grant) {
    (World::usual(), hosted_in(("r00t", "r00t")))
}

/// Tenant a's pool in its own site, which is not custom; the pool says that it is operated.
fn own_site() -> (World, Grant) {
    let world = World::usual().set("/sites/1/custom", false).pool("aa", "policy", operated(true));
    (world, hosted_in(("a", "aa")))
}

fn custom_site() -> Entry {
    let (world, token) = platform();
    let title = "A hosted token of the root tenant's pool in a custom site gives node-tenant.";
    case("custom-site", "HOSTED-1", title, (world.set("/sites/0/custom", true), token), "node-tenant")
        .documented()
        .why("A custom site is run by its tenant, even where that tenant is the root tenant.")
}

fn foreign_site() -> Entry {
    let (world, token) = platform();
    let world = world.set("/sites/1/custom", false).pool("r00t", "siteId", site("a"));
    let title = "A hosted token of the root tenant's pool in a site of another tenant gives node-tenant.";
    case("foreign-site", "HOSTED-1", title, (world, token), "node-tenant")
        .documented()
        .why("Who owns the site has the machines in hand; the pool's owner alone does not make them the platform's.")
}

fn other_owner() -> Entry {
    let title = "Where a root tenant is named, a hosted token of another tenant's pool in its own site gives node-tenant.";
    case("not-the-root-tenant", "HOSTED-1", title, own_site(), "node-tenant")
        .also("HOSTED-2")
        .documented()
        .why("Owner of pool and site alike, the tenant would otherwise vouch for itself. The node is tenant-owned too.")
}

fn no_root() -> Entry {
    let (world, token) = own_site();
    let title = "Where no root tenant is named, the owner of pool and site is the platform, and a hosted token gives node.";
    case("no-root-tenant", "HOSTED-1", title, (world.set("/rootTenant", Value::Null), token), "node")
        .documented()
        .why("A deployment without tenants of its own names none; its one owner is the platform.")
}

fn no_root_custom() -> Entry {
    let (world, token) = own_site();
    let world = world.set("/rootTenant", Value::Null).set("/sites/1/custom", true);
    let title = "Where no root tenant is named, a hosted token of a pool in a custom site gives node-tenant.";
    case("no-root-tenant-custom", "HOSTED-1", title, (world, token), "node-tenant")
        .documented()
        .why("The two other conditions hold without a root tenant too: here the site is custom.")
}

fn no_root_foreign() -> Entry {
    let world = World::usual().set("/rootTenant", Value::Null).pool("a", "policy", operated(true));
    let title =
        "Where no root tenant is named, a hosted token of a pool in another tenant's site gives node-tenant.";
    case("no-root-tenant-foreign", "HOSTED-1", title, (world, hosted_in(("a", "a"))), "node-tenant")
        .documented()
        .why("The two other conditions hold without a root tenant too: here the site has another owner.")
}

fn not_true() -> Vec<Entry> {
    let values = [
        ("text", json!("true")),
        ("one", json!(1)),
        ("object", json!({"value": true})),
        ("list", json!([true])),
        ("false", json!(false)),
        ("null", Value::Null),
    ];
    let entry = |(name, value): (&str, Value)| {
        let (world, token) = platform();
        let title =
            format!("A platformOperated of {value} is not true, and a hosted token gives node-tenant.");
        let world = world.pool("r00t", "policy", operated(value));
        case(&format!("operated-{name}"), "HOSTED-1", &title, (world, token), "node-tenant")
            .why("A policy is written by people; what only looks like true must not give the platform's secrets away.")
    };
    values.into_iter().map(entry).collect()
}

fn tenant_owned() -> Vec<Entry> {
    let entry = |id: &str, title: &str, world: World, place: (&str, &str)| {
        let token = grant("plain").of(place.0, place.1);
        case(id, "HOSTED-2", title, (world, token), "node")
            .why("Ownership is a property of the node's row, apart from the certificate role: either keeps secrets away.")
    };
    let custom = "A plain token of a tenant's pool in its own custom site gives the role node and a tenant-owned node.";
    let own = "Where a root tenant is named, another tenant's pool in its own site makes tenant-owned nodes, custom or not.";
    let platform =
        "Where no root tenant is named, a pool in a site of its owner that is not custom is the platform's.";
    let root_custom = "The root tenant's pool in its own custom site makes tenant-owned nodes.";
    let (own_world, _) = own_site();
    vec![
        entry("plain-own-custom-site", custom, World::usual(), ("a", "aa")),
        entry("plain-own-site", own, own_world.clone(), ("a", "aa")),
        entry("plain-no-root-tenant", platform, own_world.set("/rootTenant", Value::Null), ("a", "aa")),
        entry(
            "plain-root-custom-site",
            root_custom,
            World::usual().set("/sites/0/custom", true),
            ("r00t", "r00t"),
        ),
    ]
}

fn claims_do_not_count() -> Entry {
    let (world, token) = (World::usual(), hosted_in(("a", "a")));
    let mut machine = machine("a");
    machine.claims["hostname"] =
        crate::testkit::request::claims(json!({"hostname": "platform"}))["hostname"].clone();
    let title = "A hostname that names the platform changes nothing about the role of a hosted join.";
    script_accept("hosted/claims-do-not-count", "HOSTED-2", title)
        .documented()
        .world(&world.token(&token))
        .step("join", NOW, join(&machine, &token), joined("n1").role("node-tenant"))
        .why("Whoever is root on the machine writes its claims.")
        .recipe(RECIPE)
}

/// Roles that the page never touches.
fn other_roles() -> Vec<Entry> {
    let entry = |role: &str| {
        let token = grant("other role").of("a", "aa").with("role", role);
        let title = format!("A token of the role {role} gives that role, whoever owns pool and site.");
        script_accept(&format!("hosted/role-{role}"), "HOSTED-2", &title)
            .world(&World::usual().set("/rootTenant", tenant("r00t")).token(&token))
            .step("join", NOW, join(&machine("a"), &token).role(role), joined("n1"))
            .why("Site agents and RAM disks are no nodes of a cluster; the page lowers and raises node roles only.")
            .recipe(RECIPE)
    };
    vec![entry("site"), entry("ramdisk")]
}
