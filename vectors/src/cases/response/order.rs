//! Two faults at once: the first check in the order of RESPONSE-4 gives the reason.

use crate::case::Entry;
use crate::testkit::keys::key;
use crate::testkit::p384;
use crate::testkit::response::Signed;
use crate::testkit::signature::spki;
use crate::testkit::x509::{OU, name};

use super::answer::{Answer, BODY, OTHER_AK, OTHER_NODE, SITE, TRUST_DOMAIN, VERIFY, bad};

const WHY: &str = "Two implementations that check in another order give two reasons for one answer.";

pub(super) fn cases() -> Vec<Entry> {
    vec![
        envelope_first(),
        signature_before_form(),
        form_before_csr(),
        csr_before_request(),
        request_before_leaf_key(),
        leaf_key_before_san(),
        san_before_role(),
        role_before_attestor(),
        attestor_before_chain(),
        chain_before_validity(),
        everything(),
        everything_authentic(),
    ]
}

fn pair(first: &str, second: &str, reason: &str, at: &[&str], what: &str) -> Entry {
    let title = format!("With two faults the reason is the first check's: {first} before {second}.");
    bad(&format!("order-{first}-before-{second}"), &format!("response-{reason}"), &title, at, what).why(WHY)
}

/// The right answer signed by a stranger.
fn stranger(answer: &mut Answer) {
    answer.signer = key("response attacker");
}

fn other_csr(answer: &mut Answer) {
    answer.body.csr_sha256 = vec![7; 32];
}

fn other_request(answer: &mut Answer) {
    answer.body.request_sha256 = vec![7; 32];
}

fn other_key(answer: &mut Answer) {
    answer.leaf.spki = spki(&key("response other node"));
}

fn other_san(answer: &mut Answer) {
    *answer = answer.clone().named(TRUST_DOMAIN, SITE, OTHER_NODE);
    answer.body.node_id = super::answer::NODE.into();
}

fn other_role(answer: &mut Answer) {
    answer.body.role = "site".into();
    answer.leaf.subject = name(&[(OU, "bc-role:site")]);
}

fn other_attestor(answer: &mut Answer) {
    answer.body.attestor = "discovery".into();
}

fn other_issuer(answer: &mut Answer) {
    answer.issuer = key("response attacker");
}

fn expired(answer: &mut Answer) {
    answer.leaf = answer.leaf.clone().valid("2025-12-30T00:00:00Z", "2025-12-31T00:00:00Z");
}

/// The right answer with these faults in it.
fn faulty(faults: &[fn(&mut Answer)]) -> Answer {
    Answer::honest().with(|answer| faults.iter().for_each(|fault| fault(answer)))
}

fn envelope_first() -> Entry {
    let answer = faulty(&[stranger]);
    let signed = answer.signed();
    let sig = signed.sig.iter().copied().take(63).collect();
    let at = ["/in/response/signingKey", "/in/response/sig"];
    pair("envelope", "signature", "malformed", &at, "63 octets of a stranger's signature")
        .call(VERIFY, answer.input_of(&Signed { sig, ..signed }))
}

fn signature_before_form() -> Entry {
    let answer = faulty(&[stranger]);
    let at = ["/in/response/body", "/in/response/signingKey", "/in/response/sig"];
    pair("signature", "form", "signature", &at, "a body that does not decode, signed by a stranger")
        .call(VERIFY, answer.input_with_body(b"\x0a\xff".to_vec()))
}

fn form_before_csr() -> Entry {
    let answer = faulty(&[other_csr, |answer| answer.body.role.clear()]);
    pair("form", "csr", "malformed", &BODY, "no role, and another CSR's hash").call(VERIFY, answer.input())
}

fn csr_before_request() -> Entry {
    let at = ["/in/response/body:csrSha256", "/in/response/body:requestSha256", "/in/response/sig"];
    pair("csr", "request", "csr", &at, "both hashes are another's")
        .call(VERIFY, faulty(&[other_csr, other_request]).input())
}

fn request_before_leaf_key() -> Entry {
    pair("request", "leaf-key", "request", &BODY, "another request's hash, and a leaf for another key")
        .also("BINDING-3")
        .call(VERIFY, faulty(&[other_request, other_key]).input())
}

fn leaf_key_before_san() -> Entry {
    pair("leaf-key", "san", "leaf-key", &BODY, "a leaf for another key and another node")
        .call(VERIFY, faulty(&[other_key, other_san]).input())
}

fn san_before_role() -> Entry {
    pair("san", "role", "san", &BODY, "a leaf for another node, and another role")
        .call(VERIFY, faulty(&[other_san, other_role]).input())
}

fn role_before_attestor() -> Entry {
    let statement = Answer::honest().statements(&[OTHER_AK]).with(other_role);
    pair("role", "attestor", "role", &BODY, "another role, and another attestor or an AK statement")
        .family(VERIFY)
        .bad("another attestor", faulty(&[other_role, other_attestor]).input())
        .bad("an AK statement", statement.input())
}

fn attestor_before_chain() -> Entry {
    pair("attestor", "chain", "attestor", &BODY, "another attestor, and a leaf that a stranger signed")
        .call(VERIFY, faulty(&[other_attestor, other_issuer]).input())
}

fn chain_before_validity() -> Entry {
    let by_p384 = {
        let curve = p384::key("response intermediate");
        let answer = faulty(&[expired]);
        let leaf = answer.leaf.with_signature(&p384::sign_der(&curve, &answer.leaf.tbs()));
        answer.input_with_body(answer.whole_with(leaf).encode())
    };
    pair("chain", "validity", "chain", &BODY, "an expired leaf that a stranger signed")
        .family(VERIFY)
        .bad("signed by a stranger", faulty(&[expired, other_issuer]).input())
        .bad("signed with P-384", by_p384)
}

fn everything() -> Entry {
    let faults: [fn(&mut Answer); 8] =
        [other_csr, other_request, other_key, other_san, other_role, other_attestor, other_issuer, expired];
    let answer = faulty(&faults).with(stranger);
    let at = ["/in/response/body", "/in/response/signingKey", "/in/response/sig"];
    let title = "With every fault at once the reason is the signature.";
    bad("order-every-fault", "response-signature", title, &at, "every later check fails too")
        .call(VERIFY, answer.input())
        .why(
            "Octets that are not authenticated are not looked at, so nothing of them can show in the reason.",
        )
}

fn everything_authentic() -> Entry {
    let answer = faulty(&[other_key, other_san, other_role, other_attestor, other_issuer, expired]);
    let title = "With every fault of the leaf at once the reason is its key.";
    bad("order-every-fault-of-the-leaf", "response-leaf-key", title, &BODY, "every later check fails too")
        .call(VERIFY, answer.input())
        .why(WHY)
}
