//! Another content encryption, or another type: refused by its name (SEAL-6, SEAL-2).

use super::{HONEST, good, input, quoted, refused};
use crate::case::{Entry, reject};
use crate::testkit::keys::hash;
use crate::testkit::seal::jwe::Content;
use crate::testkit::seal::{ENC, Seal, TYP};

pub(super) fn entries() -> Vec<Entry> {
    vec![a128gcm(), a192gcm(), cbc(), names(), types()]
}

/// What differs with the encryption: the content key has another length.
const KEY: [&str; 2] = ["/in/seal:header.enc", "/in/seal:cek"];

fn other(enc: &str, seal: &Seal, at: &[&str], what: &str) -> Entry {
    let title = format!("{enc} is refused, rightly made as it is.");
    refused(
        &format!("enc-{}", enc.to_ascii_lowercase()),
        "SEAL-6",
        &title,
        seal.clone().member("enc", &quoted(enc)).text(),
    )
    .also("SEAL-5")
    .why("A library that takes the algorithm from the message opens it.")
    .twin(HONEST, at, what)
    .recipe(&format!("Make the seal by the rules of {enc}: {what}."))
}

fn a128gcm() -> Entry {
    let seal = Seal { cek: vec![7; 16], ..good() };
    other("A128GCM", &seal, &KEY, "a content key of 16 octets, wrapped in 24, and AES-128-GCM")
}

fn a192gcm() -> Entry {
    let seal = Seal { cek: vec![7; 24], ..good() };
    other("A192GCM", &seal, &KEY, "a content key of 24 octets, wrapped in 32, and AES-192-GCM")
}

fn cbc() -> Entry {
    let cek = [hash("seal mac key"), hash("seal cbc key")].concat();
    let seal = Seal { cek, iv: vec![7; 16], content: Content::CbcHs512, ..good() };
    other(
        "A256CBC-HS512",
        &seal,
        &["/in/seal:header.enc", "/in/seal:cek", "/in/seal:iv"],
        "a content key of 64 octets, an IV of 16, AES-256-CBC and half of HMAC-SHA-512",
    )
}

fn names() -> Entry {
    let entry = reject("seal/enc-name", "SEAL-6", "seal", "Any other value of enc is refused.")
        .also("SEAL-5")
        .family("seal.open")
        .refused()
        .why("The value is compared exactly, as a string, in its case; the rest of the seal is honest.")
        .twin(HONEST, &["/in/seal:header.enc"], "enc has the value of the row; the tag holds")
        .recipe("Replace enc in the header, then encrypt.");
    let rows = [
        ("lower-case", quoted(&ENC.to_ascii_lowercase())),
        ("with-dash", quoted("A256-GCM")),
        ("key-wrap-name", quoted("A256GCMKW")),
        ("empty", quoted("")),
        ("list", format!("[\"{ENC}\"]")),
        ("number", "256".into()),
    ];
    rows.iter().fold(entry, |entry, (name, value)| entry.bad(name, input(good().member("enc", value).text())))
}

fn types() -> Entry {
    let entry = reject("seal/typ", "SEAL-2", "seal", "Any other value of typ is refused.")
        .also("SEAL-5")
        .documented()
        .family("seal.open")
        .refused()
        .why("The type keeps a JWE made for another purpose, to the same key, from being taken for a seal.")
        .twin(HONEST, &["/in/seal:header.typ"], "typ has the value of the row; the tag holds")
        .recipe("Replace typ in the header, then encrypt.");
    let rows = [
        ("jwe", quoted("JWE")),
        ("jose", quoted("JOSE")),
        ("upper-case", quoted(&TYP.to_ascii_uppercase())),
        ("media-type", quoted(&format!("application/{TYP}"))),
        ("signature", quoted("bcjt+jws")),
        ("prefix", quoted("bcjt")),
        ("empty", quoted("")),
        ("list", format!("[\"{TYP}\"]")),
    ];
    rows.iter().fold(entry, |entry, (name, value)| entry.bad(name, input(good().member("typ", value).text())))
}
