//! Scripts: a world, timed steps, and what each changes. `script_accept(..).world(..).step(..)` makes a case of ten lines.
//!
//! A step's expectation is worked out from the spec when the step is added: from the world, the steps before it, the
//! request and the clock. `with` changes what a case is about.

mod effects;
mod expectation;
mod model;
mod request;

pub use expectation::{
    Expectation, accepted, answered_again, joined, reclaimed, refused, renewed, retired, revoked,
    token_created,
};
pub use request::{
    Holder, Join, Proof, Renew, Request, enqueue, join, join_with, renew, restart, retire, revoke,
    token_create, x509pop,
};

use serde_json::Value;

use crate::case::{Entry, JOIN_REFUSED, accept};
use crate::schema::{Case, Kind, Step, Verdict};
use crate::testkit::world::World;

/// What a refused agent sees of any refused renewal.
pub const RENEW_REFUSED: &str = "PERMISSION_DENIED Renew refused";

/// A script whose decisive step a right implementation accepts. `id` is `<step>/<name>`, `rule` the rule it shows.
pub fn script_accept(id: &str, rule: &str, title: &str) -> Entry {
    let mut entry = accept(id, rule, title);
    entry.0.kind = Kind::Script;
    entry.0.op = "world.step".into();
    entry
}

/// A script whose decisive step a right implementation rejects; its reasons are those of that step.
pub fn script_reject(id: &str, rule: &str, title: &str) -> Entry {
    let mut entry = script_accept(id, rule, title);
    entry.0.verdict = Verdict::Reject;
    entry
}

impl Entry {
    /// What the script begins with; before any step.
    pub fn world(mut self, world: &World) -> Self {
        self.0.world = Some(world.0.clone());
        self
    }

    /// A step: its name, the store's clock, the request, and what is expected of it.
    pub fn step(
        self,
        name: &str,
        at: &str,
        request: impl Into<Request>,
        expected: impl Into<Expectation>,
    ) -> Self {
        self.steps(None, name, at, &request.into(), &expected.into())
    }

    /// A step whose request is sent several times (at least twice), with the same answer each time; the effects are of
    /// all together, so write them with [`Expectation::with`], or take [`refused`], which knows.
    pub fn repeated(
        self,
        times: u32,
        name: &str,
        at: &str,
        request: impl Into<Request>,
        expected: impl Into<Expectation>,
    ) -> Self {
        self.steps((times > 1).then_some(times), name, at, &request.into(), &expected.into())
    }

    fn steps(
        mut self,
        repeat: Option<u32>,
        name: &str,
        at: &str,
        request: &Request,
        expected: &Expectation,
    ) -> Self {
        let context = expectation::Context::new(&self.0, at, request, repeat.unwrap_or(1));
        let expect = expected.work_out(&context);
        let request = request.json(at);
        self.0.steps.push(Step { name: name.into(), at: at.into(), repeat, request, expect });
        self
    }

    /// The world itself is refused with the name of this error, so there are no steps.
    pub fn unloadable(mut self, error: &str) -> Self {
        self.0.op = "world.load".into();
        self.0.reasons = vec![error.into()];
        self
    }

    /// The script is about this step, not the last.
    pub fn about(mut self, step: &str) -> Self {
        self.0.decisive = Some(step.into());
        self
    }
}

/// Fills in what follows from the steps: clock, reasons, and what the agent sees.
pub(crate) fn finished(mut case: Case) -> Case {
    if case.kind != Kind::Script {
        return case;
    }
    if let Some(first) = case.steps.first() {
        case.now.clone_from(&first.at);
    }
    let Some(step) = case.decisive_step() else { return case };
    let reasons = step.expect.reasons.clone();
    let refusal = reasons.iter().any(|reason| !is_error_name(reason));
    let public = match step.request.get("do").and_then(Value::as_str) {
        Some("join" | "join-finish") if refusal => Some(JOIN_REFUSED.to_owned()),
        Some("renew") if refusal => Some(RENEW_REFUSED.to_owned()),
        _ => None,
    };
    if case.verdict == Verdict::Reject {
        (case.reasons, case.public) = (reasons, public);
    }
    case
}

/// Whether a word is the name of an error that is no refusal, such as `CONFLICT` (REFUSAL-5).
#[must_use]
pub fn is_error_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_uppercase())
}

#[cfg(test)]
mod tests;
