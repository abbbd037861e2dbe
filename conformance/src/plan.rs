//! Which cases a run needs, and whether a case can be judged at all.

use std::collections::BTreeSet;

use vectors::schema::{Case, Kind, Step, Verdict};

use crate::matchers;
use crate::suite::Suite;

/// The selected cases and their twins, by id.
#[must_use]
pub fn with_twins<'s>(suite: &'s Suite, selected: &BTreeSet<&str>) -> Vec<&'s Case> {
    let mut wanted: BTreeSet<&str> = selected.clone();
    for case in suite.cases.iter().filter(|case| selected.contains(case.id.as_str())) {
        wanted.extend(case.twin.as_deref().map(twin_id));
    }
    suite.cases.iter().filter(|case| wanted.contains(case.id.as_str())).collect()
}

/// The id of the case that a twin's name points into.
#[must_use]
pub fn twin_id(twin: &str) -> &str {
    twin.split_once(['#', '@']).map_or(twin, |(id, _)| id)
}

/// Whether the case is one that can be judged.
///
/// # Errors
/// What is wrong with it.
pub fn check(case: &Case, suite: &Suite) -> Result<(), String> {
    if case.kind == Kind::Script {
        return check_script(case, suite);
    }
    if case.calls().is_empty() {
        return Err("the case has no call".into());
    }
    match case.verdict {
        Verdict::Accept => case.calls().iter().try_for_each(|call| {
            let out = call.out.ok_or("an accept case without an expected output")?;
            matchers::repeats(out).map(|_| ())
        }),
        Verdict::Reject => check_reject(case, suite),
    }
}

fn check_script(case: &Case, suite: &Suite) -> Result<(), String> {
    if case.op == "world.load" {
        if case.verdict != Verdict::Reject || case.world.is_none() || !case.steps.is_empty() {
            return Err("a script about a load has a world that is refused, and no steps".into());
        }
        return check_reject(case, suite);
    }
    let step = case.decisive_step().ok_or("the script has no step that it is about")?;
    if step.expect.verdict != case.verdict || case.world.is_none() {
        return Err("the script has no world, or its verdict is not that of its decisive step".into());
    }
    if case.verdict == Verdict::Reject { check_reject(case, suite) } else { Ok(()) }
}

fn check_reject(case: &Case, suite: &Suite) -> Result<(), String> {
    if case.reasons.is_empty() {
        return Err("a reject case without a reason".into());
    }
    let twin = case.twin.as_deref().ok_or("a reject case without a twin")?;
    let other = suite.case(twin_id(twin)).ok_or_else(|| format!("its twin {twin} is not there"))?;
    if let Some((_, name)) = twin.split_once('@') {
        let accepted = |step: &Step| step.name == name && step.expect.verdict == Verdict::Accept;
        let there = other.steps.iter().any(accepted);
        return if there { Ok(()) } else { Err(format!("its twin {twin} has no such accepted step")) };
    }
    if other.verdict != Verdict::Accept {
        return Err(format!("its twin {twin} is no accept case"));
    }
    if let Some((_, row)) = twin.split_once('#')
        && !other.rows.iter().any(|other| other.name == row)
    {
        return Err(format!("its twin {twin} has no such row"));
    }
    Ok(())
}
