//! Certificates with any part changed, signed again after the change.

use p256::SecretKey;

use super::bytes;
use super::csr::{algorithm, public_key};
use super::der_tree;
use super::draw::Draw;
use crate::testkit::der::{self, Length, tlv};
use crate::testkit::keys::key;
use crate::testkit::p384;
use crate::testkit::signature::{sign_der, sign_high, spki};
use crate::testkit::x509::{self, Authority, Certificate, Extension, San, name, subject_alt_name, time};

/// A certificate and what is done to it while and after it is signed.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) certificate: Certificate,
    pub(super) sans: Vec<San>,
    pub(super) signer: SecretKey,
    /// Edits of the TBSCertificate's octets, before the signature.
    tbs: Vec<Draw>,
    /// Edits of the signature and of the whole, after it.
    whole: Vec<Draw>,
}

impl Draft {
    pub(super) fn new(certificate: Certificate, sans: Vec<San>, signer: SecretKey) -> Self {
        Self { certificate, sans, signer, tbs: Vec::new(), whole: Vec::new() }
    }

    pub(super) fn der(&self) -> Vec<u8> {
        let certificate = self.certificate.clone().with_sans(&self.sans);
        let mut tbs = certificate.tbs();
        for draw in &self.tbs {
            if let Some(mut tree) = der_tree::read(&tbs) {
                tree.edit(&mut draw.clone());
                tbs = tree.der();
            }
        }
        let signature = der::bit_string(0, sign_der(&self.signer, &tbs));
        let mut parts = [tbs, certificate.algorithm, signature];
        let mut whole = der::sequence(&parts.each_ref().map(Vec::as_slice));
        for draw in &self.whole {
            edit_whole(&mut draw.clone(), self, &mut parts, &mut whole);
        }
        whole
    }

    /// One edit of any field.
    pub(super) fn edit(&mut self, draw: &mut Draw) {
        match draw.below(20) {
            0..4 => edit_sans(draw, &mut self.sans),
            4..6 => self.certificate.subject = subject(draw),
            6..8 => edit_validity(draw, &mut self.certificate),
            8 => self.certificate.spki = public_key(draw, &key("forge leaf")),
            9 | 10 => edit_extensions(draw, &mut self.certificate),
            11..13 => edit_fields(draw, &mut self.certificate),
            13 => self.signer = key("forge another issuer"),
            14 | 15 => self.whole.push(draw.clone()),
            _ => self.tbs.push(draw.clone()),
        }
    }
}

fn edit_whole(draw: &mut Draw, draft: &Draft, parts: &mut [Vec<u8>; 3], whole: &mut Vec<u8>) {
    match draw.below(9) {
        0 => return whole.extend(draw.pick([&b"\0"[..], b"\x05\0", b"\n"])),
        1 => parts[1] = algorithm(draw),
        2 => {
            let high = sign_high(&draft.signer, &parts[0]);
            let (r, s) = high.split_at(32);
            parts[2] = der::bit_string(0, crate::testkit::csr::ecdsa_value(r, s));
        }
        3 => parts[2] = der::bit_string(draw.pick([1, 7, 8]), sign_der(&draft.signer, &parts[0])),
        4 => parts[2] = der::bit_string(0, p384::sign_der(&p384::key("forge"), &parts[0])),
        5 => bytes::edit(draw, &mut parts[2]),
        6 => {
            let length = draw.pick([Length::Long(3), Length::Indefinite]);
            *whole = der::tlv_with(der::SEQUENCE, length, parts.concat());
            return;
        }
        7 => return whole.truncate(draw.below(whole.len())),
        _ => return bytes::edit(draw, whole),
    }
    *whole = der::sequence(&parts.each_ref().map(Vec::as_slice));
}

