//! A difference as the draft of a case: both answers in its comment, and advisory until a person has decided.

use vectors::case;
use vectors::schema::{Case, Status, Verdict};

use super::{Difference, Shown};

const TITLE: &str = "Two implementations differ; the spec decides";

/// The draft. Its verdict is the first subject's, or where that is none, the second's: to be decided by a person.
#[must_use]
pub fn draft(difference: &Difference, subjects: &[String; 2]) -> Case {
    let Difference { seed, number, forged, shown, .. } = difference;
    let step = step_of(&forged.op);
    let [first, second] = shown;
    let judged = if decided(first) { first } else { second };
    let id = format!("{step}/draft-{}-{seed}-{number}", forged.op.replace('.', "-"));
    let entry = match judged.word().strip_prefix("reject ") {
        Some(reason) => case::reject(&id, "", reason, TITLE),
        None => case::accept(&id, "", TITLE),
    };
    let mut draft = entry
        .why(&format!(
            "DRAFT. {}: {}. {}: {}. Decide by the spec, then give title, rules, twin and mutation.",
            subjects[0],
            first.text(),
            subjects[1],
            second.text()
        ))
        .at(&forged.now)
        .call(&forged.op, forged.input.clone())
        .recipe(&format!("Forged: op {}, seed {seed}, number {number}; then made smaller.", forged.op))
        .build();
    draft.choice.clone_from(&forged.choices);
    draft.rules.clear();
    draft.status = Status::Advisory;
    if draft.verdict == Verdict::Accept {
        draft.out = forged.check.clone().or_else(|| judged.out().cloned());
    }
    draft
}

fn decided(shown: &Shown) -> bool {
    shown.word() == "accept" || shown.word().starts_with("reject")
}

/// The step whose page decides about an op.
fn step_of(op: &str) -> &'static str {
    match op.split('.').next().unwrap_or_default() {
        "token" => "token",
        "seal" => "seal",
        "binding" => "binding",
        "csr" => "csr",
        "claims" | "smbios" => "claims",
        "hwkey" => "hardware_key",
        "expect" => "expect",
        "signature" => "signature",
        "pin" | "config" => "config",
        "keys" => "wellknown",
        _ if op == "join.check" => "refusal",
        _ => "response",
    }
}
