//! RESPONSE (docs/spec/15-response.md): the signed answer and the client's checks.
//!
//! ```text
//! Signed (as received) ──envelope, signature──▶ Authenticated ──decode──▶ ReceivedBody ──the other checks──▶ Identity
//!                                               Authenticated ──decode──▶ ReceivedDeferral ──checks──▶ Deferred
//! ```
//!
//! The gateway brings the answer, so octets are not decoded before the signature under a pinned key holds. An
//! [`Identity`] comes from nowhere but [`verify`]; nothing is stored before there is one.

use crate::choices::NodeTenant;
use crate::csr::Csr;
use crate::pin::Pin;
use crate::reason::Reason;
use crate::time::Millis;

mod body;
mod checks;
mod envelope;

pub use body::{Body, DeferralBody};
pub use envelope::Signed;

/// What the client asked, and what it knows by itself.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The client's own request for a certificate.
    pub csr: &'a Csr<'a>,
    /// The hash of the request that it sent (BINDING-1).
    pub request_sha256: &'a [u8; 32],
    /// The attestor's name as sent; empty is `join-token`.
    pub attestor: &'a str,
    /// The role asked for.
    pub role: &'a str,
}

/// How the client is configured, and what it joins again with.
#[derive(Clone, Copy, Debug)]
pub struct Client<'a> {
    /// Pins of the join-signing key.
    pub pins: &'a [Pin],
    /// The site it belongs to.
    pub site_id: &'a str,
    /// The node it was told to be, with `--node-id`.
    pub node_id: Option<&'a str>,
    /// Whether an answer without `request_sha256` is refused.
    pub require_request_binding: bool,
    /// Whether `node-tenant` may be given for `node`.
    pub node_tenant: NodeTenant,
    /// Its own AK statement, the whole URI, when it has a TPM.
    pub ak: Option<&'a str>,
    /// The AK statement of the identity that it joins again with.
    pub previous_ak: Option<&'a str>,
}

/// An answer that passed every check: what the client may store and be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The node's id.
    pub node_id: String,
    /// The site's id.
    pub site_id: String,
    /// The SPIFFE trust domain.
    pub trust_domain: String,
    /// The role given. It differs from the one asked only as `node-tenant` for `node`, to be said loudly.
    pub role: String,
    /// The attestor that admitted, never empty.
    pub attestor: String,
    /// Certificates, leaf first, DER.
    pub certificate_chain: Vec<Vec<u8>>,
    /// Keys that may sign commands; not looked into here.
    pub command_trust_bundle: Vec<Vec<u8>>,
}

/// A deferral that passed every check. It admits nobody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deferred {
    /// The join request that a person decides.
    pub request_id: String,
}

/// The client's checks of an answer, in the order of RESPONSE-4.
///
/// # Errors
/// The reason of the first check that fails.
pub fn verify(
    answer: Signed<'_>,
    asked: &Asked<'_>,
    client: &Client<'_>,
    now: Millis,
) -> Result<Identity, Reason> {
    // RESPONSE-4: in this order; the first that fails is the reason.
    let authenticated = answer.envelope()?.response_signed_by(client.pins)?;
    let body = authenticated.decode_response()?;
    checks::csr(&body.csr_sha256, asked)?;
    checks::request(body.request_sha256.as_ref(), asked, client.require_request_binding)?;
    checks::leaf_key(body.leaf(), asked)?;
    checks::san(&body, client)?;
    checks::role(&body, asked.role, client.node_tenant)?;
    checks::attestor(&body, asked.attestor, client)?;
    checks::chain(&body)?;
    checks::validity(body.leaf(), now)?;
    Ok(body.into_identity())
}

/// The client's checks of a deferral, in the order of RESPONSE-5.
///
/// # Errors
/// The reason of the first check that fails.
pub fn verify_deferral(
    deferral: Signed<'_>,
    asked: &Asked<'_>,
    pins: &[Pin],
    require_request_binding: bool,
) -> Result<Deferred, Reason> {
    // RESPONSE-5: in this order. The purpose differs, so no deferral is ever read as an admission.
    let authenticated = deferral.envelope()?.deferral_signed_by(pins)?;
    let body = authenticated.decode_deferral()?;
    checks::csr(&body.csr_sha256, asked)?;
    checks::request(body.request_sha256.as_ref(), asked, require_request_binding)?;
    checks::deferring_attestor(body.attestor, asked.attestor)?;
    Ok(body.into_deferred())
}

#[cfg(test)]
mod tests;
