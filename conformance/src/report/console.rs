//! The report for a terminal.

use std::fmt::Write as _;

use super::{Report, State};
use crate::outcome::Outcome;
use crate::wire::Categories;

/// How many hexadecimal digits of a digest are shown to people.
const DIGEST_SHOWN: usize = 16;

/// The report as plain text.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut text = String::new();
    head(report, &mut text);
    for case in report.cases.iter().filter(|case| !matches!(case.verdict.outcome, Outcome::Pass)) {
        if case.verdict.waived {
            continue;
        }
        let excuse = report.expected.excused.iter().find(|(id, _)| *id == case.id);
        let mark = match (excuse, case.advisory) {
            (Some((_, why)), _) => format!("  [expected: {why}]"),
            (None, true) => "  [advisory]".into(),
            (None, false) => String::new(),
        };
        let rules = case.rules.join(" ");
        line(&mut text, format_args!("{:<15} {}  {rules}{mark}", case.verdict.outcome.word(), case.id));
        line(&mut text, format_args!("{:<15} {}", "", case.verdict.reason));
    }
    waived(report, &mut text);
    tail(report, &mut text);
    text
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _written = text.write_fmt(arguments);
    text.push('\n');
}

fn head(report: &Report, text: &mut String) {
    let said = &report.subject.implementation;
    line(text, format_args!("suite {}  manifest {}", crate::VERSION, short(&report.manifest)));
    line(text, format_args!("{}", report.signed_words));
    let lang = if said.lang.is_empty() { String::new() } else { format!(" ({})", said.lang) };
    line(text, format_args!("subject {} {}{lang}: {}", said.name, said.version, report.command));
    line(text, format_args!(""));
}

/// Waived cases are many and alike: they are counted by why.
fn waived(report: &Report, text: &mut String) {
    let mut counts: std::collections::BTreeMap<(Outcome, &str), usize> = std::collections::BTreeMap::new();
    for case in &report.cases {
        if case.verdict.waived && case.verdict.outcome != Outcome::Pass {
            *counts.entry((case.verdict.outcome, &case.verdict.reason)).or_default() += 1;
        }
    }
    for ((outcome, reason), count) in counts {
        let cases = if count == 1 { "case" } else { "cases" };
        line(text, format_args!("{:<15} {count} {cases}: {reason}", outcome.word()));
    }
}

fn tail(report: &Report, text: &mut String) {
    for warning in &report.warnings {
        line(text, format_args!("warning         {warning}"));
    }
    for stale in &report.expected.stale {
        line(text, format_args!("stale           {stale}"));
    }
    if let Some(case) = report.unexpected().next() {
        line(text, format_args!("\nLook closer:    conformance explain {}", case.id));
        line(text, format_args!("                conformance repro {} | {}", case.id, report.command));
    }
    let totals: Vec<String> = report
        .totals()
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(outcome, count)| format!("{count} {outcome}"))
        .collect();
    if !text.ends_with("\n\n") {
        line(text, format_args!(""));
    }
    line(text, format_args!("{} cases: {}", report.cases.len(), totals.join(", ")));
    let shown = report.rules.iter().filter(|rule| rule.state == State::Shown).count();
    line(
        text,
        format_args!(
            "{shown} of {} rules shown by cases that passed (conformance rules)",
            report.rules.len()
        ),
    );
    match report.subject.categories {
        Categories::Exact => {}
        Categories::Coarse => line(text, format_args!("Refusals show their step only, not their reason.")),
        Categories::None => line(text, format_args!("Reasons are not shown: the shim does not tell them.")),
    }
    line(text, format_args!("{}", report.claim()));
    if report.signed != "release" {
        line(text, format_args!("{}", report.signed_words));
    }
}

/// The beginning of a digest.
#[must_use]
pub fn short(digest: &str) -> &str {
    digest.get(..DIGEST_SHOWN).unwrap_or(digest)
}
