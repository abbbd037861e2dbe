//! An answer as it is compared: its word, its reason as far as both subjects tell it, and its output.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::matchers::{self, Mismatch};
use crate::session::Reply;
use crate::wire::{Answer, Categories, clip};

/// What a subject said to one call.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// `accept`, `reject seal`, `error`, `timeout`: what is compared, but for the output.
    word: String,
    /// The output on accept, where it is compared as a value.
    out: Option<Value>,
    /// What is wrong with an output that holds randomness.
    fault: Option<String>,
    /// The answer for people.
    text: String,
    answered: bool,
    not_run: bool,
}

/// How reasons are compared: as finely as the coarser of the two subjects tells them.
#[derive(Clone, Debug)]
pub(super) struct Reasons {
    pub(super) categories: Categories,
    pub(super) steps: BTreeMap<String, String>,
}

impl Reasons {
    fn read(&self, cat: Option<&str>) -> String {
        let cat = cat.unwrap_or("without a reason");
        match self.categories {
            Categories::Exact => cat.into(),
            // What is no reason is a step already, of a subject that tells no more.
            Categories::Coarse => self.steps.get(cat).map_or(cat, String::as_str).into(),
            Categories::None => String::new(),
        }
    }
}

impl Shown {
    /// Reads a reply; `check` is what a right output that holds randomness satisfies.
    pub(super) fn read(reply: &Reply, check: Option<&Value>, reasons: &Reasons) -> Self {
        let (word, text) = match reply {
            Reply::Answer(answer) => (answer_word(answer, reasons), answer.describe()),
            Reply::Timeout(words) => ("timeout".into(), words.clone()),
            Reply::Crash(words) => ("crash".into(), words.clone()),
            Reply::Resource(words) => ("resource".into(), words.clone()),
            Reply::Protocol(words) => ("protocol-error".into(), words.clone()),
            Reply::NotRun(words) => ("not-run".into(), words.clone()),
        };
        let mut shown = Self {
            word,
            out: None,
            fault: None,
            text,
            answered: matches!(reply, Reply::Answer(_)),
            not_run: matches!(reply, Reply::NotRun(_)),
        };
        if let Reply::Answer(Answer::Accept(out)) = reply {
            match check {
                None => shown.out = Some(out.clone()),
                Some(check) => shown.fault = matchers::compare(check, &[out]).err().map(words),
            }
        }
        if let Some(fault) = &shown.fault {
            shown.text = format!("{}: {fault}", shown.text);
        }
        shown
    }

    /// Whether two subjects that say this say the same, and neither made a wrong output.
    #[must_use]
    pub fn agrees(&self, other: &Self) -> bool {
        self.word == other.word && self.out == other.out && self.fault.is_none() && other.fault.is_none()
    }

    /// The word, with its reason where there is one.
    #[must_use]
    pub fn word(&self) -> &str {
        &self.word
    }

    /// The answer for people, clipped.
    #[must_use]
    pub fn text(&self) -> String {
        clip(&self.text, 500)
    }

    /// The output on accept.
    #[must_use]
    pub const fn out(&self) -> Option<&Value> {
        self.out.as_ref()
    }

    /// Why the call was not made, if it was not.
    pub(super) fn not_run(&self) -> Option<String> {
        self.not_run.then(|| self.text.clone())
    }

    pub(super) const fn is_answer(&self) -> bool {
        self.answered
    }

    fn kind(&self) -> String {
        if self.fault.is_some() { format!("{} a wrong output", self.word) } else { self.word.clone() }
    }
}

/// The kind of a difference: a smaller call must show the same.
pub(super) fn kinds(shown: &[Shown; 2]) -> String {
    format!("{} / {}", shown[0].kind(), shown[1].kind())
}

fn answer_word(answer: &Answer, reasons: &Reasons) -> String {
    match answer {
        Answer::Accept(_) => "accept".into(),
        Answer::Reject { cat, .. } => format!("reject {}", reasons.read(cat.as_deref())).trim_end().into(),
        Answer::Unsupported { .. } => "unsupported".into(),
        Answer::Error { .. } => "error".into(),
    }
}

fn words(mismatch: Mismatch) -> String {
    match mismatch {
        Mismatch::Differs(what) => format!("wrong output: {what}"),
        Mismatch::Suite(what) => format!("the forge's check is wrong: {what}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn reasons(categories: Categories) -> Reasons {
        Reasons { categories, steps: BTreeMap::from([("seal-key".into(), "seal".into())]) }
    }

    fn reject(cat: &str) -> Reply {
        Reply::Answer(Answer::Reject { cat: Some(cat.into()), detail: None })
    }

    #[test]
    fn reasons_are_compared_as_finely_as_both_subjects_tell_them() {
        let shown = |cat: &str, categories| Shown::read(&reject(cat), None, &reasons(categories));
        assert!(!shown("seal", Categories::Exact).agrees(&shown("seal-key", Categories::Exact)));
        assert!(shown("seal", Categories::Coarse).agrees(&shown("seal-key", Categories::Coarse)));
        assert!(!shown("csr", Categories::Coarse).agrees(&shown("seal-key", Categories::Coarse)));
        assert!(shown("csr", Categories::None).agrees(&shown("seal-key", Categories::None)));
    }

    #[test]
    fn outputs_are_compared_as_values_or_by_the_check() {
        let accept = |out| Reply::Answer(Answer::Accept(out));
        let plain = |out| Shown::read(&accept(out), None, &reasons(Categories::Exact));
        assert!(plain(json!({"a": 1})).agrees(&plain(json!({"a": 1}))));
        assert!(!plain(json!({"a": 1})).agrees(&plain(json!({"a": 2}))));
        let check = json!({"a": {"$any": true}});
        let checked = |out| Shown::read(&accept(out), Some(&check), &reasons(Categories::Exact));
        assert!(checked(json!({"a": 1})).agrees(&checked(json!({"a": 2}))));
        assert!(!checked(json!({"b": 1})).agrees(&checked(json!({"b": 1}))));
    }
}
