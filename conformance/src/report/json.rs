//! The report for machines.

use serde_json::{Value, json};

use super::{Report, State};
use crate::select::source_word;

/// The report as JSON: `suite`, `manifest`, `signed`, `subject`, `totals`, `cases`, `rules`, `complete`, and what else is known.
#[must_use]
pub fn render(report: &Report) -> Value {
    let totals: serde_json::Map<String, Value> =
        report.totals().into_iter().map(|(outcome, count)| (outcome.word().into(), json!(count))).collect();
    json!({
        "suite": crate::VERSION,
        "manifest": report.manifest,
        "signed": report.signed,
        "subject": subject(report),
        "totals": totals,
        "cases": report.cases.iter().map(case).collect::<Vec<_>>(),
        "rules": rules(&report.rules),
        "expected": report.expected.excused.iter().map(|(id, why)| json!({"id": id, "reason": why})).collect::<Vec<_>>(),
        "stale": report.expected.stale,
        "warnings": report.warnings,
        "complete": report.is_complete(),
        "claim": report.claim(),
        "exit": report.exit().code(),
    })
}

fn subject(report: &Report) -> Value {
    let said = &report.subject;
    let mut subject = json!({
        "command": report.command,
        "name": said.implementation.name,
        "version": said.implementation.version,
        "lang": said.implementation.lang,
        "url": said.implementation.url,
        "ops": said.ops,
        "categories": format!("{:?}", said.categories).to_lowercase(),
        "clock": format!("{:?}", said.clock).to_lowercase(),
    });
    if let Some(commit) = &said.implementation.commit {
        subject["commit"] = json!(commit);
    }
    subject
}

fn case(result: &crate::outcome::CaseResult) -> Value {
    let mut case = json!({
        "id": result.id,
        "step": result.step,
        "rules": result.rules,
        "source": source_word(result.source),
        "outcome": result.verdict.outcome.word(),
    });
    if !result.verdict.reason.is_empty() {
        case["reason"] = json!(result.verdict.reason);
    }
    if let Some(cat) = &result.verdict.cat {
        case["cat"] = json!(cat);
    }
    if result.advisory {
        case["advisory"] = json!(true);
    }
    case
}

/// The rules as JSON: `id`, `source`, `accepts`, `rejects`, `shown`, and the `state` in one word.
#[must_use]
pub fn rules(rules: &[super::RuleState]) -> Value {
    let rule = |rule: &super::RuleState| {
        let mut value = json!({
            "id": rule.id,
            "source": source_word(rule.source),
            "accepts": rule.accepts,
            "rejects": rule.rejects,
            "shown": rule.state == State::Shown,
            "state": rule.state.word(),
        });
        if let State::Todo(why) | State::Build(why) | State::Cannot(why) = &rule.state {
            value["why"] = json!(why);
        }
        value
    };
    rules.iter().map(rule).collect()
}
