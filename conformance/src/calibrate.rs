//! Calibration: before any case of an op counts, the op must tell a good input from a bad one and from a broken one.
//!
//! A subject that says the same to everything fails here, and so does one that is not there.

use std::collections::BTreeMap;

use vectors::schema::{Case, Verdict as Expected};

use crate::judge::job;
use crate::ops::{self, Op};
use crate::outcome::Outcome;
use crate::session::{Exchange, Reply, Session};
use crate::wire::{Answer, Job};

/// How many good and how many bad inputs are tried: a subject with one fault must not lose a whole op to it.
const TRIES: usize = 3;
/// Ops in a row that end in an accident before the rest is given up: a subject that hangs must not hold up the run.
const ACCIDENTS: usize = 3;

/// An op's result: nothing, or what it got wrong.
pub type Calibrated = BTreeMap<String, Result<(), Failure>>;

/// What an op got wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Whose fault: the shim's, or the suite's.
    pub outcome: Outcome,
    /// In words.
    pub reason: String,
}

impl Failure {
    fn shim(reason: impl Into<String>) -> Self {
        Self { outcome: Outcome::ShimInvalid, reason: reason.into() }
    }
}

/// Calibrates the named ops with inputs from `cases`, all of which the subject's choices allow.
pub fn calibrate(session: &mut Session<'_>, wanted: &[&str], cases: &[&Case]) -> Calibrated {
    let mut calibrated = Calibrated::new();
    let mut accidents = 0;
    let made_up = made_up_op(session);
    for &name in wanted {
        let result = match &made_up {
            Err(failure) => Err(failure.clone()),
            Ok(()) if accidents >= ACCIDENTS => Err(Failure::shim(format!(
                "{ACCIDENTS} ops in a row answered nothing, so this one was not tried"
            ))),
            Ok(()) => calibrate_op(session, name, cases, &mut accidents),
        };
        calibrated.insert(name.into(), result);
    }
    calibrated
}

/// The call of an op that nobody has; its answer also shows that no answer of an earlier call was still to come.
#[must_use]
pub fn made_up_job() -> Job {
    Job {
        op: ops::MADE_UP.into(),
        now: vectors::case::NOW.into(),
        input: serde_json::json!({}),
        choices: BTreeMap::new(),
        critical: Vec::new(),
        case: None,
    }
}

fn made_up_op(session: &mut Session<'_>) -> Result<(), Failure> {
    match one(session, made_up_job()).reply {
        Reply::Answer(Answer::Unsupported { .. }) => Ok(()),
        other => {
            Err(Failure::shim(format!("a made-up op must be answered unsupported: {}", describe(&other))))
        }
    }
}

fn calibrate_op(
    session: &mut Session<'_>,
    name: &str,
    cases: &[&Case],
    accidents: &mut usize,
) -> Result<(), Failure> {
    let op = ops::find(name).ok_or_else(|| Failure {
        outcome: Outcome::SuiteError,
        reason: format!("{name} is no op of the contract"),
    })?;
    let goods = simplest(cases, name, Expected::Accept);
    let Some(simplest_good) = goods.first() else {
        return Err(Failure { outcome: Outcome::SuiteError, reason: format!("{name} has no accept case") });
    };
    let good = any(session, &goods, |answer| matches!(answer, Answer::Accept(_)), accidents);
    good.map_err(|what| Failure::shim(format!("a good call must be accepted: {what}")))?;
    let bads = simplest(cases, name, Expected::Reject);
    if op.can_reject && !bads.is_empty() {
        let bad = any(session, &bads, |answer| matches!(answer, Answer::Reject { .. }), accidents);
        bad.map_err(|what| Failure::shim(format!("a bad call must be rejected: {what}")))?;
    }
    let broken = [without_required(simplest_good, op)];
    any(session, &broken, |answer| matches!(answer, Answer::Error { .. }), accidents).map_err(|what| {
        Failure::shim(format!("a call without `{}` must be answered error: {what}", op.required))
    })
}

/// Whether any of the calls is answered as it should be; an accident ends the tries.
fn any(
    session: &mut Session<'_>,
    jobs: &[Job],
    good: fn(&Answer) -> bool,
    accidents: &mut usize,
) -> Result<(), String> {
    let mut first = None;
    for job in jobs {
        let exchange = one(session, job.clone());
        match &exchange.reply {
            Reply::Answer(answer) => {
                if let Some(accident) = exchange.elsewhere {
                    return Err(accident);
                }
                *accidents = 0;
                if good(answer) {
                    return Ok(());
                }
                first.get_or_insert_with(|| answer.describe());
            }
            accident => {
                *accidents += 1;
                return Err(describe(accident));
            }
        }
    }
    Err(first.unwrap_or_else(|| "nothing to try".into()))
}

/// The smallest inputs of an op, of different rules where there are.
fn simplest(cases: &[&Case], op: &str, verdict: Expected) -> Vec<Job> {
    let mut found: Vec<(usize, &str, Job)> = cases
        .iter()
        .filter(|case| case.op == op && case.verdict == verdict)
        .filter_map(|case| {
            let call = *case.calls().first()?;
            let rule = case.rules.first().map(String::as_str).unwrap_or_default();
            Some((call.input.to_string().len(), rule, job(case, call.input, false)))
        })
        .collect();
    found.sort_by_key(|(size, _, _)| *size);
    let mut chosen: Vec<(&str, Job)> = Vec::new();
    for other_rule in [true, false] {
        for (_, rule, job) in &found {
            let known = chosen.iter().any(|(seen, had)| if other_rule { seen == rule } else { had == job });
            if chosen.len() < TRIES && !known {
                chosen.push((rule, job.clone()));
            }
        }
    }
    chosen.into_iter().map(|(_, job)| job).collect()
}

fn without_required(job: &Job, op: &Op) -> Job {
    let mut broken = job.clone();
    if let Some(members) = broken.input.as_object_mut() {
        members.remove(op.required);
    }
    broken
}

fn one(session: &mut Session<'_>, job: Job) -> Exchange {
    let lost = || Exchange { reply: Reply::NotRun("it was never sent".into()), elsewhere: None };
    session.run(&[job], &mut |_| {}).pop().unwrap_or_else(lost)
}

fn describe(reply: &Reply) -> String {
    match reply {
        Reply::Answer(answer) => answer.describe(),
        Reply::Timeout(words) => format!("timeout: {words}"),
        Reply::Crash(words) => format!("crash: {words}"),
        Reply::Resource(words) => format!("too much memory: {words}"),
        Reply::Protocol(words) => format!("protocol error: {words}"),
        Reply::NotRun(words) => words.clone(),
    }
}
