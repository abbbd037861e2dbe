//! The certificate profile of a node, field by field (CERTIFICATE-1 to CERTIFICATE-4), under the world's node CA.

use p256::ecdsa::signature::Verifier as _;
use p256::ecdsa::{Signature, VerifyingKey};
use serde_json::{Value, json};
use vectors::testkit::encode::b64u;
use vectors::testkit::world::instant_ms;

use crate::der::{self, BIT_STRING, Element, INTEGER, OID, SEQUENCE, SET, UTF8};

/// ecdsa-with-SHA256 without parameters (RFC 5758 3.2).
const ECDSA_SHA256: &[u8] = &[0x30, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
/// A P-256 SubjectPublicKeyInfo up to its point (RFC 5480).
const SPKI_HEAD: &[u8] = &[
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86,
    0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
];
const SUBJECT_KEY: &str = "2.5.29.14";
const KEY_USAGE: &str = "2.5.29.15";
const SUBJECT_ALT_NAME: &str = "2.5.29.17";
const BASIC_CONSTRAINTS: &str = "2.5.29.19";
const AUTHORITY_KEY: &str = "2.5.29.35";
const EXTENDED_KEY_USAGE: &str = "2.5.29.37";
/// clientAuth alone (RFC 5280 4.2.1.12).
const CLIENT_AUTH: &[u8] = &[0x30, 0x0a, 0x06, 0x08, 0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x02];

/// A certificate as far as the profile goes.
struct Parsed<'a> {
    tbs: Element<'a>,
    version: &'a [u8],
    serial: &'a [u8],
    algorithms: [&'a [u8]; 2],
    issuer: &'a [u8],
    validity: [i64; 2],
    subject: Element<'a>,
    spki: &'a [u8],
    extensions: Vec<Extension<'a>>,
    signature: &'a [u8],
}

struct Extension<'a> {
    oid: String,
    critical: bool,
    value: &'a [u8],
}

/// Checks a leaf against the profile and its issuer, and gives what a case compares: `serial`, `notBefore`, `notAfter`,
/// `role`, `key` (the point), `spiffe`, `statements`.
///
/// # Errors
/// The field that is not as the profile has it.
pub(super) fn check(leaf: &[u8], issuer: &[u8]) -> Result<Value, String> {
    let parsed = parse(leaf)?;
    let issuer = parse(issuer).map_err(|what| format!("the world's issuer: {what}"))?;
    demand(parsed.version == [0x02, 0x01, 0x02], "version: not 3")?;
    let first = parsed.serial.first().copied().unwrap_or_default();
    let is_serial = parsed.serial.len() == 16 && (0x01..=0x7f).contains(&first);
    demand(is_serial, "serialNumber: not 16 octets of which the first is 01..7f")?;
    demand(parsed.algorithms == [ECDSA_SHA256; 2], "signature: not ecdsa-with-SHA256")?;
    demand(parsed.issuer == issuer.subject.whole, "issuer: not the issuer's subject, octet for octet")?;
    demand(parsed.validity[1] <= issuer.validity[1], "notAfter: past the issuer's")?;
    demand(signed_by(&parsed, issuer.spki), "the signature is not the issuer's")?;
    let point = parsed.spki.strip_prefix(SPKI_HEAD).ok_or("subjectPublicKeyInfo: no P-256 key")?;
    let names = extensions(&parsed, &issuer)?;
    let (spiffe, statements) = names.split_first().ok_or("subjectAltName: no name")?;
    demand(spiffe.starts_with("spiffe://"), "subjectAltName: the first is no SPIFFE URI")?;
    demand(
        statements.iter().all(|name| name.starts_with("urn:bc:")),
        "subjectAltName: more than SPIFFE ID and statements",
    )?;
    Ok(json!({
        "serial": hex(parsed.serial), "notBefore": instant_ms(parsed.validity[0]),
        "notAfter": instant_ms(parsed.validity[1]), "role": role(parsed.subject)?, "key": b64u(point),
        "spiffe": spiffe, "statements": statements,
    }))
}

