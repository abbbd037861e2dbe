//! What the scripts of this step share: a good join, refusals that cost little, and how many of them are told.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use crate::case::NOW;
use crate::script::{Expectation, Join, accepted, join, joined, refused};
use crate::testkit::keys::hash;
use crate::testkit::world::{Grant, Machine, World, grant, machine, tenant};

/// The first millisecond of a minute.
pub(super) const START: &str = NOW;
/// The last millisecond of that minute.
pub(super) const LAST: &str = "2026-01-01T00:00:59.999Z";
/// The first millisecond of the next.
pub(super) const NEXT: &str = "2026-01-01T00:01:00.000Z";
/// And of the one after.
pub(super) const THIRD: &str = "2026-01-01T00:02:00.000Z";

/// The token of the good join, of tenant a.
pub(super) fn token() -> Grant {
    grant("refusal")
}

/// A world in which the good join is admitted.
pub(super) fn world() -> World {
    World::usual().token(&token())
}

/// The good join.
pub(super) fn good() -> Join {
    join(&machine("a"), &token())
}

/// What becomes of it.
pub(super) fn admitted() -> Expectation {
    joined("n1")
}

/// A join that names an attestor nobody has: `unknown:attestor`, to the root tenant.
pub(super) fn stranger(attestor: &str) -> Join {
    join(&machine("stranger"), &token()).attestor(attestor)
}

/// A join that asks for an empty role: `role-invalid`, to the root tenant.
pub(super) fn roleless() -> Join {
    join(&machine("stranger"), &token()).role("")
}

/// Refused; only the first so many are told of, and the first of these tells of `suppressed` others.
pub(super) fn told(reason: &str, published: usize, suppressed: u32) -> Expectation {
    let cut = (published..60)
        .rev()
        .fold(refused(reason), |all, place| all.without(&format!("/effects/events/{place}")));
    if published == 0 { cut } else { cut.with("/effects/events/0/suppressed", suppressed) }
}

/// Refused, and only counted.
pub(super) fn dropped(reason: &str) -> Expectation {
    told(reason, 0, 0)
}

/// The clean stop publishes these events.
pub(super) fn stopped(events: Value) -> Expectation {
    accepted(json!({})).with("/effects/events", events)
}

/// The event of a clean stop for joins: all that is still known of them (REFUSAL-4).
pub(super) fn pending(end: &str, attestor: &str, reason: &str, suppressed: u32) -> Value {
    let absent = json!({"$absent": true});
    json!({
        "name": "security.join.refused", "tenant": tenant(end), "attestor": attestor,
        "reason": format!("{attestor}:{reason}"), "role": "", "csrSha256": absent, "hardwareKey": absent,
        "suppressed": suppressed,
    })
}

/// The hardware key that these lines give (HARDWARE-KEY-2), as events have it.
pub(super) fn hardware_key(lines: &[String]) -> String {
    let mut lines = lines.to_vec();
    lines.sort();
    hex::encode(hash(format!("bc-hardware-key-v1\n{}\n", lines.join("\n"))))
}

/// The text of a claim of the machine, its first value where it is a list.
pub(super) fn claim(machine: &Machine, name: &str) -> String {
    let value = &machine.claims[name];
    let text = value.get(0).unwrap_or(value).as_str().unwrap_or_default();
    String::from_utf8(URL_SAFE_NO_PAD.decode(text).unwrap_or_default()).unwrap_or_default().to_lowercase()
}
