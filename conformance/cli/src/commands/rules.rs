//! `rules`: every rule of the spec with its cases.

use conformance::report::{Exit, RuleState, State, json, rule_states};
use vectors::schema::{Case, Verdict};

use super::print;
use crate::args::Rules;
use crate::failure::Failure;
use crate::source;

pub(crate) fn run(arguments: &Rules) -> Result<Exit, Failure> {
    let suite = source::suite(&arguments.data)?;
    let spec = source::spec()?;
    let cases = suite.cases.iter().map(|case| (case.rules.as_slice(), case.verdict == Verdict::Reject));
    let states = rule_states(&spec, cases);
    if arguments.json {
        print(format!("{:#}\n", json::rules(&states)));
    } else {
        print(table(&states, &suite.cases));
    }
    Ok(Exit::AsExpected)
}

/// How wide a line of case ids may be.
const WIDTH: usize = 110;

fn table(states: &[RuleState], cases: &[Case]) -> String {
    let mut text = format!("{:<18} {:>7} {:>7}  state\n", "rule", "accepts", "rejects");
    for rule in states {
        let why = match &rule.state {
            State::Todo(why) | State::Build(why) | State::Cannot(why) => format!(": {why}"),
            State::Shown | State::NotShown | State::Live => String::new(),
        };
        text.push_str(&format!(
            "{:<18} {:>7} {:>7}  {}{why}\n",
            rule.id,
            rule.accepts,
            rule.rejects,
            rule.state.word()
        ));
        text.push_str(&ids(&rule.id, cases));
    }
    let shown = states.iter().filter(|rule| rule.state == State::Shown).count();
    text.push_str(&format!("{shown} of {} rules are shown by cases\n", states.len()));
    text
}

/// The cases that name a rule, those of which it is the first before the others, a few on each line.
fn ids(rule: &str, cases: &[Case]) -> String {
    let naming = cases.iter().filter(|case| case.rules.iter().any(|named| named == rule));
    let (mut first, others): (Vec<&Case>, Vec<&Case>) =
        naming.partition(|case| case.rules.first().is_some_and(|named| named == rule));
    first.extend(others);
    let (mut text, mut line) = (String::new(), String::new());
    for case in first {
        if !line.is_empty() && line.len() + case.id.len() > WIDTH {
            text.push_str(&format!("   {line}\n"));
            line.clear();
        }
        line.push(' ');
        line.push_str(&case.id);
    }
    if !line.is_empty() {
        text.push_str(&format!("   {line}\n"));
    }
    text
}
