//! X.509 certificates (RFC 5280) with every part public, so that each can be nonsense.

use p256::SecretKey;

use super::der::{INTEGER, OCTET_STRING, SEQUENCE, UTF8, bit_string, oid, sequence, set, tlv};
use super::keys::{hash, key};
use super::signature::{sign_der, spki};

/// commonName.
pub const CN: &str = "2.5.4.3";
/// organizationalUnitName.
pub const OU: &str = "2.5.4.11";
/// ecdsa-with-SHA256.
pub const ECDSA_SHA256: &str = "1.2.840.10045.4.3.2";
/// ecdsa-with-SHA384.
pub const ECDSA_SHA384: &str = "1.2.840.10045.4.3.3";
/// subjectAltName.
pub const SAN: &str = "2.5.29.17";
/// basicConstraints.
pub const BASIC_CONSTRAINTS: &str = "2.5.29.19";
/// keyUsage.
pub const KEY_USAGE: &str = "2.5.29.15";
/// extKeyUsage.
pub const EXTENDED_KEY_USAGE: &str = "2.5.29.37";
/// subjectKeyIdentifier.
pub const SUBJECT_KEY_IDENTIFIER: &str = "2.5.29.14";
/// authorityKeyIdentifier.
pub const AUTHORITY_KEY_IDENTIFIER: &str = "2.5.29.35";

/// A certificate before it is signed. Parts named "DER" are put in as they are.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The number in `[0]`; v3 is 2; absent writes no version.
    pub version: Option<u8>,
    /// Contents octets of the serial's INTEGER.
    pub serial: Vec<u8>,
    /// DER of the AlgorithmIdentifier, inside and outside alike.
    pub algorithm: Vec<u8>,
    /// DER of the issuer's Name.
    pub issuer: Vec<u8>,
    /// DER of notBefore.
    pub not_before: Vec<u8>,
    /// DER of notAfter.
    pub not_after: Vec<u8>,
    /// DER of the subject's Name.
    pub subject: Vec<u8>,
    /// DER of the SubjectPublicKeyInfo.
    pub spki: Vec<u8>,
    /// In this order; none writes no `[3]`.
    pub extensions: Vec<Extension>,
}

/// One extension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extension {
    /// Dotted.
    pub oid: &'static str,
    /// Written only when true, as DER has it.
    pub critical: bool,
    /// What stands in the OCTET STRING.
    pub value: Vec<u8>,
}

/// One name of subjectAltName (RFC 5280, 4.2.1.6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum San {
    /// uniformResourceIdentifier.
    Uri(String),
    /// dNSName.
    Dns(String),
    /// iPAddress, 4 or 16 octets.
    Ip(Vec<u8>),
    /// rfc822Name.
    Email(String),
    /// directoryName with this common name.
    Directory(String),
    /// Any element, DER.
    Raw(Vec<u8>),
}

/// A certification authority of the tests.
#[derive(Clone, Debug)]
pub struct Authority {
    /// DER of its Name.
    pub name: Vec<u8>,
    /// Its key.
    pub key: SecretKey,
}

impl Certificate {
    /// The TBSCertificate.
    #[must_use]
    pub fn tbs(&self) -> Vec<u8> {
        let version = self.version.map(|version| tlv(0xa0, tlv(INTEGER, [version]))).unwrap_or_default();
        let validity = sequence(&[&self.not_before, &self.not_after]);
        let listed: Vec<Vec<u8>> = self.extensions.iter().map(Extension::der).collect();
        let listed = if listed.is_empty() { Vec::new() } else { tlv(0xa3, tlv(SEQUENCE, listed.concat())) };
        sequence(&[
            &version,
            &tlv(INTEGER, &self.serial),
            &self.algorithm,
            &self.issuer,
            &validity,
            &self.subject,
            &self.spki,
            &listed,
        ])
    }

    /// The certificate with this signature value.
    #[must_use]
    pub fn with_signature(&self, signature: &[u8]) -> Vec<u8> {
        sequence(&[&self.tbs(), &self.algorithm, &bit_string(0, signature)])
    }

    /// The certificate, signed by this key.
    #[must_use]
    pub fn signed(&self, key: &SecretKey) -> Vec<u8> {
        self.with_signature(&sign_der(key, &self.tbs()))
    }

    /// The same with these names as subjectAltName, in its old place.
    #[must_use]
    pub fn with_sans(mut self, sans: &[San]) -> Self {
        for extension in self.extensions.iter_mut().filter(|extension| extension.oid == SAN) {
            *extension = subject_alt_name(sans);
        }
        self
    }

