//! The report for readers of JUnit files: one suite a step, one test a case.

use std::collections::BTreeMap;

use quick_junit::{NonSuccessKind, Report as File, TestCase, TestCaseStatus, TestSuite};

use super::Report;
use crate::outcome::{CaseResult, Outcome};

/// The report as XML.
///
/// # Errors
/// When it cannot be written as XML.
pub fn render(report: &Report) -> Result<String, String> {
    let mut suites: BTreeMap<&str, TestSuite> = BTreeMap::new();
    let excused = |id: &str| report.expected.excused.iter().find(|(excused, _)| excused == id);
    for case in &report.cases {
        let suite = suites.entry(&case.step).or_insert_with(|| TestSuite::new(case.step.as_str()));
        let mut test =
            TestCase::new(case.id.as_str(), status(case, excused(&case.id).map(|(_, why)| why.as_str())));
        test.set_classname(format!("conformance.{}", case.step));
        suite.add_test_case(test);
    }
    let mut file = File::new("conformance");
    for mut suite in suites.into_values() {
        suite.add_property(("manifest", report.manifest.as_str()));
        suite.add_property(("signed", report.signed.as_str()));
        file.add_test_suite(suite);
    }
    file.to_string().map_err(|error| error.to_string())
}

fn status(case: &CaseResult, excuse: Option<&str>) -> TestCaseStatus {
    let verdict = &case.verdict;
    let mut status = match verdict.outcome {
        Outcome::Pass => return TestCaseStatus::success(),
        _ if verdict.waived || case.advisory || excuse.is_some() => TestCaseStatus::skipped(),
        Outcome::Fail | Outcome::WrongReason | Outcome::Inconclusive | Outcome::OrderDependent => {
            TestCaseStatus::non_success(NonSuccessKind::Failure)
        }
        _ => TestCaseStatus::non_success(NonSuccessKind::Error),
    };
    let known = excuse.map(|why| format!(" (expected: {why})")).unwrap_or_default();
    status.set_message(format!("{}: {}{known}", verdict.outcome, verdict.reason));
    status.set_type(verdict.outcome.word());
    status
}
