//! P-384 keys: good keys on a curve that the protocol refuses.

use ::p384::SecretKey;
use ::p384::ecdsa::signature::hazmat::PrehashSigner as _;
use ::p384::ecdsa::{Signature, SigningKey};
use ::p384::pkcs8::EncodePublicKey as _;

use super::keys::hash;

/// The test key of that name.
///
/// # Panics
/// Never for the names in use: a hash of a name that is no scalar would have to be found first.
#[must_use]
#[expect(clippy::expect_used, reason = "a published test key that cannot be made is a broken testkit")]
pub fn key(name: &str) -> SecretKey {
    // 16 zero octets and 32 of a hash: less than the order, and never zero.
    let scalar = [[0; 16].as_slice(), &hash(format!("published test key, P-384: {name}"))].concat();
    SecretKey::from_slice(&scalar).expect("a scalar")
}

/// The public half as SubjectPublicKeyInfo, DER.
#[must_use]
pub fn spki(key: &SecretKey) -> Vec<u8> {
    key.public_key().to_public_key_der().map(|der| der.as_bytes().to_vec()).unwrap_or_default()
}

/// ecdsa-with-SHA256 by this key, DER of r and s, deterministic.
#[must_use]
pub fn sign_der(key: &SecretKey, message: &[u8]) -> Vec<u8> {
    let signed: Result<Signature, _> = SigningKey::from(key).sign_prehash(&hash(message));
    signed.map(|signature| signature.to_der().as_bytes().to_vec()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use ::p384::ecdsa::VerifyingKey;
    use ::p384::ecdsa::signature::hazmat::PrehashVerifier as _;

    use p256::pkcs8::DecodePublicKey as _;

    use super::*;

    #[test]
    fn the_key_signs_and_is_no_p256_key() {
        let key = key("curve");
        let signature = Signature::from_der(&sign_der(&key, b"message")).unwrap();
        assert!(VerifyingKey::from(key.public_key()).verify_prehash(&hash("message"), &signature).is_ok());
        assert_eq!(spki(&key).len(), 120);
        assert!(p256::PublicKey::from_public_key_der(&spki(&key)).is_err());
    }
}
