//! Seals and requests taken apart for people and for the lint. Nonsense gives less, never a panic.
//!
//! The members are the places that a mutation names: `/in/seal:header.epk.y`, `/in/csr:signature`.

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde_json::{Map, Value, json};

use super::der;

/// The names of a seal's five parts.
const PARTS: [&str; 5] = ["header", "encryptedKey", "iv", "ciphertext", "tag"];

/// A seal: `octets`, `parts` (how many) and, of each part, its text and what it decodes to; `headerText` and,
/// where it is JSON, `header`; the other parts in hex with their lengths.
#[must_use]
pub fn seal(bytes: &[u8]) -> Value {
    let text = String::from_utf8_lossy(bytes);
    let texts: Vec<&str> = text.split('.').collect();
    let mut view = json!({"octets": bytes.len(), "parts": texts.len()});
    if texts.len() != PARTS.len() {
        view["text"] = text.as_ref().into();
        return view;
    }
    for (name, text) in PARTS.into_iter().zip(texts) {
        let Some(octets) = lenient(text) else {
            view[name] = json!({"text": text});
            continue;
        };
        if name == "header" {
            view["header"] = serde_json::from_slice(&octets).unwrap_or(Value::Null);
            view["headerText"] = String::from_utf8_lossy(&octets).into();
        } else {
            view[name] = json!({"octets": octets.len(), "hex": hex::encode(&octets), "text": text});
        }
    }
    view
}

/// A request: `octets`; `version`, `subject`, `publicKey`, `attributes`, `algorithm`, `signature` as far as they
/// can be told apart; `trailing`, what stands after it.
#[must_use]
pub fn csr(bytes: &[u8]) -> Value {
    let mut view = Map::from_iter([("octets".to_owned(), bytes.len().into())]);
    let Some((outer, trailing)) = element(bytes) else {
        view.insert("hex".into(), hex::encode(bytes).into());
        return view.into();
    };
    if !trailing.is_empty() {
        view.insert("trailing".into(), hex::encode(trailing).into());
    }
    let parts = elements(outer.content);
    let info = parts.first().map(|info| elements(info.content)).unwrap_or_default();
    let mut put = |name: &str, found: Option<&Element<'_>>, show: fn(&Element<'_>) -> Value| {
        if let Some(element) = found {
            view.insert(name.into(), show(element));
        }
    };
    put("version", info.first(), |version| hex::encode(version.whole).into());
    put("subject", info.get(1), subject);
    put("publicKey", info.get(2), public_key);
    put("attributes", info.get(3), attributes);
    put("algorithm", parts.get(1), algorithm);
    put("signature", parts.get(2), signature);
    put("rest", parts.get(3), |rest| hex::encode(rest.whole).into());
    view.into()
}

/// One element: its identifier octet, its content, and all of it.
#[derive(Clone, Copy)]
struct Element<'a> {
    tag: u8,
    content: &'a [u8],
    whole: &'a [u8],
}

/// The first element and what follows it; any definite length is read.
fn element(octets: &[u8]) -> Option<(Element<'_>, &[u8])> {
    let (&tag, rest) = octets.split_first()?;
    let (&first, mut rest) = rest.split_first()?;
    let mut length = usize::from(first);
    if first >= 0x80 {
        let (digits, after) =
            rest.split_at_checked(usize::from(first & 0x7f)).filter(|(d, _)| !d.is_empty())?;
        length =
            digits.iter().try_fold(0usize, |sum, &digit| Some(sum.checked_mul(256)? + usize::from(digit)))?;
        rest = after;
    }
    let (content, after) = rest.split_at_checked(length)?;
    let (whole, _) = octets.split_at(octets.len() - after.len());
    Some((Element { tag, content, whole }, after))
}

fn elements(mut octets: &[u8]) -> Vec<Element<'_>> {
    let mut out = Vec::new();
    while let Some((found, rest)) = element(octets) {
        out.push(found);
        octets = rest;
    }
    out
}

fn subject(name: &Element<'_>) -> Value {
    let pairs = |set: &Element<'_>| elements(set.content).iter().map(pair).collect::<Vec<_>>();
    json!({"hex": hex::encode(name.whole), "names": elements(name.content).iter().map(pairs).collect::<Vec<_>>()})
}

fn public_key(spki: &Element<'_>) -> Value {
    let parts = elements(spki.content);
    json!({
        "hex": hex::encode(spki.whole),
        "algorithm": parts.first().map(algorithm),
        "key": parts.get(1).map(|key| hex::encode(key.content)),
    })
}

