//! Published test keys, each made from its name: never use one outside tests.

use p256::SecretKey;
use p256::elliptic_curve::sec1::ToSec1Point;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::encode::b64u;

/// The test key of that name.
///
/// # Panics
/// Never for the names in use: a hash of a name that is no scalar would have to be found first.
#[must_use]
#[expect(clippy::expect_used, reason = "a published test key that cannot be made is a broken testkit")]
pub fn key(name: &str) -> SecretKey {
    SecretKey::from_slice(&hash(format!("published test key: {name}"))).expect("a scalar")
}

/// SHA-256.
#[must_use]
pub fn hash(bytes: impl AsRef<[u8]>) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// The public half as a JSON Web Key (RFC 7518 6.2).
#[must_use]
pub fn public_jwk(key: &SecretKey) -> Value {
    let point = key.public_key().to_sec1_point(false);
    let (x, y) = (point.x().map(b64u).unwrap_or_default(), point.y().map(b64u).unwrap_or_default());
    json!({"kty": "EC", "crv": "P-256", "x": x, "y": y})
}

/// The key with its private half as a JSON Web Key.
#[must_use]
pub fn private_jwk(key: &SecretKey) -> Value {
    let mut jwk = public_jwk(key);
    jwk["d"] = b64u(key.to_bytes()).into();
    jwk
}
