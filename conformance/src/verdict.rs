//! From the exchanges of one call to its verdict.

use std::collections::BTreeMap;

use vectors::schema::{Call, Case, Verdict as Expected};

use crate::matchers::{self, Mismatch};
use crate::outcome::{Outcome, Verdict};
use crate::session::{Exchange, Reply};
use crate::wire::{Answer, Categories, Declaration};

/// What is needed to read answers: what the subject says its reasons are, and the step of each reason.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    /// What the subject said of itself.
    pub declaration: &'a Declaration,
    /// The step of each reason.
    pub steps: &'a BTreeMap<String, String>,
}

impl Reading<'_> {
    /// The verdict on one call, made once or several times.
    #[must_use]
    pub fn call(&self, case: &Case, call: &Call<'_>, exchanges: &[Exchange]) -> Verdict {
        let mut answers = Vec::new();
        for exchange in exchanges {
            match accident(&exchange.reply) {
                Some(verdict) => return verdict,
                None => {
                    if let Reply::Answer(answer) = &exchange.reply {
                        answers.push(answer);
                    }
                }
            }
        }
        let verdict = match case.verdict {
            Expected::Accept => self.accept(call, &answers),
            Expected::Reject => self.reject(case, &answers),
        };
        match exchanges.iter().find_map(|exchange| exchange.elsewhere.as_ref()) {
            Some(accident) if verdict.outcome == Outcome::Pass => {
                Verdict::new(Outcome::OrderDependent, format!("alone it passes; in sequence: {accident}"))
            }
            _ => verdict,
        }
    }

    fn accept(&self, call: &Call<'_>, answers: &[&Answer]) -> Verdict {
        let mut outs = Vec::new();
        for answer in answers {
            match answer {
                Answer::Accept(out) => outs.push(out),
                other => return self.otherwise(other, "expected accept"),
            }
        }
        let Some(expected) = call.out else {
            return Verdict::new(Outcome::SuiteError, "an accept case without an expected output");
        };
        match matchers::compare(expected, &outs) {
            Ok(()) => Verdict::new(Outcome::Pass, ""),
            Err(Mismatch::Differs(what)) => Verdict::new(Outcome::Fail, format!("wrong output: {what}")),
            Err(Mismatch::Suite(what)) => Verdict::new(Outcome::SuiteError, what),
        }
    }

    fn reject(&self, case: &Case, answers: &[&Answer]) -> Verdict {
        let expected = format!("expected reject {}", case.reasons.join(" or "));
        match answers {
            [Answer::Reject { cat, .. }] => {
                self.reason(&case.reasons, &case.step, cat.as_deref(), &expected).with_cat(cat.clone())
            }
            [other] => self.otherwise(other, &expected),
            _ => Verdict::new(Outcome::SuiteError, "a reject case is called once"),
        }
    }

    /// Another word than the expected one.
    pub(crate) fn otherwise(&self, answer: &Answer, expected: &str) -> Verdict {
        let text = format!("answered {}, {expected}", answer.describe());
        match answer {
            Answer::Unsupported { feature, detail } => {
                self.unsupported(feature.as_deref(), detail.as_deref())
            }
            Answer::Reject { cat, .. } => Verdict::new(Outcome::Fail, text).with_cat(cat.clone()),
            Answer::Accept(_) | Answer::Error { .. } => Verdict::new(Outcome::Fail, text),
        }
    }

    /// A feature that hello said no to is no surprise; everything else that is declared and then not done is one.
    fn unsupported(&self, feature: Option<&str>, detail: Option<&str>) -> Verdict {
        let declared = feature.and_then(|name| self.declaration.features.get(name));
        let no = declared.filter(|value| **value != serde_json::Value::Bool(true));
        match (feature, no) {
            (Some(name), Some(why)) => {
                Verdict::waived(Outcome::Unsupported, format!("the feature {name} is not there: {why}"))
            }
            _ => {
                let words = detail.or(feature).map(|text| format!(": {text}")).unwrap_or_default();
                Verdict::new(
                    Outcome::Unsupported,
                    format!("the op is declared, and answered unsupported{words}"),
                )
            }
        }
    }

    /// Whether the reason given is one of those expected; `case_step` is the step of reasons that the spec does not list.
    pub(crate) fn reason(
        &self,
        reasons: &[String],
        case_step: &str,
        cat: Option<&str>,
        expected: &str,
    ) -> Verdict {
        let step = |reason: &String| self.steps.get(reason).cloned().unwrap_or_else(|| case_step.into());
        let right = match (self.declaration.categories, cat) {
            (Categories::None, _) => return Verdict::new(Outcome::Pass, "reason not shown"),
            (_, None) => false,
            (Categories::Exact, Some(cat)) => reasons.iter().any(|reason| reason == cat),
            (Categories::Coarse, Some(cat)) => reasons.iter().any(|reason| step(reason) == cat),
        };
        match (right, self.declaration.categories, cat) {
            (true, Categories::Coarse, _) => Verdict::new(Outcome::Pass, "the step is shown, not the reason"),
            (true, _, _) => Verdict::new(Outcome::Pass, ""),
            (false, _, Some(cat)) => {
                Verdict::new(Outcome::WrongReason, format!("rejected for {cat}, {expected}"))
            }
            (false, _, None) => {
                Verdict::new(Outcome::WrongReason, format!("rejected without a reason, {expected}"))
            }
        }
    }
}

