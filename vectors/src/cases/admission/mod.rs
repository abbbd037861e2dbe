//! Step ADMISSION: who may attest at all, and one transaction.

use crate::case::Entry;

mod attestor;
mod joined;
mod order;
mod refused;
mod uses;

/// Every case of the step.
pub(super) fn cases() -> Vec<Entry> {
    [attestor::entries, joined::entries, order::entries, refused::entries, uses::entries]
        .iter()
        .flat_map(|family| family())
        .collect()
}
