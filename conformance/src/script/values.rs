//! What only the subject's answers tell: leaves, ids, tokens, and the labels of rows; and proofs and seals made from them.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::{PublicKey, Sec1Point, SecretKey, elliptic_curve::sec1::FromSec1Point as _};
use serde_json::{Map, Value, json};
use vectors::schema::{Case, Step};
use vectors::testkit::encode::b64u;
use vectors::testkit::keys::{hash, key};
use vectors::testkit::response::{self, JoinResponseBody};
use vectors::testkit::world::seconds;
use vectors::testkit::{seal, signature};

use super::fault::Fault;

/// What has been learned so far.
#[derive(Clone, Debug)]
pub(super) struct Values<'c> {
    pub(super) case: &'c Case,
    answers: BTreeMap<String, Value>,
    requests: BTreeMap<String, Value>,
    begun: BTreeMap<String, Value>,
    labels: BTreeMap<String, String>,
}

/// The value of an object with one member whose name begins with `$`.
fn directive(value: &Value) -> Option<(&str, &Value)> {
    let members = value.as_object()?;
    let (name, argument) = members.iter().next()?;
    (members.len() == 1 && name.starts_with('$')).then_some((name, argument))
}

impl<'c> Values<'c> {
    /// Nothing is known yet.
    #[must_use]
    pub(super) fn new(case: &'c Case) -> Self {
        let (answers, requests, begun) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { case, answers, requests, begun, labels: BTreeMap::new() }
    }

    /// Keeps what a step was asked and what it answered.
    pub(super) fn learn(&mut self, step: &Step, request: &Value, out: Option<&Value>) {
        if let Some(ticket) = request.get("ticket").and_then(Value::as_str)
            && request["do"] == "join-begin"
        {
            self.begun.insert(ticket.into(), request.clone());
        }
        let whole = request.get("ticket").and_then(Value::as_str).and_then(|ticket| self.begun.get(ticket));
        let whole = whole.unwrap_or(request).clone();
        self.requests.insert(step.name.clone(), whole);
        if let Some(out) = out {
            self.answers.insert(step.name.clone(), out.clone());
        }
    }

    pub(super) fn bind(&mut self, label: &str, id: &str) -> Result<(), Fault> {
        match self.labels.insert(label.into(), id.into()) {
            Some(old) if old != id => Err(Fault::Suite(format!("the label {label} is given twice"))),
            _ => Ok(()),
        }
    }

    /// The whole request of a step: of the second half of a join, that of the first.
    pub(super) fn request(&self, step: &Step) -> &Value {
        self.requests.get(&step.name).unwrap_or(&Value::Null)
    }

    pub(super) fn answer(&self, step: &str) -> Option<&Value> {
        self.answers.get(step)
    }

    /// The value with everything put in that the subject has told; proofs are made for this time.
    ///
    /// # Errors
    /// The case's fault: it refers to what is not there, or says how to make nonsense.
    pub(super) fn resolve(&self, value: &Value, at: &str) -> Result<Value, Fault> {
        if let Some((name, argument)) = directive(value)
            && let Some(made) = self.directive(name, argument, at)?
        {
            return Ok(made);
        }
        Ok(match value {
            Value::String(text) => match self.label(text)? {
                Some(id) => id.into(),
                None => value.clone(),
            },
            Value::Array(list) => {
                list.iter().map(|value| self.resolve(value, at)).collect::<Result<Vec<_>, _>>()?.into()
            }
            Value::Object(members) => {
                let pairs = members.iter().map(|(name, value)| Ok((name.clone(), self.resolve(value, at)?)));
                Value::Object(pairs.collect::<Result<Map<_, _>, Fault>>()?)
            }
            other => other.clone(),
        })
    }

    /// What a text that is a label stands for.
    fn label(&self, text: &str) -> Result<Option<&str>, Fault> {
        let Some(name) = text.strip_prefix('$').filter(|name| !name.is_empty()) else { return Ok(None) };
        let known = self.labels.get(name).map(String::as_str);
        known.map(Some).ok_or_else(|| Fault::Suite(format!("{text} is the label of no row yet")))
    }

