//! WELLKNOWN (docs/spec/24-wellknown.md): the published keys, and which key a client seals to (CONFIG-1).
//!
//! ```text
//! octets ──read──▶ Document (well-formed, agrees with itself) ──pins──▶ Keys (what this client pinned)
//! ```

use crate::config::{self, is_gateway_url};
use crate::json::{self, Value};
use crate::limits::DOCUMENT_MAX_BYTES;
use crate::p256::PublicKey;
use crate::pin::Pin;
use crate::reason::Reason;
use crate::standard_base64;
use crate::x509::Certificate;

/// A document that is well-formed and agrees with itself. None of its keys is trusted yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    encryption_key: PublicKey,
    signing_key: PublicKey,
    gateway: Option<Gateway>,
}

/// The `gateway` section, of which only the form was judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gateway {
    /// Its URL, as published.
    pub url: String,
    /// The name in its certificate, when it is not the URL's host.
    pub server_name: Option<String>,
    /// The pin of the CA that signs its certificate.
    pub serving_ca_pin: Pin,
}

/// A client's pins.
#[derive(Clone, Copy, Debug)]
pub struct Pins<'a> {
    /// Of the key that tokens are sealed to.
    pub encryption: &'a [Pin],
    /// Of the key that signs answers.
    pub signing: &'a [Pin],
    /// Of the gateway's CA: given on the command line, when there is no config.toml.
    pub serving_ca: Option<&'a [Pin]>,
}

/// The keys that a client may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keys {
    /// The key of `join-encryption.jwk`.
    File {
        /// The key that tokens are sealed to.
        encryption_key: PublicKey,
    },
    /// Those of the document.
    Document {
        /// The key that tokens are sealed to.
        encryption_key: PublicKey,
        /// The key that signs answers.
        signing_key: PublicKey,
        /// The gateway, if one is published.
        gateway: Option<Gateway>,
    },
}

/// Selects the keys: the key file when it is there, else the document. Without config.toml, that is with pins of the
/// serving CA, the document alone counts.
///
/// # Errors
/// `document` when what is used is malformed or nothing is there; `pin-mismatch` when it is not what was pinned.
pub fn select(key_file: Option<&[u8]>, document: Option<&[u8]>, pins: Pins<'_>) -> Result<Keys, Reason> {
    match key_file {
        // CONFIG-1: a file that is present and does not match fails; the document is not asked.
        Some(file) if pins.serving_ca.is_none() => from_file(file, pins),
        _ => Document::read(document.ok_or(Reason::Document)?)?.pinned(pins),
    }
}

fn from_file(octets: &[u8], pins: Pins<'_>) -> Result<Keys, Reason> {
    // CONFIG-1: one JWK object alone; malformed is `document`, not pinned is `pin-mismatch`.
    let encryption_key = json_of(octets).and_then(|jwk| PublicKey::from_jwk(&jwk)).ok_or(Reason::Document)?;
    config::match_key(pins.encryption, &encryption_key)?;
    Ok(Keys::File { encryption_key })
}

impl Document {
    /// Reads the published document.
    ///
    /// # Errors
    /// `document` when it is malformed, incomplete or at odds with itself (WELLKNOWN-1).
    pub fn read(octets: &[u8]) -> Result<Self, Reason> {
        json_of(octets).and_then(|document| read(&document)).ok_or(Reason::Document)
    }

    /// Compares the keys with the client's pins.
    ///
    /// # Errors
    /// `document` when the gateway is required and absent; `pin-mismatch` when a key is not pinned (WELLKNOWN-1).
    pub fn pinned(self, pins: Pins<'_>) -> Result<Keys, Reason> {
        let Self { encryption_key, signing_key, gateway } = self;
        // WELLKNOWN-1: the gateway is required when the configuration is built from the document.
        if pins.serving_ca.is_some() && gateway.is_none() {
            return Err(Reason::Document);
        }
        // WELLKNOWN-1: the encryption key and the signing key alike.
        config::match_key(pins.encryption, &encryption_key)?;
        config::match_key(pins.signing, &signing_key)?;
        if let (Some(serving_ca), Some(gateway)) = (pins.serving_ca, &gateway) {
            // WELLKNOWN-1: its servingCaPin is one of the client's.
            serving_ca.contains(&gateway.serving_ca_pin).then_some(()).ok_or(Reason::PinMismatch)?;
        }
        Ok(Keys::Document { encryption_key, signing_key, gateway })
    }
}

/// WELLKNOWN-1: at most 65536 octets, one JSON object, no member twice, nesting at most 16.
fn json_of(octets: &[u8]) -> Option<Value> {
    (octets.len() <= DOCUMENT_MAX_BYTES).then(|| json::read(octets)).flatten()
}

fn read(document: &Value) -> Option<Document> {
    // WELLKNOWN-1: all four members of `join` are required; unknown members are ignored.
    let join = document.get("join")?;
    let encryption_key = PublicKey::from_jwk(join.get("encryptionJwk")?)?;
    let signing_key = signing_key(join.get("signingCertificate")?.as_str()?)?;
    // WELLKNOWN-1: a stated pin is the hash of the key beside it.
    let agrees = pin(join.get("encryptionKeyPin")?)? == encryption_key.pin()
        && pin(join.get("signingKeyPin")?)? == signing_key.pin();
    agrees.then_some(())?;
    // WELLKNOWN-1: a gateway that is present is judged too.
    let gateway = match document.get("gateway") {
        None => None,
        Some(section) => Some(gateway(section)?),
    };
    Some(Document { encryption_key, signing_key, gateway })
}

fn gateway(section: &Value) -> Option<Gateway> {
    let server_name = match section.get("serverName") {
        None => None,
        Some(name) => Some(name.as_str().filter(|name| !name.is_empty())?.to_owned()),
    };
    Some(Gateway {
        url: section.get("url")?.as_str().filter(|url| is_gateway_url(url))?.to_owned(),
        server_name,
        serving_ca_pin: pin(section.get("servingCaPin")?)?,
    })
}

fn signing_key(certificate: &str) -> Option<PublicKey> {
    // WELLKNOWN-1: only the key counts; names, dates and signature are not looked at.
    let der = standard_base64::decode(certificate.as_bytes())?;
    Certificate::read(&der)?.public_key()
}

fn pin(value: &Value) -> Option<Pin> {
    Pin::parse(value.as_str()?).ok()
}

#[cfg(test)]
mod tests;
