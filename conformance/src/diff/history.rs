//! Histories: the same world and steps played to both subjects, and where they part.

use vectors::forge::{Choices, history};
use vectors::schema::{Case, Status, Verdict};

use serde_json::Value;

use super::answer::{Reasons, Shown};
use super::pair::Pair;
use crate::script::witness::Witnessed;
use crate::session::CouldNotRun;

/// Histories played again to make one difference small.
const BUDGET: usize = 60;
/// Differences that are made small; the others are reported as they are.
const SHRUNK: usize = 3;

/// Histories compared.
#[derive(Clone, Debug, Default)]
pub struct HistoryReport {
    /// Histories that both played.
    pub played: usize,
    /// Steps of them.
    pub steps: usize,
    /// Steps that the first subject accepted.
    pub accepted: usize,
    /// Histories in which they part.
    pub differences: Vec<HistoryDifference>,
}

/// A history in which the subjects part.
#[derive(Clone, Debug)]
pub struct HistoryDifference {
    /// The seed that makes it again.
    pub seed: u64,
    /// The number that makes it again.
    pub number: u64,
    /// The history, made small where that was done.
    pub case: Case,
    /// Where they part.
    pub parting: Parting,
    /// Whether it was made small.
    pub shrunk: bool,
}

/// The first step at which two subjects differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parting {
    /// The step's name; empty for the load.
    pub step: String,
    /// `answer` or `dump`.
    pub of: &'static str,
    /// What each says, for people.
    pub texts: [String; 2],
    kind: String,
}

/// Plays the histories of these numbers.
///
/// # Errors
/// [`CouldNotRun`] when the judge itself fails.
pub(super) fn compare(
    pair: &mut Pair<'_>,
    choices: &Choices,
    seed: u64,
    numbers: std::ops::Range<u64>,
    progress: &mut dyn FnMut(usize),
) -> Result<HistoryReport, CouldNotRun> {
    let mut report = HistoryReport::default();
    for number in numbers {
        let case = history(seed, number, choices);
        let seen = pair.witness(&case)?;
        report.played += 1;
        report.steps += case.steps.len();
        report.accepted +=
            seen[0].iter().skip(1).filter(|seen| word(seen, pair.reasons()) == "accept").count();
        if let Some(parting) = parting(&seen, pair.reasons()) {
            let mut difference = HistoryDifference { seed, number, case, parting, shrunk: false };
            if report.differences.len() < SHRUNK {
                shrink(&mut difference, pair)?;
            }
            report.differences.push(difference);
        }
        progress(report.played);
    }
    Ok(report)
}

fn shown(seen: &Witnessed, reasons: &Reasons) -> Option<Shown> {
    seen.reply.as_ref().map(|reply| Shown::read(reply, None, reasons))
}

fn word(seen: &Witnessed, reasons: &Reasons) -> String {
    shown(seen, reasons).map_or_else(|| "not asked".into(), |shown| shown.word().into())
}

/// Where they part, if they do.
fn parting(seen: &[Vec<Witnessed>; 2], reasons: &Reasons) -> Option<Parting> {
    let [first, second] = seen;
    for (ours, theirs) in first.iter().zip(second) {
        let at = |of, texts, kind| Some(Parting { step: ours.step.clone(), of, texts, kind });
        let replies = [shown(ours, reasons), shown(theirs, reasons)];
        let alike = match &replies {
            [Some(ours), Some(theirs)] => ours.agrees(theirs),
            [ours, theirs] => ours.is_none() && theirs.is_none(),
        };
        if !alike {
            let text = |shown: &Option<Shown>| shown.as_ref().map_or("not asked".into(), Shown::text);
            let kind = format!("{} / {}", word(ours, reasons), word(theirs, reasons));
            return at("answer", [text(&replies[0]), text(&replies[1])], kind);
        }
        if let Some((path, texts)) = difference(&ours.dump, &theirs.dump, "") {
            let texts = texts.map(|text| format!("{path}: {text}"));
            let list = path.split('/').nth(1).unwrap_or_default().to_owned();
            return at("dump", texts, list);
        }
    }
    (first.len() != second.len()).then(|| Parting {
        step: String::new(),
        of: "answer",
        texts: [first.len(), second.len()].map(|played| format!("played {played} steps")),
        kind: "length".into(),
    })
}

