//! Step X509POP: back after an outage, shown as scripts.

use crate::case::Entry;

/// Every case of the step.
pub(super) fn cases() -> Vec<Entry> {
    Vec::new()
}
