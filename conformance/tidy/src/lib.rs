//! The project's own order: which package may use which, one word a step, documents that point somewhere, and the coverage table.
//!
//! Each module has one `check` that returns its problems as sentences; the tests hold the project to all of them.

pub mod architecture;
pub mod coverage;
pub mod documents;
pub mod source;
pub mod words;

use std::path::{Path, PathBuf};

/// The checkout that this program was built from.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
