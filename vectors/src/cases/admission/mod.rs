//! Step ADMISSION: who may attest at all, and one transaction.

use crate::case::Entry;

mod attestor;
mod between;
mod config;
mod evidence;
mod joined;
mod no_race;
mod order;
mod proof;
mod race;
mod refused;
mod told;
mod uses;

/// Every case of the step.
pub(super) fn cases() -> Vec<Entry> {
    [
        attestor::entries,
        joined::entries,
        uses::entries,
        refused::entries,
        order::entries,
        race::entries,
        no_race::entries,
        proof::entries,
        between::entries,
        told::entries,
        config::entries,
        evidence::entries,
    ]
    .iter()
    .flat_map(|family| family())
    .collect()
}
