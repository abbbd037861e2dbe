//! `csr` is the hash of the very octets beside the seal (SEAL-3).

use serde_json::Value;

use super::{HONEST, beside, good, input, quoted, refused_as};
use crate::case::{Entry, reject};
use crate::testkit::csr;
use crate::testkit::encode::{b64, b64u};
use crate::testkit::keys::{hash, key};

pub(super) fn entries() -> Vec<Entry> {
    vec![swapped(), another_hash(), extended(), last_bit(), of_the_key(), forms()]
}

/// The honest seal beside other octets.
fn next_to(csr: &[u8]) -> Value {
    let mut call = input(good().text());
    call["csr"] = b64u(csr).into();
    call
}

fn beside_other(case: &str, title: &str, csr: &[u8], what: &str) -> Entry {
    reject(&format!("seal/{case}"), "SEAL-3", "seal-csr", title)
        .documented()
        .call("seal.open", next_to(csr))
        .twin(HONEST, &["/in/csr"], what)
        .refused()
}

fn swapped() -> Entry {
    let other = csr::honest(&key("another node")).der();
    beside_other(
        "csr-swapped",
        "A seal beside another machine's request is refused.",
        &other,
        "another key's right request",
    )
    .why("A relay puts its own request beside a machine's token: the one attack that the hash is there for.")
    .recipe("Send an honest seal with the request of another key.")
}

fn extended() -> Entry {
    let longer = [beside(), vec![0]].concat();
    beside_other(
        "csr-extended",
        "A seal beside its request and one more octet is refused.",
        &longer,
        "a zero octet appended",
    )
    .also("CSR-5")
    .why(
        "The hash is over the field as received. Hashing what a parser consumed would overlook what follows.",
    )
    .recipe("Append one zero octet to the request of an honest seal.")
}

fn last_bit() -> Entry {
    let mut changed = beside();
    if let Some(last) = changed.last_mut() {
        *last ^= 1;
    }
    beside_other(
        "csr-last-bit",
        "A request that differs in its last bit is refused.",
        &changed,
        "the last bit flipped",
    )
    .also("CSR-5")
    .why("A hash over the signed part alone would not see the signature change.")
    .recipe("Flip the last bit of the request of an honest seal.")
}

fn another_hash() -> Entry {
    let seal = good().member("csr", &quoted(&b64u(hash("another request")))).text();
    refused_as("seal-csr", "csr-another-hash", "SEAL-3", "A seal made for another request is refused.", seal)
        .documented()
        .why("The same fault with the change in the seal: token and request have different owners.")
        .twin(HONEST, &["/in/seal:header.csr"], "csr is the hash of something else; the tag holds")
        .recipe("Seal with the hash of another request.")
}

fn of_the_key() -> Entry {
    let spki = crate::testkit::signature::spki(&key("seal node"));
    let seal = good().member("csr", &quoted(&b64u(hash(spki)))).text();
    refused_as(
        "seal-csr",
        "csr-hash-of-the-key",
        "SEAL-3",
        "The hash of the request's public key is \
        refused.",
        seal,
    )
    .why(
        "The hash is of the request, not of its key: with the key's hash a relay could change the \
            attributes.",
    )
    .twin(HONEST, &["/in/seal:header.csr"], "csr is the hash of the SubjectPublicKeyInfo; the tag holds")
    .recipe("Seal with the hash of the request's SubjectPublicKeyInfo.")
}

fn forms() -> Entry {
    let entry = reject(
        "seal/csr-form",
        "SEAL-3",
        "seal",
        "A csr that is not canonical base64url of 32 \
        octets is refused.",
    )
    .also("SEAL-5")
    .family("seal.open")
    .refused()
    .why(
        "Malformed is `seal`, different is `seal-csr`: the reason tells a broken client from a swapped \
            request.",
    )
    .twin(HONEST, &["/in/seal:header.csr"], "csr is written as the row says; the tag holds")
    .recipe("Replace the value of csr in the header, then encrypt.");
    let right = hash(beside());
    let bits = format!("{}{}", "A".repeat(42), "B");
    let rows = [
        ("hexadecimal", quoted(&hex::encode(right))),
        ("standard-base64", quoted(&b64(right))),
        ("padded", quoted(&(b64u(right) + "="))),
        ("unused-bits", quoted(&bits)),
        ("31-octets", quoted(&b64u([7; 31]))),
        ("33-octets", quoted(&b64u([7; 33]))),
        ("sha1-length", quoted(&b64u([7; 20]))),
        ("sha384-length", quoted(&b64u([7; 48]))),
        ("empty", quoted("")),
        ("line-end", quoted(&format!("{}\\n", b64u(right)))),
        ("prefixed", quoted(&format!("sha256:{}", b64u(right)))),
        ("list", format!("[\"{}\"]", b64u(right))),
        ("number", "0".into()),
    ];
    rows.iter().fold(entry, |entry, (name, csr)| entry.bad(name, input(good().member("csr", csr).text())))
}
