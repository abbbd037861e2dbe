//! CERTIFICATE (docs/spec/16-certificate.md): what a node holds.
//!
//! ```text
//! Leaf (values the server holds, one public key) ──to_be_signed(issuer, now)──▶ Unsigned ──assemble(r ‖ s)──▶ Row
//! ```
//!
//! Nothing of a request but its public key comes near a [`Leaf`].

use std::fmt;

use crate::limits::{CERT_BACKDATE_S, CERT_TTL_S, CERTS_LIVE_MAX, RAMDISK_CERT_TTL_S};
use crate::p256::PublicKey;
use crate::time::{self, Millis};
use crate::token::Role;
use crate::x509::{Certificate, SubjectAltName};

mod kinds;
mod profile;

pub use kinds::is_allowed;
pub use profile::{Leaf, Unsigned};

/// The role in a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CertificateRole {
    /// A node of the platform or of its owner.
    Node,
    /// A site's own agent.
    Site,
    /// An installer in memory.
    Ramdisk,
    /// A node that a tenant controls: it never gets platform secrets (HOSTED-1).
    NodeTenant,
}

impl CertificateRole {
    /// Every role.
    pub const ALL: [Self; 4] = [Self::Node, Self::Site, Self::Ramdisk, Self::NodeTenant];

    /// The role's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::Site => "site",
            Self::Ramdisk => "ramdisk",
            Self::NodeTenant => "node-tenant",
        }
    }

    /// Reads a role's name, exactly.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == name)
    }
}

impl From<Role> for CertificateRole {
    fn from(role: Role) -> Self {
        match role {
            Role::Node => Self::Node,
            Role::Site => Self::Site,
            Role::Ramdisk => Self::Ramdisk,
        }
    }
}

/// A serial number: 16 octets of DER INTEGER content, positive (CERTIFICATE-4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Serial([u8; 16]);

impl Serial {
    /// The serial of 16 random octets.
    #[must_use]
    pub fn of_random(mut octets: [u8; 16]) -> Self {
        // CERTIFICATE-4: exactly 16 octets as content, so the first is 01..7f.
        octets[0] = (octets[0] & 0x7f).max(1);
        Self(octets)
    }

    /// The content octets.
    #[must_use]
    pub fn octets(&self) -> &[u8; 16] {
        &self.0
    }
}

/// The configured lifetime of certificates in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CertTtl(u32);

impl CertTtl {
    /// Judges `certTtlSeconds` at start-up. `None` when it is out of bounds: it is never clamped.
    #[must_use]
    pub fn configured(seconds: u64) -> Option<Self> {
        // CERTIFICATE-1: an integer of 1..=86400, else an error at start-up.
        u32::try_from(seconds).ok().filter(|seconds| CERT_TTL_S.contains(seconds)).map(Self)
    }

    /// The lifetime in force for a role under an attestor's limit, in seconds.
    #[must_use]
    pub fn in_force(self, role: CertificateRole, limit_s: Option<u32>) -> u32 {
        // CERTIFICATE-1: the smallest of the three.
        let of_role = if role == CertificateRole::Ramdisk { RAMDISK_CERT_TTL_S } else { u32::MAX };
        self.0.min(of_role).min(limit_s.unwrap_or(u32::MAX))
    }
}

/// The node CA, as its certificate says.
#[derive(Clone, Copy, Debug)]
pub struct Issuer<'a> {
    /// Its certificate, DER.
    pub der: &'a [u8],
    /// Its subject, DER.
    pub subject: &'a [u8],
    /// Its subjectKeyIdentifier.
    pub key_identifier: &'a [u8],
    /// Its notAfter in whole seconds since 1970.
    pub not_after_s: i64,
    /// Whether it is its own issuer, and so no member of a chain that is sent (RESPONSE-4).
    pub is_self_issued: bool,
}

impl<'a> Issuer<'a> {
    /// Reads the certificate of the node CA. `None` when it is none of a P-256 key, or has no subjectKeyIdentifier.
    #[must_use]
    pub fn read(der: &'a [u8]) -> Option<Self> {
        let certificate = Certificate::read(der)?;
        // CERTIFICATE-4: the node CA is a P-256 key.
        certificate.public_key()?;
        Some(Self {
            der,
            subject: certificate.subject,
            key_identifier: certificate.subject_key_identifier()?,
            not_after_s: certificate.not_after_s,
            is_self_issued: certificate.is_self_issued(),
        })
    }

    /// Whether it may issue no more: INVALID_CONFIG.
    #[must_use]
    pub fn is_expired(&self, now: Millis) -> bool {
        // CERTIFICATE-1: an issuer that is itself expired.
        time::is_expired(self.not_after_s, now)
    }

    /// The chain that goes with a leaf of this issuer.
    #[must_use]
    pub fn chain(&self, leaf: &[u8]) -> Vec<Vec<u8>> {
        // RESPONSE-4: leaf first, no root.
        let issuer = (!self.is_self_issued).then(|| self.der.to_vec());
        std::iter::once(leaf.to_vec()).chain(issuer).collect()
    }
}