fn edit_sans(draw: &mut Draw, sans: &mut Vec<San>) {
    let ak = "urn:bc:tpm-ak:sha256:00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    let at = draw.place(sans.len());
    let more = match draw.below(16) {
        0 => San::uri("urn:bc:x"),
        1 => San::uri("urn:bc:"),
        2 => San::uri("URN:BC:x"),
        3 => San::uri("urn:other"),
        4 => San::uri("spiffe://compute.example.com/other"),
        5 => San::uri(ak),
        6 => San::Uri(ak.to_ascii_uppercase()),
        7 => San::uri("urn:bc:tpm-ak:sha256:00"),
        8 => San::uri("urn:bc:tpm-ak:"),
        9 => San::Dns("node.example.com".into()),
        10 => San::Ip(vec![10, 0, 0, 1]),
        11 => San::Email("a@example.com".into()),
        12 => San::Directory("node".into()),
        13 => San::Raw(tlv(0x86, draw.pick([&b"urn:bc:\xff"[..], b"", b"urn:bc:\0", b"urn:bc:\xc3\xa9"]))),
        14 => San::Raw(draw.pick([
            tlv(0xa6, []),
            tlv(0x88, [0x2a, 3]),
            tlv(0xa0, []),
            tlv(0x1e, []),
            vec![0x86],
        ])),
        _ => {
            edit_first(draw, sans);
            return;
        }
    };
    match draw.below(4) {
        0 if !sans.is_empty() => sans[0] = more,
        1 => drop(sans.pop()),
        2 => sans.push(more),
        _ => sans.insert(at, more),
    }
}

/// The SPIFFE name, spelled otherwise.
fn edit_first(draw: &mut Draw, sans: &mut [San]) {
    let Some(San::Uri(text)) = sans.first_mut() else { return };
    match draw.below(7) {
        0 => *text = text.to_ascii_uppercase(),
        1 => text.push_str(draw.pick(["/", "?", "#", " ", "\0", "/x", "%00"])),
        2 => *text = text.replacen("/site/", draw.pick(["/Site/", "/site//", "/sites/"]), 1),
        3 => *text = text.replacen("spiffe://", draw.pick(["spiffe:/", "SPIFFE://", "https://", ""]), 1),
        4 => *text = text.replacen("/node/", "/%6eode/", 1),
        5 => *text = text.replacen(".com", ".com:443", 1),
        _ => bytes::edit_text(draw, text),
    }
}

/// A subject of another shape or another string type.
fn subject(draw: &mut Draw) -> Vec<u8> {
    let ou = |tag: u8, text: &str| der::sequence(&[&der::oid(x509::OU), &tlv(tag, text)]);
    let one = |pairs: &[&[u8]]| der::sequence(&[&der::set(pairs)]);
    let role = draw.pick([
        "bc-role:node",
        "bc-role:node",
        "bc-role:site",
        "bc-role:NODE",
        "bc-role:",
        "node",
        "bc-role:node ",
    ]);
    let tag = draw.pick([0x0c, 0x13, 0x13, 0x14, 0x16, 0x1e, 0x1c, 0x04, 0x0c, 0x80]);
    let cn = x509::attribute(x509::CN, "node");
    match draw.below(10) {
        0..4 => one(&[&ou(tag, role)]),
        4 => name(&[(x509::OU, role), (x509::CN, "node")]),
        5 => name(&[(x509::OU, role), (x509::OU, role)]),
        6 => one(&[&cn, &ou(der::UTF8, role)]),
        7 => der::sequence(&[]),
        8 => name(&[(x509::CN, role)]),
        _ => draw.pick([
            der::sequence(&[&der::set(&[])]),
            der::set(&[&der::set(&[&ou(der::UTF8, role)])]),
            one(&[&ou(der::UTF8, role), &cn]),
            one(&[&der::sequence(&[&der::oid(x509::OU)])]),
            one(&[&der::sequence(&[&der::oid(x509::OU), &der::sequence(&[])])]),
            Vec::new(),
        ]),
    }
}

