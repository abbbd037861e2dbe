//! The judge judged: bad shims, shims with one fault, selectors, expectations and reports.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod expectations;
mod faults;
mod reports;
mod selectors;
mod small;
mod zoo;
