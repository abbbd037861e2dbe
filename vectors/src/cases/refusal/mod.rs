//! Step REFUSAL: the one order of a join's checks, shown through `join.check`.

use crate::case::Entry;

mod accepted;
mod fault;
pub(super) mod join;
mod order;
mod single;

/// Every case of the step.
pub(super) fn cases() -> Vec<Entry> {
    [accepted::entries, single::entries, order::entries].iter().flat_map(|family| family()).collect()
}
