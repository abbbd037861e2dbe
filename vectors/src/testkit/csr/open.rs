//! A request judged by CSR-1 to CSR-3, by code of its own: how the judge looks at requests that clients make.

use p256::PublicKey;
use p256::ecdsa::signature::Verifier as _;
use p256::ecdsa::{Signature, VerifyingKey};
use serde_json::Value;

use super::{BINDING_PREFIX, ECDSA_SHA256, UNSTRUCTURED_NAME};
use crate::testkit::der;
use crate::testkit::encode::b64u;

/// What a right request holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The point, 65 octets.
    pub public_key: Vec<u8>,
    /// The values of unstructuredName that begin as the binding does, each a whole element.
    pub bindings: Vec<Vec<u8>>,
}

/// Whether a request is right and is what `{"publicKey", "bindings"?}` asks for: by that key (65 octets in
/// base64url) and, where `bindings` is there, with exactly these texts bound, each a UTF8String.
///
/// # Errors
/// A sentence: what is wrong with the request.
pub fn matches(expected: &Value, csr: &[u8]) -> Result<(), String> {
    let opened = open(csr)?;
    if expected["publicKey"] != *b64u(&opened.public_key) {
        return Err("the key is another one".into());
    }
    let Some(texts) = expected.get("bindings") else { return Ok(()) };
    let texts = texts.as_array().into_iter().flatten().map(|text| text.as_str().unwrap_or_default());
    let wanted: Vec<Vec<u8>> = texts.map(|text| der::tlv(der::UTF8, text)).collect();
    if opened.bindings != wanted {
        return Err(format!(
            "{} values bind the request, not the {} expected",
            opened.bindings.len(),
            wanted.len()
        ));
    }
    Ok(())
}

/// Takes a request apart by CSR-1, CSR-2 and CSR-3.
///
/// # Errors
/// A sentence: what is wrong with the request.
pub fn open(csr: &[u8]) -> Result<Opened, String> {
    if csr.len() > 4096 {
        return Err(format!("{} octets, over 4096", csr.len()));
    }
    let [info, algorithm, signature] = children(one(csr, 1)?, der::SEQUENCE, "request", 2)?;
    let [version, subject, spki, attributes] = children(info, der::SEQUENCE, "info", 3)?;
    if version.whole != [2, 1, 0] {
        return Err("the version is not 0".into());
    }
    check_subject(subject)?;
    let bindings = check_attributes(attributes)?;
    let (public_key, key) = check_key(spki)?;
    if algorithm.whole != der::sequence(&[&der::oid(ECDSA_SHA256)]) {
        return Err("the algorithm is not ecdsa-with-SHA256 without parameters".into());
    }
    let value = bits(signature, "signature")?;
    let value = Signature::from_der(value).map_err(|_| "the signature is not two minimal numbers 1..=n-1")?;
    let verifier = VerifyingKey::from(key);
    verifier.verify(info.whole, &value).map_err(|_| "the signature does not hold")?;
    Ok(Opened { public_key, bindings })
}

#[derive(Clone, Copy, Debug)]
struct Element<'a> {
    tag: u8,
    content: &'a [u8],
    whole: &'a [u8],
}

/// The one well-formed element that these octets are; `level` is its own.
fn one(octets: &[u8], level: usize) -> Result<Element<'_>, String> {
    let (element, rest) = first(octets, level)?;
    if rest.is_empty() { Ok(element) } else { Err(format!("{} octets behind an element", rest.len())) }
}

fn first(octets: &[u8], level: usize) -> Result<(Element<'_>, &[u8]), String> {
    if level > 16 {
        return Err("nested deeper than 16".into());
    }
    let [tag, length, ..] = *octets else { return Err("an element is cut off".into()) };
    if tag & 0x1f == 0x1f {
        return Err("a tag number over 30".into());
    }
    let digits = if length < 0x80 { 0 } else { usize::from(length & 0x7f) };
    let (head, rest) = octets.split_at_checked(2 + digits).ok_or("a length is cut off")?;
    let (_, digits) = head.split_at(2);
    let length = match digits {
        [] if length < 0x80 => usize::from(length),
        [first, ..] if *first != 0 && digits.len() <= 2 => {
            digits.iter().fold(0, |sum, &digit| sum << 8 | usize::from(digit))
        }
        _ => return Err("a length is indefinite, padded or too large".into()),
    };
    if !digits.is_empty() && length < 0x80 {
        return Err("a length is not minimal".into());
    }
    let (content, after) = rest.split_at_checked(length).ok_or("a length says more than is there")?;
    let (whole, _) = octets.split_at(octets.len() - after.len());
    if tag & 0x20 != 0 {
        all(content, level + 1)?;
    }
    Ok((Element { tag, content, whole }, after))
}

