//! A small case set of the tests' own, written by hand from the spec's pages, and the zoo's shims.

use std::collections::BTreeSet;
use std::time::Duration;

use conformance::judge::{self, Run, Settings};
use conformance::limits::Limits;
use conformance::outcome::{CaseResult, Outcome};
use conformance::process::Subject;
use conformance::session::CouldNotRun;
use conformance::spec::Spec;
use conformance::suite::{Signed, Suite};
use serde_json::json;
use vectors::case::{Entry, accept, reject};
use vectors::schema::Case;

/// The base64 of 32 octets of zero.
const ZERO: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

fn ttl(id: &str, text: &str, seconds: u64) -> Entry {
    accept(id, "TOKEN-5", "a lifetime")
        .call("token.ttl", json!({"text": text}))
        .out(json!({"seconds": seconds}))
}

fn bad_ttl(id: &str, text: &str, twin: &str) -> Entry {
    reject(id, "TOKEN-5", "invalid-argument", "no lifetime")
        .call("token.ttl", json!({"text": text}))
        .twin(twin, &["/in/text"], "another text")
        .why("A lifetime that is read leniently lets a token live longer than its owner thinks.")
}

/// The cases.
pub(crate) fn cases() -> Vec<Case> {
    let zero = format!("sha256/{ZERO}=");
    let entries = vec![
        ttl("token/ttl-hour", "1h", 3600),
        ttl("token/ttl-mixed", "1h30m", 5400),
        ttl("token/ttl-seconds", "90s", 90),
        ttl("token/ttl-day", "86400s", 86400),
        bad_ttl("token/ttl-over", "86401s", "token/ttl-day"),
        bad_ttl("token/ttl-blank", "1h 30m", "token/ttl-mixed"),
        bad_ttl("token/ttl-short", "59s", "token/ttl-seconds"),
        accept("config/pin", "CONFIG-1", "a pin")
            .documented()
            .call("pin.parse", json!({"pin": zero}))
            .out(json!({"sha256": ZERO})),
        reject("config/pin-forms", "CONFIG-1", "pin-malformed", "no pins")
            .also("TOKEN-2")
            .family("pin.parse")
            .bad("no padding", json!({"pin": format!("sha256/{ZERO}")}))
            .bad("other hash", json!({"pin": format!("sha512/{ZERO}=")}))
            .bad("unused bits", json!({"pin": format!("sha256/{}B=", ZERO.split_at(42).0)}))
            .twin("config/pin", &["/in/pin"], "one thing of its form"),
        accept("claims/uuid", "CLAIMS-3", "anything")
            .call("smbios.uuid", json!({"raw": "AA", "version": {}}))
            .out(json!({"uuid": {"$any": true}})),
    ];
    let mut cases: Vec<Case> = entries.into_iter().map(Entry::build).collect();
    cases.sort_by(|one, other| one.id.cmp(&other.id));
    cases
}

/// The case set, as one signed with the development key.
pub(crate) fn suite() -> Suite {
    Suite { cases: cases(), digest: "0123456789abcdef".repeat(4), signed: Signed::Development }
}

/// A shim of the zoo.
pub(crate) fn zoo(script: &str, arguments: &[&str]) -> Subject {
    let path = format!("{}/tests/zoo/{script}", env!("CARGO_MANIFEST_DIR"));
    let words = ["python3", "-B", path.as_str()].into_iter().chain(arguments.iter().copied());
    let command: Vec<String> = words.map(String::from).collect();
    let mut subject = Subject::from_command(&command).unwrap();
    subject.name = format!("zoo {script}");
    subject
}

/// A program of the system.
pub(crate) fn program(command: &str) -> Subject {
    Subject::from_command(&command.split(' ').map(String::from).collect::<Vec<_>>()).unwrap()
}

/// Limits short enough for tests, and long enough for a busy machine.
pub(crate) fn limits() -> Limits {
    Limits {
        hello: Duration::from_secs(10),
        first_call: Duration::from_millis(1500),
        call: Duration::from_millis(700),
        bye: Duration::from_secs(2),
        resident_bytes: 256 << 20,
        log_lines: 300,
        ..Limits::default()
    }
}

/// Judges with the whole small set.
pub(crate) fn run(subject: &Subject, limits: Limits) -> Result<Run, CouldNotRun> {
    run_suite(&suite(), subject, limits)
}

/// Judges with all of a set.
pub(crate) fn run_suite(suite: &Suite, subject: &Subject, limits: Limits) -> Result<Run, CouldNotRun> {
    let all: BTreeSet<&str> = suite.cases.iter().map(|case| case.id.as_str()).collect();
    let settings = Settings { limits, ..Settings::default() };
    judge::run(suite, &all, &Spec::embedded().unwrap(), subject, &settings, &mut |_, _| {})
}

/// The outcomes that are no pass, by id.
pub(crate) fn not_passed(results: &[CaseResult]) -> Vec<(&str, Outcome)> {
    let failed = results.iter().filter(|result| result.verdict.outcome != Outcome::Pass);
    failed.map(|result| (result.id.as_str(), result.verdict.outcome)).collect()
}
