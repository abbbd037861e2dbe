//! Protocol signatures (SIGNATURE-1, SIGNATURE-2): the bytes that are signed, by purpose; signing low and
//! high; verifying.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::ecdsa::signature::{Signer as _, Verifier as _};
use p256::ecdsa::{Signature, SigningKey, VerifyingKey};
use p256::elliptic_curve::PrimeField as _;
use p256::elliptic_curve::ops::Reduce;
use p256::elliptic_curve::sec1::ToSec1Point as _;
use p256::pkcs8::{DecodePublicKey as _, EncodePublicKey as _};
use p256::{FieldBytes, PublicKey, Scalar, SecretKey};
use serde_json::Value;

use super::keys::hash;

/// Every purpose with the names of its fields, in the order in which they are signed.
pub const PURPOSES: [(&str, &[&str]); 6] = [
    ("join-response", &["body"]),
    ("join-deferral", &["body"]),
    ("renew-response", &["body"]),
    ("renew-pop", &["csrSha256", "nodeId", "clientTimeMs"]),
    ("x509pop", &["csrSha256", "nodeId", "clientTimeMs"]),
    ("discovery-vouch", &["csrSha256", "mac", "ip", "workflowId", "bootLeaseEpoch"]),
];

/// The message for a purpose and its fields as the ops carry them: bytes as base64url, ids as text,
/// integers as numbers.
///
/// # Errors
/// A sentence: the purpose is none of the protocol's, or a field is missing or of the wrong type.
pub fn message(purpose: &str, fields: &Value) -> Result<Vec<u8>, String> {
    let (_, names) = PURPOSES
        .iter()
        .find(|(name, _)| *name == purpose)
        .ok_or_else(|| format!("{purpose}: no such purpose"))?;
    let values = names.iter().map(|name| field(name, &fields[*name])).collect::<Result<Vec<_>, _>>()?;
    Ok(framed(purpose, &values))
}

/// The message for any purpose and raw field values: `better-compute.v1`, NUL, the purpose, NUL, then each
/// field
/// after its length as u32 big-endian.
#[must_use]
pub fn framed(purpose: &str, fields: &[Vec<u8>]) -> Vec<u8> {
    let mut message = format!("better-compute.v1\0{purpose}\0").into_bytes();
    for field in fields {
        message.extend((field.len() as u32).to_be_bytes());
        message.extend(field);
    }
    message
}

/// A signature over `message`, r ‖ s, deterministic (RFC 6979), s in the lower half.
#[must_use]
pub fn sign(key: &SecretKey, message: &[u8]) -> [u8; 64] {
    octets(&raw(key, message).normalize_s())
}

/// The other signature over the same message: s in the upper half.
#[must_use]
pub fn sign_high(key: &SecretKey, message: &[u8]) -> [u8; 64] {
    let low = raw(key, message).normalize_s();
    let s = -*low.s();
    Signature::from_scalars(low.r(), s).map_or_else(|_| octets(&low), |high| octets(&high))
}

/// The same signature as a DER SEQUENCE of two INTEGERs, as certificates and requests carry it (RFC 3279
/// 2.2.3).
#[must_use]
pub fn sign_der(key: &SecretKey, message: &[u8]) -> Vec<u8> {
    raw(key, message).normalize_s().to_der().as_bytes().to_vec()
}

/// A key under which the signature over `message` with nonce `k` has this very `s`: d = (s·k − H(message))
/// / r. With it the
/// signature. For edges of the range of s; `None` where a number is no scalar or the key would be zero.
#[must_use]
pub fn with_s(message: &[u8], k: &SecretKey, s: &[u8; 32]) -> Option<(SecretKey, [u8; 64])> {
    let x = *k.public_key().to_sec1_point(false).x()?;
    let z = <Scalar as Reduce<FieldBytes>>::reduce(&FieldBytes::from(hash(message)));
    let (k, r) = (k.to_nonzero_scalar(), <Scalar as Reduce<FieldBytes>>::reduce(&x));
    let wanted = Option::<Scalar>::from(Scalar::from_repr(FieldBytes::from(*s)))?;
    let d = (wanted * *k - z) * Option::<Scalar>::from(r.invert())?;
    let key = SecretKey::from_slice(&d.to_repr()).ok()?;
    Some((key, [r.to_repr(), wanted.to_repr()].concat().try_into().ok()?))
}

