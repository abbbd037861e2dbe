//! Step REFUSAL: the one order of a join's checks, shown through `join.check`; and the events of refusals and their limit, as
//! scripts.

use crate::case::Entry;

mod accepted;
mod audience;
mod bucket;
mod errors;
mod event;
mod evidence;
mod fault;
mod flood;
pub(super) mod join;
mod limit;
mod minute;
mod order;
mod order_store;
mod public;
mod renewal;
mod single;
mod suppressed;

/// Every case of the step.
pub(super) fn cases() -> Vec<Entry> {
    [
        accepted::entries,
        single::entries,
        order::entries,
        order_store::entries,
        limit::entries,
        minute::entries,
        suppressed::entries,
        bucket::entries,
        event::entries,
        audience::entries,
        evidence::entries,
        renewal::entries,
        public::entries,
        errors::entries,
    ]
    .iter()
    .flat_map(|family| family())
    .collect()
}
