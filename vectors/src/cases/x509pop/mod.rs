//! Step X509POP: back after an outage, shown as scripts.

use crate::case::{Entry, NOW};
use crate::script::{Expectation, Join, reclaimed, refused, script_accept, script_reject, x509pop};
use crate::testkit::world::{Enrolled, Machine, World, enrolled, machine};

mod chain;
mod claims;
mod grace;
mod kept;
mod memory;
mod newest;
mod order;
mod pool;
mod proof;
mod told;

/// The plain way back, the twin of most refused ones.
const GOOD: &str = "x509pop/rejoined";
/// When the usual certificate was issued: it was valid through 2025-12-31T11:59:00Z.
const ISSUED: &str = "2025-12-30T12:00:00Z";

const CHAIN: &str = "/steps/0/request/x509pop/chain";
const FORM: &str = "/steps/0/request/x509pop/popSig/$pop/form";
const TIME: [&str; 2] =
    ["/steps/0/request/x509pop/clientTimeMs", "/steps/0/request/x509pop/popSig/$pop/clientTimeMs"];
/// The step's clock, and with it the client time.
const AT: [&str; 3] = ["/steps/0/at", TIME[0], TIME[1]];
const DER: &str = "/world/certs/0/der";
const LEAF: &str = "/steps/0/request/x509pop/chain/0";

/// Every case of the step.
pub(super) fn cases() -> Vec<Entry> {
    [
        chain::entries,
        claims::entries,
        grace::entries,
        kept::entries,
        memory::entries,
        newest::entries,
        order::entries,
        pool::entries,
        proof::entries,
        told::entries,
    ]
    .iter()
    .flat_map(|family| family())
    .collect()
}

/// The node whose certificate has expired.
fn old() -> Enrolled {
    enrolled("a", &machine("a"), ISSUED)
}

/// The machine with the key of that name, for which it asks a certificate.
fn to(name: &str) -> Machine {
    machine("a").rekeyed(name)
}

/// A join with this certificate, for a second key.
fn of(old: &Enrolled) -> Join {
    x509pop(&to("second"), old, &old.key)
}

/// The usual world with this node.
fn with(old: &Enrolled) -> World {
    World::usual().enrolled(old)
}

/// The node is taken over by its own machine.
fn back() -> Expectation {
    reclaimed(&old().id(), "taken")
}

const RECIPE: &str = "A certificate that has expired and an honest join with it; then what differs.";

/// A join at the usual time that is admitted.
fn good(name: &str, rule: &str, title: &str, world: &World, request: Join, expected: Expectation) -> Entry {
    script_accept(&format!("x509pop/{name}"), rule, title)
        .world(world)
        .step("join", NOW, request, expected)
        .recipe(RECIPE)
}

/// A join at the usual time that is refused.
fn bad(name: &str, rule: &str, title: &str, reason: &str, world: &World, request: Join) -> Entry {
    script_reject(&format!("x509pop/{name}"), rule, title)
        .world(world)
        .step("join", NOW, request, refused(reason))
        .recipe(RECIPE)
}
