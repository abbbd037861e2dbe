//! One spelling: a UTF8String of the prefix and canonical base64url of 32 octets (BINDING-2).

use super::{BOUND, CHOICE, call, csr, hash_of, sent, text};
use crate::case::{Entry, reject};
use crate::testkit::csr::BINDING_PREFIX;
use crate::testkit::der;
use crate::testkit::encode::{b64, b64u};

pub(super) fn entries() -> Vec<Entry> {
    vec![string_types(), hashes()]
}

fn family(name: &str, title: &str, what: &str) -> Entry {
    reject(&format!("binding/{name}"), "BINDING-2", "request-binding", title)
        .choice(CHOICE, "checked")
        .family("binding.check")
        .refused()
        .twin(BOUND, &["/in/csr:attributes"], what)
        .recipe("Write the binding as the row says, then sign.")
}

fn string_types() -> Entry {
    let entry = family(
        "string-type",
        "The right text under another tag is refused.",
        "the value's tag is that of the row",
    )
    .why("One spelling, so that nobody writes a converter. What begins so is the binding, whatever its tag.");
    let rows = [
        ("printable", der::PRINTABLE),
        ("ia5", der::IA5),
        ("teletex", 0x14),
        ("visible", 0x1a),
        ("octet-string", der::OCTET_STRING),
        ("integer", der::INTEGER),
        ("context", 0x80),
    ];
    rows.iter().fold(entry, |entry, (name, tag)| {
        entry.bad(name, call(&csr(&[&der::tlv(*tag, text())]), &sent(), false))
    })
}

fn hashes() -> Entry {
    let entry = family(
        "hash-spelling",
        "Anything but canonical base64url of 32 octets behind the prefix is refused.",
        "the hash is written as the row says",
    )
    .why("The value is there, so it must be right; a malformed one is never taken for an absent one.");
    let hash = hash_of(&sent());
    let right = b64u(hash);
    let rows = [
        ("empty", String::new()),
        ("padded", format!("{right}=")),
        ("unused-bits", format!("{}B", "A".repeat(42))),
        ("standard-base64", b64(hash)),
        ("hexadecimal", hex::encode(hash)),
        ("31-octets", b64u([7; 31])),
        ("33-octets", b64u([7; 33])),
        ("cut", right.split_at(42).0.to_owned()),
        ("line-feed-behind", format!("{right}\n")),
        ("nul-behind", format!("{right}\0")),
        ("blank-in-front", format!(" {right}")),
        ("prefix-again", format!("{BINDING_PREFIX}{right}")),
        ("not-utf8", String::new()),
    ];
    rows.iter().fold(entry, |entry, (name, spelt)| {
        let mut value = format!("{BINDING_PREFIX}{spelt}").into_bytes();
        if *name == "not-utf8" {
            value.extend([0xff; 43]);
        }
        entry.bad(name, call(&csr(&[&der::tlv(der::UTF8, value)]), &sent(), false))
    })
}
