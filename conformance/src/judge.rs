//! A whole run: which cases can be put to this subject, the calls, the verdicts, the twins, and failures once more alone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use serde_json::Value;
use vectors::schema::{Case, Kind, Verdict as Expected};

use crate::calibrate::{Calibrated, calibrate, made_up_job};
use crate::limits::Limits;
use crate::ops;
use crate::outcome::{CaseResult, Outcome, Verdict};
use crate::process::Subject;
use crate::session::{CouldNotRun, Exchange, Session, Wire};
use crate::spec::Spec;
use crate::suite::Suite;
use crate::verdict::{Reading, worst};
use crate::wire::{self, Clock, Declaration, Job};
use crate::{matchers, plan, script};

/// How a run is made.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The limits.
    pub limits: Limits,
    /// Whether ops are calibrated; only a subject whose unmutated form has passed everything may go without.
    pub calibrate: bool,
    /// Whether calls carry the case's id.
    pub reveal_ids: bool,
    /// The record of both directions.
    pub wire: Wire,
    /// Processes that scripts are dealt to. More than one only for a subject that is known to run beside itself, and never
    /// with a record, whose lines must come in their order.
    pub processes: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            calibrate: true,
            reveal_ids: false,
            wire: Wire::default(),
            processes: 1,
        }
    }
}

/// What a run showed.
#[derive(Clone, Debug)]
pub struct Run {
    /// What the subject said of itself.
    pub declaration: Declaration,
    /// The selected cases, judged, by id.
    pub results: Vec<CaseResult>,
    /// What was odd and harmless.
    pub warnings: Vec<String>,
}

/// The call of a case for one input.
#[must_use]
pub fn job(case: &Case, input: &Value, reveal_id: bool) -> Job {
    Job {
        op: case.op.clone(),
        now: case.now.clone(),
        input: input.clone(),
        choices: case.choice.clone(),
        critical: Vec::new(),
        case: reveal_id.then(|| case.id.clone()),
    }
}

/// The verdicts of a case, one a row.
type Rows = Vec<(Option<String>, Verdict)>;

/// Puts the selected cases, and the twins they need, to the subject.
///
/// # Errors
/// [`CouldNotRun`] when the subject cannot be judged at all.
pub fn run(
    suite: &Suite,
    selected: &BTreeSet<&str>,
    spec: &Spec,
    subject: &Subject,
    settings: &Settings,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Run, CouldNotRun> {
    let hello = wire::hello(&suite.digest, &ops::called());
    let mut session = Session::open(subject, &settings.limits, hello.clone(), settings.wire.clone())?;
    let declaration = session.declaration().clone();
    let cases = plan::with_twins(suite, selected);
    let refused: BTreeMap<&str, Verdict> = cases
        .iter()
        .filter_map(|case| Some((case.id.as_str(), precondition(case, suite, &declaration)?)))
        .collect();
    let able: Vec<&Case> =
        cases.iter().copied().filter(|case| !refused.contains_key(case.id.as_str())).collect();
    let calibrated = calibrated(&mut session, suite, &declaration, &able, settings);
    let reading = Reading { declaration: &declaration, steps: &spec.steps };
    let mut judged = Judged { reading, rows: BTreeMap::new() };
    let ready: Vec<&Case> =
        able.into_iter().filter(|case| !matches!(calibrated.get(&case.op), Some(Err(_)))).collect();
    let mut sessions = vec![session];
    // Scripts need no process in particular, so that one process less is no fault.
    let more = (1..settings.processes)
        .map_while(|_| Session::open(subject, &settings.limits, hello.clone(), settings.wire.clone()).ok());
    sessions.extend(more);
    judged.put(&mut sessions, &ready, settings, progress);
    for case in &cases {
        let uncalibrated = calibrated.get(&case.op).and_then(|result| result.as_ref().err());
        let verdict = refused
            .get(case.id.as_str())
            .cloned()
            .or_else(|| uncalibrated.map(|failure| Verdict::new(failure.outcome, failure.reason.clone())));
        if let Some(verdict) = verdict {
            judged.rows.insert(case.id.clone(), vec![(None, verdict)]);
        }
    }
    judged.apply_twins(&cases);
    judged.alone_again(&cases, subject, &hello, settings);
    let wanted = cases.iter().filter(|case| selected.contains(case.id.as_str()));
    let results = wanted.map(|case| judged.result(case)).collect();
    let warnings = sessions.into_iter().flat_map(Session::close).collect();
    Ok(Run { warnings, declaration, results })
}

/// Why a case is not put to this subject, if it is not.
fn precondition(case: &Case, suite: &Suite, declaration: &Declaration) -> Option<Verdict> {
    if case.kind == Kind::Live {
        return Some(Verdict::waived(Outcome::NotRun, "it needs a live server or client"));
    }
    if case.kind == Kind::Script && !declaration.world {
        return Some(Verdict::waived(Outcome::NotRun, "needs world"));
    }
    if let Err(what) = plan::check(case, suite) {
        return Some(Verdict::new(Outcome::SuiteError, what));
    }
    if case.kind == Kind::Function && !declaration.ops.contains(&case.op) {
        return Some(Verdict::waived(Outcome::Unsupported, format!("the op {} is not declared", case.op)));
    }
    if let Some((name, value)) = undeclared_choice(case, declaration) {
        return Some(Verdict::waived(
            Outcome::NotRun,
            format!("the choice {name} = {value} is not declared"),
        ));
    }
    if declaration.clock == Clock::Process && ops::find(&case.op).is_some_and(|op| op.timed) {
        return Some(Verdict::waived(Outcome::NotRun, "the shim does not take the call's clock"));
    }
    None
}

fn undeclared_choice<'c>(case: &'c Case, declaration: &Declaration) -> Option<(&'c String, &'c String)> {
    let declared =
        |name: &str, value: &str| declaration.choices.get(name).is_some_and(|choice| choice.has(value));
    case.choice.iter().find(|(name, value)| !declared(name, value))
}

