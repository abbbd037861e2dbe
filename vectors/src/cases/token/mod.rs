//! Step TOKEN: the bearer token and its row.

use serde_json::{Value, json};

use crate::case::Entry;
use crate::testkit::encode::b64u;
use crate::testkit::keys::hash;

mod admit_order;
mod admit_role;
mod admit_row;
mod admit_secret;
mod admitted;
mod conflict;
mod create_expect;
mod create_limits;
mod create_members;
mod events;
mod judged;
mod lifetime;
mod list_live;
mod list_pages;
mod owner;
mod parse_frame;
mod parse_id;
mod parse_secret;
mod read;
mod retry;
mod revoke;
mod revoke_id;
mod stateful;
mod ttl;

/// The example token of the spec's page.
pub(super) const TOKEN: &str =
    "bcjt_jt_01kdvdna00e008000000000001.AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
/// Its id.
pub(super) const ID: &str = "jt_01kdvdna00e008000000000001";
/// An hour after the clock of the cases.
pub(super) const LATER: &str = "2026-01-01T01:00:00.000Z";

/// Every case of the step.
pub(super) fn cases() -> Vec<Entry> {
    [
        parse_frame::entries,
        parse_id::entries,
        parse_secret::entries,
        read::entries,
        ttl::entries,
        revoke_id::entries,
        create_limits::entries,
        create_members::entries,
        create_expect::entries,
        admit_secret::entries,
        admit_row::entries,
        admit_role::entries,
        admit_order::entries,
        lifetime::entries,
        owner::entries,
        retry::entries,
        conflict::entries,
        list_live::entries,
        list_pages::entries,
        revoke::entries,
        events::entries,
        judged::entries,
        admitted::entries,
    ]
    .iter()
    .flat_map(|family| family())
    .collect()
}

/// The example's secret: 00 01 .. 1f.
pub(super) fn secret() -> [u8; 32] {
    std::array::from_fn(|place| place as u8)
}

/// The example's row: role node, alive for another hour, one use left.
pub(super) fn row() -> Value {
    json!({
        "id": ID,
        "secretSha256": b64u(hash(secret())),
        "role": "node",
        "expiresAt": LATER,
        "revokedAt": null,
        "usesLeft": 1,
    })
}

/// The input of `token.admit` with the example's row and token, and the role node, after a change.
pub(super) fn admission(change: impl FnOnce(&mut Value)) -> Value {
    let mut input = json!({"row": row(), "token": TOKEN, "role": "node"});
    change(&mut input);
    input
}

/// `{member: text as bytes}`, a row for each of these texts.
fn byte_rows(entry: Entry, member: &str, rows: &[(&str, &[u8])]) -> Entry {
    rows.iter().fold(entry, |entry, (name, bytes)| entry.bad(name, json!({member: b64u(bytes)})))
}

/// `{text}`, a row for each of these texts.
fn text_rows(entry: Entry, rows: &[(&str, &str)]) -> Entry {
    rows.iter().fold(entry, |entry, (name, text)| entry.bad(name, json!({"text": text})))
}
