//! Step ADMISSION: who may attest at all, and one transaction, shown as scripts.

use crate::case::Entry;

mod attestor;
mod joined;

/// The cases that are single calls.
pub(super) fn calls() -> Vec<Entry> {
    attestor::entries()
}

/// The cases that play a world.
pub(super) fn cases() -> Vec<Entry> {
    [joined::entries].iter().flat_map(|family| family()).collect()
}
