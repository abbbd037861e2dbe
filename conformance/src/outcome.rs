//! What became of a case: thirteen words, and how bad each is.

use std::fmt;

use serde::{Deserialize, Serialize};
use vectors::schema::Source;

/// The outcome of a case. The order is that of badness: of a family's rows the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// As expected.
    Pass,
    /// The subject was not called, and why.
    NotRun,
    /// The subject cannot do this.
    Unsupported,
    /// Rejected, but so was, or might have been, the twin.
    Inconclusive,
    /// The op failed its calibration.
    ShimInvalid,
    /// The case itself is wrong.
    SuiteError,
    /// Rejected for another reason.
    WrongReason,
    /// The wrong verdict, or the wrong output.
    Fail,
    /// It fails in sequence and passes alone.
    OrderDependent,
    /// No answer in time.
    Timeout,
    /// Too much memory.
    Resource,
    /// The shim broke the contract.
    ProtocolError,
    /// The process ended before its answer.
    Crash,
}

impl Outcome {
    /// Every outcome, in the order of reports.
    pub const ALL: [Self; 13] = [
        Self::Pass,
        Self::Fail,
        Self::WrongReason,
        Self::Inconclusive,
        Self::Unsupported,
        Self::NotRun,
        Self::Timeout,
        Self::Crash,
        Self::Resource,
        Self::ProtocolError,
        Self::ShimInvalid,
        Self::SuiteError,
        Self::OrderDependent,
    ];

    /// The word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::NotRun => "not-run",
            Self::Unsupported => "unsupported",
            Self::Inconclusive => "inconclusive",
            Self::ShimInvalid => "shim-invalid",
            Self::SuiteError => "suite-error",
            Self::WrongReason => "wrong-reason",
            Self::Fail => "fail",
            Self::OrderDependent => "order-dependent",
            Self::Timeout => "timeout",
            Self::Resource => "resource",
            Self::ProtocolError => "protocol-error",
            Self::Crash => "crash",
        }
    }

    /// The outcome of a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.word() == word)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.word())
    }
}

/// What became of one call, or of all of a case's calls: the worst.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The outcome.
    pub outcome: Outcome,
    /// Why, in one sentence; empty on a plain pass.
    pub reason: String,
    /// The reason that the subject gave, when it rejected.
    pub cat: Option<String>,
    /// Whether it is no fault: what was not declared is not run, and nobody is surprised.
    pub waived: bool,
}

impl Verdict {
    /// A verdict with its reason.
    #[must_use]
    pub fn new(outcome: Outcome, reason: impl Into<String>) -> Self {
        Self { outcome, reason: reason.into(), cat: None, waived: outcome == Outcome::Pass }
    }

    /// A case that is not run, and need not be.
    #[must_use]
    pub fn waived(outcome: Outcome, reason: impl Into<String>) -> Self {
        Self { waived: true, ..Self::new(outcome, reason) }
    }

    /// With the reason that the subject gave.
    #[must_use]
    pub fn with_cat(mut self, cat: Option<String>) -> Self {
        self.cat = cat;
        self
    }
}

/// A judged case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseResult {
    /// The case's id.
    pub id: String,
    /// Its step.
    pub step: String,
    /// Its op.
    pub op: String,
    /// Its rules; the first is the one it shows or breaks.
    pub rules: Vec<String>,
    /// Documented or chosen.
    pub source: Source,
    /// Whether it expects a rejection.
    pub rejects: bool,
    /// Whether a failure is reported only.
    pub advisory: bool,
    /// The verdict.
    pub verdict: Verdict,
}

impl CaseResult {
    /// Whether the outcome needs no excuse.
    #[must_use]
    pub const fn is_fine(&self) -> bool {
        self.verdict.waived || self.advisory
    }
}
