//! A script played: the world is loaded, each step is sent at its time, and what it answers and changes is compared.
//!
//! The world is dumped after every step, so a step answers for exactly what it changed.

mod answer;
mod effects;
mod fault;
mod profile;
mod values;
pub mod witness;

use serde_json::{Value, json};
use vectors::schema::{Case, Step, Verdict as Expected};
use vectors::script::is_error_name;

use crate::calibrate::Failure;
use crate::matchers::{self, Mismatch};
use crate::outcome::{Outcome, Verdict};
use crate::session::{Exchange, Reply, Session};
use crate::verdict::{Reading, accident};
use crate::wire::{Answer, Job};

use fault::Fault;
use values::Values;

/// How a name of a step begins where it stands as the name of a row.
pub const STEP: char = '@';

/// The verdicts of a script, one a step that was played, each under `@name`.
pub type Rows = Vec<(Option<String>, Verdict)>;

/// Plays a script; it ends with the first step that is not as expected.
pub fn play(session: &mut Session<'_>, case: &Case, reading: &Reading<'_>, reveal_id: bool) -> Rows {
    let mut play = Play { session, case, reading, reveal_id, values: Values::new(case), dump: Value::Null };
    if case.op == "world.load" {
        return vec![(None, play.refused_load().unwrap_or_else(|verdict| verdict))];
    }
    if let Err(verdict) = play.load() {
        return vec![(None, verdict)];
    }
    let mut rows: Rows = Vec::new();
    for step in &case.steps {
        let verdict = play.step(step).unwrap_or_else(|verdict| {
            let reason = format!("step {} at {}: {}", step.name, step.at, verdict.reason);
            Verdict { reason, ..verdict }
        });
        let goes_on = verdict.outcome == Outcome::Pass;
        rows.push((Some(format!("{STEP}{}", step.name)), verdict));
        if !goes_on {
            return rows;
        }
    }
    tell_of_the_decisive(case, &mut rows);
    rows
}

/// Of rows that all pass the first speaks for the case: with the words and the reason of the decisive step.
fn tell_of_the_decisive(case: &Case, rows: &mut Rows) {
    let name = case.decisive_step().map(|step| format!("{STEP}{}", step.name));
    let told = rows.iter().find(|(row, _)| *row == name).map(|(_, verdict)| verdict.clone());
    if let (Some((_, first)), Some(told)) = (rows.first_mut(), told) {
        *first = told;
    }
}

/// The job of a world op.
#[must_use]
pub fn job(case: &Case, op: &str, at: &str, input: Value, reveal_id: bool) -> Job {
    Job { op: op.into(), now: at.into(), input, ..crate::judge::job(case, &Value::Null, reveal_id) }
}

/// The calls of a script up to the first step that depends on answers, numbered from 1.
#[must_use]
pub fn lines(case: &Case) -> Vec<Value> {
    let limit = crate::limits::Limits::default().first_call.as_millis();
    let values = Values::new(case);
    let mut jobs =
        vec![("world.load", &case.now, json!({"world": case.world})), ("world.dump", &case.now, json!({}))];
    for step in &case.steps {
        let Ok(request) = values.resolve(&step.request, &step.at) else { break };
        for _ in 0..step.repeat.unwrap_or(1) {
            jobs.push(("world.step", &step.at, json!({"at": step.at, "request": request})));
        }
        jobs.push(("world.dump", &step.at, json!({})));
    }
    (1u64..)
        .zip(jobs)
        .map(|(id, (op, at, input))| job(case, op, at, input, false).to_message(id, limit))
        .collect()
}

/// The first step whose request holds values of earlier answers.
#[must_use]
pub fn first_that_depends(case: &Case) -> Option<&Step> {
    let values = Values::new(case);
    case.steps.iter().find(|step| values.resolve(&step.request, &step.at).is_err())
}

struct Play<'p, 's, 'a> {
    session: &'p mut Session<'s>,
    case: &'p Case,
    reading: &'p Reading<'a>,
    reveal_id: bool,
    values: Values<'p>,
    dump: Value,
}

