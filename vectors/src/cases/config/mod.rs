//! CONFIG: the client's configuration and files.

use crate::case::Entry;

mod key_file;
mod load;
mod load_form;
mod load_pins;
mod load_values;
mod pin;

/// The cases of the step.
pub(super) fn cases() -> Vec<Entry> {
    [
        pin::cases(),
        key_file::cases(),
        load::cases(),
        load_values::cases(),
        load_pins::cases(),
        load_form::cases(),
    ]
    .concat()
}
