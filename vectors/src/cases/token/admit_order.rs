//! Two faults at once: the first in TOKEN-11's order is the reason.

use serde_json::Value;

use super::admission;
use super::admit_secret::token_with;
use crate::case::{Entry, NOW, reject};

/// A fault: its reason, the place it changes, and the change.
struct Fault {
    reason: &'static str,
    place: &'static str,
    what: &'static str,
    make: fn(&mut Value),
}

/// In the order of TOKEN-11.
const FAULTS: [Fault; 8] = [
    Fault {
        reason: "role-invalid",
        place: "/in/role",
        what: "the role is NODE",
        make: |input| input["role"] = "NODE".into(),
    },
    Fault {
        reason: "token-malformed",
        place: "/in/token",
        what: "the token has a dot too many",
        make: |input| input["token"] = format!("{}.", input["token"].as_str().unwrap_or_default()).into(),
    },
    Fault {
        reason: "token-unknown",
        place: "/in/row/id",
        what: "the row is another token's",
        make: |input| input["row"]["id"] = "jt_01kdvdna00e008000000000002".into(),
    },
    Fault {
        reason: "token-secret",
        place: "/in/token",
        what: "the secret is wrong",
        make: |input| input["token"] = token_with([0; 32]).into(),
    },
    Fault {
        reason: "token-revoked",
        place: "/in/row/revokedAt",
        what: "the row is revoked",
        make: |input| input["row"]["revokedAt"] = NOW.into(),
    },
    Fault {
        reason: "token-expired",
        place: "/in/row/expiresAt",
        what: "the row has expired",
        make: |input| input["row"]["expiresAt"] = NOW.into(),
    },
    Fault {
        reason: "token-used",
        place: "/in/row/usesLeft",
        what: "no use is left",
        make: |input| input["row"]["usesLeft"] = 0.into(),
    },
    Fault {
        reason: "token-role",
        place: "/in/row/role",
        what: "the row's role is site",
        make: |input| input["row"]["role"] = "site".into(),
    },
];

/// Each fault with each later one that can stand beside it.
pub(super) fn entries() -> Vec<Entry> {
    let pairs = FAULTS
        .iter()
        .enumerate()
        .flat_map(|(place, first)| FAULTS.iter().skip(place + 1).map(move |second| (first, second)));
    pairs.filter(|(first, second)| shows(first, second)).map(|(first, second)| both(first, second)).collect()
}

/// Two changes of one text cannot both be seen; and the pairs far apart follow from the near ones, save a few that matter.
fn shows(first: &Fault, second: &Fault) -> bool {
    let place = |fault: &Fault| FAULTS.iter().position(|known| known.reason == fault.reason);
    let near = place(first).zip(place(second)).is_some_and(|(first, second)| second - first == 1);
    let far = [
        ("role-invalid", "token-secret"),
        ("token-malformed", "token-used"),
        ("token-unknown", "token-expired"),
        ("token-secret", "token-expired"),
        ("token-secret", "token-used"),
        ("token-secret", "token-role"),
        ("token-revoked", "token-used"),
        ("token-expired", "token-role"),
    ];
    first.place != second.place && (near || far.contains(&(first.reason, second.reason)))
}

fn both(first: &Fault, second: &Fault) -> Entry {
    let id = format!("token/order-{}-and-{}", first.reason, second.reason);
    let title = format!("{} comes before {}.", first.reason, second.reason);
    let entry = reject(&id, "TOKEN-11", first.reason, &title)
        .why("The order is part of the rule: it decides who is told of the refusal, and what an outsider could probe.")
        .call(
            "token.admit",
            admission(|input| {
                (first.make)(input);
                (second.make)(input);
            }),
        )
        .twin("token/admit-good", &[first.place, second.place], &format!("{}, and {}", first.what, second.what))
        .recipe("The twin with both faults.");
    // In a join a text that is no token never comes this far: the seal has found it.
    if first.reason == "token-malformed" { entry } else { entry.refused() }
}
