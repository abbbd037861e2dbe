//! A strict reader of X.509 certificates (RFC 5280 section 4.1) for the client's checks (RESPONSE-4) and for the
//! published signing certificate (WELLKNOWN-1).
//!
//! It takes a certificate apart and judges its form alone. Who trusts it for what is the caller's business.

use crate::der::{self, Element, Reader};
use crate::limits::DER_DEPTH_MAX;
use crate::p256::{self, PublicKey};
use crate::signature;

mod validity;

use validity::instant_s;
pub(crate) use validity::write_instant;

/// A certificate whose form is right. Nothing about it is trusted yet.
#[derive(Clone, Debug)]
pub struct Certificate<'a> {
    /// The whole certificate as received.
    pub der: &'a [u8],
    /// The serial number's content octets.
    pub serial: &'a [u8],
    /// The issuer's name, DER.
    pub issuer: &'a [u8],
    /// The subject's name, DER.
    pub subject: &'a [u8],
    /// notBefore in whole seconds since 1970.
    pub not_before_s: i64,
    /// notAfter in whole seconds since 1970.
    pub not_after_s: i64,
    /// The SubjectPublicKeyInfo, DER; of any algorithm.
    pub spki: &'a [u8],
    extensions: Vec<Extension<'a>>,
    to_be_signed: &'a [u8],
    algorithm: &'a [u8],
    signature: &'a [u8],
}

/// One name of a subjectAltName.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubjectAltName<'a> {
    /// A uniformResourceIdentifier.
    Uri(&'a str),
    /// A name of any other kind.
    Other,
}

#[derive(Clone, Copy, Debug)]
struct Extension<'a> {
    oid: &'a [u8],
    value: &'a [u8],
}

impl<'a> Certificate<'a> {
    /// Reads one certificate in strict DER with nothing after it, at most 16 levels deep. `None` for anything else.
    #[must_use]
    pub fn read(octets: &'a [u8]) -> Option<Self> {
        let outer = der::single(octets, DER_DEPTH_MAX).filter(|element| element.tag == der::SEQUENCE)?;
        let mut reader = Reader::new(outer.content);
        let info = read_tagged(&mut reader, der::SEQUENCE)?;
        let algorithm = read_algorithm(&mut reader)?;
        let signature = read_bit_string(&mut reader)?;
        reader.finish()?;

        let mut fields = Reader::new(info.content);
        let version = read_version(&mut fields)?;
        let serial = fields.read(der::INTEGER).filter(|content| is_integer(content))?;
        // RFC 5280 section 4.1.1.2: the algorithm inside is the one outside.
        (read_algorithm(&mut fields)? == algorithm).then_some(())?;
        let issuer = read_name(&mut fields)?;
        let mut validity = Reader::new(fields.read(der::SEQUENCE)?);
        let not_before_s = instant_s(validity.read_any()?)?;
        let not_after_s = instant_s(validity.read_any()?)?;
        validity.finish()?;
        let subject = read_name(&mut fields)?;
        let spki = read_spki(&mut fields)?;
        let extensions = read_tail(&mut fields, version)?;
        Some(Self {
            der: octets,
            serial,
            issuer,
            subject,
            not_before_s,
            not_after_s,
            spki,
            extensions,
            to_be_signed: info.raw,
            algorithm,
            signature,
        })
    }

    /// The certified key, if it is on P-256.
    #[must_use]
    pub fn public_key(&self) -> Option<PublicKey> {
        PublicKey::from_spki(self.spki)
    }

    /// Whether issuer and subject are equal, octet for octet.
    #[must_use]
    pub fn is_self_issued(&self) -> bool {
        self.issuer == self.subject
    }

