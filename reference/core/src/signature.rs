//! SIGNATURE (docs/spec/14-signature.md): what is signed, and how.
//!
//! ```text
//! a message of one purpose ──to_be_signed──▶ octets ──(a file key, a TPM, an HSM)──▶ r ‖ s ──Signature::made──▶ low-S
//!                                            octets + received r ‖ s ──verify──▶ ok, or `signature`
//! ```
//!
//! [`ToBeSigned`] has no constructor but the messages of the closed list below, so no caller can get octets of a
//! peer's choice signed.

use std::fmt;
use std::net::IpAddr;

use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};

use crate::frame;
use crate::p256::{self, PublicKey};
use crate::reason::Reason;

/// The octets that a key signs for one purpose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToBeSigned(Vec<u8>);

impl ToBeSigned {
    // SIGNATURE-2: a closed set of purposes; only this module makes one.
    fn new(purpose: &str, fields: &[&[u8]]) -> Self {
        Self(frame::message(purpose, fields))
    }

    /// The message's octets. The signer hashes them with SHA-256.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        &self.0
    }
}

/// `join-response`: the answer to a join, signed with the join-signing key.
#[derive(Clone, Copy, Debug)]
pub struct JoinResponse<'a> {
    /// The body's octets.
    pub body: &'a [u8],
}

impl JoinResponse<'_> {
    /// The message of this purpose.
    #[must_use]
    pub fn to_be_signed(&self) -> ToBeSigned {
        ToBeSigned::new("join-response", &[self.body])
    }
}

/// `join-deferral`: the answer to a join that a person still has to decide, signed with the join-signing key.
#[derive(Clone, Copy, Debug)]
pub struct JoinDeferral<'a> {
    /// The body's octets.
    pub body: &'a [u8],
}

impl JoinDeferral<'_> {
    /// The message of this purpose.
    #[must_use]
    pub fn to_be_signed(&self) -> ToBeSigned {
        ToBeSigned::new("join-deferral", &[self.body])
    }
}

/// `renew-response`: the answer to a renewal, signed with the join-signing key.
#[derive(Clone, Copy, Debug)]
pub struct RenewResponse<'a> {
    /// The body's octets.
    pub body: &'a [u8],
}

impl RenewResponse<'_> {
    /// The message of this purpose.
    #[must_use]
    pub fn to_be_signed(&self) -> ToBeSigned {
        ToBeSigned::new("renew-response", &[self.body])
    }
}

/// `renew-pop`: the proof of a renewal, signed with the current node key.
#[derive(Clone, Copy, Debug)]
pub struct RenewPop<'a> {
    /// SHA-256 of the new request.
    pub csr_sha256: &'a [u8; 32],
    /// The node's id.
    pub node_id: &'a str,
    /// The client's clock, milliseconds since 1970.
    pub client_time_ms: i64,
}

impl RenewPop<'_> {
    /// The message of this purpose.
    #[must_use]
    pub fn to_be_signed(&self) -> ToBeSigned {
        let time = self.client_time_ms.to_be_bytes();
        ToBeSigned::new("renew-pop", &[self.csr_sha256, self.node_id.as_bytes(), &time])
    }
}

/// `x509pop`: the proof of a join with an expired certificate, signed with its key.
#[derive(Clone, Copy, Debug)]
pub struct X509Pop<'a> {
    /// SHA-256 of the new request.
    pub csr_sha256: &'a [u8; 32],
    /// The node's id.
    pub node_id: &'a str,
    /// The client's clock, milliseconds since 1970.
    pub client_time_ms: i64,
}

impl X509Pop<'_> {
    /// The message of this purpose.
    #[must_use]
    pub fn to_be_signed(&self) -> ToBeSigned {
        let time = self.client_time_ms.to_be_bytes();
        ToBeSigned::new("x509pop", &[self.csr_sha256, self.node_id.as_bytes(), &time])
    }
}

/// `discovery-vouch`: what a site's agent says of a machine that it started, signed with the agent's key.
#[derive(Clone, Copy, Debug)]
pub struct DiscoveryVouch<'a> {
    /// SHA-256 of the machine's request.
    pub csr_sha256: &'a [u8; 32],
    /// The MAC that was started.
    pub mac: [u8; 6],
    /// The address it was given.
    pub ip: IpAddr,
    /// The workflow that started it.
    pub workflow_id: &'a str,
    /// The count of the machine's boot leases.
    pub boot_lease_epoch: i64,
}

