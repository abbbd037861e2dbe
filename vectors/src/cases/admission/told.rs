//! What event and audit row of a join say (ADMISSION-5), and who is queued at once (ADMISSION-6).

use serde_json::json;

use super::refused::claiming;
use crate::case::{Entry, NOW};
use crate::script::{join, joined, reclaimed, renew, renewed, script_accept, x509pop};
use crate::testkit::world::{Enrolled, Grant, World, enrolled, grant, machine, node, pool, serial};

pub(super) fn entries() -> Vec<Entry> {
    let mut entries = vec![new_node(), reclaim(), untrusted(), by_certificate(), reclaimed_after_renewal()];
    entries.extend(queued());
    entries.extend([waits_again(), queued_again(), waits_again_by_certificate()]);
    entries
}

fn token() -> Grant {
    grant("told")
}

fn old() -> Enrolled {
    enrolled("a", &machine("a"), "2025-12-31T12:00:00Z")
}

/// Expired twelve hours ago, so that x509pop takes it.
fn expired() -> Enrolled {
    enrolled("a", &machine("a"), "2025-12-30T12:00:00Z")
}

fn new_node() -> Entry {
    let of_b = token().of("b", "b");
    let title = "Event and audit row of a new node go to the owner of its pool and name attestor, token, serial and key.";
    script_accept("admission/told-of-a-new-node", "ADMISSION-5", title)
        .also("TOKEN-12")
        .documented()
        .world(&World::usual().token(&of_b))
        .step("join", NOW, join(&machine("a"), &of_b).attestor("join-token"), joined("n1"))
        .why("reclaim is false, nodeKey is unattested, and no member of a reclaim is there.")
        .recipe("A token of tenant b; the attestor's name is spelled out.")
}

fn reclaim() -> Entry {
    let token = token().reclaims();
    let title = "A reclaim publishes node.joined with reclaim true and leaves the audit row node.reclaimed.";
    script_accept("admission/told-of-a-reclaim", "ADMISSION-5", title)
        .also("RECLAIM-3")
        .documented()
        .world(&World::usual().token(&token).enrolled(&old()))
        .step("join", NOW, join(&machine("a").rekeyed("new"), &token), reclaimed(&node("a"), "c1"))
        .why("Listeners follow one event name; an auditor looks for the reclaims by their own.")
        .recipe("A node in the world; its machine joins with another key and a token that allows it.")
}

fn untrusted() -> Entry {
    let (token, machine) = (
        token().with("expect", json!({"serial": serial("a")})),
        claiming(json!({"productSerial": serial("a")})),
    );
    let title = "Event and audit row say that the key of a machine with one identifier is not trusted.";
    script_accept("admission/told-of-an-untrusted-key", "ADMISSION-5", title)
        .also("HARDWARE-KEY-3")
        .documented()
        .world(&World::usual().token(&token))
        .step("join", NOW, join(&machine, &token), joined("n1").untrusted())
        .why("Such a node is never reclaimed and can have a double: whoever reads the audit log has to see it.")
        .recipe("A token bound to the only identifier that the machine has.")
}

fn by_certificate() -> Entry {
    let title = "A machine that is back by x509pop is told as a reclaim by that attestor, without a token.";
    script_accept("admission/told-of-an-x509pop", "ADMISSION-5", title)
        .also("X509POP-1")
        .documented()
        .world(&World::usual().enrolled(&expired()))
        .step("join", NOW, x509pop(&machine("a").rekeyed("back"), &expired(), &expired().key), reclaimed(&node("a"), "c1"))
        .why("No token was used, so none is named, and no key attestation verified, so nodeKey stays unattested.")
        .recipe("A node whose certificate expired twelve hours ago.")
}

fn reclaimed_after_renewal() -> Entry {
    let token = token().reclaims();
    let title = "The old key that a reclaim tells of is that of the newest certificate.";
    script_accept("admission/told-of-the-newest-key", "ADMISSION-5", title)
        .also("RECLAIM-3")
        .world(&World::usual().token(&token).enrolled(&old()))
        .step("renew", NOW, renew(&machine("a").rekeyed("second"), &old(), &old().key), renewed("c1"))
        .step("join", NOW, join(&machine("a").rekeyed("third"), &token), reclaimed(&node("a"), "c2"))
        .why("Two clones that take turns show by the chain of old and new keys; a gap in it hides one of them.")
        .recipe("A renewal to a second key, then a reclaim with a third.")
}

