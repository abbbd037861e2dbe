//! Certificate requests (RFC 2986) with every part public. The honest one is empty but for its key.

mod open;

pub use self::open::{Opened, matches, open};

use p256::SecretKey;
use p256::ecdsa::signature::hazmat::PrehashSigner as _;
use p256::ecdsa::{Signature, SigningKey};
use serde_json::Value;

use super::der::{self, Length};
use super::encode::b64u;
use super::request::request_hash;
use super::signature::{sign_der, spki};

/// The OID of PKCS#9 unstructuredName (RFC 2985 5.4.1).
pub const UNSTRUCTURED_NAME: &str = "1.2.840.113549.1.9.2";
/// How the value of the binding begins (BINDING-2).
pub const BINDING_PREFIX: &str = "bc-join-request-v1:";
/// ecdsa-with-SHA256 (RFC 5758 3.2).
pub const ECDSA_SHA256: &str = "1.2.840.10045.4.3.2";

/// The parts of a request, each as the DER that stands there.
#[derive(Clone, Debug)]
#[must_use]
pub struct Csr {
    /// The version, a whole element.
    pub version: Vec<u8>,
    /// The subject, a whole element.
    pub subject: Vec<u8>,
    /// The SubjectPublicKeyInfo, a whole element.
    pub spki: Vec<u8>,
    /// The attributes field, a whole element; or nothing, or whatever stands there instead.
    pub attributes: Vec<u8>,
    /// The signature algorithm, a whole element.
    pub algorithm: Vec<u8>,
    /// The signature, a whole element; none: a good one by `signer`.
    pub signature: Option<Vec<u8>>,
    /// The form of the length of CertificationRequestInfo.
    pub info_length: Length,
    /// The form of the outer length.
    pub outer_length: Length,
    /// Whose signature it is.
    pub signer: SecretKey,
}

/// A right request by `key`: version 0, empty subject, no attributes.
pub fn honest(key: &SecretKey) -> Csr {
    Csr {
        version: der::tlv(der::INTEGER, [0]),
        subject: der::sequence(&[]),
        spki: spki(key),
        attributes: der::tlv(0xa0, []),
        algorithm: der::sequence(&[&der::oid(ECDSA_SHA256)]),
        signature: None,
        info_length: Length::Minimal,
        outer_length: Length::Minimal,
        signer: key.clone(),
    }
}

/// A right request that carries the hash of `request` (BINDING-2).
///
/// # Errors
/// A sentence: what of `request` is missing or of the wrong type.
pub fn with_binding(key: &SecretKey, request: &Value) -> Result<Csr, String> {
    let value = binding_text(&request_hash(request)?);
    Ok(honest(key).attribute(UNSTRUCTURED_NAME, &[&der::tlv(der::UTF8, value)]))
}

/// The text of the binding: `bc-join-request-v1:` and base64url of the hash.
#[must_use]
pub fn binding_text(hash: &[u8]) -> String {
    format!("{BINDING_PREFIX}{}", b64u(hash))
}

/// An attribute: its type and its values in the given order.
#[must_use]
pub fn attribute(oid: &str, values: &[&[u8]]) -> Vec<u8> {
    der::sequence(&[&der::oid(oid), &der::set(values)])
}

/// A name of one attribute for each (OID, text), each in a SET of its own, texts as UTF8String.
#[must_use]
pub fn name(attributes: &[(&str, &str)]) -> Vec<u8> {
    let names: Vec<_> =
        attributes.iter().map(|(oid, text)| der::set(&[&name_attribute(oid, text)])).collect();
    der::tlv(der::SEQUENCE, names.concat())
}

/// One attribute of a name.
#[must_use]
pub fn name_attribute(oid: &str, text: &str) -> Vec<u8> {
    der::sequence(&[&der::oid(oid), &der::tlv(der::UTF8, text)])
}

/// An ECDSA signature value from two numbers, big-endian.
#[must_use]
pub fn ecdsa_value(r: &[u8], s: &[u8]) -> Vec<u8> {
    der::sequence(&[&der::unsigned(r), &der::unsigned(s)])
}

impl Csr {
    /// With these attributes, in the given order.
    pub fn attributes(mut self, attributes: &[&[u8]]) -> Self {
        self.attributes = der::tlv(0xa0, attributes.concat());
        self
    }