/// The first place in which two values differ, and what stands there.
fn difference(ours: &Value, theirs: &Value, path: &str) -> Option<(String, [String; 2])> {
    match (ours, theirs) {
        (Value::Object(one), Value::Object(other)) => {
            let names: std::collections::BTreeSet<&String> = one.keys().chain(other.keys()).collect();
            names.into_iter().find_map(|name| {
                let path = format!("{path}/{name}");
                match (one.get(name), other.get(name)) {
                    (Some(one), Some(other)) => difference(one, other, &path),
                    (one, other) => Some((path, [one, other].map(|value| text(value)))),
                }
            })
        }
        (Value::Array(one), Value::Array(other)) => (0..one.len().max(other.len())).find_map(|at| {
            let path = format!("{path}/{at}");
            match (one.get(at), other.get(at)) {
                (Some(one), Some(other)) => difference(one, other, &path),
                (one, other) => Some((path, [one, other].map(|value| text(value)))),
            }
        }),
        (one, other) => (one != other).then(|| (path.to_owned(), [one.to_string(), other.to_string()])),
    }
}

fn text(value: Option<&Value>) -> String {
    value.map_or_else(|| "absent".into(), Value::to_string)
}

/// Leaves out steps, then rows of the world, while the subjects part in the same way.
fn shrink(found: &mut HistoryDifference, pair: &mut Pair<'_>) -> Result<(), CouldNotRun> {
    let mut spent = 0;
    if let Some(at) = found.case.steps.iter().position(|step| step.name == found.parting.step) {
        found.case.steps.truncate(at + 1);
    }
    for at in (0..found.case.steps.len().saturating_sub(1)).rev() {
        let mut smaller = found.case.clone();
        smaller.steps.remove(at);
        keep(found, smaller, pair, &mut spent)?;
    }
    for list in ["tokens", "certs", "nodes", "pools"] {
        let count = rows(&mut found.case, list).map_or(0, |rows| rows.len());
        for at in (0..count).rev() {
            let mut smaller = found.case.clone();
            if let Some(rows) = rows(&mut smaller, list) {
                rows.remove(at);
            }
            keep(found, smaller, pair, &mut spent)?;
        }
    }
    found.shrunk = true;
    Ok(())
}

fn rows<'c>(case: &'c mut Case, list: &str) -> Option<&'c mut Vec<Value>> {
    case.world.as_mut()?.get_mut(list)?.as_array_mut()
}

fn keep(
    found: &mut HistoryDifference,
    smaller: Case,
    pair: &mut Pair<'_>,
    spent: &mut usize,
) -> Result<(), CouldNotRun> {
    if *spent >= BUDGET {
        return Ok(());
    }
    *spent += 1;
    let seen = pair.witness(&smaller)?;
    if let Some(parting) = parting(&seen, pair.reasons())
        && (parting.of, &parting.kind, &parting.step)
            == (found.parting.of, &found.parting.kind, &found.parting.step)
    {
        (found.case, found.parting) = (smaller, parting);
    }
    Ok(())
}

/// The draft of a case: advisory until a person has decided and written what each step is expected to do.
#[must_use]
pub fn draft(difference: &HistoryDifference, subjects: &[String; 2]) -> Case {
    let HistoryDifference { case, parting, .. } = difference;
    let mut draft = case.clone();
    draft.id = case.id.replace("/history-", "/draft-history-");
    draft.comment = format!(
        "DRAFT. At step {} the {} differs. {}: {}. {}: {}. Decide by the spec, then give title, rules and what every step \
         is expected to answer and change.",
        parting.step, parting.of, subjects[0], parting.texts[0], subjects[1], parting.texts[1]
    );
    draft.title = "Two implementations differ; the spec decides".into();
    draft.rules.clear();
    draft.status = Status::Advisory;
    draft.verdict = Verdict::Accept;
    draft
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;
    use crate::session::Reply;
    use crate::wire::{Answer, Categories};

    fn seen(out: Value, dump: Value) -> Vec<Witnessed> {
        vec![Witnessed { step: "s1".into(), reply: Some(Reply::Answer(Answer::Accept(out))), dump }]
    }

    #[test]
    fn they_part_at_an_answer_or_at_a_place_of_the_dump_and_nowhere_else() {
        let reasons = Reasons { categories: Categories::Exact, steps: BTreeMap::new() };
        let part = |one, other| parting(&[one, other], &reasons);
        assert_eq!(part(seen(json!(1), json!({"a": [1]})), seen(json!(1), json!({"a": [1]}))), None);
        let answers = part(seen(json!(1), json!({})), seen(json!(2), json!({}))).unwrap();
        assert_eq!((answers.of, answers.step.as_str()), ("answer", "s1"));
        let dumps = part(seen(json!(1), json!({"a": [1]})), seen(json!(1), json!({"a": [1, 2]}))).unwrap();
        assert_eq!((dumps.of, dumps.texts), ("dump", ["/a/1: absent".into(), "/a/1: 2".into()]));
    }
}
