//! The members of an op's input or output, with octets decoded by what they are.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;
use vectors::testkit::{decode_certificate, decode_response};

use super::Page;
use super::octets::{brief as brief_octets, hex, hex_lines, is_text};
use super::tree;

/// What octets are, by the member that holds them (conformance/SHIM.md, the members written `B`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Seal,
    Request,
    Certificate,
    Key,
    Body,
    Signature,
    Document,
    Plain,
}

/// What the octets of a member are; `None` where it is text.
fn kind(op: &str, parents: &[&str], name: &str) -> Option<Kind> {
    let claims = parents.contains(&"claims") || parents.contains(&"sets");
    match name {
        "seal" => Some(Kind::Seal),
        "csr" => Some(Kind::Request),
        "certificateChain" | "commandTrustBundle" | "chain" | "certificate" | "trustBundle" | "der" => {
            Some(Kind::Certificate)
        }
        "spki" | "signingKey" | "key" => Some(Kind::Key),
        "body" => Some(Kind::Body),
        "sig" | "popSig" => Some(Kind::Signature),
        "toml" | "document" | "keyFile" | "input" => Some(Kind::Document),
        "token" if op == "token.parse" => Some(Kind::Plain),
        "secretSha256" | "requestSha256" | "csrSha256" | "leafSha256" | "sha256" | "publicKey" | "raw"
        | "bytes" => Some(Kind::Plain),
        "ip" | "mac" if op.starts_with("signature.") => Some(Kind::Plain),
        "productUuid" | "productSerial" | "boardSerial" | "chassisSerial" | "hostname" | "permanentMacs"
        | "gpuUuids"
            if claims =>
        {
            Some(Kind::Plain)
        }
        _ => None,
    }
}

/// Writes every member of an input or output.
pub(super) fn value(op: &str, value: &Value, page: &mut Page) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (name, value) in members {
                member(op, &[], name, value, 2, page);
            }
        }
        other => page.line(2, &other.to_string()),
    }
}

fn member(op: &str, parents: &[&str], name: &str, value: &Value, indent: usize, page: &mut Page) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            page.line(indent, name);
            let inner: Vec<&str> = parents.iter().copied().chain([name]).collect();
            for (name, value) in members {
                member(op, &inner, name, value, indent + 2, page);
            }
        }
        Value::Array(entries) if !entries.is_empty() => {
            for (at, entry) in entries.iter().enumerate() {
                let label = format!("{name}[{at}]");
                match entry {
                    Value::String(text) => leaf(op, parents, (name, &label), text, indent, page),
                    entry => member(op, &[parents, &[name]].concat(), &label, entry, indent, page),
                }
            }
        }
        Value::String(text) => leaf(op, parents, (name, name), text, indent, page),
        other => page.line(indent, &format!("{name}: {other}")),
    }
}

/// A text: as it is, or the octets that it spells. `names` are the member's and the one shown.
fn leaf(op: &str, parents: &[&str], names: (&str, &str), text: &str, indent: usize, page: &mut Page) {
    let (name, label) = names;
    let decoded = kind(op, parents, name).and_then(|kind| Some((kind, URL_SAFE_NO_PAD.decode(text).ok()?)));
    let Some((kind, octets)) = decoded else {
        return page.line(indent, &format!("{label}: {text:?}"));
    };
    let mut say = |lines: Vec<String>, what: &str| {
        page.line(indent, &format!("{label}: {what}, {} octets", octets.len()));
        lines.iter().for_each(|line| page.line(indent + 2, line));
    };
    match kind {
        Kind::Seal => say(seal(&octets), "a seal"),
        Kind::Request => say(tree::lines(&octets), "a certificate request"),
        Kind::Certificate => say(certificate(&octets), "a certificate"),
        Kind::Key => say(tree::lines(&octets), "a public key"),
        Kind::Body => say(body(op, &octets), "a body"),
        Kind::Signature => say(signature_parts(&octets), "a signature"),
        Kind::Document if is_text(&octets) => {
            say(String::from_utf8_lossy(&octets).split('\n').map(escape).collect(), "a text");
        }
        Kind::Document | Kind::Plain => {
            page.line(indent, &format!("{label}: {}", brief_octets(&octets, 600)))
        }
    }
}

