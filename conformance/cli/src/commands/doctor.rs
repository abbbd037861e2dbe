//! `doctor`: a look at a shim before any case.

use conformance::doctor::examine;
use conformance::limits::Limits;
use conformance::report::Exit;

use super::print;
use crate::args::Doctor;
use crate::failure::Failure;
use crate::source;

pub(crate) fn run(arguments: &Doctor) -> Result<Exit, Failure> {
    let suite = source::suite(&arguments.data)?;
    let subject = source::subject(&arguments.shim)?;
    let findings = examine(&suite, &subject, &Limits::default());
    for finding in &findings {
        let mark = if finding.good { "ok " } else { "BAD" };
        print(format!("{mark} {}: {}\n", finding.what, finding.advice));
    }
    let bad = findings.iter().filter(|finding| !finding.good).count();
    print(match bad {
        0 => "The shim is ready to be judged: conformance run -- SHIM\n".to_owned(),
        1 => "One thing to mend.\n".to_owned(),
        count => format!("{count} things to mend.\n"),
    });
    Ok(if bad == 0 { Exit::AsExpected } else { Exit::Unexpected })
}