    fn directive(&self, name: &str, argument: &Value, at: &str) -> Result<Option<Value>, Fault> {
        let text = || argument.as_str().ok_or_else(|| Fault::Suite(format!("{name}: no step's name")));
        Ok(Some(match name {
            "$leaf" => b64u(self.leaf(text()?)?).into(),
            "$node" => self.body(text()?)?.node_id.into(),
            "$spiffe" => {
                let body = self.body(text()?)?;
                let (domain, site, node) = (body.trust_domain, body.site_id, body.node_id);
                format!("spiffe://{domain}/site/{site}/node/{node}").into()
            }
            "$token" => {
                let step = text()?;
                let token = self.answers.get(step).and_then(|out| out.get("token"));
                token
                    .filter(|token| token.is_string())
                    .cloned()
                    .ok_or_else(|| Fault::Suite(format!("{name}: the step {step} has answered no token")))?
            }
            "$pop" => proof(&self.resolve(argument, at)?)?,
            "$seal" => sealed(&self.resolve(argument, at)?, at)?,
            _ => return Ok(None),
        }))
    }

    fn body(&self, step: &str) -> Result<JoinResponseBody, Fault> {
        let body = self
            .answers
            .get(step)
            .and_then(|out| out.pointer("/response/body"))
            .and_then(Value::as_str)
            .and_then(|text| URL_SAFE_NO_PAD.decode(text).ok())
            .ok_or_else(|| Fault::Suite(format!("the step {step} has answered no body")))?;
        response::decode(&body).map_err(Fault::Suite)
    }

    fn leaf(&self, step: &str) -> Result<Vec<u8>, Fault> {
        let chain = self.body(step)?.certificate_chain;
        chain.into_iter().next().ok_or_else(|| Fault::Suite(format!("the step {step} has answered no leaf")))
    }
}

fn text<'v>(argument: &'v Value, name: &str, of: &str) -> Result<&'v str, Fault> {
    argument[name].as_str().ok_or_else(|| Fault::Suite(format!("{of}: {name} is missing or no text")))
}

fn octets(argument: &Value, name: &str, of: &str) -> Result<Vec<u8>, Fault> {
    let text = text(argument, name, of)?;
    URL_SAFE_NO_PAD.decode(text).map_err(|_| Fault::Suite(format!("{of}: {name} is no base64url")))
}

/// A proof of possession (RENEWAL-1, X509POP-1), honest or of a form that is refused.
fn proof(argument: &Value) -> Result<Value, Fault> {
    let of = "$pop";
    let key = private_key(&argument["key"], of)?;
    let fields = json!({
        "csrSha256": b64u(hash(octets(argument, "csr", of)?)),
        "nodeId": text(argument, "node", of)?,
        "clientTimeMs": argument["clientTimeMs"],
    });
    let message = signature::message(text(argument, "purpose", of)?, &fields).map_err(Fault::Suite)?;
    let mut sig = signature::sign(&key, &message).to_vec();
    match argument.get("form").and_then(Value::as_str) {
        None => {}
        Some("high-s") => sig = signature::sign_high(&key, &message).to_vec(),
        Some("der") => sig = signature::sign_der(&key, &message),
        Some("flipped") => {
            if let Some(last) = sig.last_mut() {
                *last ^= 1;
            }
        }
        Some("short") => drop(sig.pop()),
        Some("empty") => sig.clear(),
        Some(other) => return Err(Fault::Suite(format!("{of}: there is no form {other}"))),
    }
    Ok(b64u(sig).into())
}