    /// The same with validity between these instants (RFC 3339, whole seconds).
    #[must_use]
    pub fn valid(mut self, not_before: &str, not_after: &str) -> Self {
        self.not_before = time(not_before);
        self.not_after = time(not_after);
        self
    }
}

impl Extension {
    /// The Extension SEQUENCE.
    #[must_use]
    pub fn der(&self) -> Vec<u8> {
        let critical = if self.critical { tlv(0x01, [0xff]) } else { Vec::new() };
        sequence(&[&oid(self.oid), &critical, &tlv(OCTET_STRING, &self.value)])
    }
}

impl San {
    /// A URI.
    #[must_use]
    pub fn uri(text: &str) -> Self {
        Self::Uri(text.into())
    }

    /// The GeneralName.
    #[must_use]
    pub fn der(&self) -> Vec<u8> {
        match self {
            Self::Email(text) => tlv(0x81, text),
            Self::Dns(text) => tlv(0x82, text),
            Self::Directory(common_name) => tlv(0xa4, name(&[(CN, common_name)])),
            Self::Uri(text) => tlv(0x86, text),
            Self::Ip(octets) => tlv(0x87, octets),
            Self::Raw(der) => der.clone(),
        }
    }
}

impl Authority {
    /// The authority of that common name; its key is made from the name.
    #[must_use]
    pub fn named(common_name: &str) -> Self {
        Self { name: name(&[(CN, common_name)]), key: key(common_name) }
    }

    /// Its certificate, to be signed by `issuer`: valid for ten years around the clock of the cases.
    #[must_use]
    pub fn certificate(&self, issuer: &Self) -> Certificate {
        let public = spki(&self.key);
        Certificate {
            extensions: vec![
                Extension { oid: BASIC_CONSTRAINTS, critical: true, value: sequence(&[&tlv(0x01, [0xff])]) },
                // keyCertSign (5) and cRLSign (6).
                Extension { oid: KEY_USAGE, critical: true, value: vec![0x03, 0x02, 0x01, 0x06] },
                subject_key_identifier(&public),
                authority_key_identifier(&spki(&issuer.key)),
            ],
            ..certificate(issuer, self.name.clone(), public)
        }
        .valid("2021-01-01T00:00:00Z", "2031-01-01T00:00:00Z")
    }
}

/// The root of the nodes' certificates: never sent.
#[must_use]
pub fn node_root() -> Authority {
    Authority::named("test node root")
}

/// The authority that issues the nodes' certificates.
#[must_use]
pub fn node_intermediate() -> Authority {
    Authority::named("test node intermediate")
}

/// A leaf as CERTIFICATE-2 to CERTIFICATE-4 have it: one day from one minute before the clock of the cases.
#[must_use]
pub fn leaf(issuer: &Authority, public: Vec<u8>, role: &str, sans: &[San]) -> Certificate {
    Certificate {
        extensions: vec![
            // digitalSignature (0).
            Extension { oid: KEY_USAGE, critical: true, value: vec![0x03, 0x02, 0x07, 0x80] },
            Extension {
                oid: EXTENDED_KEY_USAGE,
                critical: false,
                value: sequence(&[&oid("1.3.6.1.5.5.7.3.2")]),
            },
            Extension { oid: BASIC_CONSTRAINTS, critical: true, value: sequence(&[]) },
            subject_key_identifier(&public),
            authority_key_identifier(&spki(&issuer.key)),
            subject_alt_name(sans),
        ],
        ..certificate(issuer, name(&[(OU, &format!("bc-role:{role}"))]), public)
    }
}

/// A Name of one attribute an RDN, each a UTF8String.
#[must_use]
pub fn name(attributes: &[(&str, &str)]) -> Vec<u8> {
    let rdns: Vec<Vec<u8>> = attributes.iter().map(|(kind, value)| set(&[&attribute(kind, value)])).collect();
    tlv(SEQUENCE, rdns.concat())
}

/// One AttributeTypeAndValue with a UTF8String.
#[must_use]
pub fn attribute(kind: &str, value: &str) -> Vec<u8> {
    sequence(&[&oid(kind), &tlv(UTF8, value)])
}

/// An AlgorithmIdentifier without parameters.
#[must_use]
pub fn algorithm(dotted: &str) -> Vec<u8> {
    sequence(&[&oid(dotted)])
}

