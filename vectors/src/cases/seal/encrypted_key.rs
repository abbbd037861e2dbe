//! The encrypted key: 40 octets that hold a key of 32 (SEAL-5).

use super::{HONEST, good, refused};
use crate::case::Entry;
use crate::testkit::keys::hash;
use crate::testkit::seal::{Seal, jwe};

pub(super) fn entries() -> Vec<Entry> {
    vec![
        empty(),
        length(8),
        length(16),
        length(24),
        length(32),
        cut(),
        extended(),
        length(48),
        length(2048),
        wrapped("128", "key-of-16", 16),
        wrapped("192", "key-of-24", 24),
        longer_key(),
        flipped(),
        padded_wrap(),
        plain(),
        other_kek(),
    ]
}

fn changed(case: &str, title: &str, encrypted_key: Vec<u8>, what: &str) -> Entry {
    let seal = Seal { encrypted_key: Some(encrypted_key), ..good() };
    refused(&format!("encrypted-key-{case}"), "SEAL-5", title, seal.text())
        .twin(HONEST, &["/in/seal:encryptedKey"], what)
        .recipe(&format!("Replace the second part of an honest seal: {what}."))
}

fn right() -> Vec<u8> {
    jwe::wrap(&good().kek(), &good().cek)
}

fn empty() -> Entry {
    changed("empty", "An empty encrypted key is refused.", Vec::new(), "nothing between the first two dots")
        .also("SEAL-1")
        .why("Openers of exactly this algorithm family have computed a negative length from it and crashed.")
}

fn length(octets: usize) -> Entry {
    let title = format!("An encrypted key of {octets} octets is refused.");
    changed(&octets.to_string(), &title, vec![7; octets], &format!("{octets} octets of 07")).why(
        "Key unwrapping is defined for many lengths; one of them is right, and short ones have crashed \
            openers.",
    )
}

fn cut() -> Entry {
    let mut key = right();
    key.truncate(39);
    changed("39", "An encrypted key without its last octet is refused.", key, "the last octet is cut off")
        .why("39 is no multiple of eight: code that rounds reads past the end.")
}

fn extended() -> Entry {
    let key = [right(), vec![0]].concat();
    changed("41", "A right encrypted key and one more octet are refused.", key, "a zero octet appended")
        .why("Code that rounds down to whole blocks opens it, and gives one seal 256 spellings.")
}

/// A right wrap of a short key, with the content rightly encrypted under it.
fn wrapped(bits: &str, case: &str, octets: usize) -> Entry {
    let seal = Seal { cek: vec![7; octets], ..good() };
    let what = format!("a wrapped content key of {octets} octets, used with AES-{bits}-GCM");
    refused(
        &format!("encrypted-{case}"),
        "SEAL-5",
        &format!("A wrapped content key of {octets} octets is refused."),
        seal.text(),
    )
    .why("A cipher chosen by the key's length opens it: the sender would choose the strength.")
    .twin(HONEST, &["/in/seal:encryptedKey"], &what)
    .recipe(&format!("Make the seal with {what}; enc stays A256GCM."))
}

fn longer_key() -> Entry {
    let seal =
        Seal { encrypted_key: Some(jwe::wrap(&good().kek(), &[good().cek, vec![0; 8]].concat())), ..good() };
    refused("encrypted-key-of-40", "SEAL-5", "A wrapped content key of 40 octets is refused.", seal.text())
        .why("Code that takes the first 32 octets of what it unwrapped opens it.")
        .twin(
            HONEST,
            &["/in/seal:encryptedKey"],
            "eight zero octets behind the content key before it is wrapped",
        )
        .recipe("Wrap the content key and eight zero octets; encrypt under the first 32.")
}

fn flipped() -> Entry {
    let mut key = right();
    if let Some(first) = key.first_mut() {
        *first ^= 1;
    }
    changed(
        "flipped",
        "An encrypted key with one bit flipped is refused.",
        key,
        "the lowest bit of the first octet flipped",
    )
    .why("The integrity check of key wrapping is eight octets, and code has forgotten it.")
}

fn padded_wrap() -> Entry {
    let key = jwe::wrap_padded(&good().kek(), &good().cek);
    changed(
        "wrapped-with-padding",
        "A content key wrapped with padding is refused.",
        key,
        "wrapped by RFC 5649 instead of RFC 3394",
    )
    .why("It has the same length; only the initial value differs, and an opener has to compare all of it.")
}

fn plain() -> Entry {
    let key = [vec![0xa6; 8], good().cek].concat();
    changed(
        "not-wrapped",
        "A content key that is not wrapped is refused.",
        key,
        "the initial value and the bare content key",
    )
    .why("Whoever forgets to unwrap checks the initial value of what was sent.")
}

fn other_kek() -> Entry {
    let key = jwe::wrap(&hash("another key-encryption key"), &good().cek);
    changed(
        "under-another-key",
        "A content key wrapped under another key is refused.",
        key,
        "wrapped under a key that nobody agreed on",
    )
    .also("SEAL-1")
    .why("The plain case of a seal that is not for this server.")
}
