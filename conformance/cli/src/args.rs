//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Judges implementations of the join protocol.
#[derive(Debug, Parser)]
#[command(name = "conformance", version, about, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Judges a shim; without one, the embedded reference
    Run(Run),
    /// Lists cases
    List(List),
    /// Tells everything about a case
    Explain(One),
    /// Prints the lines that repeat a case: conformance repro ID | ./shim; for a script: conformance repro ID -- ./shim
    Repro(Repro),
    /// Writes the skeleton of a shim: conformance new-shim --lang go my-shim
    ///
    /// The skeleton speaks the contract of conformance/SHIM.md with nothing beside the language's standard library, passes
    /// `conformance doctor`, and has one op as an example, token.parse, which passes every case of `conformance run --only
    /// op:token.parse`. Every other op it answers `unsupported`, and reports call it "skeleton", until you plug in your
    /// implementation: the places are marked PLUG IN, and the README.md beside them says how to build, run and go on.
    ///
    /// Afterwards the next commands to run are printed, quoted for a shell. A folder that holds anything is left as it is.
    NewShim(NewShim),
    /// Looks at a shim before any case, and gives advice
    Doctor(Doctor),
    /// Shows which rules have cases
    Rules(Rules),
    /// Verifies that the vectors are authentic
    Verify(Data),
    /// Keeps the file of known failures
    Expect {
        #[command(subcommand)]
        command: ExpectCommand,
    },
    /// Shows that every fault of the twin is caught by a case of the broken rule
    Kill(Kill),
    /// Puts the same forged calls to two shims and shows where they differ: conformance diff -- A -- B
    Diff(Diff),
    /// Serves the embedded reference as a shim
    #[command(hide = true)]
    ServeReference,
}

/// Where the vectors come from.
#[derive(Debug, Default, Args)]
pub(crate) struct Data {
    /// A folder of vectors in place of the embedded ones
    #[arg(long, value_name = "DIR")]
    pub(crate) vectors: Option<PathBuf>,
    /// A public key in PEM that is trusted as well
    #[arg(long, value_name = "FILE")]
    pub(crate) trust_key: Option<PathBuf>,
    /// Takes the vectors without verifying them; the run then proves nothing
    #[arg(long)]
    pub(crate) unsigned: bool,
}

/// Which cases.
#[derive(Debug, Default, Args)]
pub(crate) struct Selection {
    /// Only these: an id, a glob, rule:SEAL-3, op:, step:, source:, failed-in:FILE
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) only: Vec<String>,
    /// Not these
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) not: Vec<String>,
    /// The i-th of n parts
    #[arg(long, value_name = "i/n")]
    pub(crate) shard: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) data: Data,
    #[command(flatten)]
    pub(crate) selection: Selection,
    /// Writes a JUnit file
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Writes the report as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Writes the report as Markdown
    #[arg(long, value_name = "FILE")]
    pub(crate) markdown: Option<PathBuf>,
    /// The file of known failures
    #[arg(long, value_name = "FILE")]
    pub(crate) expect: Option<PathBuf>,
    /// Tells the shim the ids of the cases, for debugging
    #[arg(long)]
    pub(crate) reveal_ids: bool,
    /// Records every line of both directions
    #[arg(long, value_name = "FILE")]
    pub(crate) wire: Option<PathBuf>,
    /// Shims run at a time, each with a share of the scripts [default: 1; the embedded reference: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64), conflicts_with = "wire")]
    pub(crate) processes: Option<u8>,
    /// The shim's command
    #[arg(last = true, value_name = "SHIM")]
    pub(crate) shim: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    #[command(flatten)]
    pub(crate) data: Data,
    #[command(flatten)]
    pub(crate) selection: Selection,
}

#[derive(Debug, Args)]
pub(crate) struct One {
    #[command(flatten)]
    pub(crate) data: Data,
    /// The case's id
    #[arg(value_name = "CASE")]
    pub(crate) case: String,
}