/// Whether issuer and subject of a certificate are one name, so that it stands in no chain (RESPONSE-4).
///
/// # Errors
/// It is no certificate.
pub(super) fn is_self_issued(certificate: &[u8]) -> Result<bool, String> {
    let parsed = parse(certificate).map_err(|what| format!("the world's issuer: {what}"))?;
    Ok(parsed.issuer == parsed.subject.whole)
}

fn demand(holds: bool, otherwise: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise.into()) }
}

fn hex(octets: &[u8]) -> String {
    octets.iter().map(|octet| format!("{octet:02x}")).collect()
}

fn parse(certificate: &[u8]) -> Result<Parsed<'_>, String> {
    let whole = der::only(certificate)?;
    whole.check_below(1)?;
    let parts = whole.expect(SEQUENCE, "the certificate")?.children()?;
    let [tbs, outer, signature] =
        <[Element<'_>; 3]>::try_from(parts).map_err(|_| "the certificate has not three parts")?;
    let fields = tbs.expect(SEQUENCE, "tbsCertificate")?.children()?;
    let [version, serial, inner, issuer, validity, subject, spki, extensions] =
        <[Element<'_>; 8]>::try_from(fields).map_err(|_| "tbsCertificate has not eight fields")?;
    let times = validity.expect(SEQUENCE, "validity")?.children()?;
    let [not_before, not_after] =
        <[Element<'_>; 2]>::try_from(times).map_err(|_| "validity has not two times")?;
    let signature = signature.expect(BIT_STRING, "signatureValue")?.content;
    Ok(Parsed {
        tbs,
        version: version.expect(0xa0, "version")?.content,
        serial: serial.expect(INTEGER, "serialNumber")?.content,
        algorithms: [inner.whole, outer.whole],
        issuer: issuer.expect(SEQUENCE, "issuer")?.whole,
        validity: [time(not_before)?, time(not_after)?],
        subject: subject.expect(SEQUENCE, "subject")?,
        spki: spki.expect(SEQUENCE, "subjectPublicKeyInfo")?.whole,
        extensions: listed(extensions.expect(0xa3, "extensions")?)?,
        signature: signature.strip_prefix(&[0]).ok_or("signatureValue: unused bits")?,
    })
}

fn listed(field: Element<'_>) -> Result<Vec<Extension<'_>>, String> {
    let list = der::only(field.content)?.expect(SEQUENCE, "extensions")?.children()?;
    list.into_iter().map(extension).collect()
}

fn extension(element: Element<'_>) -> Result<Extension<'_>, String> {
    let parts = element.expect(SEQUENCE, "an extension")?.children()?;
    let (oid, critical, value) = match parts.as_slice() {
        [oid, value] => (oid, false, value),
        // DER writes a default nowhere: what stands there is TRUE (X.690 11.5).
        [oid, critical, value] if critical.whole == [0x01, 0x01, 0xff] => (oid, true, value),
        _ => return Err("an extension is not oid, critical, value".into()),
    };
    Ok(Extension {
        oid: der::dotted(oid.expect(OID, "an extension")?.content),
        critical,
        value: value.expect(0x04, "an extension")?.content,
    })
}

/// UTCTime through 2049, GeneralizedTime from 2050 (RFC 5280 4.1.2.5); whole seconds since 1970.
fn time(element: Element<'_>) -> Result<i64, String> {
    let text = std::str::from_utf8(element.content).map_err(|_| "a time is no text")?;
    let full = match (element.tag, text.len()) {
        (0x17, 13) if text.starts_with(['5', '6', '7', '8', '9']) => format!("19{text}"),
        (0x17, 13) => format!("20{text}"),
        (0x18, 15) if text >= "2050" => text.into(),
        _ => return Err(format!("a time is not as RFC 5280 has it: {text}")),
    };
    let part = |from: usize, to: usize| full.get(from..to).unwrap_or_default();
    let spelled = format!(
        "{}-{}-{}T{}:{}:{}{}",
        part(0, 4),
        part(4, 6),
        part(6, 8),
        part(8, 10),
        part(10, 12),
        part(12, 14),
        part(14, 15)
    );
    let instant = spelled.parse::<jiff::Timestamp>().map_err(|_| format!("no time: {text}"))?;
    Ok(instant.as_second())
}

fn signed_by(parsed: &Parsed<'_>, issuer: &[u8]) -> bool {
    let key = issuer.strip_prefix(SPKI_HEAD).and_then(|point| VerifyingKey::from_sec1_bytes(point).ok());
    let signature = Signature::from_der(parsed.signature).ok();
    key.zip(signature).is_some_and(|(key, signature)| key.verify(parsed.tbs.whole, &signature).is_ok())
}

/// CERTIFICATE-3: one RDN with one attribute.
fn role(subject: Element<'_>) -> Result<String, String> {
    let wrong = || String::from("subject: not exactly OU=bc-role:<role> as UTF8String");
    let [rdn] = <[Element<'_>; 1]>::try_from(subject.children()?).map_err(|_| wrong())?;
    let pairs = rdn.expect(SET, "subject")?.children()?;
    let [pair] = <[Element<'_>; 1]>::try_from(pairs).map_err(|_| wrong())?;
    let [oid, value] =
        <[Element<'_>; 2]>::try_from(pair.expect(SEQUENCE, "subject")?.children()?).map_err(|_| wrong())?;
    let text = std::str::from_utf8(value.content).map_err(|_| wrong())?;
    match (oid.tag, der::dotted(oid.content).as_str(), value.tag, text.strip_prefix("bc-role:")) {
        (OID, "2.5.4.11", UTF8, Some(role)) => Ok(role.into()),
        _ => Err(wrong()),
    }
}

/// CERTIFICATE-4: each extension once, no other; gives the URIs of subjectAltName.
fn extensions(parsed: &Parsed<'_>, issuer: &Parsed<'_>) -> Result<Vec<String>, String> {
    let wanted =
        [SUBJECT_KEY, KEY_USAGE, SUBJECT_ALT_NAME, BASIC_CONSTRAINTS, AUTHORITY_KEY, EXTENDED_KEY_USAGE];
    let mut oids: Vec<&str> = parsed.extensions.iter().map(|extension| extension.oid.as_str()).collect();
    oids.sort_unstable();
    demand(oids == wanted, &format!("extensions: {}", oids.join(", ")))?;
    let mut names = Vec::new();
    for Extension { oid, critical, value } in &parsed.extensions {
        let value = *value;
        match oid.as_str() {
            KEY_USAGE => {
                demand(
                    *critical && value == [0x03, 0x02, 0x07, 0x80],
                    "keyUsage: not critical digitalSignature",
                )?;
            }
            EXTENDED_KEY_USAGE => demand(value == CLIENT_AUTH, "extendedKeyUsage: not clientAuth alone")?,
            BASIC_CONSTRAINTS => {
                demand(*critical && value == [0x30, 0x00], "basicConstraints: not critical and empty")?;
            }
            SUBJECT_KEY => {
                let octets = der::only(value)?.expect(0x04, "subjectKeyIdentifier")?.content.len();
                demand((1..=32).contains(&octets), "subjectKeyIdentifier: not 1 to 32 octets")?;
            }
            AUTHORITY_KEY => demand(
                authority_key(value)? == subject_key(issuer)?,
                "authorityKeyIdentifier: not the issuer's subjectKeyIdentifier alone",
            )?,
            _ => {
                demand(!critical, "subjectAltName: critical")?;
                names = uris(value)?;
            }
        }
    }
    Ok(names)
}

fn subject_key<'a>(issuer: &Parsed<'a>) -> Result<&'a [u8], String> {
    let found = issuer.extensions.iter().find(|extension| extension.oid == SUBJECT_KEY);
    let value = found.ok_or("the world's issuer has no subjectKeyIdentifier")?.value;
    Ok(der::only(value)?.content)
}

fn authority_key(value: &[u8]) -> Result<&[u8], String> {
    let members = der::only(value)?.expect(SEQUENCE, "authorityKeyIdentifier")?.children()?;
    match members.as_slice() {
        [identifier] if identifier.tag == 0x80 => Ok(identifier.content),
        _ => Err("authorityKeyIdentifier: not keyIdentifier alone".into()),
    }
}

fn uris(value: &[u8]) -> Result<Vec<String>, String> {
    let names = der::only(value)?.expect(SEQUENCE, "subjectAltName")?.children()?;
    let uri = |name: Element<'_>| match (name.tag, std::str::from_utf8(name.content)) {
        (0x86, Ok(text)) if text.is_ascii() => Ok(text.to_owned()),
        _ => Err(String::from("subjectAltName: a name that is no URI")),
    };
    names.into_iter().map(uri).collect()
}

#[cfg(test)]
mod tests {
    use vectors::testkit::der::sequence;
    use vectors::testkit::keys::key;
    use vectors::testkit::signature::spki;
    use vectors::testkit::x509::{self, Certificate, San, node_intermediate, node_root};

    use super::*;

    fn leaf(change: impl FnOnce(&mut Certificate)) -> Result<Value, String> {
        let ca = node_intermediate();
        let sans = [San::uri("spiffe://td/site/s/node/n"), San::uri("urn:bc:x")];
        let mut made = x509::leaf(&ca, spki(&key("leaf")), "node", &sans);
        change(&mut made);
        check(&made.signed(&ca.key), &ca.certificate(&node_root()).signed(&node_root().key))
    }

    #[test]
    fn a_leaf_of_the_profile_passes_and_tells_its_fields() {
        let seen = leaf(|_| {}).unwrap();
        assert_eq!(seen["role"], "node");
        assert_eq!(seen["notBefore"], "2025-12-31T23:59:00.000Z");
        assert_eq!(seen["statements"], json!(["urn:bc:x"]));
        assert_eq!(seen["serial"].as_str().unwrap().len(), 32);
    }

    #[test]
    fn every_deviation_is_named() {
        type Change = fn(&mut Certificate);
        let table: [(&str, Change); 12] = [
            ("version", |made| made.version = Some(1)),
            ("serialNumber", |made| made.serial.truncate(15)),
            ("serialNumber", |made| made.serial[0] = 0x80),
            ("signature", |made| made.algorithm = x509::algorithm(x509::ECDSA_SHA384)),
            ("issuer", |made| made.issuer = x509::name(&[(x509::CN, "other")])),
            ("subject", |made| made.subject = x509::name(&[(x509::CN, "bc-role:node")])),
            ("notAfter", |made| made.not_after = x509::time("2041-01-01T00:00:00Z")),
            ("extensions", |made| drop(made.extensions.pop())),
            ("keyUsage", |made| made.extensions[0].critical = false),
            ("extendedKeyUsage", |made| made.extensions[1].value = sequence(&[])),
            ("authorityKeyIdentifier", |made| made.extensions[4].value = sequence(&[&[0x80, 1, 7]])),
            ("subjectAltName", |made| *made = made.clone().with_sans(&[San::Dns("host".into())])),
        ];
        for (field, change) in table {
            let said = leaf(change).unwrap_err();
            assert!(said.starts_with(field), "{field}: {said}");
        }
    }

    #[test]
    fn the_issuer_must_have_signed() {
        let ca = node_intermediate();
        let made = x509::leaf(&ca, spki(&key("leaf")), "node", &[San::uri("spiffe://x")]);
        let issuer = ca.certificate(&node_root()).signed(&node_root().key);
        let said = check(&made.signed(&key("another")), &issuer).unwrap_err();
        assert!(said.contains("not the issuer's"), "{said}");
    }
}
