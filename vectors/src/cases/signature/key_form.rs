//! The key: another one, or one that is no P-256 SubjectPublicKeyInfo.

use serde_json::{Value, json};

use crate::case::{Entry, reject};
use crate::testkit::der::{bit_string, oid, sequence};
use crate::testkit::encode::b64u;
use crate::testkit::keys::key;
use crate::testkit::signature::spki;
use crate::testkit::{p384, rsa};

use super::golden::changed;
use super::{RECIPE, signer};

pub(super) fn cases() -> Vec<Entry> {
    vec![other(), curve(), spelling(), off_curve()]
}

fn bad(name: &str, title: &str, what: &str) -> Entry {
    reject(&format!("signature/{name}"), "SIGNATURE-1", "signature", title)
        .twin("signature/verified#join-response", &["/in/key"], what)
        .recipe(RECIPE)
}

/// The right signature with another key beside it.
fn with(key: &[u8]) -> Value {
    let mut input = changed(|sig| sig.to_vec());
    input["key"] = json!(b64u(key));
    input
}

fn other() -> Entry {
    bad("wrong-key", "Another key's signature does not verify.", "the public key of another pair")
        .call("signature.verify", with(&spki(&key("signature other"))))
        .why("Whoever holds some key is not whoever holds this key.")
}

fn curve() -> Entry {
    bad("key-type", "The key is a P-256 key.", "a key of another kind")
        .family("signature.verify")
        .bad("P-384", with(&p384::spki(&p384::key("signature"))))
        .bad("RSA", with(&rsa::spki()))
        .bad("secp256k1", with(&point_of("1.3.132.0.10", &signer_point())))
        .bad("Ed25519", with(&sequence(&[&sequence(&[&oid("1.3.101.112")]), &bit_string(0, [9; 32])])))
        .why("No algorithm is taken from the message or from the key.")
}

fn spelling() -> Entry {
    let (right, point) = (spki(&signer()), signer_point());
    let prime256v1 = "1.2.840.10045.3.1.7";
    let compressed = [&[2 | point[64] & 1], &point[1..33]].concat();
    let hybrid = [&[6 | point[64] & 1], &point[1..]].concat();
    bad("key-spelling", "The key is strict DER of an uncompressed point.", "the same key in another form")
        .family("signature.verify")
        .bad("compressed point", with(&point_of(prime256v1, &compressed)))
        .bad("hybrid point", with(&point_of(prime256v1, &hybrid)))
        .bad("the point alone", with(&point))
        .bad("an octet after it", with(&[right.as_slice(), &[0]].concat()))
        .bad("an octet missing", with(&right[..right.len() - 1]))
        .bad("long form of a length", with(&[&[0x30, 0x81, 0x59], &right[2..]].concat()))
        .bad("no curve", with(&sequence(&[&sequence(&[&oid("1.2.840.10045.2.1")]), &bit_string(0, &point)])))
        .bad("empty", with(&[]))
        .why("A key has one spelling, because its hash is what is pinned.")
}

fn off_curve() -> Entry {
    let mut point = signer_point();
    point[64] ^= 1;
    bad("key-off-curve", "A point that is not on the curve is no key.", "the last bit of y changed")
        .call("signature.verify", with(&point_of("1.2.840.10045.3.1.7", &point)))
        .why("Arithmetic on a point of another curve leaks secrets and verifies things it should not.")
}

/// The signer's point, uncompressed: the last 65 octets of its SPKI.
fn signer_point() -> Vec<u8> {
    let mut spki = spki(&signer());
    spki.split_off(spki.len().saturating_sub(65))
}

fn point_of(curve: &str, point: &[u8]) -> Vec<u8> {
    sequence(&[&sequence(&[&oid("1.2.840.10045.2.1"), &oid(curve)]), &bit_string(0, point)])
}
