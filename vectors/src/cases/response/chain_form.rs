//! Entries of the chain that are no strict-DER certificates.

use serde_json::Value;

use crate::case::Entry;
use crate::testkit::der::{bit_string, sequence, tlv};
use crate::testkit::encode::b64;
use crate::testkit::signature::sign_der;
use crate::testkit::x509::{Certificate, algorithm};

use super::answer::{Answer, CHAIN, VERIFY, own_csr};
use super::form::malformed;

pub(super) fn cases() -> Vec<Entry> {
    vec![leaf(), second(), structure()]
}

/// The right answer with these octets as its leaf.
fn with_leaf(leaf: Vec<u8>) -> Value {
    Answer::honest().input_with_body(Answer::honest().whole_with(leaf).encode())
}

fn pem(der: &[u8]) -> Vec<u8> {
    format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", b64(der)).into_bytes()
}

/// The outer length of a certificate, which has two octets, written with three.
fn long_length(der: &[u8]) -> Vec<u8> {
    [&[0x30, 0x83, 0x00], der.get(2..).unwrap_or_default()].concat()
}

fn leaf() -> Entry {
    let right = Answer::honest().leaf_der();
    let title = "The leaf is one strict-DER X.509 certificate.";
    malformed("leaf-not-a-certificate", title, &CHAIN, "the leaf in another form, or something else")
        .family(VERIFY)
        .bad("empty", with_leaf(Vec::new()))
        .bad("garbage", with_leaf(b"certificate".to_vec()))
        .bad("PEM", with_leaf(pem(&right)))
        .bad("an octet after it", with_leaf([right.as_slice(), &[0]].concat()))
        .bad(
            "the last octet missing",
            with_leaf(right.split_last().map(|(_, rest)| rest.to_vec()).unwrap_or_default()),
        )
        .bad("BER length", with_leaf(long_length(&right)))
        .bad("a request", with_leaf(own_csr(&super::answer::asked("", "node"))))
        .bad(
            "both certificates in one entry",
            Answer::honest().input_with_chain(vec![Answer::honest().whole().certificate_chain.concat()]),
        )
        .why("What is checked must be what is stored and presented, octet for octet.")
}

fn second() -> Entry {
    let (answer, right) = (Answer::honest(), Answer::honest().above.concat());
    let with = |second: Vec<u8>| answer.input_with_chain(vec![answer.leaf_der(), second]);
    let title = "Every entry of the chain is a certificate, not only the leaf.";
    malformed(
        "issuer-not-a-certificate",
        title,
        &CHAIN,
        "the second entry in another form, or something else",
    )
    .family(VERIFY)
    .bad("empty", with(Vec::new()))
    .bad("garbage", with(b"certificate".to_vec()))
    .bad("PEM", with(pem(&right)))
    .bad("an octet after it", with([right.as_slice(), &[0]].concat()))
    .bad("BER length", with(long_length(&right)))
    .why("A chain that cannot be parsed when the session opens strands the node.")
}

/// The right answer with its leaf changed, and signed again by the right issuer.
fn with_changed_leaf(change: impl FnOnce(&mut Certificate)) -> Value {
    let mut answer = Answer::honest();
    change(&mut answer.leaf);
    answer.input()
}

fn structure() -> Entry {
    let answer = Answer::honest();
    let inner = Certificate { algorithm: algorithm("1.2.840.10045.4.3.3"), ..answer.leaf.clone() };
    let signature = bit_string(0, sign_der(&answer.issuer, &inner.tbs()));
    let mixed = sequence(&[&inner.tbs(), &answer.leaf.algorithm, &signature]);
    malformed(
        "leaf-structure",
        "A certificate has the structure of RFC 5280 section 4.1.",
        &CHAIN,
        "one part of the leaf, which is rightly signed",
    )
    .family(VERIFY)
    .bad("another algorithm inside", with_leaf(mixed))
    .bad(
        "an extension twice",
        with_changed_leaf(|leaf| {
            let twice = leaf.extensions.clone();
            leaf.extensions.extend(twice);
        }),
    )
    .bad("extensions in version 1", with_changed_leaf(|leaf| leaf.version = None))
    .bad("the year 0", with_changed_leaf(|leaf| leaf.not_before = tlv(0x18, "00001231235900Z")))
    .bad("a 30 February", with_changed_leaf(|leaf| leaf.not_before = tlv(0x18, "20240230000000Z")))
    .bad("a time without seconds", with_changed_leaf(|leaf| leaf.not_before = tlv(0x17, "2512312359Z")))
    .bad("a time with a zone", with_changed_leaf(|leaf| leaf.not_before = tlv(0x17, "251231235900+0000")))
    .why(
        "What one reader mends or passes over, another refuses when the session opens; the node is stranded.",
    )
}
