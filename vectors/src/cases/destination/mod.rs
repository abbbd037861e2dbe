//! Step DESTINATION: where a join lands, shown as scripts.

use crate::case::Entry;

mod agent;
mod attestor;
mod lands;
mod order;

/// Every case of the step.
pub(super) fn cases() -> Vec<Entry> {
    [lands::entries, agent::entries, attestor::entries, order::entries]
        .iter()
        .flat_map(|family| family())
        .collect()
}