impl Play<'_, '_, '_> {
    fn load(&mut self) -> Result<(), Verdict> {
        let world = self.case.world.clone().unwrap_or_default();
        self.accepted("world.load", &self.case.now, json!({"world": world}))?;
        self.dump = self.accepted("world.dump", &self.case.now, json!({}))?;
        effects::check_loaded(&world, &self.dump).map_err(|fault| verdict("after world.load", fault))
    }

    /// A world that must be refused.
    fn refused_load(&mut self) -> Result<Verdict, Verdict> {
        let world = self.case.world.clone().unwrap_or_default();
        let expected = format!("expected reject {}", self.case.reasons.join(" or "));
        match self.call("world.load", &self.case.now, json!({"world": world}))? {
            Answer::Reject { cat, .. } => {
                Ok(self.reason(&self.case.reasons, cat.as_deref(), &expected).with_cat(cat))
            }
            other => Err(self.reading.otherwise(&other, &expected)),
        }
    }

    fn step(&mut self, step: &Step) -> Result<Verdict, Verdict> {
        let request = self.values.resolve(&step.request, &step.at).map_err(|fault| verdict("", fault))?;
        let input = json!({"at": step.at, "request": request});
        let mut passed = Verdict::new(Outcome::Pass, "");
        let mut out = None;
        for _ in 0..step.repeat.unwrap_or(1) {
            let answer = self.call("world.step", &step.at, input.clone())?;
            (passed, out) = self.answered(step, answer)?;
        }
        let after = self.accepted("world.dump", &step.at, json!({}))?;
        let before = std::mem::replace(&mut self.dump, after);
        // Labels first: the answer speaks of the node and the certificate that have just come to be.
        effects::check(&step.expect.effects, &before, &self.dump, &request, &mut self.values)
            .map_err(|fault| verdict("", fault))?;
        self.values.learn(step, &request, out.as_ref());
        if let (Some(expected), Some(out)) = (&step.expect.out, &out) {
            self.compare_out(step, expected, out).map_err(|fault| verdict("wrong output: ", fault))?;
        }
        Ok(passed)
    }

    /// The verdict on the word of the answer, and the output if it is accepted as expected.
    fn answered(&self, step: &Step, answer: Answer) -> Result<(Verdict, Option<Value>), Verdict> {
        let expect = &step.expect;
        match (expect.verdict, answer) {
            (Expected::Accept, Answer::Accept(out)) => Ok((Verdict::new(Outcome::Pass, ""), Some(out))),
            (Expected::Accept, other) => Err(self.reading.otherwise(&other, "expected accept")),
            (Expected::Reject, Answer::Reject { cat, .. }) => {
                let expected = format!("expected reject {}", expect.reasons.join(" or "));
                let verdict = self.reason(expect.reasons.as_slice(), cat.as_deref(), &expected).with_cat(cat);
                if verdict.outcome == Outcome::Pass { Ok((verdict, None)) } else { Err(verdict) }
            }
            (Expected::Reject, other) => {
                let expected = format!("expected reject {}", expect.reasons.join(" or "));
                Err(self.reading.otherwise(&other, &expected))
            }
        }
    }

    /// Names of errors that are no refusals are no reasons: every shim can tell them.
    fn reason(&self, reasons: &[String], cat: Option<&str>, expected: &str) -> Verdict {
        match cat {
            Some(cat) if is_error_name(cat) || reasons.iter().all(|reason| is_error_name(reason)) => {
                if reasons.iter().any(|reason| reason == cat) {
                    Verdict::new(Outcome::Pass, "")
                } else {
                    Verdict::new(Outcome::WrongReason, format!("rejected for {cat}, {expected}"))
                }
            }
            cat => self.reading.reason(reasons, &self.case.step, cat, expected),
        }
    }

    fn compare_out(&self, step: &Step, expected: &Value, out: &Value) -> Result<(), Fault> {
        if let Some(description) = expected.pointer("/response/$answer") {
            let is_signed = self.is_signed(description);
            return answer::check(description, out, step, &self.values, is_signed);
        }
        let expected = self.values.resolve(expected, &step.at)?;
        matchers::compare(&expected, &[out]).map_err(|mismatch| match mismatch {
            Mismatch::Differs(what) => Fault::Differs(what),
            Mismatch::Suite(what) => Fault::Suite(what),
        })
    }

    /// RENEWAL-6: the answer to a renewal is signed unless the choice says no.
    fn is_signed(&self, description: &Value) -> bool {
        let name = "renewal.signed-answer";
        let declared = self.reading.declaration.choices.get(name).map(|choice| choice.first());
        let value = self.case.choice.get(name).map(String::as_str).or(declared).unwrap_or("yes");
        description["purpose"] != "renew-response" || value == "yes"
    }

    fn accepted(&mut self, op: &str, at: &str, input: Value) -> Result<Value, Verdict> {
        match self.call(op, at, input)? {
            Answer::Accept(out) => Ok(out),
            other => Err(self.reading.otherwise(&other, &format!("expected that {op} is accepted"))),
        }
    }

    fn call(&mut self, op: &str, at: &str, input: Value) -> Result<Answer, Verdict> {
        let job = job(self.case, op, at, input, self.reveal_id);
        let exchange = one(self.session, job);
        // A crash whose call passes when it is made again, in a process without the world, is a crash all the same.
        if let Some(accident) = exchange.elsewhere {
            return Err(Verdict::new(Outcome::Crash, accident));
        }
        match exchange.reply {
            Reply::Answer(answer) => Ok(answer),
            other => Err(accident(&other).unwrap_or_else(|| Verdict::new(Outcome::SuiteError, "no answer"))),
        }
    }
}

