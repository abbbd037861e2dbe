//! IV, ciphertext and tag: lengths, and that the tag is checked (SEAL-5).

use super::{HONEST, good, refused};
use crate::case::Entry;
use crate::testkit::seal::Seal;

pub(super) fn entries() -> Vec<Entry> {
    vec![
        long_iv(),
        short_iv(),
        empty_iv(),
        tag_cut(15),
        tag_cut(12),
        tag_cut(0),
        tag_long(),
        tag_flipped(),
        flipped(),
        header_changed(),
    ]
}

fn changed(case: &str, part: &str, title: &str, text: &str, what: &str) -> Entry {
    refused(case, "SEAL-5", title, text)
        .twin(HONEST, &[&format!("/in/seal:{part}")], what)
        .recipe(&format!("Change that part of an honest seal: {what}."))
}

fn long_iv() -> Entry {
    let seal = Seal { iv: vec![7; 16], ..good() };
    changed("iv-16", "iv", "An IV of 16 octets is refused.", &seal.text(), "an IV of 16 octets, rightly used")
        .why("GCM takes an IV of any length, so the tag is right: only the rule about the length refuses it.")
}

fn with_part(at: usize, octets: &[u8]) -> String {
    let mut parts = good().parts();
    if let Some(part) = parts.get_mut(at) {
        *part = crate::testkit::encode::b64u(octets);
    }
    parts.join(".")
}

fn short_iv() -> Entry {
    let mut iv = good().iv;
    iv.truncate(11);
    changed(
        "iv-11",
        "iv",
        "An IV of 11 octets is refused.",
        &with_part(2, &iv),
        "the IV without its last octet",
    )
    .why("Code that copies into a fixed array panics on the difference.")
}

fn empty_iv() -> Entry {
    changed("iv-empty", "iv", "An empty IV is refused.", &with_part(2, &[]), "nothing between the dots")
        .why("Libraries have crashed on it, or taken an IV of zeros.")
}

fn tag() -> Vec<u8> {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    URL_SAFE_NO_PAD.decode(&good().parts()[4]).unwrap_or_default()
}

fn tag_cut(octets: usize) -> Entry {
    let mut tag = tag();
    tag.truncate(octets);
    let title = format!("A right tag cut to {octets} octets is refused.");
    changed(
        &format!("tag-{octets}"),
        "tag",
        &title,
        &with_part(4, &tag),
        &format!("the first {octets} octets of the tag"),
    )
    .why(
        "GCM has shorter tags, and libraries compare as many octets as they get: with few of them \
            anyone forges.",
    )
}

fn tag_long() -> Entry {
    let tag = [tag(), vec![0]].concat();
    changed(
        "tag-17",
        "tag",
        "A right tag and one more octet are refused.",
        &with_part(4, &tag),
        "a zero octet appended to the tag",
    )
    .why("Code that compares the first 16 octets opens it.")
}

fn tag_flipped() -> Entry {
    let mut tag = tag();
    if let Some(last) = tag.last_mut() {
        *last ^= 1;
    }
    changed(
        "tag-flipped",
        "tag",
        "A tag with its last bit flipped is refused.",
        &with_part(4, &tag),
        "the last bit of the tag flipped",
    )
    .also("SEAL-1")
    .why("The tag is checked, and all of it.")
}

fn flipped() -> Entry {
    let mut parts = good().parts();
    let first = if parts[3].starts_with('A') { "B" } else { "A" };
    parts[3].replace_range(..1, first);
    changed(
        "ciphertext-changed",
        "ciphertext",
        "A changed ciphertext is refused.",
        &parts.join("."),
        "the first six bits changed",
    )
    .also("SEAL-1")
    .why("Nothing is used before the tag has been checked.")
}

fn header_changed() -> Entry {
    let mut parts = good().parts();
    parts[0] = good().member("iat", "1767225601").parts()[0].clone();
    changed(
        "header-changed",
        "header.iat",
        "A header changed after encryption is refused.",
        &parts.join("."),
        "iat is one second more; the tag is the old one",
    )
    .also("SEAL-1")
    .why("The header is authenticated: else a relay would replace csr.")
}
