//! One file a command.

pub(crate) mod diff;
pub(crate) mod doctor;
pub(crate) mod expect;
pub(crate) mod explain;
pub(crate) mod kill;
pub(crate) mod list;
pub(crate) mod new_shim;
pub(crate) mod repro;
pub(crate) mod rules;
pub(crate) mod run;
pub(crate) mod verify;

use std::fmt::Display;
use std::io::Write as _;

/// Prints to standard output; a reader that has gone away is no error.
pub(crate) fn print(text: impl Display) {
    let _gone = write!(std::io::stdout(), "{text}");
}
