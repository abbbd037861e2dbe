//! Which node the machine's key belongs to: over all live nodes of the deployment, and trusted keys alone.

use serde_json::{Value, json};

use super::{ISSUED, RECIPE, back, comes_back, good, issued, old, token, with};
use crate::case::{Entry, NOW};
use crate::script::{Expectation, join, joined, reclaimed, refused, script_accept, script_reject};
use crate::testkit::request::claims;
use crate::testkit::world::{
    Enrolled, Grant, Machine, World, enrolled, grant, machine, node, pool, site, tenant,
};

const RULE: &str = "RECLAIM-1";
/// The machine is not known.
const UNKNOWN: &str = "reclaim/unknown-machine";
const UNKNOWN_PLAIN: &str = "reclaim/unknown-machine-plain-token";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = vec![
        unknown(
            UNKNOWN,
            "A machine that no node has joins as a new one with a token that allows a reclaim.",
            &token(),
        ),
        unknown(UNKNOWN_PLAIN, "A machine that no node has joins as a new one with a plain token.", &plain()),
        new_node_key(),
        same_node_key(),
        same_node_key_plain(),
        joined_before(),
        joined_before_plain(),
    ];
    all.extend(other_identifiers());
    all.extend(network_card());
    all.extend(elsewhere());
    all.extend(untrusted());
    all
}

/// The usual token without the right to reclaim.
fn plain() -> Grant {
    token().with("allowReclaim", false)
}

/// A world with only another machine's node.
fn strange(token: &Grant) -> World {
    with(&enrolled("b", &machine("b"), ISSUED), token)
}

fn unknown(id: &str, title: &str, token: &Grant) -> Entry {
    script_accept(id, RULE, title)
        .world(&strange(token))
        .step("join", NOW, comes_back(), joined("n1"))
        .why("The right to reclaim is no duty: the same token serves the new machines of the pool.")
        .recipe(RECIPE)
}

fn new_node_key() -> Entry {
    let title = "A machine that belongs to a node and joins with a new node key gets that node back.";
    good("new-node-key", RULE, title, &with(&old(), &token()).enrolled(&enrolled("b", &machine("b"), ISSUED)))
        .also("RECLAIM-3")
        .documented()
        .why("A reinstall loses the node key and not the machine. The node of another machine is left alone.")
}

fn same_node_key() -> Entry {
    let title = "A machine that belongs to a node and joins again with the same node key is reclaimed too.";
    script_accept("reclaim/same-node-key", RULE, title)
        .world(&with(&old(), &token()))
        .step("join", NOW, join(&machine("a"), &token()), reclaimed(&node("a"), "new"))
        .why("A machine that lost only its certificate: the node key proves nothing here, new or old.")
        .recipe(RECIPE)
}

fn same_node_key_plain() -> Entry {
    let title = "A known machine that joins again with the same node key and a plain token is refused.";
    script_reject("reclaim/same-node-key-plain-token", RULE, title)
        .world(&with(&old(), &plain()))
        .step("join", NOW, join(&machine("a"), &token()), refused("reclaim"))
        .twin("reclaim/same-node-key", &["/world/tokens/0/allowReclaim"], "the token allows no reclaim")
        .why("Whoever can present the old key renews; a join that presents it is a reclaim like any other.")
        .recipe(RECIPE)
}

/// Two joins of a machine, the second after a reinstall and with another token.
fn twice(entry: Entry, second: &Grant, expected: impl Into<Expectation>) -> Entry {
    let first = grant("first");
    entry
        .world(&World::usual().token(&first).token(second))
        .step("first", NOW, join(&machine("a"), &first), joined("n1"))
        .step("second", "2026-01-01T00:10:00.000Z", comes_back(), expected)
        .recipe("A machine joins, is reinstalled and joins again with another token of the pool.")
}

fn joined_before() -> Entry {
    let title =
        "A machine that joined a moment ago and joins again with a new key gets the node of its first join.";
    twice(script_accept("reclaim/joined-before", RULE, title), &token(), reclaimed("$n1", "new"))
        .why("The key that the first join wrote is the key that the second looks up.")
}

fn joined_before_plain() -> Entry {
    let title = "A machine that joined a moment ago does not join again with a plain token.";
    twice(script_reject("reclaim/joined-before-plain-token", RULE, title), &plain(), refused("reclaim"))
        .twin(
            "reclaim/joined-before",
            &["/world/tokens/1/allowReclaim"],
            "the second token allows no reclaim",
        )
        .why("Two live nodes never share a trusted key, or one machine fills the pool.")
}

/// Machine a with other values of some claims, after its reinstall.
fn differing(values: &[(&str, Value)]) -> Machine {
    let mut changed = machine("a").claims;
    let given = claims(values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect());
    values.iter().for_each(|(name, _)| changed[*name] = given[*name].clone());
    back().claiming(changed)
}

fn other_identifiers() -> Vec<Entry> {
    let row = |name: &str, title: &str, machine: &Machine| {
        script_accept(&format!("reclaim/{name}"), RULE, title)
            .also("HARDWARE-KEY-2")
            .world(&with(&old(), &token()))
            .step("join", NOW, join(machine, &token()), joined("n1"))
            .recipe(RECIPE)
    };
    let serial = differing(&[("productSerial", json!("SN-OTHER-7"))]);
    let uuid = differing(&[("productUuid", json!("7d1e0c52-9a3b-4c6f-8e21-55aa0b7c9d10"))]);
    vec![
        row(
            "another-serial",
            "A machine that shares the product UUID of a node, and no serial, is a new node.",
            &serial,
        )
        .why("Boards of one faulty batch carry one UUID; one identifier alone makes no machine."),
        row(
            "another-uuid",
            "A machine that shares the serial of a node, and not its UUID, is a new node.",
            &uuid,
        )
        .why("Vendors number from one; two makes can have the same serial."),
    ]
}

