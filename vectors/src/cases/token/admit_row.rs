//! The state of the row: revoked, used up, or alive.

use serde_json::json;

use super::{LATER, admission};
use crate::case::{Entry, NOW, accept, reject};

pub(super) fn entries() -> Vec<Entry> {
    vec![uses(), revoked(), used()]
}

fn uses() -> Entry {
    let entry = accept("token/admit-uses", "TOKEN-11", "Each admission takes one use, whatever is left.")
        .why("The count goes down by one; a service that clears it, or counts up to the maximum, admits too few or too many.")
        .family("token.admit")
        .recipe("The example token, and a row with the row's usesLeft.");
    [("1", 1), ("2", 2), ("10000", 10000)].iter().fold(entry, |entry, (name, left)| {
        entry.row(
            name,
            admission(|input| input["row"]["usesLeft"] = (*left).into()),
            json!({"usesLeft": left - 1}),
        )
    })
}

fn revoked() -> Entry {
    let entry = reject("token/admit-revoked", "TOKEN-8", "token-revoked", "A token that is revoked is refused at once.")
        .also("TOKEN-11")
        .documented()
        .refused()
        .why("revokedAt is a mark, not a time to wait for: clocks of the one who revokes and of the store may differ.")
        .family("token.admit")
        .twin("token/admit-good", &["/in/row/revokedAt"], "revokedAt is set")
        .recipe("The twin, its row revoked at the row's time.");
    [
        ("a-year-before", "2025-01-01T00:00:00.000Z"),
        ("now", NOW),
        ("after-now", "2026-01-01T00:30:00.000Z"),
        ("at-the-end", LATER),
    ]
    .iter()
    .fold(entry, |entry, (name, at)| {
        entry.bad(name, admission(|input| input["row"]["revokedAt"] = (*at).into()))
    })
}

fn used() -> Entry {
    reject("token/admit-used", "TOKEN-11", "token-used", "A token without uses left is refused.")
        .also("ADMISSION-3")
        .refused()
        .why("Join tokens elsewhere were spent twice because nobody looked at what the update had changed.")
        .call("token.admit", admission(|input| input["row"]["usesLeft"] = 0.into()))
        .twin("token/admit-good", &["/in/row/usesLeft"], "usesLeft is 0")
        .recipe("The twin, its row with no uses left.")
}
