//! Three peers seal and open tokens with the reference, both ways: josekit, jwcrypto (PyPI), jose (npm).
//!
//! And the reason josekit must not be the opener: it opens seals that SEAL refuses.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that starts its peers and fails where one is missing"
)]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use josekit::jwe::{ECDH_ES_A256KW, JweHeader};
use josekit::jwk::Jwk;
use reference_core::base64url;
use reference_core::hash::sha256;
use reference_core::p256::PrivateKey;
use reference_core::pin::Pin;
use reference_core::reason::Reason;
use reference_core::seal::{self, Fresh, Opened};
use reference_core::token;
use serde_json::{Value, json};

const TOKEN: &str = "bcjt_jt_01k5w3v9e7f0r8m2q4t6x8z0ab.AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
const CSR: &[u8] = b"the octets of a request";
const IAT_S: u64 = 1_767_225_600;

/// A key of the test, from one octet.
fn key(octet: u8) -> PrivateKey {
    PrivateKey::from_scalar(&[octet; 32]).unwrap()
}

fn public_jwk(key: &PrivateKey) -> Value {
    let (x, y) = key.public().coordinates();
    json!({"kty": "EC", "crv": "P-256", "x": base64url::encode(x), "y": base64url::encode(y)})
}

fn private_jwk(key: &PrivateKey) -> Value {
    let mut jwk = public_jwk(key);
    jwk["d"] = base64url::encode(key.scalar()).into();
    jwk
}

/// The reference seals the token, with keys that exist in this test only.
fn sealed() -> String {
    let recipient = key(7);
    let pins = [Pin::of_spki(&recipient.public().spki())];
    let fresh = Fresh { ephemeral: key(9), content_key: [1; 32].into(), iv: [2; 12] };
    let token = token::parse(TOKEN.as_bytes()).unwrap();
    seal::make(&token, CSR, recipient.public(), &pins, IAT_S, &fresh).unwrap()
}

fn assert_opens(seal: &str) {
    let Ok(Opened { token, iat_s, csr_sha256 }) = seal::open(seal.as_bytes(), &[key(7)]) else {
        panic!("refused: {seal}")
    };
    assert_eq!((token.text().as_str(), iat_s, csr_sha256), (TOKEN, IAT_S, sha256(CSR)));
}

/// One question to a peer that runs as a child process.
fn ask(peer: &[&str], question: &Value) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interop");
    let mut child = Command::new(peer[0])
        .args(&peer[1..])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("missing component {}: {error}; run `make deps`", peer[0]));
    writeln!(child.stdin.take().unwrap(), "{question}").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{peer:?} failed; run `make deps`");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn both_ways(peer: &[&str]) {
    let csr = base64url::encode(&sha256(CSR));
    let question =
        json!({"do": "seal", "token": TOKEN, "csr": csr, "iat": IAT_S, "jwk": public_jwk(&key(7))});
    assert_opens(ask(peer, &question)["seal"].as_str().unwrap());
    let opened = ask(peer, &json!({"do": "open", "seal": sealed(), "jwk": private_jwk(&key(7))}));
    assert_eq!(opened["token"], TOKEN);
    assert_eq!((&opened["header"]["csr"], &opened["header"]["typ"]), (&json!(csr), &json!("bcjt+jwe")));
}

#[test]
fn jwcrypto_seals_and_opens() {
    both_ways(&["python3", "jwcrypto_peer.py"]);
}

#[test]
fn jose_seals_and_opens() {
    both_ways(&["node", "jose_peer.mjs"]);
}

fn josekit_header() -> JweHeader {
    let mut header = JweHeader::new();
    header.set_token_type("bcjt+jwe");
    header.set_content_encryption("A256GCM");
    header.set_claim("iat", Some(json!(IAT_S))).unwrap();
    header.set_claim("csr", Some(json!(base64url::encode(&sha256(CSR))))).unwrap();
    header
}

fn josekit_jwk(jwk: &Value) -> Jwk {
    Jwk::from_bytes(jwk.to_string()).unwrap()
}

fn josekit_opens(seal: &str) -> bool {
    let decrypter = ECDH_ES_A256KW.decrypter_from_jwk(&josekit_jwk(&private_jwk(&key(7)))).unwrap();
    josekit::jwe::deserialize_compact(seal, &decrypter).is_ok_and(|(payload, _)| payload == TOKEN.as_bytes())
}

#[test]
fn josekit_seals_and_opens() {
    let encrypter = ECDH_ES_A256KW.encrypter_from_jwk(&josekit_jwk(&public_jwk(&key(7)))).unwrap();
    assert_opens(&josekit::jwe::serialize_compact(TOKEN.as_bytes(), &josekit_header(), &encrypter).unwrap());
    assert!(josekit_opens(&sealed()));
}

#[test]
fn josekit_opens_what_the_reference_refuses() {
    let seal = sealed();
    let (rest, tag) = seal.rsplit_once('.').unwrap();
    let short = base64url::encode(&base64url::decode(tag.as_bytes()).unwrap()[..12]);
    let short = format!("{rest}.{short}");
    assert!(
        josekit_opens(&short),
        "josekit no longer takes a tag of 12 octets: the reason for an opener of our own is gone"
    );
    assert_eq!(seal::open(short.as_bytes(), &[key(7)]).err(), Some(Reason::Seal));
}
