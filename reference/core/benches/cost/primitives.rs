//! The primitives by themselves, on inputs of the same sizes.

use std::hint::black_box;

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::agreement::{self, ECDH_P256, UnparsedPublicKey};
use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::key_wrap::{AES_256, AesKek, KeyWrap as _};
use aws_lc_rs::signature::{self, ECDSA_P256_SHA256_FIXED};

use crate::fixture::{key, sign, signer};

/// One ECDH, one unwrapping, one decryption of a token.
pub(crate) fn agree_unwrap_decrypt() -> Box<dyn Fn()> {
    let (ours, theirs) = (key("ours"), key("theirs"));
    let ours = agreement::PrivateKey::from_private_key(&ECDH_P256, ours.scalar()).unwrap();
    let peer = *theirs.public().point();
    let z =
        agreement::agree(&ours, UnparsedPublicKey::new(&ECDH_P256, peer), (), |z| Ok(z.to_vec())).unwrap();
    let mut wrapped = [0; 40];
    AesKek::new(&AES_256, &z).unwrap().wrap(&[7; 32], &mut wrapped).unwrap();
    let mut sealed = vec![1; 78];
    cipher(&[7; 32]).seal_in_place_append_tag(nonce(), Aad::from([2; 300]), &mut sealed).unwrap();
    Box::new(move || {
        let z = agreement::agree(&ours, UnparsedPublicKey::new(&ECDH_P256, peer), (), |z| Ok(z.to_vec()))
            .unwrap();
        let mut content_key = [0; 32];
        AesKek::new(&AES_256, &z).unwrap().unwrap(&wrapped, &mut content_key).unwrap();
        let mut opened = sealed.clone();
        black_box(cipher(&content_key).open_in_place(nonce(), Aad::from([2; 300]), &mut opened).unwrap());
    })
}

/// So many ECDSA verifications, each by a key read from its point.
pub(crate) fn verify(count: usize) -> Box<dyn Fn()> {
    let key = key("signer");
    let message = [3; 300];
    let signature = sign(&key, &message);
    let point = *key.public().point();
    Box::new(move || {
        for _ in 0..count {
            let key = signature::UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point);
            black_box(key.verify(&message, &signature)).unwrap();
        }
    })
}

/// So many ECDSA signatures over octets of a body's size.
pub(crate) fn signatures(count: usize) -> Box<dyn Fn()> {
    let signer = signer(&key("signer"));
    let message = [3; 1000];
    Box::new(move || {
        for _ in 0..count {
            black_box(signer(&message));
        }
    })
}

/// So many SHA-256, each of as many octets as a request has.
pub(crate) fn hashes(count: usize) -> Box<dyn Fn()> {
    Box::new(move || {
        for _ in 0..count {
            black_box(digest(&SHA256, black_box(&[4; 300])));
        }
    })
}

/// Several, one after the other.
pub(crate) fn all(parts: Vec<Box<dyn Fn()>>) -> Box<dyn Fn()> {
    Box::new(move || parts.iter().for_each(|part| part()))
}

/// One SHA-256 of what a hardware key hashes.
pub(crate) fn hash() -> Box<dyn Fn()> {
    Box::new(|| {
        black_box(digest(&SHA256, black_box(&[4; 160])));
    })
}

fn cipher(key: &[u8; 32]) -> LessSafeKey {
    LessSafeKey::new(UnboundKey::new(&AES_256_GCM, key).unwrap())
}

fn nonce() -> Nonce {
    Nonce::assume_unique_for_key([5; 12])
}
