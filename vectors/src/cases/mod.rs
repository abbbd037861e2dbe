//! The cases: a folder a step, a file a fault family, an entry a case.

use crate::case::Entry;
use crate::schema::Case;

mod admission;
mod binding;
mod certificate;
mod claims;
mod config;
mod csr;
mod expect;
mod hardware_key;
mod refusal;
mod renewal;
mod response;
mod seal;
mod signature;
mod time;
mod token;
mod wellknown;

/// Every case, in the order of the steps.
#[must_use]
pub fn all() -> Vec<Case> {
    let steps: &[fn() -> Vec<Entry>] = &[
        time::cases,
        token::cases,
        seal::cases,
        binding::cases,
        csr::cases,
        claims::cases,
        hardware_key::cases,
        expect::cases,
        admission::calls,
        refusal::cases,
        signature::cases,
        response::cases,
        certificate::cases,
        wellknown::cases,
        config::cases,
    ];
    build(steps)
}

/// Cases that play a world. They join [`all`] when the reference plays worlds too: a case that no subject of ours but
/// one can run proves nothing.
#[must_use]
pub fn worlds() -> Vec<Case> {
    build(&[admission::cases, renewal::cases])
}

fn build(steps: &[fn() -> Vec<Entry>]) -> Vec<Case> {
    steps.iter().flat_map(|step| step()).map(Entry::build).collect()
}
