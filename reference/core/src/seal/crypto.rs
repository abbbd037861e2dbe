//! The key operations of a seal: ECDH-ES+A256KW and A256GCM, one algorithm each (SEAL-1).

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::key_wrap::{AES_256, AesKek, KeyWrap as _};
use zeroize::Zeroizing;

use super::header::{ALG, Parts};
use crate::hash::sha256;
use crate::p256::{PrivateKey, PublicKey};

/// Decrypts a seal with one key. `None` when the key is another one or anything was changed.
pub(super) fn open(parts: &Parts<'_>, key: &PrivateKey) -> Option<Zeroizing<Vec<u8>>> {
    let kek = key_encryption_key(key, &parts.header.epk)?;
    // SEAL-5: RFC 3394 section 2.2.2: 40 octets hold a 32-octet key; the integrity check value must come out.
    let mut content_key = Zeroizing::new([0; 32]);
    let unwrapped =
        AesKek::new(&AES_256, &*kek).ok()?.unwrap(&parts.encrypted_key, &mut *content_key).ok()?;
    if unwrapped.len() != 32 {
        return None;
    }
    // SEAL-1: RFC 7518 section 5.3 (AES-GCM): a 96-bit IV, a 128-bit tag, the additional data being the ASCII
    // octets of the protected header as received (RFC 7516 section 5.2 step 14).
    let mut sealed = Zeroizing::new([&parts.ciphertext[..], &parts.tag].concat());
    let nonce = Nonce::assume_unique_for_key(parts.iv);
    let opened =
        content_cipher(&content_key)?.open_in_place(nonce, Aad::from(parts.header_text), &mut sealed);
    opened.ok().map(|plaintext| Zeroizing::new(plaintext.to_vec()))
}

/// The encrypted key, the ciphertext and the tag of a new seal.
pub(super) struct Encrypted {
    pub(super) encrypted_key: [u8; 40],
    pub(super) ciphertext: Vec<u8>,
    pub(super) tag: [u8; 16],
}

/// Encrypts `plaintext` to `recipient` under a protected header.
pub(super) fn encrypt(
    ephemeral: &PrivateKey,
    recipient: &PublicKey,
    content_key: &[u8; 32],
    iv: [u8; 12],
    header_text: &str,
    plaintext: &[u8],
) -> Option<Encrypted> {
    let kek = key_encryption_key(ephemeral, recipient)?;
    // SEAL-1: RFC 7518 section 4.4, RFC 3394 section 2.2.1.
    let mut encrypted_key = [0; 40];
    AesKek::new(&AES_256, &*kek).ok()?.wrap(content_key, &mut encrypted_key).ok()?;
    let mut ciphertext = plaintext.to_vec();
    let nonce = Nonce::assume_unique_for_key(iv);
    let cipher = content_cipher(content_key)?;
    let tag =
        cipher.seal_in_place_separate_tag(nonce, Aad::from(header_text.as_bytes()), &mut ciphertext).ok()?;
    Some(Encrypted { encrypted_key, ciphertext, tag: tag.as_ref().try_into().ok()? })
}

/// KEK: ECDH, then one round of the Concat KDF to 256 bits (RFC 7518 section 4.6).
fn key_encryption_key(key: &PrivateKey, peer: &PublicKey) -> Option<Zeroizing<[u8; 32]>> {
    // SEAL-1: AlgorithmID is the `alg` value, since a key is wrapped (RFC 7518 section 4.6.2); both parties'
    // info is empty.
    Some(concat_kdf(&*key.agree(peer)?, ALG, b"", b"", 256))
}

/// One round of the Concat KDF with SHA-256 (NIST SP 800-56A section 5.8.1), for up to 256 bits:
/// `H(00000001 ‖ Z ‖ F(AlgorithmID) ‖ F(PartyUInfo) ‖ F(PartyVInfo) ‖ SuppPubInfo)`, SuppPubInfo being the
/// bits as u32.
fn concat_kdf(
    z: &[u8; 32],
    algorithm: &str,
    party_u: &[u8],
    party_v: &[u8],
    bits: u32,
) -> Zeroizing<[u8; 32]> {
    let mut input = Zeroizing::new([&1u32.to_be_bytes()[..], z].concat());
    for field in [algorithm.as_bytes(), party_u, party_v] {
        input.extend(u32::try_from(field.len()).unwrap_or(u32::MAX).to_be_bytes());
        input.extend_from_slice(field);
    }
    input.extend(bits.to_be_bytes());
    Zeroizing::new(sha256(&input))
}

fn content_cipher(content_key: &[u8; 32]) -> Option<LessSafeKey> {
    UnboundKey::new(&AES_256_GCM, content_key).ok().map(LessSafeKey::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn jwk(text: &str) -> PrivateKey {
        PrivateKey::from_jwk(&json::read(text.as_bytes()).unwrap()).unwrap_or_else(|| panic!("a key"))
    }

    /// RFC 7518 appendix C: ECDH-ES with direct A128GCM, so AlgorithmID is `A128GCM` and 128 bits are taken.
    #[test]
    fn the_example_of_rfc_7518_appendix_c() {
        let alice = jwk(r#"{"kty":"EC","crv":"P-256","x":"gI0GAILBdu7T53akrFmMyGcsF3n5dO7MmwNBHKW5SV0",
            "y":"SLW_xSffzlPWrHEVI30DHM_4egVwt3NQqeUD7nMFpps",
            "d":"0_NxaRPUMQoAJt50Gz8YiTr8gRTwyEaCumd-MToTmIo"}"#);
        let bob = jwk(r#"{"kty":"EC","crv":"P-256","x":"weNJy2HscCSM6AEDTDg04biOvhFhyyWvOHQfeF_PxMQ",
            "y":"e8lnCO-AlStT-NJVX-crhB7QRYhiix03illJOVAOyck",
            "d":"VEmDZpDXXK8p8N0Cndsxs924q6nS1RXFASRl6BfUqdw"}"#);
        let z = alice.agree(bob.public()).unwrap();
        assert_eq!(crate::base64url::encode(&*z), "nlbZHYFxNdNyg0KDv4QmnPsxbqPagGpI9tqneYz-kMQ");
        assert_eq!(z, bob.agree(alice.public()).unwrap());
        let derived = concat_kdf(&z, "A128GCM", b"Alice", b"Bob", 128);
        assert_eq!(crate::base64url::encode(&derived[..16]), "VqqN6vgjbSBcIijNcacQGg");
    }
}