/// A join of a role into a pool of tenant a.
fn into(name: &str, title: &str, pool: &str, role: &str) -> Entry {
    let token = token().of("a", pool).with("role", role);
    script_accept(&format!("admission/{name}"), "ADMISSION-6", title)
        .documented()
        .world(&World::usual().token(&token))
        .step("join", NOW, join(&machine("a"), &token).role(role), joined("n1"))
        .recipe("A token of the role and the pool; the node's row tells whether it is queued.")
}

fn queued() -> Vec<Entry> {
    vec![
        into("queued-at-once", "A node in a pool without acceptance checks is queued at once.", "a", "node")
            .why("Nothing else would wake the controllers for it."),
        into("waits-for-acceptance", "A node in a pool with acceptance checks is not queued by its join.", "ac", "node")
            .why("Its first Hello starts acceptance; a node that is queued by the join runs work before it was tested."),
        into("site-agent-is-queued", "A site agent is queued at once also in a pool with acceptance checks.", "ac", "site")
            .why("A site agent runs no tenant's work, and the checks of others wait for it."),
        into("ramdisk-waits", "A ramdisk in a pool with acceptance checks is not queued by its join.", "ac", "ramdisk")
            .why("The exception is the site agent's alone."),
        into("site-agent-without-checks", "A site agent is queued at once in a pool without acceptance checks.", "aa", "site")
            .why("Both halves of the rule agree here."),
    ]
}

/// The node in the pool with acceptance checks.
fn checked(enrolled: Enrolled) -> Enrolled {
    enrolled.with("poolId", pool("ac"))
}

fn waits_again() -> Entry {
    let token = token().of("a", "ac").reclaims();
    let title = "A node that is reclaimed in a pool with acceptance checks is not queued any longer.";
    script_accept("admission/reclaimed-waits-again", "ADMISSION-6", title)
        .also("RECLAIM-3")
        .world(&World::usual().token(&token).enrolled(&checked(old())))
        .step("join", NOW, join(&machine("a").rekeyed("new"), &token), reclaimed(&node("a"), "c1"))
        .why("Acceptance runs again: the disk was replaced, and what was tested then is not what runs now.")
        .recipe("A node of the world, queued, in a pool with acceptance checks.")
}

fn queued_again() -> Entry {
    let token = token().of("a", "ac").with("role", "site").reclaims();
    let agent = checked(old()).with("kind", "site").with("certificateRole", "site");
    let agent = agent.clone().holding(agent.issue(&agent.key, "2025-12-31T12:00:00Z", 86400, &[]));
    let title = "A site agent that is reclaimed in a pool with acceptance checks stays queued.";
    script_accept("admission/reclaimed-site-agent-is-queued", "ADMISSION-6", title)
        .also("RECLAIM-3")
        .world(&World::usual().token(&token).enrolled(&agent))
        .step(
            "join",
            NOW,
            join(&machine("a").rekeyed("new"), &token).role("site"),
            reclaimed(&node("a"), "c1"),
        )
        .why("Every join of a site agent queues it, the second as well as the first.")
        .recipe("A site agent of the world in a pool with acceptance checks.")
}

fn waits_again_by_certificate() -> Entry {
    let node_of_pool = checked(expired());
    let title = "A node that is back by x509pop in a pool with acceptance checks is not queued any longer.";
    script_accept("admission/x509pop-waits-again", "ADMISSION-6", title)
        .also("X509POP-1")
        .world(&World::usual().enrolled(&node_of_pool))
        .step(
            "join",
            NOW,
            x509pop(&machine("a").rekeyed("back"), &node_of_pool, &node_of_pool.key),
            reclaimed(&node("a"), "c1"),
        )
        .why("What x509pop leaves is what a reclaim leaves, acceptance included.")
        .recipe("A node whose certificate expired twelve hours ago, in a pool with acceptance checks.")
}
