//! Keys on P-256 (SEC 2 secp256r1): the point, its SPKI, and its JSON Web Key.
//!
//! A [`PublicKey`] exists only for an uncompressed point that was checked to lie on the curve, so no key
//! operation meets another one.

use std::fmt;

use aws_lc_rs::agreement::{self, ECDH_P256, ParsedPublicKey, UnparsedPublicKey};
use zeroize::Zeroizing;

use crate::base64url;
use crate::der;
use crate::json::Value;
use crate::pin::Pin;

/// A public key whose point was checked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PublicKey {
    point: [u8; 65],
}

impl PublicKey {
    /// Checks a point: 65 octets that begin 04, coordinates below the field's prime, on the curve (CSR-2,
    /// SEAL-5).
    #[must_use]
    pub fn from_point(octets: &[u8]) -> Option<Self> {
        let point: [u8; 65] = octets.try_into().ok()?;
        // CSR-2, SEAL-5: uncompressed only; the library checks range and curve (SEC 1 section 3.2.2.1).
        if !point.starts_with(&[UNCOMPRESSED]) {
            return None;
        }
        ParsedPublicKey::try_from(UnparsedPublicKey::new(&ECDH_P256, point)).ok().map(|_| Self { point })
    }

    /// Reads an SPKI: strict DER, id-ecPublicKey, namedCurve prime256v1, an uncompressed point (CSR-2,
    /// SIGNATURE-1).
    #[must_use]
    pub fn from_spki(octets: &[u8]) -> Option<Self> {
        // CSR-2: nothing but the one form, so its head is compared.
        Self::from_point(octets.strip_prefix(SPKI_HEAD)?)
    }

    /// The key of two coordinates, canonical b64u of 32 octets each.
    #[must_use]
    pub fn from_coordinates(x: &str, y: &str) -> Option<Self> {
        let x = base64url::decode_array::<32>(x.as_bytes())?;
        let y = base64url::decode_array::<32>(y.as_bytes())?;
        Self::from_point(&[&[UNCOMPRESSED][..], &x, &y].concat())
    }

    /// Reads a public JSON Web Key (RFC 7518 section 6.2). A private one is refused; unknown members are
    /// ignored.
    #[must_use]
    pub fn from_jwk(jwk: &Value) -> Option<Self> {
        if jwk.get("d").is_some() {
            return None;
        }
        public_members(jwk)
    }

    /// The point, `04 ‖ x ‖ y`.
    #[must_use]
    pub fn point(&self) -> &[u8; 65] {
        &self.point
    }

    /// The coordinates x and y, 32 octets each.
    #[must_use]
    pub fn coordinates(&self) -> (&[u8], &[u8]) {
        self.point[1..].split_at(32)
    }

    /// The SubjectPublicKeyInfo, 91 octets of DER.
    #[must_use]
    pub fn spki(&self) -> Vec<u8> {
        [SPKI_HEAD, &self.point].concat()
    }

    /// The key's pin.
    #[must_use]
    pub fn pin(&self) -> Pin {
        Pin::of_spki(&self.spki())
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "PublicKey({})", self.pin())
    }
}

/// A private key. It has no `Debug`, and its scalar is wiped when it goes.
pub struct PrivateKey {
    scalar: Zeroizing<[u8; 32]>,
    public: PublicKey,
    /// The scalar as the library has it: making it anew costs as much as half an ECDH.
    agreement: agreement::PrivateKey,
}

impl PrivateKey {
    /// The key of a scalar, 32 octets big-endian, 1..=n−1.
    #[must_use]
    pub fn from_scalar(octets: &[u8]) -> Option<Self> {
        let scalar = Zeroizing::new(<[u8; 32]>::try_from(octets).ok()?);
        if !is_scalar(&scalar) {
            return None;
        }
        let agreement = agreement::PrivateKey::from_private_key(&ECDH_P256, &*scalar).ok()?;
        let public = PublicKey::from_point(agreement.compute_public_key().ok()?.as_ref())?;
        Some(Self { scalar, public, agreement })
    }

    /// Reads a private JSON Web Key whose public members agree with its `d`.
    #[must_use]
    pub fn from_jwk(jwk: &Value) -> Option<Self> {
        let scalar = Zeroizing::new(base64url::decode_array::<32>(jwk.get("d")?.as_str()?.as_bytes())?);
        Self::from_scalar(&*scalar).filter(|key| public_members(jwk) == Some(key.public))
    }

    /// The public half.
    #[must_use]
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    /// The scalar, for a signer outside the core.
    #[must_use]
    pub fn scalar(&self) -> &[u8; 32] {
        &self.scalar
    }

    /// Z of SEC 1 section 3.3.1: the x coordinate of the shared point, 32 octets.
    pub(crate) fn agree(&self, peer: &PublicKey) -> Option<Zeroizing<[u8; 32]>> {
        let peer = UnparsedPublicKey::new(&ECDH_P256, peer.point);
        let z = |z: &[u8]| <[u8; 32]>::try_from(z).map(Zeroizing::new).map_err(drop);
        agreement::agree(&self.agreement, peer, (), z).ok()
    }
}

/// Whether 32 octets are an integer in 1..=n−1, n being the order of the group.
#[must_use]
pub fn is_scalar(octets: &[u8; 32]) -> bool {
    *octets != [0; 32] && *octets < ORDER
}

/// Reads the DER SEQUENCE of two INTEGERs of an ECDSA signature into r ‖ s. Both must be minimal and 1..=n−1
/// (CSR-3).
#[must_use]
pub fn signature_from_der(octets: &[u8]) -> Option<[u8; 64]> {
    let mut outer = der::Reader::new(octets);
    let mut numbers = der::Reader::new(outer.read(der::SEQUENCE)?);
    outer.finish()?;
    let mut signature = [0; 64];
    for half in signature.chunks_exact_mut(32) {
        // CSR-3: minimal, positive, 1..=n−1.
        let number = der::positive(numbers.read(der::INTEGER)?)?;
        let padded = left_padded(number)?;
        if !is_scalar(&padded) {
            return None;
        }
        half.copy_from_slice(&padded);
    }
    numbers.finish()?;
    Some(signature)
}

/// Writes r ‖ s as the DER SEQUENCE of two minimal INTEGERs.
#[must_use]
pub fn signature_to_der(signature: &[u8; 64]) -> Vec<u8> {
    let (r, s) = signature.split_at(32);
    der::write(der::SEQUENCE, &[der::write_positive(r), der::write_positive(s)].concat())
}

/// The order n of the group.
pub const ORDER: [u8; 32] = [
    0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xbc,
    0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51,
];

fn public_members(jwk: &Value) -> Option<PublicKey> {
    // WELLKNOWN-1: kty and crv exactly; x and y canonical, on the curve.
    let text = |name| jwk.get(name)?.as_str();
    (text("kty") == Some("EC") && text("crv") == Some("P-256")).then_some(())?;
    PublicKey::from_coordinates(text("x")?, text("y")?)
}

fn left_padded(number: &[u8]) -> Option<[u8; 32]> {
    let mut padded = [0; 32];
    let start = padded.len().checked_sub(number.len())?;
    padded.get_mut(start..)?.copy_from_slice(number);
    Some(padded)
}

const UNCOMPRESSED: u8 = 0x04;

/// Everything of the SPKI before the point (RFC 5480 section 2).
const SPKI_HEAD: &[u8] = &[
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86,
    0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
];

#[cfg(test)]
mod tests;
