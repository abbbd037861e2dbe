//! Step SEAL: how the token travels.

use p256::SecretKey;
use serde_json::{Value, json};

use crate::case::{Entry, accept, reject};
use crate::testkit::csr;
use crate::testkit::encode::b64u;
use crate::testkit::keys::{key, private_jwk};
use crate::testkit::seal::{Seal, honest};
use crate::testkit::token::{Token, token};

mod alg;
mod base64;
mod ciphertext;
mod csr_hash;
mod enc;
mod encrypted_key;
mod epk;
mod epk_members;
mod epk_point;
mod header_json;
mod header_members;
mod header_twice;
mod iat;
mod iat_window;
mod kdf;
mod make;
mod opens;
mod order;
mod parts;
mod plaintext;
mod resend;
mod resend_free;
mod resend_refuse;
mod resend_replayed;
mod rotation;
mod size;

/// Every case of the step.
pub(super) fn cases() -> Vec<Entry> {
    [
        opens::entries,
        size::entries,
        parts::entries,
        base64::entries,
        header_json::entries,
        header_members::entries,
        header_twice::entries,
        alg::entries,
        enc::entries,
        iat::entries,
        iat_window::entries,
        csr_hash::entries,
        epk_members::entries,
        epk::entries,
        epk_point::entries,
        encrypted_key::entries,
        kdf::entries,
        ciphertext::entries,
        plaintext::entries,
        rotation::entries,
        order::entries,
        make::entries,
        resend::entries,
        resend_replayed::entries,
        resend_refuse::entries,
        resend_free::entries,
    ]
    .iter()
    .flat_map(|family| family())
    .collect()
}

/// The clock of the cases in whole seconds.
const NOW_S: u64 = 1_767_225_600;

/// The server's encryption key.
fn server() -> SecretKey {
    key("seal server")
}

/// The request beside the seals.
fn beside() -> Vec<u8> {
    csr::honest(&key("seal node")).der()
}

/// The token inside the seals.
fn inside() -> Token {
    token("seal")
}

/// The honest seal that the others differ from.
fn good() -> Seal {
    honest("good", &server(), &inside().text(), &beside(), NOW_S)
}

/// A call with this seal: the request beside it, and the one key held.
fn input(seal: impl AsRef<[u8]>) -> Value {
    json!({"seal": b64u(seal), "csr": b64u(beside()), "keys": [private_jwk(&server())]})
}

/// What an accepted seal gives: the token, and the time.
fn out(iat: u64) -> Value {
    json!({"token": inside().text(), "iat": iat})
}

/// A seal that is opened.
fn opens(name: &str, rule: &str, title: &str, seal: impl AsRef<[u8]>) -> Entry {
    accept(&format!("seal/{name}"), rule, title).call("seal.open", input(seal)).out(out(NOW_S))
}

/// A seal that is refused as `seal`; its twin is the honest one.
fn refused(name: &str, rule: &str, title: &str, seal: impl AsRef<[u8]>) -> Entry {
    reject(&format!("seal/{name}"), rule, "seal", title).call("seal.open", input(seal)).refused()
}

/// The same, for a reason that stands further down the order.
fn refused_as(reason: &str, name: &str, rule: &str, title: &str, seal: impl AsRef<[u8]>) -> Entry {
    reject(&format!("seal/{name}"), rule, reason, title).call("seal.open", input(seal)).refused()
}

/// The twin that nearly every case has.
const HONEST: &str = "seal/honest";

/// A text as JSON.
fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

#[cfg(test)]
mod tests;