    /// Whether `issuer` signed this certificate: ecdsa-with-SHA256 by a key on P-256 (RFC 5758 section 3.2). Names are
    /// not looked at. A high s is accepted.
    #[must_use]
    pub fn is_signed_by(&self, issuer: &PublicKey) -> bool {
        self.algorithm == ECDSA_WITH_SHA256
            && p256::signature_from_der(self.signature)
                .is_some_and(|signature| signature::verifies(issuer, self.to_be_signed, &signature))
    }

    /// The subjectKeyIdentifier; `None` when it is absent or malformed (RFC 5280 section 4.2.1.2).
    #[must_use]
    pub fn subject_key_identifier(&self) -> Option<&'a [u8]> {
        let extension = self.extensions.iter().find(|extension| extension.oid == SUBJECT_KEY_IDENTIFIER)?;
        let outer = der::single(extension.value, DER_DEPTH_MAX)?;
        (outer.tag == OCTET_STRING && !outer.content.is_empty()).then_some(outer.content)
    }

    /// The names of subjectAltName in their order; none when the extension is absent. `None` when it is malformed.
    #[must_use]
    pub fn subject_alt_names(&self) -> Option<Vec<SubjectAltName<'a>>> {
        let Some(extension) = self.extensions.iter().find(|extension| extension.oid == SUBJECT_ALT_NAME)
        else {
            return Some(Vec::new());
        };
        let outer =
            der::single(extension.value, DER_DEPTH_MAX).filter(|element| element.tag == der::SEQUENCE)?;
        let names = der::elements(outer.content)?;
        // RFC 5280 section 4.2.1.6: SIZE (1..MAX).
        (!names.is_empty()).then_some(())?;
        names.into_iter().map(subject_alt_name).collect()
    }
}

fn subject_alt_name(name: Element<'_>) -> Option<SubjectAltName<'_>> {
    if name.tag != URI {
        return Some(SubjectAltName::Other);
    }
    let text = std::str::from_utf8(name.content).ok().filter(|text| text.is_ascii())?;
    Some(SubjectAltName::Uri(text))
}

fn read_tagged<'a>(reader: &mut Reader<'a>, tag: u8) -> Option<Element<'a>> {
    reader.read_any().filter(|element| element.tag == tag)
}

/// The content of an AlgorithmIdentifier: an OID, and parameters that are any one element or absent.
fn read_algorithm<'a>(reader: &mut Reader<'a>) -> Option<&'a [u8]> {
    let content = reader.read(der::SEQUENCE)?;
    let mut parts = Reader::new(content);
    der::is_oid(parts.read(der::OID)?).then_some(())?;
    if !parts.is_empty() {
        parts.read_any()?;
    }
    parts.finish()?;
    Some(content)
}

/// The octets of a BIT STRING without unused bits.
fn read_bit_string<'a>(reader: &mut Reader<'a>) -> Option<&'a [u8]> {
    reader.read(der::BIT_STRING)?.strip_prefix(&[0])
}

/// The version's number, 0 for v1. DER leaves out the default, so an explicit v1 is malformed.
fn read_version(fields: &mut Reader<'_>) -> Option<u8> {
    let mut ahead = fields.clone();
    if ahead.read_any()?.tag != der::CONTEXT_0 {
        return Some(0);
    }
    match fields.read(der::CONTEXT_0)? {
        [der::INTEGER, 1, version @ 1..=2] => Some(*version),
        _ => None,
    }
}

/// An INTEGER of any sign in its shortest form (X.690 section 8.3.2).
fn is_integer(content: &[u8]) -> bool {
    match content {
        [] => false,
        [first, second, ..] => !matches!((first, second & 0x80), (0x00, 0x00) | (0xff, 0x80)),
        [_] => true,
    }
}

