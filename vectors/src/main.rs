//! Makes, checks and signs the vector data.

use std::process::ExitCode;

use clap::Parser as _;

mod tool;

fn main() -> ExitCode {
    match tool::run(tool::Command::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            for line in &failure.lines {
                eprintln!("{line}");
            }
            ExitCode::from(failure.code)
        }
    }
}
