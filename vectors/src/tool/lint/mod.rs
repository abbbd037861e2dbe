//! `lint`: what a schema cannot say about the cases, their twins and the spec.

use std::collections::{BTreeMap, BTreeSet};

use vectors::cases;
use vectors::manifest::TOMBSTONES;
use vectors::schema::Case;
use vectors::spec::Spec;

use super::Failure;

mod coverage;
mod form;
mod place;
mod script;
mod twin;

/// Lints the cases of this checkout against its spec.
pub(super) fn run() -> Result<(), Failure> {
    let (cases, spec) = (cases::all(), Spec::load(&Spec::folder())?);
    let lines = lint(&cases, &spec);
    if lines.is_empty() {
        println!("{} cases keep the rules; {} rules of the spec", cases.len(), spec.rules().count());
        return Ok(());
    }
    Err(Failure { lines, code: 1 })
}

/// Everything that is wrong, a line each, beginning with the case or rule it is about.
fn lint(cases: &[Case], spec: &Spec) -> Vec<String> {
    let by_id: BTreeMap<&str, &Case> = cases.iter().map(|case| (case.id.as_str(), case)).collect();
    let known = Known::of(spec);
    let mut lines = Vec::new();
    let mut seen = BTreeSet::new();
    for case in cases {
        let mut say = |what: String| lines.push(format!("{}: {what}", case.id));
        if !seen.insert(&case.id) {
            say("two cases have this id".into());
        }
        if TOMBSTONES.contains(&case.id.as_str()) {
            say("this id was withdrawn; it is never given again".into());
        }
        form::check(case, &known, &mut say);
        twin::check(case, &by_id, &mut say);
    }
    lines.extend(coverage::check(cases, spec));
    lines
}

/// What the spec knows.
struct Known<'s> {
    rules: BTreeSet<&'s str>,
    reasons: &'s BTreeSet<String>,
    choices: BTreeMap<&'s str, &'s [String]>,
}

impl<'s> Known<'s> {
    fn of(spec: &'s Spec) -> Self {
        Self {
            rules: spec.rules().map(|rule| rule.id.as_str()).collect(),
            reasons: &spec.reasons,
            choices: spec.choices().map(|choice| (choice.name.as_str(), choice.values.as_slice())).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
