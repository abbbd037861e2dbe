//! CSR (docs/spec/05-csr.md): the certificate request.
//!
//! A request is checked down to its last octet, and then only its public key is used. The client's half makes
//! the octets to be signed and takes the signature from outside, so a file key, a TPM and an HSM look alike.

use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};

use crate::der::{self, Element, Reader};
use crate::hash::sha256;
use crate::limits::{CSR_MAX_BYTES, DER_DEPTH_MAX};
use crate::p256::{self, PublicKey};
use crate::reason::Reason;

/// A certificate request that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Csr<'a> {
    /// The key that may be certified: the one thing that reaches a certificate (CSR-4).
    pub public_key: PublicKey,
    /// SHA-256 of the whole field as received (CSR-5).
    pub sha256: [u8; 32],
    /// The attributes, for BINDING to compare.
    pub(crate) attributes: Vec<Attribute<'a>>,
}

/// One attribute of a request: its type's OID content and its values, not looked into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Attribute<'a> {
    /// Content octets of the OBJECT IDENTIFIER.
    pub(crate) oid: &'a [u8],
    /// The values of the SET OF, at least one.
    pub(crate) values: Vec<Element<'a>>,
}

/// Checks a certificate request.
///
/// # Errors
/// `csr` for every failure, the size included (CSR-1, CSR-2, CSR-3).
pub fn check(octets: &[u8]) -> Result<Csr<'_>, Reason> {
    // CSR-1: at most 4096 octets, judged before anything is parsed.
    if octets.len() > CSR_MAX_BYTES {
        return Err(Reason::Csr);
    }
    parse(octets).ok_or(Reason::Csr)
}

/// The octets that a client's key signs: a CertificationRequestInfo with empty subject and, with a request
/// hash, the binding attribute (BINDING-2).
#[must_use]
pub fn to_be_signed(key: &PublicKey, request_sha256: Option<&[u8; 32]>) -> Vec<u8> {
    let attribute = request_sha256.map(crate::binding::attribute).unwrap_or_default();
    let parts = [
        VERSION_0.to_vec(),
        der::write(der::SEQUENCE, &[]),
        key.spki(),
        der::write(der::CONTEXT_0, &attribute),
    ];
    der::write(der::SEQUENCE, &parts.concat())
}

/// The request of the signed octets and the signature `r ‖ s` over them.
#[must_use]
pub fn assemble(to_be_signed: &[u8], signature: &[u8; 64]) -> Vec<u8> {
    // CSR-3: both numbers minimal, whatever width the signer gives them.
    let bits = [&[0][..], &p256::signature_to_der(signature)].concat();
    let parts = [to_be_signed, ECDSA_WITH_SHA256, &der::write(der::BIT_STRING, &bits)];
    der::write(der::SEQUENCE, &parts.concat())
}

fn parse(octets: &[u8]) -> Option<Csr<'_>> {
    // CSR-1: one element in strict DER, nothing after it, nesting at most 16.
    let request = der::single(octets, DER_DEPTH_MAX).filter(|outer| outer.tag == der::SEQUENCE)?;
    let mut parts = Reader::new(request.content);
    let info = parts.read_any().filter(|info| info.tag == der::SEQUENCE)?;
    let algorithm = parts.read_any()?;
    let signature = bit_string(parts.read(der::BIT_STRING)?)?;
    parts.finish()?;
    let (public_key, attributes) = parse_info(info.content)?;
    // CSR-3: ecdsa-with-SHA256 without parameters.
    if algorithm.raw != ECDSA_WITH_SHA256 {
        return None;
    }
    // CSR-3: two minimal integers in 1..=n−1; a high s is accepted.
    let signature = p256::signature_from_der(signature)?;
    // CSR-3: by the key in the request, over the octets as received.
    UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, public_key.point()).verify(info.raw, &signature).ok()?;
    // CSR-5: the hash is over the very octets that were parsed.
    Some(Csr { public_key, sha256: sha256(octets), attributes })
}

fn parse_info(content: &[u8]) -> Option<(PublicKey, Vec<Attribute<'_>>)> {
    let mut parts = Reader::new(content);
    // CSR-1: version 0.
    parts.read_any().filter(|version| version.raw == VERSION_0)?;
    check_name(parts.read(der::SEQUENCE)?)?;
    // CSR-2: the SPKI of a P-256 key, in its one form.
    let public_key = PublicKey::from_spki(parts.read_any()?.raw)?;
    // CSR-1: the attributes must be present and may be empty.
    let attributes = set_of(parts.read(der::CONTEXT_0)?)?;
    parts.finish()?;
    Some((public_key, attributes.iter().map(parse_attribute).collect::<Option<_>>()?))
}

/// Name: SEQUENCE OF SET OF SEQUENCE { OID, any one element }; each SET has a member.
fn check_name(content: &[u8]) -> Option<()> {
    der::elements(content)?.iter().try_for_each(|relative_name| {
        let members = set_of(of_tag(relative_name, der::SET)?)?;
        (!members.is_empty()).then_some(())?;
        members.iter().try_for_each(|member| {
            let mut parts = Reader::new(of_tag(member, der::SEQUENCE)?);
            oid(&mut parts)?;
            parts.read_any()?;
            parts.finish()
        })
    })
}

/// Attribute: SEQUENCE { OID, SET OF any }, with at least one value.
fn parse_attribute<'a>(element: &Element<'a>) -> Option<Attribute<'a>> {
    let mut parts = Reader::new(of_tag(element, der::SEQUENCE)?);
    let oid = oid(&mut parts)?;
    let values = set_of(parts.read(der::SET)?)?;
    parts.finish()?;
    (!values.is_empty()).then_some(Attribute { oid, values })
}

/// The elements of a SET OF, in ascending order (CSR-1).
fn set_of(content: &[u8]) -> Option<Vec<Element<'_>>> {
    // CSR-1: attributes, values and relative names ascend; equal neighbours are allowed.
    der::elements(content).filter(|elements| der::is_ascending(elements))
}

fn oid<'a>(parts: &mut Reader<'a>) -> Option<&'a [u8]> {
    // CSR-1: not empty, minimal subidentifiers, ended.
    parts.read(der::OID).filter(|content| der::is_oid(content))
}

fn of_tag<'a>(element: &Element<'a>, tag: u8) -> Option<&'a [u8]> {
    (element.tag == tag).then_some(element.content)
}

/// The octets of a BIT STRING without unused bits (CSR-2, CSR-3).
fn bit_string(content: &[u8]) -> Option<&[u8]> {
    content.strip_prefix(&[0])
}

/// INTEGER 0.
const VERSION_0: &[u8] = &[0x02, 0x01, 0x00];
/// AlgorithmIdentifier ecdsa-with-SHA256, without parameters (RFC 5758 section 3.2).
const ECDSA_WITH_SHA256: &[u8] = &[0x30, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];

#[cfg(test)]
pub(crate) mod forge;
#[cfg(test)]
mod tests;
