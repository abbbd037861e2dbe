//! The reference's shim as a program of its own.

use std::process::ExitCode;

fn main() -> ExitCode {
    match reference_shim::serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("reference-shim: {error}");
            ExitCode::FAILURE
        }
    }
}
