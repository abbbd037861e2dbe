//! A right document with every member open to change, and the call in which a client takes its keys from it.

use p256::SecretKey;
use serde_json::{Value, json};

use crate::case::{Entry, accept, reject};
use crate::testkit::encode::{b64, b64u};
use crate::testkit::keys::{hash, key, public_jwk};
use crate::testkit::signature::spki;
use crate::testkit::x509::Authority;

/// The op of the cases.
pub(in crate::cases) const SELECT: &str = "keys.select";
/// The gateway of the cases.
pub(in crate::cases) const GATEWAY: &str = "https://gw.eu.example.com";
/// Where a document differs.
pub(in crate::cases) const DOCUMENT: [&str; 1] = ["/in/document"];

/// How every document here is made.
const RECIPE: &str =
    "Publish the keys with their own pins; pin them at the client; then do what the mutation says.";

/// The join-encryption key.
pub(in crate::cases) fn encryption_key() -> SecretKey {
    key("wellknown encryption")
}

/// Who holds the join-signing key: its certificate is self-signed.
pub(in crate::cases) fn signer() -> Authority {
    Authority::named("wellknown signing")
}

/// The serving CA.
pub(in crate::cases) fn serving_ca() -> Authority {
    Authority::named("wellknown serving CA")
}

/// The pin of a SubjectPublicKeyInfo.
pub(in crate::cases) fn pin(spki: impl AsRef<[u8]>) -> String {
    format!("sha256/{}", b64(hash(spki)))
}

/// The pin of a key.
pub(in crate::cases) fn pin_of(key: &SecretKey) -> String {
    pin(spki(key))
}

/// A key that nobody pinned.
pub(in crate::cases) fn stranger() -> SecretKey {
    key("wellknown stranger")
}

/// The signer's certificate, DER.
pub(super) fn signing_certificate() -> Vec<u8> {
    signer().certificate(&signer()).signed(&signer().key)
}

/// The right document.
pub(in crate::cases) fn document() -> Value {
    json!({
        "name": "better-compute",
        "version": "0.1.0",
        "basePath": "/api/compute",
        "protocol": {"min": 1, "max": 1},
        "join": {
            "encryptionJwk": public_jwk(&encryption_key()),
            "encryptionKeyPin": pin_of(&encryption_key()),
            "signingCertificate": b64(signing_certificate()),
            "signingKeyPin": pin_of(&signer().key),
        },
    })
}

/// The right document with a gateway section.
pub(in crate::cases) fn with_gateway() -> Value {
    let mut document = document();
    document["gateway"] = json!({"url": GATEWAY, "servingCaPin": pin_of(&serving_ca().key)});
    document
}

/// The right document after a change.
pub(super) fn changed(change: impl FnOnce(&mut Value)) -> Value {
    let mut document = document();
    change(&mut document);
    document
}

/// The client's pins, with a configuration.
pub(in crate::cases) fn pins() -> Value {
    json!({"encryption": [pin_of(&encryption_key())], "signing": [pin_of(&signer().key)]})
}

/// The client's pins, without a configuration: the serving CA's is among them.
pub(in crate::cases) fn pins_without_config() -> Value {
    let mut pins = pins();
    pins["servingCa"] = json!([pin_of(&serving_ca().key)]);
    pins
}

/// Input of `keys.select` with these octets as the document and no key file.
pub(super) fn octets(document: impl AsRef<[u8]>) -> Value {
    json!({"keyFile": null, "document": b64u(document), "pins": pins()})
}

/// The same with this document.
pub(in crate::cases) fn select(document: &Value) -> Value {
    octets(document.to_string())
}

/// The same without a configuration.
pub(in crate::cases) fn select_without_config(document: &Value) -> Value {
    let mut input = select(document);
    input["pins"] = pins_without_config();
    input
}

/// What a client takes from the right document.
pub(in crate::cases) fn selected(gateway: Option<&str>) -> Value {
    json!({
        "encryptionPin": pin_of(&encryption_key()),
        "from": "document",
        "signingPin": pin_of(&signer().key),
        "gatewayUrl": gateway,
    })
}

/// An accept of the step.
pub(super) fn good(name: &str, title: &str) -> Entry {
    accept(&format!("wellknown/{name}"), "WELLKNOWN-1", title).recipe(RECIPE)
}

/// A reject beside the right document.
pub(super) fn bad(name: &str, reason: &str, title: &str, at: &[&str], what: &str) -> Entry {
    reject(&format!("wellknown/{name}"), "WELLKNOWN-1", reason, title)
        .twin("wellknown/document", at, what)
        .recipe(RECIPE)
}

/// A malformed document.
pub(super) fn malformed(name: &str, title: &str, what: &str) -> Entry {
    bad(name, "document", title, &DOCUMENT, what)
}

/// The right document as text, with one text replaced once.
pub(super) fn replaced(from: &str, to: &str) -> Value {
    octets(document().to_string().replacen(from, to, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_certificate_shows_all_that_base64_can_get_wrong() {
        let text = b64(signing_certificate());
        assert!(text.ends_with('=') && text.contains('+') && text.contains('/'));
    }
}
