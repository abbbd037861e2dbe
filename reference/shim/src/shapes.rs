//! The shapes that ops share: octets, times, keys, claims, requests, rows.

use std::fmt::Display;

use jiff::SignedDuration;
use jiff::civil::DateTime;
use reference_core::base64url;
use reference_core::binding;
use reference_core::claims::Raw;
use reference_core::expect;
use reference_core::json;
use reference_core::p256;
use reference_core::pin::Pin;
use reference_core::reason::Reason;
use reference_core::response;
use reference_core::seal;
use reference_core::time::Millis;
use reference_core::token::{self, Role};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::message::Failure;

/// `B`: octets in base64url.
#[derive(Default)]
pub(crate) struct B(pub(crate) Vec<u8>);

impl<'de> Deserialize<'de> for B {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        base64url::decode(text.as_bytes()).map(Self).ok_or_else(|| D::Error::custom("not base64url"))
    }
}

/// `B` of exactly `N` octets.
pub(crate) struct Array<const N: usize>(pub(crate) [u8; N]);

impl<'de, const N: usize> Deserialize<'de> for Array<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let B(octets) = B::deserialize(deserializer)?;
        octets.try_into().map(Self).map_err(|_| D::Error::custom(format!("not {N} octets")))
    }
}

/// A time, RFC 3339 in UTC with `Z`.
#[derive(Clone, Copy)]
pub(crate) struct Time(pub(crate) Millis);

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let utc = text.strip_suffix('Z').ok_or_else(|| D::Error::custom("not a time in UTC"))?;
        // A timestamp of this library ends before the year 9999 does; a civil time does not.
        let civil: DateTime = utc.parse().map_err(D::Error::custom)?;
        let millis = civil.duration_since(DateTime::constant(1970, 1, 1, 0, 0, 0, 0)).as_millis();
        i64::try_from(millis).map(|millis| Self(Millis(millis))).map_err(D::Error::custom)
    }
}

/// A time as answers have it; empty beyond the years of RFC 3339.
pub(crate) fn time_text(time: Millis) -> String {
    let since_1970 = SignedDuration::from_millis(time.0);
    let civil = DateTime::constant(1970, 1, 1, 0, 0, 0, 0).checked_add(since_1970);
    civil.map(|civil| civil.strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()).unwrap_or_default()
}

/// For a member that may be null and must be there.
pub(crate) fn nullable<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    member: D,
) -> Result<Option<T>, D::Error> {
    Option::deserialize(member)
}

/// JSON that the core reads by itself, verbatim.
pub(crate) fn verbatim(value: &RawValue) -> Result<json::Value, Failure> {
    json::read(value.get().as_bytes()).ok_or_else(|| Failure::error("JSON that the core does not read"))
}

/// A public JSON Web Key of the judge.
pub(crate) fn public_key(jwk: &RawValue) -> Result<p256::PublicKey, Failure> {
    p256::PublicKey::from_jwk(&verbatim(jwk)?).ok_or_else(|| Failure::error("not a public JWK on P-256"))
}

/// A private JSON Web Key of the judge.
pub(crate) fn private_key(jwk: &RawValue) -> Result<p256::PrivateKey, Failure> {
    p256::PrivateKey::from_jwk(&verbatim(jwk)?).ok_or_else(|| Failure::error("not a private JWK on P-256"))
}

/// A server's keys.
pub(crate) fn private_keys(jwks: &[&RawValue]) -> Result<Vec<p256::PrivateKey>, Failure> {
    jwks.iter().map(|jwk| private_key(jwk)).collect()
}

/// Pins that are judged: a malformed one is `pin-malformed`.
pub(crate) fn judged_pins(texts: &[String]) -> Result<Vec<Pin>, Reason> {
    texts.iter().map(|text| Pin::parse(text)).collect()
}

/// Pins that are given: a malformed one is a mistake in the call.
pub(crate) fn pins(texts: &[String]) -> Result<Vec<Pin>, Failure> {
    judged_pins(texts).map_err(|_| Failure::error("a pin is malformed"))
}

/// The texts of a list.
pub(crate) fn texts<T: Display>(values: impl IntoIterator<Item = T>) -> Vec<String> {
    values.into_iter().map(|value| value.to_string()).collect()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Claims {
    #[serde(default)]
    product_uuid: B,
    #[serde(default)]
    product_serial: B,
    #[serde(default)]
    board_serial: B,
    #[serde(default)]
    chassis_serial: B,
    #[serde(default)]
    hostname: B,
    permanent_macs: Vec<B>,
    gpu_uuids: Vec<B>,
}

impl From<Claims> for Raw {
    fn from(claims: Claims) -> Self {
        Self {
            product_uuid: claims.product_uuid.0,
            product_serial: claims.product_serial.0,
            board_serial: claims.board_serial.0,
            chassis_serial: claims.chassis_serial.0,
            hostname: claims.hostname.0,
            permanent_macs: octets(claims.permanent_macs),
            gpu_uuids: octets(claims.gpu_uuids),
        }
    }
}

/// The octets of a list.
pub(crate) fn octets(list: Vec<B>) -> Vec<Vec<u8>> {
    list.into_iter().map(|B(octets)| octets).collect()
}

/// For a list of octets.
pub(crate) fn octets_list<'de, D: Deserializer<'de>>(list: D) -> Result<Vec<Vec<u8>>, D::Error> {
    Vec::deserialize(list).map(octets)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Request {
    pub(crate) attestor: String,
    pub(crate) role: String,
    token_id: String,
    claims: Claims,
}

impl Request {
    /// The request's hash (BINDING-1).
    pub(crate) fn sha256(self) -> [u8; 32] {
        let Self { attestor, role, token_id, claims } = self;
        let request = binding::Request {
            attestor: &attestor,
            role: &role,
            token_id: &token_id,
            claims: &claims.into(),
        };
        binding::hash(&request)
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Row {
    id: String,
    secret_sha256: Array<32>,
    role: String,
    expires_at: Time,
    #[serde(deserialize_with = "nullable")]
    revoked_at: Option<Time>,
    uses_left: u32,
}

impl Row {
    pub(crate) fn read(self) -> Result<token::Row, Failure> {
        Ok(token::Row {
            id: self.id,
            // The tenant hears of refusals; a call has none.
            tenant: String::new(),
            secret_sha256: self.secret_sha256.0,
            role: Role::parse(&self.role).map_err(|_| Failure::error("a row's role is unknown"))?,
            expires_at: self.expires_at.0,
            revoked_at: self.revoked_at.map(|time| time.0),
            uses_left: self.uses_left,
        })
    }
}

/// `requestBinding` of a pool's policy.
#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PoolBinding {
    Optional,
    Required,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Expect {
    product_uuid: Option<String>,
    serial: Option<String>,
    mac: Option<String>,
    gpu_uuid: Option<String>,
}

impl From<Expect> for expect::Expect {
    fn from(expect: Expect) -> Self {
        let Expect { product_uuid, serial, mac, gpu_uuid } = expect;
        Self { product_uuid, serial, mac, gpu_uuid }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Window {
    past_s: u64,
    ahead_s: u64,
}

impl From<Window> for seal::Window {
    fn from(window: Window) -> Self {
        Self { past_s: window.past_s, ahead_s: window.ahead_s }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Signed {
    body: B,
    sig: B,
    signing_key: B,
}

impl Signed {
    pub(crate) fn as_received(&self) -> response::Signed<'_> {
        response::Signed { body: &self.body.0, sig: &self.sig.0, signing_key: &self.signing_key.0 }
    }
}
