//! `cargo tidy`: checks the project's own order, and writes the one table that joins rule, code, cases and faults.

use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tidy::{architecture, coverage, documents, words};

/// The project's own order.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Architecture, words, documents and the coverage table: every problem on a line of its own.
    Check,
    /// Writes docs/coverage.md anew.
    Coverage,
}

fn main() -> ExitCode {
    let root = tidy::root();
    let problems = match Arguments::parse().command {
        Command::Check => check(&root),
        Command::Coverage => coverage::write(&root).err().into_iter().collect(),
    };
    for problem in &problems {
        eprintln!("{problem}");
    }
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn check(root: &Path) -> Vec<String> {
    let parts =
        [architecture::check(root), words::check(root), documents::check(root), coverage::check(root)];
    parts.into_iter().flatten().collect()
}
