//! Step CSR: the certificate request.

use p256::SecretKey;
use serde_json::{Value, json};

use crate::case::{Entry, accept, reject};
use crate::testkit::csr::{self, Csr};
use crate::testkit::encode::b64u;
use crate::testkit::keys::{hash, key};
use crate::testkit::signature::spki;

mod algorithm;
mod attributes;
mod encoding;
mod foreign;
mod identifier;
mod ignored;
mod issued;
mod key_form;
mod key_kind;
mod make;
mod nesting;
mod opens;
mod signature;
mod signature_numbers;
mod size;
mod subject;
mod version;
mod wrapping;

/// Every case of the step.
pub(super) fn cases() -> Vec<Entry> {
    [
        opens::entries,
        size::entries,
        wrapping::entries,
        encoding::entries,
        identifier::entries,
        nesting::entries,
        version::entries,
        subject::entries,
        key_kind::entries,
        key_form::entries,
        attributes::entries,
        ignored::entries,
        issued::entries,
        algorithm::entries,
        signature::entries,
        signature_numbers::entries,
        make::entries,
    ]
    .iter()
    .flat_map(|family| family())
    .collect()
}

/// The twin that nearly every case has.
const HONEST: &str = "csr/honest";

/// The machine's key.
fn ours() -> SecretKey {
    key("csr node")
}

/// The honest request that the others differ from.
fn good() -> Csr {
    csr::honest(&ours())
}

fn input(csr: impl AsRef<[u8]>) -> Value {
    json!({"csr": b64u(csr)})
}

/// What an accepted request gives: the hash of its octets, and the machine's point.
fn out(csr: impl AsRef<[u8]>) -> Value {
    json!({"csrSha256": b64u(hash(csr)), "publicKey": b64u(point(&ours()))})
}

/// The point of a key, 65 octets: what ends its SubjectPublicKeyInfo.
fn point(key: &SecretKey) -> Vec<u8> {
    let spki = spki(key);
    spki.split_at(spki.len() - 65).1.to_vec()
}

/// A request that is accepted.
fn accepted(name: &str, rule: &str, title: &str, csr: impl AsRef<[u8]>) -> Entry {
    let csr = csr.as_ref();
    accept(&format!("csr/{name}"), rule, title).call("csr.check", input(csr)).out(out(csr))
}

/// A request that is refused.
fn refused(name: &str, rule: &str, title: &str, csr: impl AsRef<[u8]>) -> Entry {
    reject(&format!("csr/{name}"), rule, "csr", title).call("csr.check", input(csr)).refused()
}

#[cfg(test)]
mod tests;
