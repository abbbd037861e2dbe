//! What a reclaim changes: the generation, every older certificate, the rows; and what it tells.

use serde_json::json;

use super::{ISSUED, back, good, issued, old, token, with};
use crate::case::{Entry, NOW};
use crate::script::{Expectation, join, joined, reclaimed, script_accept, x509pop};
use crate::testkit::keys::key;
use crate::testkit::request::claims;
use crate::testkit::world::{Enrolled, Grant, Machine, World, cert_row, enrolled, machine, node, pool};

const RULE: &str = "RECLAIM-3";
const WEEKS_AGO: &str = "2025-12-10T12:00:00Z";
const DAYS_AGO: &str = "2025-12-29T12:00:00Z";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = vec![
        example(),
        revoked_before(),
        generations_mixed(),
        all_revoked(),
        no_event_for_the_dead(),
        acceptance_again(),
        acceptance_site(),
        limits_of_the_token(),
        limits_gone(),
        by_certificate(),
    ];
    all.extend(too_few_identifiers());
    all
}

/// A certificate of node a for the key of that name, of this generation.
fn further(old: &Enrolled, name: &str, at: &str, generation: u32) -> serde_json::Value {
    cert_row(&old.id(), generation, &old.issue(&key(&format!("machine {name}")), at, 86400, &[]))
}

/// Node a in its third generation with the first certificate as it is made by [`old`], issued at `at`.
fn third(at: &str) -> Enrolled {
    enrolled("a", &machine("a"), at).with("generation", 3).with_cert("generation", 3)
}

fn example() -> Entry {
    let node = third(DAYS_AGO);
    let world = with(&node, &token())
        .push("certs", &further(&node, "renewed", ISSUED, 3))
        .enrolled(&enrolled("b", &machine("b"), ISSUED));
    let title = "A reclaim keeps the id, raises the generation and revokes live and expired certificates.";
    good("two-certificates", RULE, title, &world)
        .documented()
        .why(
            "The example of the page: generation 3 becomes 4, two certificates are revoked with an event each, and one audit \
             row tells both generations and both keys. The old key is the newest, not the first.",
        )
}

fn revoked_before() -> Entry {
    let node = third(ISSUED);
    let first = cert_row(&node.id(), 1, &node.issue(&key("machine one"), WEEKS_AGO, 86400, &[]));
    let second = cert_row(&node.id(), 2, &node.issue(&key("machine two"), DAYS_AGO, 86400, &[]));
    let mut world = with(&node, &token());
    let third = world.0["certs"][0].clone();
    let revoked = |mut row: serde_json::Value| {
        row["revoked"] = json!("reclaimed");
        row
    };
    world.0["certs"] = json!([revoked(first), revoked(second), third]);
    good(
        "revoked-before",
        RULE,
        "Certificates that were revoked by earlier reclaims are not revoked again.",
        &world,
    )
    .why("One event for each revocation: who counts them counts certificates, not reclaims.")
}

fn generations_mixed() -> Entry {
    let node = third(ISSUED);
    let mut world = with(&node, &token());
    let newest = world.0["certs"][0].clone();
    world.0["certs"] =
        json!([further(&node, "one", WEEKS_AGO, 1), further(&node, "two", DAYS_AGO, 2), newest]);
    let title = "Unrevoked certificates of earlier generations are revoked too.";
    good("earlier-generations", RULE, title, &world).documented().why(
        "Every older certificate, whatever its generation: one that an earlier failure left is dead at last.",
    )
}

fn all_revoked() -> Entry {
    let world = with(&old().with_cert("revoked", "reclaimed"), &token());
    let title = "A node whose only certificate is revoked is reclaimed, and no certificate is revoked again.";
    good("nothing-to-revoke", RULE, title, &world)
        .why("The event still tells the old key, which is that of the newest certificate, revoked or not.")
}

fn no_event_for_the_dead() -> Entry {
    let node = enrolled("a", &machine("a"), WEEKS_AGO);
    let title =
        "A node whose only certificate expired weeks ago is reclaimed, and the certificate is revoked.";
    good("expired-weeks-ago", RULE, title, &with(&node, &token()))
        .why("With a clock set back an expired certificate would live again; a revoked one does not.")
}

/// The node in the pool with acceptance checks, and a token of that pool.
fn checked(kind: &str) -> (World, Grant) {
    let token = token().of("a", "ac").with("role", kind);
    let node = issued(old().with("poolId", pool("ac")).with("kind", kind).with("certificateRole", kind));
    (with(&node, &token), token)
}

