//! CSR: requests with any part changed, signed again after the change.

use p256::SecretKey;
use serde_json::json;

use super::binding;
use super::bytes;
use super::der_tree::{self, any};
use super::draw::Draw;
use super::plan::{Made, Plan};
use crate::testkit::csr::{self, Csr, ECDSA_SHA256, attribute, binding_text, ecdsa_value};
use crate::testkit::der::{self, Length, tlv};
use crate::testkit::encode::b64u;
use crate::testkit::keys::{hash, key, private_jwk};
use crate::testkit::p384;
use crate::testkit::signature::{sign_der, sign_high, spki};

/// The order of P-256.
const N: &str = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
/// The prime of its field.
const P: &str = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff";
const OIDS: [&str; 6] = [
    "1.2.840.113549.1.9.2",
    "1.2.840.113549.1.9.14",
    "1.2.840.113549.1.9.7",
    "2.5.4.3",
    "2.5.4.11",
    "2.999.1",
];

/// A machine's key.
pub(super) fn node(draw: &mut Draw) -> SecretKey {
    key(&format!("forge node {}", draw.below(16)))
}

/// A CSR and what is done to it after it is signed.
pub(super) struct Forged {
    csr: Csr,
    /// Edits of the info's octets, before the signature.
    info: Vec<Draw>,
    /// Edits of the whole, after it.
    whole: Vec<Draw>,
}

impl Forged {
    pub(super) fn der(self) -> Vec<u8> {
        let mut der = self.csr.der();
        for mut draw in self.info {
            der = resigned(&mut draw, &self.csr, &der);
        }
        for mut draw in self.whole {
            whole(&mut draw, &mut der);
        }
        der
    }
}

/// The request with one element of its info changed, and a signature over the result.
fn resigned(draw: &mut Draw, csr: &Csr, der: &[u8]) -> Vec<u8> {
    let Some(mut info) = der_tree::read(&csr.info()) else { return der.to_vec() };
    info.edit(draw);
    let info = info.der();
    let signature = der::bit_string(0, sign_der(&csr.signer, &info));
    der::sequence(&[&info, &csr.algorithm, &signature])
}

fn whole(draw: &mut Draw, der: &mut Vec<u8>) {
    match draw.below(6) {
        0 => der.extend(draw.pick([&b"\0"[..], b"\x05\x00", b"\n", b"\x30\x00"])),
        1 => *der = format!("-----BEGIN CERTIFICATE REQUEST-----\n{}\n-----END", b64u(&*der)).into_bytes(),
        2 => der.truncate(draw.below(der.len())),
        3 => {
            if let Some(mut node) = der_tree::read(der) {
                node.edit(draw);
                *der = node.der();
            }
        }
        _ => bytes::edit(draw, der),
    }
}

/// A request with names and attributes as requests have them, all of it right.
pub(super) fn base(draw: &mut Draw) -> Csr {
    let node = node(draw);
    let csr = csr::honest(&node);
    match draw.below(6) {
        0 => Csr { subject: csr::name(&[("2.5.4.3", "node"), ("2.5.4.11", "bc-role:site")]), ..csr },
        1 => Csr { subject: name(draw), ..csr },
        2 | 3 => {
            let text = binding_text(&hash("request"));
            csr.attribute(csr::UNSTRUCTURED_NAME, &[&tlv(der::UTF8, text)])
        }
        4 => attributes(draw, csr),
        _ => csr,
    }
}

/// A subject of any shape.
fn name(draw: &mut Draw) -> Vec<u8> {
    let rdns: Vec<Vec<u8>> = (0..draw.below(4))
        .map(|_| {
            let count = draw.pick([1, 1, 1, 2, 2, 3, 0]);
            let mut pairs: Vec<Vec<u8>> =
                (0..count).map(|_| der::sequence(&[&der::oid(draw.pick(OIDS)), &any(draw, 2)])).collect();
            if draw.chance(80) {
                pairs.sort_unstable();
            }
            tlv(der::SET, pairs.concat())
        })
        .collect();
    tlv(der::SEQUENCE, rdns.concat())
}

/// Attributes of any kind, nearly always in order.
fn attributes(draw: &mut Draw, csr: Csr) -> Csr {
    let mut list: Vec<Vec<u8>> = (0..draw.below(4))
        .map(|_| {
            let mut values: Vec<Vec<u8>> = (0..draw.pick([1, 1, 1, 2, 3, 0])).map(|_| any(draw, 3)).collect();
            if draw.chance(85) {
                values.sort_unstable();
            }
            let values: Vec<&[u8]> = values.iter().map(Vec::as_slice).collect();
            attribute(draw.pick(OIDS), &values)
        })
        .collect();
    if draw.chance(85) {
        list.sort_unstable();
    }
    let list: Vec<&[u8]> = list.iter().map(Vec::as_slice).collect();
    csr.attributes(&list)
}

