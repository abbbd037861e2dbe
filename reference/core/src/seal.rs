//! SEAL (docs/spec/03-seal.md): how the token travels.
//!
//! ```text
//! octets ──header──▶ Parts ──kid, keys──▶ Opened { token, iat, csr } ──iat window, csr──▶ accepted
//! ```

use crate::hash::sha256;
use crate::limits::SEAL_MAX_BYTES;
use crate::p256::PrivateKey;
use crate::reason::Reason;
use crate::time::Millis;
use crate::token::{self, Token};

mod crypto;
mod header;
mod make;
mod resend;

pub use make::{Fresh, make};
pub use resend::{Answered, Found, Sent, resend};

/// What a seal held. Its token is readable; nothing is said yet of `iat` and of the CSR beside it.
pub struct Opened {
    /// The token.
    pub token: Token,
    /// When the client says it made the seal, in seconds since 1970.
    pub iat_s: u64,
    /// The SHA-256 of the CSR that the sealer chose.
    pub csr_sha256: [u8; 32],
}

/// How far `iat` may lie from now, in seconds, both ends included (SEAL-4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Into the past.
    pub past_s: u64,
    /// Into the future.
    pub ahead_s: u64,
}

/// Opens a seal and judges it against the CSR beside it. Without a window `iat` never refuses by itself.
///
/// # Errors
/// In this order: `seal`, `seal-key`, `seal`, `seal-iat`, `seal-csr` (SEAL-5).
pub fn judge(
    seal: &[u8],
    csr: &[u8],
    keys: &[PrivateKey],
    window: Option<Window>,
    now: Millis,
) -> Result<Opened, Reason> {
    // SEAL-5: the order of the checks.
    let opened = open(seal, keys)?;
    check_iat(opened.iat_s, window, now)?;
    check_csr(&opened, csr)?;
    Ok(opened)
}

/// Opens a seal with the keys that the server holds.
///
/// # Errors
/// `seal` for size, structure, header and whatever does not decrypt to a token; `seal-key` when `kid` names
/// no key held.
pub fn open(seal: &[u8], keys: &[PrivateKey]) -> Result<Opened, Reason> {
    // SEAL-5: the size comes first.
    if seal.len() > SEAL_MAX_BYTES {
        return Err(Reason::Seal);
    }
    let parts = header::read(seal).ok_or(Reason::Seal)?;
    let candidates = candidates(keys, parts.header.kid.as_deref())?;
    // SEAL-7: the key of `kid` alone, or each that is held; when none opens it: `seal`.
    let plaintext = candidates.iter().find_map(|key| crypto::open(&parts, key)).ok_or(Reason::Seal)?;
    // SEAL-2: the plaintext is a token and nothing else.
    let token = token::parse(&plaintext).map_err(|_| Reason::Seal)?;
    Ok(Opened { token, iat_s: parts.header.iat_s, csr_sha256: parts.header.csr_sha256 })
}

/// Judges when a seal says it was made.
///
/// # Errors
/// `seal-iat` when there is a window and `iat` lies outside (SEAL-4).
pub fn check_iat(iat_s: u64, window: Option<Window>, now: Millis) -> Result<(), Reason> {
    // SEAL-4: under `none` iat is recorded and never refuses; under `window` both ends are included.
    let Some(Window { past_s, ahead_s }) = window else { return Ok(()) };
    let now_s = i128::from(now.seconds());
    let inside = now_s - i128::from(past_s)..=now_s + i128::from(ahead_s);
    inside.contains(&i128::from(iat_s)).then_some(()).ok_or(Reason::SealIat)
}

/// Compares the CSR that the sealer chose with the one beside the seal.
///
/// # Errors
/// `seal-csr` when it is another one (SEAL-3).
pub fn check_csr(opened: &Opened, csr: &[u8]) -> Result<(), Reason> {
    // SEAL-3, CSR-5: the hash over the very octets beside the seal.
    (opened.csr_sha256 == sha256(csr)).then_some(()).ok_or(Reason::SealCsr)
}

/// The keys that may open the seal.
fn candidates<'a>(keys: &'a [PrivateKey], kid: Option<&str>) -> Result<&'a [PrivateKey], Reason> {
    let Some(kid) = kid else { return Ok(keys) };
    // SEAL-5: kid is the pin string of a key that the server holds, compared octet for octet.
    let named = keys.iter().find(|key| key.public().pin().to_string() == kid);
    named.map(std::slice::from_ref).ok_or(Reason::SealKey)
}

#[cfg(test)]
mod tests;
