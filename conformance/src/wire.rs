//! The messages of jc/1 (conformance/SHIM.md): what the judge writes, and how strictly it reads.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The hello of a run. `vectors` is the manifest's digest, `ops` what may be called.
#[must_use]
pub fn hello(vectors: &str, ops: &[&str]) -> Value {
    json!({
        "jc": 1, "id": 0, "m": "hello", "protocol": {"min": 1, "max": 1}, "suite": crate::VERSION,
        "vectors": vectors, "ops": ops, "critical": [],
    })
}

/// The goodbye.
#[must_use]
pub fn bye() -> Value {
    json!({"jc": 1, "m": "bye"})
}

/// One call before it has a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// The op.
    pub op: String,
    /// The call's clock, RFC 3339.
    pub now: String,
    /// The op's input.
    pub input: Value,
    /// The choices that the case fixes.
    pub choices: BTreeMap<String, String>,
    /// Members that must be understood.
    pub critical: Vec<String>,
    /// The case's id, written only when ids are revealed.
    pub case: Option<String>,
}

impl Job {
    /// The message with its number and its limit.
    #[must_use]
    pub fn to_message(&self, id: u64, limit_ms: u128) -> Value {
        let mut call = json!({
            "jc": 1, "id": id, "m": "call", "op": self.op, "now": self.now, "in": self.input,
            "limit_ms": u64::try_from(limit_ms).unwrap_or(u64::MAX),
        });
        if !self.choices.is_empty() {
            call["choices"] = json!(self.choices);
        }
        if !self.critical.is_empty() {
            call["critical"] = json!(self.critical);
        }
        if let Some(case) = &self.case {
            call["case"] = json!(case);
        }
        call
    }
}

/// What a line of standard output is.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// A message: an object with a member `jc`.
    Message(Map<String, Value>),
    /// Anything else; kept, and reported as a warning.
    Log,
    /// It begins with `{` and does not parse: a protocol error, in words.
    Broken(String),
}

/// Classifies a line.
#[must_use]
pub fn classify(line: &[u8]) -> Line {
    if !line.trim_ascii_start().starts_with(b"{") {
        return Line::Log;
    }
    match serde_json::from_slice::<Value>(line) {
        Ok(Value::Object(members)) if members.contains_key("jc") => Line::Message(members),
        Ok(_) => Line::Log,
        Err(error) => Line::Broken(format!("a line that begins with {{ is not JSON: {error}")),
    }
}

/// An answer to a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// It accepted, with this output.
    Accept(Value),
    /// It looked at the input and refused it.
    Reject {
        /// The reason; absent only where the shim cannot tell.
        cat: Option<String>,
        /// Free text.
        detail: Option<String>,
    },
    /// It cannot do this.
    Unsupported {
        /// The feature that is missing.
        feature: Option<String>,
        /// Free text.
        detail: Option<String>,
    },
    /// It could not even look at the input.
    Error {
        /// Free text.
        detail: Option<String>,
    },
}

impl Answer {
    /// The answer in one line, for people.
    #[must_use]
    pub fn describe(&self) -> String {
        let with = |word: &str, detail: &Option<String>| match detail {
            Some(detail) => format!("{word} ({})", clip(detail, 200)),
            None => word.into(),
        };
        match self {
            Self::Accept(out) => format!("accept {}", clip(&out.to_string(), 400)),
            Self::Reject { cat: Some(cat), detail } => with(&format!("reject {cat}"), detail),
            Self::Reject { cat: None, detail } => with("reject without a reason", detail),
            Self::Unsupported { detail, .. } => with("unsupported", detail),
            Self::Error { detail } => with("error", detail),
        }
    }
}

/// Cuts a text to at most `most` characters.
#[must_use]
pub fn clip(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.into(),
    }
}

/// Reads a result: its id and its answer.
///
/// # Errors
/// What is wrong with it, in words: that is a protocol error.
pub fn read_result(message: &Map<String, Value>) -> Result<(u64, Answer), String> {
    check_version(message)?;
    let id = message.get("id").and_then(Value::as_u64).ok_or("a result without a number in `id`")?;
    let text = |name: &str| message.get(name).and_then(Value::as_str).map(String::from);
    let detail = text("detail");
    let answer = match message.get("r").and_then(Value::as_str) {
        Some("accept") => match message.get("out") {
            Some(out @ Value::Object(_)) => Answer::Accept(out.clone()),
            _ => return Err("accept without an object in `out`".into()),
        },
        Some("reject") => Answer::Reject { cat: text("cat"), detail },
        Some("unsupported") => Answer::Unsupported { feature: text("feature"), detail },
        Some("error") => Answer::Error { detail },
        _ => return Err("`r` is none of accept, reject, unsupported, error".into()),
    };
    Ok((id, answer))
}

fn check_version(message: &Map<String, Value>) -> Result<(), String> {
    match message.get("jc").and_then(Value::as_u64) {
        Some(1) => Ok(()),
        _ => Err("`jc` is not 1".into()),
    }
}

