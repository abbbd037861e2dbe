//! Step RENEWAL: a new certificate for a current one, shown as scripts.

use crate::case::{Entry, NOW};
use crate::script::{Renew, refused, renew, script_reject};
use crate::testkit::world::{Enrolled, Machine, World, enrolled, machine};

mod again;
mod answer;
mod clock;
mod floor;
mod heard;
mod kept;
mod life;
mod limit;
mod live;
mod order;
mod proof;
pub(in crate::cases) mod purposes;
mod recorded;
mod replay;

/// The plain renewal, the twin of most refused ones.
const GOOD: &str = "renewal/renewed";
/// When the usual certificate was issued: it lives until 2026-01-01T11:59:00Z, that second included.
const ISSUED: &str = "2025-12-31T12:00:00Z";

/// Every case of the step.
pub(super) fn cases() -> Vec<Entry> {
    [
        again::entries,
        answer::entries,
        clock::entries,
        floor::entries,
        heard::entries,
        kept::entries,
        life::entries,
        limit::entries,
        live::entries,
        order::entries,
        proof::entries,
        purposes::entries,
        recorded::entries,
        replay::entries,
    ]
    .iter()
    .flat_map(|family| family())
    .collect()
}

/// The node whose certificate is renewed.
fn old() -> Enrolled {
    enrolled("a", &machine("a"), ISSUED)
}

/// The machine with the key of that name, to which it renews.
fn to(name: &str) -> Machine {
    machine("a").rekeyed(name)
}

/// A renewal of this certificate to a second key.
fn of(old: &Enrolled) -> Renew {
    renew(&to("second"), old, &old.key)
}

/// The usual world with this node.
fn with(old: &Enrolled) -> World {
    World::usual().enrolled(old)
}

/// A renewal at the usual time that is refused.
fn bad(name: &str, rule: &str, title: &str, reason: &str, world: &World, request: Renew) -> Entry {
    script_reject(&format!("renewal/{name}"), rule, title)
        .world(world)
        .step("renew", NOW, request, refused(reason))
        .recipe("A live certificate and an honest renewal with it; then what differs from the twin.")
}
