//! What the checks cost beside the raw primitives that they contain.
//!
//! Criterion measures both for the record. At the end each pair is measured once more in alternating batches, so that
//! a busy machine slows both alike, and the ratio of the medians is printed beside its target.

#![expect(clippy::unwrap_used, reason = "a bench that cannot be set up has nothing to measure")]
#![expect(clippy::disallowed_macros, reason = "the summary is printed")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::Criterion;

mod fixture;
mod primitives;
mod service;
mod steps;

/// Two functions that are measured beside each other.
struct Pair {
    /// The criterion group.
    name: &'static str,
    /// What the pair must keep to.
    target: Target,
    /// The check.
    step: Box<dyn Fn()>,
    /// The primitives in it, and nothing else.
    raw: Box<dyn Fn()>,
}

enum Target {
    /// The median of the step divided by that of the primitives.
    Ratio(f64),
    /// The median of the step.
    Time(Duration),
}

fn main() {
    let pairs = [
        Pair {
            name: "open_seal",
            target: Target::Ratio(1.3),
            step: steps::open_seal(),
            raw: primitives::agree_unwrap_decrypt(),
        },
        Pair {
            name: "check_csr",
            target: Target::Ratio(1.3),
            step: steps::check_csr(),
            raw: primitives::verify(1),
        },
        Pair {
            name: "derive_key",
            target: Target::Time(Duration::from_micros(10)),
            step: steps::derive_key(),
            raw: primitives::hash(),
        },
        Pair {
            name: "verify_response",
            target: Target::Ratio(1.3),
            step: steps::verify_response(),
            // The answer, and the leaf by its issuer.
            raw: primitives::verify(2),
        },
        Pair {
            name: "admit",
            target: Target::Ratio(1.3),
            step: service::admit(),
            // The seal and the CSR; the leaf and the answer. Hashed by themselves are the request, the CSR, its hash in the
            // seal, the seal, the secret, the hardware key, the certified key twice, and the Concat KDF's round.
            raw: primitives::all(vec![
                primitives::agree_unwrap_decrypt(),
                primitives::verify(1),
                primitives::signatures(2),
                primitives::hashes(9),
            ]),
        },
        Pair {
            name: "issue",
            target: Target::Ratio(1.3),
            step: service::issue(),
            // The certified key is hashed for its identifier and for its row.
            raw: primitives::all(vec![primitives::signatures(1), primitives::hashes(2)]),
        },
        Pair {
            name: "verify_renewal",
            target: Target::Ratio(1.3),
            step: service::verify_renewal(),
            // The CSR and the proof; the CSR is hashed.
            raw: primitives::all(vec![primitives::verify(2), primitives::hashes(1)]),
        },
    ];
    let mut criterion = Criterion::default().configure_from_args();
    for pair in &pairs {
        let mut group = criterion.benchmark_group(pair.name);
        group
            .warm_up_time(Duration::from_millis(300))
            .measurement_time(Duration::from_secs(1))
            .sample_size(20);
        group.bench_function("step", |bencher| bencher.iter(&pair.step));
        group.bench_function("raw", |bencher| bencher.iter(&pair.raw));
        group.finish();
    }
    criterion.final_summary();
    summarize(&pairs);
}

fn summarize(pairs: &[Pair]) {
    println!("{:<16} {:>10} {:>10} {:>7}  target", "", "step", "raw", "ratio");
    for pair in pairs {
        let (step, raw) = medians(pair);
        let ratio = step.as_secs_f64() / raw.as_secs_f64();
        let (target, kept) = match pair.target {
            Target::Ratio(most) => (format!("at most {most}"), ratio <= most),
            Target::Time(most) => (format!("under {most:?}"), step < most),
        };
        let verdict = if kept { "" } else { "  MISSED" };
        let micros = |time: Duration| format!("{:.1} µs", time.as_secs_f64() * 1e6);
        println!(
            "{:<16} {:>10} {:>10} {ratio:>7.2}  {target}{verdict}",
            pair.name,
            micros(step),
            micros(raw)
        );
    }
}

/// The medians of both, over batches that alternate.
fn medians(pair: &Pair) -> (Duration, Duration) {
    let (mut steps, mut raws) = (Vec::new(), Vec::new());
    for _ in 0..BATCHES {
        steps.push(batch(&pair.step));
        raws.push(batch(&pair.raw));
    }
    (median(steps), median(raws))
}

fn batch(run: &dyn Fn()) -> Duration {
    #[expect(clippy::disallowed_methods, reason = "a bench measures time")]
    let start = Instant::now();
    for _ in 0..BATCH_SIZE {
        black_box(run)();
    }
    #[expect(clippy::disallowed_methods, reason = "a bench measures time")]
    let elapsed = start.elapsed();
    elapsed / BATCH_SIZE
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

const BATCHES: usize = 201;
const BATCH_SIZE: u32 = 20;
