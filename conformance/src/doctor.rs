//! What is wrong with a shim before any case is judged, and what to do about it.

use serde_json::json;
use vectors::schema::Case;

use crate::calibrate::{calibrate, made_up_job};
use crate::limits::Limits;
use crate::ops;
use crate::process::Subject;
use crate::session::{Reply, Session, Wire};
use crate::suite::Suite;
use crate::wire::{self, Answer, Declaration, Job};

/// One look at the shim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whether all is well.
    pub good: bool,
    /// What was looked at.
    pub what: String,
    /// What was seen, and what to do.
    pub advice: String,
}

impl Finding {
    fn good(what: impl Into<String>, seen: impl Into<String>) -> Self {
        Self { good: true, what: what.into(), advice: seen.into() }
    }

    fn bad(what: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { good: false, what: what.into(), advice: advice.into() }
    }
}

/// Looks at hello, each op's calibration, the rules of the contract, and bye.
#[must_use]
pub fn examine(suite: &Suite, subject: &Subject, limits: &Limits) -> Vec<Finding> {
    let hello = wire::hello(&suite.digest, &ops::called());
    let mut session = match Session::open(subject, limits, hello, Wire::default()) {
        Ok(session) => session,
        Err(error) => {
            let advice = format!(
                "{error}. The first line on standard input is hello; answer it with one JSON line with id 0, and flush."
            );
            return vec![Finding::bad("hello", advice)];
        }
    };
    let declaration = session.declaration().clone();
    let mut findings = vec![introduction(&declaration)];
    findings.extend(declared(&declaration));
    findings.extend(contract(&mut session, suite));
    findings.extend(calibration(&mut session, suite, &declaration));
    findings.push(world(&mut session, &declaration));
    let warnings = session.close();
    findings.push(if warnings.is_empty() {
        Finding::good("bye", "the shim exits with status 0")
    } else {
        Finding::bad("bye and standard output", warnings.join("; "))
    });
    findings
}

fn introduction(said: &Declaration) -> Finding {
    let implementation = &said.implementation;
    let text = format!(
        "{} {} ({}), {} ops, clock {:?}, categories {:?}, {} calls at a time",
        implementation.name,
        implementation.version,
        implementation.lang,
        said.ops.len(),
        said.clock,
        said.categories,
        said.parallel,
    );
    Finding::good("hello", text)
}

/// Ops that are not declared, and declared ones that nobody knows.
fn declared(said: &Declaration) -> Vec<Finding> {
    let mut findings = Vec::new();
    let is_known = |op: &str| ops::find(op).is_some() || ops::WORLD.contains(&op);
    for op in said.ops.iter().filter(|op| !is_known(op)) {
        let near = crate::select::nearest(op, ops::names());
        let hint = near.map(|near| format!("; did you mean {near}?")).unwrap_or_default();
        findings.push(Finding::bad(op.as_str(), format!("is declared and no op of the contract{hint}")));
    }
    let missing: Vec<&str> =
        ops::names().into_iter().filter(|name| !said.ops.iter().any(|op| op == name)).collect();
    if !missing.is_empty() {
        findings.push(Finding::good(
            "not declared",
            format!("{} (their cases are unsupported)", missing.join(", ")),
        ));
    }
    findings
}

fn contract(session: &mut Session<'_>, suite: &Suite) -> Vec<Finding> {
    let mut findings = Vec::new();
    let unsupported = |reply: &Reply| matches!(reply, Reply::Answer(Answer::Unsupported { .. }));
    let made_up = ask(session, made_up_job());
    findings.push(if unsupported(&made_up) {
        Finding::good("an op that nobody has", "is answered unsupported")
    } else {
        Finding::bad("an op that nobody has", format!("must be answered unsupported, not {made_up:?}"))
    });
    let declared = session.declaration().ops.clone();
    let example = suite.cases.iter().find(|case| declared.contains(&case.op) && case.input.is_some());
    let Some(case) = example else { return findings };
    let Some(input) = &case.input else { return findings };
    let job = crate::judge::job(case, input, false);
    let critical = Job { critical: vec!["x-made-up".into()], ..job.clone() };
    let reply = ask(session, critical);
    findings.push(if unsupported(&reply) {
        Finding::good("a critical member that nobody knows", "is answered unsupported")
    } else {
        let advice =
            format!("answer unsupported when `critical` names what you do not know; this was {reply:?}");
        Finding::bad("a critical member that nobody knows", advice)
    });
    let plain = ask(session, job.clone());
    let mut more = job;
    if let Some(members) = more.input.as_object_mut() {
        members.insert("x-made-up".into(), json!(1));
    }
    let with_more = ask(session, more);
    let same =
        std::mem::discriminant(&plain) == std::mem::discriminant(&with_more) && same_word(&plain, &with_more);
    findings.push(if same {
        Finding::good("a member that nobody knows", "is ignored")
    } else {
        Finding::bad("a member that nobody knows", format!("must be ignored; {plain:?} became {with_more:?}"))
    });
    findings
}

fn same_word(one: &Reply, other: &Reply) -> bool {
    match (one, other) {
        (Reply::Answer(one), Reply::Answer(other)) => {
            std::mem::discriminant(one) == std::mem::discriminant(other)
        }
        _ => true,
    }
}

fn calibration(session: &mut Session<'_>, suite: &Suite, said: &Declaration) -> Vec<Finding> {
    let cases: Vec<&Case> = suite.cases.iter().filter(|case| case.choice.is_empty()).collect();
    let wanted: Vec<&str> =
        ops::names().into_iter().filter(|name| said.ops.iter().any(|op| op == name)).collect();
    let with_cases: Vec<&str> =
        wanted.into_iter().filter(|name| cases.iter().any(|case| case.op == *name)).collect();
    calibrate(session, &with_cases, &cases)
        .into_iter()
        .map(|(op, result)| match result {
            Ok(()) => Finding::good(op, "tells good, bad and broken calls apart"),
            Err(failure) => Finding::bad(op, failure.reason),
        })
        .collect()
}

fn world(session: &mut Session<'_>, said: &Declaration) -> Finding {
    if !said.world {
        return Finding::good("world", "not declared (scripts are not run)");
    }
    match crate::script::calibrate(session) {
        Ok(()) => Finding::good("world", "loads, dumps, and tells broken calls apart"),
        Err(failure) => Finding::bad("world", failure.reason),
    }
}

fn ask(session: &mut Session<'_>, job: Job) -> Reply {
    let lost = Reply::NotRun("it was never sent".into());
    session.run(&[job], &mut |_| {}).pop().map_or(lost, |exchange| exchange.reply)
}
