//! The bodies: what a server encodes, and what a client decodes once the signature holds (RESPONSE-2, RESPONSE-3).
//!
//! Only the outbound types encode and only the inbound types decode: nothing is ever encoded again to be verified.

use super::envelope::{AuthenticatedDeferral, AuthenticatedResponse};
use super::{Deferred, Identity};
use crate::protobuf::{Message, Writer};
use crate::reason::Reason;
use crate::type_id::{self, is_type_id};
use crate::x509::Certificate;

/// The body that a server signs for an admitted machine.
#[derive(Clone, Debug)]
pub struct Body<'a> {
    /// `node_…`
    pub node_id: &'a str,
    /// Certificates, leaf first, without a root.
    pub certificate_chain: &'a [Vec<u8>],
    /// Keys that may sign commands.
    pub command_trust_bundle: &'a [Vec<u8>],
    /// The hash of the machine's CSR.
    pub csr_sha256: &'a [u8; 32],
    /// The SPIFFE trust domain.
    pub trust_domain: &'a str,
    /// `site_…`
    pub site_id: &'a str,
    /// The role given.
    pub role: &'a str,
    /// The attestor, `join-token` for the empty name.
    pub attestor: &'a str,
    /// The request's hash as the server computed it (BINDING-3).
    pub request_sha256: &'a [u8; 32],
}

impl Body<'_> {
    /// The body's octets.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        // RESPONSE-2, RESPONSE-3: the fields and their numbers.
        self.write_common().field(REQUEST_SHA256, self.request_sha256).finish()
    }

    /// The octets of the body of an answer to a renewal, which has no request hash (RENEWAL-6).
    #[must_use]
    pub fn encode_renewal(&self) -> Vec<u8> {
        // RENEWAL-6: a JoinResponseBody without request_sha256.
        self.write_common().finish()
    }

    fn write_common(&self) -> Writer {
        Writer::default()
            .field(NODE_ID, self.node_id.as_bytes())
            .entries(CERTIFICATE_CHAIN, self.certificate_chain)
            .entries(COMMAND_TRUST_BUNDLE, self.command_trust_bundle)
            .field(CSR_SHA256, self.csr_sha256)
            .field(TRUST_DOMAIN, self.trust_domain.as_bytes())
            .field(SITE_ID, self.site_id.as_bytes())
            .field(ROLE, self.role.as_bytes())
            .field(ATTESTOR, self.attestor.as_bytes())
    }
}

/// The body that a server signs for a machine whose join waits for a decision.
#[derive(Clone, Debug)]
pub struct DeferralBody<'a> {
    /// `jreq_…`
    pub request_id: &'a str,
    /// The hash of the machine's CSR.
    pub csr_sha256: &'a [u8; 32],
    /// The attestor that defers.
    pub attestor: &'a str,
    /// The request's hash as the server computed it (BINDING-3).
    pub request_sha256: &'a [u8; 32],
}

impl DeferralBody<'_> {
    /// The body's octets.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        Writer::default()
            .field(DEFERRAL_REQUEST_ID, self.request_id.as_bytes())
            .field(DEFERRAL_CSR_SHA256, self.csr_sha256)
            .field(DEFERRAL_ATTESTOR, self.attestor.as_bytes())
            .field(DEFERRAL_REQUEST_SHA256, self.request_sha256)
            .finish()
    }
}

/// The body of an answer: authentic, well-formed, and not yet known to be for this client.
#[derive(Debug)]
pub(super) struct ReceivedBody<'a> {
    pub(super) node_id: &'a str,
    leaf: Certificate<'a>,
    /// The certificates above the leaf.
    issuers: Vec<Certificate<'a>>,
    command_trust_bundle: Vec<&'a [u8]>,
    pub(super) csr_sha256: [u8; 32],
    pub(super) trust_domain: &'a str,
    pub(super) site_id: &'a str,
    pub(super) role: &'a str,
    pub(super) attestor: &'a str,
    pub(super) request_sha256: Option<[u8; 32]>,
}

impl<'a> ReceivedBody<'a> {
    pub(super) fn leaf(&self) -> &Certificate<'a> {
        &self.leaf
    }

    /// The chain, leaf first.
    pub(super) fn chain(&self) -> impl Iterator<Item = &Certificate<'a>> {
        std::iter::once(&self.leaf).chain(&self.issuers)
    }

    /// To be called after every check.
    pub(super) fn into_identity(self) -> Identity {
        Identity {
            node_id: self.node_id.to_owned(),
            site_id: self.site_id.to_owned(),
            trust_domain: self.trust_domain.to_owned(),
            role: self.role.to_owned(),
            attestor: self.attestor.to_owned(),
            certificate_chain: self.chain().map(|certificate| certificate.der.to_vec()).collect(),
            command_trust_bundle: self.command_trust_bundle.iter().map(|entry| entry.to_vec()).collect(),
        }
    }
}

