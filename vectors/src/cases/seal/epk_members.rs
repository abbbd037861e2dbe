//! `epk` is an object of exactly four members with exact values (SEAL-5).

use super::{HONEST, good, input, quoted, refused};
use crate::case::{Entry, reject};
use crate::testkit::encode::b64u;
use crate::testkit::keys::{key, private_jwk, public_jwk};

pub(super) fn entries() -> Vec<Entry> {
    vec![private(), extra(), missing(), compressed(), curve(), kty(), not_an_object()]
}

/// The honest epk with one member set, or taken away.
fn with(name: &str, value: Option<&str>) -> String {
    let mut jwk = public_jwk(&key("seal ephemeral: good"));
    if let Some(members) = jwk.as_object_mut() {
        match value.map(|value| serde_json::from_str(value).unwrap_or_default()) {
            Some(value) => members.insert(name.into(), value),
            None => members.remove(name),
        };
    }
    good().member("epk", &jwk.to_string()).text()
}

fn private() -> Entry {
    let jwk = private_jwk(&key("seal ephemeral: good"));
    refused(
        "epk-private",
        "SEAL-5",
        "An epk with a member d is refused.",
        good().member("epk", &jwk.to_string()).text(),
    )
    .why(
        "A sender that publishes its ephemeral private key has sealed nothing: everybody on the way \
            can open it.",
    )
    .twin(
        HONEST,
        &["/in/seal:header.epk.d"],
        "the ephemeral key's private half stands in epk; the tag \
            holds",
    )
    .recipe("Put the private half of the ephemeral key into epk as d, then encrypt.")
}

fn extra() -> Entry {
    let entry = reject("seal/epk-extra", "SEAL-5", "seal", "An epk with any further member is refused.")
        .family("seal.open")
        .refused()
        .why("The set is closed: the same key with other members would be another spelling of one seal.")
        .twin(HONEST, &["/in/seal:header.epk"], "epk has a further member, that of the row; the tag holds")
        .recipe("Add the member to epk, then encrypt.");
    let rows = [
        ("kid", "\"1\""),
        ("use", "\"enc\""),
        ("alg", "\"ECDH-ES+A256KW\""),
        ("key_ops", "[]"),
        ("x5c", "[]"),
        ("X", "\"\""),
    ];
    rows.iter().fold(entry, |entry, (name, value)| entry.bad(name, input(with(name, Some(value)))))
}

fn missing() -> Entry {
    let entry = reject("seal/epk-missing", "SEAL-5", "seal", "An epk without one of its members is refused.")
        .family("seal.open")
        .refused()
        .why("Libraries fill in a curve, or take a missing coordinate for zero.")
        .twin(HONEST, &["/in/seal:header.epk"], "the member of the row's name is left out; the tag holds")
        .recipe("Leave the member out of epk, then encrypt.");
    ["kty", "crv", "x", "y"].iter().fold(entry, |entry, name| entry.bad(name, input(with(name, None))))
}

fn compressed() -> Entry {
    let jwk = public_jwk(&key("seal ephemeral: good"));
    let x = jwk["x"].as_str().unwrap_or_default();
    let epk = format!(r#"{{"kty":"EC","crv":"P-256","x":"{x}","y":true}}"#);
    refused(
        "epk-compressed",
        "SEAL-5",
        "An epk that gives only the sign of y is refused.",
        good().member("epk", &epk).text(),
    )
    .why("JWK has no compressed points; a parser for other formats accepts them.")
    .twin(HONEST, &["/in/seal:header.epk.y"], "y is true; the tag holds")
    .recipe("Write y as true, then encrypt.")
}

fn curve() -> Entry {
    let entry = reject("seal/epk-curve", "SEAL-5", "seal", "An epk that names another curve is refused.")
        .family("seal.open")
        .refused()
        .why("The coordinates are an honest P-256 point; the label decides which code a library runs on it.")
        .twin(HONEST, &["/in/seal:header.epk.crv"], "crv has the value of the row; the tag holds")
        .recipe("Replace crv in epk, then encrypt.");
    let rows = [
        ("p-384", quoted("P-384")),
        ("p-521", quoted("P-521")),
        ("secp256k1", quoted("secp256k1")),
        ("x25519", quoted("X25519")),
        ("lower-case", quoted("p-256")),
        ("secp256r1", quoted("secp256r1")),
        ("empty", quoted("")),
        ("number", "256".into()),
    ];
    rows.iter().fold(entry, |entry, (name, value)| entry.bad(name, input(with("crv", Some(value)))))
}

fn kty() -> Entry {
    let entry = reject("seal/epk-kty", "SEAL-5", "seal", "An epk of another key type is refused.")
        .family("seal.open")
        .refused()
        .why("Exact and case-sensitive, as every value here.")
        .twin(HONEST, &["/in/seal:header.epk.kty"], "kty has the value of the row; the tag holds")
        .recipe("Replace kty in epk, then encrypt.");
    let rows = [
        ("okp", "\"OKP\""),
        ("oct", "\"oct\""),
        ("rsa", "\"RSA\""),
        ("lower-case", "\"ec\""),
        ("list", "[\"EC\"]"),
    ];
    rows.iter().fold(entry, |entry, (name, value)| entry.bad(name, input(with("kty", Some(value)))))
}

fn not_an_object() -> Entry {
    let jwk = public_jwk(&key("seal ephemeral: good"));
    let entry = reject("seal/epk-no-object", "SEAL-5", "seal", "An epk that is no object is refused.")
        .family("seal.open")
        .refused()
        .why("Code that indexes into what it got panics, or reads nothing as an empty key.")
        .twin(HONEST, &["/in/seal:header.epk"], "epk has the value of the row; the tag holds")
        .recipe("Replace epk in the header, then encrypt.");
    let spki = crate::testkit::signature::spki(&key("seal ephemeral: good"));
    let rows = [
        ("text-of-the-jwk", serde_json::Value::from(jwk.to_string()).to_string()),
        ("list-of-the-jwk", format!("[{jwk}]")),
        ("spki", quoted(&b64u(spki))),
        ("empty-object", "{}".into()),
        ("number", "4".into()),
        ("false", "false".into()),
    ];
    rows.iter().fold(entry, |entry, (name, value)| entry.bad(name, input(good().member("epk", value).text())))
}