    /// With this attribute alone.
    pub fn attribute(self, oid: &str, values: &[&[u8]]) -> Self {
        self.attributes(&[&attribute(oid, values)])
    }

    /// With this signature value (the content of the BIT STRING).
    pub fn signed_as(mut self, value: &[u8]) -> Self {
        self.signature = Some(der::bit_string(0, value));
        self
    }

    /// With a signature over `digest`, a hash of the caller's choice over [`Csr::info`].
    pub fn signed_digest(self, digest: &[u8]) -> Self {
        let signature: Result<Signature, _> = SigningKey::from(&self.signer).sign_prehash(digest);
        let value =
            signature.map_or_else(|_| Vec::new(), |made| made.normalize_s().to_der().as_bytes().to_vec());
        self.signed_as(&value)
    }

    /// CertificationRequestInfo: what is signed.
    #[must_use]
    pub fn info(&self) -> Vec<u8> {
        let parts = [&self.version, &self.subject, &self.spki, &self.attributes].map(Vec::as_slice);
        der::tlv_with(der::SEQUENCE, self.info_length, parts.concat())
    }

    /// The whole request.
    #[must_use]
    pub fn der(&self) -> Vec<u8> {
        let info = self.info();
        let signature =
            self.signature.clone().unwrap_or_else(|| der::bit_string(0, sign_der(&self.signer, &info)));
        der::tlv_with(der::SEQUENCE, self.outer_length, [info, self.algorithm.clone(), signature].concat())
    }
}

#[cfg(test)]
mod tests {
    use ::der::{Decode as _, Encode as _};
    use serde_json::json;
    use x509_cert::request::CertReq;

    use super::*;
    use crate::testkit::keys::{hash, key};
    use crate::testkit::request::{claims, request};

    #[test]
    fn the_request_of_the_specs_example_comes_out() {
        let scalar = hash("example node key");
        let node = SecretKey::from_slice(&scalar).unwrap();
        let claims = claims(json!({
            "productUuid": "4C4C4544-0051-3410-8051-B5C04F375931",
            "productSerial": "5Q4Q7Y1",
            "hostname": "b7-u12",
            "permanentMacs": ["3C:EC:EF:12:34:56"],
        }));
        let request = request("join-token", "node", "jt_01kdvdna00e008000000000001", &claims);
        let csr = with_binding(&node, &request).unwrap().der();
        assert_eq!(csr.len(), 269);
        // From the page on CSR.
        let golden = "f65548be1149df1f200e161cfc49ab617299fcf773d71832bb716cc1e57a36e7";
        assert_eq!(hex::encode(hash(&csr)), golden);
    }

    #[test]
    fn an_honest_request_parses_with_x509_cert_and_comes_back_octet_for_octet() {
        let key = key("csr");
        let subject = name(&[("2.5.4.3", "node"), ("2.5.4.11", "bc-role:site")]);
        let named = Csr { subject, ..honest(&key) };
        for csr in [honest(&key), named] {
            let der = csr.der();
            let parsed = CertReq::from_der(&der).unwrap();
            assert_eq!(parsed.to_der().unwrap(), der);
            assert_eq!(parsed.info.public_key.to_der().unwrap(), spki(&key));
        }
    }

    #[test]
    fn the_signature_is_over_the_info_by_the_signer() {
        use p256::ecdsa::VerifyingKey;
        use p256::ecdsa::signature::Verifier as _;
        let (key, other) = (key("csr"), key("csr other"));
        let csr = honest(&key);
        let parsed = CertReq::from_der(&csr.der()).unwrap();
        let signature = Signature::from_der(parsed.signature.raw_bytes()).unwrap();
        assert!(VerifyingKey::from(key.public_key()).verify(&csr.info(), &signature).is_ok());
        assert!(VerifyingKey::from(other.public_key()).verify(&csr.info(), &signature).is_err());
    }

    #[test]
    fn a_signature_over_a_digest_of_choice_is_the_same_for_sha256() {
        let csr = honest(&key("csr"));
        let digest = hash(csr.info());
        assert_eq!(csr.clone().signed_digest(&digest).der(), csr.der());
    }
}
