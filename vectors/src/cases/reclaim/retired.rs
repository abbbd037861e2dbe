//! Retirement, and what a retired node's key means for the machine that comes again.

use serde_json::json;

use super::{ISSUED, RECIPE, back, comes_back, issued, old, token, with};
use crate::case::{Entry, NOW};
use crate::script::{
    Expectation, accepted, enqueue, join, joined, reclaimed, refused, renew, renewed, retire, retired,
    script_accept, script_reject, x509pop,
};
use crate::testkit::keys::key;
use crate::testkit::request::claims;
use crate::testkit::world::{
    Enrolled, Grant, Machine, World, cert_row, enrolled, grant, machine, node, pool, site, tenant,
};

const RULE: &str = "RECLAIM-4";
const CHOICE: &str = "reclaim.retired";
const LATER: &str = "2026-01-01T00:01:00.000Z";
const LATER_STILL: &str = "2026-01-01T00:02:00.000Z";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = vec![retires(), again(), unknown(), reclaimed_before(), others_stay(), retired_by_steps()];
    all.extend(permissions());
    all.extend([live_by_certificate(), retired_by_certificate()]);
    for allows in [true, false] {
        all.push(new_node(allows));
        all.push(refuse(allows));
        all.push(stranger_under_refuse(allows));
    }
    all.extend(elsewhere());
    all.extend(live_beside());
    all.extend(untrusted());
    all
}

/// Node a, retired in the past, its certificate revoked then.
fn gone() -> Enrolled {
    old().with("retired", true).with_cert("revoked", "retired")
}

fn given(allows: bool) -> Grant {
    token().with("allowReclaim", allows)
}

/// With or without the right to reclaim, as part of an id and of a sentence.
fn words(allows: bool) -> (&'static str, &'static str) {
    if allows { ("reclaiming", "a token that allows a reclaim") } else { ("plain", "a plain token") }
}

fn retiring(name: &str, title: &str, world: &World) -> Entry {
    script_accept(&format!("reclaim/{name}"), RULE, title)
        .world(world)
        .step("retire", NOW, retire(&node("a")), retired(&node("a")))
        .recipe("Retire a node.")
}

fn retires() -> Entry {
    let further = |name: &str, at: &str| {
        cert_row(&node("a"), 1, &old().issue(&key(&format!("machine {name}")), at, 86400, &[]))
    };
    let mut revoked = further("revoked", "2025-12-30T12:00:00Z");
    revoked["revoked"] = json!("reclaimed");
    let world = World::usual()
        .enrolled(&old())
        .push("certs", &revoked)
        .push("certs", &further("expired", "2025-12-20T12:00:00Z"))
        .push("certs", &further("renewed", "2025-12-31T13:00:00Z"));
    let title =
        "Retiring a node revokes each certificate that is not revoked, the expired ones too, and is audited.";
    retiring("retire", title, &world)
        .why("The end of a node ends all that it holds; each certificate has its event, reason retired.")
}

fn again() -> Entry {
    let title = "Retiring a retired node again changes and tells nothing.";
    retiring("retire-again", title, &World::usual().enrolled(&old()))
        .step("again", LATER, retire(&node("a")), accepted(json!({})))
        .why("An operator who presses twice retires once.")
}

fn unknown() -> Entry {
    let title = "A node that is not there cannot be retired.";
    script_reject("reclaim/retire-unknown", RULE, title)
        .world(&World::usual().enrolled(&old()))
        .step("retire", NOW, retire(&node("b")), refused("NOT_FOUND"))
        .twin("reclaim/retire-again@retire", &["/steps/0/request/nodeId"], "the id is of no node")
        .why("A slip in the id must be heard; the operator believes the machine is out.")
        .recipe("Retire a node that was never there.")
}

fn reclaimed_before() -> Entry {
    let title = "Retiring a reclaimed node revokes what the reclaim issued, and nothing twice.";
    script_accept("reclaim/retire-after-reclaim", RULE, title)
        .also("RECLAIM-3")
        .world(&with(&old(), &token()))
        .step("join", NOW, comes_back(), reclaimed(&node("a"), "new"))
        .step("retire", LATER, retire(&node("a")), retired(&node("a")))
        .why("The first was revoked as reclaimed and stays so; the reason tells how each certificate ended.")
        .recipe("A reclaim, then retire the node.")
}

fn others_stay() -> Entry {
    let other = enrolled("b", &machine("b"), ISSUED);
    let title = "Retiring a node leaves the other nodes of its pool as they are.";
    retiring("retire-one", title, &World::usual().enrolled(&old()).enrolled(&other))
        .step("renew", LATER, renew(&machine("b").rekeyed("next"), &other, &other.key), renewed("next"))
        .why("Its neighbour renews a minute later.")
}

