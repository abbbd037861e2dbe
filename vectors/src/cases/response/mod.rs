//! RESPONSE: the signed answer and the client's checks.

use crate::case::Entry;

mod accepted;
pub(super) mod answer;
mod attestor;
mod chain;
mod chain_form;
mod csr_request;
mod deferral;
mod deferral_order;
mod envelope;
mod form;
mod ids;
mod issued;
mod leaf_key;
mod order;
mod role;
mod san;
mod sign;
mod signing_key;
mod validity;

/// The cases of the step.
pub(super) fn cases() -> Vec<Entry> {
    [
        accepted::cases(),
        sign::cases(),
        envelope::cases(),
        signing_key::cases(),
        form::cases(),
        ids::cases(),
        issued::cases(),
        chain_form::cases(),
        csr_request::cases(),
        leaf_key::cases(),
        san::cases(),
        role::cases(),
        attestor::cases(),
        chain::cases(),
        validity::cases(),
        order::cases(),
        deferral::cases(),
        deferral_order::cases(),
    ]
    .concat()
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    use serde_json::Value;

    use super::answer::pin;
    use crate::case::Entry;
    use crate::testkit::signature::{framed, verify};

    fn octets(value: &Value) -> Vec<u8> {
        URL_SAFE_NO_PAD.decode(value.as_str().unwrap()).unwrap()
    }

    /// Whether the answer in a call is signed by a pinned key for the purpose of its op.
    fn authentic(input: &Value) -> bool {
        let (purpose, signed) = match input.get("response") {
            Some(signed) => ("join-response", signed),
            None => ("join-deferral", &input["deferral"]),
        };
        let key = octets(&signed["signingKey"]);
        let message = framed(purpose, &[octets(&signed["body"])]);
        let pinned = input["pins"].as_array().unwrap().iter().any(|known| *known == pin(&key));
        pinned && verify(&key, &message, &octets(&signed["sig"]))
    }

    #[test]
    fn every_fault_after_the_signature_is_rightly_signed_and_no_other() {
        let envelope = ["sig-length", "sig-der", "deferral-sig-length", "order-envelope-before-signature"];
        for case in super::cases().into_iter().map(Entry::build).filter(|case| case.op.ends_with(".verify")) {
            let name = case.id.trim_start_matches("response/").trim_start_matches("deferral-");
            let unsigned =
                case.reasons.iter().any(|reason| reason == "response-signature") || envelope.contains(&name);
            for call in case.calls() {
                assert_eq!(authentic(call.input), !unsigned, "{} {:?}", case.id, call.row);
            }
        }
    }
}
