//! Keys, a signer and certificates.

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use reference_core::hash::sha256;
use reference_core::json;
use reference_core::p256::PrivateKey;
use reference_core::standard_base64;

/// The key whose scalar is the SHA-256 of a text.
pub(crate) fn key(text: &str) -> PrivateKey {
    PrivateKey::from_scalar(&sha256(text.as_bytes())).unwrap()
}

/// Signs once as a key, r ‖ s.
pub(crate) fn sign(key: &PrivateKey, message: &[u8]) -> [u8; 64] {
    signer(key)(message)
}

/// A signer whose key is prepared, as one that serves many calls is.
pub(crate) fn signer(key: &PrivateKey) -> impl Fn(&[u8]) -> [u8; 64] + use<> {
    let (algorithm, point) = (&ECDSA_P256_SHA256_FIXED_SIGNING, key.public().point());
    let pair = EcdsaKeyPair::from_private_key_and_public_key(algorithm, key.scalar(), point).unwrap();
    #[expect(clippy::disallowed_methods, reason = "signatures are made outside of the core")]
    let random = SystemRandom::new();
    move |message| {
        #[expect(clippy::disallowed_methods, reason = "signatures are made outside of the core")]
        let signature = pair.sign(&random, message).unwrap();
        signature.as_ref().try_into().unwrap()
    }
}

/// A certificate of tests/fixtures/make_certificates.py.
pub(crate) fn certificate(name: &str) -> Vec<u8> {
    let all = json::read(include_bytes!("../../tests/fixtures/certificates.json")).unwrap();
    standard_base64::decode(all.get(name).unwrap().as_str().unwrap().as_bytes()).unwrap()
}
