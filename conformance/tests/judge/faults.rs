//! Shims with one fault: the judge names it, and nothing else.

use conformance::kill::{Fault, KillError, check_clean, matrix};
use conformance::limits::Limits;
use conformance::outcome::Outcome;
use conformance::spec::Spec;
use vectors::case::{accept, reject};

use crate::small::{limits, not_passed, run, run_suite, suite, zoo};

fn outcomes(fault: &str) -> Vec<(String, Outcome, String)> {
    let run = run(&zoo("one_fault.py", &[fault]), limits()).unwrap();
    let bad = run.results.into_iter().filter(|result| result.verdict.outcome != Outcome::Pass);
    bad.map(|result| (result.id, result.verdict.outcome, result.verdict.reason)).collect()
}

fn only(fault: &str, id: &str, outcome: Outcome, words: &str) {
    match outcomes(fault).as_slice() {
        [(case, seen, reason)] => {
            assert_eq!((case.as_str(), *seen), (id, outcome), "{reason}");
            assert!(reason.contains(words), "{reason}");
        }
        other => panic!("{fault}: {other:?}"),
    }
}

#[test]
fn accepting_one_bad_input_fails_that_case() {
    only("accepts", "token/ttl-over", Outcome::Fail, "answered accept {\"seconds\":86401}, expected reject");
}

#[test]
fn an_op_that_does_not_tell_good_from_bad_is_not_judged_and_the_others_are() {
    for (fault, words) in
        [("never", "a good call must be accepted"), ("always", "a bad call must be rejected")]
    {
        let seen = outcomes(fault);
        assert_eq!(seen.len(), 7, "{seen:?}");
        for (id, outcome, reason) in seen {
            assert_eq!(outcome, Outcome::ShimInvalid, "{id}: {reason}");
            assert!(id.starts_with("token/ttl") && reason.contains(words), "{id}: {reason}");
        }
    }
}

#[test]
fn a_reject_whose_twin_is_not_accepted_is_inconclusive() {
    let seen = outcomes("rejects");
    let seen: Vec<_> = seen.iter().map(|(id, outcome, _)| (id.as_str(), *outcome)).collect();
    assert_eq!(seen, [("token/ttl-blank", Outcome::Inconclusive), ("token/ttl-mixed", Outcome::Fail)]);
}

#[test]
fn another_reason_is_told_from_the_right_one_and_names_the_row() {
    only(
        "word",
        "config/pin-forms",
        Outcome::WrongReason,
        "row no padding: rejected for config, expected reject pin-malformed (3 rows",
    );
}

#[test]
fn the_step_alone_is_enough_for_a_coarse_shim_and_the_pass_says_so() {
    let run = run(&zoo("one_fault.py", &["coarse"]), limits()).unwrap();
    assert_eq!(not_passed(&run.results), []);
    let rejects: Vec<_> = run.results.iter().filter(|result| result.rejects).collect();
    assert!(rejects.iter().all(|result| result.verdict.reason.contains("the step is shown")));
}

#[test]
fn a_shim_that_cannot_tell_reasons_passes_with_a_mark() {
    let run = run(&zoo("one_fault.py", &["silent"]), limits()).unwrap();
    assert_eq!(not_passed(&run.results), []);
    let rejects: Vec<_> = run.results.iter().filter(|result| result.rejects).collect();
    assert!(rejects.iter().all(|result| result.verdict.reason == "reason not shown"));
}

#[test]
fn the_step_alone_is_a_wrong_reason_for_an_exact_shim() {
    // The same answers as `coarse`, under the declaration `exact`.
    let seen = outcomes("word");
    assert!(seen.iter().all(|(_, outcome, _)| *outcome == Outcome::WrongReason));
}

#[test]
fn an_op_that_is_not_declared_is_unsupported_and_no_fault() {
    let run = run(&zoo("one_fault.py", &["undeclared"]), limits()).unwrap();
    let unsupported = [("config/pin", Outcome::Unsupported), ("config/pin-forms", Outcome::Unsupported)];
    assert_eq!(not_passed(&run.results), unsupported);
    assert!(run.results.iter().all(|result| result.is_fine()));
}

