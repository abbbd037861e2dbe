//! Two faults at once in a deferral: the first check gives the reason.

use crate::case::Entry;
use crate::testkit::keys::key;
use crate::testkit::response::Signed;

use super::deferral::{BODY, Deferral, OP, bad};

const WHY: &str =
    "The order is that of an answer that admits; an implementation has the two in one place or in two.";

pub(super) fn cases() -> Vec<Entry> {
    vec![
        envelope_first(),
        signature_before_form(),
        form_before_csr(),
        csr_before_request(),
        request_before_attestor(),
        admission_resigned(),
    ]
}

fn pair(first: &str, second: &str, reason: &str, at: &[&str], what: &str) -> Entry {
    let title = format!("With two faults the reason is the first check's: {first} before {second}.");
    bad(&format!("order-{first}-before-{second}"), &format!("response-{reason}"), &title, at, what).why(WHY)
}

fn stranger() -> Deferral {
    Deferral::of("tpm").with(|deferral| deferral.signer = key("response attacker"))
}

fn envelope_first() -> Entry {
    let signed = stranger().signed();
    let sig = signed.sig.iter().copied().take(63).collect();
    let at = ["/in/deferral/signingKey", "/in/deferral/sig"];
    pair("envelope", "signature", "malformed", &at, "63 octets of a stranger's signature")
        .call(OP, stranger().input_of(&Signed { sig, ..signed }))
}

fn signature_before_form() -> Entry {
    let at = ["/in/deferral/body", "/in/deferral/signingKey", "/in/deferral/sig"];
    pair("signature", "form", "signature", &at, "a body that does not decode, signed by a stranger")
        .call(OP, stranger().input_with_body(b"\x0a\xff".to_vec()))
}

fn form_before_csr() -> Entry {
    let deferral = Deferral::of("tpm").with(|deferral| {
        deferral.body.csr_sha256 = vec![7; 32];
        deferral.body.attestor.clear();
    });
    pair("form", "csr", "malformed", &BODY, "no attestor, and another CSR's hash").call(OP, deferral.input())
}

fn csr_before_request() -> Entry {
    let deferral = Deferral::of("tpm").with(|deferral| {
        deferral.body.csr_sha256 = vec![7; 32];
        deferral.body.request_sha256 = vec![7; 32];
    });
    let at = ["/in/deferral/body:csrSha256", "/in/deferral/body:requestSha256", "/in/deferral/sig"];
    pair("csr", "request", "csr", &at, "both hashes are another's").call(OP, deferral.input())
}

fn request_before_attestor() -> Entry {
    let deferral = Deferral::of("tpm").with(|deferral| {
        deferral.body.request_sha256 = vec![7; 32];
        deferral.body.attestor = "discovery".into();
    });
    let at = ["/in/deferral/body:requestSha256", "/in/deferral/body:attestor", "/in/deferral/sig"];
    pair("request", "attestor", "request", &at, "another request's hash, and another attestor")
        .also("BINDING-3")
        .call(OP, deferral.input())
}

fn admission_resigned() -> Entry {
    let body = super::answer::Answer::to("tpm", "node").whole().encode();
    let title = "The body of an admission is no deferral's body, even when it is signed as one.";
    bad(
        "body-of-an-admission",
        "response-malformed",
        title,
        &BODY,
        "the body of an admission, signed for join-deferral",
    )
    .call(OP, Deferral::of("tpm").input_with_body(body))
    .why("The field numbers mean other things: a chain stands where csr_sha256 should.")
}
