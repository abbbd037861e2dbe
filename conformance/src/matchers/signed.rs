//! `$signature` and `$signed`: signatures are verified, never compared (SIGNATURE-1, SIGNATURE-2, RESPONSE-1).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;
use vectors::testkit::{response, signature};

use super::{Mismatch, answered, octets, text};

/// 64 octets, low-S, over the message of the purpose and the fields.
pub(super) fn signature(argument: &Value, actual: &Value, path: &str) -> Result<(), Mismatch> {
    let purpose = text(argument, "purpose", "$signature")?;
    let fields = argument.get("fields").unwrap_or(&Value::Null);
    let message =
        signature::message(purpose, fields).map_err(|what| Mismatch::Suite(format!("$signature: {what}")))?;
    let key = octets(argument, "key", "$signature")?;
    verify(&key, &message, &answered(actual, path)?, path)
}

fn verify(key: &[u8], message: &[u8], sig: &[u8], path: &str) -> Result<(), Mismatch> {
    if sig.len() != 64 {
        return Err(Mismatch::at(path, format!("{} octets, not 64", sig.len())));
    }
    if signature::verify(key, message, sig) {
        return Ok(());
    }
    // Say which of the two it is: a high s is the usual mistake.
    let low = p256::ecdsa::Signature::from_slice(sig).map(|sig| sig.normalize_s());
    let high = low.is_ok_and(|low| signature::verify(key, message, &low.to_bytes()));
    let what = if high { "s is in the upper half" } else { "the signature does not verify" };
    Err(Mismatch::at(path, what))
}

/// The three fields of a signed answer: the signature, the key beside it, and the values in the body.
pub(super) fn response(argument: &Value, actual: &Value, path: &str) -> Result<(), Mismatch> {
    let purpose = text(argument, "purpose", "$signed")?;
    let key = octets(argument, "key", "$signed")?;
    let expected = argument.get("body").ok_or_else(|| Mismatch::Suite("$signed: body is missing".into()))?;
    let members = actual.as_object().ok_or_else(|| Mismatch::at(path, "not an object"))?;
    if let Some(other) = members.keys().find(|name| !["body", "sig", "signingKey"].contains(&name.as_str())) {
        return Err(Mismatch::at(&format!("{path}/{other}"), "a member that must not be there"));
    }
    let part = |name: &str| {
        let path = format!("{path}/{name}");
        members
            .get(name)
            .ok_or_else(|| Mismatch::at(&path, "missing"))
            .and_then(|value| answered(value, &path))
    };
    let body = part("body")?;
    if part("signingKey")? != key {
        return Err(Mismatch::at(&format!("{path}/signingKey"), "not the SPKI of the signing key"));
    }
    let message = signature::framed(purpose, std::slice::from_ref(&body));
    verify(&key, &message, &part("sig")?, &format!("{path}/sig"))?;
    let decoded = match purpose {
        "join-response" => response::decode(&body).map(|body| body.json()),
        "join-deferral" => response::decode_deferral(&body).map(|body| deferral_json(&body)),
        other => return Err(Mismatch::Suite(format!("$signed: {other}: no purpose with a body"))),
    };
    let decoded = decoded.map_err(|what| Mismatch::at(&format!("{path}/body"), what))?;
    same_body(expected, &decoded, path)
}

fn same_body(expected: &Value, decoded: &Value, path: &str) -> Result<(), Mismatch> {
    let none = serde_json::Map::new();
    let (expected, decoded) = (expected.as_object().unwrap_or(&none), decoded.as_object().unwrap_or(&none));
    for name in expected.keys().chain(decoded.keys()) {
        let (want, have) = (expected.get(name), decoded.get(name));
        // An optional field that is absent is one of no octets.
        let absent = want.is_none() && have.and_then(Value::as_str) == Some("");
        if want != have && !absent {
            let show = |value: Option<&Value>| value.map_or_else(|| "nothing".into(), super::shown);
            let what = format!("{}, expected {}", show(have), show(want));
            return Err(Mismatch::at(&format!("{path}/body:{name}"), what));
        }
    }
    Ok(())
}

fn deferral_json(body: &response::JoinDeferralBody) -> Value {
    let octets = |octets: &[u8]| URL_SAFE_NO_PAD.encode(octets);
    serde_json::json!({
        "requestId": body.request_id, "csrSha256": octets(&body.csr_sha256),
        "attestor": body.attestor, "requestSha256": octets(&body.request_sha256),
    })
}