/// A replaced network card, under each way to select the identifiers.
fn network_card() -> Vec<Entry> {
    let card = differing(&[("permanentMacs", json!(["94:de:80:00:00:01"]))]);
    let row = |value: &str, title: &str, expected: Expectation| {
        script_accept(&format!("reclaim/network-card-{value}"), RULE, title)
            .also("HARDWARE-KEY-2")
            .choice("hwkey.selection", value)
            .world(&with(&old(), &token()))
            .step("join", NOW, join(&card, &token()), expected)
            .recipe(RECIPE)
    };
    vec![
        row(
            "stable",
            "Under stable a machine with another network card is the same machine.",
            reclaimed(&node("a"), "new"),
        )
        .why("UUID and serial are soldered or printed on; a card is replaced."),
        row("all", "Under all a machine with another network card is a new node.", joined("n1"))
            .why("Every identifier is in the key, so each change of one makes another key."),
    ]
}

/// Refused, and nothing in the event tells where the node is.
fn silent() -> Expectation {
    ["nodeId", "poolId", "siteId", "generation", "spkiSha256", "oldSpkiSha256", "serial"]
        .iter()
        .fold(refused("reclaim"), |expected, member| {
            expected.with(&format!("/effects/events/0/{member}"), json!({"$absent": true}))
        })
}

/// The machine's node is somewhere else: owner, pool and site, with a certificate for it.
fn placed(owner: &str, name: &str, at: &str) -> Enrolled {
    issued(old().with("tenant", tenant(owner)).with("poolId", pool(name)).with("siteId", site(at)))
}

fn elsewhere() -> Vec<Entry> {
    let row = |name: &str, title: &str, placed: &Enrolled, token: &Grant| {
        let twin = if token.row["allowReclaim"] == true { UNKNOWN } else { UNKNOWN_PLAIN };
        script_reject(&format!("reclaim/elsewhere-{name}"), RULE, title)
            .also("RECLAIM-2")
            .world(&with(placed, token))
            .step("join", NOW, comes_back(), silent())
            .twin(twin, &["/world/nodes/0", "/world/certs/0"], "the machine belongs to a node elsewhere")
            .recipe(RECIPE)
    };
    vec![
        row(
            "another-tenant",
            "A machine that is a node of another tenant is refused, and the event does not say whose it is.",
            &placed("b", "b", "r00t"),
            &token(),
        )
        .why("Whoever claims an identity first blocks it; the second hears that, and not by whom."),
        row(
            "another-tenant-plain-token",
            "A machine that is a node of another tenant is refused with a plain token too.",
            &placed("b", "b", "r00t"),
            &plain(),
        )
        .why("Without the lookup over all pools one machine would be two nodes with one trusted key."),
        row(
            "root-tenant",
            "A machine that is a node of the root tenant is refused.",
            &placed("r00t", "r00t", "r00t"),
            &token(),
        )
        .why("The platform's own machines least of all may be taken over by a tenant's token."),
        row(
            "another-pool",
            "A machine that is a node in another pool of the same tenant and site is refused.",
            &placed("a", "ac", "r00t"),
            &token(),
        )
        .why("A token is for one pool; the tenant's other pools may ask for more than a token."),
        row(
            "another-site",
            "A machine that is a node in another site of the same tenant is refused.",
            &placed("a", "aa", "a"),
            &token(),
        )
        .why("A machine that moved is retired first, so that two sites never claim it at once."),
    ]
}

/// A machine that says nothing but its serial: one kind, no trusted key.
fn anonymous() -> Machine {
    machine("a").claiming(claims(json!({"productSerial": "SN-LONELY-1"})))
}

/// A machine that says MAC and GPU alone: two kinds, and neither UUID nor serial (HARDWARE-KEY-3).
fn cards() -> Machine {
    let gpu = "GPU-41255406-c9af-f94b-4ebf-9d57ad1853da";
    machine("a").claiming(claims(json!({"permanentMacs": ["94:de:80:06:f8:d5"], "gpuUuids": [gpu]})))
}

fn untrusted() -> Vec<Entry> {
    let pinned = |expect: Value| token().with("expect", expect).uses(2);
    let serial = pinned(json!({"serial": "sn-lonely-1"}));
    let mac = pinned(json!({"mac": "94:de:80:06:f8:d5"}));
    let known = |machine: &Machine, token: &Grant| with(&enrolled("a", machine, ISSUED), token);
    let row = |name: &str, title: &str, machine: &Machine, token: &Grant| {
        let first = machine.clone().rekeyed("new");
        let second = machine.clone().rekeyed("newer");
        script_accept(&format!("reclaim/untrusted-{name}"), RULE, title)
            .also("HARDWARE-KEY-3")
            .world(&known(machine, token))
            .step("first", NOW, join(&first, token), joined("n1").untrusted())
            .step("second", "2026-01-01T00:10:00.000Z", join(&second, token), joined("n2").untrusted())
            .recipe("A pinned token that allows a reclaim, and two joins of a machine that is a node.")
    };
    vec![
        row(
            "one-kind",
            "A machine that shows a serial alone is a new node at each join by a pinned token.",
            &anonymous(),
            &serial,
        )
        .why("What cannot tell two machines apart is never looked up, and may be shared."),
        row(
            "cards",
            "A machine that shows cards alone is a new node at each join by a pinned token.",
            &cards(),
            &mac,
        )
        .why("Another node has that key as a trusted one; this join's key is untrusted all the same."),
    ]
}
