//! Canonical base64url in every part: one seal has one spelling.

use super::{HONEST, good, refused};
use crate::case::{Entry, reject};
use crate::testkit::encode::b64u;
use crate::testkit::seal::Seal;

pub(super) fn entries() -> Vec<Entry> {
    vec![
        padding(),
        header_padding(),
        alphabet(),
        unused_bits("encryptedKey", 1, "encrypted-key"),
        unused_bits("tag", 4, "tag"),
        header_unused_bits(),
        white_space(),
        odd_length(),
        foreign_characters(),
    ]
}

fn with_part(at: usize, change: impl Fn(&str) -> String) -> String {
    let mut parts = good().parts();
    if let Some(part) = parts.get_mut(at) {
        *part = change(part);
    }
    parts.join(".")
}

fn padding() -> Entry {
    let text = with_part(4, |tag| format!("{tag}=="));
    refused("base64-padding", "SEAL-5", "A tag with padding is refused.", text)
        .why("Decoders that stop at the first `=` let every seal be spelt in many ways.")
        .twin(HONEST, &["/in/seal:tag"], "`==` appended to the tag's text; it decodes to the same octets")
        .recipe("Append `==` to the last part of an honest seal.")
}

/// The header's text is the additional data as received, so the tag is made over the padded text.
fn header_padding() -> Entry {
    let octets = [good().header_octets(), vec![b' '; unaligned()]].concat();
    let text = Seal { protected: Some(padded(&octets)), ..good() }.text();
    refused(
        "base64-header-padding",
        "SEAL-5",
        "A header with padding is refused, though the tag covers it.",
        text,
    )
    .why("The tag does not help here: the sender authenticates the padded text itself.")
    .twin(HONEST, &["/in/seal:headerText"], "the header's text is padded, and encrypted with as it stands")
    .recipe("Make the header one octet longer than a multiple of three, pad its base64url, then encrypt.")
}

/// Spaces that leave the header's length 1 modulo 3, so that its last character has unused bits.
fn unaligned() -> usize {
    (4 - good().header_octets().len() % 3) % 3 + 3
}

fn padded(octets: &[u8]) -> String {
    let text = b64u(octets);
    let pad = (4 - text.len() % 4) % 4;
    text + &"=".repeat(pad)
}

fn alphabet() -> Entry {
    let mut parts = Seal { iv: vec![0xff; 12], ..good() }.parts();
    if let Some(iv) = parts.get_mut(2) {
        *iv = iv.replace('_', "/");
    }
    refused(
        "base64-standard-alphabet",
        "SEAL-5",
        "An IV in the standard alphabet is refused.",
        parts.join("."),
    )
    .why("`/` for `_` and `+` for `-` are a second spelling of the same octets.")
    .twin(HONEST, &["/in/seal:iv"], "an IV of twelve octets ff, written with `/` where `_` belongs")
    .recipe("Encrypt with an IV of twelve octets ff, and write that part in the standard alphabet.")
}

fn unused_bits(part: &str, at: usize, name: &str) -> Entry {
    let text = with_part(at, next_last);
    let name = format!("base64-unused-bits-{name}");
    refused(
        &name,
        "SEAL-5",
        &format!(
            "Unused bits of the last character of the {part} that are not zero \
        are refused."
        ),
        text,
    )
    .why(
        "They decode to the same octets in lenient decoders: a second spelling that a list of used \
            seals misses.",
    )
    .twin(
        HONEST,
        &[&format!("/in/seal:{part}")],
        "the last character's unused bits set; the octets are \
            the same",
    )
    .recipe("Replace the last character of that part by the next one of the alphabet.")
}

fn header_unused_bits() -> Entry {
    let octets = [good().header_octets(), vec![b' '; unaligned()]].concat();
    let text = Seal { protected: Some(next_last(&b64u(octets))), ..good() }.text();
    let title = "Unused bits of the header's last character that are not zero are refused, though the tag \
        covers them.";
    refused("base64-unused-bits-header", "SEAL-5", title, text)
        .why("The sender chooses the text that the tag covers, so only the decoder can refuse it.")
        .twin(
            HONEST,
            &["/in/seal:headerText"],
            "white space for length, the last character's unused bits set",
        )
        .recipe("Make the header's length 1 modulo 3, set the unused bits of its text, then encrypt.")
}

/// The text with the lowest bit of its last character set, which is an unused one.
fn next_last(text: &str) -> String {
    const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = text.to_owned();
    let place = text.pop().and_then(|last| ALPHABET.find(last)).unwrap_or_default();
    text.extend(ALPHABET.chars().nth(place | 1));
    text
}

fn white_space() -> Entry {
    let text = with_part(3, |part| format!("{part}\r\n"));
    refused("base64-line-end-inside", "SEAL-5", "A line end inside the seal is refused.", text)
        .why("MIME decoders skip line ends.")
        .twin(HONEST, &["/in/seal:ciphertext"], "CR and LF between the ciphertext's text and its dot")
        .recipe("Put CR LF behind the fourth part.")
}

fn odd_length() -> Entry {
    let text = with_part(2, |iv| format!("{iv}A"));
    refused("base64-length", "SEAL-5", "A part of 1 modulo 4 characters is refused.", text)
        .why("Six bits are no octet: some decoders drop them.")
        .twin(HONEST, &["/in/seal:iv"], "one character A appended to the IV's text")
        .recipe("Append one character to the third part.")
}

fn foreign_characters() -> Entry {
    let entry =
        reject("seal/base64-foreign", "SEAL-5", "seal", "A character outside the alphabet is refused.")
            .family("seal.open")
            .why("Decoders that skip what they do not know give one seal many spellings.")
            .twin(HONEST, &["/in/seal"], "the character named stands behind the first one of the ciphertext")
            .recipe("Put one foreign character into the fourth part of an honest seal.")
            .refused();
    let rows = [
        ("nul", "\0"),
        ("space", " "),
        ("tilde", "~"),
        ("plus", "+"),
        ("percent", "%2D"),
        ("not-ascii", "\u{e4}"),
    ];
    rows.iter().fold(entry, |entry, (name, foreign)| {
        let text = with_part(3, |part| {
            let (first, rest) = part.split_at(1);
            format!("{first}{foreign}{rest}")
        });
        entry.bad(name, super::input(text))
    })
}
