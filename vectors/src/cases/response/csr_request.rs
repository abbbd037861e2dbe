//! The answer to another request: another CSR, another token, other claims.

use serde_json::{Value, json};

use crate::case::Entry;
use crate::testkit::csr;
use crate::testkit::encode::b64u;
use crate::testkit::keys::{hash, key};
use crate::testkit::request::{claims, request, request_hash};
use crate::testkit::signature::spki;

use super::answer::{Answer, VERIFY, asked, bad, node_key, own_csr};

const CSR: [&str; 2] = ["/in/response/body:csrSha256", "/in/response/sig"];
const REQUEST: [&str; 2] = ["/in/response/body:requestSha256", "/in/response/sig"];

pub(super) fn cases() -> Vec<Entry> {
    vec![other_csr(), own_other_csr(), request_differs(), swapped_token(), request_absent()]
}

/// The right answer with another csr_sha256.
fn with_csr_hash(octets: impl Into<Vec<u8>>) -> Value {
    Answer::honest().with(|answer| answer.body.csr_sha256 = octets.into()).input()
}

/// The right answer with another request_sha256.
fn with_request_hash(octets: impl Into<Vec<u8>>) -> Value {
    Answer::honest().with(|answer| answer.body.request_sha256 = octets.into()).input()
}

fn other_csr() -> Entry {
    let own = own_csr(&asked("", "node"));
    let others = csr::honest(&key("response other node")).der();
    bad("csr-of-another", "response-csr", "csr_sha256 is that of the client's own CSR.", &CSR, "another hash")
        .family(VERIFY)
        .bad("another machine's CSR", with_csr_hash(hash(others)))
        .bad("the hash of the key", with_csr_hash(hash(spki(&node_key()))))
        .bad("the request's hash", with_csr_hash(Answer::honest().body.request_sha256))
        .bad("the hash of the base64url", with_csr_hash(hash(b64u(own))))
        .bad("zeros", with_csr_hash([0; 32]))
        .why("An answer to somebody else, or to an earlier attempt, is no answer.")
}

fn own_other_csr() -> Entry {
    let without_binding = csr::honest(&node_key()).der();
    let title = "Another CSR of the same key is another CSR.";
    bad(
        "csr-of-an-earlier-attempt",
        "response-csr",
        title,
        &CSR,
        "the hash of an earlier CSR of the same \
        key",
    )
    .call(VERIFY, with_csr_hash(hash(without_binding)))
    .why(
        "The key alone does not say which request was answered; a gateway could play back the answer \
            to an old one.",
    )
}

fn request_differs() -> Entry {
    let other = |request: &Value| with_request_hash(request_hash(request).map(Vec::from).unwrap_or_default());
    let mut renamed = asked("", "node");
    renamed["claims"] = claims(json!({"productSerial": "5Q4Q7Y1"}));
    let mut reordered = asked("", "node");
    reordered["claims"]["productSerial"] = b64u("5q4q7y1").into();
    let title = "request_sha256, when present, is the hash of the request that was sent.";
    bad("request-differs", "response-request", title, &REQUEST, "the hash of another request")
        .also("BINDING-3")
        .family(VERIFY)
        .bad("other claims", other(&renamed))
        .bad("claims in lower case", other(&reordered))
        .bad("another role", other(&asked("", "site")))
        .bad("another attestor", other(&asked("discovery", "node")))
        .bad("zeros", with_request_hash([0; 32]))
        .bad("the CSR's hash", with_request_hash(Answer::honest().body.csr_sha256))
        .why("A gateway writes claims, role and attestor as it likes; here the machine sees it.")
}

fn swapped_token() -> Entry {
    let own = asked("", "node");
    let swapped = request("", "node", "jt_01kdvdna00e008000000000009", &own["claims"]);
    let title = "A request with another token in it is another request.";
    bad("token-swapped", "response-request", title, &REQUEST, "the hash with another token id")
        .also("BINDING-3")
        .call(VERIFY, with_request_hash(request_hash(&swapped).map(Vec::from).unwrap_or_default()))
        .why("A gateway that seals its own token around the machine's CSR makes it a node of its own pool.")
}

fn request_absent() -> Entry {
    let answer = Answer::honest().calling("requireRequestBinding", true);
    let absent = answer.with(|answer| answer.body.request_sha256.clear());
    let title = "A client that requires the request's hash refuses its absence.";
    bad("request-absent", "response-request", title, &REQUEST, "no request_sha256")
        .also("BINDING-3")
        .twin("response/request-hash#present, required", &REQUEST, "no request_sha256")
        .call(VERIFY, absent.input())
        .why("Otherwise the check is passed by leaving it out.")
}
