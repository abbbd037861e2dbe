//! Another kind of key: refused, right as the request is by its own rules (CSR-2).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::foreign::{DSA, ED25519, SECP256K1};
use super::{HONEST, good, ours, point, refused};
use crate::case::Entry;
use crate::testkit::csr::Csr;
use crate::testkit::der;
use crate::testkit::{p384, rsa};

pub(super) fn entries() -> Vec<Entry> {
    vec![
        rsa_2048(),
        curve_384(),
        made("ed25519", ED25519),
        made("secp256k1", SECP256K1),
        made("dsa", DSA),
        unknown(),
        dh(),
    ]
}

fn other(name: &str, kind: &str, csr: &[u8], what: &str) -> Entry {
    refused(&format!("key-{name}"), "CSR-2", &format!("A request with a key {kind} is refused."), csr)
        .documented()
        .why(
            "Signers have met such keys deep in their code, printed them, or panicked. One reason, and the \
            key is not shown.",
        )
        .twin(HONEST, &["/in/csr:publicKey", "/in/csr:algorithm", "/in/csr:signature"], what)
        .recipe(&format!("Make a right request with another kind of key: {what}."))
}

fn made(name: &str, text: &str) -> Entry {
    let csr = URL_SAFE_NO_PAD.decode(text).unwrap_or_default();
    let kind = match name {
        "ed25519" => "on Ed25519",
        "secp256k1" => "on secp256k1",
        _ => "of DSA",
    };
    let entry =
        other(name, kind, &csr, &format!("the key is {kind}, and the request is right by that algorithm"));
    let same_algorithm = &["/in/csr:publicKey", "/in/csr:signature"];
    // secp256k1 signs with the protocol's own algorithm identifier.
    if name == "secp256k1" { entry.twin(HONEST, same_algorithm, "the key is on secp256k1") } else { entry }
}

fn rsa_2048() -> Entry {
    let algorithm = der::sequence(&[&der::oid("1.2.840.113549.1.1.11"), &der::tlv(der::NULL, [])]);
    let csr = Csr { spki: rsa::spki(), algorithm, ..good() };
    let csr = csr.clone().signed_as(&rsa::sign(&csr.info()));
    other("rsa", "of RSA", &csr.der(), "an RSA key of 2048 bits, sha256WithRSAEncryption")
}

fn curve_384() -> Entry {
    let key = p384::key("csr");
    let csr = Csr { spki: p384::spki(&key), ..good() };
    let csr = csr.clone().signed_as(&p384::sign_der(&key, &csr.info()));
    other("p384", "on P-384", &csr.der(), "a key on P-384, ecdsa-with-SHA256").twin(
        HONEST,
        &["/in/csr:publicKey", "/in/csr:signature"],
        "a key on P-384, ecdsa-with-SHA256",
    )
}

fn labelled(name: &str, title: &str, oid: &str, what: &str) -> Entry {
    let algorithm = der::sequence(&[&der::oid(oid), &der::oid("1.2.840.10045.3.1.7")]);
    let spki = der::sequence(&[&algorithm, &der::bit_string(0, point(&ours()))]);
    refused(name, "CSR-2", title, Csr { spki, ..good() }.der())
        .why("The point is right and the signature holds: only the algorithm's name is another one.")
        .twin(HONEST, &["/in/csr:publicKey"], what)
        .recipe(&format!("Write another key algorithm, then sign with the P-256 key: {what}."))
}

fn unknown() -> Entry {
    let oid = "1.3.6.1.4.1.99999.1";
    labelled(
        "key-unknown",
        "A key of an unknown algorithm is refused.",
        oid,
        "the key algorithm is an OID that nobody knows",
    )
}

fn dh() -> Entry {
    let what = "the key algorithm is id-ecDH (RFC 5480 section 2.1.2)";
    labelled("key-ecdh", "A key that is only for key agreement is refused.", "1.3.132.1.12", what)
}
