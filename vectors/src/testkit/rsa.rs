//! RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017) by one published test key of 2048 bits: what a node CA must
//! not sign with.

use p256::elliptic_curve::bigint::modular::{FixedMontyForm, FixedMontyParams};
use p256::elliptic_curve::bigint::{Odd, U2048};

use super::der::{NULL, bit_string, oid, sequence, tlv, unsigned};
use super::keys::hash;

/// rsaEncryption.
const RSA_ENCRYPTION: &str = "1.2.840.113549.1.1.1";
/// sha256WithRSAEncryption.
const SHA256_WITH_RSA: &str = "1.2.840.113549.1.1.11";

const MODULUS: &str = "b2b438836b796ad5854aba2820e1e8396c90748daee28eb7c087c27622ee3f5c\
    9d301672a239e601cd2848b78a847dfb83e1bafa5dd0b49bd7a8f2fed3cb83cd\
    43817f12c895437f79d8ee2e7fcfed5c4f1bd238e79905b567e9a3d46a013902\
    3163939d8cb13a241f3a68513cb6e9131797ef6853a16dcb5b6df3062940a032\
    6b0bb21b83018d35f8a30ddd69895e0bdfc4c75462df3e87c3228c0e5f6ccf8a\
    5fc730deda3c609d207e96eef3e80bbe8fecf4ce9b50a94b5f70d0f09cfdfab3\
    555cdfe399606a9663e675e475c6277c0fd76413535356d142f7a12b8921353d\
    db7227298f44b424fc34ab2fc9d354c98f106bc084545925de5f099d3870fc5b";

const PRIVATE_EXPONENT: &str = "163eb4e23718b021d02bd32c779b676aee86b4db862f91907218f42dfc7f27c8\
    019120da383378dc348b9531b3be76683eac74b801c19f19df289ac6f9da5597\
    d195671a1179f3230529e9cc4400c00d4393b5017c62e20108e45e8e6c7ba67b\
    0d66d5d340d636e494369311b9bb131c5b4d8071be275421824a177c66da3296\
    9e8d3f9068dc7a8b5263f41bed60b271b5aab0562e6dba89e5002ed12f874c5b\
    d42dc8c1836cf642324e6ffee35c82ede4614c2661aa9cd51e3d90e6c147bd8c\
    942e7c6cf62835efea9af27f939bd68bc666b11e24da503c19c3d9fe670eb0cf\
    7f0c03d3ea96aecd95bdc048f492b193d09b963c8757095d6348ec4bfb7f1801";

/// The key's SubjectPublicKeyInfo, DER; the public exponent is 65537.
#[must_use]
pub fn spki() -> Vec<u8> {
    let modulus = hex::decode(MODULUS).unwrap_or_default();
    let key = sequence(&[&unsigned(&modulus), &unsigned(&[1, 0, 1])]);
    sequence(&[&sequence(&[&oid(RSA_ENCRYPTION), &tlv(NULL, [])]), &bit_string(0, key)])
}

/// DER of the AlgorithmIdentifier sha256WithRSAEncryption, NULL parameters and all.
#[must_use]
pub fn algorithm() -> Vec<u8> {
    sequence(&[&oid(SHA256_WITH_RSA), &tlv(NULL, [])])
}

/// The signature over `message`, 256 octets.
#[must_use]
pub fn sign(message: &[u8]) -> Vec<u8> {
    let digest_info = hex::decode("3031300d060960864801650304020105000420").unwrap_or_default();
    let tail = [&[0], digest_info.as_slice(), &hash(message)].concat();
    let padding = vec![0xff; 256 - 2 - tail.len()];
    let encoded = [&[0, 1], padding.as_slice(), &tail].concat();
    let number = U2048::from_be_slice(&encoded);
    let Some(modulus) = Odd::new(U2048::from_be_hex(MODULUS)).into_option() else { return Vec::new() };
    let params = FixedMontyParams::new(modulus);
    let power = FixedMontyForm::new(&number, &params).pow(&U2048::from_be_hex(PRIVATE_EXPONENT));
    power.retrieve().to_be_bytes().as_ref().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_the_one_that_openssl_makes() {
        let expected = "28bf7c8539acb349de50755243fc1e91d808fa5c67df981b9de3ba1754f9f05d";
        assert_eq!(hex::encode(hash(sign(b"sample"))), expected);
    }

    #[test]
    fn the_key_is_the_one_that_openssl_writes() {
        assert_eq!(
            hex::encode(hash(spki())),
            "7e2977187f2231e123ecbeda9bb4c672d60d0340f70e78053b9525cd50e687d8"
        );
    }
}
