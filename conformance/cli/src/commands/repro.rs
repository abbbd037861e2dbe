//! `repro`: the lines that repeat a case, and on standard error what they mean.

use std::collections::BTreeSet;
use std::fs;

use conformance::judge::{self, Settings};
use conformance::process::Subject;
use conformance::report::Exit;
use conformance::session::Wire;
use conformance::{explain, select};

use super::print;
use crate::args::Repro;
use crate::failure::Failure;
use crate::source;

pub(crate) fn run(arguments: &Repro) -> Result<Exit, Failure> {
    let suite = source::suite(&arguments.one.data)?;
    let case = select::find(&suite, &arguments.one.case)?;
    let (lines, comments) = explain::repro(&suite, &source::spec()?, case);
    eprint!("{comments}");
    match Subject::from_command(&arguments.shim) {
        None => lines.into_iter().for_each(|line| print(format!("{line}\n"))),
        Some(subject) => print(transcript(arguments, &subject)?),
    }
    Ok(Exit::AsExpected)
}

/// What was said in both directions while the case, and its twin, were put to a shim: `>` to it, `<` from it.
fn transcript(arguments: &Repro, subject: &Subject) -> Result<String, Failure> {
    let suite = source::suite(&arguments.one.data)?;
    let only = BTreeSet::from([arguments.one.case.as_str()]);
    let path = std::env::temp_dir().join(format!("conformance-repro-{}", std::process::id()));
    let settings = Settings { calibrate: false, wire: Wire::create(&path)?, ..Settings::default() };
    let judged = judge::run(&suite, &only, &source::spec()?, subject, &settings, &mut |_, _| {});
    let text = fs::read_to_string(&path).map_err(|error| Failure::file(&path, error))?;
    fs::remove_file(&path).map_err(|error| Failure::file(&path, error))?;
    for result in judged?.results {
        eprintln!("# {}: {} {}", result.id, result.verdict.outcome, result.verdict.reason);
    }
    Ok(text)
}