fn all(mut octets: &[u8], level: usize) -> Result<Vec<Element<'_>>, String> {
    let mut out = Vec::new();
    while !octets.is_empty() {
        let (element, rest) = first(octets, level)?;
        out.push(element);
        octets = rest;
    }
    Ok(out)
}

fn children<'a, const N: usize>(
    element: Element<'a>,
    tag: u8,
    what: &str,
    level: usize,
) -> Result<[Element<'a>; N], String> {
    if element.tag != tag {
        return Err(format!("{what}: tag {:02x}, not {tag:02x}", element.tag));
    }
    let parts = all(element.content, level)?;
    <[Element<'_>; N]>::try_from(parts).map_err(|parts| format!("{what}: {} parts, not {N}", parts.len()))
}

/// The members of a SET OF in DER's order; at least one where `is_filled`.
fn members<'a>(set: Element<'a>, tag: u8, is_filled: bool, level: usize) -> Result<Vec<Element<'a>>, String> {
    let parts = all(set.content, level)?;
    if set.tag != tag || (is_filled && parts.is_empty()) {
        return Err("no SET, or an empty one".into());
    }
    if !parts.is_sorted_by_key(|part| part.whole) {
        return Err("a SET OF is not in DER's order".into());
    }
    Ok(parts)
}

fn check_oid(element: Element<'_>) -> Result<(), String> {
    let starts = std::iter::once(&0).chain(element.content).zip(element.content);
    let is_padded = starts.clone().any(|(before, octet)| *before < 0x80 && *octet == 0x80);
    let is_ended = element.content.last().is_some_and(|last| *last < 0x80);
    if element.tag == der::OID && is_ended && !is_padded { Ok(()) } else { Err("a malformed OID".into()) }
}

fn check_subject(subject: Element<'_>) -> Result<(), String> {
    if subject.tag != der::SEQUENCE {
        return Err("the subject is no SEQUENCE".into());
    }
    for set in all(subject.content, 4)? {
        for attribute in members(set, der::SET, true, 5)? {
            let [oid, _] = children(attribute, der::SEQUENCE, "subject", 6)?;
            check_oid(oid)?;
        }
    }
    Ok(())
}

/// The values of unstructuredName that begin as the binding does.
fn check_attributes(field: Element<'_>) -> Result<Vec<Vec<u8>>, String> {
    let mut bindings = Vec::new();
    for attribute in members(field, 0xa0, false, 4)? {
        let [oid, set] = children(attribute, der::SEQUENCE, "attribute", 5)?;
        check_oid(oid)?;
        for value in members(set, der::SET, true, 6)? {
            if oid.whole == der::oid(UNSTRUCTURED_NAME)
                && value.content.starts_with(BINDING_PREFIX.as_bytes())
            {
                bindings.push(value.whole.to_vec());
            }
        }
    }
    Ok(bindings)
}

fn check_key(spki: Element<'_>) -> Result<(Vec<u8>, PublicKey), String> {
    let [algorithm, key] = children(spki, der::SEQUENCE, "public key", 4)?;
    let right = der::sequence(&[&der::oid("1.2.840.10045.2.1"), &der::oid("1.2.840.10045.3.1.7")]);
    if algorithm.whole != right {
        return Err("the key's algorithm is not id-ecPublicKey with prime256v1".into());
    }
    let point = bits(key, "public key")?;
    if point.len() != 65 || point.first() != Some(&4) {
        return Err("the point is not uncompressed".into());
    }
    let key = PublicKey::from_sec1_bytes(point).map_err(|_| "the point is not on the curve")?;
    Ok((point.to_vec(), key))
}

/// The octets of a BIT STRING without unused bits.
fn bits<'a>(element: Element<'a>, what: &str) -> Result<&'a [u8], String> {
    match element.content.split_first() {
        Some((0, octets)) if element.tag == der::BIT_STRING => Ok(octets),
        _ => Err(format!("{what}: no BIT STRING of whole octets")),
    }
}