fn verdict(before: &str, fault: Fault) -> Verdict {
    match fault {
        Fault::Differs(what) => Verdict::new(Outcome::Fail, format!("{before}{what}")),
        Fault::Suite(what) => Verdict::new(Outcome::SuiteError, what),
    }
}

fn one(session: &mut Session<'_>, job: Job) -> Exchange {
    let lost = || Exchange { reply: Reply::NotRun("it was never sent".into()), elsewhere: None };
    session.run(&[job], &mut |_| {}).pop().unwrap_or_else(lost)
}

/// A world in which there is nothing.
fn empty_world() -> Value {
    json!({
        "trustDomain": "empty.example.com", "rootTenant": null, "attestors": [], "certTtlS": 86400, "keys": null,
        "sites": [], "pools": [], "tokens": [], "nodes": [], "certs": [],
    })
}

/// Whether the world ops can tell good calls from broken ones.
///
/// # Errors
/// What they got wrong.
pub fn calibrate(session: &mut Session<'_>) -> Result<(), Failure> {
    let accept: fn(&Answer) -> bool = |answer| matches!(answer, Answer::Accept(_));
    let error: fn(&Answer) -> bool = |answer| matches!(answer, Answer::Error { .. });
    let at = vectors::case::NOW;
    let calls = [
        ("world.load", json!({"world": empty_world()}), accept, "an empty world must be accepted"),
        ("world.dump", json!({}), accept, "a dump must be accepted"),
        ("world.load", json!({}), error, "a load without `world` must be answered error"),
        ("world.step", json!({"at": at, "request": {}}), error, "a step without `do` must be answered error"),
    ];
    for (op, input, good, rule) in calls {
        let job = Job { op: op.into(), input, ..crate::calibrate::made_up_job() };
        let exchange = one(session, job);
        let failed =
            |what: String| Failure { outcome: Outcome::ShimInvalid, reason: format!("{rule}: {what}") };
        match (exchange.elsewhere, exchange.reply) {
            (Some(accident), _) => return Err(failed(accident)),
            (None, Reply::Answer(answer)) if good(&answer) => {}
            (None, Reply::Answer(answer)) => return Err(failed(answer.describe())),
            (None, other) => {
                return Err(failed(accident(&other).map(|verdict| verdict.reason).unwrap_or_default()));
            }
        }
    }
    Ok(())
}
