//! SIGNATURE: what is signed, and how.

use p256::SecretKey;
use serde_json::{Value, json};

use crate::case::Entry;
use crate::testkit::encode::b64u;
use crate::testkit::keys::key;
use crate::testkit::signature::{message, sign, spki};

mod form;
mod golden;
mod key_form;
mod make;
mod message_form;
mod purpose;

/// The cases of the step.
pub(super) fn cases() -> Vec<Entry> {
    [
        golden::cases(),
        make::cases(),
        purpose::cases(),
        form::cases(),
        message_form::cases(),
        key_form::cases(),
    ]
    .concat()
}

/// How every signature here is made.
const RECIPE: &str = "Sign \"better-compute.v1\" NUL purpose NUL and each field after its u32 length \
    with the key; r and s as 64 octets, s in the lower half; then do what the mutation says.";

/// The signer of the cases.
fn signer() -> SecretKey {
    key("signature signer")
}

/// The fields of every purpose in the cases, in the order of the spec's table.
fn fields(purpose: &str) -> Value {
    // SHA-256 of the three letters "csr".
    let csr = b64u(hex::decode(golden::CSR_SHA256).unwrap_or_default());
    match purpose {
        "renew-pop" | "x509pop" => {
            json!({"csrSha256": csr, "nodeId": golden::NODE_ID, "clientTimeMs": 1_760_000_000_000_i64})
        }
        "discovery-vouch" => json!({
            "csrSha256": csr,
            "mac": b64u([0x94, 0xde, 0x80, 0x06, 0xf8, 0xd5]),
            "ip": b64u([192, 0, 2, 17]),
            "workflowId": "wf-7",
            "bootLeaseEpoch": 3,
        }),
        _ => json!({"body": b64u([0x0a, 0x01, 0x78])}),
    }
}

/// The message of a purpose with the cases' fields.
fn plain(purpose: &str) -> Vec<u8> {
    message(purpose, &fields(purpose)).unwrap_or_default()
}

/// Input of `signature.verify` under the signer's key with the cases' fields.
fn verify(purpose: &str, sig: impl AsRef<[u8]>) -> Value {
    json!({"purpose": purpose, "fields": fields(purpose), "key": b64u(spki(&signer())), "sig": b64u(sig)})
}

/// The same with a right signature over any message.
fn verify_message(purpose: &str, signed: &[u8]) -> Value {
    verify(purpose, sign(&signer(), signed))
}
