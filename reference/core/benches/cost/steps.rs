//! The checks, each on an input that it accepts.

use std::hint::black_box;

use reference_core::choices::{HwkeyIndependence, HwkeySelection, NodeTenant};
use reference_core::claims::{self, Raw};
use reference_core::csr;
use reference_core::hardware_key;
use reference_core::hash::sha256;
use reference_core::response::{self, Asked, Body, Client, Signed};
use reference_core::seal::{self, Fresh};
use reference_core::signature::{JoinResponse, Signature};
use reference_core::time::Millis;
use reference_core::token;

use crate::fixture::{certificate, key, sign};

/// SEAL: a seal is opened and judged.
pub(crate) fn open_seal() -> Box<dyn Fn()> {
    let token = token::parse(TOKEN).unwrap();
    let keys = [key("example encryption key")];
    let csr = request();
    let fresh = Fresh { ephemeral: key("example ephemeral key"), content_key: [6; 32].into(), iv: [7; 12] };
    let recipient = keys[0].public();
    let seal = seal::make(&token, &csr, recipient, &[recipient.pin()], 1_767_225_600, &fresh).unwrap();
    Box::new(move || {
        black_box(seal::judge(black_box(seal.as_bytes()), &csr, &keys, None, NOW)).unwrap();
    })
}

/// CSR: a request is checked.
pub(crate) fn check_csr() -> Box<dyn Fn()> {
    let csr = request();
    Box::new(move || {
        black_box(csr::check(black_box(&csr))).unwrap();
    })
}

/// HARDWARE-KEY: a key is derived from the claims of a server with two NICs and four GPUs.
pub(crate) fn derive_key() -> Box<dyn Fn()> {
    let claims = claims::normalize(&server_claims()).unwrap();
    Box::new(move || {
        let derived =
            hardware_key::derive(black_box(&claims), HwkeySelection::Stable, HwkeyIndependence::Facts);
        black_box(derived.key).unwrap();
    })
}

/// RESPONSE: an answer with a chain of two passes all of the client's checks.
pub(crate) fn verify_response() -> Box<dyn Fn()> {
    let csr = request();
    let server = key("example join-signing key");
    let request_sha256 = sha256(b"request");
    let body = Body {
        node_id: "node_01k5w3v7x8e4n9q2r6t0b1c5d7",
        certificate_chain: &[certificate("leaf"), certificate("intermediate")],
        command_trust_bundle: &[b"key".to_vec()],
        csr_sha256: &sha256(&csr),
        trust_domain: "compute.example.com",
        site_id: SITE,
        role: "node",
        attestor: "join-token",
        request_sha256: &request_sha256,
    }
    .encode();
    let signature = sign(&server, JoinResponse { body: &body }.to_be_signed().octets());
    let sig = *Signature::made(&signature).unwrap().octets();
    let signing_key = server.public().spki();
    let pins = [server.public().pin()];
    // The client checked its own request when it made it.
    let csr: &'static [u8] = csr.leak();
    let csr = csr::check(csr).unwrap();
    Box::new(move || {
        let asked = Asked { csr: &csr, request_sha256: &request_sha256, attestor: "", role: "node" };
        let client = Client {
            pins: &pins,
            site_id: SITE,
            node_id: None,
            require_request_binding: true,
            node_tenant: NodeTenant::Accept,
            ak: None,
            previous_ak: None,
        };
        let answer = Signed { body: black_box(&body), sig: &sig, signing_key: &signing_key };
        black_box(response::verify(answer, &asked, &client, NOW)).unwrap();
    })
}

/// The claims of a server with two NICs and four GPUs.
pub(crate) fn server_claims() -> Raw {
    Raw {
        product_uuid: b"4C4C4544-0051-3410-8051-B5C04F375931".to_vec(),
        product_serial: b"5Q4Q7Y1".to_vec(),
        board_serial: b"/5Q4Q7Y1/CN7220036H04QB/".to_vec(),
        chassis_serial: b"5Q4Q7Y1".to_vec(),
        hostname: b"b7-u12".to_vec(),
        permanent_macs: vec![b"3C:EC:EF:12:34:56".to_vec(), b"3C:EC:EF:12:34:57".to_vec()],
        gpu_uuids: (0..4).map(|gpu| format!("GPU-41255406-c9af-f94b-4ebf-9d57ad1853d{gpu}").into()).collect(),
    }
}

/// A request of the node key with the binding attribute.
fn request() -> Vec<u8> {
    request_for(&sha256(b"request"))
}

/// A request of the node key that is bound to a request hash.
pub(crate) fn request_for(request_sha256: &[u8; 32]) -> Vec<u8> {
    let node = key("example node key");
    let to_be_signed = csr::to_be_signed(node.public(), Some(request_sha256));
    csr::assemble(&to_be_signed, &sign(&node, &to_be_signed))
}

pub(crate) const TOKEN: &[u8] =
    b"bcjt_jt_01kdvdna00e008000000000001.AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
pub(crate) const SITE: &str = "site_01k5w3v7x8e4n9q2r6t0b1c5d7";
/// 2026-01-01T00:00:00Z
pub(crate) const NOW: Millis = Millis(1_767_225_600_000);