/// A seal of a token that was made at run time (SEAL-1..5); everything random comes from what it holds.
fn sealed(argument: &Value, at: &str) -> Result<Value, Fault> {
    let of = "$seal";
    let token = text(argument, "token", of)?;
    let csr = octets(argument, "csr", of)?;
    let recipient = public_key(&argument["key"], of)?;
    let iat = argument["iat"].as_u64().or_else(|| u64::try_from(seconds(at)).ok()).unwrap_or_default();
    let name = format!("{token}{iat}{}", b64u(hash(&csr)));
    let mut made = seal::honest(&name, &key(of), token, &csr, iat);
    made.z = seal::jwe::agree(&key(&format!("seal ephemeral: {name}")), &recipient);
    Ok(b64u(made.text()).into())
}

pub(super) fn private_key(jwk: &Value, of: &str) -> Result<SecretKey, Fault> {
    SecretKey::from_slice(&octets(jwk, "d", of)?).map_err(|_| Fault::Suite(format!("{of}: d is no scalar")))
}

fn public_key(jwk: &Value, of: &str) -> Result<PublicKey, Fault> {
    let point = [vec![4], octets(jwk, "x", of)?, octets(jwk, "y", of)?].concat();
    Sec1Point::from_bytes(point)
        .ok()
        .and_then(|point| Option::from(PublicKey::from_sec1_point(&point)))
        .ok_or_else(|| Fault::Suite(format!("{of}: key is no point")))
}

#[cfg(test)]
mod tests {
    use vectors::script::script_accept;
    use vectors::testkit::keys::{private_jwk, public_jwk};
    use vectors::testkit::signature::spki;

    use super::*;

    const AT: &str = "2026-01-01T00:00:00.000Z";

    fn case() -> Case {
        script_accept("token/x", "TOKEN-1", "X.").build()
    }

    #[test]
    fn a_seal_made_at_run_time_is_one_that_opens() {
        let (case, server) = (case(), key("server"));
        let asked = json!({"$seal": {"token": "bcjt_x", "csr": b64u(b"csr"), "key": public_jwk(&server)}});
        let made = Values::new(&case).resolve(&asked, AT).unwrap();
        let text = URL_SAFE_NO_PAD.decode(made.as_str().unwrap()).unwrap();
        let opened = seal::open(&private_jwk(&server), &text).unwrap();
        assert_eq!(opened.plaintext, b"bcjt_x");
        assert_eq!(opened.header["iat"], 1_767_225_600);
    }

    #[test]
    fn a_proof_verifies_and_its_other_forms_do_not() {
        let (case, holder) = (case(), key("holder"));
        let make = |form: Option<&str>| {
            let mut pop = json!({
                "purpose": "renew-pop", "key": private_jwk(&holder), "csr": b64u(b"csr"), "node": "node_x",
                "clientTimeMs": 7,
            });
            if let Some(form) = form {
                pop["form"] = form.into();
            }
            let made = Values::new(&case).resolve(&json!({"$pop": pop}), AT).unwrap();
            URL_SAFE_NO_PAD.decode(made.as_str().unwrap()).unwrap()
        };
        let fields = [hash(b"csr").to_vec(), b"node_x".to_vec(), 7i64.to_be_bytes().to_vec()];
        let message = signature::framed("renew-pop", &fields);
        assert!(signature::verify(&spki(&holder), &message, &make(None)));
        for form in ["high-s", "der", "flipped", "short", "empty"] {
            assert!(!signature::verify(&spki(&holder), &message, &make(Some(form))), "{form}");
        }
    }

    #[test]
    fn what_is_not_known_yet_is_the_cases_fault() {
        let case = case();
        let mut values = Values::new(&case);
        for value in [json!({"$leaf": "join"}), json!("$n1"), json!({"$token": "create"})] {
            assert!(matches!(values.resolve(&value, AT), Err(Fault::Suite(_))), "{value}");
        }
        values.bind("n1", "node_x").unwrap();
        assert_eq!(values.resolve(&json!(["$n1"]), AT), Ok(json!(["node_x"])));
        assert!(values.bind("n1", "node_y").is_err());
    }
}