/// What a shim says of itself in its answer to hello.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Declaration {
    /// The version it chose.
    pub protocol: u64,
    /// The implementation behind it.
    #[serde(rename = "impl")]
    pub implementation: Implementation,
    /// `server`, `client`.
    #[serde(default)]
    pub roles: Vec<String>,
    /// The ops it answers.
    pub ops: Vec<String>,
    /// Features: true, false, or why not.
    #[serde(default)]
    pub features: BTreeMap<String, Value>,
    /// The value it implements of each named choice, or several.
    #[serde(default)]
    pub choices: BTreeMap<String, Choice>,
    /// Whether it uses the call's `now`.
    pub clock: Clock,
    /// What its reasons are.
    pub categories: Categories,
    /// Calls that may be in flight.
    #[serde(default = "one")]
    pub parallel: usize,
    /// Whether it plays worlds: the ops with state.
    #[serde(default)]
    pub world: bool,
}

const fn one() -> usize {
    1
}

/// Who made it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Implementation {
    /// Its name.
    pub name: String,
    /// Its version.
    #[serde(default)]
    pub version: String,
    /// Its language.
    #[serde(default)]
    pub lang: String,
    /// Where it lives.
    #[serde(default)]
    pub url: String,
    /// The exact commit.
    #[serde(default)]
    pub commit: Option<String>,
}

/// One value, or several that a call may choose from.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Choice {
    /// The only value.
    One(String),
    /// Any of these; the first is the default.
    Several(Vec<String>),
}

impl Choice {
    /// The value that a call without a choice means.
    #[must_use]
    pub fn first(&self) -> &str {
        match self {
            Self::One(one) => one,
            Self::Several(several) => several.first().map(String::as_str).unwrap_or_default(),
        }
    }

    /// Whether the value is implemented.
    #[must_use]
    pub fn has(&self, value: &str) -> bool {
        match self {
            Self::One(one) => one == value,
            Self::Several(several) => several.iter().any(|one| one == value),
        }
    }
}

/// Which clock decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// The call's `now`.
    Injected,
    /// The machine's clock.
    Process,
}

/// What `cat` holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Categories {
    /// A reason of the spec's table.
    Exact,
    /// The step alone.
    Coarse,
    /// Nothing that can be compared.
    None,
}

/// Reads the answer to hello.
///
/// # Errors
/// What is wrong with it, in words: the run cannot begin.
pub fn read_hello(message: &Map<String, Value>) -> Result<Declaration, String> {
    check_version(message)?;
    if message.get("id").and_then(Value::as_u64) != Some(0) {
        return Err("the answer to hello must have id 0".into());
    }
    match message.get("r").and_then(Value::as_str) {
        Some("accept") => {}
        Some("unsupported") => {
            return Err("the shim knows no version of the contract that the judge knows".into());
        }
        _ => return Err("the answer to hello must have r accept or unsupported".into()),
    }
    let declaration: Declaration = serde_json::from_value(Value::Object(message.clone()))
        .map_err(|error| format!("the answer to hello: {error}"))?;
    if declaration.protocol != 1 {
        return Err(format!("the shim chose version {}, which was not offered", declaration.protocol));
    }
    Ok(declaration)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> Map<String, Value> {
        match classify(text.as_bytes()) {
            Line::Message(members) => members,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn lines_are_messages_logs_or_broken() {
        assert_eq!(classify(b"hello"), Line::Log);
        assert_eq!(classify(b"[1]"), Line::Log);
        assert_eq!(classify(b"{\"a\":1}"), Line::Log);
        assert!(matches!(classify(b"{\"jc\":1"), Line::Broken(_)));
        assert!(matches!(classify(b" {oops}"), Line::Broken(_)));
        assert!(matches!(classify(b"{\"id\":3,\"jc\":1}"), Line::Message(_)));
    }

    #[test]
    fn a_result_says_exactly_one_of_four_words() {
        let accept = read_result(&message(r#"{"jc":1,"id":3,"r":"accept","out":{}}"#));
        assert_eq!(accept, Ok((3, Answer::Accept(json!({})))));
        for bad in [
            r#"{"jc":1,"id":3,"r":"accept"}"#,
            r#"{"jc":1,"id":3,"r":"accept","out":[]}"#,
            r#"{"jc":1,"id":3,"r":"ok","out":{}}"#,
            r#"{"jc":1,"r":"error"}"#,
            r#"{"jc":1,"id":"3","r":"error"}"#,
            r#"{"jc":2,"id":3,"r":"error"}"#,
        ] {
            assert!(read_result(&message(bad)).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_version_that_was_not_offered_is_no_hello() {
        let hello = |protocol: u8| {
            format!(
                r#"{{"jc":1,"id":0,"r":"accept","protocol":{protocol},"impl":{{"name":"a"}},"ops":[],
                "clock":"injected","categories":"exact"}}"#
            )
            .replace('\n', "")
        };
        assert!(read_hello(&message(&hello(1))).is_ok());
        assert!(read_hello(&message(&hello(2))).is_err());
        assert!(read_hello(&message(r#"{"jc":1,"id":0,"r":"unsupported"}"#)).is_err());
    }
}