/// Shows a carriage return and a tab as such.
fn escape(line: &str) -> String {
    line.replace('\r', "\\r").replace('\t', "\\t")
}

fn seal(octets: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(octets);
    let names = ["header", "encrypted key", "initialization vector", "ciphertext", "tag"];
    let parts: Vec<&str> = text.split('.').collect();
    let mut lines = Vec::new();
    if parts.len() != names.len() {
        lines.push(format!("{} parts, not five", parts.len()));
    }
    for (at, part) in parts.iter().enumerate() {
        let name = names.get(at).copied().unwrap_or("a further part");
        lines.push(match URL_SAFE_NO_PAD.decode(part) {
            Ok(octets) if at == 0 => format!("{name}: {}", brief_octets(&octets, 2000)),
            Ok(octets) => {
                format!("{name}: {}  ({} octets)", crate::wire::clip(&hex(&octets), 240), octets.len())
            }
            Err(error) => format!("{name}: not base64url ({error}): {}", crate::wire::clip(part, 200)),
        });
    }
    lines
}

fn certificate(octets: &[u8]) -> Vec<String> {
    let view = decode_certificate::certificate(octets);
    if view.get("malformed").is_some() { tree::lines(octets) } else { members(&view) }
}

fn body(op: &str, octets: &[u8]) -> Vec<String> {
    let view = if op.starts_with("deferral") {
        decode_response::deferral(octets)
    } else {
        decode_response::response(octets)
    };
    if view.get("malformed").is_some() { hex_lines(octets) } else { members(&view) }
}

/// JSON in indented lines without its punctuation.
fn members(view: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    match view {
        Value::Object(members) => {
            for (name, value) in members {
                nested(&mut lines, name, value);
            }
        }
        other => lines.push(other.to_string()),
    }
    lines
}

fn nested(lines: &mut Vec<String>, name: &str, value: &Value) {
    match value {
        Value::Object(_) => {
            lines.push(name.into());
            lines.extend(members(value).into_iter().map(|line| format!("  {line}")));
        }
        Value::Array(entries) if entries.iter().any(Value::is_object) => {
            for (at, entry) in entries.iter().enumerate() {
                nested(lines, &format!("{name}[{at}]"), entry);
            }
        }
        other => lines.push(format!("{name}: {other}")),
    }
}

fn signature_parts(octets: &[u8]) -> Vec<String> {
    if octets.len() != 64 {
        return hex_lines(octets);
    }
    let (r, s) = octets.split_at(32);
    vec![
        format!("r {}", hex(r)),
        format!("s {} ({})", hex(s), if signature_is_low(s) { "low" } else { "high" }),
    ]
}

/// Half of the order of P-256 (FIPS 186-5), rounded down.
const HALF_ORDER: [u8; 32] = [
    0x7f, 0xff, 0xff, 0xff, 0x80, 0x00, 0x00, 0x00, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xde,
    0x73, 0x7d, 0x56, 0xd3, 0x8b, 0xcf, 0x42, 0x79, 0xdc, 0xe5, 0x61, 0x7e, 0x31, 0x92, 0xa8,
];

fn signature_is_low(s: &[u8]) -> bool {
    s <= HALF_ORDER.as_slice()
}

/// A value in one line, for comparing two.
pub(super) fn brief(path: &str, value: &Value) -> String {
    let names: Vec<&str> = path.split('/').filter(|name| name.parse::<usize>().is_err()).collect();
    let (name, parents) = names.split_last().map_or(("", &[][..]), |(name, parents)| (*name, parents));
    let octets = value
        .as_str()
        .filter(|_| {
            kind("token.parse", parents, name).is_some() && (name != "token" || parents == ["", "in"])
        })
        .and_then(|text| URL_SAFE_NO_PAD.decode(text).ok());
    match (octets, value) {
        (Some(octets), _) if name == "seal" => seal(&octets).first().cloned().unwrap_or_default(),
        (Some(octets), _) => brief_octets(&octets, 300),
        (None, Value::Null) => "absent, or null".into(),
        (None, value) => crate::wire::clip(&value.to_string(), 300),
    }
}