/// One edit of a part.
fn edit(draw: &mut Draw, forged: &mut Forged) {
    let csr = &mut forged.csr;
    match draw.below(16) {
        0 => {
            let length = draw.pick([Length::Long(1), Length::Long(2), Length::Long(4), Length::Indefinite]);
            if draw.chance(50) { csr.info_length = length } else { csr.outer_length = length }
        }
        1 => csr.version = version(draw),
        2 => csr.subject = name(draw),
        3 => *csr = attributes(draw, csr.clone()),
        4 => csr.attributes = attributes_field(draw),
        5 | 6 => csr.spki = public_key(draw, &csr.signer),
        7 => csr.algorithm = algorithm(draw),
        8..11 => csr.signature = Some(signature(draw, csr)),
        11 => csr.signer = key("forge another"),
        12 => {
            let size = draw.pick([4000, 4095, 4096, 4096, 4097, 4098, 4100]);
            *csr = sized(csr, size);
        }
        13 => forged.whole.push(draw.clone()),
        _ => forged.info.push(draw.clone()),
    }
}

/// The request with a subject that makes it so many octets; its signature's length may move it by one or two.
fn sized(csr: &Csr, size: usize) -> Csr {
    let named =
        |length: usize| Csr { subject: csr::name(&[("2.5.4.3", &"x".repeat(length))]), ..csr.clone() };
    let mut length = 3800;
    for _ in 0..6 {
        let now = named(length).der().len();
        if now == size {
            break;
        }
        length = (length + size).saturating_sub(now);
    }
    named(length)
}

fn version(draw: &mut Draw) -> Vec<u8> {
    match draw.below(4) {
        0 => tlv(der::INTEGER, draw.pick([vec![1], vec![0, 0], vec![], vec![2], vec![0xff], vec![0x80]])),
        1 => tlv(0x0a, [0]),
        2 => Vec::new(),
        _ => der::tlv_with(der::INTEGER, Length::Long(1), [0]),
    }
}

fn attributes_field(draw: &mut Draw) -> Vec<u8> {
    match draw.below(8) {
        0 => Vec::new(),
        1 => tlv(0x80, []),
        2 => tlv(0xa1, []),
        3 => tlv(der::SET, []),
        4 => [tlv(0xa0, []), tlv(0xa0, [])].concat(),
        5 => tlv(0xa0, der::sequence(&[&der::oid("2.5.4.3")])),
        6 => tlv(
            0xa0,
            der::sequence(&[
                &tlv(der::OID, draw.pick([vec![], vec![0x80, 1], vec![0x55, 0x84]])),
                &der::set(&[&tlv(5, [])]),
            ]),
        ),
        _ => {
            let deep = der::nested(draw.pick([9, 10, 11, 12, 13]));
            tlv(0xa0, attribute("2.5.4.3", &[&deep]))
        }
    }
}

/// A key that is no uncompressed point on P-256 as RFC 5480 writes it, or another one that is.
pub(super) fn public_key(draw: &mut Draw, key_of: &SecretKey) -> Vec<u8> {
    let right = spki(key_of);
    let (head, point) = right.split_at(right.len() - 65);
    let with_point =
        |point: &[u8]| der::sequence(&[head.get(2..23).unwrap_or_default(), &der::bit_string(0, point)]);
    let (x, y) = (point.get(1..33).unwrap_or_default(), point.get(33..).unwrap_or_default());
    let zeros = [0; 32];
    let prime = hex::decode(P).unwrap_or_default();
    let odd = y.last().is_some_and(|octet| octet & 1 == 1);
    let parameters = |parameters: &[u8]| {
        let algorithm = der::sequence(&[&der::oid("1.2.840.10045.2.1"), parameters]);
        der::sequence(&[&algorithm, &der::bit_string(0, point)])
    };
    match draw.below(17) {
        16 => point.to_vec(),
        0 => with_point(&[&[if odd { 3 } else { 2 }], x].concat()),
        1 => with_point(&[&[if odd { 7 } else { 6 }], x, y].concat()),
        2 => with_point(&[&[4], x, x].concat()),
        3 => with_point(&[&[4], zeros.as_slice(), &zeros].concat()),
        4 => with_point(&[&[4], prime.as_slice(), y].concat()),
        5 => with_point(&[0]),
        6 => with_point(&[point, &[0]].concat()),
        7 => parameters(&[]),
        8 => parameters(&tlv(der::NULL, [])),
        9 => parameters(&der::oid("1.3.132.0.34")),
        10 => p384::spki(&p384::key("forge")),
        11 => spki(&key("forge another")),
        12 => crate::testkit::rsa::spki(),
        13 => der::sequence(&[head.get(2..23).unwrap_or_default(), &der::bit_string(1, point)]),
        14 => {
            let other = der::sequence(&[&der::oid("1.3.132.1.12"), &der::oid("1.2.840.10045.3.1.7")]);
            der::sequence(&[&other, &der::bit_string(0, point)])
        }
        _ => {
            let mut tree = der_tree::read(&right);
            if let Some(tree) = &mut tree {
                tree.edit(draw);
            }
            tree.map(|tree| tree.der()).unwrap_or_default()
        }
    }
}

