//! The commands of `cargo vectors`.

use std::path::{Path, PathBuf};

use vectors::manifest::ManifestError;
use vectors::spec::SpecError;

mod generate;
mod lint;
mod sign;

/// Makes, checks and signs the vector data.
#[derive(clap::Parser)]
#[command(name = "vectors", bin_name = "cargo vectors", version, about)]
pub(crate) enum Command {
    /// Writes every file of the data from the cases, and removes files that no case makes.
    Generate {
        /// Writes nothing: rebuilds every byte in memory and names the files that differ (exit 1).
        #[arg(long)]
        check: bool,
        /// The folder of the data.
        #[arg(long, default_value_os_t = data())]
        data: PathBuf,
    },
    /// Signs the manifest.
    Sign {
        /// A private key in PEM (PKCS#8, P-256).
        #[arg(long, required_unless_present = "dev", conflicts_with = "dev")]
        key: Option<PathBuf>,
        /// Signs with the published development key.
        #[arg(long)]
        dev: bool,
        /// The folder of the data.
        #[arg(long, default_value_os_t = data())]
        data: PathBuf,
    },
    /// Checks signature and files (exit 4, naming the file).
    Verify {
        /// The folder of the data.
        #[arg(long, default_value_os_t = data())]
        data: PathBuf,
        /// Trusts this public key (PEM) alone.
        #[arg(long)]
        trust_key: Option<PathBuf>,
    },
    /// Checks the cases against their schema's rules, the spec, and their twins (exit 1).
    Lint,
}

/// Why a command failed: what to print, and the exit code.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) lines: Vec<String>,
    pub(crate) code: u8,
}

impl Failure {
    fn new(code: u8, line: &impl ToString) -> Self {
        Self { lines: vec![line.to_string()], code }
    }
}

impl From<ManifestError> for Failure {
    fn from(error: ManifestError) -> Self {
        Self::new(4, &error)
    }
}

impl From<SpecError> for Failure {
    fn from(error: SpecError) -> Self {
        Self::new(1, &error)
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self::new(1, &error)
    }
}

/// Runs one command.
pub(crate) fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Generate { check: true, data } => generate::check(&data),
        Command::Generate { check: false, data } => generate::write(&data),
        Command::Sign { key, dev: _, data } => sign::sign(&data, key.as_deref()),
        Command::Verify { data, trust_key } => sign::verify(&data, trust_key.as_deref()),
        Command::Lint => lint::run(),
    }
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/v1")
}

fn io(path: &Path) -> impl Fn(std::io::Error) -> Failure {
    move |error| Failure::new(1, &format!("{}: {error}", path.display()))
}
