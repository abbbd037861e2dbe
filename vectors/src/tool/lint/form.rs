//! A case by itself: its id, rules, reasons, rows and canonical form.

use std::collections::BTreeSet;

use vectors::schema::{Case, Kind, Verdict};
use vectors::script::is_error_name;
use vectors::spec::rule_prefix;

use super::Known;

/// The largest case file, in octets; a judge reads every one of them.
const CASE_FILE_MAX: usize = 128 * 1024;

/// Says what is wrong with the case by itself.
pub(super) fn check(case: &Case, known: &Known<'_>, say: &mut impl FnMut(String)) {
    check_id(case, say);
    check_words(case, known, say);
    check_verdict(case, say);
    if case.kind == Kind::Script {
        super::script::check(case, known, say);
    } else {
        check_rows(case, say);
    }
    match case.to_file() {
        Ok(text) if text.len() > CASE_FILE_MAX => {
            say(format!("the file has {} octets, at most {CASE_FILE_MAX}", text.len()));
        }
        Ok(text) if serde_json::from_str::<Case>(&text).is_ok_and(|read| read == *case) => {}
        _ => say("written and read again it is another case".into()),
    }
}

fn check_id(case: &Case, say: &mut impl FnMut(String)) {
    let parts: Vec<&str> = case.id.split('/').collect();
    if parts.len() != 2 || parts.first() != Some(&case.step.as_str()) {
        say(format!("the id must be {}/<name>", case.step));
    }
    let prefix = format!("{}-", rule_prefix(&case.step));
    let own = |rule: &String| rule.strip_prefix(&prefix).is_some_and(|number| number.parse::<u32>().is_ok());
    if !case.rules.first().is_some_and(own) {
        say(format!("the first rule must be one of {}", case.step));
    }
}

fn check_words(case: &Case, known: &Known<'_>, say: &mut impl FnMut(String)) {
    for rule in case.rules.iter().filter(|rule| !known.rules.contains(rule.as_str())) {
        say(format!("the spec has no rule {rule}"));
    }
    let is_name = |reason: &str| case.kind == Kind::Script && is_error_name(reason);
    for reason in case.reasons.iter().filter(|reason| !known.reasons.contains(*reason) && !is_name(reason)) {
        say(format!("the refusal page has no reason {reason}"));
    }
    for (name, value) in &case.choice {
        if !known.choices.get(name.as_str()).is_some_and(|values| values.contains(value)) {
            say(format!("the spec has no choice {name} with the value {value}"));
        }
    }
}

fn check_verdict(case: &Case, say: &mut impl FnMut(String)) {
    let accept = case.verdict == Verdict::Accept;
    if case.calls().iter().any(|call| call.out.is_some() != accept) {
        say(if accept { "a call without out" } else { "a rejected call with out" }.into());
    }
    if accept == (case.twin.is_some() || case.mutation.is_some() || !case.reasons.is_empty()) {
        say("reasons, twin and mutation stand on rejects, and only there".into());
    } else if !accept && (case.twin.is_none() || case.mutation.is_none() || case.reasons.is_empty()) {
        say("a reject has reasons, twin and mutation".into());
    }
    if case.op.is_empty() || case.recipe.is_empty() {
        say("op or recipe is empty".into());
    }
}

fn check_rows(case: &Case, say: &mut impl FnMut(String)) {
    if case.world.is_some() || !case.steps.is_empty() || case.decisive.is_some() {
        say("world and steps stand in scripts, and only there".into());
    }
    if case.input.is_some() != case.rows.is_empty() || (case.out.is_some() && !case.rows.is_empty()) {
        say("a case has either in (and out) or rows".into());
    }
    let mut names = BTreeSet::new();
    for row in &case.rows {
        if !names.insert(&row.name) {
            say(format!("two rows are called {}", row.name));
        }
    }
}
