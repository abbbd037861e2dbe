//! Step RENEWAL: a new certificate for a current one, shown as scripts.

use crate::case::Entry;

mod replay;

/// Every case of the step.
pub(super) fn cases() -> Vec<Entry> {
    [replay::entries].iter().flat_map(|family| family()).collect()
}
