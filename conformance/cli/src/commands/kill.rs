//! `kill`: every fault of the twin must be caught by a case of the rule that it breaks.

use std::fs;
use std::process::Command;

use conformance::kill::{Fate, Fault, check_clean, matrix};
use conformance::process::Subject;
use conformance::report::Exit;
use conformance::select::glob;

use super::print;
use crate::args::Kill;
use crate::failure::Failure;
use crate::source;

/// The complete small implementation in another language, which can be given one fault at a time.
const TWIN: [&str; 2] = ["python3", "conformance/shims/python/shim.py"];
/// Runs at a time.
const WORKERS: usize = 2;

pub(crate) fn run(arguments: &Kill) -> Result<Exit, Failure> {
    let suite = source::suite(&arguments.data)?;
    let spec = source::spec()?;
    let command: Vec<String> = if arguments.subject.is_empty() {
        TWIN.iter().map(|&word| word.into()).collect()
    } else {
        arguments.subject.clone()
    };
    let mut faults = list_faults(&command)?;
    if let Some(pattern) = &arguments.fault {
        faults.retain(|fault| glob(pattern, &fault.name));
    }
    if faults.is_empty() {
        return Err(Failure::could_not_run("there is no fault to try"));
    }
    let subject = |more: &[&str]| {
        let words = command.iter().map(String::as_str).chain(more.iter().copied()).map(String::from);
        Subject::from_command(&words.collect::<Vec<_>>())
    };
    let clean = subject(&[]).ok_or_else(|| Failure::usage("no subject"))?;
    check_clean(&suite, &spec, &clean)?;
    let with = |name: &str| subject(&["--fault", name]).unwrap_or_else(|| clean.clone());
    let told = |fate: &Fate| {
        let fate_word = if fate.caught_by.is_empty() { "SURVIVES" } else { "caught" };
        eprintln!("{fate_word:<9} {} ({})", fate.name, fate.rule);
    };
    let fates = matrix(&suite, &spec, &faults, &with, WORKERS, &told)?;
    report(arguments, &fates)
}

fn report(arguments: &Kill, fates: &[Fate]) -> Result<Exit, Failure> {
    let survivors: Vec<&Fate> = fates.iter().filter(|fate| fate.caught_by.is_empty()).collect();
    if let Some(path) = &arguments.json {
        let names: Vec<&String> = survivors.iter().map(|fate| &fate.name).collect();
        let text = format!("{:#}\n", serde_json::json!({"faults": fates, "survivors": names}));
        fs::write(path, text).map_err(|error| Failure::file(path, error))?;
    }
    for fate in &survivors {
        let noticed = match fate.noticed_by.as_slice() {
            [] => "no case notices it".to_owned(),
            ids => format!("noticed only by coarse cases, or cases of another rule: {}", ids.join(" ")),
        };
        print(format!("{} breaks {} and survives: {noticed}\n", fate.name, fate.rule));
    }
    print(format!("{} faults, {} survive\n", fates.len(), survivors.len()));
    Ok(if survivors.is_empty() { Exit::AsExpected } else { Exit::Unexpected })
}

fn list_faults(command: &[String]) -> Result<Vec<Fault>, Failure> {
    let (program, arguments) = command.split_first().ok_or_else(|| Failure::usage("no subject"))?;
    let bad = |what: &dyn std::fmt::Display| {
        Failure::could_not_run(format!("{} --list-faults: {what}", command.join(" ")))
    };
    let output =
        Command::new(program).args(arguments).arg("--list-faults").output().map_err(|error| bad(&error))?;
    if !output.status.success() {
        return Err(bad(&String::from_utf8_lossy(&output.stderr).trim()));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| bad(&error))
}
