//! The octets of a leaf (CERTIFICATE-1 to CERTIFICATE-4). The writer is this file: no general one gives exactly this
//! profile.

use super::{CertificateRole, Issuer, Row, Serial, Validity};
use crate::der::{self, write};
use crate::hash::sha256;
use crate::p256::{self, PublicKey};
use crate::x509::write_instant;

/// Everything that a leaf says: values the server holds, and one public key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Its serial number.
    pub serial: Serial,
    /// The SPIFFE trust domain.
    pub trust_domain: String,
    /// The site's id.
    pub site_id: String,
    /// The node's id.
    pub node_id: String,
    /// The node's identityGeneration.
    pub generation: u32,
    /// The role.
    pub role: CertificateRole,
    /// Statements about the node key, `urn:bc:…`.
    pub statements: Vec<String>,
    /// The certified key.
    pub public_key: PublicKey,
    /// The command kinds it will accept.
    pub allowed_kinds: Option<Vec<String>>,
    /// The lifetime limit of its attestor in seconds.
    pub ttl_limit_s: Option<u32>,
    /// The serial it is renewed from.
    pub renewed_from: Option<Vec<u8>>,
}

/// A certificate that waits for its signature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsigned {
    leaf: Leaf,
    validity: Validity,
    to_be_signed: Vec<u8>,
}

impl Leaf {
    /// The SPIFFE ID.
    #[must_use]
    pub fn spiffe_id(&self) -> String {
        // CERTIFICATE-2: the path is the same for every role.
        format!("spiffe://{}/site/{}/node/{}", self.trust_domain, self.site_id, self.node_id)
    }

    /// The octets that the node CA signs.
    #[must_use]
    pub fn to_be_signed(self, issuer: &Issuer<'_>, validity: Validity) -> Unsigned {
        let times = [write_instant(validity.not_before_s), write_instant(validity.not_after_s)];
        let parts = [
            VERSION_3.to_vec(),
            write(der::INTEGER, self.serial.octets()),
            ECDSA_WITH_SHA256.to_vec(),
            // CERTIFICATE-4: the node CA's subject, octet for octet.
            issuer.subject.to_vec(),
            write(der::SEQUENCE, &times.concat()),
            subject(self.role),
            self.public_key.spki(),
            write(EXTENSIONS, &write(der::SEQUENCE, &self.extensions(issuer))),
        ];
        let to_be_signed = write(der::SEQUENCE, &parts.concat());
        Unsigned { leaf: self, validity, to_be_signed }
    }

    fn extensions(&self, issuer: &Issuer<'_>) -> Vec<u8> {
        // RFC 7093 section 2, method 1: the leftmost 160 bits of SHA-256 of the key's octets.
        let key_hash = sha256(self.public_key.point());
        let identifier = key_hash.get(..20).unwrap_or_default();
        let spiffe_id = self.spiffe_id();
        let names = std::iter::once(&spiffe_id).chain(&self.statements);
        let names: Vec<u8> = names.flat_map(|uri| write(URI, uri.as_bytes())).collect();
        // CERTIFICATE-4: each once and no other.
        [
            extension(KEY_USAGE, Critical::Yes, DIGITAL_SIGNATURE),
            extension(EXTENDED_KEY_USAGE, Critical::No, CLIENT_AUTH),
            extension(BASIC_CONSTRAINTS, Critical::Yes, EMPTY_SEQUENCE),
            extension(SUBJECT_KEY_IDENTIFIER, Critical::No, &write(OCTET_STRING, identifier)),
            extension(
                AUTHORITY_KEY_IDENTIFIER,
                Critical::No,
                &write(der::SEQUENCE, &write(KEY_IDENTIFIER, issuer.key_identifier)),
            ),
            // CERTIFICATE-2: not critical, since the subject is not empty.
            extension(SUBJECT_ALT_NAME, Critical::No, &write(der::SEQUENCE, &names)),
        ]
        .concat()
    }
}

