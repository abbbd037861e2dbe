//! The cases: a folder a step, a file a fault family, an entry a case.

use crate::case::Entry;
use crate::schema::Case;

mod admission;
mod binding;
mod certificate;
mod claims;
mod config;
mod csr;
mod destination;
mod expect;
mod hardware_key;
mod hosted;
mod reclaim;
mod refusal;
mod renewal;
mod response;
mod seal;
mod signature;
mod time;
mod token;
mod wellknown;
mod x509pop;

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
        destination::cases,
        admission::cases,
        reclaim::cases,
        hosted::cases,
        refusal::cases,
        signature::cases,
        response::cases,
        certificate::cases,
        renewal::cases,
        x509pop::cases,
        wellknown::cases,
        config::cases,
    ];
    steps.iter().flat_map(|step| step()).map(Entry::build).collect()
}