#[test]
fn a_crash_is_the_fault_of_its_case_alone() {
    let seen = outcomes("crash");
    let seen: Vec<_> = seen.iter().map(|(id, outcome, _)| (id.as_str(), *outcome)).collect();
    assert_eq!(seen, [("token/ttl-seconds", Outcome::Crash), ("token/ttl-short", Outcome::Inconclusive)]);
}

#[test]
fn among_calls_in_flight_the_culprit_is_found() {
    let run = run(&zoo("one_fault.py", &["parallel"]), limits()).unwrap();
    assert_eq!(not_passed(&run.results), []);
    let seen = outcomes("parallel-crash");
    let crashed: Vec<_> = seen.iter().filter(|(_, outcome, _)| *outcome == Outcome::Crash).collect();
    assert_eq!(crashed.len(), 1, "{seen:?}");
    assert_eq!(crashed[0].0, "token/ttl-seconds");
    assert!(crashed[0].2.contains("SIGABRT"), "{}", crashed[0].2);
}

#[test]
fn a_hang_is_a_timeout_and_never_a_rejection() {
    let seen = outcomes("hang");
    let seen: Vec<_> = seen.iter().map(|(id, outcome, _)| (id.as_str(), *outcome)).collect();
    assert_eq!(seen, [("token/ttl-seconds", Outcome::Timeout), ("token/ttl-short", Outcome::Inconclusive)]);
}

#[test]
fn what_fails_in_sequence_and_passes_alone_depends_on_the_order() {
    for (fault, words) in [("tired", "expected 90"), ("tired-crash", "SIGABRT")] {
        let seen = outcomes(fault);
        let (_, outcome, reason) = seen.iter().find(|(id, _, _)| id == "token/ttl-seconds").unwrap();
        assert_eq!(*outcome, Outcome::OrderDependent, "{reason}");
        assert!(reason.contains("alone it passes") && reason.contains(words), "{reason}");
    }
}

#[test]
fn a_second_answer_to_the_very_last_call_is_seen() {
    only("last-twice", "token/ttl-short", Outcome::ProtocolError, "a second answer to one call");
}

#[test]
fn after_three_accidents_in_an_op_its_rest_is_not_run() {
    let mut suite = suite();
    for number in 0..8 {
        let id = format!("token/z{number}");
        let entry =
            accept(&id, "TOKEN-5", "a lifetime").call("token.ttl", serde_json::json!({"text": "90s"}));
        suite.cases.push(entry.out(serde_json::json!({"seconds": 90})).build());
    }
    let run = run_suite(&suite, &zoo("one_fault.py", &["crash"]), limits()).unwrap();
    let count = |outcome| run.results.iter().filter(|result| result.verdict.outcome == outcome).count();
    assert_eq!(count(Outcome::Crash), Limits::default().strikes);
    let unstable = run
        .results
        .iter()
        .filter(|result| result.verdict.reason.contains("unstable: 3 accidents in token.ttl"));
    assert!(unstable.count() >= 6, "{:?}", not_passed(&run.results));
    let pins = run.results.iter().filter(|result| result.op == "pin.parse");
    assert!(pins.clone().count() == 2 && pins.clone().all(|result| result.verdict.outcome == Outcome::Pass));
}

#[test]
fn a_case_that_is_wrong_itself_is_the_suites_error() {
    let mut suite = suite();
    let call =
        || accept("x/unknown-matcher", "TOKEN-5", "x").call("token.ttl", serde_json::json!({"text": "1h"}));
    suite.cases.push(call().out(serde_json::json!({"seconds": {"$nope": 1}})).build());
    let orphan = reject("x/zz-orphan", "TOKEN-5", "invalid-argument", "x");
    suite
        .cases
        .push(orphan.call("token.ttl", serde_json::json!({"text": ""})).twin("x/nowhere", &[], "x").build());
    let run = run_suite(&suite, &zoo("good.py", &[]), limits()).unwrap();
    let expected = [("x/unknown-matcher", Outcome::SuiteError), ("x/zz-orphan", Outcome::SuiteError)];
    assert_eq!(not_passed(&run.results), expected);
}

