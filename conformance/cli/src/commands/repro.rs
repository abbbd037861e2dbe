//! `repro`: the lines that repeat a case, and on standard error what they mean.

use conformance::report::Exit;
use conformance::{explain, select};

use super::print;
use crate::args::One;
use crate::failure::Failure;
use crate::source;

pub(crate) fn run(arguments: &One) -> Result<Exit, Failure> {
    let suite = source::suite(&arguments.data)?;
    let case = select::find(&suite, &arguments.case)?;
    let (lines, comments) = explain::repro(&suite, &source::spec()?, case);
    eprint!("{comments}");
    lines.into_iter().for_each(|line| print(format!("{line}\n")));
    Ok(Exit::AsExpected)
}
