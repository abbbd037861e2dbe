//! Why a step is not as expected.

/// The subject's fault, or the suite's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// What differs, and where.
    Differs(String),
    /// The case itself is wrong.
    Suite(String),
}

impl Fault {
    pub(super) fn at(path: &str, what: impl std::fmt::Display) -> Self {
        Self::Differs(format!("{path}: {what}"))
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Differs(what) | Self::Suite(what) => formatter.write_str(what),
        }
    }
}
