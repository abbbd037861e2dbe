//! `explain`: everything about a case.

use conformance::report::Exit;
use conformance::{explain, select};

use super::print;
use crate::args::One;
use crate::failure::Failure;
use crate::source;

pub(crate) fn run(arguments: &One) -> Result<Exit, Failure> {
    let suite = source::suite(&arguments.data)?;
    let case = select::find(&suite, &arguments.case)?;
    print(explain::explain(&suite, &source::spec()?, case));
    Ok(Exit::AsExpected)
}