fn attributes(field: &Element<'_>) -> Value {
    json!({"hex": hex::encode(field.whole), "list": elements(field.content).iter().map(pair).collect::<Vec<_>>()})
}

fn algorithm(identifier: &Element<'_>) -> Value {
    let parts = elements(identifier.content);
    json!({
        "hex": hex::encode(identifier.whole),
        "oid": parts.first().map(|oid| dotted(oid.content)),
        "parameters": parts.get(1).map(|parameters| hex::encode(parameters.whole)),
    })
}

fn signature(bits: &Element<'_>) -> Value {
    let numbers = bits.content.split_first().and_then(|(_, value)| element(value));
    let numbers = numbers.map(|(sequence, _)| elements(sequence.content)).unwrap_or_default();
    let number = |at: usize| numbers.get(at).map(|number| hex::encode(number.content));
    json!({"hex": hex::encode(bits.whole), "r": number(0), "s": number(1)})
}

/// A type and its value or values: an attribute of the request or of a name.
fn pair(sequence: &Element<'_>) -> Value {
    let parts = elements(sequence.content);
    let values = match parts.get(1) {
        Some(set) if set.tag == der::SET => elements(set.content),
        Some(value) => vec![*value],
        None => Vec::new(),
    };
    json!({
        "type": parts.first().map(|oid| dotted(oid.content)),
        "values": values.iter().map(value).collect::<Vec<_>>(),
    })
}

fn value(element: &Element<'_>) -> Value {
    let texts = [der::UTF8, der::PRINTABLE, der::IA5];
    let text = std::str::from_utf8(element.content).ok().filter(|_| texts.contains(&element.tag));
    text.map_or_else(|| hex::encode(element.whole), |text| format!("{:02x} {text}", element.tag)).into()
}

fn dotted(content: &[u8]) -> String {
    let (mut arcs, mut arc) = (Vec::new(), 0u128);
    for &octet in content {
        arc = (arc << 7) | u128::from(octet & 0x7f);
        if octet < 0x80 {
            if arcs.is_empty() {
                let first = (arc / 40).min(2);
                arcs.push(first);
                arc -= first * 40;
            }
            arcs.push(arc);
            arc = 0;
        }
    }
    arcs.iter().map(u128::to_string).collect::<Vec<_>>().join(".")
}

/// Octets of a base64url text that may have padding or unused bits.
fn lenient(text: &str) -> Option<Vec<u8>> {
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    GeneralPurpose::new(&URL_SAFE, config).decode(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::keys::key;
    use crate::testkit::{csr as request, seal as builder};

    #[test]
    fn a_seal_shows_its_header_and_the_lengths_of_its_parts() {
        let sealed = builder::honest("decode", &key("decode"), "plaintext", b"csr", 7);
        let view = seal(sealed.text().as_bytes());
        assert_eq!(view["header"]["iat"], 7);
        let lengths = ["encryptedKey", "iv", "ciphertext", "tag"].map(|part| view[part]["octets"].clone());
        assert_eq!(lengths, [40, 12, 9, 16].map(Value::from));
        let padded = sealed.text().replacen('.', "=.", 2);
        assert_eq!(seal(padded.as_bytes())["header"]["iat"], 7);
    }

    #[test]
    fn a_request_shows_its_parts() {
        let value = der::tlv(der::UTF8, "hello");
        let made = request::honest(&key("decode")).attribute(request::UNSTRUCTURED_NAME, &[&value]);
        let view = csr(&made.der());
        assert_eq!(view["version"], "020100");
        assert_eq!(view["publicKey"]["algorithm"]["oid"], "1.2.840.10045.2.1");
        assert_eq!(view["algorithm"]["oid"], request::ECDSA_SHA256);
        let attribute = json!({"type": request::UNSTRUCTURED_NAME, "values": ["0c hello"]});
        assert_eq!(view["attributes"]["list"], json!([attribute]));
        assert!(view["signature"]["r"].is_string());
    }

    proptest::proptest! {
        #[test]
        fn nonsense_never_panics(bytes: Vec<u8>, cut in 0usize..200, flip in 0usize..200) {
            let _ = seal(&bytes);
            let _ = csr(&bytes);
            let mut made = request::honest(&key("decode")).der();
            if let Some(octet) = made.get_mut(flip) { *octet ^= 0x81; }
            made.truncate(cut);
            let _ = csr(&made);
        }
    }
}
