//! The compact form and its protected header (RFC 7516 section 7.1), read before any key operation.

use crate::base64url;
use crate::json::{self, Value};
use crate::limits::SEAL_IAT_MAX_S;
use crate::p256::PublicKey;

/// A seal taken apart; nothing in it is authenticated yet.
pub(super) struct Parts<'a> {
    pub(super) header: Header,
    /// The first part as received: the additional data of the encryption.
    pub(super) header_text: &'a [u8],
    pub(super) encrypted_key: [u8; 40],
    pub(super) iv: [u8; 12],
    pub(super) ciphertext: Vec<u8>,
    pub(super) tag: [u8; 16],
}

/// The protected header, its fixed members checked.
pub(super) struct Header {
    pub(super) iat_s: u64,
    pub(super) csr_sha256: [u8; 32],
    pub(super) epk: PublicKey,
    pub(super) kid: Option<String>,
}

/// Takes a seal apart. `None` for anything that SEAL-5 does not allow.
pub(super) fn read(seal: &[u8]) -> Option<Parts<'_>> {
    // SEAL-5: exactly five parts, each canonical b64u; so no JSON serialization and no second recipient.
    let parts: Vec<&[u8]> = seal.split(|octet| *octet == b'.').collect();
    let [header_text, encrypted_key, iv, ciphertext, tag] = *parts.as_slice() else { return None };
    let header = base64url::decode(header_text)?;
    // SEAL-5: lengths are fixed, and the ciphertext is not empty.
    let parts = Parts {
        header: read_header(&json::read(&header)?)?,
        header_text,
        encrypted_key: base64url::decode_array(encrypted_key)?,
        iv: base64url::decode_array(iv)?,
        ciphertext: base64url::decode(ciphertext)?,
        tag: base64url::decode_array(tag)?,
    };
    (!parts.ciphertext.is_empty()).then_some(parts)
}

fn read_header(header: &Value) -> Option<Header> {
    // SEAL-5: a closed set of members; no zip, crit, apu, apv, jwk.
    is_closed(header, &["alg", "enc", "typ", "iat", "csr", "epk", "kid"])?;
    // SEAL-1, SEAL-2, SEAL-6: exact values; no algorithm is taken from the message.
    for (name, value) in [("alg", ALG), ("enc", "A256GCM"), ("typ", "bcjt+jwe")] {
        (header.get(name)?.as_str()? == value).then_some(())?;
    }
    Some(Header {
        // SEAL-4: digits only, through the year 9999. JSON itself allows no leading zero.
        iat_s: header.get("iat")?.as_digits().filter(|iat_s| *iat_s <= SEAL_IAT_MAX_S)?,
        // SEAL-3: canonical b64u of 32 octets.
        csr_sha256: base64url::decode_array(header.get("csr")?.as_str()?.as_bytes())?,
        epk: read_epk(header.get("epk")?)?,
        // SEAL-5: optional, a string.
        kid: match header.get("kid") {
            None => None,
            Some(kid) => Some(kid.as_str()?.to_owned()),
        },
    })
}

fn read_epk(epk: &Value) -> Option<PublicKey> {
    // SEAL-5: exactly kty, crv, x, y; the point is on the curve, checked before any key operation.
    is_closed(epk, &["kty", "crv", "x", "y"])?;
    PublicKey::from_jwk(epk)
}

/// An object whose members are all in the list.
fn is_closed(value: &Value, allowed: &[&str]) -> Option<()> {
    value.as_object()?.iter().all(|(name, _)| allowed.contains(&name.as_str())).then_some(())
}

/// The key management, also the AlgorithmID of the key derivation.
pub(super) const ALG: &str = "ECDH-ES+A256KW";
