//! Shims that are broken in every way: none passes a single case, none stops the run, all end quickly.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use conformance::outcome::Outcome;
use conformance::process::Subject;
use serde_json::json;
use vectors::case::accept;

use crate::small::{limits, not_passed, program, run, run_suite, suite, zoo};

/// Judges a shim that must pass nothing; gives the outcomes, or the words of a run that could not be made.
fn judged(subject: &Subject) -> Result<Vec<(Outcome, String)>, String> {
    let begin = Instant::now();
    let run = run(subject, limits());
    assert!(begin.elapsed() < Duration::from_secs(40), "{} took {:?}", subject.name, begin.elapsed());
    let results = run.map_err(|error| error.to_string())?.results;
    assert_eq!(results.len(), crate::small::cases().len(), "every case has an outcome");
    let passed: Vec<_> = results.iter().filter(|result| result.verdict.outcome == Outcome::Pass).collect();
    assert!(passed.is_empty(), "{} passes {passed:?}", subject.name);
    Ok(results.into_iter().map(|result| (result.verdict.outcome, result.verdict.reason)).collect())
}

/// Every case ends with `outcome`, for a reason that says `words`.
fn all_are(subject: &Subject, outcome: Outcome, words: &str) {
    for (seen, reason) in judged(subject).unwrap() {
        assert_eq!(seen, outcome, "{reason}");
        assert!(reason.contains(words) || reason.contains("so this one was not tried"), "{reason}");
    }
}

/// The run could not be made, for a reason that says `words`.
fn could_not(subject: &Subject, words: &str) {
    let error = judged(subject).unwrap_err();
    assert!(error.contains(words), "{error}");
}

#[test]
fn the_right_shim_passes_everything() {
    let run = run(&zoo("good.py", &[]), limits()).unwrap();
    assert_eq!(not_passed(&run.results), []);
    assert!(run.warnings.is_empty(), "{:?}", run.warnings);
}

#[test]
fn a_shim_that_writes_octet_by_octet_and_talks_between_passes_with_a_warning() {
    let run = run(&zoo("split_writes.py", &[]), limits()).unwrap();
    assert_eq!(not_passed(&run.results), []);
    assert!(run.warnings.iter().any(|warning| warning.contains("a line for people")), "{:?}", run.warnings);
}

#[test]
fn accepting_everything_passes_nothing() {
    all_are(
        &zoo("always_accepts.py", &[]),
        Outcome::ShimInvalid,
        "a made-up op must be answered unsupported",
    );
}

#[test]
fn rejecting_everything_passes_nothing() {
    all_are(
        &zoo("always_rejects.py", &[]),
        Outcome::ShimInvalid,
        "a made-up op must be answered unsupported",
    );
}

#[test]
fn echoing_passes_nothing() {
    all_are(&zoo("echoes.py", &[]), Outcome::ShimInvalid, "a made-up op must be answered unsupported");
}

#[test]
fn crashing_at_every_call_passes_nothing() {
    all_are(&zoo("crashes.py", &[]), Outcome::ShimInvalid, "crash: the shim exited with status 1");
}

#[test]
fn killing_itself_passes_nothing() {
    all_are(&zoo("kills_itself.py", &[]), Outcome::ShimInvalid, "crash: the shim was killed by SIGKILL");
}

#[test]
fn hanging_passes_nothing_and_is_given_up_after_three_ops() {
    let mut suite = suite();
    for op in ["csr.check", "token.id", "token.parse"] {
        let case = accept(&format!("zz/{op}"), "TOKEN-5", "anything").call(op, json!({})).out(json!({}));
        suite.cases.push(case.build());
    }
    let results = run_suite(&suite, &zoo("hangs.py", &[]), limits()).unwrap().results;
    assert!(results.iter().all(|result| result.verdict.outcome == Outcome::ShimInvalid), "{results:?}");
    let told = |words: &str| {
        let with = results.iter().filter(|result| result.verdict.reason.contains(words));
        with.map(|result| result.op.as_str()).collect::<BTreeSet<_>>().len()
    };
    assert_eq!((told("timeout: no answer in"), told("so this one was not tried")), (3, 3), "{results:?}");
}

#[test]
fn flooding_with_lines_passes_nothing() {
    all_are(&zoo("floods.py", &[]), Outcome::ShimInvalid, "a flood of lines");
}

#[test]
fn flooding_with_one_line_passes_nothing() {
    all_are(&zoo("floods_one_line.py", &[]), Outcome::ShimInvalid, "a line over 1 MiB");
}

#[test]
fn answering_twice_passes_nothing() {
    for (outcome, reason) in judged(&zoo("answers_twice.py", &[])).unwrap() {
        assert_eq!(outcome, Outcome::ShimInvalid, "{reason}");
    }
}

#[test]
fn wrong_numbers_pass_nothing() {
    all_are(&zoo("wrong_ids.py", &[]), Outcome::ShimInvalid, "an answer to no call");
}

#[test]
fn noise_that_looks_like_a_message_passes_nothing() {
    all_are(&zoo("noise.py", &[]), Outcome::ShimInvalid, "protocol error");
}

#[test]
fn an_answer_in_two_lines_is_no_answer() {
    all_are(&zoo("newline_inside.py", &[]), Outcome::ShimInvalid, "is not JSON");
}

#[test]
fn filling_the_memory_passes_nothing() {
    all_are(&zoo("fills_memory.py", &[]), Outcome::ShimInvalid, "");
}

#[test]
fn dying_in_hello_cannot_be_judged() {
    could_not(&zoo("dies_in_hello.py", &[]), "its standard error ends: no licence");
}

#[test]
fn programs_that_are_no_shims_cannot_be_judged() {
    could_not(&program("true"), "exited with status 0");
    could_not(&program("false"), "exited with status 1");
    could_not(&program("cat"), "hello");
    could_not(&program("yes"), "lines that are no message");
    could_not(&program("no-such-program-anywhere"), "cannot be started");
    could_not(&program("sh -c kill\u{20}-9\u{20}$$"), "hello");
}

#[test]
fn a_program_that_sleeps_is_ended_with_its_children() {
    let limits = conformance::limits::Limits { hello: Duration::from_millis(300), ..limits() };
    let command = ["sh", "-c", "sleep 613 & sleep 613"].map(String::from);
    let begin = Instant::now();
    let error = run(&Subject::from_command(&command).unwrap(), limits).unwrap_err().to_string();
    assert!(error.contains("no answer to hello in 300ms"), "{error}");
    assert!(begin.elapsed() < Duration::from_secs(5));
    let left = || {
        std::fs::read_dir("/proc").unwrap().flatten().any(|entry| {
            std::fs::read(entry.path().join("cmdline")).is_ok_and(|line| line == b"sleep\x00613\x00")
        })
    };
    // A process that was killed is there for another moment.
    let end = Instant::now() + Duration::from_secs(5);
    while left() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(!left(), "a child outlived the run");
}
