//! `$csr`: a request is taken apart as strict DER and its signature is verified (CSR-1..5, BINDING-2; RFC 2986).

use p256::ecdsa::signature::Verifier as _;
use p256::ecdsa::{Signature, VerifyingKey};
use serde_json::Value;

use super::{Mismatch, answered, octets};
use crate::der::{self, BIT_STRING, Element, INTEGER, OID, SEQUENCE, SET, UTF8};

/// id-ecPublicKey with prime256v1, then the bit string's head (RFC 5480).
const SPKI_HEAD: &[u8] = &[
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86,
    0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
];
/// ecdsa-with-SHA256 without parameters (RFC 5758 3.2).
const ECDSA_SHA256: &[u8] = &[0x30, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
const UNSTRUCTURED_NAME: &str = "1.2.840.113549.1.9.2";

pub(super) fn check(argument: &Value, actual: &Value, path: &str) -> Result<(), Mismatch> {
    let key = octets(argument, "publicKey", "$csr")?;
    let bindings = argument
        .get("bindings")
        .and_then(Value::as_array)
        .and_then(|list| list.iter().map(Value::as_str).collect::<Option<Vec<_>>>())
        .ok_or_else(|| Mismatch::Suite("$csr: bindings is no list of texts".into()))?;
    let csr = answered(actual, path)?;
    let found = read(&csr).map_err(|what| Mismatch::at(path, what))?;
    if found.key != key {
        return Err(Mismatch::at(path, "the request is for another key"));
    }
    if found.bindings != bindings {
        let what = format!("values of unstructuredName: {:?}, expected {bindings:?}", found.bindings);
        return Err(Mismatch::at(path, what));
    }
    Ok(())
}

struct Request {
    key: Vec<u8>,
    bindings: Vec<String>,
}

fn read(csr: &[u8]) -> Result<Request, String> {
    if csr.len() > 4096 {
        return Err(format!("{} octets, over 4096", csr.len()));
    }
    let parts = der::only(csr)?.expect(SEQUENCE, "the request")?.children()?;
    let [info, algorithm, signature] =
        <[Element; 3]>::try_from(parts).map_err(|_| "the request has not three parts")?;
    info.check_below(2)?;
    let members = info.expect(SEQUENCE, "the info")?.children()?;
    let [version, subject, spki, attributes] =
        <[Element; 4]>::try_from(members).map_err(|_| "the info has not four members")?;
    if version.expect(INTEGER, "the version")?.content != [0] {
        return Err("the version is not 0".into());
    }
    check_name(subject)?;
    let key = spki.whole.strip_prefix(SPKI_HEAD).ok_or("the key is no P-256 key as RFC 5480 writes it")?;
    if algorithm.whole != ECDSA_SHA256 {
        return Err("the algorithm is not ecdsa-with-SHA256 without parameters".into());
    }
    let bits = signature.expect(BIT_STRING, "the signature")?.content;
    let value = bits.strip_prefix(&[0]).ok_or("the signature has unused bits")?;
    let signature = Signature::from_der(value).map_err(|_| "the signature is no ECDSA value")?;
    VerifyingKey::from_sec1_bytes(key)
        .map_err(|_| "the key is not on the curve")?
        .verify(info.whole, &signature)
        .map_err(|_| "the signature does not verify with the request's own key")?;
    Ok(Request { key: key.to_vec(), bindings: read_attributes(attributes)? })
}

/// RFC 5280 4.1.2.4: a SEQUENCE of SETs of SEQUENCEs of type and value.
fn check_name(subject: Element<'_>) -> Result<(), String> {
    for set in subject.expect(SEQUENCE, "the subject")?.children()? {
        let pairs = set.expect(SET, "a part of the subject")?.children()?;
        if pairs.is_empty() || !der::in_order(&pairs) {
            return Err("a part of the subject is empty or not in the order of a SET OF".into());
        }
        for pair in pairs {
            let members = pair.expect(SEQUENCE, "an attribute of the subject")?.children()?;
            if members.len() != 2 || members.first().is_none_or(|first| first.tag != OID) {
                return Err("an attribute of the subject is no type and value".into());
            }
        }
    }
    Ok(())
}

/// The texts of every value of unstructuredName.
fn read_attributes(attributes: Element<'_>) -> Result<Vec<String>, String> {
    let list = attributes.expect(0xa0, "the attributes")?.children()?;
    if !der::in_order(&list) {
        return Err("the attributes are not in the order of a SET OF".into());
    }
    let mut bindings = Vec::new();
    for attribute in list {
        let members = attribute.expect(SEQUENCE, "an attribute")?.children()?;
        let [kind, values] =
            <[Element; 2]>::try_from(members).map_err(|_| "an attribute has not two members")?;
        let values = values.expect(SET, "an attribute's values")?.children()?;
        if values.is_empty() || !der::in_order(&values) {
            return Err("an attribute has no values, or not in the order of a SET OF".into());
        }
        if der::dotted(kind.expect(OID, "an attribute's type")?.content) == UNSTRUCTURED_NAME {
            for value in values {
                let text = value.expect(UTF8, "the binding")?.content.to_vec();
                bindings.push(String::from_utf8(text).map_err(|_| "the binding is no UTF-8")?);
            }
        }
    }
    Ok(bindings)
}
