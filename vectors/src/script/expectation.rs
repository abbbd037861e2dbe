//! Expectations of steps, worked out from the spec: `joined("n1")`, `refused("token-used")`.

use serde_json::{Value, json};

use super::effects;
use super::is_error_name;
use super::model::Model;
use super::request::{Holder, Request};
use crate::schema::{Case, Effects, Expect, Verdict};
use crate::testkit::world::put;

/// What is expected of a step; `with` and `without` change single members at last.
#[derive(Clone, Debug)]
#[must_use]
pub struct Expectation {
    kind: Kind,
    role: Option<String>,
    edits: Vec<(String, Option<Value>)>,
}

#[derive(Clone, Debug)]
enum Kind {
    Accepted(Value),
    Joined(String, String),
    Reclaimed(String, String),
    Renewed(String),
    Again(String),
    Refused(Vec<String>),
    TokenCreated(String),
    Revoked(String),
    Retired(String),
}

/// Everything that an expectation follows from.
#[derive(Clone, Debug)]
pub(super) struct Context<'c> {
    pub(super) case: &'c Case,
    pub(super) at: &'c str,
    pub(super) request: &'c Request,
    pub(super) repeat: u32,
    pub(super) model: Model,
}

impl<'c> Context<'c> {
    pub(super) fn new(case: &'c Case, at: &'c str, request: &'c Request, repeat: u32) -> Self {
        Self { case, at, request, repeat, model: Model::before_next_step(case) }
    }

    /// The row ids of the certificate and the node of a holder.
    pub(super) fn held(&self, holder: &Holder) -> (String, String) {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        match holder {
            Holder::World { leaf, .. } => {
                let serial = text(&crate::testkit::decode_certificate::certificate(leaf)["serial"]);
                let row = self.model.certs.iter().find(|row| row["id"] == serial.as_str());
                (serial, row.map(|row| text(&row["nodeId"])).unwrap_or_default())
            }
            Holder::Step(name) => {
                let step = self.case.steps.iter().find(|step| step.name == *name);
                let new = step
                    .and_then(|step| step.expect.effects.certs.iter().find(|cert| cert.get("$new").is_some()))
                    .cloned()
                    .unwrap_or_default();
                (format!("${}", text(&new["$new"])), text(&new["nodeId"]))
            }
        }
    }
}

fn of(kind: Kind) -> Expectation {
    Expectation { kind, role: None, edits: Vec::new() }
}

/// Accepted with this output, and nothing changes.
pub fn accepted(out: Value) -> Expectation {
    of(Kind::Accepted(out))
}

/// A new node: its use is taken, node `$<label>` and certificate `$<label>-cert` come to be, event and audit row are
/// written, and the signed answer holds them.
pub fn joined(label: &str) -> Expectation {
    of(Kind::Joined(label.into(), format!("{label}-cert")))
}

/// The join takes the node over (RECLAIM-3, X509POP-1): `node` is an id or `$n1`, `cert` the label of the new certificate.
pub fn reclaimed(node: &str, cert: &str) -> Expectation {
    of(Kind::Reclaimed(node.into(), cert.into()))
}

/// A new certificate of this label; nothing else changes.
pub fn renewed(cert: &str) -> Expectation {
    of(Kind::Renewed(cert.into()))
}

/// The stored answer of an earlier step, octet for octet, and nothing changes (SEAL-8).
pub fn answered_again(step: &str) -> Expectation {
    of(Kind::Again(step.into()))
}

/// Refused for this reason: only the event, for the tenant that the refusal page names. For the name of another error
/// (`CONFLICT`): nothing changes at all.
pub fn refused(reason: &str) -> Expectation {
    of(Kind::Refused(vec![reason.into()]))
}

/// A token of this label comes to be; the record and the token are answered, and the event is published.
pub fn token_created(label: &str) -> Expectation {
    of(Kind::TokenCreated(label.into()))
}

/// The token, an id or `$t1`, is revoked.
pub fn revoked(token: &str) -> Expectation {
    of(Kind::Revoked(token.into()))
}

/// The node, an id or `$n1`, is retired with every certificate (RECLAIM-4).
pub fn retired(node: &str) -> Expectation {
    of(Kind::Retired(node.into()))
}

impl Expectation {
    /// With this value at a JSON pointer into the expectation: `.with("/effects/nodes/0/queued", false)`.
    pub fn with(mut self, pointer: &str, value: impl Into<Value>) -> Self {
        self.edits.push((pointer.into(), Some(value.into())));
        self
    }

    /// Without the member or entry at a JSON pointer.
    pub fn without(mut self, pointer: &str) -> Self {
        self.edits.push((pointer.into(), None));
        self
    }

    /// With this certificate role in place of the token's: node row, certificate and answer.
    pub fn role(mut self, role: &str) -> Self {
        self.role = Some(role.into());
        self
    }

    /// A machine whose hardware key is not trusted: node row, event and audit row.
    pub fn untrusted(self) -> Self {
        ["/effects/nodes/0", "/effects/events/0", "/effects/audit/0"]
            .iter()
            .fold(self, |all, place| all.with(&format!("{place}/hardwareKeyTrusted"), false))
    }

    /// A further reason that is allowed; the event's reason is then free.
    pub fn or(mut self, reason: &str) -> Self {
        if let Kind::Refused(reasons) = &mut self.kind {
            reasons.push(reason.into());
        }
        self
    }

    pub(super) fn work_out(&self, context: &Context<'_>) -> Expect {
        let (out, effects) = self.parts(context);
        let reasons = if let Kind::Refused(reasons) = &self.kind { reasons.clone() } else { Vec::new() };
        let verdict = if reasons.is_empty() { Verdict::Accept } else { Verdict::Reject };
        let expect = Expect { verdict, out, reasons, effects };
        self.edited(expect)
    }

    fn parts(&self, context: &Context<'_>) -> (Option<Value>, Effects) {
        let role = self.role.as_deref();
        match &self.kind {
            Kind::Accepted(out) => (Some(out.clone()), Effects::default()),
            Kind::Joined(node, cert) => effects::joined(context, node, cert, role),
            Kind::Reclaimed(node, cert) => effects::reclaimed(context, node, cert, role),
            Kind::Renewed(cert) => effects::renewed(context, cert),
            Kind::Again(step) => {
                let out = json!({"response": {"$answer": {"purpose": "join-response", "sameAs": step}}});
                (Some(out), Effects::default())
            }
            Kind::Refused(reasons) => match reasons.as_slice() {
                [reason, ..] if !is_error_name(reason) => {
                    (None, effects::refused(context, reason, reasons.len() == 1))
                }
                _ => (None, Effects::default()),
            },
            Kind::TokenCreated(label) => effects::token_created(context, label),
            Kind::Revoked(token) => (Some(json!({})), effects::revoked(context, token)),
            Kind::Retired(node) => (Some(json!({})), effects::retired(context, node)),
        }
    }

    fn edited(&self, expect: Expect) -> Expect {
        let Ok(mut json) = serde_json::to_value(&expect) else { return expect };
        if json.get("effects").is_none() {
            json["effects"] = json!({});
        }
        for (pointer, value) in &self.edits {
            put(&mut json, pointer, value.clone());
        }
        // An edit that makes no expectation shows in the lint: the case then differs from what its author wrote.
        serde_json::from_value(json).unwrap_or(expect)
    }
}
