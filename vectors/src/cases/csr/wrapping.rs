//! The DER and nothing else: no PEM, nothing behind it, no other structure.

use super::{HONEST, good, input, ours, refused};
use crate::case::{Entry, reject};
use crate::testkit::csr;
use crate::testkit::der;
use crate::testkit::encode::{b64, b64u};
use crate::testkit::keys::key;
use crate::testkit::signature::spki;

pub(super) fn entries() -> Vec<Entry> {
    vec![pem(), texts(), zero_behind(), second_behind(), cut(), other_structures()]
}

fn pem() -> Entry {
    let base64 = b64(good().der());
    let lines: Vec<_> = base64.as_bytes().chunks(64).map(String::from_utf8_lossy).collect();
    let text = format!(
        "-----BEGIN CERTIFICATE REQUEST-----\n{}\n-----END CERTIFICATE REQUEST-----\n",
        lines.join("\n"),
    );
    refused("pem", "CSR-1", "A request in PEM is refused.", text)
        .why("PEM has many spellings of one request, and the hash in the seal is of octets.")
        .twin(HONEST, &["/in/csr"], "the same request in PEM")
        .recipe("Send a right request in PEM (RFC 7468 section 7).")
}

fn texts() -> Entry {
    let entry = reject("csr/text", "CSR-1", "csr", "A request as text is refused.")
        .family("csr.check")
        .refused()
        .why("The field holds octets. Libraries that guess the encoding accept all of these.")
        .twin(HONEST, &["/in/csr"], "the same request in the row's encoding")
        .recipe("Encode a right request once more, as the row says.");
    let der = good().der();
    let rows = [("base64", b64(&der)), ("base64url", b64u(&der)), ("hexadecimal", hex::encode(&der))];
    rows.iter().fold(entry, |entry, (name, text)| entry.bad(name, input(text)))
}

fn behind(name: &str, title: &str, tail: &[u8], what: &str) -> Entry {
    refused(name, "CSR-1", title, [good().der(), tail.to_vec()].concat())
        .also("CSR-5")
        .why(
            "The hash is of the whole field: with octets behind the request it would name more than was \
            parsed.",
        )
        .twin(HONEST, &["/in/csr:trailing"], what)
        .recipe(&format!("Append to a right request: {what}."))
}

fn zero_behind() -> Entry {
    behind("zero-behind", "A zero octet behind the request is refused.", &[0], "one octet 00")
}

fn second_behind() -> Entry {
    let other = csr::honest(&key("csr other node")).der();
    behind(
        "second-behind",
        "A second request behind the first is refused.",
        &other,
        "another key's right request",
    )
}

fn cut() -> Entry {
    let mut der = good().der();
    der.pop();
    refused("cut", "CSR-1", "A request without its last octet is refused.", der)
        .why("Readers that trust a length read past the end.")
        .twin(HONEST, &["/in/csr"], "the last octet is cut off")
        .recipe("Cut the last octet off a right request.")
}

fn other_structures() -> Entry {
    let entry = reject("csr/no-request", "CSR-1", "csr", "Another structure is refused.")
        .family("csr.check")
        .refused()
        .why("Each is well-formed DER; a parser must not index into what it expects to be there.")
        .twin(HONEST, &["/in/csr"], "the structure of the row instead of a request")
        .recipe("Send the structure of the row.");
    let rows = [
        ("null", der::tlv(der::NULL, [])),
        ("empty-sequence", der::sequence(&[])),
        (
            "sequence-of-empty-sequences",
            der::sequence(&[&der::sequence(&[]), &der::sequence(&[]), &der::bit_string(0, [])]),
        ),
        ("public-key", spki(&ours())),
        ("info-alone", good().info()),
        ("request-in-a-sequence", der::sequence(&[&good().der()])),
        ("request-in-an-octet-string", der::tlv(der::OCTET_STRING, good().der())),
        ("set-for-sequence", set_for_sequence()),
    ];
    rows.iter().fold(entry, |entry, (name, der)| entry.bad(name, input(der)))
}

fn set_for_sequence() -> Vec<u8> {
    let mut der = good().der();
    if let Some(first) = der.first_mut() {
        *first = der::SET;
    }
    der
}
