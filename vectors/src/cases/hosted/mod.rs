//! Step HOSTED: nodes a tenant controls.

use crate::case::Entry;

mod owner;
mod table;

/// Every case of the step.
pub(super) fn cases() -> Vec<Entry> {
    [table::entries, owner::entries].iter().flat_map(|family| family()).collect()
}
