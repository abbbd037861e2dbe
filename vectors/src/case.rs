//! Short entries for cases: `accept(..)` or `reject(..)`, then what differs from the usual.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::schema::{Case, Kind, Mutation, Row, Source, Status, Verdict};

/// The clock of every case that does not set one.
pub const NOW: &str = "2026-01-01T00:00:00.000Z";
/// What a refused agent sees of any refused join.
pub const JOIN_REFUSED: &str = "PERMISSION_DENIED Join refused";

/// A case under construction.
#[derive(Clone, Debug)]
#[must_use]
pub struct Entry(pub(crate) Case);

/// A case that a right implementation accepts. `id` is `<step>/<name>`, `rule` the rule it shows.
pub fn accept(id: &str, rule: &str, title: &str) -> Entry {
    Entry(Case {
        id: id.into(),
        step: id.split('/').next().unwrap_or_default().into(),
        title: title.into(),
        comment: String::new(),
        source: Source::Chosen,
        choice: BTreeMap::new(),
        rules: vec![rule.into()],
        kind: Kind::Function,
        verdict: Verdict::Accept,
        op: String::new(),
        now: NOW.into(),
        input: None,
        out: None,
        rows: Vec::new(),
        world: None,
        steps: Vec::new(),
        decisive: None,
        reasons: Vec::new(),
        public: None,
        twin: None,
        mutation: None,
        recipe: String::new(),
        since: "0.1.0".into(),
        status: Status::Blocking,
    })
}

/// A case that a right implementation rejects for `reason`. `rule` is the one it breaks.
pub fn reject(id: &str, rule: &str, reason: &str, title: &str) -> Entry {
    let mut entry = accept(id, rule, title);
    entry.0.verdict = Verdict::Reject;
    entry.0.reasons = vec![reason.into()];
    entry
}

impl Entry {
    /// The clause shown is documented (default: chosen).
    pub fn documented(mut self) -> Self {
        self.0.source = Source::Documented;
        self
    }

    /// A further rule that the case touches.
    pub fn also(mut self, rule: &str) -> Self {
        self.0.rules.push(rule.into());
        self
    }

    /// The rule that the case shows or breaks first of all, where a builder has put another.
    pub fn showing(mut self, rule: &str) -> Self {
        self.0.rules.retain(|other| other != rule);
        self.0.rules.insert(0, rule.into());
        self
    }

    /// A further reason that is allowed, where the spec leaves the order open.
    pub fn or_reason(mut self, reason: &str) -> Self {
        self.0.reasons.push(reason.into());
        self
    }

    /// Why the case matters.
    pub fn why(mut self, comment: &str) -> Self {
        self.0.comment = comment.into();
        self
    }

    /// The case presupposes this value of a named choice.
    pub fn choice(mut self, name: &str, value: &str) -> Self {
        self.0.choice.insert(name.into(), value.into());
        self
    }

    /// The call's clock.
    pub fn at(mut self, now: &str) -> Self {
        self.0.now = now.into();
        self
    }

    /// The op and its input.
    pub fn call(mut self, op: &str, input: Value) -> Self {
        self.0.op = op.into();
        self.0.input = Some(input);
        self
    }

    /// The expected output.
    pub fn out(mut self, out: Value) -> Self {
        self.0.out = Some(out);
        self
    }

    /// The op of a family; its inputs come from the rows.
    pub fn family(mut self, op: &str) -> Self {
        self.0.op = op.into();
        self
    }

    /// A row of a family that is accepted with an output.
    pub fn row(mut self, name: &str, input: Value, out: Value) -> Self {
        self.0.rows.push(Row { name: name.into(), input, out: Some(out) });
        self
    }

    /// A row of a family that is rejected.
    pub fn bad(mut self, name: &str, input: Value) -> Self {
        self.0.rows.push(Row { name: name.into(), input, out: None });
        self
    }

    /// The accept case it differs from, where, and how in words.
    pub fn twin(mut self, twin: &str, at: &[&str], what: &str) -> Self {
        self.0.twin = Some(twin.into());
        self.0.mutation =
            Some(Mutation { at: at.iter().map(|&place| place.into()).collect(), what: what.into() });
        self
    }

    /// The refusal reaches an agent, as the one refusal of a join.
    pub fn refused(mut self) -> Self {
        self.0.public = Some(JOIN_REFUSED.into());
        self
    }

    /// How a live run makes the same bytes.
    pub fn recipe(mut self, recipe: &str) -> Self {
        self.0.recipe = recipe.into();
        self
    }

    /// The case as it is written to its file.
    #[must_use]
    pub fn build(self) -> Case {
        crate::script::finished(self.0)
    }
}