fn retired_by_steps() -> Entry {
    let first = grant("first");
    let title = "A machine joins, is retired, joins as a new node, and it is the new node that it reclaims.";
    script_accept("reclaim/retire-and-return", RULE, title)
        .choice(CHOICE, "new-node")
        .world(&World::usual().token(&first).token(&token().uses(2)))
        .step("first", NOW, join(&machine("a"), &first), joined("n1"))
        .step("retire", LATER, retire("$n1"), retired("$n1"))
        .step("second", LATER_STILL, join(&back(), &token()), joined("n2"))
        .step(
            "third",
            "2026-01-01T00:03:00.000Z",
            join(&machine("a").rekeyed("newer"), &token()),
            reclaimed("$n2", "c3"),
        )
        .why("The old row stays as it was retired; the machine's key is now the new node's.")
        .recipe("A join, a retirement, and two further joins by a token that allows reclaims.")
}

/// A retired node does not renew, come back by certificate, or get commands.
fn permissions() -> Vec<Entry> {
    let next = || machine("a").rekeyed("next");
    let live = || {
        script_accept(
            "reclaim/before-retirement",
            RULE,
            "A node that is not retired renews and gets commands.",
        )
        .also("CERTIFICATE-6")
        .world(&World::usual().enrolled(&old()))
        .step("renew", NOW, renew(&next(), &old(), &old().key), renewed("next"))
        .step("enqueue", LATER, enqueue(&node("a"), "node.reboot"), accepted(json!({})))
        .why("What a retirement ends.")
        .recipe("A node in its pool; a renewal and a command.")
    };
    let row = |name: &str, title: &str| {
        script_reject(&format!("reclaim/{name}"), RULE, title)
            .world(&World::usual().enrolled(&old()))
            .step("retire", NOW, retire(&node("a")), retired(&node("a")))
            .recipe("Retire a node; then what its machine tries.")
    };
    let what = "the node is retired first";
    vec![
        live(),
        row("retired-renews", "The certificate of a node that was retired renews no more.")
            .step("renew", LATER, renew(&next(), &old(), &old().key), refused("cert-revoked"))
            .twin("reclaim/before-retirement@renew", &["/steps/0", "/steps/1"], what)
            .why("The retired node keeps no permission; its certificate is revoked with it."),
        row("retired-commanded", "A retired node gets no commands.")
            .also("CERTIFICATE-6")
            .step("enqueue", LATER, enqueue(&node("a"), "node.reboot"), refused("INVALID_STATE"))
            .twin("reclaim/before-retirement", &["/steps/0"], what)
            .why("Nobody is there to take them."),
    ]
}

/// Of two neighbours this one is retired; a day later node a comes back by its expired certificate.
fn a_day_later(entry: Entry, retires: &str, expected: impl Into<Expectation>) -> Entry {
    entry
        .world(&World::usual().enrolled(&old()).enrolled(&enrolled("b", &machine("b"), ISSUED)))
        .step("retire", NOW, retire(&node(retires)), retired(&node(retires)))
        .step("join", "2026-01-02T00:00:00.000Z", x509pop(&back(), &old(), &old().key), expected)
        .recipe("Retire one of two nodes; a day later one of them returns by its expired certificate.")
}

fn live_by_certificate() -> Entry {
    let title = "A node whose neighbour was retired comes back by its expired certificate.";
    a_day_later(
        script_accept("reclaim/live-by-certificate", RULE, title).also("X509POP-1"),
        "b",
        reclaimed(&node("a"), "new"),
    )
    .why("Retirement ends one node.")
}

fn retired_by_certificate() -> Entry {
    let title = "A node that was retired does not come back by its certificate when that has expired.";
    a_day_later(
        script_reject("reclaim/retired-by-certificate", RULE, title).also("X509POP-5"),
        "a",
        refused("cert-revoked"),
    )
    .twin("reclaim/live-by-certificate", &["/steps/0/request/nodeId"], "it is this node that is retired")
    .why("Otherwise a scrapped machine is back within the days of grace.")
}

fn new_node(allows: bool) -> Entry {
    let (name, token) = words(allows);
    let title = format!("Under new-node the machine of a retired node joins as a new node with {token}.");
    script_accept(&format!("reclaim/retired-new-node-{name}"), RULE, &title)
        .choice(CHOICE, "new-node")
        .world(&with(&gone(), &given(allows)))
        .step("join", NOW, comes_back(), joined("n1"))
        .why("A resold chassis starts anew with its new owner, and the retired node stays retired.")
        .recipe(RECIPE)
}

fn refuse(allows: bool) -> Entry {
    let (name, token) = words(allows);
    let title = format!("Under refuse the machine of a retired node does not join with {token}.");
    script_reject(&format!("reclaim/retired-refuse-{name}"), RULE, &title)
        .choice(CHOICE, "refuse")
        .world(&with(&gone(), &given(allows)))
        .step("join", NOW, comes_back(), refused("reclaim"))
        .twin(
            &format!("reclaim/stranger-{name}"),
            &["/world/nodes/0", "/world/certs/0"],
            "the retired node is the machine's",
        )
        .why("Retired is out for good there: no token lets in what lay on the scrap heap.")
        .recipe(RECIPE)
}

fn stranger_under_refuse(allows: bool) -> Entry {
    let (name, token) = words(allows);
    let other = enrolled("b", &machine("b"), ISSUED).with("retired", true).with_cert("revoked", "retired");
    let title =
        format!("Under refuse a machine joins with {token} where only another machine's node is retired.");
    script_accept(&format!("reclaim/stranger-{name}"), RULE, &title)
        .choice(CHOICE, "refuse")
        .world(&with(&other, &given(allows)))
        .step("join", NOW, comes_back(), joined("n1"))
        .why("The retired keys block themselves and nobody else.")
        .recipe(RECIPE)
}

