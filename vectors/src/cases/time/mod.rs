//! Step TIME: whose clock, and when things are over.

use crate::case::Entry;

mod certificate;
mod one_clock;
mod token_expiry;

/// Every case of the step.
pub(super) fn cases() -> Vec<Entry> {
    [token_expiry::entries(), certificate::entries(), one_clock::entries()].concat()
}
