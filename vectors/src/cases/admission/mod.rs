//! Step ADMISSION: one transaction, shown as scripts.

use crate::case::Entry;

mod joined;

/// Every case of the step.
pub(super) fn cases() -> Vec<Entry> {
    [joined::entries].iter().flat_map(|family| family()).collect()
}
