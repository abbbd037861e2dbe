//! What a run says: one model, written for a terminal, for machines, for JUnit readers, and as Markdown.

pub mod console;
pub mod json;
pub mod junit;
pub mod markdown;

use std::collections::BTreeMap;

use vectors::schema::Source;
use vectors::spec::{Checked as Sides, Rule};

use crate::expectations::Checked;
use crate::judge::Run;
use crate::outcome::{CaseResult, Outcome};
use crate::spec::Spec;
use crate::suite::Suite;
use crate::wire::{Categories, Declaration};

/// Everything that a report holds.
#[derive(Clone, Debug)]
pub struct Report {
    /// The manifest's digest.
    pub manifest: String,
    /// Whose signature, as one word.
    pub signed: String,
    /// Whose signature, for people.
    pub signed_words: String,
    /// What was started.
    pub command: String,
    /// What it says of itself.
    pub subject: Declaration,
    /// How many cases the suite has.
    pub suite_cases: usize,
    /// The judged cases.
    pub cases: Vec<CaseResult>,
    /// Every rule of the spec, and whether this run showed it.
    pub rules: Vec<RuleState>,
    /// What the expectations say.
    pub expected: Checked,
    /// What was odd and harmless.
    pub warnings: Vec<String>,
    /// Whether ids were revealed to the subject.
    pub revealed: bool,
}

/// How far a rule is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleState {
    /// The rule's id.
    pub id: String,
    /// Documented when one of its clauses is.
    pub source: Source,
    /// Accept cases counted.
    pub accepts: usize,
    /// Reject cases counted.
    pub rejects: usize,
    /// How far.
    pub state: State,
}

/// How far a rule is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// Every side that is due has a case.
    Shown,
    /// A side that is due has none.
    NotShown,
    /// The same, and the reason is written down.
    Todo(String),
    /// Only a live program shows it.
    Live,
    /// A test of the code's structure shows it.
    Build(String),
    /// No test can show it.
    Cannot(String),
}

impl State {
    /// The word.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Shown => "shown",
            Self::NotShown => "not shown",
            Self::Todo(_) => "todo",
            Self::Live => "live",
            Self::Build(_) => "build",
            Self::Cannot(_) => "cannot",
        }
    }
}

/// How far each rule is shown by the counted cases: each with its rules and whether it rejects.
#[must_use]
pub fn rule_states<'c>(
    spec: &Spec,
    counted: impl IntoIterator<Item = (&'c [String], bool)>,
) -> Vec<RuleState> {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (rules, rejects) in counted {
        for rule in rules {
            let (accept, reject) = counts.entry(rule).or_default();
            *(if rejects { reject } else { accept }) += 1;
        }
    }
    spec.rules()
        .map(|rule| {
            let (accepts, rejects) = counts.get(rule.id.as_str()).copied().unwrap_or_default();
            let documented = rule.clauses.iter().any(|clause| clause.source == Source::Documented);
            RuleState {
                id: rule.id.clone(),
                source: if documented { Source::Documented } else { Source::Chosen },
                accepts,
                rejects,
                state: state(rule, accepts, rejects, spec),
            }
        })
        .collect()
}

fn state(rule: &Rule, accepts: usize, rejects: usize, spec: &Spec) -> State {
    match &rule.checked {
        Sides::Live => State::Live,
        Sides::Build(test) => State::Build(test.clone()),
        Sides::Cannot(why) => State::Cannot(why.clone()),
        Sides::Vectors { accept, reject } if (!accept || accepts > 0) && (!reject || rejects > 0) => {
            State::Shown
        }
        Sides::Vectors { .. } => {
            spec.todo.get(&rule.id).map_or(State::NotShown, |reason| State::Todo(reason.clone()))
        }
    }
}