#[test]
fn a_choice_that_is_not_declared_is_not_run() {
    let mut suite = suite();
    let entry = accept("x/choice", "TOKEN-5", "x").choice("seal.resend", "refuse");
    let entry =
        entry.call("token.ttl", serde_json::json!({"text": "1h"})).out(serde_json::json!({"seconds": 3600}));
    suite.cases.push(entry.build());
    let run = run_suite(&suite, &zoo("good.py", &[]), limits()).unwrap();
    assert_eq!(not_passed(&run.results), [("x/choice", Outcome::NotRun)]);
    assert!(run.results.iter().all(|result| result.is_fine()));
}

fn fault(name: &str, rule: &str) -> Fault {
    Fault { name: name.into(), rule: rule.into(), what: String::new() }
}

#[test]
fn a_fault_is_caught_only_by_a_case_of_its_own_rule() {
    let (suite, spec) = (suite(), Spec::embedded().unwrap());
    let faults = [fault("accepts", "TOKEN-5"), fault("word", "CONFIG-1"), fault("rejects", "CONFIG-1")];
    let subject = |name: &str| zoo("one_fault.py", &["--fault", name]);
    let fates = matrix(&suite, &spec, &faults, &subject, 2, &|_| {}).unwrap();
    let caught: Vec<_> = fates.iter().map(|fate| (fate.name.as_str(), fate.caught_by.clone())).collect();
    let expected = [
        ("accepts", vec!["token/ttl-over".to_owned()]),
        ("rejects", vec![]),
        ("word", vec!["config/pin-forms".to_owned()]),
    ];
    assert_eq!(caught, expected);
    assert_eq!(fates[1].noticed_by, ["token/ttl-mixed"]);
}

#[test]
fn a_case_of_another_first_rule_catches_nothing() {
    let (suite, spec) = (suite(), Spec::embedded().unwrap());
    let subject = |name: &str| zoo("one_fault.py", &["--fault", name]);
    let fates = matrix(&suite, &spec, &[fault("word", "TOKEN-2")], &subject, 1, &|_| {}).unwrap();
    assert_eq!(fates[0].caught_by, [""; 0]);
    assert_eq!(fates[0].noticed_by, ["config/pin-forms"]);
}

#[test]
fn a_coarse_case_and_a_crash_catch_nothing() {
    let (mut suite, spec) = (suite(), Spec::embedded().unwrap());
    let over = suite.cases.iter_mut().find(|case| case.id == "token/ttl-over").unwrap();
    over.rules = vec!["TOKEN-5".into(), "TOKEN-6".into(), "TOKEN-7".into()];
    let subject = |name: &str| zoo("one_fault.py", &["--fault", name]);
    let faults = [fault("accepts", "TOKEN-5"), fault("crash", "TOKEN-5")];
    let fates = matrix(&suite, &spec, &faults, &subject, 1, &|_| {}).unwrap();
    assert!(fates.iter().all(|fate| fate.caught_by.is_empty()), "{fates:?}");
    assert_eq!(fates[0].noticed_by, ["token/ttl-over"]);
}

#[test]
fn a_subject_that_is_not_clean_has_no_matrix() {
    let (suite, spec) = (suite(), Spec::embedded().unwrap());
    assert_eq!(check_clean(&suite, &spec, &zoo("good.py", &[])), Ok(()));
    let dirty = check_clean(&suite, &spec, &zoo("one_fault.py", &["accepts"]));
    assert!(matches!(dirty, Err(KillError::NotClean(text)) if text.contains("token/ttl-over")));
}
