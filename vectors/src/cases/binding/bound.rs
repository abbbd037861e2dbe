//! The binding that holds, and the two attacks that it stops (BINDING-2).

use super::{BOUND, admitted, call, csr, hash_of, out, refused, refused_call, right, sent};
use crate::case::Entry;
use crate::testkit::csr::binding_text;
use crate::testkit::der;
use crate::testkit::request::{claims, request};
use crate::testkit::token::token;

pub(super) fn entries() -> Vec<Entry> {
    vec![
        bound(),
        required(),
        default_attestor(),
        token_swapped(),
        claims_written(),
        role_changed(),
        attestor_changed(),
        other_hash(),
        normalized(),
    ]
}

fn bound() -> Entry {
    admitted(
        "bound",
        "A CSR that carries the hash of its request is admitted as bound.",
        &csr(&[&right()]),
        true,
    )
    .also("BINDING-1")
    .why("Nearly every other case differs from this one in a single thing.")
    .recipe("Put the hash of the request into the CSR as one unstructuredName, then sign.")
}

fn required() -> Entry {
    admitted("bound-required", "A bound CSR is admitted where the pool requires it.", &csr(&[&right()]), true)
        .call("binding.check", call(&csr(&[&right()]), &sent(), true))
        .why("The policy asks for exactly this.")
        .recipe("Send a bound CSR to a pool whose policy requires the binding.")
}

fn default_attestor() -> Entry {
    let mut request = sent();
    request["attestor"] = "".into();
    admitted(
        "bound-default-attestor",
        "A request without an attestor fits the hash with join-token.",
        &csr(&[&right()]),
        true,
    )
    .call("binding.check", call(&csr(&[&right()]), &request, false))
    .out(out(true, &request))
    .also("BINDING-1")
    .why("The empty name and join-token are the same request.")
    .recipe("Hash with join-token, send with an empty attestor.")
}

/// The honest CSR beside a request that a relay has changed.
fn beside(name: &str, title: &str, member: &str, request: &serde_json::Value, what: &str) -> Entry {
    refused_call(name, title, call(&csr(&[&right()]), request, false))
        .twin(BOUND, &[&format!("/in/request/{member}")], what)
        .recipe(&format!("Change the request after the CSR is signed: {what}."))
}

fn token_swapped() -> Entry {
    let mut request = sent();
    request["tokenId"] = token("binding, of the attacker").id.into();
    let what = "the token is another valid one";
    beside("token-swapped", "Another token around the machine's CSR is refused.", "tokenId", &request, what)
        .why(
            "A gateway seals its own token around a machine's CSR and draws the machine into its pool, \
            correctly signed.",
        )
}

fn claims_written() -> Entry {
    let mut request = sent();
    request["claims"] = claims(serde_json::json!({
        "productUuid": "564da6d2-1706-6343-dc2d-9959b533a7b3",
        "productSerial": "VICTIM1",
    }));
    let what = "the claims are those of another machine";
    beside("claims-written", "Claims written by the gateway are refused.", "claims", &request, what).why(
        "Seal and CSR pass untouched; with claims of its own a gateway folds the machine into a \
            victim's node.",
    )
}

fn role_changed() -> Entry {
    let mut request = sent();
    request["role"] = "site".into();
    beside("role-changed", "Another role is refused.", "role", &request, "the role is site")
        .why("The role lies beside the seal; only the hash ties it to the machine.")
}

fn attestor_changed() -> Entry {
    let mut request = sent();
    request["attestor"] = "tpm".into();
    beside("attestor-changed", "Another attestor is refused.", "attestor", &request, "the attestor is tpm")
        .why("Evidence of one kind must not be judged as that of another.")
}

fn other_hash() -> Entry {
    let other = request("join-token", "node", "", &claims(serde_json::json!({})));
    let value = der::tlv(der::UTF8, binding_text(&hash_of(&other)));
    refused("other-hash", "A CSR bound to another request is refused.", &csr(&[&value]))
        .twin(BOUND, &["/in/csr:attributes"], "the hash of an empty request; signed with it")
        .why("The same fault with the change in the CSR: a CSR taken from another join.")
        .recipe("Bind the CSR to another request.")
}

fn normalized() -> Entry {
    let normal = request(
        "join-token",
        "node",
        &token("binding").id,
        &claims(serde_json::json!({
            "productUuid": "4c4c4544-0051-3410-8051-b5c04f375931",
            "productSerial": "5q4q7y1",
            "boardSerial": "/5q4q7y1/cn7220036h04qb/",
            "chassisSerial": "5q4q7y1",
            "hostname": "b7-u12",
            "permanentMacs": ["3c:ec:ef:12:34:56", "3c:ec:ef:12:34:57"],
            "gpuUuids": ["gpu-41255406-c9af-f94b-4ebf-9d57ad1853da"],
        })),
    );
    let value = der::tlv(der::UTF8, binding_text(&hash_of(&normal)));
    refused("normalized", "A hash of normalized claims does not fit raw ones.", &csr(&[&value]))
        .also("BINDING-1")
        .twin(BOUND, &["/in/csr:attributes"], "the hash of the same claims after CLAIMS; signed with it")
        .why("A server that normalizes before it hashes agrees with nobody who sends a capital letter.")
        .recipe("Bind the CSR to the normalized claims, send the raw ones.")
}
