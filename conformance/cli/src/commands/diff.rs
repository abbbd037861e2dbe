//! `diff`: the same forged calls to two subjects.

use std::fs;
use std::path::Path;
use std::time::Duration;

use clap::Parser;
use conformance::diff::{self, Report, Settings, draft, report};
use conformance::limits::Limits;
use conformance::ops;
use conformance::process::Subject;
use conformance::report::Exit;

use super::print;
use crate::args::{Diff, DiffFlags};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::source;

/// The word on the command line for the embedded reference.
const REFERENCE: &str = "reference";
/// The word among the ops for the histories.
const HISTORY: &str = "history";
/// Histories of a run.
const HISTORIES: u64 = 200;
/// Calls of each op.
const RUNS: u64 = 500;

/// Flags that stand after the second subject.
#[derive(Debug, Parser)]
#[command(name = "conformance diff", no_binary_name = true)]
struct Trailing {
    #[command(flatten)]
    flags: DiffFlags,
}

pub(crate) fn run(arguments: &Diff) -> Result<Exit, Failure> {
    let (subjects, trailing) = split(&arguments.subjects)?;
    let flags = trailing.over(&arguments.flags);
    let [first, second] = subjects.map(|command| subject(&command));
    let (first, second) = (first?, second?);
    let settings = settings(&flags)?;
    let mut progress = Progress::new("calls");
    let spec = source::spec()?;
    let compared = diff::run([&first, &second], &spec, &settings, &mut |done, of| progress.at(done, of));
    progress.done();
    let compared = compared?;
    if let Some(path) = &flags.json {
        let text = format!("{:#}\n", report::json(&compared));
        fs::write(path, text).map_err(|error| Failure::file(path, error))?;
    }
    if let Some(folder) = &flags.drafts {
        write_drafts(folder, &compared)?;
    }
    print(report::console(&compared));
    Ok(compared.exit())
}

fn settings(flags: &DiffFlags) -> Result<Settings, Failure> {
    let named = |op: &String| op == HISTORY;
    for op in flags.ops.iter().filter(|op| !named(op)) {
        if ops::find(op).is_none() {
            return Err(Failure::usage(format!("{op}: no such op; there are {}", ops::names().join(", "))));
        }
    }
    let numbers = match flags.number {
        Some(number) => number..number.saturating_add(1),
        None => 0..flags.runs.unwrap_or(RUNS),
    };
    // A comparison looks for differences, not for slowness.
    let limits = Limits { call: Duration::from_secs(20), ..Limits::default() };
    let all = flags.ops.is_empty();
    let alone = !all && flags.ops.iter().all(named);
    let histories = match (flags.histories, flags.number) {
        (_, Some(number)) if alone => number..number.saturating_add(1),
        (Some(count), _) => 0..count,
        (None, None) if all || flags.ops.iter().any(named) => 0..HISTORIES,
        (None, _) => 0..0,
    };
    let ops = flags.ops.iter().filter(|op| !named(op)).cloned().collect();
    let numbers = if alone { 0..0 } else { numbers };
    Ok(Settings { seed: flags.seed.unwrap_or(1), numbers, ops, histories, limits })
}

/// `A -- B`, and the flags after B.
fn split(words: &[String]) -> Result<([Vec<String>; 2], DiffFlags), Failure> {
    let usage = || Failure::usage("give two subjects: conformance diff -- A -- B");
    let groups: Vec<&[String]> = words.split(|word| word == "--").collect();
    let [first, second] = groups.as_slice() else { return Err(usage()) };
    if first.is_empty() || second.is_empty() {
        return Err(usage());
    }
    // The longest end of B that is flags of this command alone.
    let flags = (1..second.len())
        .filter(|&at| second.get(at).is_some_and(|word| word.starts_with("--")))
        .find_map(|at| {
            let (command, end) = second.split_at(at);
            Trailing::try_parse_from(end).ok().map(|trailing| (command.to_vec(), trailing.flags))
        });
    let (second, flags) = flags.unwrap_or_else(|| (second.to_vec(), DiffFlags::default()));
    Ok(([first.to_vec(), second], flags))
}

fn subject(command: &[String]) -> Result<Subject, Failure> {
    match command {
        [word] if word == REFERENCE => {
            source::subject(&[]).map(|subject| Subject { name: REFERENCE.into(), ..subject })
        }
        command => source::subject(command),
    }
}

fn write_drafts(folder: &Path, compared: &Report) -> Result<(), Failure> {
    let calls = compared.differences.iter().filter(|difference| difference.shrunk);
    let histories = compared.histories.iter().flat_map(|histories| &histories.differences);
    let drafts = calls.map(|difference| draft(difference, &compared.subjects)).chain(
        histories
            .filter(|difference| difference.shrunk)
            .map(|difference| diff::history::draft(difference, &compared.subjects)),
    );
    for case in drafts {
        let path = folder.join(format!("{}.json", case.id));
        let text = case.to_file().map_err(|error| Failure::file(&path, error))?;
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent).map_err(|error| Failure::file(parent, error))?;
        fs::write(&path, text).map_err(|error| Failure::file(&path, error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(String::from).collect()
    }

    #[test]
    fn flags_after_the_second_subject_are_the_commands_and_the_subjects_stay_its_own() {
        let (subjects, flags) = split(&words("reference -- ./shim --fault x --seed 7 --runs 20")).unwrap();
        assert_eq!(subjects, [words("reference"), words("./shim --fault x")]);
        assert_eq!((flags.seed, flags.runs), (Some(7), Some(20)));
        let (subjects, flags) = split(&words("./a --seed 3 -- ./b --unknown --seed")).unwrap();
        assert_eq!(subjects, [words("./a --seed 3"), words("./b --unknown --seed")]);
        assert_eq!(flags.seed, None);
    }

    #[test]
    fn two_subjects_are_needed() {
        for line in ["a", "a --", "-- b", "a -- b -- c"] {
            assert_eq!(split(&words(line)).unwrap_err().exit.code(), 64, "{line}");
        }
    }
}