/// A Name: SEQUENCE OF SET OF SEQUENCE { OID, any }, as raw DER.
fn read_name<'a>(reader: &mut Reader<'a>) -> Option<&'a [u8]> {
    let name = read_tagged(reader, der::SEQUENCE)?;
    for set in der::elements(name.content)? {
        let members = der::elements(set.content)?;
        (set.tag == der::SET && !members.is_empty() && der::is_ascending(&members)).then_some(())?;
        for member in members {
            let mut attribute = Reader::new(member.content);
            (member.tag == der::SEQUENCE && der::is_oid(attribute.read(der::OID)?)).then_some(())?;
            attribute.read_any()?;
            attribute.finish()?;
        }
    }
    Some(name.raw)
}

fn read_spki<'a>(reader: &mut Reader<'a>) -> Option<&'a [u8]> {
    let spki = read_tagged(reader, der::SEQUENCE)?;
    let mut parts = Reader::new(spki.content);
    read_algorithm(&mut parts)?;
    read_bit_string(&mut parts)?;
    parts.finish()?;
    Some(spki.raw)
}

/// The unique ids, which nobody reads, and the extensions: version 2 or 3 for the first, 3 for the second.
fn read_tail<'a>(fields: &mut Reader<'a>, version: u8) -> Option<Vec<Extension<'a>>> {
    let mut last_tag = 0;
    let mut extensions = Vec::new();
    while !fields.is_empty() {
        let element = fields.read_any()?;
        // In ascending order, so each at most once.
        (element.tag & TAG_NUMBER > last_tag).then_some(())?;
        last_tag = element.tag & TAG_NUMBER;
        match element.tag {
            ISSUER_UNIQUE_ID | SUBJECT_UNIQUE_ID if version >= 1 => {}
            EXTENSIONS if version == 2 => extensions = read_extensions(element.content)?,
            _ => return None,
        }
    }
    Some(extensions)
}

fn read_extensions(content: &[u8]) -> Option<Vec<Extension<'_>>> {
    let mut wrapper = Reader::new(content);
    let list = der::elements(wrapper.read(der::SEQUENCE)?)?;
    wrapper.finish()?;
    (!list.is_empty()).then_some(())?;
    let mut extensions: Vec<Extension<'_>> = Vec::with_capacity(list.len());
    for element in list {
        let extension = read_extension(element)?;
        // RFC 5280 section 4.2: no extension occurs twice.
        (!extensions.iter().any(|earlier| earlier.oid == extension.oid)).then_some(())?;
        extensions.push(extension);
    }
    Some(extensions)
}

fn read_extension(element: Element<'_>) -> Option<Extension<'_>> {
    let mut parts = Reader::new((element.tag == der::SEQUENCE).then_some(element.content)?);
    let oid = parts.read(der::OID).filter(|oid| der::is_oid(oid))?;
    let mut next = parts.read_any()?;
    if next.tag == BOOLEAN {
        // DER leaves out the default FALSE and writes TRUE as ff (X.690 sections 11.1 and 11.5).
        (next.content == [0xff]).then_some(())?;
        next = parts.read_any()?;
    }
    parts.finish()?;
    (next.tag == OCTET_STRING).then_some(Extension { oid, value: next.content })
}

/// AlgorithmIdentifier content of ecdsa-with-SHA256, 1.2.840.10045.4.3.2, without parameters.
const ECDSA_WITH_SHA256: &[u8] = &[0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
/// 2.5.29.14
const SUBJECT_KEY_IDENTIFIER: &[u8] = &[0x55, 0x1d, 0x0e];
/// 2.5.29.17
const SUBJECT_ALT_NAME: &[u8] = &[0x55, 0x1d, 0x11];
const BOOLEAN: u8 = 0x01;
const OCTET_STRING: u8 = 0x04;
/// \[6\] of GeneralName, IA5String.
const URI: u8 = 0x86;
const ISSUER_UNIQUE_ID: u8 = 0x81;
const SUBJECT_UNIQUE_ID: u8 = 0x82;
const EXTENSIONS: u8 = 0xa3;
const TAG_NUMBER: u8 = 0x1f;

#[cfg(test)]
pub(crate) mod fixture;
#[cfg(test)]
mod tests;
