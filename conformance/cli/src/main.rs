//! The judge's command.

mod args;
mod commands;
mod failure;
mod progress;
mod source;

use std::process::ExitCode;

use clap::Parser as _;
use clap::error::ErrorKind;
use conformance::report::Exit;

use args::{Arguments, Command, ExpectCommand};
use failure::Failure;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are answers, everything else is a usage error.
            let asked = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            let _unprinted = error.print();
            return ExitCode::from(if asked { 0 } else { Exit::Usage.code() });
        }
    };
    match dispatch(arguments.command) {
        Ok(exit) => ExitCode::from(exit.code()),
        Err(Failure { exit, message }) => {
            eprintln!("conformance: {message}");
            ExitCode::from(exit.code())
        }
    }
}

fn dispatch(command: Command) -> Result<Exit, Failure> {
    match command {
        Command::Run(run) => commands::run::run(&run),
        Command::List(list) => commands::list::run(&list),
        Command::Explain(one) => commands::explain::run(&one),
        Command::Repro(one) => commands::repro::run(&one),
        Command::NewShim(new_shim) => commands::new_shim::run(&new_shim),
        Command::Doctor(doctor) => commands::doctor::run(&doctor),
        Command::Rules(rules) => commands::rules::run(&rules),
        Command::Verify(data) => commands::verify::run(&data),
        Command::Expect { command: ExpectCommand::Update(update) } => commands::expect::run(&update),
        Command::Kill(kill) => commands::kill::run(&kill),
        Command::Diff(diff) => commands::diff::run(&diff),
        Command::ServeReference => {
            let served = reference_shim::serve();
            served.map_err(|error| Failure::could_not_run(error.to_string()))?;
            Ok(Exit::AsExpected)
        }
    }
}
