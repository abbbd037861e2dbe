//! The algorithms of a JWE (RFC 7518), those of the protocol and those that it must refuse.

use aes_gcm::aead::{Aead as _, Payload};
use aes_gcm::aes::cipher::{Array, BlockCipherEncrypt as _};
use aes_gcm::aes::{Aes192, Aes256};
use aes_gcm::{Aes128Gcm, Aes256Gcm, AesGcm, KeyInit as _};
use aes_kw::{KwAes128, KwAes192, KwAes256, KwpAes256};
use p256::ecdh::diffie_hellman;
use p256::elliptic_curve::consts;
use p256::{PublicKey, SecretKey};
use sha2::{Digest as _, Sha256, Sha512};

type Aes192Gcm = AesGcm<Aes192, consts::U12>;
/// AES-256-GCM with an IV of 16 octets (SP 800-38D allows any length).
type Aes256GcmLongIv = AesGcm<Aes256, consts::U16>;

/// How the content is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// AES-GCM (RFC 7518 5.3); the key's length chooses among 128, 192 and 256.
    Gcm,
    /// A256CBC-HS512 (RFC 7518 5.2.5); a key of 64 octets.
    CbcHs512,
}

/// The x coordinate of the point that both sides reach (SEC 1 3.3.1), 32 octets.
#[must_use]
pub fn agree(private: &SecretKey, public: &PublicKey) -> Vec<u8> {
    diffie_hellman(private.to_nonzero_scalar(), public.as_affine()).raw_secret_bytes().to_vec()
}

/// Concat KDF with SHA-256 (RFC 7518 4.6.2): as many rounds as `octets` need.
#[must_use]
pub fn concat_kdf(z: &[u8], label: &str, apu: &[u8], apv: &[u8], octets: usize) -> Vec<u8> {
    let mut info = Vec::new();
    for field in [label.as_bytes(), apu, apv] {
        info.extend((field.len() as u32).to_be_bytes());
        info.extend(field);
    }
    info.extend((octets as u32 * 8).to_be_bytes());
    let mut out = Vec::new();
    for round in 1..=octets.div_ceil(32) as u32 {
        out.extend(Sha256::digest([&round.to_be_bytes(), z, &info].concat()));
    }
    out.truncate(octets);
    out
}

/// AES key wrap (RFC 3394); nothing when a length does not fit.
#[must_use]
pub fn wrap(kek: &[u8], key: &[u8]) -> Vec<u8> {
    let mut out = vec![0; key.len() + 8];
    let wrapped = match kek.len() {
        16 => KwAes128::new_from_slice(kek).map(|kw| kw.wrap_key(key, &mut out).is_ok()),
        24 => KwAes192::new_from_slice(kek).map(|kw| kw.wrap_key(key, &mut out).is_ok()),
        _ => KwAes256::new_from_slice(kek).map(|kw| kw.wrap_key(key, &mut out).is_ok()),
    };
    if wrapped == Ok(true) { out } else { Vec::new() }
}

/// AES-256 key wrap with padding (RFC 5649), which has another initial value.
#[must_use]
pub fn wrap_padded(kek: &[u8], key: &[u8]) -> Vec<u8> {
    let mut out = vec![0; key.len() + 16];
    let wrapped = KwpAes256::new_from_slice(kek).ok().and_then(|kwp| kwp.wrap_key(key, &mut out).ok());
    wrapped.map(<[u8]>::to_vec).unwrap_or_default()
}

/// AES-256 key unwrap (RFC 3394).
#[must_use]
pub fn unwrap(kek: &[u8], wrapped: &[u8]) -> Option<Vec<u8>> {
    let mut out = vec![0; wrapped.len().checked_sub(8)?];
    KwAes256::new_from_slice(kek).ok()?.unwrap_key(wrapped, &mut out).ok()?;
    Some(out)
}

/// Ciphertext and tag; nothing when a length does not fit.
#[must_use]
pub fn encrypt(content: Content, cek: &[u8], iv: &[u8], aad: &[u8], plaintext: &[u8]) -> (Vec<u8>, Vec<u8>) {
    match content {
        Content::Gcm => gcm(cek, iv, aad, plaintext).unwrap_or_default(),
        Content::CbcHs512 => cbc_hs512(cek, iv, aad, plaintext).unwrap_or_default(),
    }
}

/// The plaintext of AES-256-GCM.
#[must_use]
pub fn decrypt(cek: &[u8], iv: &[u8], aad: &[u8], ciphertext: &[u8], tag: &[u8]) -> Option<Vec<u8>> {
    let iv: [u8; 12] = iv.try_into().ok()?;
    let msg = [ciphertext, tag].concat();
    Aes256Gcm::new_from_slice(cek).ok()?.decrypt(&iv.into(), Payload { msg: &msg, aad }).ok()
}

