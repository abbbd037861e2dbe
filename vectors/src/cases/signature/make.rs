//! Signing: what the judge finds in the 64 octets that an implementation made.

use serde_json::{Value, json};

use crate::case::{Entry, accept};
use crate::testkit::encode::b64u;
use crate::testkit::keys::private_jwk;
use crate::testkit::signature::spki;

use super::golden::GOLDEN;
use super::{fields, signer};

/// How the judge looks at the answer.
const RECIPE: &str = "Let the implementation sign; verify the 64 octets under the key, s in the lower \
    half, over the message of the layout.";

pub(super) fn cases() -> Vec<Entry> {
    vec![each_purpose(), always_low()]
}

fn each_purpose() -> Entry {
    let family = accept("signature/made", "SIGNATURE-2", "A signer signs the message of each purpose.")
        .also("SIGNATURE-1")
        .family("signature.make")
        .why("Signer and verifier of one implementation may agree on a wrong message; the judge does not.")
        .recipe(RECIPE);
    GOLDEN.iter().fold(family, |family, (purpose, _)| {
        family.row(purpose, make(purpose, &fields(purpose)), signature(purpose, &fields(purpose)))
    })
}

fn always_low() -> Entry {
    let family = accept(
        "signature/made-low",
        "SIGNATURE-1",
        "A signer replaces a high s by n - s, every \
        time.",
    )
    .family("signature.make")
    .why(
        "Half of all signatures come out high. One that is not replaced is refused by every peer, \
            half the time.",
    )
    .recipe(RECIPE);
    (0u8..12).fold(family, |family, octet| {
        let fields = json!({"body": b64u([octet])});
        family.row(
            &format!("body {octet}"),
            make("join-response", &fields),
            signature("join-response", &fields),
        )
    })
}

fn make(purpose: &str, fields: &Value) -> Value {
    json!({"purpose": purpose, "fields": fields, "key": private_jwk(&signer())})
}

/// What the judge wants of a signature: 64 octets, low, by the signer over the message of purpose and fields.
fn signature(purpose: &str, fields: &Value) -> Value {
    json!({"sig": {"$signature": {"purpose": purpose, "fields": fields, "key": b64u(spki(&signer()))}}})
}
