//! Signing the answer: what the judge finds in what a server made.

use serde_json::{Value, json};

use crate::case::{Entry, accept};
use crate::testkit::encode::b64u;
use crate::testkit::keys::private_jwk;
use crate::testkit::signature::spki;

use super::answer::{Answer, signing_key};

pub(super) fn cases() -> Vec<Entry> {
    let family = accept(
        "response/signed",
        "RESPONSE-1",
        "A server encodes the body and signs it with its key.",
    )
    .also("RESPONSE-2")
    .also("RESPONSE-3")
    .also("SIGNATURE-2")
    .family("join.response.sign")
    .why("The judge verifies the octets that came and reads them strictly; no order of fields is prescribed.")
    .recipe(
        "Let the implementation sign; verify under the key, decode the body by the layout, compare values.",
    );
    vec![
        family
            .row("join-token", input(&Answer::honest()), signed(&Answer::honest()))
            .row("tpm", input(&Answer::to("tpm", "node")), signed(&Answer::to("tpm", "node")))
            .row("site", input(&Answer::to("discovery", "site")), signed(&Answer::to("discovery", "site"))),
    ]
}

fn input(answer: &Answer) -> Value {
    json!({"key": private_jwk(&signing_key()), "body": answer.whole().json()})
}

fn signed(answer: &Answer) -> Value {
    let matcher = json!({
        "purpose": "join-response", "key": b64u(spki(&signing_key())), "body": answer.whole().json(),
    });
    json!({"response": {"$signed": matcher}})
}
