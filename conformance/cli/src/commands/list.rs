//! `list`: the cases, one a line.

use conformance::report::Exit;
use vectors::schema::Verdict;

use super::print;
use crate::args::List;
use crate::failure::Failure;
use crate::source;

pub(crate) fn run(arguments: &List) -> Result<Exit, Failure> {
    let suite = source::suite(&arguments.data)?;
    let selected = source::selected(&suite, &arguments.selection)?;
    for case in suite.cases.iter().filter(|case| selected.contains(case.id.as_str())) {
        let expected = match case.verdict {
            Verdict::Accept => "accept".to_owned(),
            Verdict::Reject => case.reasons.join("|"),
        };
        print(format!("{:<44} {:<22} {:<22} {}\n", case.id, expected, case.rules.join(","), case.title));
    }
    eprintln!("{} of {} cases; {}", selected.len(), suite.cases.len(), suite.signed.describe());
    Ok(if selected.is_empty() { Exit::Incomplete } else { Exit::AsExpected })
}