fn edit_validity(draw: &mut Draw, certificate: &mut Certificate) {
    let instant = match draw.below(18) {
        0 => time("2026-01-01T00:00:00Z"),
        1 => time("2025-12-31T23:59:59Z"),
        2 => time("2026-01-01T00:00:01Z"),
        3 => tlv(0x18, "20260101000000Z"),
        4 => tlv(0x17, "2601010000Z"),
        5 => tlv(0x17, "260101000000+0000"),
        6 => tlv(0x18, "20500101000000.5Z"),
        7 => tlv(0x17, "260230000000Z"),
        8 => tlv(0x17, "260101240000Z"),
        9 => tlv(0x17, "260101235960Z"),
        10 => tlv(0x17, "500101000000Z"),
        11 => tlv(0x18, "99991231235959Z"),
        12 => tlv(0x17, "26010100000Z"),
        13 => {
            tlv(0x18, draw.pick(["20490101000000Z", "20500101000000Z", "00000101000000Z", "20510229000000Z"]))
        }
        14 => tlv(0x17, draw.pick(["491231235959Z", "700101000000Z", "260100000000Z", "261301000000Z"])),
        15 => tlv(0x17, " 60101000000Z"),
        16 => tlv(0x0c, "260101000000Z"),
        _ => tlv(0x17, []),
    };
    if draw.chance(50) { certificate.not_before = instant } else { certificate.not_after = instant }
}

fn edit_extensions(draw: &mut Draw, certificate: &mut Certificate) {
    let extensions = &mut certificate.extensions;
    let at = draw.below(extensions.len());
    let Some(extension) = extensions.get(at).cloned() else { return };
    match draw.below(8) {
        0 => drop(extensions.remove(at)),
        1 => extensions.push(extension),
        2 => extensions.clear(),
        3 => extensions[at].critical = !extension.critical,
        4 => {
            extensions[at].value =
                draw.pick([vec![], vec![5, 0], vec![0x30, 0x80, 0, 0], vec![0xff], vec![0x30, 0x81, 0]])
        }
        5 => {
            let oid = draw.pick(["2.5.29.36", "1.3.6.1.4.1.99999.1", "2.5.29.30", x509::SAN, "2.5.29.32"]);
            let value =
                if oid == x509::SAN { subject_alt_name(&[San::uri("urn:bc:x")]).value } else { vec![5, 0] };
            extensions.push(Extension { oid, critical: draw.chance(50), value });
        }
        6 => extensions.reverse(),
        _ => bytes::edit(draw, &mut extensions[at].value),
    }
}

fn edit_fields(draw: &mut Draw, certificate: &mut Certificate) {
    match draw.below(7) {
        0 => certificate.version = draw.pick([None, Some(0), Some(1), Some(3), Some(0xff)]),
        1 | 2 => {
            certificate.serial = draw.pick([
                vec![],
                vec![0],
                vec![0x80],
                vec![0, 1],
                vec![0, 0x80],
                vec![0x7f; 20],
                vec![1; 21],
                vec![0xff, 0xff],
                vec![1; 300],
            ]);
        }
        3 => certificate.algorithm = algorithm(draw),
        4 => certificate.issuer = subject(draw),
        5 => certificate.issuer = certificate.subject.clone(),
        _ => {
            // The same name in another string type is another name.
            certificate.issuer = der::sequence(&[&der::set(&[&der::sequence(&[
                &der::oid(x509::CN),
                &tlv(der::PRINTABLE, "test node intermediate"),
            ])])]);
        }
    }
}

/// A join-signing certificate as a document publishes it, nearly always with edits.
pub(super) fn signing(draw: &mut Draw) -> Vec<u8> {
    let signer = Authority::named("forge signing");
    let mut draft = Draft::new(signer.certificate(&signer), Vec::new(), signer.key.clone());
    match draw.below(6) {
        0 => draft.certificate.spki = p384::spki(&p384::key("forge")),
        1 => draft.certificate.spki = public_key(draw, &signer.key),
        2 => draft.certificate.spki = spki(&key("forge other")),
        _ => draft.edit(draw),
    }
    draft.der()
}
