//! The report as a Markdown page.

use super::{Report, State};
use crate::outcome::Outcome;

/// The report as Markdown.
#[must_use]
pub fn render(report: &Report) -> String {
    let said = &report.subject.implementation;
    let mut page = format!("# Conformance of {} {}\n\n", cell(&said.name), cell(&said.version));
    page.push_str(&format!("- suite {}, manifest `{}`\n", crate::VERSION, report.manifest));
    page.push_str(&format!(
        "- {}\n- command: `{}`\n- {}\n\n",
        report.signed_words,
        report.command,
        report.claim()
    ));
    page.push_str("| outcome | cases |\n|---|---|\n");
    for (outcome, count) in report.totals() {
        page.push_str(&format!("| {outcome} | {count} |\n"));
    }
    page.push_str("\n## Cases that did not pass\n\n");
    let failed: Vec<_> = report.cases.iter().filter(|case| case.verdict.outcome != Outcome::Pass).collect();
    if failed.is_empty() {
        page.push_str("None.\n");
    } else {
        page.push_str("| case | rules | outcome | why |\n|---|---|---|---|\n");
    }
    for case in failed {
        let excuse = report.expected.excused.iter().find(|(id, _)| *id == case.id);
        let why = excuse.map(|(_, why)| format!(" Expected: {why}")).unwrap_or_default();
        page.push_str(&format!(
            "| {} | {} | {} | {} |\n",
            case.id,
            case.rules.join(" "),
            case.verdict.outcome,
            cell(&format!("{}{why}", case.verdict.reason)),
        ));
    }
    rules(report, &mut page);
    page
}

fn rules(report: &Report, page: &mut String) {
    page.push_str("\n## Rules\n\n| rule | accepts passed | rejects passed | state |\n|---|---|---|---|\n");
    for rule in &report.rules {
        let why = match &rule.state {
            State::Todo(why) | State::Build(why) | State::Cannot(why) => format!(": {why}"),
            State::Shown | State::NotShown | State::Live => String::new(),
        };
        let state = cell(&format!("{}{why}", rule.state.word()));
        page.push_str(&format!("| {} | {} | {} | {state} |\n", rule.id, rule.accepts, rule.rejects));
    }
}

/// A text within a table's cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
