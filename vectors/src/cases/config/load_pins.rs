//! Pins in the configuration: one or two, different, of the one spelling.

use crate::case::Entry;
use crate::cases::wellknown::document::{pin, pin_of, stranger};

use super::load::{KEYS, refused, value, with};

pub(super) fn cases() -> Vec<Entry> {
    vec![none(), three(), equal(), spelling(), spelling_in_array(), nested(), placeholder()]
}

/// The three keys that hold pins.
fn keys() -> impl Iterator<Item = &'static str> {
    KEYS.into_iter().skip(2)
}

/// Each of the three keys with what `toml` makes of its pin.
fn each(toml: impl Fn(&str) -> String) -> Vec<(&'static str, String)> {
    keys().map(|key| (key, with(key, &toml(&value(key))))).collect()
}

fn none() -> Entry {
    refused("load-no-pin", "An array of pins is not empty.", "an array of none", &each(|_| "[]".into()))
        .why("No pin is not any key.")
}

fn three() -> Entry {
    let (old, new) = (pin(b"old"), pin_of(&stranger()));
    let title = "There are at most two pins.";
    refused(
        "load-three-pins",
        title,
        "an array of three",
        &each(|own| format!("[{own}, \"{old}\", \"{new}\"]")),
    )
    .why("A list that only grows is a rotation that nobody ended.")
}

fn equal() -> Entry {
    let title = "Two pins are different.";
    refused("load-equal-pins", title, "the same pin twice", &each(|own| format!("[{own}, {own}]")))
        .why("A rotation that was prepared with the old pin is no rotation, and shows on the day of it.")
}

fn spelling() -> Entry {
    let key = "join_signing_key_pin";
    let right = value(key);
    let row = |toml: String| with(key, &toml);
    refused(
        "load-pin-spelling",
        "A pin has one spelling.",
        "the right pin spelled otherwise",
        &[
            ("no padding", row(right.replace("=\"", "\""))),
            ("upper-case prefix", row(right.replace("sha256", "SHA256"))),
            ("a colon", row(right.replace("sha256/", "sha256:"))),
            ("no prefix", row(right.replace("sha256/", ""))),
            ("a blank after it", row(right.replace("=\"", "= \""))),
            ("a line feed after it", row(right.replace("=\"", "=\\n\""))),
            ("another algorithm", row(right.replace("sha256", "sha512"))),
            ("empty", row("\"\"".into())),
        ],
    )
    .why("The reason is config here: it is the file that is wrong, and it is found at load.")
}

fn spelling_in_array() -> Entry {
    let other = pin_of(&stranger());
    let loose = other.trim_end_matches('=').to_owned();
    let title = "Each pin of an array has the one spelling.";
    refused(
        "load-pin-spelling-in-array",
        title,
        "a second pin without its padding",
        &each(|own| format!("[{own}, \"{loose}\"]")),
    )
    .why("The second pin is used for the first time on the day of the rotation.")
}

fn nested() -> Entry {
    let title = "A pin is a string or an array of strings.";
    refused(
        "load-pin-nested",
        title,
        "another nesting",
        &[
            (
                "an array in an array",
                with("join_signing_key_pin", &format!("[[{}]]", value("join_signing_key_pin"))),
            ),
            (
                "a string and an integer",
                with("join_signing_key_pin", &format!("[{}, 1]", value("join_signing_key_pin"))),
            ),
            (
                "a list in one string",
                with("join_signing_key_pin", &value("join_signing_key_pin").replace("=\"", "=,\"")),
            ),
        ],
    )
    .why("TOML 1.0 allows arrays of mixed types; this key does not.")
}

fn placeholder() -> Entry {
    let title = "The manual's example is no configuration.";
    refused("load-pin-placeholder", title, "a pin copied from the manual", &each(|_| "\"sha256/…\"".into()))
        .why("It is copied.")
}
