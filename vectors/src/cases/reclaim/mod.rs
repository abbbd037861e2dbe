//! Step RECLAIM: a known machine that comes back, shown as scripts.

use crate::case::{Entry, NOW};
use crate::script::{Join, join, reclaimed, refused, script_accept, script_reject};
use crate::testkit::world::{Enrolled, Grant, Machine, World, enrolled, grant, machine, node};

mod clones;
mod generation;
mod lookup;
mod neighbours;
mod races;
mod retired;
mod tpm_bound;

/// The plain reclaim, the twin of most refused ones.
const GOOD: &str = "reclaim/same-place";
/// When the usual certificate was issued: it lives until 2026-01-01T11:59:00Z, that second included.
const ISSUED: &str = "2025-12-31T12:00:00Z";
const RECIPE: &str = "A node, and an honest join of its machine with a new node key and a token of the pool that \
                      allows a reclaim; then what the title says.";

/// Every case of the step.
pub(super) fn cases() -> Vec<Entry> {
    [
        lookup::entries,
        neighbours::entries,
        generation::entries,
        clones::entries,
        retired::entries,
        tpm_bound::entries,
        races::entries,
    ]
    .iter()
    .flat_map(|family| family())
    .collect()
}

/// The node that is reclaimed: in pool a.
fn old() -> Enrolled {
    enrolled("a", &machine("a"), ISSUED)
}

/// The same with a certificate of its present role and place.
fn issued(enrolled: Enrolled) -> Enrolled {
    let leaf = enrolled.issue(&enrolled.key, ISSUED, 86400, &[]);
    enrolled.holding(leaf)
}

/// The machine after its reinstall.
fn back() -> Machine {
    machine("a").rekeyed("new")
}

/// A token of pool a that allows a reclaim.
fn token() -> Grant {
    grant("reclaim").reclaims()
}

/// The usual world with this node and token.
fn with(old: &Enrolled, token: &Grant) -> World {
    World::usual().token(token).enrolled(old)
}

/// The usual join of the machine that comes back.
fn comes_back() -> Join {
    join(&back(), &token())
}

/// In this world the usual join reclaims node a.
fn good(name: &str, rule: &str, title: &str, world: &World) -> Entry {
    script_accept(&format!("reclaim/{name}"), rule, title)
        .world(world)
        .step("join", NOW, comes_back(), reclaimed(&node("a"), "new"))
        .recipe(RECIPE)
}

/// In this world the usual join is refused; the refusal says nothing about the node.
fn bad(name: &str, rule: &str, title: &str, world: &World) -> Entry {
    script_reject(&format!("reclaim/{name}"), rule, title)
        .world(world)
        .step("join", NOW, comes_back(), refused("reclaim"))
        .recipe(RECIPE)
}
