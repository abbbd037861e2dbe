//! Selectors: which cases a command is about.

use std::collections::BTreeSet;
use std::path::Path;

use sha2::{Digest as _, Sha256};
use vectors::schema::{Case, Source};

use crate::suite::Suite;

/// One selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selector {
    /// A case by its id, or several by a glob: `seal/*`.
    Id(String),
    /// `rule:SEAL-3`, or a glob.
    Rule(String),
    /// `op:seal.open`, or a glob.
    Op(String),
    /// `step:seal`.
    Step(String),
    /// `source:documented`.
    Source(String),
    /// `failed-in:last.json`: the cases of a report that did not pass.
    FailedIn(BTreeSet<String>),
}

/// A part of all cases: `2/3` is the second of three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    part: u64,
    of: u64,
}

/// Why a selection is no selection. Each is a usage error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SelectError(pub String);

impl Selector {
    /// Reads a selector; `failed-in:` reads its file.
    ///
    /// # Errors
    /// [`SelectError`] for a prefix that is none, or a file that is no report.
    pub fn parse(text: &str) -> Result<Self, SelectError> {
        let Some((prefix, rest)) = text.split_once(':') else { return Ok(Self::Id(text.into())) };
        let rest = String::from(rest);
        match prefix {
            "id" => Ok(Self::Id(rest)),
            "rule" => Ok(Self::Rule(rest)),
            "op" => Ok(Self::Op(rest)),
            "step" => Ok(Self::Step(rest)),
            "source" => Ok(Self::Source(rest)),
            "failed-in" => failed_in(Path::new(&rest)).map(Self::FailedIn),
            _ => {
                let known = ["id", "rule", "op", "step", "source", "failed-in"];
                let hint =
                    nearest(prefix, known).map(|near| format!("; did you mean {near}:?")).unwrap_or_default();
                Err(SelectError(format!("{text}: there is no selector {prefix}:{hint}")))
            }
        }
    }

    fn hits(&self, case: &Case) -> bool {
        match self {
            Self::Id(pattern) => glob(pattern, &case.id),
            Self::Rule(pattern) => case.rules.iter().any(|rule| glob(pattern, rule)),
            Self::Op(pattern) => glob(pattern, &case.op),
            Self::Step(pattern) => glob(pattern, &case.step),
            Self::Source(word) => *word == source_word(case.source),
            Self::FailedIn(ids) => ids.contains(&case.id),
        }
    }
}

/// `documented` or `chosen`.
#[must_use]
pub const fn source_word(source: Source) -> &'static str {
    match source {
        Source::Documented => "documented",
        Source::Chosen => "chosen",
    }
}

impl Shard {
    /// Reads `i/n` with 1 ≤ i ≤ n.
    ///
    /// # Errors
    /// [`SelectError`] for anything else.
    pub fn parse(text: &str) -> Result<Self, SelectError> {
        let numbers =
            text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((part, of)) if 1 <= part && part <= of => Ok(Self { part, of }),
            _ => Err(SelectError(format!("{text}: a shard is i/n with 1 <= i <= n, as in 2/3"))),
        }
    }

    /// By a hash of the id, so that a new case moves no other.
    fn hits(self, case: &Case) -> bool {
        let hash: [u8; 32] = Sha256::digest(case.id.as_bytes()).into();
        let number = hash.iter().take(8).fold(0u64, |sum, &octet| sum << 8 | u64::from(octet));
        number % self.of == self.part - 1
    }
}

/// The ids that one of `only` hits (all, when there is none) and none of `not`, within the shard.
///
/// # Errors
/// [`SelectError`] when a selector is unknown or hits nothing.
pub fn select<'s>(
    suite: &'s Suite,
    only: &[String],
    not: &[String],
    shard: Option<Shard>,
) -> Result<BTreeSet<&'s str>, SelectError> {
    let read =
        |texts: &[String]| texts.iter().map(|text| hitting(text, suite)).collect::<Result<Vec<_>, _>>();
    let (only, not) = (read(only)?, read(not)?);
    let chosen = |case: &&Case| {
        (only.is_empty() || only.iter().any(|selector| selector.hits(case)))
            && !not.iter().any(|selector| selector.hits(case))
            && shard.is_none_or(|shard| shard.hits(case))
    };
    Ok(suite.cases.iter().filter(chosen).map(|case| case.id.as_str()).collect())
}

