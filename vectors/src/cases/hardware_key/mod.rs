//! HARDWARE-KEY: one key from the identifiers.

mod admit;
mod alike;
mod derivation;
mod golden;
mod joined;
mod kinds;
mod selection;

use serde_json::{Value, json};

use crate::case::{Entry, accept};
use crate::testkit::request::claims;

const OP: &str = "hwkey.derive";
const RECIPE: &str =
    "One join a set of claims, each by a pinned token; what is compared are the keys of the nodes.";

/// A product UUID that nothing is derived from.
const UUID: &str = "D2A64D56-0617-4363-9C0E-5A1B7E3F2A10";
const MAC: &str = "94:DE:80:06:F8:D5";
const MAC_2: &str = "3C:EC:EF:12:34:56";
const GPU: &str = "GPU-41255406-c9af-f94b-4ebf-9d57ad1853da";
const GPU_2: &str = "GPU-2e4159a0-1b3c-47d8-8e6f-70a1b2c3d4e5";

/// The cases of this step.
pub(crate) fn cases() -> Vec<Entry> {
    [
        kinds::entries(),
        alike::entries(),
        selection::entries(),
        derivation::entries(),
        golden::entries(),
        admit::entries(),
        joined::entries(),
    ]
    .concat()
}

fn good(id: &str, rule: &str, title: &str) -> Entry {
    accept(id, rule, title).family(OP).recipe(RECIPE)
}

/// The op's input, from sets of claims in plain text.
fn sets(plain: &[Value]) -> Value {
    json!({"sets": plain.iter().map(|set| claims(set.clone())).collect::<Vec<_>>()})
}

/// One key of an answer: equal groups are equal keys, different groups different keys.
fn key(group: &str, trusted: bool) -> Value {
    json!({"key": {"$group": group}, "trusted": trusted})
}

/// No identifier survived.
fn no_key() -> Value {
    json!({"key": null, "trusted": false})
}

fn keys(keys: &[Value]) -> Value {
    json!({ "keys": keys })
}

/// A row with one set of claims that has a key.
fn one(entry: Entry, name: &str, set: Value, trusted: bool) -> Entry {
    entry.row(name, sets(&[set]), keys(&[key("a", trusted)]))
}

/// The plain claims with members added or replaced.
#[expect(clippy::needless_pass_by_value, reason = "called with a json! literal")]
fn also(mut set: Value, more: Value) -> Value {
    for (name, value) in more.as_object().into_iter().flatten() {
        set[name] = value.clone();
    }
    set
}

/// A machine with every kind of identifier, none derived from another.
fn machine() -> Value {
    json!({
        "productUuid": UUID,
        "productSerial": "SN-7701",
        "boardSerial": "CN7220036H04QB",
        "chassisSerial": "CH-3301",
        "hostname": "node-17",
        "permanentMacs": [MAC, MAC_2],
        "gpuUuids": [GPU, GPU_2],
    })
}