fn gcm(cek: &[u8], iv: &[u8], aad: &[u8], msg: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let payload = Payload { msg, aad };
    let both = if let Ok(iv) = <[u8; 16]>::try_from(iv) {
        Aes256GcmLongIv::new_from_slice(cek).ok()?.encrypt(&iv.into(), payload)
    } else {
        let nonce = <[u8; 12]>::try_from(iv).ok()?.into();
        match cek.len() {
            16 => Aes128Gcm::new_from_slice(cek).ok()?.encrypt(&nonce, payload),
            24 => Aes192Gcm::new_from_slice(cek).ok()?.encrypt(&nonce, payload),
            _ => Aes256Gcm::new_from_slice(cek).ok()?.encrypt(&nonce, payload),
        }
    };
    let both = both.ok()?;
    let (ciphertext, tag) = both.split_at(both.len().checked_sub(16)?);
    Some((ciphertext.to_vec(), tag.to_vec()))
}

/// RFC 7518 5.2.2.1 with the lengths of 5.2.5: MAC key, then encryption key; PKCS #7; half of HMAC-SHA-512.
fn cbc_hs512(cek: &[u8], iv: &[u8], aad: &[u8], plaintext: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let (mac_key, key) = cek.split_at_checked(32)?;
    let cipher = Aes256::new_from_slice(key).ok()?;
    let pad = 16 - plaintext.len() % 16;
    let padded = [plaintext, &vec![pad as u8; pad]].concat();
    let mut previous: [u8; 16] = iv.try_into().ok()?;
    let mut ciphertext = Vec::new();
    for block in padded.chunks(16) {
        let mixed: [u8; 16] =
            std::array::from_fn(|at| previous[at] ^ block.get(at).copied().unwrap_or_default());
        let mut block = Array::from(mixed);
        cipher.encrypt_block(&mut block);
        previous = block.into();
        ciphertext.extend(previous);
    }
    let bits = (aad.len() as u64 * 8).to_be_bytes();
    let mut tag = hmac_sha512(mac_key, &[aad, iv, &ciphertext, &bits].concat());
    tag.truncate(32);
    Some((ciphertext, tag))
}

/// HMAC (RFC 2104) with a key shorter than a block.
fn hmac_sha512(key: &[u8], message: &[u8]) -> Vec<u8> {
    let mixed = |with: u8| -> Vec<u8> {
        (0..128).map(|at| key.get(at).copied().unwrap_or_default() ^ with).collect()
    };
    let inner = Sha512::digest([&mixed(0x36), message].concat());
    Sha512::digest([&mixed(0x5c), inner.as_slice()].concat()).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(text: &str) -> Vec<u8> {
        hex::decode(text).unwrap()
    }

    #[test]
    fn the_kdf_gives_the_example_of_rfc_7518_appendix_c() {
        let z: [u8; 32] = [
            158, 86, 217, 29, 129, 113, 53, 211, 114, 131, 66, 131, 191, 132, 38, 156, 251, 49, 110, 163,
            218, 128, 106, 72, 246, 218, 167, 121, 140, 254, 144, 196,
        ];
        let key = [86, 170, 141, 234, 248, 35, 109, 32, 92, 34, 40, 205, 113, 167, 16, 26];
        assert_eq!(concat_kdf(&z, "A128GCM", b"Alice", b"Bob", 16), key);
    }

    #[test]
    fn wrapping_gives_the_example_of_rfc_3394_section_4_6() {
        let kek = hex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
        let key = hex("00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f");
        let wrapped = "28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21";
        assert_eq!(hex::encode(wrap(&kek, &key)), wrapped);
        assert_eq!(unwrap(&kek, &hex(wrapped)).unwrap(), key);
        assert_eq!(unwrap(&kek, &hex(wrapped)[..39]), None);
    }

    #[test]
    fn cbc_hs512_gives_the_example_of_rfc_7518_appendix_b_3() {
        let key: Vec<u8> = (0..64).collect();
        let plaintext =
            b"A cipher system must not be required to be secret, and it must be able to fall into \
            the hands of the enemy without inconvenience";
        let iv = hex("1af38c2dc2b96ffdd86694092341bc04");
        let aad = b"The second principle of Auguste Kerckhoffs";
        let (ciphertext, tag) = encrypt(Content::CbcHs512, &key, &iv, aad, plaintext);
        assert_eq!(hex::encode(&ciphertext[..16]), "4affaaadb78c31c5da4b1b590d10ffbd");
        assert_eq!(hex::encode(tag), "4dd3b4c088a7f45c216839645b2012bf2e6269a8c56a816dbc1b267761955bc5");
    }
}
