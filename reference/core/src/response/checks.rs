//! The named checks of an authentic body (RESPONSE-4, RESPONSE-5). Their order is in the functions that call them.

use super::body::ReceivedBody;
use super::{Asked, Client};
use crate::choices::NodeTenant;
use crate::der;
use crate::reason::Reason;
use crate::time::{self, Millis};
use crate::x509::{Certificate, SubjectAltName};

/// The answer is to the client's own CSR.
pub(super) fn csr(csr_sha256: &[u8; 32], asked: &Asked<'_>) -> Result<(), Reason> {
    // RESPONSE-4: csr_sha256 is H of the client's own CSR.
    unless(*csr_sha256 == asked.csr.sha256, Reason::ResponseCsr)
}

/// The answer is to the client's own request.
pub(super) fn request(received: Option<&[u8; 32]>, asked: &Asked<'_>, required: bool) -> Result<(), Reason> {
    // BINDING-3: compared if present; its absence is refused only where it is required.
    let right = received.map_or(!required, |hash| hash == asked.request_sha256);
    unless(right, Reason::ResponseRequest)
}

/// The leaf certifies the client's key.
pub(super) fn leaf_key(leaf: &Certificate<'_>, asked: &Asked<'_>) -> Result<(), Reason> {
    // RESPONSE-4: the SPKI of the first certificate equals that of the CSR, octet for octet.
    unless(leaf.spki == asked.csr.public_key.spki(), Reason::ResponseLeafKey)
}

/// The leaf's names are the body's, and the body's are the client's.
pub(super) fn san(body: &ReceivedBody<'_>, client: &Client<'_>) -> Result<(), Reason> {
    let names = body.leaf().subject_alt_names().ok_or(Reason::ResponseSan)?;
    let identity = format!("spiffe://{}/site/{}/node/{}", body.trust_domain, body.site_id, body.node_id);
    // RESPONSE-4: the first is that URI; every other begins `urn:bc:`; no other kinds.
    let (first, others) = names.split_first().ok_or(Reason::ResponseSan)?;
    let statements = others.iter().all(|name| uri(name).is_some_and(|uri| uri.starts_with(STATEMENT)));
    // RESPONSE-4: the configured site, and the node of `--node-id`.
    let expected =
        body.site_id == client.site_id && client.node_id.is_none_or(|node_id| node_id == body.node_id);
    unless(uri(first) == Some(&*identity) && statements && expected, Reason::ResponseSan)
}

/// The role is the one asked, in the body and in the leaf.
pub(super) fn role(body: &ReceivedBody<'_>, asked: &str, node_tenant: NodeTenant) -> Result<(), Reason> {
    // RESPONSE-4, choice client.node-tenant: no other difference is ever accepted.
    let tenant_for_node = node_tenant == NodeTenant::Accept && asked == NODE && body.role == NODE_TENANT;
    let subject = subject_of_role(body.role);
    unless((body.role == asked || tenant_for_node) && body.leaf().subject == subject, Reason::ResponseRole)
}

/// The attestor is the one asked, and the leaf's AK statements are the client's.
pub(super) fn attestor(body: &ReceivedBody<'_>, asked: &str, client: &Client<'_>) -> Result<(), Reason> {
    let names = body.leaf().subject_alt_names().unwrap_or_default();
    let statements: Vec<&str> = names.iter().filter_map(uri).filter(|uri| uri.starts_with(AK)).collect();
    let asked = resolved(asked);
    let right = match *statements {
        // RESPONSE-4: after `tpm` the leaf carries exactly one.
        [] => asked != TPM,
        [statement] if asked == TPM => client.ak == Some(statement) && is_ak_statement(statement),
        // RESPONSE-4: after any other, none, or exactly that of the identity it joins again with.
        [statement] => client.previous_ak == Some(statement),
        _ => false,
    };
    unless(body.attestor == asked && right, Reason::ResponseAttestor)
}

/// The chain hangs together. It is not verified to a root: the client has none, the signed body is the authority.
pub(super) fn chain(body: &ReceivedBody<'_>) -> Result<(), Reason> {
    // RESPONSE-4: no certificate of the chain has equal issuer and subject.
    let no_root = body.chain().all(|certificate| !certificate.is_self_issued());
    // RESPONSE-4: each is signed by the next, and its issuer is the next one's subject.
    let mut links = body.chain().zip(body.chain().skip(1));
    let linked = no_root
        && links.all(|(certificate, issuer)| {
            certificate.issuer == issuer.subject
                && issuer.public_key().is_some_and(|key| certificate.is_signed_by(&key))
        });
    unless(linked, Reason::ResponseChain)
}

/// The leaf is valid now; only the leaf is looked at.
pub(super) fn validity(leaf: &Certificate<'_>, now: Millis) -> Result<(), Reason> {
    // TIME-2: from the beginning of notBefore's second through the end of notAfter's.
    let early = time::is_not_yet_valid(leaf.not_before_s, now);
    unless(!early && !time::is_expired(leaf.not_after_s, now), Reason::ResponseValidity)
}

/// The attestor is the one asked, and it is one that defers.
pub(super) fn deferring_attestor(received: &str, asked: &str) -> Result<(), Reason> {
    // RESPONSE-5: `tpm` or `discovery`.
    unless(received == asked && [TPM, DISCOVERY].contains(&asked), Reason::ResponseAttestor)
}

fn unless(right: bool, reason: Reason) -> Result<(), Reason> {
    if right { Ok(()) } else { Err(reason) }
}

fn uri<'a>(name: &SubjectAltName<'a>) -> Option<&'a str> {
    match name {
        SubjectAltName::Uri(uri) => Some(uri),
        SubjectAltName::Other => None,
    }
}

/// A subject of one attribute, OU = `bc-role:<role>` (CERTIFICATE-3).
fn subject_of_role(role: &str) -> Vec<u8> {
    let value = der::write(der::UTF8_STRING, format!("bc-role:{role}").as_bytes());
    let attribute = der::write(der::SEQUENCE, &[ORGANIZATIONAL_UNIT, &value].concat());
    der::write(der::SEQUENCE, &der::write(der::SET, &attribute))
}

/// `urn:bc:tpm-ak:sha256:` and 64 lower-case hexadecimal digits.
fn is_ak_statement(uri: &str) -> bool {
    uri.strip_prefix(AK_SHA256).is_some_and(|digest| {
        digest.len() == 64 && digest.bytes().all(|octet| matches!(octet, b'0'..=b'9' | b'a'..=b'f'))
    })
}

/// The empty name is `join-token` (ADMISSION-7).
fn resolved(attestor: &str) -> &str {
    if attestor.is_empty() { JOIN_TOKEN } else { attestor }
}

const STATEMENT: &str = "urn:bc:";
const AK: &str = "urn:bc:tpm-ak:";
const AK_SHA256: &str = "urn:bc:tpm-ak:sha256:";
const NODE: &str = "node";
const NODE_TENANT: &str = "node-tenant";
const JOIN_TOKEN: &str = "join-token";
const TPM: &str = "tpm";
const DISCOVERY: &str = "discovery";
/// OID 2.5.4.11, DER.
const ORGANIZATIONAL_UNIT: &[u8] = &[0x06, 0x03, 0x55, 0x04, 0x0b];