/// When a certificate begins and ends, whole seconds since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Validity {
    /// notBefore
    pub not_before_s: i64,
    /// notAfter
    pub not_after_s: i64,
}

impl Validity {
    /// The validity of a certificate made now.
    #[must_use]
    pub fn from_now(now: Millis, ttl_s: u32, issuer_not_after_s: i64) -> Self {
        // CERTIFICATE-1: backdated within the lifetime, never past the issuer.
        let not_before_s = now.seconds() - CERT_BACKDATE_S;
        Self { not_before_s, not_after_s: (not_before_s + i64::from(ttl_s)).min(issuer_not_after_s) }
    }
}

/// A `node_certs` row (CERTIFICATE-5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The node.
    pub node_id: String,
    /// The node's identityGeneration when it was issued.
    pub generation: u32,
    /// The certificate.
    pub der: Vec<u8>,
    /// The serial number's content octets.
    pub serial: Vec<u8>,
    /// SHA-256 of its SPKI.
    pub spki_sha256: [u8; 32],
    /// Its role.
    pub role: CertificateRole,
    /// When it begins and ends.
    pub validity: Validity,
    /// Its SPIFFE ID.
    pub spiffe_id: String,
    /// Its `urn:bc:` statements, in order.
    pub statements: Vec<String>,
    /// The command kinds it accepts; absent allows every kind (CERTIFICATE-6).
    pub allowed_kinds: Option<Vec<String>>,
    /// The lifetime limit of its attestor in seconds (CERTIFICATE-1).
    pub ttl_limit_s: Option<u32>,
    /// When and why it was revoked.
    pub revoked: Option<Revoked>,
    /// The serial it was renewed from.
    pub renewed_from: Option<Vec<u8>>,
}

/// When and why a certificate was revoked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revoked {
    /// When.
    pub at: Millis,
    /// Why, a word.
    pub reason: String,
}

impl Row {
    /// The row of a leaf of this profile that stands in a store. `None` for another certificate.
    #[must_use]
    pub fn of_leaf(node_id: &str, generation: u32, der: &[u8]) -> Option<Self> {
        let certificate = Certificate::read(der)?;
        let role =
            CertificateRole::ALL.into_iter().find(|role| certificate.subject == profile::subject(*role))?;
        let mut names = certificate.subject_alt_names()?.into_iter().map(|name| match name {
            SubjectAltName::Uri(uri) => Some(uri.to_owned()),
            SubjectAltName::Other => None,
        });
        // CERTIFICATE-2: the SPIFFE ID first, then statements.
        let spiffe_id = names.next()??;
        Some(Self {
            node_id: node_id.to_owned(),
            generation,
            serial: certificate.serial.to_vec(),
            // CERTIFICATE-5: SHA-256 over the DER SubjectPublicKeyInfo.
            spki_sha256: crate::hash::sha256(certificate.spki),
            role,
            validity: Validity {
                not_before_s: certificate.not_before_s,
                not_after_s: certificate.not_after_s,
            },
            spiffe_id,
            statements: names.collect::<Option<_>>()?,
            allowed_kinds: None,
            ttl_limit_s: None,
            revoked: None,
            renewed_from: None,
            der: der.to_vec(),
        })
    }

    /// Its key.
    #[must_use]
    pub fn public_key(&self) -> Option<PublicKey> {
        Certificate::read(&self.der)?.public_key()
    }

    /// The AK statement, if it has one (CERTIFICATE-2).
    #[must_use]
    pub fn ak_statement(&self) -> Option<&str> {
        self.statements.iter().map(String::as_str).find(|statement| statement.starts_with(AK))
    }

    /// Whether it is dead by time.
    #[must_use]
    pub fn is_expired(&self, now: Millis) -> bool {
        time::is_expired(self.validity.not_after_s, now)
    }

    /// Whether it is neither revoked nor expired.
    #[must_use]
    pub fn is_live(&self, now: Millis) -> bool {
        // CERTIFICATE-7: live is not revoked and not expired.
        self.revoked.is_none() && !self.is_expired(now)
    }
}

/// Whether a node of this generation may get one more certificate by renewal. `rows` are the node's.
#[must_use]
pub fn may_renew(rows: &[&Row], generation: u32, now: Millis) -> bool {
    // CERTIFICATE-7: a renewal that would make a ninth live certificate of the generation is refused.
    let live = rows.iter().filter(|row| row.generation == generation && row.is_live(now));
    live.count() < CERTS_LIVE_MAX
}

/// The newest certificate of a generation; `rows` are the node's, in the order in which they were committed.
#[must_use]
pub fn newest<'r>(rows: &[&'r Row], generation: u32) -> Option<&'r Row> {
    // X509POP-2: newest is the order of the commits, not a date.
    rows.iter().rev().find(|row| row.generation == generation).copied()
}

impl fmt::Display for CertificateRole {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

const AK: &str = "urn:bc:tpm-ak:";

#[cfg(test)]
mod tests;