/// The retired node was another tenant's, in another pool or of another kind.
fn elsewhere() -> Vec<Entry> {
    let theirs = issued(gone().with("tenant", tenant("b")).with("poolId", pool("b")));
    let far = issued(gone().with("poolId", pool("aa")).with("siteId", site("a")).with("kind", "site"));
    let free = |name: &str, title: &str, gone: &Enrolled| {
        script_accept(&format!("reclaim/retired-{name}-new-node"), RULE, title)
            .choice(CHOICE, "new-node")
            .world(&with(gone, &given(false)))
            .step("join", NOW, comes_back(), joined("n1"))
            .recipe(RECIPE)
    };
    let barred = |name: &str, title: &str, gone: &Enrolled| {
        script_reject(&format!("reclaim/retired-{name}-refuse"), RULE, title)
            .choice(CHOICE, "refuse")
            .world(&with(gone, &given(false)))
            .step("join", NOW, comes_back(), refused("reclaim"))
            .twin(
                "reclaim/stranger-plain",
                &["/world/nodes/0", "/world/certs/0"],
                "the retired node is the machine's",
            )
            .recipe(RECIPE)
    };
    vec![
        free(
            "another-tenant",
            "Under new-node a machine that another tenant retired joins as a new node.",
            &theirs,
        )
        .why("The chassis was sold: its former owner has no say any more."),
        barred(
            "another-tenant",
            "Under refuse a machine that another tenant retired does not join.",
            &theirs,
        )
        .why("The lookup is over the deployment, for retired nodes as for live ones."),
        free("another-kind", "Under new-node a retired site agent's machine joins as a node.", &far)
            .why("Tenant, site, pool and role are compared for a reclaim, and this is none."),
        barred("another-kind", "Under refuse a retired site agent's machine does not join as a node.", &far)
            .why("It is the key that is barred, in whatever role it comes."),
    ]
}

/// A retired node and a live one of the same machine.
fn live_beside() -> Vec<Entry> {
    let live = || {
        let live = enrolled("c", &machine("a"), "2025-12-31T13:00:00Z");
        let leaf = live.issue(&key("machine live"), "2025-12-31T13:00:00Z", 86400, &[]);
        live.holding(leaf)
    };
    let world = |first: bool, allows: bool| {
        let world = World::usual().token(&given(allows));
        if first {
            world.enrolled(&gone()).enrolled(&live())
        } else {
            world.enrolled(&live()).enrolled(&gone())
        }
    };
    let mut all = Vec::new();
    for (value, first) in [("new-node", true), ("refuse", true), ("new-node", false), ("refuse", false)] {
        let order = if first { "older" } else { "newer" };
        let id = format!("reclaim/live-beside-{order}-retired-{value}");
        let title = format!(
            "Under {value} a live node is reclaimed although an {order} one of the machine is retired."
        )
        .replace("an newer", "a newer");
        let good = script_accept(&id, RULE, &title)
            .world(&world(first, true))
            .step("join", NOW, comes_back(), reclaimed(&node("c"), "new"))
            .recipe(RECIPE)
            .why(
                "The machine was let in again after its retirement; its live node is what it comes back to.",
            );
        let title = format!(
            "Under {value} a plain token does not reclaim a live node beside an {order} retired one."
        )
        .replace("an newer", "a newer");
        let bad = script_reject(&format!("{id}-plain-token"), RULE, &title)
            .world(&world(first, false))
            .step("join", NOW, comes_back(), refused("reclaim"))
            .recipe(RECIPE)
            .twin(&id, &["/world/tokens/0/allowReclaim"], "the token allows no reclaim")
            .why("A retired node makes no room for a second live one.");
        all.extend([good, bad].map(|entry| entry.choice(CHOICE, value)));
    }
    all
}

/// A retired node whose key was never trusted.
fn untrusted() -> Vec<Entry> {
    let lonely = || -> Machine { machine("a").claiming(claims(json!({"productSerial": "SN-LONELY-3"}))) };
    let token = token().with("expect", json!({"serial": "sn-lonely-3"}));
    let gone = enrolled("a", &lonely(), ISSUED).with("retired", true).with_cert("revoked", "retired");
    let row = |value: &str, expected: Expectation| {
        script_accept(
            &format!("reclaim/retired-untrusted-{value}"),
            RULE,
            &format!("Under {value} a retired node without a trusted key keeps nobody out."),
        )
        .also("RECLAIM-1")
        .choice(CHOICE, value)
        .world(&with(&gone, &token))
        .step("join", NOW, join(&lonely().rekeyed("new"), &token), expected)
        .why("A serial that many machines show would bar them all.")
        .recipe(
            "A retired node that showed its serial alone, and a join of such a machine by a pinned token.",
        )
    };
    ["new-node", "refuse"].map(|value| row(value, joined("n1").untrusted())).into()
}
