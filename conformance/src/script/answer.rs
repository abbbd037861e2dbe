//! `$answer`: a signed answer is verified, taken apart, and compared with what the case says of it (RESPONSE-1 to RESPONSE-4).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use vectors::schema::Step;
use vectors::testkit::encode::b64u;
use vectors::testkit::keys::hash;
use vectors::testkit::response::{self, JoinResponseBody};
use vectors::testkit::signature::{framed, spki, verify};

use super::fault::Fault;
use super::profile;
use super::values::{Values, private_key};

/// Compares an output `{"response": signed}` with its description.
pub(super) fn check(
    expected: &Value,
    out: &Value,
    step: &Step,
    values: &Values<'_>,
    is_signed: bool,
) -> Result<(), Fault> {
    let response = out.get("response").filter(|_| out.as_object().is_some_and(|members| members.len() == 1));
    let response = response.ok_or_else(|| Fault::at("/out", "not exactly the member response"))?;
    if let Some(earlier) = expected.get("sameAs").and_then(Value::as_str) {
        let stored = values.answer(earlier).and_then(|out| out.get("response"));
        let stored = stored.ok_or_else(|| Fault::Suite(format!("sameAs: {earlier} has answered nothing")))?;
        if stored != response {
            return Err(Fault::at("/out/response", format!("not the stored answer of the step {earlier}")));
        }
    }
    let purpose = expected["purpose"].as_str().unwrap_or("join-response");
    let body = verified(response, purpose, values, is_signed)?;
    let seen = seen(&body, values, step).map_err(|what| Fault::at("/out/response/body", what))?;
    compare(expected, &seen, values)
}

/// Everything that a signed answer says, for comparing it with another subject's.
pub(super) fn described(
    out: &Value,
    purpose: &str,
    step: &Step,
    values: &Values<'_>,
    is_signed: bool,
) -> Result<Value, Fault> {
    let body = verified(&out["response"], purpose, values, is_signed)?;
    seen(&body, values, step).map_err(|what| Fault::at("/out/response/body", what))
}

/// The body, after its signature has verified under the world's signing key.
fn verified(
    response: &Value,
    purpose: &str,
    values: &Values<'_>,
    is_signed: bool,
) -> Result<JoinResponseBody, Fault> {
    let part = |name: &str| {
        let path = format!("/out/response/{name}");
        let text = response.get(name).and_then(Value::as_str).ok_or_else(|| Fault::at(&path, "no text"))?;
        URL_SAFE_NO_PAD.decode(text).map_err(|_| Fault::at(&path, "no base64url"))
    };
    let (body, sig, hint) = (part("body")?, part("sig")?, part("signingKey")?);
    if is_signed {
        let world = values.case.world.as_ref().map(|world| &world["keys"]["signing"]);
        let key = spki(&private_key(world.unwrap_or(&Value::Null), "the world's signing key")?);
        if hint != key {
            return Err(Fault::at("/out/response/signingKey", "not the world's signing key"));
        }
        if !verify(&key, &framed(purpose, std::slice::from_ref(&body)), &sig) {
            let what = format!("no low-S signature of purpose {purpose} by the world's signing key");
            return Err(Fault::at("/out/response/sig", what));
        }
    } else if !sig.is_empty() || !hint.is_empty() {
        return Err(Fault::at(
            "/out/response",
            "sig and signingKey must be empty (renewal.signed-answer no)",
        ));
    }
    response::decode(&body).map_err(|what| Fault::at("/out/response/body", what))
}

/// Everything in the answer that a case can speak of; what must hold of every answer is checked on the way.
fn seen(body: &JoinResponseBody, values: &Values<'_>, step: &Step) -> Result<Value, String> {
    let world = values.case.world.as_ref().unwrap_or(&Value::Null);
    let octets = |value: &Value| value.as_str().and_then(|text| URL_SAFE_NO_PAD.decode(text).ok());
    let request = values.request(step);
    let csr = octets(&request["csr"]).ok_or("the request of this answer is not known")?;
    if body.csr_sha256 != hash(csr) {
        return Err("csr_sha256 is not the hash of the request's CSR".into());
    }
    if world["trustDomain"] != body.trust_domain.as_str() {
        return Err(format!("trust_domain is {}", body.trust_domain));
    }
    let bundle: Vec<String> = body.command_trust_bundle.iter().map(b64u).collect();
    if world["keys"]["trustBundle"] != json!(bundle) {
        return Err("command_trust_bundle is not the world's".into());
    }
    let issuer = octets(&world["keys"]["nodeCa"]["certificate"]).ok_or("the world has no issuer")?;
    let is_root = profile::is_self_issued(&issuer)?;
    let leaf = match body.certificate_chain.as_slice() {
        [leaf] if is_root => leaf,
        [leaf, next] if !is_root && *next == issuer => leaf,
        _ if is_root => return Err("the chain is not the leaf alone, whose issuer is a root".into()),
        _ => return Err("the chain is not the leaf and the world's issuer".into()),
    };
    let mut seen = profile::check(leaf, &issuer).map_err(|what| format!("the leaf: {what}"))?;
    let spiffe = format!("spiffe://{}/site/{}/node/{}", body.trust_domain, body.site_id, body.node_id);
    if seen["spiffe"] != spiffe {
        return Err(format!("the leaf names {}, the body {spiffe}", seen["spiffe"]));
    }
    if seen["role"] != body.role {
        return Err(format!("the leaf has the role {}, the body {:?}", seen["role"], body.role));
    }
    for (name, value) in [("node", &body.node_id), ("site", &body.site_id), ("attestor", &body.attestor)] {
        seen[name] = value.as_str().into();
    }
    if !body.request_sha256.is_empty() {
        seen["requestSha256"] = b64u(&body.request_sha256).into();
    }
    Ok(seen)
}

fn compare(expected: &Value, seen: &Value, values: &Values<'_>) -> Result<(), Fault> {
    for (name, wanted) in expected.as_object().into_iter().flatten() {
        if name == "purpose" || name == "sameAs" {
            continue;
        }
        let path = format!("/out/response: {name}");
        let is = seen.get(name);
        if wanted.get("$absent").is_some() {
            if let Some(is) = is {
                return Err(Fault::at(&path, format!("{is}, must be absent")));
            }
            continue;
        }
        let wanted = values.resolve(wanted, "")?;
        if is != Some(&wanted) {
            let is = is.map_or_else(|| "absent".into(), Value::to_string);
            return Err(Fault::at(&path, format!("{is}, expected {wanted}")));
        }
    }
    Ok(())
}
