//! Machines without a trusted key in whole joins: refused, or pinned (HARDWARE-KEY-3).

use serde_json::{Value, json};

use crate::case::{Entry, NOW};
use crate::script::{Expectation, join, joined, refused, script_accept, script_reject};
use crate::testkit::request::claims;
use crate::testkit::world::{Grant, Machine, World, enrolled, grant, machine, serial};

const PINNED: &str = "hardware_key/pinned-one-identifier";
const RECIPE: &str = "A token bound to a serial or a MAC, and machines without enough identifiers.";
const MAC: &str = "94:de:80:01:02:03";

pub(super) fn entries() -> Vec<Entry> {
    vec![one_identifier(), unpinned(), macs_and_gpus(), never_reclaims(), twice(), placeholders()]
}

/// The machine that claims nothing but these.
fn claiming(members: Value) -> Machine {
    machine("a").claiming(claims(members))
}

/// A machine whose identifiers are those of a thousand others, but for its MAC.
fn placeholder_machine() -> Machine {
    claiming(json!({
        "productUuid": "00000000-0000-0000-0000-000000000000", "productSerial": "Default string",
        "hostname": "host-a", "permanentMacs": [MAC],
    }))
}

fn token() -> Grant {
    grant("pinned").with("expect", json!({"serial": serial("a")}))
}

/// Its serial is all that it has.
fn poor() -> Machine {
    claiming(json!({"productSerial": serial("a")}))
}

fn one(id: &str, title: &str, token: &Grant, machine: &Machine, expected: Expectation) -> Entry {
    script_accept(id, "HARDWARE-KEY-3", title)
        .world(&World::usual().token(token))
        .step("join", NOW, join(machine, token), expected)
        .recipe(RECIPE)
}

fn one_identifier() -> Entry {
    let title =
        "A machine with one identifier joins by the token that is bound to it, with an untrusted key.";
    one(PINNED, title, &token(), &poor(), joined("n1").untrusted())
        .documented()
        .why("The operator has named the machine; that stands in for what the board does not say.")
}

fn unpinned() -> Entry {
    let token = token().with("expect", json!(null));
    script_reject(
        "hardware_key/unpinned-one-identifier",
        "HARDWARE-KEY-3",
        "A machine with one identifier is refused by a token without a binding, and the token keeps its use.",
    )
    .documented()
    .world(&World::usual().token(&token))
    .step("join", NOW, join(&poor(), &token), refused("placeholder-hardware"))
    .twin(PINNED, &["/world/tokens/0/expect"], "The token is bound to nothing.")
    .why("One serial is easily shared by many machines, and so would be the node.")
    .recipe(RECIPE)
}

fn macs_and_gpus() -> Entry {
    let token = token().with("expect", json!({"mac": MAC}));
    let title = "A machine with MACs and GPUs only joins by a bound token with an untrusted key.";
    one("hardware_key/pinned-macs-and-gpus", title, &token, &movable(), joined("n1").untrusted())
        .why("Two kinds survive and HARDWARE-KEY-1 would trust them; without a product UUID or a serial a token join does not.")
}

fn movable() -> Machine {
    claiming(json!({"permanentMacs": [MAC], "gpuUuids": ["GPU-41255406-c9af-f94b-4ebf-9d57ad1853da"]}))
}

fn never_reclaims() -> Entry {
    let token = token().with("expect", json!({"mac": MAC})).reclaims();
    let title =
        "A known machine with MACs and GPUs only joins as a new node by a bound token that allows a reclaim.";
    script_accept("hardware_key/pinned-never-reclaims", "HARDWARE-KEY-3", title)
        .also("RECLAIM-3")
        .world(&World::usual().token(&token).enrolled(&enrolled("a", &movable(), "2025-12-31T12:00:00Z")))
        .step("join", NOW, join(&movable().rekeyed("new"), &token), joined("n1").untrusted())
        .why("Cards move between machines: whoever got them must not get the node with them.")
        .recipe(RECIPE)
}

fn twice() -> Entry {
    let token = token().uses(2).reclaims();
    let title = "A machine with one identifier that joins twice is two nodes.";
    script_accept("hardware_key/pinned-twice", "HARDWARE-KEY-3", title)
        .also("RECLAIM-3")
        .world(&World::usual().token(&token))
        .step("first", NOW, join(&poor(), &token), joined("n1").untrusted())
        .step("second", NOW, join(&poor().rekeyed("new"), &token), joined("n2").untrusted())
        .why("An untrusted key is never looked up, also not where the token allows a reclaim.")
        .recipe(RECIPE)
}

fn placeholders() -> Entry {
    let token = token().with("expect", json!({"mac": MAC}));
    let title = "A machine of placeholders joins by a token that is bound to its MAC, with an untrusted key.";
    one("hardware_key/pinned-placeholders", title, &token, &placeholder_machine(), joined("n1").untrusted())
        .documented()
        .why("Its MAC alone survives, and it is the one that the operator has named.")
}
