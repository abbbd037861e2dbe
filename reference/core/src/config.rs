//! CONFIG (docs/spec/25-config.md): the client's pins and its config.toml.

use serde::Deserialize;

use crate::limits::DOCUMENT_MAX_BYTES;
use crate::p256::PublicKey;
use crate::pin::Pin;
use crate::reason::Reason;
use crate::type_id::{self, is_type_id};

mod gateway_url;

pub use gateway_url::is_gateway_url;

/// What config.toml says, judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The gateway, as written.
    pub gateway_url: String,
    /// `site_…`
    pub site: String,
    /// Pins of the CA that signs the gateway's certificate; one or two.
    pub serving_ca_pins: Vec<Pin>,
    /// Pins of the key that signs answers; one or two.
    pub join_signing_pins: Vec<Pin>,
    /// Pins of the key that tokens are sealed to; one or two.
    pub join_encryption_pins: Vec<Pin>,
    /// The name to be expected in the gateway's certificate; the host of the URL when absent.
    pub server_name: Option<String>,
    /// Whether answers without `request_sha256` are refused (BINDING-3).
    pub require_request_binding: bool,
}

/// Loads config.toml from its octets.
///
/// # Errors
/// `config` for everything that is wrong (CONFIG-1).
pub fn load(octets: &[u8]) -> Result<Config, Reason> {
    judge(octets).ok_or(Reason::Config)
}

/// Looks whether a key, given by its SPKI, is among the pins.
///
/// # Errors
/// `pin-mismatch` when it is none of them (CONFIG-1).
pub fn match_pin(pins: &[Pin], spki: &[u8]) -> Result<Pin, Reason> {
    let pin = Pin::of_spki(spki);
    // CONFIG-1: the SPKI's hash equals a pin.
    if pins.contains(&pin) { Ok(pin) } else { Err(Reason::PinMismatch) }
}

/// Looks whether a key on P-256 is among the pins.
///
/// # Errors
/// `pin-mismatch` when it is none of them (CONFIG-1).
pub fn match_key(pins: &[Pin], key: &PublicKey) -> Result<Pin, Reason> {
    match_pin(pins, &key.spki())
}

/// The file as TOML has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    gateway_url: String,
    site: String,
    serving_ca_spki_pin: Pins,
    join_signing_key_pin: Pins,
    join_encryption_key_pin: Pins,
    server_name: Option<String>,
    #[serde(default)]
    require_request_binding: bool,
}

/// One pin, or those of a rotation.
#[derive(Deserialize)]
#[serde(untagged)]
enum Pins {
    One(String),
    Several(Vec<String>),
}

impl Pins {
    fn judge(self) -> Option<Vec<Pin>> {
        let texts = match self {
            Self::One(text) => vec![text],
            Self::Several(texts) => texts,
        };
        let pins = texts.iter().map(|text| Pin::parse(text).ok()).collect::<Option<Vec<_>>>()?;
        // CONFIG-1: one or two different strings.
        match *pins {
            [_] => Some(pins),
            [first, second] if first != second => Some(pins),
            _ => None,
        }
    }
}

fn judge(octets: &[u8]) -> Option<Config> {
    // CONFIG-1: TOML, UTF-8 without byte order mark (the parser would skip one), at most 65536 octets; five keys
    // required, two optional, no other.
    (octets.len() <= DOCUMENT_MAX_BYTES && !octets.starts_with(b"\xef\xbb\xbf")).then_some(())?;
    let file: File = toml::from_str(std::str::from_utf8(octets).ok()?).ok()?;
    let named = file.server_name.as_deref() != Some("");
    // CONFIG-1: the URL's form, a `site_` TypeID, a server name that is not empty.
    (named && is_gateway_url(&file.gateway_url) && is_type_id(&file.site, type_id::SITE)).then_some(())?;
    Some(Config {
        gateway_url: file.gateway_url,
        site: file.site,
        serving_ca_pins: file.serving_ca_spki_pin.judge()?,
        join_signing_pins: file.join_signing_key_pin.judge()?,
        join_encryption_pins: file.join_encryption_key_pin.judge()?,
        server_name: file.server_name,
        require_request_binding: file.require_request_binding,
    })
}

#[cfg(test)]
mod tests;