/// A signature algorithm that is not ecdsa-with-SHA256 without parameters.
pub(super) fn algorithm(draw: &mut Draw) -> Vec<u8> {
    let ecdsa = der::oid(ECDSA_SHA256);
    match draw.below(6) {
        0 => der::sequence(&[&ecdsa, &tlv(der::NULL, [])]),
        1 => der::sequence(&[&der::oid("1.2.840.10045.4.3.3")]),
        2 => der::sequence(&[&der::oid("1.2.840.113549.1.1.11"), &tlv(der::NULL, [])]),
        3 => der::sequence(&[]),
        4 => ecdsa,
        _ => der::sequence(&[&ecdsa, &der::sequence(&[])]),
    }
}

/// The two numbers of a right signature.
fn numbers(csr: &Csr) -> (Vec<u8>, Vec<u8>) {
    let sig = crate::testkit::signature::sign(&csr.signer, &csr.info());
    let (r, s) = sig.split_at(32);
    (r.to_vec(), s.to_vec())
}

/// A signature with something odd about it, a few of which are right.
fn signature(draw: &mut Draw, csr: &Csr) -> Vec<u8> {
    let (r, s) = numbers(csr);
    let order = hex::decode(N).unwrap_or_default();
    let high = sign_high(&csr.signer, &csr.info());
    let (_, high_s) = high.split_at(32);
    let integer = |octets: &[u8]| tlv(der::INTEGER, octets);
    let pair = |r: Vec<u8>, s: Vec<u8>| der::bit_string(0, der::sequence(&[&r, &s]));
    let padded = |octets: &[u8]| [&[0], octets].concat();
    match draw.below(14) {
        0 => der::bit_string(0, ecdsa_value(&r, high_s)),
        1 => pair(integer(&padded(&padded(&r))), der::unsigned(&s)),
        2 => pair(integer(&r), integer(&s)),
        3 => pair(der::unsigned(&r), integer(&[0])),
        4 => pair(der::unsigned(&order), der::unsigned(&s)),
        5 => pair(der::unsigned(&r), der::unsigned(&order)),
        6 => pair(integer(&[]), der::unsigned(&s)),
        7 => der::bit_string(0, [r, s].concat()),
        8 => der::bit_string(0, [ecdsa_value(&r, &s), vec![0]].concat()),
        9 => der::bit_string(draw.pick([1, 7, 8, 255]), ecdsa_value(&r, &s)),
        10 => der::bit_string(0, der::sequence(&[&der::unsigned(&r), &der::unsigned(&s), &tlv(5, [])])),
        11 => tlv(der::OCTET_STRING, ecdsa_value(&r, &s)),
        12 => tlv(der::BIT_STRING, draw.pick([vec![], vec![0], vec![0, 0x30, 0]])),
        _ => {
            let mut value = ecdsa_value(&r, &s);
            bytes::edit(draw, &mut value);
            der::bit_string(0, value)
        }
    }
}

/// A request with its edits.
pub(super) fn edited(plan: &mut Plan<'_>) -> Forged {
    let csr = base(&mut plan.draw("csr"));
    edited_of(plan, csr)
}

/// This request with edits.
pub(super) fn edited_of(plan: &mut Plan<'_>, csr: Csr) -> Forged {
    let mut forged = Forged { csr, info: Vec::new(), whole: Vec::new() };
    for mut draw in plan.edits("csr") {
        edit(&mut draw, &mut forged);
    }
    forged
}

pub(super) fn check(plan: &mut Plan<'_>) -> Made {
    Made::new(json!({"csr": b64u(edited(plan).der())}))
}

pub(super) fn make(plan: &mut Plan<'_>) -> Made {
    let mut draw = plan.draw("key");
    let key = node(&mut draw);
    let mut made = Made::new(json!({"key": private_jwk(&key)}));
    let mut bindings = Vec::new();
    if draw.chance(70) {
        let request = binding::any_request(plan);
        bindings.push(binding_text(&binding::hash_request(&request)));
        made.input["request"] = request;
    }
    let spki = spki(&key);
    let point = spki.get(spki.len() - 65..).unwrap_or_default();
    made.check = Some(json!({"csr": {"$csr": {"publicKey": b64u(point), "bindings": bindings}}}));
    made
}
