//! Why a command ends without its result: an exit status and one sentence.

use std::path::Path;

use conformance::kill::KillError;
use conformance::report::Exit;
use conformance::select::SelectError;
use conformance::session::CouldNotRun;
use conformance::suite::SuiteError;

#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    pub(crate) message: String,
}

impl Failure {
    /// The command line is wrong.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { exit: Exit::Usage, message: message.into() }
    }

    /// It could not be run.
    pub(crate) fn could_not_run(message: impl Into<String>) -> Self {
        Self { exit: Exit::Incomplete, message: message.into() }
    }

    /// A file could not be read or written.
    pub(crate) fn file(path: &Path, error: impl std::fmt::Display) -> Self {
        Self::could_not_run(format!("{}: {error}", path.display()))
    }
}

impl From<SelectError> for Failure {
    fn from(error: SelectError) -> Self {
        Self::usage(error.0)
    }
}

impl From<CouldNotRun> for Failure {
    fn from(error: CouldNotRun) -> Self {
        Self::could_not_run(error.to_string())
    }
}

impl From<SuiteError> for Failure {
    fn from(error: SuiteError) -> Self {
        let exit = match error {
            SuiteError::NotAuthentic(_) => Exit::NotAuthentic,
            SuiteError::Malformed(_) => Exit::Incomplete,
        };
        Self { exit, message: error.to_string() }
    }
}

impl From<KillError> for Failure {
    fn from(error: KillError) -> Self {
        Self::could_not_run(error.to_string())
    }
}
