//! WELLKNOWN: the published keys.

use crate::case::Entry;

mod accepted;
mod certificate;
pub(super) mod document;
mod gateway;
mod json;
pub(super) mod jwk;
mod members;
mod pinned;

/// The cases of the step.
pub(super) fn cases() -> Vec<Entry> {
    [
        accepted::cases(),
        json::cases(),
        members::cases(),
        jwk::cases(),
        certificate::cases(),
        gateway::cases(),
        pinned::cases(),
    ]
    .concat()
}
