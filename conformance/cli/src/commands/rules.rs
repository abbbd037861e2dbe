//! `rules`: which rules of the spec have cases.

use conformance::report::{Exit, RuleState, State, json, rule_states};
use vectors::schema::Verdict;

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
        print(table(&states));
    }
    Ok(Exit::AsExpected)
}

fn table(states: &[RuleState]) -> String {
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
    }
    let shown = states.iter().filter(|rule| rule.state == State::Shown).count();
    text.push_str(&format!("{shown} of {} rules are shown by cases\n", states.len()));
    text
}
