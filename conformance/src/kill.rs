//! The kill matrix: a subject with one fault at a time, each of which a case of the broken rule must catch.
//!
//! A fault counts as caught by a case that fails for its own sake (`fail` or `wrong-reason`, not an accident), whose first
//! rule is the fault's, and which is about fewer than three rules: a case about more says too little about any of them.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::thread;

use serde::{Deserialize, Serialize};
use vectors::schema::Case;

use crate::judge::{self, Settings};
use crate::limits::Limits;
use crate::outcome::Outcome;
use crate::process::Subject;
use crate::session::CouldNotRun;
use crate::spec::Spec;
use crate::suite::Suite;

/// A case about so many rules is coarse.
const COARSE: usize = 3;

/// One fault that the subject can have.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Fault {
    /// Its name.
    pub name: String,
    /// The rule that it breaks.
    pub rule: String,
    /// What is wrong.
    pub what: String,
}

/// What became of a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fate {
    /// The fault's name.
    pub name: String,
    /// The rule that it breaks.
    pub rule: String,
    /// The cases that catch it.
    pub caught_by: Vec<String>,
    /// The cases that fail with it and do not count: coarse, or of another first rule. Only looked for in a survivor.
    pub noticed_by: Vec<String>,
}

/// Why there is no matrix.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KillError {
    /// A run could not be made.
    #[error("{0}")]
    CouldNotRun(String),
    /// The subject without a fault does not pass.
    #[error("without a fault the subject must pass everything; it does not: {0}")]
    NotClean(String),
}

/// Whether a case may count for any fault.
#[must_use]
pub const fn is_coarse(case: &Case) -> bool {
    case.rules.len() >= COARSE
}

/// Runs everything against the subject without a fault.
///
/// # Errors
/// [`KillError`] when it does not pass every case that it does not waive.
pub fn check_clean(suite: &Suite, spec: &Spec, subject: &Subject) -> Result<(), KillError> {
    let all: BTreeSet<&str> = suite.cases.iter().map(|case| case.id.as_str()).collect();
    let run =
        judge::run(suite, &all, spec, subject, &Settings::default(), &mut |_, _| {}).map_err(could_not)?;
    let bad = run.results.iter().find(|result| !result.verdict.waived);
    match bad {
        Some(result) => Err(KillError::NotClean(format!(
            "{} is {}: {}",
            result.id, result.verdict.outcome, result.verdict.reason
        ))),
        None => Ok(()),
    }
}

/// Tries every fault, `workers` at a time. `subject` makes the subject with a fault from its name.
///
/// # Errors
/// [`KillError::CouldNotRun`] for the first fault whose run cannot be made.
pub fn matrix(
    suite: &Suite,
    spec: &Spec,
    faults: &[Fault],
    subject: &(dyn Fn(&str) -> Subject + Sync),
    workers: usize,
    told: &(dyn Fn(&Fate) + Sync),
) -> Result<Vec<Fate>, KillError> {
    let next = Mutex::new(faults.iter());
    let fates = Mutex::new(Vec::new());
    let failure = Mutex::new(None);
    thread::scope(|scope| {
        for _ in 0..workers.max(1) {
            scope.spawn(|| {
                loop {
                    let fault = next.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some(fault) = fault else { return };
                    match fate(suite, spec, fault, &subject(&fault.name)) {
                        Ok(fate) => {
                            told(&fate);
                            fates.lock().unwrap_or_else(PoisonError::into_inner).push(fate);
                        }
                        Err(error) => {
                            let text = format!("with the fault {}: {error}", fault.name);
                            failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(text);
                        }
                    }
                }
            });
        }
    });
    if let Some(text) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(KillError::CouldNotRun(text));
    }
    let mut fates = fates.into_inner().unwrap_or_else(PoisonError::into_inner);
    fates.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(fates)
}

/// First the cases that can catch it; all the others only when they do not.
fn fate(suite: &Suite, spec: &Spec, fault: &Fault, subject: &Subject) -> Result<Fate, CouldNotRun> {
    let (able, others): (Vec<&Case>, Vec<&Case>) =
        suite.cases.iter().partition(|case| case.rules.first() == Some(&fault.rule) && !is_coarse(case));
    let caught_by = failing(suite, spec, &able, subject)?;
    let noticed_by = if caught_by.is_empty() { failing(suite, spec, &others, subject)? } else { Vec::new() };
    Ok(Fate { name: fault.name.clone(), rule: fault.rule.clone(), caught_by, noticed_by })
}

/// The cases that the subject fails for their own sake.
///
/// Ops are not calibrated here: the subject without a fault has passed everything, and the fault may sit in the very
/// call that calibrates.
fn failing(
    suite: &Suite,
    spec: &Spec,
    cases: &[&Case],
    subject: &Subject,
) -> Result<Vec<String>, CouldNotRun> {
    if cases.is_empty() {
        return Ok(Vec::new());
    }
    let limits = Limits { alone_again: 0, ..Limits::default() };
    let settings = Settings { limits, calibrate: false, ..Settings::default() };
    let ids: BTreeSet<&str> = cases.iter().map(|case| case.id.as_str()).collect();
    let run = judge::run(suite, &ids, spec, subject, &settings, &mut |_, _| {})?;
    let failed = run
        .results
        .into_iter()
        .filter(|result| matches!(result.verdict.outcome, Outcome::Fail | Outcome::WrongReason));
    Ok(failed.map(|result| result.id).collect())
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err wants")]
fn could_not(error: CouldNotRun) -> KillError {
    KillError::CouldNotRun(error.to_string())
}
