//! `verify`: whether the vectors are authentic.

use conformance::report::Exit;

use super::print;
use crate::args::Data;
use crate::failure::Failure;
use crate::source;

pub(crate) fn run(arguments: &Data) -> Result<Exit, Failure> {
    let suite = source::suite(arguments)?;
    print(format!("{} cases, manifest {}\n{}\n", suite.cases.len(), suite.digest, suite.signed.describe()));
    Ok(Exit::AsExpected)
}