/// Whether `sig` is 64 octets, low-S and a signature over `message` by the P-256 key of this SPKI, spelled
/// as [`spki`] does.
#[must_use]
pub fn verify(spki: &[u8], message: &[u8], sig: &[u8]) -> bool {
    let (Ok(key), Ok(sig)) = (PublicKey::from_public_key_der(spki), Signature::from_slice(sig)) else {
        return false;
    };
    // The parser also reads compressed points; the protocol does not.
    key.to_public_key_der().is_ok_and(|der| der.as_bytes() == spki)
        && sig.normalize_s() == sig
        && VerifyingKey::from(key).verify(message, &sig).is_ok()
}

/// The public half of a key as SubjectPublicKeyInfo (RFC 5480), DER.
#[must_use]
pub fn spki(key: &SecretKey) -> Vec<u8> {
    key.public_key().to_public_key_der().map(|der| der.as_bytes().to_vec()).unwrap_or_default()
}

fn raw(key: &SecretKey, message: &[u8]) -> Signature {
    SigningKey::from(key).sign(message)
}

fn octets(signature: &Signature) -> [u8; 64] {
    signature.to_bytes().into()
}

fn field(name: &str, value: &Value) -> Result<Vec<u8>, String> {
    let missing = || format!("{name}: missing or of the wrong type");
    match name {
        "clientTimeMs" | "bootLeaseEpoch" => {
            value.as_i64().map(|number| number.to_be_bytes().to_vec()).ok_or_else(missing)
        }
        "nodeId" | "workflowId" => value.as_str().map(|text| text.as_bytes().to_vec()).ok_or_else(missing),
        _ => value.as_str().and_then(|text| URL_SAFE_NO_PAD.decode(text).ok()).ok_or_else(missing),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::testkit::keys::key;

    #[test]
    fn a_message_is_prefix_purpose_and_fields_after_their_lengths() {
        let fields = json!({"body": "AQI"});
        let expected = b"better-compute.v1\0join-response\0\x00\x00\x00\x02\x01\x02";
        assert_eq!(message("join-response", &fields).unwrap(), expected);
        assert!(message("join", &fields).is_err());
        assert!(message("renew-pop", &fields).is_err());
    }

    #[test]
    fn signing_is_the_deterministic_one_of_rfc_6979() {
        // RFC 6979 A.2.5, P-256 with SHA-256, message "sample": s stands in the upper half there.
        let x = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721";
        let key = SecretKey::from_slice(&hex::decode(x).unwrap()).unwrap();
        let r = "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716";
        let s = "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8";
        assert_eq!(hex::encode(sign_high(&key, b"sample")), format!("{r}{s}"));
        assert!(verify(&spki(&key), b"sample", &sign(&key, b"sample")));
        assert!(!verify(&spki(&key), b"sample", &sign_high(&key, b"sample")));
    }

    #[test]
    fn a_key_can_be_made_for_any_s() {
        let mut one = [0; 32];
        one[31] = 1;
        let (made, sig) = with_s(b"message", &key("nonce"), &one).unwrap();
        assert_eq!(sig[32..], one);
        assert!(verify(&spki(&made), b"message", &sig));
    }

    #[test]
    fn a_signature_is_bound_to_key_and_message() {
        let (ours, other) = (key("signature"), key("signature other"));
        let sig = sign(&ours, b"message");
        assert!(verify(&spki(&ours), b"message", &sig));
        assert!(!verify(&spki(&other), b"message", &sig));
        assert!(!verify(&spki(&ours), b"messagf", &sig));
        assert!(!verify(&spki(&ours), b"message", &sig[..63]));
    }
}
