//! Randomness and signing: the two things that the core leaves to its caller.

use aws_lc_rs::rand::{SecureRandom as _, SystemRandom};
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use reference_core::p256::PrivateKey;

use crate::message::Failure;

/// `N` octets of the system's randomness.
pub(crate) fn random<const N: usize>() -> Result<[u8; N], Failure> {
    let mut octets = [0; N];
    SystemRandom::new().fill(&mut octets).map_err(|_| Failure::error("no randomness"))?;
    Ok(octets)
}

/// A key made for one use.
pub(crate) fn fresh_key() -> Result<PrivateKey, Failure> {
    loop {
        // One scalar in 2^32 is none of 1..=n−1.
        if let Some(key) = PrivateKey::from_scalar(&random::<32>()?) {
            return Ok(key);
        }
    }
}

/// Signs the SHA-256 of `octets`: r ‖ s, of which s may be high.
pub(crate) fn sign(key: &PrivateKey, octets: &[u8]) -> Result<[u8; 64], Failure> {
    let (algorithm, point) = (&ECDSA_P256_SHA256_FIXED_SIGNING, key.public().point());
    let pair = EcdsaKeyPair::from_private_key_and_public_key(algorithm, key.scalar(), point)
        .map_err(Failure::error)?;
    let signature = pair.sign(&SystemRandom::new(), octets).map_err(Failure::error)?;
    signature.as_ref().try_into().map_err(Failure::error)
}
