//! The judge judged: bad shims, shims with one fault, selectors, expectations and reports.

mod expectations;
mod faults;
mod reports;
mod selectors;
mod small;
mod zoo;
