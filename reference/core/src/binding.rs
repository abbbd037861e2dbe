//! BINDING (docs/spec/04-binding.md): what the machine's key says about its request.

use subtle::ConstantTimeEq as _;

use crate::base64url;
use crate::choices::RequestBinding;
use crate::claims::Raw;
use crate::csr::Csr;
use crate::der;
use crate::frame;
use crate::hash::sha256;
use crate::reason::Reason;

/// A join request as far as the request hash covers it.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The attestor's name; empty means `join-token`.
    pub attestor: &'a str,
    /// The role asked for.
    pub role: &'a str,
    /// The token's id; empty where there is no token.
    pub token_id: &'a str,
    /// The claims as sent.
    pub claims: &'a Raw,
}

/// The hash of a request (BINDING-1).
#[must_use]
pub fn hash(request: &Request<'_>) -> [u8; 32] {
    let claims = request.claims;
    // BINDING-1: the empty attestor is written out; claims enter raw, an absent one as an empty field.
    let attestor = if request.attestor.is_empty() { JOIN_TOKEN } else { request.attestor };
    let mac_count = count(&claims.permanent_macs);
    let gpu_count = count(&claims.gpu_uuids);
    let mut fields: Vec<&[u8]> = vec![
        attestor.as_bytes(),
        request.role.as_bytes(),
        request.token_id.as_bytes(),
        &claims.product_uuid,
        &claims.product_serial,
        &claims.board_serial,
        &claims.chassis_serial,
        &claims.hostname,
    ];
    fields.push(&mac_count);
    fields.extend(claims.permanent_macs.iter().map(Vec::as_slice));
    fields.push(&gpu_count);
    fields.extend(claims.gpu_uuids.iter().map(Vec::as_slice));
    sha256(&frame::message("join-request", &fields))
}

/// Compares the hash in a CSR with the hash of the request beside it. Answers whether it was there and was
/// compared.
///
/// # Errors
/// `request-binding` when it differs, occurs twice or is malformed, or when the pool requires it and it is
/// absent (BINDING-2).
pub fn check(
    csr: &Csr<'_>,
    request_sha256: &[u8; 32],
    choice: RequestBinding,
    required: bool,
) -> Result<bool, Reason> {
    // BINDING-2: under `none` the attribute is ignored entirely, and `required` has no effect.
    if choice == RequestBinding::None {
        return Ok(false);
    }
    let mut bindings = csr
        .attributes
        .iter()
        .filter(|attribute| attribute.oid == UNSTRUCTURED_NAME)
        .flat_map(|attribute| &attribute.values)
        // BINDING-2: other values of that type are nobody's business, whatever their tag.
        .filter(|value| value.content.starts_with(VALUE_PREFIX));
    match (bindings.next(), bindings.next()) {
        // BINDING-2: without it the request is admitted, unless the pool requires it.
        (None, _) if required => Err(Reason::RequestBinding),
        (None, _) => Ok(false),
        // BINDING-2: two are refused, even if they are equal.
        (Some(_), Some(_)) => Err(Reason::RequestBinding),
        (Some(value), None) => {
            let hash = read_value(value).ok_or(Reason::RequestBinding)?;
            bool::from(hash.ct_eq(request_sha256)).then_some(true).ok_or(Reason::RequestBinding)
        }
    }
}

/// The text that carries a request hash.
#[must_use]
pub fn value(request_sha256: &[u8; 32]) -> String {
    ["bc-join-request-v1:", &base64url::encode(request_sha256)].concat()
}

/// The attribute of a CSR: unstructuredName (RFC 2985 section 5.4.1) with one UTF8String.
pub(crate) fn attribute(request_sha256: &[u8; 32]) -> Vec<u8> {
    let text = der::write(der::UTF8_STRING, value(request_sha256).as_bytes());
    let parts = [der::write(der::OID, UNSTRUCTURED_NAME), der::write(der::SET, &text)];
    der::write(der::SEQUENCE, &parts.concat())
}

fn read_value(value: &der::Element<'_>) -> Option<[u8; 32]> {
    // BINDING-2: a UTF8String, and canonical b64u of 32 octets after the prefix.
    (value.tag == der::UTF8_STRING).then_some(())?;
    base64url::decode_array(value.content.strip_prefix(VALUE_PREFIX)?)
}

/// The number of entries as i64, 8 octets.
fn count(entries: &[Vec<u8>]) -> [u8; 8] {
    i64::try_from(entries.len()).unwrap_or(i64::MAX).to_be_bytes()
}

const JOIN_TOKEN: &str = "join-token";
const VALUE_PREFIX: &[u8] = b"bc-join-request-v1:";
/// Content of OID 1.2.840.113549.1.9.2.
const UNSTRUCTURED_NAME: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x02];

#[cfg(test)]
mod tests;
