//! The client's half: a seal from a token, a CSR and fresh keys that the caller gives.

use zeroize::Zeroizing;

use super::crypto::{self, Encrypted};
use super::header::ALG;
use crate::base64url;
use crate::hash::sha256;
use crate::p256::{PrivateKey, PublicKey};
use crate::pin::Pin;
use crate::reason::Reason;
use crate::token::Token;

/// What must be new and unpredictable for every seal.
pub struct Fresh {
    /// The ephemeral key, `epk`.
    pub ephemeral: PrivateKey,
    /// The content encryption key.
    pub content_key: Zeroizing<[u8; 32]>,
    /// The initialization vector.
    pub iv: [u8; 12],
}

/// Seals a token to the server's encryption key, around a CSR. `iat_s` is the client's clock in seconds since
/// 1970.
///
/// # Errors
/// `pin-mismatch` when the key is none of those pinned, and no seal is made (SEAL-9); `seal` when the keys do
/// not work.
pub fn make(
    token: &Token,
    csr: &[u8],
    recipient: &PublicKey,
    pins: &[Pin],
    iat_s: u64,
    fresh: &Fresh,
) -> Result<String, Reason> {
    // SEAL-9: only to a pinned key; with several pins, one of them.
    if !pins.contains(&recipient.pin()) {
        return Err(Reason::PinMismatch);
    }
    let header = base64url::encode(header(csr, fresh.ephemeral.public(), iat_s).as_bytes());
    // SEAL-2: the plaintext is the bearer token and nothing else.
    let plaintext = token.text();
    let Encrypted { encrypted_key, ciphertext, tag } = crypto::encrypt(
        &fresh.ephemeral,
        recipient,
        &fresh.content_key,
        fresh.iv,
        &header,
        plaintext.as_bytes(),
    )
    .ok_or(Reason::Seal)?;
    let parts = [&encrypted_key[..], &fresh.iv, &ciphertext, &tag].map(base64url::encode);
    Ok([header, parts.join(".")].join("."))
}

/// The protected header. Nothing in it needs an escape.
fn header(csr: &[u8], epk: &PublicKey, iat_s: u64) -> String {
    let csr = base64url::encode(&sha256(csr));
    let (x, y) = epk.coordinates();
    let (x, y) = (base64url::encode(x), base64url::encode(y));
    let members = format!(r#""alg":"{ALG}","enc":"A256GCM","typ":"bcjt+jwe","iat":{iat_s},"csr":"{csr}""#);
    format!(r#"{{{members},"epk":{{"kty":"EC","crv":"P-256","x":"{x}","y":"{y}"}}}}"#)
}