impl DiscoveryVouch<'_> {
    /// The message of this purpose.
    #[must_use]
    pub fn to_be_signed(&self) -> ToBeSigned {
        let (v4, v6);
        let ip: &[u8] = match self.ip {
            IpAddr::V4(address) => {
                v4 = address.octets();
                &v4
            }
            IpAddr::V6(address) => {
                v6 = address.octets();
                &v6
            }
        };
        let epoch = self.boot_lease_epoch.to_be_bytes();
        let workflow_id = self.workflow_id.as_bytes();
        ToBeSigned::new("discovery-vouch", &[self.csr_sha256, &self.mac, ip, workflow_id, &epoch])
    }
}

/// A signature r ‖ s in range and low-S; whether it verifies is another question.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Signature([u8; 64]);

impl Signature {
    /// Takes a signature from a peer as it is.
    ///
    /// # Errors
    /// `signature` when it has not 64 octets, when r or s is not in 1..=n−1, or when s is high.
    pub fn received(octets: &[u8]) -> Result<Self, Reason> {
        // SIGNATURE-1: 64 octets, 1 ≤ r ≤ n − 1, and the verifier refuses a high s.
        let octets: [u8; 64] = octets.try_into().map_err(|_| Reason::Signature)?;
        let (r, s) = halves(&octets);
        if !p256::is_scalar(&r) || !p256::is_scalar(&s) || s > HALF_ORDER {
            return Err(Reason::Signature);
        }
        Ok(Self(octets))
    }

    /// Takes r ‖ s from the signer that holds the key, and makes it low-S.
    ///
    /// # Errors
    /// `signature` when r or s is not in 1..=n−1: the signer is broken.
    pub fn made(octets: &[u8; 64]) -> Result<Self, Reason> {
        let (r, s) = halves(octets);
        if s <= HALF_ORDER || !p256::is_scalar(&s) {
            return Self::received(octets);
        }
        // SIGNATURE-1: the signer replaces a high s by n − s.
        let mut low = [0; 64];
        let (low_r, low_s) = low.split_at_mut(32);
        low_r.copy_from_slice(&r);
        low_s.copy_from_slice(&order_minus(&s));
        Self::received(&low)
    }

    /// r ‖ s.
    #[must_use]
    pub fn octets(&self) -> &[u8; 64] {
        &self.0
    }
}

impl fmt::Debug for Signature {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|octet| write!(formatter, "{octet:02x}"))
    }
}

/// Verifies the signature of a message.
///
/// # Errors
/// `signature` when it is malformed, high-S, or of another key, purpose or message (SIGNATURE-1, SIGNATURE-2).
pub fn verify(key: &PublicKey, message: &ToBeSigned, signature: &[u8]) -> Result<(), Reason> {
    let signature = Signature::received(signature)?;
    // SIGNATURE-2: the purpose is inside the message, so a signature for one never verifies for another.
    if verifies(key, message.octets(), signature.octets()) { Ok(()) } else { Err(Reason::Signature) }
}

/// Whether r ‖ s is an ECDSA signature with SHA-256 of `octets` (FIPS 186-5). A high s is accepted: certificates and
/// requests have no low-S rule.
#[must_use]
pub(crate) fn verifies(key: &PublicKey, octets: &[u8], signature: &[u8; 64]) -> bool {
    UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, key.point()).verify(octets, signature).is_ok()
}

fn halves(octets: &[u8; 64]) -> ([u8; 32], [u8; 32]) {
    let (mut r, mut s) = ([0; 32], [0; 32]);
    let (first, second) = octets.split_at(32);
    r.copy_from_slice(first);
    s.copy_from_slice(second);
    (r, s)
}

/// n − s for s < n, octet by octet from the end.
fn order_minus(s: &[u8; 32]) -> [u8; 32] {
    let mut difference = [0; 32];
    let mut borrow = false;
    for ((out, n), s) in difference.iter_mut().zip(p256::ORDER).zip(s).rev() {
        let (partial, under) = n.overflowing_sub(*s);
        let (octet, under_again) = partial.overflowing_sub(u8::from(borrow));
        *out = octet;
        borrow = under || under_again;
    }
    difference
}

/// The highest low s, (n − 1) / 2 (SIGNATURE-1).
const HALF_ORDER: [u8; 32] = [
    0x7f, 0xff, 0xff, 0xff, 0x80, 0x00, 0x00, 0x00, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xde,
    0x73, 0x7d, 0x56, 0xd3, 0x8b, 0xcf, 0x42, 0x79, 0xdc, 0xe5, 0x61, 0x7e, 0x31, 0x92, 0xa8,
];

#[cfg(test)]
mod tests;
