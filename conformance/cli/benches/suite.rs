//! What a run of the whole suite costs on the embedded reference, and whether the cost of a case grows with their number.
//!
//! Criterion measures the suite and ten copies of it in one run for the record. At the end both are measured once more
//! in alternation, so that a busy machine slows both alike.

#![expect(clippy::unwrap_used, reason = "a bench that cannot be set up has nothing to measure")]

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use conformance::judge::{self, Settings};
use conformance::outcome::Outcome;
use conformance::process::Subject;
use conformance::spec::Spec;
use conformance::suite::Suite;
use criterion::Criterion;
use vectors::manifest::TrustKey;
use vectors::schema::Case;

const COPIES: u32 = 10;
const ROUNDS: usize = 5;
/// The whole suite, on two cores.
const TARGET: Duration = Duration::from_secs(3);

fn main() {
    let once = Suite::embedded(&TrustKey::built_in().unwrap(), false).unwrap();
    let many = copied(&once);
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("suite");
    group.sample_size(10);
    group.bench_function("once", |bencher| bencher.iter(|| run(&once)));
    group.bench_function("ten_times", |bencher| bencher.iter(|| run(&many)));
    group.finish();
    criterion.final_summary();
    summarize(&once, &many);
}

fn summarize(once: &Suite, many: &Suite) {
    let (mut one, mut ten) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        one.push(run(once));
        ten.push(run(many));
    }
    let (one, ten) = (median(one), median(ten));
    let ratio = ten.as_secs_f64() / one.as_secs_f64() / f64::from(COPIES);
    println!("\n{} cases: {:.2} s (at most {} s)", once.cases.len(), one.as_secs_f64(), TARGET.as_secs());
    println!("{} cases: {:.2} s; a case costs {ratio:.2} times as much", many.cases.len(), ten.as_secs_f64());
}

/// One run, in which every case must pass: how long it took.
fn run(suite: &Suite) -> Duration {
    let (spec, settings) = (Spec::embedded().unwrap(), Settings { processes: 2, ..Settings::default() });
    let subject = Subject {
        program: env!("CARGO_BIN_EXE_conformance").into(),
        args: vec!["serve-reference".into()],
        name: "conformance serve-reference".into(),
    };
    let selected: BTreeSet<&str> = suite.cases.iter().map(|case| case.id.as_str()).collect();
    let begun = Instant::now();
    let run = judge::run(suite, &selected, &spec, &subject, &settings, &mut |_, _| {}).unwrap();
    let took = begun.elapsed();
    assert!(run.results.iter().all(|result| result.verdict.outcome == Outcome::Pass), "a case does not pass");
    took
}

/// The suite with every case ten times, each copy beside its own twin.
fn copied(suite: &Suite) -> Suite {
    let mut cases: Vec<Case> =
        (0..COPIES).flat_map(|copy| suite.cases.iter().map(move |case| copy_of(case, copy))).collect();
    cases.sort_by(|one, other| one.id.cmp(&other.id));
    Suite { cases, ..suite.clone() }
}

fn copy_of(case: &Case, copy: u32) -> Case {
    let twin = case.twin.as_ref().map(|twin| {
        let end = twin.find(['#', '@']).unwrap_or(twin.len());
        let (id, place) = twin.split_at(end);
        format!("{id}-copy{copy}{place}")
    });
    Case { id: format!("{}-copy{copy}", case.id), twin, ..case.clone() }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
