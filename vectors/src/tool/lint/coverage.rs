//! The spec by its cases: every rule has the sides its `Checked:` line asks for, or a todo with a reason.

use std::collections::BTreeMap;

use vectors::schema::{Case, Kind, Verdict};
use vectors::spec::{Checked, Spec};

/// The rules without their cases, and the todos that are stale.
pub(super) fn check(cases: &[Case], spec: &Spec) -> Vec<String> {
    let sides = sides(cases);
    let mut lines = Vec::new();
    for rule in spec.rules() {
        let missing = missing(&rule.checked, &sides.get(rule.id.as_str()).copied().unwrap_or_default());
        match (missing.is_empty(), spec.todo.contains_key(&rule.id)) {
            (false, false) => {
                lines.push(format!("{}: no case on its side {}", rule.id, missing.join(" and ")))
            }
            (true, true) => lines.push(format!("{}: stale in todo.toml: nothing is missing", rule.id)),
            _ => {}
        }
    }
    for (rule, reason) in &spec.todo {
        if !spec.rules().any(|known| known.id == *rule) {
            lines.push(format!("{rule}: stale in todo.toml: the spec has no such rule"));
        }
        if reason.trim().is_empty() {
            lines.push(format!("{rule}: stands in todo.toml without a reason"));
        }
    }
    lines
}

/// Which cases name a rule.
#[derive(Clone, Copy, Default)]
struct Sides {
    accept: bool,
    reject: bool,
    live: bool,
}

fn sides(cases: &[Case]) -> BTreeMap<&str, Sides> {
    let mut sides: BTreeMap<&str, Sides> = BTreeMap::new();
    for case in cases {
        for rule in &case.rules {
            let side = sides.entry(rule).or_default();
            side.live |= case.kind == Kind::Live;
            match case.verdict {
                Verdict::Accept => side.accept = true,
                Verdict::Reject => side.reject = true,
            }
        }
    }
    sides
}

fn missing(checked: &Checked, sides: &Sides) -> Vec<&'static str> {
    let due = match *checked {
        Checked::Vectors { accept, reject } => {
            vec![(accept && !sides.accept, "accept"), (reject && !sides.reject, "reject")]
        }
        Checked::Live => vec![(!sides.live, "live")],
        Checked::Build(_) | Checked::Cannot(_) => Vec::new(),
    };
    due.into_iter().filter_map(|(missing, side)| missing.then_some(side)).collect()
}
