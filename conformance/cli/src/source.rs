//! What the arguments name: the vectors, the spec, the subject.

use std::fs;

use conformance::process::Subject;
use conformance::select::{SelectError, Shard, select};
use conformance::spec::Spec;
use conformance::suite::Suite;
use vectors::manifest::TrustKey;

use crate::args::{Data, Selection};
use crate::failure::Failure;

/// The case set, verified unless `--unsigned` was given.
pub(crate) fn suite(data: &Data) -> Result<Suite, Failure> {
    let mut keys = TrustKey::built_in().map_err(|error| Failure::could_not_run(error.to_string()))?;
    if let Some(path) = &data.trust_key {
        let pem = fs::read_to_string(path).map_err(|error| Failure::file(path, error))?;
        let name = path.display().to_string();
        keys.push(TrustKey::from_pem(&name, &pem).map_err(|error| Failure::usage(error.to_string()))?);
    }
    Ok(match &data.vectors {
        Some(folder) if !folder.is_dir() => {
            return Err(Failure::usage(format!("{}: there is no such folder", folder.display())));
        }
        Some(folder) => Suite::folder(folder, &keys, data.unsigned)?,
        None => Suite::embedded(&keys, data.unsigned)?,
    })
}

/// The spec that the judge was built with.
pub(crate) fn spec() -> Result<Spec, Failure> {
    Spec::embedded().map_err(Failure::could_not_run)
}

/// The ids that are selected.
pub(crate) fn selected<'s>(
    suite: &'s Suite,
    selection: &Selection,
) -> Result<std::collections::BTreeSet<&'s str>, SelectError> {
    let shard = selection.shard.as_deref().map(Shard::parse).transpose()?;
    select(suite, &selection.only, &selection.not, shard)
}

/// The shim of a command line; without one, this program itself as the embedded reference.
pub(crate) fn subject(command: &[String]) -> Result<Subject, Failure> {
    if let Some(subject) = Subject::from_command(command) {
        return Ok(subject);
    }
    let program = std::env::current_exe().map_err(|error| Failure::could_not_run(error.to_string()))?;
    Ok(Subject {
        program: program.to_string_lossy().into_owned(),
        args: vec!["serve-reference".into()],
        name: "conformance serve-reference".into(),
    })
}
