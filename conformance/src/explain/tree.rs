//! DER as a tree, right or wrong: what does not parse is shown as octets.

use super::octets::{brief, hex};
use crate::der::{self, Element};

/// What people call the identifiers of this protocol.
const NAMES: [(&str, &str); 14] = [
    ("1.2.840.10045.2.1", "id-ecPublicKey"),
    ("1.2.840.10045.3.1.7", "prime256v1"),
    ("1.2.840.10045.4.3.2", "ecdsa-with-SHA256"),
    ("1.2.840.10045.4.3.3", "ecdsa-with-SHA384"),
    ("1.3.132.0.34", "secp384r1"),
    ("1.2.840.113549.1.1.1", "rsaEncryption"),
    ("1.2.840.113549.1.9.2", "unstructuredName"),
    ("1.2.840.113549.1.9.7", "challengePassword"),
    ("1.2.840.113549.1.9.14", "extensionRequest"),
    ("2.5.4.3", "commonName"),
    ("2.5.4.10", "organizationName"),
    ("2.5.4.11", "organizationalUnitName"),
    ("2.5.29.17", "subjectAltName"),
    ("2.5.29.19", "basicConstraints"),
];

/// The lines of a tree, two blanks a level.
pub(super) fn lines(octets: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    walk(octets, 0, &mut lines);
    lines
}

fn walk(mut octets: &[u8], depth: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    while !octets.is_empty() {
        let before = octets;
        match der::next(&mut octets) {
            Ok(element) if element.tag & 0x20 != 0 && depth < 24 => {
                lines.push(format!("{indent}{}", name(element)));
                walk(element.content, depth + 1, lines);
            }
            Ok(element) => lines.push(format!("{indent}{} {}", name(element), content(element))),
            Err(what) => {
                lines.push(format!("{indent}no DER, {what}: {}", crate::wire::clip(&hex(before), 200)));
                return;
            }
        }
    }
}

fn name(element: Element<'_>) -> String {
    let known = match element.tag {
        0x01 => "BOOLEAN",
        0x02 => "INTEGER",
        0x03 => "BIT STRING",
        0x04 => "OCTET STRING",
        0x05 => "NULL",
        0x06 => "OBJECT IDENTIFIER",
        0x0c => "UTF8String",
        0x13 => "PrintableString",
        0x14 => "TeletexString",
        0x16 => "IA5String",
        0x17 => "UTCTime",
        0x18 => "GeneralizedTime",
        0x1e => "BMPString",
        0x30 => "SEQUENCE",
        0x31 => "SET",
        tag @ 0xa0..=0xbf => return format!("[{}]", tag & 0x1f),
        tag @ 0x80..=0x9f => return format!("[{}]", tag & 0x1f),
        tag => return format!("tag {tag:#04x}"),
    };
    known.into()
}

fn content(element: Element<'_>) -> String {
    match element.tag {
        0x06 => {
            let dotted = der::dotted(element.content);
            let known = NAMES.iter().find(|(oid, _)| *oid == dotted);
            known.map_or_else(|| dotted.clone(), |(_, name)| format!("{name} ({dotted})"))
        }
        0x0c | 0x13 | 0x14 | 0x16 | 0x17 | 0x18 | 0x80..=0x9f => brief(element.content, 160),
        _ => hex(element.content),
    }
}
