//! The signature's algorithm: ecdsa-with-SHA256, without parameters (CSR-3).

use sha2::{Digest as _, Sha384, Sha512};

use super::{HONEST, good, input, refused};
use crate::case::{Entry, reject};
use crate::testkit::csr::{Csr, ECDSA_SHA256};
use crate::testkit::der;

pub(super) fn entries() -> Vec<Entry> {
    vec![null(), sha1(), sha384(), sha512(), names(), forms()]
}

fn null() -> Entry {
    let algorithm = der::sequence(&[&der::oid(ECDSA_SHA256), &der::tlv(der::NULL, [])]);
    refused(
        "algorithm-null",
        "CSR-3",
        "NULL parameters of the signature's algorithm are refused.",
        Csr { algorithm, ..good() }.der(),
    )
    .why(
        "Authorities have accepted such requests for months and stopped with a library's upgrade. The \
            absence is exact.",
    )
    .twin(HONEST, &["/in/csr:algorithm"], "NULL behind the OID; the signature holds")
    .recipe("Write ecdsa-with-SHA256 with NULL parameters, then sign.")
}

fn hashed(name: &str, oid: &str, digest: &[u8], what: &str) -> Entry {
    let algorithm = der::sequence(&[&der::oid(oid)]);
    let csr = Csr { algorithm, ..good() }.signed_digest(digest);
    refused(name, "CSR-3", &format!("A right signature with {what} is refused."), csr.der())
        .why("The algorithm is fixed: a verifier that follows the request lets the sender choose the hash.")
        .twin(
            HONEST,
            &["/in/csr:algorithm", "/in/csr:signature"],
            &format!("the algorithm is {what}, and so is the signature"),
        )
        .recipe(&format!("Sign with {what} and say so."))
}

/// SHA-1 of the honest info, by Python's hashlib; a test pins the octets that it is of.
const SHA1_OF_INFO: &str = "4217a5098dd440c8857adf38adf290ad69f7ebe5";

fn sha1() -> Entry {
    let digest = hex::decode(SHA1_OF_INFO).unwrap_or_default();
    hashed("algorithm-sha1", "1.2.840.10045.4.1", &digest, "ecdsa-with-SHA1")
}

fn sha384() -> Entry {
    hashed("algorithm-sha384", "1.2.840.10045.4.3.3", &Sha384::digest(good().info()), "ecdsa-with-SHA384")
}

fn sha512() -> Entry {
    hashed("algorithm-sha512", "1.2.840.10045.4.3.4", &Sha512::digest(good().info()), "ecdsa-with-SHA512")
}

fn names() -> Entry {
    let entry = reject(
        "csr/algorithm-name",
        "CSR-3",
        "csr",
        "Any other algorithm is refused, though the signature holds.",
    )
    .family("csr.check")
    .refused()
    .why("The signature is ecdsa-with-SHA256 in each; a verifier that never looks at the name accepts them.")
    .twin(HONEST, &["/in/csr:algorithm"], "the OID of the row, without parameters")
    .recipe("Write another algorithm's OID beside a right signature.");
    let rows = [
        ("ecdsa-with-sha1", "1.2.840.10045.4.1"),
        ("ecdsa-with-sha224", "1.2.840.10045.4.3.1"),
        ("ecdsa-with-sha384", "1.2.840.10045.4.3.3"),
        ("ecdsa-with-recommended", "1.2.840.10045.4.2"),
        ("ecdsa-with-specified", "1.2.840.10045.4.3"),
        ("ec-public-key", "1.2.840.10045.2.1"),
        ("sha256", "2.16.840.1.101.3.4.2.1"),
        ("sha256-with-rsa", "1.2.840.113549.1.1.11"),
        ("ed25519", "1.3.101.112"),
        ("unknown", "1.3.6.1.4.1.99999.1"),
    ];
    rows.iter().fold(entry, |entry, (name, oid)| {
        entry.bad(name, input(Csr { algorithm: der::sequence(&[&der::oid(oid)]), ..good() }.der()))
    })
}

fn forms() -> Entry {
    let entry = reject("csr/algorithm-form", "CSR-3", "csr", "An algorithm of another shape is refused.")
        .also("CSR-1")
        .family("csr.check")
        .refused()
        .why("The identifier is twelve octets, always the same.")
        .twin(
            HONEST,
            &["/in/csr:algorithm"],
            "the identifier is encoded as the row says; the signature holds",
        )
        .recipe("Encode the algorithm identifier as the row says.");
    let oid = der::oid(ECDSA_SHA256);
    let rows = [
        ("empty", der::sequence(&[])),
        ("bare-oid", oid.clone()),
        ("set", der::set(&[&oid])),
        ("empty-sequence-behind", der::sequence(&[&oid, &der::sequence(&[])])),
        ("curve-behind", der::sequence(&[&oid, &der::oid("1.2.840.10045.3.1.7")])),
        ("hash-behind", der::sequence(&[&oid, &der::sequence(&[&der::oid("2.16.840.1.101.3.4.2.1")])])),
    ];
    rows.iter().fold(entry, |entry, (name, form)| {
        entry.bad(name, input(Csr { algorithm: form.clone(), ..good() }.der()))
    })
}

#[cfg(test)]
#[test]
fn the_sha1_is_of_these_octets() {
    let golden = "c23151b565677594637d32ef4f779e6f3ad90aece8ac893767a975f1bd257697";
    assert_eq!(hex::encode(crate::testkit::keys::hash(good().info())), golden);
}
