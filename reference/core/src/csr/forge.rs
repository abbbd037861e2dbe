//! Requests that no client would make, for tests: every part can be replaced, and the signature is right over
//! the result.

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};

use super::{ECDSA_WITH_SHA256, VERSION_0, assemble};
use crate::der::{BIT_STRING, CONTEXT_0, OID, SEQUENCE, SET, write};
use crate::hash::sha256;
use crate::p256::{self, PrivateKey};

/// The parts of a request, each the whole element.
#[derive(Clone)]
pub(crate) struct Parts {
    pub(crate) version: Vec<u8>,
    pub(crate) subject: Vec<u8>,
    pub(crate) spki: Vec<u8>,
    pub(crate) attributes: Vec<u8>,
    pub(crate) algorithm: Vec<u8>,
}

impl Parts {
    /// A good request of the key of `example node key`.
    pub(crate) fn good() -> Self {
        Self {
            version: VERSION_0.to_vec(),
            subject: write(SEQUENCE, &[]),
            spki: key().public().spki(),
            attributes: write(CONTEXT_0, &[]),
            algorithm: ECDSA_WITH_SHA256.to_vec(),
        }
    }

    /// A good request with these attributes.
    pub(crate) fn with_attributes(attributes: &[Vec<u8>]) -> Self {
        Self { attributes: write(CONTEXT_0, &attributes.concat()), ..Self::good() }
    }

    pub(crate) fn to_be_signed(&self) -> Vec<u8> {
        write(SEQUENCE, &[&self.version[..], &self.subject, &self.spki, &self.attributes].concat())
    }

    /// The request, signed by the key of `example node key`.
    pub(crate) fn signed(&self) -> Vec<u8> {
        let info = self.to_be_signed();
        let bits = [&[0][..], &p256::signature_to_der(&sign(&info))].concat();
        self.with_signature_bits(&bits)
    }

    /// The request with these content octets in its signature's BIT STRING.
    pub(crate) fn with_signature_bits(&self, bits: &[u8]) -> Vec<u8> {
        write(SEQUENCE, &[self.to_be_signed(), self.algorithm.clone(), write(BIT_STRING, bits)].concat())
    }
}

/// An attribute of an OID's content octets and whole values.
pub(crate) fn attribute(oid: &[u8], values: &[Vec<u8>]) -> Vec<u8> {
    write(SEQUENCE, &[write(OID, oid), write(SET, &values.concat())].concat())
}

/// The key of the pages' examples.
pub(crate) fn key() -> PrivateKey {
    PrivateKey::from_scalar(&sha256(b"example node key")).unwrap_or_else(|| panic!("a scalar"))
}

/// A request of [`key`] with or without the binding attribute.
pub(crate) fn request(request_sha256: Option<&[u8; 32]>) -> Vec<u8> {
    let info = super::to_be_signed(key().public(), request_sha256);
    assemble(&info, &sign(&info))
}

/// Signs as [`key`], r ‖ s.
pub(crate) fn sign(message: &[u8]) -> [u8; 64] {
    let key = key();
    let (scalar, point) = (key.scalar(), key.public().point());
    let pair = EcdsaKeyPair::from_private_key_and_public_key(&ECDSA_P256_SHA256_FIXED_SIGNING, scalar, point)
        .unwrap();
    #[expect(clippy::disallowed_methods, reason = "a test signs as the machine outside the core would")]
    let signature = pair.sign(&SystemRandom::new(), message).unwrap();
    signature.as_ref().try_into().unwrap()
}

/// Octets from hexadecimal digits; white space is skipped.
pub(crate) fn hex(text: &str) -> Vec<u8> {
    let digits: String = text.split_whitespace().collect();
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
}
