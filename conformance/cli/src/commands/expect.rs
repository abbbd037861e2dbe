//! `expect update`: the file of known failures, written anew from a whole run.

use std::fs;

use conformance::expectations::{Checked, Words, is_day};
use conformance::report::{Exit, Report};

use super::{print, run};
use crate::args::Update;
use crate::failure::Failure;
use crate::source;

pub(crate) fn run(arguments: &Update) -> Result<Exit, Failure> {
    if !is_day(&arguments.expires) {
        return Err(Failure::usage(format!("{}: a day is YYYY-MM-DD", arguments.expires)));
    }
    if arguments.reason.trim().is_empty() || arguments.link.trim().is_empty() {
        return Err(Failure::usage("--reason and --link must say something"));
    }
    let suite = source::suite(&arguments.data)?;
    let subject = source::subject(&arguments.shim)?;
    let old = if arguments.expect.exists() {
        run::read_expectations(&arguments.expect)?
    } else {
        Default::default()
    };
    let judged = run::everything(&suite, &subject)?;
    let report = Report::new(&suite, &source::spec()?, &subject.name, judged, Checked::default());
    if !report.is_complete() {
        return Err(Failure::could_not_run("the run is incomplete, so the file was left as it is"));
    }
    let words = Words { reason: &arguments.reason, link: &arguments.link, expires: &arguments.expires };
    let new = old.updated(&report.cases, &suite.digest, &words);
    let text = new.to_text().map_err(Failure::could_not_run)?;
    fs::write(&arguments.expect, text).map_err(|error| Failure::file(&arguments.expect, error))?;
    print(format!("{}: {} entries\n", arguments.expect.display(), new.expect.len()));
    Ok(Exit::AsExpected)
}
