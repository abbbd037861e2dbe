//! Certificates and keys for tests, made by an X.509 writer that is not the core (tests/fixtures/make_certificates.py).

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};

use crate::hash::sha256;
use crate::json;
use crate::p256::PrivateKey;
use crate::standard_base64;

/// The DER of a certificate by its name in the file.
pub(crate) fn certificate(name: &str) -> Vec<u8> {
    let all = json::read(include_bytes!("../../tests/fixtures/certificates.json")).unwrap();
    let text =
        all.get(name).and_then(|value| value.as_str()).unwrap_or_else(|| panic!("no certificate {name}"));
    standard_base64::decode(text.as_bytes()).unwrap()
}

/// The key whose scalar is the SHA-256 of a text.
pub(crate) fn key(text: &str) -> PrivateKey {
    PrivateKey::from_scalar(&sha256(text.as_bytes())).unwrap()
}

/// Signs as a key, r ‖ s; s may be high.
pub(crate) fn sign(key: &PrivateKey, message: &[u8]) -> [u8; 64] {
    let (algorithm, point) = (&ECDSA_P256_SHA256_FIXED_SIGNING, key.public().point());
    let pair = EcdsaKeyPair::from_private_key_and_public_key(algorithm, key.scalar(), point).unwrap();
    #[expect(clippy::disallowed_methods, reason = "a test signs as the service outside the core would")]
    let signature = pair.sign(&SystemRandom::new(), message).unwrap();
    signature.as_ref().try_into().unwrap()
}