/// What a run is worth, as an exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0.
    AsExpected,
    /// 1: a result that nothing excuses.
    Unexpected,
    /// 2: an expectation that is no longer true.
    Stale,
    /// 3: nothing was judged, or not everything.
    Incomplete,
    /// 4: the vectors are not authentic.
    NotAuthentic,
    /// 64: the command line is wrong.
    Usage,
}

impl Exit {
    /// The number.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::AsExpected => 0,
            Self::Unexpected => 1,
            Self::Stale => 2,
            Self::Incomplete => 3,
            Self::NotAuthentic => 4,
            Self::Usage => 64,
        }
    }
}

impl Report {
    /// Puts a report together.
    #[must_use]
    pub fn new(suite: &Suite, spec: &Spec, command: &str, run: Run, expected: Checked) -> Self {
        let passed = run.results.iter().filter(|result| result.verdict.outcome == Outcome::Pass);
        let rules = rule_states(spec, passed.map(|result| (result.rules.as_slice(), result.rejects)));
        Self {
            manifest: suite.digest.clone(),
            signed: suite.signed.word(),
            signed_words: suite.signed.describe(),
            command: command.into(),
            subject: run.declaration,
            suite_cases: suite.cases.len(),
            cases: run.results,
            rules,
            expected,
            warnings: run.warnings,
            revealed: false,
        }
    }

    /// How many cases have each outcome.
    #[must_use]
    pub fn totals(&self) -> Vec<(Outcome, usize)> {
        let count = |outcome| self.cases.iter().filter(|case| case.verdict.outcome == outcome).count();
        Outcome::ALL.into_iter().map(|outcome| (outcome, count(outcome))).collect()
    }

    /// The number of one outcome.
    #[must_use]
    pub fn total(&self, outcome: Outcome) -> usize {
        self.cases.iter().filter(|case| case.verdict.outcome == outcome).count()
    }

    /// The cases that need an excuse and have none.
    pub fn unexpected(&self) -> impl Iterator<Item = &CaseResult> {
        let excused = |id: &str| self.expected.excused.iter().any(|(excused, _)| excused == id);
        self.cases.iter().filter(move |case| !case.is_fine() && !excused(&case.id))
    }

    /// Whether the whole suite was put to the subject and nothing was left out against its will.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let left_out = |case: &CaseResult| case.verdict.outcome == Outcome::NotRun && !case.verdict.waived;
        self.cases.len() == self.suite_cases && !self.cases.iter().any(left_out)
    }

    /// Whether any case reached a verdict about the subject.
    #[must_use]
    pub fn judged_any(&self) -> bool {
        self.cases.iter().any(|case| !matches!(case.verdict.outcome, Outcome::NotRun | Outcome::Unsupported))
    }

    /// The exit status.
    #[must_use]
    pub fn exit(&self) -> Exit {
        let left_out = |case: &&CaseResult| case.verdict.outcome == Outcome::NotRun;
        if self.unexpected().any(|case| !left_out(&case)) {
            Exit::Unexpected
        } else if !self.expected.stale.is_empty() {
            Exit::Stale
        } else if !self.judged_any() || self.unexpected().next().is_some() {
            Exit::Incomplete
        } else {
            Exit::AsExpected
        }
    }

    /// What may be claimed, in one sentence.
    #[must_use]
    pub fn claim(&self) -> String {
        let passed = self.total(Outcome::Pass);
        if self.signed == "unsigned" {
            return "No claim: the vectors are unsigned.".into();
        }
        if self.cases.len() != self.suite_cases {
            return format!("No claim: {} of {} cases were selected.", self.cases.len(), self.suite_cases);
        }
        if self.revealed {
            return "No claim: the ids of the cases were revealed.".into();
        }
        if !self.is_complete() {
            return "No claim: the run is incomplete.".into();
        }
        if passed == self.cases.len() && self.subject.categories == Categories::Exact {
            return format!("Conforms: all {passed} cases pass, each refusal for its reason.");
        }
        format!("Passes {passed} of {} cases; the rest is listed.", self.cases.len())
    }
}