/// The verdict on a call without an answer.
pub(crate) fn accident(reply: &Reply) -> Option<Verdict> {
    let (outcome, words) = match reply {
        Reply::Answer(_) => return None,
        Reply::Timeout(words) => (Outcome::Timeout, words),
        Reply::Crash(words) => (Outcome::Crash, words),
        Reply::Resource(words) => (Outcome::Resource, words),
        Reply::Protocol(words) => (Outcome::ProtocolError, words),
        Reply::NotRun(words) => (Outcome::NotRun, words),
    };
    Some(Verdict::new(outcome, words.clone()))
}

/// The worst of a case's calls; the reason names the row.
#[must_use]
pub fn worst(rows: Vec<(Option<String>, Verdict)>) -> Verdict {
    let families = rows.len() > 1;
    let failing = rows.iter().filter(|(_, verdict)| verdict.outcome != Outcome::Pass).count();
    let waived = rows.iter().all(|(_, verdict)| verdict.waived);
    let mut worst: Option<(Option<String>, Verdict)> = None;
    for (row, verdict) in rows {
        if worst.as_ref().is_none_or(|(_, bad)| verdict.outcome > bad.outcome) {
            worst = Some((row, verdict));
        }
    }
    let Some((row, mut verdict)) = worst else {
        return Verdict::new(Outcome::SuiteError, "the case has no call");
    };
    // The words of a script's step name it already.
    let named = row.filter(|row| verdict.outcome != Outcome::Pass && !row.starts_with(crate::script::STEP));
    if let Some(row) = named {
        let more = if families && failing > 1 {
            format!(" ({failing} rows are not as expected)")
        } else {
            String::new()
        };
        verdict.reason = format!("row {row}: {}{more}", verdict.reason);
    }
    verdict.waived = waived;
    verdict
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_is_as_bad_as_its_worst_row_and_names_it() {
        let row = |name: &str, outcome| (Some(name.into()), Verdict::new(outcome, "so"));
        let rows = vec![row("a", Outcome::Pass), row("b", Outcome::WrongReason), row("c", Outcome::Crash)];
        let verdict = worst(rows);
        assert_eq!(verdict.outcome, Outcome::Crash);
        assert_eq!(verdict.reason, "row c: so (2 rows are not as expected)");
        assert!(!verdict.waived);
        assert_eq!(worst(vec![row("a", Outcome::Pass), row("b", Outcome::Pass)]).outcome, Outcome::Pass);
        assert_eq!(worst(Vec::new()).outcome, Outcome::SuiteError);
    }
}
