//! Comparing an output with the expected one: equal member by member, except where the expected value is a matcher.
//!
//! A matcher is an object with one member whose name begins with `$`. Outputs that contain randomness are judged by
//! what they are: `$seal`, `$csr`, `$signature`, `$signed`. Such a call is made several times.

mod request;
mod seal;
mod signed;

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value};

/// Why an output is not the expected one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mismatch {
    /// The output differs, and where.
    Differs(String),
    /// The expected value itself is wrong.
    Suite(String),
}

impl Mismatch {
    fn at(path: &str, what: impl std::fmt::Display) -> Self {
        Self::Differs(format!("{path}: {what}"))
    }
}

/// The name and the value of a matcher.
fn matcher(expected: &Value) -> Option<(&str, &Value)> {
    let members = expected.as_object()?;
    let (name, value) = members.iter().next()?;
    (members.len() == 1 && name.starts_with('$')).then_some((name, value))
}

/// How often a call must be made to judge this expected output.
///
/// # Errors
/// When it holds a matcher that the judge does not know.
pub fn repeats(expected: &Value) -> Result<usize, String> {
    if let Some((name, _)) = matcher(expected) {
        return match name {
            "$any" | "$group" => Ok(1),
            "$seal" | "$csr" => Ok(8),
            "$signed" => Ok(16),
            "$signature" => Ok(32),
            _ => Err(format!("{name}: no such matcher")),
        };
    }
    let below: Vec<&Value> = match expected {
        Value::Array(values) => values.iter().collect(),
        Value::Object(members) => members.values().collect(),
        _ => Vec::new(),
    };
    below.into_iter().try_fold(1, |most, value| Ok(most.max(repeats(value)?)))
}

/// Compares every output of one call, made several times, with the expected one.
///
/// # Errors
/// The first [`Mismatch`].
pub fn compare(expected: &Value, outs: &[&Value]) -> Result<(), Mismatch> {
    let mut fresh = seal::Freshness::default();
    for out in outs {
        let mut comparison = Comparison { groups: BTreeMap::new(), fresh: &mut fresh };
        comparison.value(expected, out, "/out")?;
    }
    fresh.check()
}

struct Comparison<'a> {
    groups: BTreeMap<String, Value>,
    fresh: &'a mut seal::Freshness,
}

impl Comparison<'_> {
    fn value(&mut self, expected: &Value, actual: &Value, path: &str) -> Result<(), Mismatch> {
        if let Some((name, argument)) = matcher(expected) {
            return self.matcher(name, argument, actual, path);
        }
        match (expected, actual) {
            (Value::Object(expected), Value::Object(actual)) => self.object(expected, actual, path),
            (Value::Array(expected), Value::Array(actual)) => {
                if expected.len() != actual.len() {
                    let what = format!("{} entries, expected {}", actual.len(), expected.len());
                    return Err(Mismatch::at(path, what));
                }
                let mut pairs = expected.iter().zip(actual).enumerate();
                pairs.try_for_each(|(at, (expected, actual))| {
                    self.value(expected, actual, &format!("{path}/{at}"))
                })
            }
            (expected, actual) if expected == actual => Ok(()),
            (expected, actual) => {
                Err(Mismatch::at(path, format!("{}, expected {}", shown(actual), shown(expected))))
            }
        }
    }

    fn object(
        &mut self,
        expected: &Map<String, Value>,
        actual: &Map<String, Value>,
        path: &str,
    ) -> Result<(), Mismatch> {
        if let Some(name) = actual.keys().find(|name| !expected.contains_key(*name)) {
            return Err(Mismatch::at(&format!("{path}/{name}"), "a member that must not be there"));
        }
        for (name, value) in expected {
            let path = format!("{path}/{name}");
            let actual = actual.get(name).ok_or_else(|| Mismatch::at(&path, "missing"))?;
            self.value(value, actual, &path)?;
        }
        Ok(())
    }

    fn matcher(&mut self, name: &str, argument: &Value, actual: &Value, path: &str) -> Result<(), Mismatch> {
        match name {
            "$any" => Ok(()),
            "$group" => self.group(argument, actual, path),
            "$seal" => self.fresh.open(argument, actual, path),
            "$csr" => request::check(argument, actual, path),
            "$signature" => signed::signature(argument, actual, path),
            "$signed" => signed::response(argument, actual, path),
            _ => Err(Mismatch::Suite(format!("{name}: no such matcher"))),
        }
    }

    /// One label is one value, and two labels are two.
    fn group(&mut self, label: &Value, actual: &Value, path: &str) -> Result<(), Mismatch> {
        let label = label.as_str().ok_or_else(|| Mismatch::Suite("$group: the label is no text".into()))?;
        if actual.is_null() {
            return Err(Mismatch::at(path, "null, expected a value"));
        }
        for (other, value) in &self.groups {
            match (other == label, value == actual) {
                (true, false) => {
                    return Err(Mismatch::at(
                        path,
                        format!("differs from the others that must equal it ({label})"),
                    ));
                }
                (false, true) => {
                    return Err(Mismatch::at(
                        path,
                        format!("equals one that it must differ from ({label}, {other})"),
                    ));
                }
                _ => {}
            }
        }
        self.groups.insert(label.into(), actual.clone());
        Ok(())
    }
}

fn shown(value: &Value) -> String {
    crate::wire::clip(&value.to_string(), 200)
}

/// The text of a member of a matcher's argument.
fn text<'v>(argument: &'v Value, name: &str, matcher: &str) -> Result<&'v str, Mismatch> {
    let missing = || Mismatch::Suite(format!("{matcher}: {name} is missing or no text"));
    argument.get(name).and_then(Value::as_str).ok_or_else(missing)
}

/// The octets of a member of a matcher's argument.
fn octets(argument: &Value, name: &str, matcher: &str) -> Result<Vec<u8>, Mismatch> {
    let text = text(argument, name, matcher)?;
    URL_SAFE_NO_PAD.decode(text).map_err(|_| Mismatch::Suite(format!("{matcher}: {name} is not base64url")))
}

/// The octets that a subject answered with.
fn answered(actual: &Value, path: &str) -> Result<Vec<u8>, Mismatch> {
    let text = actual.as_str().ok_or_else(|| Mismatch::at(path, "not a text"))?;
    URL_SAFE_NO_PAD.decode(text).map_err(|error| Mismatch::at(path, format!("not base64url: {error}")))
}

#[cfg(test)]
mod tests;
