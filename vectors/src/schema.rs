//! One schema for every case file, `vectors/data/v1/<step>/<name>.json`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One case: it shows one rule or breaks one thing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Case {
    /// `<step>/<name>`; never reused, never changed in meaning.
    pub id: String,
    /// The protocol step: also the folder, the spec page and the core's module.
    pub step: String,
    /// One sentence.
    pub title: String,
    /// Why it matters and what went wrong where it was forgotten.
    pub comment: String,
    /// Whether the clause it shows is documented or chosen.
    pub source: Source,
    /// The named choices it presupposes, each with the one value it is about.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub choice: BTreeMap<String, String>,
    /// The first is the rule it shows or breaks.
    pub rules: Vec<String>,
    /// What kind of run it needs.
    pub kind: Kind,
    /// What a right implementation answers.
    pub verdict: Verdict,
    /// The op of the shim contract.
    pub op: String,
    /// The call's clock, RFC 3339 UTC with milliseconds.
    pub now: String,
    /// The op's input; absent in a family.
    #[serde(rename = "in", default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Value>,
    /// The op's expected output on accept; absent in a family.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out: Option<Value>,
    /// A table-driven family: rows that share everything above; it counts as one case.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Row>,
    /// The world that a script begins with (conformance/SHIM.md, *Worlds*).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub world: Option<Value>,
    /// The steps of a script, in their order; none where the world itself is refused, and the op is then `world.load`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    /// The name of the step that the script is about; absent: the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decisive: Option<String>,
    /// The refusal reasons allowed; normally one; empty on accept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// What the agent may see of a refusal on the wire; absent where nothing reaches the wire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub public: Option<String>,
    /// The accept case (`id`, `id#row`, or `id@step`, a script up to an accepted step) that differs only by the mutation; on every reject.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twin: Option<String>,
    /// What differs from the twin; on every reject.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mutation: Option<Mutation>,
    /// How the bytes are made, so that a live run can forge the same case with fresh keys and times.
    pub recipe: String,
    /// The vectors' version that brought it.
    pub since: String,
    /// New cases are advisory for one minor release.
    pub status: Status,
}

/// One row of a family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Names the row in reports.
    pub name: String,
    /// The op's input.
    #[serde(rename = "in")]
    pub input: Value,
    /// The op's expected output on accept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out: Option<Value>,
}

/// One step of a script: a request at a time, its answer, and what changes in the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// Names the step; later requests refer to its answer by it.
    pub name: String,
    /// The store's clock, RFC 3339 UTC with milliseconds.
    pub at: String,
    /// How often the same request is sent, each time with the same answer expected; absent: once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<u32>,
    /// The request; `{"$leaf": STEP}` and the like stand for what only the subject's answers tell.
    pub request: Value,
    /// What a right implementation answers and changes.
    pub expect: Expect,
}

/// What is expected of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// Whether it is accepted.
    pub verdict: Verdict,
    /// The output on accept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out: Option<Value>,
    /// The reasons, or the names of other errors, that are allowed; empty on accept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<String>,
    /// Everything that changes.
    #[serde(default, skip_serializing_if = "Effects::is_empty")]
    pub effects: Effects,
}

/// What a step changes: exactly this, in this order. A changed row: its `id`, and the changed members. A new row:
/// `$new` names it, and what is listed must match.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effects {
    /// Rows of tokens.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tokens: Vec<Value>,
    /// Rows of nodes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Value>,
    /// Rows of certificates; their id is the serial.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub certs: Vec<Value>,
    /// Events that are published.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Value>,
    /// Audit rows that are written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub audit: Vec<Value>,
}

impl Effects {
    /// Whether nothing changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lists().iter().all(|(_, list)| list.is_empty())
    }

    /// The lists by their names, as a dump has them.
    #[must_use]
    pub fn lists(&self) -> [(&'static str, &[Value]); 5] {
        [
            ("tokens", &self.tokens),
            ("nodes", &self.nodes),
            ("certs", &self.certs),
            ("events", &self.events),
            ("audit", &self.audit),
        ]
    }
}

/// What a reject case changes in its twin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutation {
    /// JSON pointers into the call (`/in/...`, `/now`) or the script (`/world/...`, `/steps/...`); after a `:` a place in the decoded bytes (`/in/seal:header.epk.y`).
    pub at: Vec<String>,
    /// The change in words.
    pub what: String,
}

/// Where the clause shown comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// better-compute's manual says it.
    Documented,
    /// The manual is silent; this spec decided.
    Chosen,
}

/// What kind of run a case needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// One call, no state.
    Function,
    /// A world and timed steps.
    Script,
    /// A live server or client.
    Live,
}

/// What a right implementation answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It accepts, with the expected output.
    Accept,
    /// It rejects, for one of the reasons.
    Reject,
}

/// Whether a failure of the case fails a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Reported only.
    Advisory,
    /// It counts.
    Blocking,
}

/// One call that a case makes.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// The row's name, in a family.
    pub row: Option<&'a str>,
    /// The op's input.
    pub input: &'a Value,
    /// The expected output on accept.
    pub out: Option<&'a Value>,
}

impl Case {
    /// The calls the case makes: one, or one a row.
    #[must_use]
    pub fn calls(&self) -> Vec<Call<'_>> {
        let single = self.input.as_ref().map(|input| Call { row: None, input, out: self.out.as_ref() });
        single
            .into_iter()
            .chain(self.rows.iter().map(|row| Call {
                row: Some(&row.name),
                input: &row.input,
                out: row.out.as_ref(),
            }))
            .collect()
    }

    /// The step that a script is about: the named one, or the last.
    #[must_use]
    pub fn decisive_step(&self) -> Option<&Step> {
        match &self.decisive {
            Some(name) => self.steps.iter().find(|step| step.name == *name),
            None => self.steps.last(),
        }
    }

    /// The canonical form of a case file: two-space JSON with the schema's member order and a final line feed.
    ///
    /// # Errors
    /// When a value cannot be written as JSON.
    pub fn to_file(&self) -> serde_json::Result<String> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        Ok(text)
    }
}
