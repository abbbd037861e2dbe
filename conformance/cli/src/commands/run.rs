//! `run`: judges a shim.

use std::fs;
use std::num::NonZero;
use std::path::Path;
use std::thread;

use conformance::expectations::{Checked, Expectations};
use conformance::judge::{self, Settings};
use conformance::report::{Exit, Report, console, json, junit, markdown};
use conformance::session::Wire;
use conformance::suite::Suite;

use super::print;
use crate::args::Run;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::source;

pub(crate) fn run(arguments: &Run) -> Result<Exit, Failure> {
    let suite = source::suite(&arguments.data)?;
    let spec = source::spec()?;
    let selected = source::selected(&suite, &arguments.selection)?;
    if selected.is_empty() {
        return Err(Failure::could_not_run("no case is left after all selectors"));
    }
    let expectations = arguments.expect.as_deref().map(read_expectations).transpose()?;
    let subject = source::subject(&arguments.shim)?;
    let mut settings =
        Settings { reveal_ids: arguments.reveal_ids, processes: processes(arguments), ..Settings::default() };
    if let Some(path) = &arguments.wire {
        settings.wire = Wire::create(path)?;
    }
    let mut progress = Progress::new("calls");
    let judged =
        judge::run(&suite, &selected, &spec, &subject, &settings, &mut |done, of| progress.at(done, of));
    progress.done();
    let judged = judged?;
    let expected = expectations
        .map_or_else(Checked::default, |expectations| expectations.check(&suite, &judged.results, &today()));
    let mut report = Report::new(&suite, &spec, &subject.name, judged, expected);
    report.revealed = arguments.reveal_ids;
    write_files(arguments, &report)?;
    print(console::render(&report));
    Ok(report.exit())
}

/// A shim of somebody else may hold a port or a file, so it runs beside itself only when asked to.
fn processes(arguments: &Run) -> usize {
    match arguments.processes {
        Some(processes) => processes.into(),
        None if arguments.shim.is_empty() && arguments.wire.is_none() => {
            thread::available_parallelism().map_or(1, NonZero::get)
        }
        None => 1,
    }
}

fn write_files(arguments: &Run, report: &Report) -> Result<(), Failure> {
    let write = |path: &Path, text: String| fs::write(path, text).map_err(|error| Failure::file(path, error));
    if let Some(path) = &arguments.json {
        write(path, format!("{:#}\n", json::render(report)))?;
    }
    if let Some(path) = &arguments.junit {
        write(path, junit::render(report).map_err(|error| Failure::file(path, error))?)?;
    }
    if let Some(path) = &arguments.markdown {
        write(path, markdown::render(report))?;
    }
    Ok(())
}

/// Reads the file of known failures.
pub(crate) fn read_expectations(path: &Path) -> Result<Expectations, Failure> {
    let text =
        fs::read_to_string(path).map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?;
    Expectations::parse(&text).map_err(|what| Failure::usage(format!("{}: {what}", path.display())))
}

/// The day by UTC, `YYYY-MM-DD`.
pub(crate) fn today() -> String {
    jiff::Timestamp::now().to_string().chars().take(10).collect()
}

/// The whole suite against a subject.
pub(crate) fn everything(
    suite: &Suite,
    subject: &conformance::process::Subject,
) -> Result<judge::Run, Failure> {
    let spec = source::spec()?;
    let all = suite.cases.iter().map(|case| case.id.as_str()).collect();
    let mut progress = Progress::new("calls");
    let judged =
        judge::run(suite, &all, &spec, subject, &Settings::default(), &mut |done, of| progress.at(done, of));
    progress.done();
    Ok(judged?)
}