fn calibrated(
    session: &mut Session<'_>,
    suite: &Suite,
    declaration: &Declaration,
    able: &[&Case],
    settings: &Settings,
) -> Calibrated {
    if !settings.calibrate {
        return Calibrated::new();
    }
    let functions = able.iter().filter(|case| case.kind == Kind::Function);
    let wanted: BTreeSet<&str> = functions.map(|case| case.op.as_str()).collect();
    let usable = |case: &&Case| case.kind == Kind::Function && undeclared_choice(case, declaration).is_none();
    let inputs: Vec<&Case> = suite.cases.iter().filter(usable).collect();
    let mut calibrated = calibrate(session, &wanted.into_iter().collect::<Vec<_>>(), &inputs);
    if let Some(case) = able.iter().find(|case| case.kind == Kind::Script) {
        calibrated.insert(case.op.clone(), script::calibrate(session));
    }
    calibrated
}

struct Judged<'a> {
    reading: Reading<'a>,
    rows: BTreeMap<String, Rows>,
}

impl Judged<'_> {
    /// Makes the calls: the accept cases first, so that every reject comes after its twin.
    fn put(
        &mut self,
        sessions: &mut [Session<'_>],
        cases: &[&Case],
        settings: &Settings,
        progress: &mut dyn FnMut(usize, usize),
    ) {
        let (scripts, functions): (Vec<&Case>, Vec<&Case>) =
            cases.iter().partition(|case| case.kind == Kind::Script);
        let (accepts, rejects): (Vec<&Case>, Vec<&Case>) =
            functions.iter().partition(|case| case.verdict == Expected::Accept);
        let ordered: Vec<&Case> = accepts.into_iter().chain(rejects).collect();
        let mut jobs: Vec<Job> = ordered.iter().flat_map(|case| jobs_of(case, settings.reveal_ids)).collect();
        let calls = jobs.len();
        let total = calls + scripts.len();
        // Its answer comes after any second answer to the last call, which is then seen.
        jobs.push(made_up_job());
        let run =
            |session: &mut Session<'_>| session.run(&jobs, &mut |done| progress(done.min(calls), total));
        let exchanges = sessions.first_mut().map(run).unwrap_or_default();
        let mut rest = exchanges.as_slice();
        for case in ordered {
            let rows = self.rows_of(case, &mut rest);
            self.rows.insert(case.id.clone(), rows);
        }
        self.play(sessions, &scripts, settings, &mut |done| progress(calls + done, total));
    }

    /// Plays the scripts, those that are accepted first, each in the next process that is free.
    fn play(
        &mut self,
        sessions: &mut [Session<'_>],
        scripts: &[&Case],
        settings: &Settings,
        progress: &mut dyn FnMut(usize),
    ) {
        let (accepts, rejects): (Vec<&Case>, Vec<&Case>) =
            scripts.iter().partition(|case| case.verdict == Expected::Accept);
        let waiting = Mutex::new(accepts.into_iter().chain(rejects));
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
        let (played, results) = mpsc::channel();
        let reading = &self.reading;
        thread::scope(|scope| {
            for session in sessions {
                let (next, played) = (&next, played.clone());
                scope.spawn(move || {
                    while let Some(case) = next() {
                        let rows = script::play(session, case, reading, settings.reveal_ids);
                        if played.send((case.id.clone(), rows)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(played);
            for (done, (id, rows)) in (1..).zip(results) {
                self.rows.insert(id, rows);
                progress(done);
            }
        });
    }

    /// Takes the case's exchanges off the front.
    fn rows_of(&self, case: &Case, exchanges: &mut &[Exchange]) -> Rows {
        let mut rows = Vec::new();
        for call in case.calls() {
            let count = call.out.map_or(1, |out| matchers::repeats(out).unwrap_or(1));
            let (mine, others) = exchanges.split_at(count.min(exchanges.len()));
            *exchanges = others;
            rows.push((call.row.map(String::from), self.reading.call(case, &call, mine)));
        }
        rows
    }

    /// A reject whose twin was not accepted as expected shows nothing.
    fn apply_twins(&mut self, cases: &[&Case]) {
        for case in cases.iter().filter(|case| case.verdict == Expected::Reject) {
            let Some(twin) = &case.twin else { continue };
            let Some(what) = self.twin_fault(twin) else { continue };
            for (_, verdict) in self.rows.get_mut(&case.id).into_iter().flatten() {
                if verdict.outcome == Outcome::Pass {
                    *verdict = Verdict {
                        waived: what.waived,
                        cat: verdict.cat.take(),
                        ..Verdict::new(
                            if what.waived { Outcome::NotRun } else { Outcome::Inconclusive },
                            format!("rejected, but its twin {twin} is {}", what.outcome),
                        )
                    };
                }
            }
        }
    }

    fn twin_fault(&self, twin: &str) -> Option<Verdict> {
        if let Some((id, step)) = twin.split_once(script::STEP) {
            return self.step_fault(id, &format!("{}{step}", script::STEP));
        }
        let (id, row) = twin.split_once('#').map_or((twin, None), |(id, row)| (id, Some(row)));
        let Some(rows) = self.rows.get(id) else {
            return Some(Verdict::new(Outcome::NotRun, "it was not called"));
        };
        let mut relevant =
            rows.iter().filter(|(name, _)| row.is_none() || name.is_none() || name.as_deref() == row);
        relevant.find(|(_, verdict)| verdict.outcome != Outcome::Pass).map(|(_, verdict)| verdict.clone())
    }

    /// Of a script up to a step: the first that is not as expected, or that the step was not reached.
    fn step_fault(&self, id: &str, step: &str) -> Option<Verdict> {
        let not_reached = || Verdict::new(Outcome::NotRun, "it was not reached");
        let Some(rows) = self.rows.get(id) else { return Some(not_reached()) };
        let end = rows.iter().position(|(name, _)| name.as_deref() == Some(step));
        let played = rows.iter().take(end.map_or(rows.len(), |end| end + 1));
        let fault = played.map(|(_, verdict)| verdict).find(|verdict| verdict.outcome != Outcome::Pass);
        fault.cloned().or_else(|| end.is_none().then(not_reached))
    }

    /// What failed in sequence is called alone, in a new process: when it passes, its order matters.
    fn alone_again(&mut self, cases: &[&Case], subject: &Subject, hello: &Value, settings: &Settings) {
        let failed = |rows: &Rows| {
            rows.iter().any(|(_, verdict)| matches!(verdict.outcome, Outcome::Fail | Outcome::WrongReason))
        };
        let again: Vec<&&Case> =
            cases.iter().filter(|case| self.rows.get(&case.id).is_some_and(failed)).collect();
        for case in again.into_iter().take(settings.limits.alone_again) {
            let opened = Session::open(subject, &settings.limits, hello.clone(), settings.wire.clone());
            let Ok(mut session) = opened else { return };
            let rows = if case.kind == Kind::Script {
                script::play(&mut session, case, &self.reading, settings.reveal_ids)
            } else {
                let exchanges = session.run(&jobs_of(case, settings.reveal_ids), &mut |_| {});
                self.rows_of(case, &mut exchanges.as_slice())
            };
            if worst(rows).outcome == Outcome::Pass {
                let before = self.rows.get(&case.id).cloned().map(worst).map(|verdict| verdict.reason);
                let reason = format!("alone it passes; in sequence: {}", before.unwrap_or_default());
                self.rows
                    .insert(case.id.clone(), vec![(None, Verdict::new(Outcome::OrderDependent, reason))]);
            }
        }
    }

    fn result(&self, case: &Case) -> CaseResult {
        CaseResult {
            id: case.id.clone(),
            step: case.step.clone(),
            op: case.op.clone(),
            rules: case.rules.clone(),
            source: case.source,
            rejects: case.verdict == Expected::Reject,
            advisory: case.status == vectors::schema::Status::Advisory,
            verdict: worst(self.rows.get(&case.id).cloned().unwrap_or_default()),
        }
    }
}

/// The calls of a case; what holds randomness is called several times.
fn jobs_of(case: &Case, reveal_id: bool) -> Vec<Job> {
    let mut jobs = Vec::new();
    for call in case.calls() {
        let count = call.out.map_or(1, |out| matchers::repeats(out).unwrap_or(1));
        jobs.extend(std::iter::repeat_n(job(case, call.input, reveal_id), count));
    }
    jobs
}
