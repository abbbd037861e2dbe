//! The claims of a way back: checked and recorded, and they select nothing (X509POP-3).

use serde_json::{Value, json};

use super::{GOOD, back, bad, good, old, with};
use crate::case::Entry;
use crate::script::{Join, join, joined, reclaimed, x509pop};
use crate::testkit::claims;
use crate::testkit::request::claims as plain;
use crate::testkit::world::{Enrolled, Machine, enrolled, grant, machine};

const RULE: &str = "X509POP-3";
const LATER: &str = "2026-01-01T00:00:01.000Z";

pub(super) fn entries() -> Vec<Entry> {
    vec![
        of_neighbour(),
        of_retired(),
        of_nobody(),
        own_key_stays(),
        claimed_key_stays_free(),
        none(),
        placeholders(),
        untrusted_stays(),
        refused_character(),
        refused_count(),
    ]
}

/// The machine asks for the second key with these claims.
fn claiming(claims: Value) -> Join {
    x509pop(&super::to("second").claiming(claims), &old(), &old().key)
}

fn other() -> Enrolled {
    enrolled("b", &machine("b"), "2025-12-31T12:00:00Z")
}

fn of_neighbour() -> Entry {
    let title = "With the claims of another live node the machine has its own node back.";
    good(
        "claims-of-another-node",
        RULE,
        title,
        &with(&old()).enrolled(&other()),
        claiming(machine("b").claims),
        back(),
    )
    .why("The certificate says which node it is. Boards are exchanged, and claims are what anyone may type.")
}

fn of_retired() -> Entry {
    let world = with(&old()).enrolled(&other().with("retired", true).with_cert("revoked", "retired"));
    let title =
        "With the claims of a retired node the machine has its own node back, whatever retirement means.";
    good("claims-of-a-retired-node", RULE, title, &world, claiming(machine("b").claims), back())
        .choice("reclaim.retired", "refuse")
        .also("RECLAIM-4")
        .why("The claims are not looked up, among the living or the retired.")
}

fn of_nobody() -> Entry {
    let title = "With claims that no node has the machine has its own node back.";
    good("claims-of-nobody", RULE, title, &with(&old()), claiming(machine("c").claims), back())
        .why("After an outage the board may be another one; the disk with the certificate is the node.")
}

fn own_key_stays() -> Entry {
    let token = grant("x509pop").reclaims();
    let title =
        "A way back with other claims leaves the node its hardware key: its first claims still find it.";
    good(
        "hardware-key-stays",
        RULE,
        title,
        &with(&old()).token(&token),
        claiming(machine("b").claims),
        back(),
    )
    .also("RECLAIM-1")
    .step("reclaim", LATER, join(&machine("a").rekeyed("third"), &token), reclaimed(&old().id(), "again"))
    .why("Otherwise a machine that comes back with invented claims moves its node to an identity that it chose.")
}

fn claimed_key_stays_free() -> Entry {
    let token = grant("x509pop");
    let title = "The machine whose claims were used for another's way back still joins as a new node.";
    good(
        "claimed-key-stays-free",
        RULE,
        title,
        &with(&old()).token(&token),
        claiming(machine("b").claims),
        back(),
    )
    .also("RECLAIM-1")
    .step("new", LATER, join(&machine("b"), &token), joined("n1"))
    .why("Otherwise one expired certificate blocks any machine whose serial numbers somebody can read.")
}

fn none() -> Entry {
    let title = "Without any claims the machine has its node back, with the trust that it had.";
    good("claims-none", RULE, title, &with(&old()), claiming(plain(json!({}))), back())
        .why("Trust belongs to the node's hardware key, which this join does not touch.")
}

fn placeholders() -> Entry {
    let filled = plain(json!({"productSerial": "To Be Filled By O.E.M.", "hostname": "host-a"}));
    let title = "With placeholders for claims the machine has its node back.";
    good("claims-of-placeholders", RULE, title, &with(&old()), claiming(filled), back())
        .also("ADMISSION-7")
        .why("The placeholder rule is that of join-token alone.")
}

fn untrusted_stays() -> Entry {
    let poor = machine("a").claiming(plain(json!({"productSerial": "SN-0001", "hostname": "host-a"})));
    let row = enrolled("a", &poor, super::ISSUED);
    let better = x509pop(&super::to("second"), &row, &row.key);
    let title = "A node without a trusted key has none after a way back with better claims.";
    good(
        "untrusted-stays",
        RULE,
        title,
        &with(&row),
        better,
        back()
            .with("/effects/events/1/hardwareKeyTrusted", false)
            .with("/effects/audit/0/hardwareKeyTrusted", false),
    )
    .also("HARDWARE-KEY-1")
    .why("Claims that nobody checked must not earn trust by the way.")
}

fn refused(name: &str, title: &str, claims: Value) -> Entry {
    bad(name, RULE, title, "claims", &with(&old()), claiming(claims)).also("CLAIMS-1").twin(
        GOOD,
        &["/steps/0/request/claims"],
        "the claims",
    )
}

fn refused_character() -> Entry {
    let machine: Machine = machine("a");
    refused(
        "claims-control-character",
        "Claims with a control character are refused, although they select nothing.",
        claims::with(machine.claims, "hostname", b"host\x07a"),
    )
    .why("They are recorded and shown to people, as those of any join.")
}

fn refused_count() -> Entry {
    let macs: Vec<String> =
        (0..1000).map(|number| format!("94:de:80:00:{:02x}:{:02x}", number / 256, number % 256)).collect();
    refused(
        "claims-too-many",
        "Claims with a thousand MAC addresses are refused, although they select nothing.",
        claims::with_list(machine("a").claims, "permanentMacs", &macs),
    )
    .why("The caps of claims hold for every attestor.")
}
