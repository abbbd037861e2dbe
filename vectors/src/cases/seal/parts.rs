//! Five parts in compact form, and no other serialization.

use serde_json::{Value, json};

use super::{HONEST, good, refused};
use crate::case::Entry;
use crate::testkit::keys::key;
use crate::testkit::seal::jwe;

pub(super) fn entries() -> Vec<Entry> {
    vec![empty(), four(), six(), dot(), line_end(), blank(), flattened(), general(), recipients(), twice()]
}

fn parts(name: &str, title: &str, seal: impl AsRef<[u8]>, at: &str, what: &str) -> Entry {
    refused(name, "SEAL-5", title, seal).twin(HONEST, &[at], what)
}

fn empty() -> Entry {
    parts("empty", "An empty seal is refused.", "", "/in/seal", "nothing instead of the seal")
        .why("Code that splits a text and takes the parts by number panics on this one.")
        .recipe("Send a seal of no octets.")
}

fn four() -> Entry {
    let [header, key, iv, ciphertext, _] = good().parts();
    let text = [header, key, iv, ciphertext].join(".");
    parts(
        "parts-four",
        "A seal without its tag is refused.",
        text,
        "/in/seal",
        "the last part and its dot removed",
    )
    .why("Whoever opens without a tag opens anything.")
    .recipe("Cut an honest seal before its last dot.")
}

fn six() -> Entry {
    let text = good().text() + ".AAAA";
    parts("parts-six", "A sixth part is refused.", text, "/in/seal", "a dot and AAAA appended")
        .why("A parser that takes the first five parts gives one seal any number of spellings.")
        .recipe("Append `.AAAA` to an honest seal.")
}

fn dot() -> Entry {
    let text = good().text() + ".";
    parts("dot-at-the-end", "A dot at the end is refused.", text, "/in/seal", "a dot appended")
        .why("Splitting routines that drop an empty last part let it pass.")
        .recipe("Append a dot to an honest seal.")
}

fn line_end() -> Entry {
    let text = good().text() + "\n";
    parts(
        "line-feed-at-the-end",
        "A line feed at the end is refused.",
        text,
        "/in/seal",
        "a line feed appended",
    )
    .why("Lenient decoders skip it, and a list of used seals that keeps texts misses the second spelling.")
    .recipe("Append a line feed to an honest seal.")
}

fn blank() -> Entry {
    let text = format!(" {}", good().text());
    parts("blank-before", "A blank before the seal is refused.", text, "/in/seal", "a space put in front")
        .why("The field holds the seal and nothing else.")
        .recipe("Put a space in front of an honest seal.")
}

/// The members of the flattened JSON serialization (RFC 7516 7.2.2).
fn json_form() -> Value {
    let [header, key, iv, ciphertext, tag] = good().parts();
    json!({"protected": header, "encrypted_key": key, "iv": iv, "ciphertext": ciphertext, "tag": tag})
}

fn flattened() -> Entry {
    let text = json_form().to_string();
    parts(
        "json-flattened",
        "The flattened JSON form is refused.",
        text,
        "/in/seal",
        "the same seal as one JSON object",
    )
    .why("Only the compact form exists here: a second form is a second parser with its own mistakes.")
    .recipe("Write the parts of an honest seal as flattened JSON serialization (RFC 7516 section 7.2.2).")
}

fn general() -> Entry {
    let mut form = json_form();
    let key = form.as_object_mut().and_then(|members| members.remove("encrypted_key"));
    form["recipients"] = json!([{"encrypted_key": key}]);
    let what = "the same seal as a JSON object with a list of one recipient";
    parts("json-general", "The general JSON form is refused.", form.to_string(), "/in/seal", what)
        .why("Only the compact form exists here.")
        .recipe("Write the parts of an honest seal as general JSON serialization with one recipient.")
}

fn recipients() -> Entry {
    let mut form = json_form();
    let other = jwe::wrap(&[7; 32], &good().cek);
    let foreign = crate::testkit::encode::b64u(other);
    let own = form.as_object_mut().and_then(|members| members.remove("encrypted_key"));
    form["recipients"] = json!([{"encrypted_key": foreign}, {"encrypted_key": own}]);
    let what = "a JSON object with two recipients, the second of them the right one";
    parts("json-two-recipients", "A seal for two recipients is refused.", form.to_string(), "/in/seal", what)
        .why("Interfaces that accept several recipients do not say which one was valid.")
        .recipe("General JSON serialization with the content key wrapped twice, first under another key.")
}

fn twice() -> Entry {
    let other = crate::testkit::seal::honest("twice", &key("seal server"), "", b"", 0).text();
    let text = format!("{}.{other}", good().text());
    parts(
        "two-seals",
        "Two seals in one field are refused.",
        text,
        "/in/seal",
        "a dot and a second seal appended",
    )
    .why("Whatever looks at the first five parts and whatever looks at the last five see different tokens.")
    .recipe("Join two honest seals with a dot.")
}
