//! Every certificate has its row, from the transaction that answers on (CERTIFICATE-5).

use serde_json::json;

use crate::case::{Entry, NOW};
use crate::script::{
    accepted, enqueue, join, joined, reclaimed, refused, renew, renewed, restart, retire, retired,
    script_accept, script_reject, x509pop,
};
use crate::testkit::world::{Enrolled, Machine, World, enrolled, grant, machine, node};

const RULE: &str = "CERTIFICATE-5";
const LIVE: &str = "2025-12-31T12:00:00Z";
const DEAD: &str = "2025-12-30T12:00:00Z";
const LATER: &str = "2026-01-01T00:05:00.000Z";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = vec![of_join(), of_full_join(), of_second_node(), of_renewals()];
    all.extend(revoked());
    all.extend(kept());
    all.extend(without_a_row());
    all
}

fn accept(name: &str, title: &str) -> Entry {
    script_accept(&format!("certificate/row-{name}"), RULE, title).documented()
}

fn old(at: &str) -> Enrolled {
    enrolled("a", &machine("a"), at)
}

fn to(name: &str) -> Machine {
    machine("a").rekeyed(name)
}

fn of_join() -> Entry {
    let token = grant("rows");
    accept("of-join", "A join writes serial, node, generation, SPKI hash, dates and role into a row.")
        .world(&World::usual().token(&token))
        .step("join", NOW, join(&machine("a"), &token), joined("n1"))
        .why("The hash is over the whole SubjectPublicKeyInfo: over the point alone it matches no other tool's.")
        .recipe("A join; then compare the row with the leaf.")
}

fn of_full_join() -> Entry {
    let token = grant("rows")
        .with("role", "ramdisk")
        .with("allowedKinds", json!(["node.reboot", "log.*"]))
        .with("ttlLimitS", 600);
    accept("of-restricted-join", "The row carries what the attestor restricts.")
        .also("CERTIFICATE-6")
        .world(&World::usual().token(&token))
        .step("join", NOW, join(&machine("a"), &token).role("ramdisk"), joined("n1"))
        .why("The list and the limit stand in no certificate: without a row nobody would know them.")
        .recipe("A join by a token with a list of kinds and a limit; then look at the row.")
}

fn of_second_node() -> Entry {
    let token = grant("rows").uses(2);
    accept("of-each-node", "Two nodes that join with one token have a row each.")
        .world(&World::usual().token(&token))
        .step("join", NOW, join(&machine("a"), &token), joined("n1"))
        .step("join-b", NOW, join(&machine("b"), &token), joined("n2"))
        .why("Rows belong to nodes, not to tokens.")
        .recipe("Two joins with one token.")
}

fn of_renewals() -> Entry {
    let token = grant("rows");
    accept("of-renewals", "The row of a renewal names the serial that it was renewed from.")
        .also("RENEWAL-4")
        .world(&World::usual().token(&token))
        .step("join", NOW, join(&machine("a"), &token), joined("n1"))
        .step("renew", LATER, renew(&to("second"), "join", &machine("a").key), renewed("second"))
        .step(
            "renew-that",
            "2026-01-01T00:06:00.000Z",
            renew(&to("third"), "renew", &to("second").key),
            renewed("third"),
        )
        .step(
            "renew-first",
            "2026-01-01T00:07:00.000Z",
            renew(&to("fourth"), "join", &machine("a").key),
            renewed("fourth"),
        )
        .why("The one presented, not the newest: a stolen key shows in the chain of its renewals.")
        .recipe("A join, two renewals in a row, and another of the first certificate.")
}

