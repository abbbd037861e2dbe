//! The messages of jc/1: what comes in, and what goes out.

use std::collections::BTreeMap;
use std::panic::{self, AssertUnwindSafe};

use reference_core::choices::{self, Choices};
use reference_core::reason::Reason;
use reference_core::refusal::ErrorName;
use reference_core::time::Millis;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::ops;
use crate::shapes::Time;
use crate::world::{self, World};

/// What the loop does after a line.
pub(crate) enum Reply {
    /// Write this line.
    Line(String),
    /// Write nothing: the line was no message.
    Nothing(String),
    /// End.
    Bye,
}

/// A call, as handlers see it.
pub(crate) struct Call<'a> {
    pub(crate) now: Millis,
    pub(crate) choices: Choices,
    input: &'a RawValue,
}

impl<'a> Call<'a> {
    /// The call's input, typed. A missing member or one of the wrong type is an error, never a rejection.
    pub(crate) fn input<T: Deserialize<'a>>(&self) -> Result<T, Failure> {
        serde_json::from_str(self.input.get()).map_err(Failure::error)
    }
}

/// Why a call was not accepted.
pub(crate) enum Failure {
    /// The core looked at the input and refused it, with this word.
    Reject(&'static str),
    /// The call is not of its op's shape.
    Error(String),
    /// The call asks for something unknown here.
    Unsupported(String),
}

impl Failure {
    #[expect(clippy::needless_pass_by_value, reason = "it stands in `map_err`")]
    pub(crate) fn error(detail: impl ToString) -> Self {
        Self::Error(detail.to_string())
    }
}

impl From<Reason> for Failure {
    fn from(reason: Reason) -> Self {
        Self::Reject(reason.as_str())
    }
}

impl From<ErrorName> for Failure {
    fn from(name: ErrorName) -> Self {
        Self::Reject(name.as_str())
    }
}

/// Answers one line. Only the ops of worlds look at the world and change it.
pub(crate) fn answer(line: &[u8], world: &mut Option<World>) -> Reply {
    let head: Head = match serde_json::from_slice(line) {
        Ok(head) => head,
        Err(error) => return Reply::Nothing(format!("not a message: {error}")),
    };
    let result = match &*head.m {
        "bye" => return Reply::Bye,
        "hello" => hello(line),
        "call" => call(line, world),
        other => Err(Failure::Unsupported(format!("message {other}"))),
    };
    let mut reply = result.unwrap_or_else(refused);
    reply.insert("jc".into(), json!(VERSION));
    reply.insert("id".into(), json!(head.id));
    Reply::Line(Value::Object(reply).to_string())
}

/// What every message has.
#[derive(Deserialize)]
struct Head {
    #[serde(rename = "jc")]
    _version: u64,
    #[serde(default)]
    id: u64,
    m: String,
}

#[derive(Deserialize)]
struct Hello {
    protocol: Versions,
    #[serde(default)]
    critical: Vec<String>,
}

#[derive(Deserialize)]
struct Versions {
    min: u64,
    max: u64,
}

fn hello(line: &[u8]) -> Result<Map<String, Value>, Failure> {
    let hello: Hello = serde_json::from_slice(line).map_err(Failure::error)?;
    check_critical(&hello.critical, &["protocol", "suite", "vectors", "ops"])?;
    if !(hello.protocol.min..=hello.protocol.max).contains(&VERSION) {
        return Err(Failure::Unsupported(format!("this shim speaks version {VERSION}")));
    }
    let stateless = ops::ALL.iter().map(|(name, _)| *name);
    let ops: Vec<&str> = stateless.chain(world::OPS.iter().map(|(name, _)| *name)).collect();
    // Both values of every choice: the call chooses, and a call without `choices` means the first.
    let choices: BTreeMap<_, _> = choices::TABLE.iter().copied().collect();
    Ok(members(json!({
        "r": "accept",
        "protocol": VERSION,
        "impl": {"name": "reference", "version": env!("CARGO_PKG_VERSION"), "lang": "Rust", "url": ""},
        "roles": ["server", "client"],
        "ops": ops,
        "features": {},
        "choices": choices,
        "clock": "injected",
        "categories": "exact",
        "parallel": 16,
        "world": true,
    })))
}

/// A call as it stands in its line.
#[derive(Deserialize)]
struct CallLine<'a> {
    op: String,
    now: Time,
    #[serde(borrow, rename = "in")]
    input: &'a RawValue,
    #[serde(default)]
    choices: BTreeMap<String, String>,
    #[serde(default)]
    critical: Vec<String>,
}

fn call(line: &[u8], world: &mut Option<World>) -> Result<Map<String, Value>, Failure> {
    let line: CallLine<'_> = serde_json::from_slice(line).map_err(Failure::error)?;
    check_critical(&line.critical, &["op", "now", "in", "limit_ms", "choices"])?;
    let mut choices = Choices::default();
    for (name, value) in &line.choices {
        if !choices.set(name, value) {
            return Err(Failure::Unsupported(format!("choice {name} {value}")));
        }
    }
    let call = Call { now: line.now.0, choices, input: line.input };
    let out = if let Some(handler) = named(ops::ALL, &line.op) {
        handle(|| handler(&call))?
    } else if let Some(handler) = named(world::OPS, &line.op) {
        handle(|| handler(&call, world))?
    } else {
        return Err(Failure::Unsupported(format!("op {}", line.op)));
    };
    Ok(members(json!({"r": "accept", "out": out})))
}

fn named<H: Copy>(ops: &[(&str, H)], name: &str) -> Option<H> {
    ops.iter().find(|(known, _)| *known == name).map(|(_, handler)| *handler)
}

/// A panic is a defect of the core, but it must not take the other calls with it.
fn handle(handler: impl FnOnce() -> Result<Value, Failure>) -> Result<Value, Failure> {
    panic::catch_unwind(AssertUnwindSafe(handler))
        .unwrap_or_else(|_| Err(Failure::error("the handler panicked; see standard error")))
}

fn check_critical(critical: &[String], known: &[&str]) -> Result<(), Failure> {
    match critical.iter().find(|name| !known.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => Err(Failure::Unsupported(format!("critical member {name}"))),
    }
}

fn refused(failure: Failure) -> Map<String, Value> {
    members(match failure {
        Failure::Reject(reason) => json!({"r": "reject", "cat": reason}),
        Failure::Error(detail) => json!({"r": "error", "detail": detail}),
        Failure::Unsupported(detail) => json!({"r": "unsupported", "detail": detail}),
    })
}

fn members(object: Value) -> Map<String, Value> {
    if let Value::Object(members) = object { members } else { Map::new() }
}

const VERSION: u64 = 1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_in_a_handler_is_an_error_and_no_more() {
        let result = handle(|| panic!("a defect"));
        assert!(matches!(result, Err(Failure::Error(_))));
    }
}