/// The body of a deferral: authentic, well-formed, and not yet known to be for this client.
#[derive(Debug)]
pub(super) struct ReceivedDeferral<'a> {
    pub(super) request_id: &'a str,
    pub(super) csr_sha256: [u8; 32],
    pub(super) attestor: &'a str,
    pub(super) request_sha256: Option<[u8; 32]>,
}

impl ReceivedDeferral<'_> {
    /// To be called after every check.
    pub(super) fn into_deferred(self) -> Deferred {
        Deferred { request_id: self.request_id.to_owned() }
    }
}

impl<'a> AuthenticatedResponse<'a> {
    pub(super) fn decode_response(self) -> Result<ReceivedBody<'a>, Reason> {
        // RESPONSE-4: the form, after the signature.
        response(self.body).ok_or(Reason::ResponseMalformed)
    }
}

impl<'a> AuthenticatedDeferral<'a> {
    pub(super) fn decode_deferral(self) -> Result<ReceivedDeferral<'a>, Reason> {
        // RESPONSE-5: the form, after the signature.
        deferral(self.body).ok_or(Reason::ResponseMalformed)
    }
}

fn response(octets: &[u8]) -> Option<ReceivedBody<'_>> {
    let message = Message::read(octets)?;
    // RESPONSE-4: at least one certificate, each in strict DER; at least one entry of the bundle.
    let mut chain = message.repeated(CERTIFICATE_CHAIN)?.into_iter().map(Certificate::read);
    let leaf = chain.next()??;
    let issuers = chain.collect::<Option<Vec<_>>>()?;
    let command_trust_bundle = message.repeated(COMMAND_TRUST_BUNDLE)?;
    (!command_trust_bundle.is_empty()).then_some(())?;
    Some(ReceivedBody {
        // RESPONSE-4: node_id, site_id and trust_domain are well-formed.
        node_id: message.required_text(NODE_ID).filter(|id| is_type_id(id, type_id::NODE))?,
        leaf,
        issuers,
        command_trust_bundle,
        csr_sha256: message.required(CSR_SHA256)?.try_into().ok()?,
        trust_domain: message.required_text(TRUST_DOMAIN).filter(|name| is_trust_domain(name))?,
        site_id: message.required_text(SITE_ID).filter(|id| is_type_id(id, type_id::SITE))?,
        role: message.required_text(ROLE)?,
        attestor: message.required_text(ATTESTOR)?,
        request_sha256: optional_hash(&message, REQUEST_SHA256)?,
    })
}

fn deferral(octets: &[u8]) -> Option<ReceivedDeferral<'_>> {
    let message = Message::read(octets)?;
    Some(ReceivedDeferral {
        request_id: message
            .required_text(DEFERRAL_REQUEST_ID)
            .filter(|id| is_type_id(id, type_id::JOIN_REQUEST))?,
        csr_sha256: message.required(DEFERRAL_CSR_SHA256)?.try_into().ok()?,
        attestor: message.required_text(DEFERRAL_ATTESTOR)?,
        request_sha256: optional_hash(&message, DEFERRAL_REQUEST_SHA256)?,
    })
}

/// `Some(None)` when the field is absent; `None` when it is there and not 32 octets.
fn optional_hash(message: &Message<'_>, number: u64) -> Option<Option<[u8; 32]>> {
    match message.singular(number)? {
        None => Some(None),
        Some(octets) => octets.try_into().ok().map(Some),
    }
}

/// SPIFFE ID section 2.1.
fn is_trust_domain(name: &str) -> bool {
    (1..=TRUST_DOMAIN_MAX_BYTES).contains(&name.len())
        && name.bytes().all(|octet| matches!(octet, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b'_'))
}

const TRUST_DOMAIN_MAX_BYTES: usize = 255;

// Field numbers of JoinResponseBody.
const NODE_ID: u64 = 1;
const CERTIFICATE_CHAIN: u64 = 2;
const COMMAND_TRUST_BUNDLE: u64 = 3;
const CSR_SHA256: u64 = 4;
const TRUST_DOMAIN: u64 = 5;
const SITE_ID: u64 = 6;
const ROLE: u64 = 7;
const ATTESTOR: u64 = 8;
const REQUEST_SHA256: u64 = 9;

// Field numbers of JoinDeferralBody.
const DEFERRAL_REQUEST_ID: u64 = 1;
const DEFERRAL_CSR_SHA256: u64 = 2;
const DEFERRAL_ATTESTOR: u64 = 3;
const DEFERRAL_REQUEST_SHA256: u64 = 4;