/// A selector that hits something.
fn hitting(text: &str, suite: &Suite) -> Result<Selector, SelectError> {
    let selector = Selector::parse(text)?;
    if suite.cases.iter().any(|case| selector.hits(case)) {
        return Ok(selector);
    }
    let near = |wanted: &str, values: Vec<&str>| {
        nearest(wanted, values).map(|near| format!("; did you mean {near}?")).unwrap_or_default()
    };
    let cases = &suite.cases;
    let hint = match &selector {
        Selector::Id(id) => near(id, cases.iter().map(|case| case.id.as_str()).collect()),
        Selector::Rule(rule) => {
            near(rule, cases.iter().flat_map(|case| &case.rules).map(String::as_str).collect())
        }
        Selector::Op(op) => near(op, cases.iter().map(|case| case.op.as_str()).collect()),
        Selector::Step(step) => near(step, cases.iter().map(|case| case.step.as_str()).collect()),
        Selector::Source(word) => near(word, vec!["documented", "chosen"]),
        Selector::FailedIn(_) => String::new(),
    };
    Err(SelectError(format!("{text}: no case matches{hint}")))
}

/// Finds a case by its exact id.
///
/// # Errors
/// [`SelectError`] with the closest id.
pub fn find<'s>(suite: &'s Suite, id: &str) -> Result<&'s Case, SelectError> {
    suite.case(id).ok_or_else(|| {
        let near = nearest(id, suite.cases.iter().map(|case| case.id.as_str()));
        let hint = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
        SelectError(format!("{id}: there is no such case{hint}"))
    })
}

/// Whether a text matches a pattern in which `*` is any characters and `?` is one.
#[must_use]
pub fn glob(pattern: &str, text: &str) -> bool {
    fn matches(pattern: &[char], text: &[char]) -> bool {
        match (pattern.split_first(), text.split_first()) {
            (None, None) => true,
            (Some(('*', rest)), _) => {
                (0..=text.len()).any(|at| matches(rest, text.get(at..).unwrap_or_default()))
            }
            (Some(('?', rest)), Some((_, text))) => matches(rest, text),
            (Some((want, rest)), Some((have, text))) => want == have && matches(rest, text),
            _ => false,
        }
    }
    matches(&pattern.chars().collect::<Vec<_>>(), &text.chars().collect::<Vec<_>>())
}

/// The value closest to what was written, if any is close: at most half of its characters differ.
pub fn nearest<'v>(wanted: &str, values: impl IntoIterator<Item = &'v str>) -> Option<&'v str> {
    let wanted: Vec<char> = wanted.to_lowercase().chars().collect();
    values
        .into_iter()
        .map(|value| (distance(&wanted, &value.to_lowercase().chars().collect::<Vec<_>>()), value))
        .min()
        .filter(|(distance, value)| *distance * 2 <= value.chars().count().max(wanted.len()))
        .map(|(_, value)| value)
}

/// Levenshtein's distance.
fn distance(one: &[char], other: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, left) in one.iter().enumerate() {
        let mut next = vec![at + 1];
        for ((right, &diagonal), &above) in other.iter().zip(&row).zip(row.iter().skip(1)) {
            let before = next.last().copied().unwrap_or_default();
            next.push((diagonal + usize::from(left != right)).min(above + 1).min(before + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

fn failed_in(path: &Path) -> Result<BTreeSet<String>, SelectError> {
    let bad = |what: &dyn std::fmt::Display| SelectError(format!("{}: {what}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| bad(&error))?;
    let report: serde_json::Value = serde_json::from_str(&text).map_err(|error| bad(&error))?;
    let cases = report["cases"].as_array().ok_or_else(|| bad(&"not a report of this judge"))?;
    let failed = cases.iter().filter(|case| case["outcome"] != "pass");
    Ok(failed.filter_map(|case| case["id"].as_str()).map(String::from).collect())
}