impl Unsigned {
    /// The octets to be signed with ecdsa-with-SHA256.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        &self.to_be_signed
    }

    /// What it will say.
    #[must_use]
    pub fn leaf(&self) -> &Leaf {
        &self.leaf
    }

    /// The certificate and its row, of the signature r ‖ s.
    #[must_use]
    pub fn assemble(self, signature: &[u8; 64]) -> Row {
        let bits = [&[0][..], &p256::signature_to_der(signature)].concat();
        let parts = [&self.to_be_signed[..], ECDSA_WITH_SHA256, &write(der::BIT_STRING, &bits)].concat();
        let spiffe_id = self.leaf.spiffe_id();
        let Leaf { serial, node_id, generation, role, statements, public_key, .. } = self.leaf;
        Row {
            node_id,
            generation,
            der: write(der::SEQUENCE, &parts),
            serial: serial.octets().to_vec(),
            spki_sha256: sha256(&public_key.spki()),
            role,
            validity: self.validity,
            spiffe_id,
            statements,
            allowed_kinds: self.leaf.allowed_kinds,
            ttl_limit_s: self.leaf.ttl_limit_s,
            revoked: None,
            renewed_from: self.leaf.renewed_from,
        }
    }
}

/// A subject of one attribute, OU = `bc-role:<role>`.
pub(super) fn subject(role: CertificateRole) -> Vec<u8> {
    // CERTIFICATE-3: one RDN with one AttributeTypeAndValue, OID 2.5.4.11, UTF8String.
    let value = write(der::UTF8_STRING, format!("bc-role:{role}").as_bytes());
    let attribute = write(der::SEQUENCE, &[ORGANIZATIONAL_UNIT, &value].concat());
    write(der::SEQUENCE, &write(der::SET, &attribute))
}

#[derive(Clone, Copy)]
enum Critical {
    Yes,
    No,
}

/// Extension of 2.5.29.`arc`. DER leaves out the default FALSE.
fn extension(arc: u8, critical: Critical, value: &[u8]) -> Vec<u8> {
    let critical: &[u8] = match critical {
        Critical::Yes => &[0x01, 0x01, 0xff],
        Critical::No => &[],
    };
    let oid = write(der::OID, &[0x55, 0x1d, arc]);
    write(der::SEQUENCE, &[&oid, critical, &write(OCTET_STRING, value)].concat())
}

/// \[0\] INTEGER 2
const VERSION_3: &[u8] = &[0xa0, 0x03, 0x02, 0x01, 0x02];
/// AlgorithmIdentifier ecdsa-with-SHA256, without parameters (RFC 5758 section 3.2).
const ECDSA_WITH_SHA256: &[u8] = &[0x30, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
/// OID 2.5.4.11, DER.
const ORGANIZATIONAL_UNIT: &[u8] = &[0x06, 0x03, 0x55, 0x04, 0x0b];
/// KeyUsage with bit 0 alone.
const DIGITAL_SIGNATURE: &[u8] = &[0x03, 0x02, 0x07, 0x80];
/// SEQUENCE OF 1.3.6.1.5.5.7.3.2
const CLIENT_AUTH: &[u8] = &[0x30, 0x0a, 0x06, 0x08, 0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x02];
const EMPTY_SEQUENCE: &[u8] = &[0x30, 0x00];
const OCTET_STRING: u8 = 0x04;
/// \[3\] of TBSCertificate, constructed.
const EXTENSIONS: u8 = 0xa3;
/// \[0\] of AuthorityKeyIdentifier.
const KEY_IDENTIFIER: u8 = 0x80;
/// \[6\] of GeneralName.
const URI: u8 = 0x86;
// The last arc of 2.5.29.
const SUBJECT_KEY_IDENTIFIER: u8 = 14;
const KEY_USAGE: u8 = 15;
const SUBJECT_ALT_NAME: u8 = 17;
const BASIC_CONSTRAINTS: u8 = 19;
const AUTHORITY_KEY_IDENTIFIER: u8 = 35;
const EXTENDED_KEY_USAGE: u8 = 37;