/// subjectAltName, not critical.
#[must_use]
pub fn subject_alt_name(sans: &[San]) -> Extension {
    let names: Vec<Vec<u8>> = sans.iter().map(San::der).collect();
    Extension { oid: SAN, critical: false, value: tlv(SEQUENCE, names.concat()) }
}

/// UTCTime through 2049, GeneralizedTime from 2050 (RFC 5280, 4.1.2.5); `instant` is `YYYY-MM-DDTHH:MM:SSZ`.
#[must_use]
pub fn time(instant: &str) -> Vec<u8> {
    let digits: String = instant.chars().filter(char::is_ascii_digit).chain(['Z']).collect();
    match digits.get(2..) {
        Some(short) if digits.as_str() < "2050" => tlv(0x17, short),
        _ => tlv(0x18, digits),
    }
}

fn certificate(issuer: &Authority, subject: Vec<u8>, public: Vec<u8>) -> Certificate {
    let mut serial = hash([subject.as_slice(), &public].concat())[..16].to_vec();
    serial[0] = serial[0] & 0x3f | 0x40;
    Certificate {
        version: Some(2),
        serial,
        algorithm: algorithm(ECDSA_SHA256),
        issuer: issuer.name.clone(),
        not_before: time("2025-12-31T23:59:00Z"),
        not_after: time("2026-01-01T23:59:00Z"),
        subject,
        spki: public,
        extensions: Vec::new(),
    }
}

fn subject_key_identifier(public: &[u8]) -> Extension {
    Extension {
        oid: SUBJECT_KEY_IDENTIFIER,
        critical: false,
        value: tlv(OCTET_STRING, key_identifier(public)),
    }
}

fn authority_key_identifier(public: &[u8]) -> Extension {
    let value = sequence(&[&tlv(0x80, key_identifier(public))]);
    Extension { oid: AUTHORITY_KEY_IDENTIFIER, critical: false, value }
}

/// RFC 7093, section 2, method 4: 160 bits of the hash of the SubjectPublicKeyInfo.
fn key_identifier(public: &[u8]) -> Vec<u8> {
    hash(public)[..20].to_vec()
}

#[cfg(test)]
mod tests {
    use x509_cert::der::{Decode as _, Encode as _};

    use super::*;
    use crate::testkit::signature;

    #[test]
    fn a_foreign_parser_reads_the_leaf_and_gives_back_its_bytes() {
        let sans = [San::uri("spiffe://td/site/s/node/n"), San::uri("urn:bc:x")];
        let der =
            leaf(&node_intermediate(), spki(&key("leaf")), "node", &sans).signed(&node_intermediate().key);
        let parsed = x509_cert::Certificate::from_der(&der).unwrap();
        assert_eq!(parsed.to_der().unwrap(), der);
        assert_eq!(parsed.tbs_certificate().subject().to_string(), "OU=bc-role:node");
        assert_eq!(parsed.tbs_certificate().serial_number().as_bytes().len(), 16);
        let validity = parsed.tbs_certificate().validity();
        assert_eq!(validity.not_before.to_unix_duration().as_secs(), 1_767_225_540);
        assert_eq!(validity.not_after.to_unix_duration().as_secs(), 1_767_311_940);
        assert_eq!(parsed.tbs_certificate().extensions().unwrap().len(), 6);
    }

    #[test]
    fn the_intermediate_signs_the_leaf_and_the_root_the_intermediate() {
        for (der, issuer) in [
            (node_intermediate().certificate(&node_root()).signed(&node_root().key), node_root()),
            (node_root().certificate(&node_root()).signed(&node_root().key), node_root()),
        ] {
            let parsed = x509_cert::Certificate::from_der(&der).unwrap();
            assert_eq!(parsed.tbs_certificate().issuer().to_der().unwrap(), issuer.name);
            let tbs = parsed.tbs_certificate().to_der().unwrap();
            let sig = p256::ecdsa::Signature::from_der(parsed.signature().raw_bytes()).unwrap();
            assert!(signature::verify(&spki(&issuer.key), &tbs, &sig.to_bytes()));
        }
    }

    #[test]
    fn time_changes_its_type_in_2050() {
        assert_eq!(time("2049-12-31T23:59:59Z"), *b"\x17\x0d491231235959Z");
        assert_eq!(time("2050-01-01T00:00:00Z"), *b"\x18\x0f20500101000000Z");
    }
}
