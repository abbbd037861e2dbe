//! `cargo run -p model -- check [NAME] | trace FLAG | table`.

use std::process::ExitCode;
use std::time::Instant;

use model::admission::Admission;
use model::identity::Identity;
use model::renewal::Renewal;
use model::table;
use model::types::{Explained, FLAGS, Kind, Rules, explore, trace};

const USAGE: &str = "usage:
  model check [admission|identity|renewal]   explore and print what holds
  model trace FLAG                           what happens without a rule, by a shortest way
  model table                                the table of README.md";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args[..] {
        ["check"] => check::<Admission>() & check::<Identity>() & check::<Renewal>(),
        ["check", Admission::NAME] => check::<Admission>(),
        ["check", Identity::NAME] => check::<Identity>(),
        ["check", Renewal::NAME] => check::<Renewal>(),
        ["trace", flag] => show::<Admission>(flag) || show::<Identity>(flag) || show::<Renewal>(flag),
        ["table"] => {
            print!("{}", table::page());
            true
        }
        _ => false,
    };
    if done {
        return ExitCode::SUCCESS;
    }
    eprintln!("{USAGE}\nflags: {}", FLAGS.iter().map(|flag| flag.name).collect::<Vec<_>>().join(" "));
    ExitCode::FAILURE
}

/// Whether the exploration found what the claims say.
fn check<M: Explained>() -> bool {
    let begun = Instant::now();
    let report = explore(M::new(Rules::ALL));
    println!("{}: {}", M::NAME, M::BOUNDS);
    println!("{} states, {} steps deep, {:.1} s", report.states, report.depth, begun.elapsed().as_secs_f32());
    let mut good = report.states == M::STATES;
    for claim in M::claims() {
        let fails = report.failed.contains(&claim.sentence);
        let reached = !report.unreached.contains(&claim.twin);
        good &= fails == (claim.kind == Kind::Fails) && reached;
        println!("  {} {}", if fails { "fails" } else { "holds" }, claim.sentence);
        println!("        {} {}", if reached { "reached:" } else { "NEVER REACHED:" }, claim.twin);
        for step in fails.then(|| trace(M::new(Rules::ALL), claim.sentence)).flatten().unwrap_or_default() {
            println!("          - {step}");
        }
    }
    good
}

/// Whether the flag is this model's.
fn show<M: Explained>(flag: &str) -> bool {
    let claim = M::claims().into_iter().find(|claim| claim.rules.contains(&flag));
    let (Some(claim), Some(rules), Some(known)) =
        (claim, Rules::without(flag), FLAGS.iter().find(|known| known.name == flag))
    else {
        return false;
    };
    println!("Without {} ({}) this fails:\n  {}", known.rule, known.off, claim.sentence);
    for step in trace(M::new(rules), claim.sentence).unwrap_or_default() {
        println!("  - {step}");
    }
    true
}