fn revoked() -> Vec<Entry> {
    let anew = grant("rows anew").reclaims();
    let spare = old(LIVE).issue(&to("spare").key, "2025-12-31T13:00:00Z", 86400, &[]);
    let row = crate::testkit::world::cert_row(&node("a"), 1, &spare);
    let both = World::usual().enrolled(&old(LIVE)).push("certs", &row);
    vec![
        accept("of-retired", "A retirement marks every row of the node as revoked, and says why.")
            .also("RECLAIM-4")
            .world(&both)
            .step("retire", NOW, retire(&node("a")), retired(&node("a")))
            .why("Rows stay: what was issued was issued.")
            .recipe("A node with two certificates is retired; then look at their rows."),
        accept(
            "of-reclaimed",
            "A reclaim marks every older row as revoked, and says why; the new one names no predecessor.",
        )
        .also("RECLAIM-3")
        .world(&both.clone().token(&anew))
        .step("join", NOW, join(&to("second"), &anew), reclaimed(&node("a"), "second"))
        .why("A reclaim renews nothing: it begins a generation.")
        .recipe("A reclaim of a node with two certificates; then look at all rows."),
        accept(
            "of-outage",
            "A re-join after an outage writes a row of the next generation that names no predecessor.",
        )
        .also("X509POP-1")
        .world(&World::usual().enrolled(&old(DEAD)))
        .step(
            "join",
            NOW,
            x509pop(&to("second"), &old(DEAD), &old(DEAD).key),
            reclaimed(&node("a"), "second"),
        )
        .why("It is a join: only a renewal is renewed from something.")
        .recipe("A re-join with an expired certificate; then look at the rows."),
    ]
}

/// A row is there when the answer is, whatever comes after.
fn kept() -> Vec<Entry> {
    let token = grant("rows").with("allowedKinds", json!(["log.*"]));
    let joining = |entry: Entry| {
        entry.world(&World::usual().token(&token)).step(
            "join",
            NOW,
            join(&machine("a"), &token),
            joined("n1"),
        )
    };
    vec![
        joining(accept("at-once", "A certificate renews in the millisecond of its issue."))
            .also("RENEWAL-2")
            .step("renew", NOW, renew(&to("second"), "join", &machine("a").key), renewed("second"))
            .why("The row commits with the answer: a row that is written later is missing here.")
            .recipe("A join, and a renewal at the same time."),
        joining(accept("after-restart", "A certificate renews after a restart."))
            .also("RENEWAL-2")
            .step("restart", NOW, restart(), accepted(json!({})))
            .step("renew", LATER, renew(&to("second"), "join", &machine("a").key), renewed("second"))
            .step("enqueue", LATER, enqueue("$n1", "log.read"), accepted(json!({})))
            .why("Rows are stored, with the DER that a renewal is compared with.")
            .recipe("A join, a restart, a renewal and a command."),
    ]
}

/// A leaf of the right issuer that is in no row.
fn without_a_row() -> Vec<Entry> {
    let kept = old(LIVE);
    let mut lost = old(LIVE);
    lost.leaf = lost.issue(&lost.key, "2025-12-31T13:00:00Z", 86400, &[]);
    let mut expired = old(DEAD);
    expired.leaf = expired.issue(&expired.key, "2025-12-30T13:00:00Z", 86400, &[]);
    let second = to("second");
    vec![
        accept("presented", "A leaf whose DER is a row's renews.")
            .also("RENEWAL-2")
            .world(&World::usual().enrolled(&kept))
            .step(
                "renew",
                NOW,
                renew(&second, &kept, &kept.key).with("/caller", kept.spiffe()),
                renewed("second"),
            )
            .why("The row holds the DER.")
            .recipe("A renewal."),
        script_reject(
            "certificate/row-missing",
            RULE,
            "A leaf that the node CA has signed and that is in no row was never issued.",
        )
        .also("RENEWAL-2")
        .world(&World::usual().enrolled(&kept))
        .step(
            "renew",
            NOW,
            renew(&second, &lost, &lost.key).with("/caller", kept.spiffe()),
            refused("cert-unknown"),
        )
        .twin(
            "certificate/row-presented",
            &["/steps/0/request/chain"],
            "another leaf of the same node, key and issuer",
        )
        .why("Its transaction was rolled back, or the CA's key is elsewhere too.")
        .recipe("A renewal with a leaf of node, key and issuer that no row has."),
        script_reject(
            "certificate/row-missing-after-outage",
            RULE,
            "Nor does such a leaf open the way back after an outage.",
        )
        .also("X509POP-4")
        .world(&World::usual().enrolled(&old(DEAD)))
        .step("join", NOW, x509pop(&second, &expired, &expired.key), refused("cert-unknown"))
        .twin(
            "certificate/row-of-outage",
            &["/steps/0/request/x509pop/chain"],
            "another leaf of the same node, key and issuer",
        )
        .why("A signature of the node CA is no proof of issuance: the row is.")
        .recipe("A re-join with an expired leaf that no row has."),
    ]
}