#[derive(Debug, Args)]
pub(crate) struct Repro {
    #[command(flatten)]
    pub(crate) one: One,
    /// Plays a script with this shim and prints every line of both directions
    #[arg(last = true, value_name = "SHIM")]
    pub(crate) shim: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct NewShim {
    /// The skeleton's language
    #[arg(long, value_enum, value_name = "python|go|ts")]
    pub(crate) lang: Lang,
    /// A folder that is new or empty
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,
}

/// A language that has a skeleton.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Lang {
    /// Python 3.10 or newer: python3 DIR/shim.py
    Python,
    /// Go 1.19 or newer, built with go build: DIR/shim
    Go,
    /// JavaScript with TypeScript's types in comments, checked by tsc; runs without a build: node DIR/shim.mjs
    Ts,
}

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    #[command(flatten)]
    pub(crate) data: Data,
    /// The shim's command; without one, the embedded reference
    #[arg(last = true, value_name = "SHIM")]
    pub(crate) shim: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Rules {
    #[command(flatten)]
    pub(crate) data: Data,
    /// Prints JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ExpectCommand {
    /// Writes the file anew from a whole run; entries that are still right keep their words
    Update(Update),
}

#[derive(Debug, Args)]
pub(crate) struct Update {
    #[command(flatten)]
    pub(crate) data: Data,
    /// The file of known failures
    #[arg(long, value_name = "FILE", default_value = "expect.toml")]
    pub(crate) expect: PathBuf,
    /// Why new entries fail
    #[arg(long)]
    pub(crate) reason: String,
    /// Where new entries are tracked
    #[arg(long, value_name = "URL")]
    pub(crate) link: String,
    /// The last day of new entries, YYYY-MM-DD
    #[arg(long, value_name = "DAY")]
    pub(crate) expires: String,
    /// The shim's command; without one, the embedded reference
    #[arg(last = true, value_name = "SHIM")]
    pub(crate) shim: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Kill {
    #[command(flatten)]
    pub(crate) data: Data,
    /// Writes the matrix as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Only faults whose name matches the glob
    #[arg(long, value_name = "GLOB")]
    pub(crate) fault: Option<String>,
    /// A subject that knows --list-faults and --fault NAME, in place of the Python twin
    #[arg(last = true, value_name = "SUBJECT")]
    pub(crate) subject: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Diff {
    #[command(flatten)]
    pub(crate) flags: DiffFlags,
    /// Two shims' commands with -- between; reference is the embedded reference. Flags may also stand last
    #[arg(last = true, value_name = "SHIM -- SHIM")]
    pub(crate) subjects: Vec<String>,
}

#[derive(Clone, Debug, Default, Args)]
pub(crate) struct DiffFlags {
    /// The seed of the forged calls [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Calls of each op [default: 500]
    #[arg(long, value_name = "M")]
    pub(crate) runs: Option<u64>,
    /// Histories: worlds with random steps, played to both [default: 200 where no ops are named]
    #[arg(long, value_name = "N")]
    pub(crate) histories: Option<u64>,
    /// Only the call of this number
    #[arg(long, value_name = "K", conflicts_with = "runs")]
    pub(crate) number: Option<u64>,
    /// Only these ops; `history` names the histories
    #[arg(long, value_name = "OP,...", value_delimiter = ',')]
    pub(crate) ops: Vec<String>,
    /// Writes the report as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
    /// Writes differences that were made small as drafts of cases into this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) drafts: Option<PathBuf>,
}

impl DiffFlags {
    /// These flags, and the others where these are not given.
    pub(crate) fn over(self, others: &Self) -> Self {
        Self {
            seed: self.seed.or(others.seed),
            runs: self.runs.or(others.runs),
            histories: self.histories.or(others.histories),
            number: self.number.or(others.number),
            ops: if self.ops.is_empty() { others.ops.clone() } else { self.ops },
            json: self.json.or_else(|| others.json.clone()),
            drafts: self.drafts.or_else(|| others.drafts.clone()),
        }
    }
}