fn accepted_again(name: &str, title: &str, kind: &str, change: Expectation) -> Entry {
    let (world, token) = checked(kind);
    script_accept(&format!("reclaim/acceptance-{name}"), RULE, title)
        .also("ADMISSION-6")
        .documented()
        .world(&world)
        .step("join", NOW, join(&back(), &token).role(kind), change)
        .recipe("A node in a pool with acceptance checks comes back by a token of that pool.")
}

fn acceptance_again() -> Entry {
    let title =
        "In a pool with acceptance checks a reclaimed node is taken out of the queue until its first Hello.";
    accepted_again(
        "again",
        title,
        "node",
        reclaimed(&node("a"), "new").with("/effects/nodes/0/queued", false),
    )
    .why("What was accepted was the machine as it was before; after a reinstall it is looked at again.")
}

fn acceptance_site() -> Entry {
    let title = "In a pool with acceptance checks a reclaimed site agent stays in the queue.";
    accepted_again(
        "site-agent",
        title,
        "site",
        reclaimed(&node("a"), "new").without("/effects/nodes/0/queued"),
    )
    .why("Site agents are queued at once, at each of their joins.")
}

fn limits_of_the_token() -> Entry {
    let token = token().with("allowedKinds", json!(["node.reboot"])).with("ttlLimitS", 600);
    let title = "The new certificate has the allowed kinds and the lifetime limit of the new token.";
    good("limits-of-the-token", RULE, title, &with(&old(), &token))
        .also("CERTIFICATE-6")
        .why("A narrow token must not hand out a wide certificate because the machine once had one.")
}

fn limits_gone() -> Entry {
    let before = old().with_cert("allowedKinds", json!(["node.reboot"])).with_cert("ttlLimitS", 600);
    let title = "Allowed kinds and lifetime limit of the old certificate do not go over to the new one.";
    good("limits-gone", RULE, title, &with(&before, &token()))
        .also("CERTIFICATE-6")
        .why("The limits are of the join that brought them; this one brings none.")
}

fn by_certificate() -> Entry {
    let node = enrolled("a", &machine("a"), "2025-12-30T12:00:00Z");
    let world = World::usual().enrolled(&node).push("certs", &further(&node, "earlier", DAYS_AGO, 1));
    // The newest row is the one that is presented.
    let mut world = world;
    if let Some(rows) = world.0["certs"].as_array_mut() {
        rows.reverse();
    }
    let title = "A return by an expired certificate raises, revokes and tells as a reclaim by token does.";
    script_accept("reclaim/by-certificate", RULE, title)
        .also("X509POP-1")
        .world(&world)
        .step("join", NOW, x509pop(&back(), &node, &node.key), reclaimed(&node.id(), "new"))
        .why("A machine that comes back by another door is back all the same; the audit shows both alike.")
        .recipe("A node whose certificate expired half a day ago joins with attestor x509pop.")
}

/// A machine that shows one identifier alone.
fn lonely() -> Machine {
    machine("a").claiming(claims(json!({"productSerial": "SN-LONELY-2"})))
}

fn too_few_identifiers() -> Vec<Entry> {
    let token = token().with("expect", json!({"serial": "sn-lonely-2"})).uses(3);
    let row = |name: &str, title: &str, world: World| {
        script_accept(&format!("reclaim/{name}"), RULE, title)
            .also("HARDWARE-KEY-1")
            .documented()
            .world(&world)
            .recipe("A pinned token that allows a reclaim, and a machine that shows its serial alone.")
    };
    let usual = World::usual().token(&token);
    let loaded = usual.clone().enrolled(&enrolled("a", &lonely(), ISSUED));
    vec![
        row(
            "one-identifier",
            "A machine with fewer than two identifiers joins as a new node beside one that shows the same.",
            loaded,
        )
        .step("join", NOW, join(&lonely().rekeyed("new"), &token), joined("n1").untrusted())
        .why("One serial that was typed in somewhere must not open a node."),
        row(
            "one-identifier-again",
            "A machine with fewer than two identifiers is a new node at each of its joins.",
            usual,
        )
        .step("first", NOW, join(&lonely(), &token), joined("n1").untrusted())
        .step(
            "second",
            "2026-01-01T00:01:00.000Z",
            join(&lonely().rekeyed("new"), &token),
            joined("n2").untrusted(),
        )
        .step(
            "third",
            "2026-01-01T00:02:00.000Z",
            join(&lonely().rekeyed("newer"), &token),
            joined("n3").untrusted(),
        )
        .why("Nodes without a trusted key pile up, and none of them takes another's certificate away."),
    ]
}
