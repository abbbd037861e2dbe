//! The encryption key as a JWK: public, P-256, on the curve, canonical.

use serde_json::{Value, json};

use crate::case::Entry;
use crate::testkit::encode::b64u;
use crate::testkit::keys::{private_jwk, public_jwk};

use super::document::{SELECT, changed, encryption_key, malformed, pin, select};

pub(super) fn cases() -> Vec<Entry> {
    vec![private(), kind(), curve(), coordinates(), spelling(), off_curve(), not_reduced()]
}

/// The right document with another value in its JWK; nothing takes the member away.
pub(super) fn with(name: &str, value: Option<Value>) -> Value {
    select(&changed(|document| alter(&mut document["join"]["encryptionJwk"], name, value)))
}

/// Sets or removes a member of a JWK.
pub(in crate::cases) fn alter(jwk: &mut Value, name: &str, value: Option<Value>) {
    match value {
        Some(value) => jwk[name] = value,
        None => {
            jwk.as_object_mut().map(|members| members.remove(name));
        }
    }
}

fn private() -> Entry {
    let d = private_jwk(&encryption_key())["d"].clone();
    malformed("jwk-private", "A JWK with a private half is refused.", "a member d in the JWK")
        .family(SELECT)
        .bad("the key's own", with("d", Some(d)))
        .bad("empty", with("d", Some("".into())))
        .bad("null", with("d", Some(Value::Null)))
        .why("A key whose private half was published seals nothing.")
}

fn kind() -> Entry {
    malformed("jwk-kty", "kty is EC.", "another kty")
        .family(SELECT)
        .bad("absent", with("kty", None))
        .bad("lower case", with("kty", Some("ec".into())))
        .bad("OKP", with("kty", Some("OKP".into())))
        .bad("a list", with("kty", Some(json!(["EC"]))))
        .why("Values of a JWK are case-sensitive (RFC 7517 section 4.1).")
}

fn curve() -> Entry {
    malformed("jwk-crv", "crv is P-256.", "another crv")
        .family(SELECT)
        .bad("absent", with("crv", None))
        .bad("P-384", with("crv", Some("P-384".into())))
        .bad("lower case", with("crv", Some("p-256".into())))
        .bad("the curve's other name", with("crv", Some("prime256v1".into())))
        .why("The sealing algorithm fixes the curve.")
}

fn coordinates() -> Entry {
    let x = coordinate("x");
    let of = |octets: Vec<u8>| Some(Value::from(b64u(octets)));
    malformed("jwk-coordinate", "x and y are 32 octets each.", "a coordinate of another length or type")
        .family(SELECT)
        .bad("no x", with("x", None))
        .bad("no y", with("y", None))
        .bad("x empty", with("x", Some("".into())))
        .bad("x of 31 octets", with("x", of(x.iter().skip(1).copied().collect())))
        .bad("x of 33 octets", with("x", of([&[0], x.as_slice()].concat())))
        .bad("y of 33 octets", with("y", of([&[0], coordinate("y").as_slice()].concat())))
        .bad("x a number", with("x", Some(7.into())))
        .bad("y null", with("y", Some(Value::Null)))
        .why("RFC 7518 section 6.2.1.2: the full width, with its leading zeros.")
}

fn spelling() -> Entry {
    let jwk = public_jwk(&encryption_key());
    let x = jwk["x"].as_str().unwrap_or_default().to_owned();
    let spelled = |text: String| with("x", Some(text.into()));
    malformed("jwk-spelling", "Coordinates are canonical base64url.", "the same coordinate spelled otherwise")
        .family(SELECT)
        .bad("padding", spelled(format!("{x}=")))
        .bad("a blank after it", spelled(format!("{x} ")))
        .bad(
            "a line feed in it",
            spelled(x.chars().take(20).chain(['\n']).chain(x.chars().skip(20)).collect()),
        )
        .bad("unused bits set", spelled(unused_bits(&x)))
        .bad("hexadecimal", spelled(hex::encode(coordinate("x"))))
        .bad("a character of no alphabet", spelled(x.chars().take(42).chain(['*']).collect()))
        .why("One key has one spelling.")
}

fn off_curve() -> Entry {
    let (x, mut y) = (coordinate("x"), coordinate("y"));
    if let Some(last) = y.last_mut() {
        *last ^= 1;
    }
    malformed(
        "jwk-off-curve",
        "The point is on the curve.",
        "the last bit of y changed, in the key and in every pin of it",
    )
    .twin(
        "wellknown/document",
        &["/in/document", "/in/pins/encryption"],
        "the last bit of y changed, pinned so",
    )
    .call(SELECT, point(&x, &y))
    .why("A sealed token tells something about the sealer's secret when the point is on another curve.")
}

fn not_reduced() -> Entry {
    // x = 5 is on the curve; written as p + 5 it is the same number modulo p.
    let x =
        hex::decode("ffffffff00000001000000000000000000000001000000000000000000000004").unwrap_or_default();
    let y = hex::decode(Y_OF_FIVE).unwrap_or_default();
    malformed("jwk-not-reduced", "Coordinates are below the field's prime.", "x is the prime and 5")
        .twin(
            "wellknown/document",
            &["/in/document", "/in/pins/encryption"],
            "a point with x = p + 5, pinned so",
        )
        .call(SELECT, point(&x, &y))
        .why("Libraries that reduce it find a point on the curve, with another hash than the point's own.")
}

/// One y for x = 5: a square root of x³ - 3x + b (FIPS 186-5), computed with Python.
const Y_OF_FIVE: &str = "459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc";

/// The right document and pins for any two coordinates.
fn point(x: &[u8], y: &[u8]) -> Value {
    let head = hex::decode("3059301306072a8648ce3d020106082a8648ce3d03010703420004").unwrap_or_default();
    let pin = pin([head.as_slice(), x, y].concat());
    let mut input = select(&changed(|document| {
        document["join"]["encryptionJwk"]["x"] = b64u(x).into();
        document["join"]["encryptionJwk"]["y"] = b64u(y).into();
        document["join"]["encryptionKeyPin"] = pin.clone().into();
    }));
    input["pins"]["encryption"] = json!([pin]);
    input
}

/// A coordinate of the encryption key.
fn coordinate(name: &str) -> Vec<u8> {
    let spki = crate::testkit::signature::spki(&encryption_key());
    spki.into_iter().skip(if name == "x" { 27 } else { 59 }).take(32).collect()
}

/// A base64url text of 32 octets with one of its two unused bits set.
pub(in crate::cases) fn unused_bits(text: &str) -> String {
    const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let last = text.chars().last().and_then(|last| ALPHABET.find(last)).unwrap_or_default();
    text.chars().take(text.len().saturating_sub(1)).chain(ALPHABET.chars().nth(last + 1)).collect()
}
