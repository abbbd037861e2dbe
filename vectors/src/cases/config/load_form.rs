//! The file as TOML: UTF-8, no key twice, small.

use serde_json::Value;

use crate::case::{Entry, reject};
use crate::testkit::encode::b64u;

use super::load::{LOAD, and, input, refused, right, sized, value, with};

pub(super) fn cases() -> Vec<Entry> {
    vec![not_toml(), twice(), encoding(), byte_order_mark(), size()]
}

fn not_toml() -> Entry {
    refused(
        "load-not-toml",
        "The file is TOML 1.0.",
        "the text is no TOML",
        &[
            ("JSON", "{\"site\": 1}".into()),
            ("YAML", right().replace(" = ", ": ")),
            ("no quotes", right().replace('"', "")),
            ("an open string", right().trim_end().trim_end_matches('"').into()),
            ("a value missing", and("server_name =")),
            ("two keys on a line", right().replacen('\n', " ", 1)),
            ("NUL after it", and("\0")),
            ("an escape of TOML 1.1", and("server_name = \"gw\\x2eexample.org\"")),
            ("another escape of TOML 1.1", and("server_name = \"gw\\e.example.org\"")),
            ("an unknown escape", with("site", &value("site").replacen("site_", "\\site_", 1))),
        ],
    )
    .why("A reader of key = value lines accepts some of them.")
}

fn twice() -> Entry {
    refused(
        "load-key-twice",
        "No key stands twice.",
        "a key once more",
        &[
            ("another value", and("site = \"site_01k5w3v7x8e4n9q2r6t0b1c5d8\"")),
            ("the same value", and(&format!("site = {}", value("site")))),
            ("quoted", and(&format!("\"site\" = {}", value("site")))),
        ],
    )
    .why("The first or the last counts, depending on the reader.")
}

/// A refusal with octets that are no text.
fn octets(octets: &[u8]) -> Value {
    let mut input = input("");
    input["toml"] = b64u(octets).into();
    input
}

fn encoding() -> Entry {
    let utf16: Vec<u8> = right().encode_utf16().flat_map(u16::to_le_bytes).collect();
    refused("load-encoding", "The file is UTF-8.", "another encoding", &[])
        .bad("UTF-16", octets(&utf16))
        .bad("a stray octet in a comment", octets(&[right().as_bytes(), b"# \xff\n"].concat()))
        .bad("Latin-1 in a comment", octets(&[right().as_bytes(), b"# caf\xe9\n"].concat()))
        .why("An editor that saves in another encoding changes what the file says.")
}

fn byte_order_mark() -> Entry {
    reject(
        "config/load-byte-order-mark",
        "CONFIG-1",
        "config",
        "The file does not begin with a byte order mark.",
    )
    .twin("config/load", &["/in/toml"], "a byte order mark before it")
    .recipe("Write config.toml as an editor does that marks UTF-8.")
    .call(LOAD, input(format!("\u{feff}{}", right())))
    .why("TOML 1.0 has no place for it: to a reader that follows the grammar the first key has another name.")
}

fn size() -> Entry {
    reject("config/load-too-large", "CONFIG-1", "config", "A configuration of 65537 octets is refused.")
        .twin("config/load-largest", &["/in/toml"], "one octet more in a comment")
        .recipe("As the twin, with one octet more.")
        .call(LOAD, input(sized(65537)))
        .why("A file that somebody else can write must not fill the memory of a root process.")
}
