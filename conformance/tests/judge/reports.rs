//! What people and machines read.

use conformance::expectations::Checked;
use conformance::explain::{explain, repro};
use conformance::outcome::{Outcome, Verdict as Judgement};
use conformance::report::{Exit, Report, console, json, junit, markdown, rule_states};
use conformance::spec::Spec;
use conformance::suite::{Signed, Suite, SuiteError};
use vectors::manifest::{self, Files, TrustKey};
use vectors::schema::Verdict;

use crate::small::{limits, run, suite, zoo};

/// A spec of two pages, so that snapshots do not move with the real one.
fn spec() -> Spec {
    let token = "# TOKEN: the token\n\n## Rules\n\n### TOKEN-2\n- **[C]** Parsing is exact.\nChecked: reject\n\n\
                 ### TOKEN-5\n- **[D]** A lifetime is 1 minute to 24 hours.\n- **[C]** Units stand in order.\n\
                 Checked: accept+reject\n\n### TOKEN-6\n- **[D]** Owners mint.\nChecked: live\n\n\
                 ### TOKEN-7\n- **[C]** Retried.\nChecked: accept\n";
    let config = "# CONFIG: the file\n\n## Rules\n\n### CONFIG-1\n- **[D]** A pin has one form.\nChecked: accept+reject\n\n\
                  ### CONFIG-2\n- **[C]** Whole.\nChecked: reject\n\n### CONFIG-3\n- **[C]** Time.\n\
                  Checked: cannot: nobody sees it\n\n### CONFIG-4\n- **[C]** Pure.\nChecked: build: is_pure\n";
    let todo = "[[todo]]\nrule = \"CONFIG-2\"\nreason = \"later\"\n";
    Spec::parse(&[("02-token.md", token), ("25-config.md", config), ("todo.toml", todo)]).unwrap()
}

fn report(fault: &str) -> Report {
    let mut run = run(&zoo("one_fault.py", &[fault]), limits()).unwrap();
    run.warnings = Vec::new();
    Report::new(&suite(), &spec(), "./shim", run, Checked::default())
}

#[test]
fn the_console_report_of_a_good_and_of_a_bad_run() {
    insta::assert_snapshot!("console_good", console::render(&report("")));
    insta::assert_snapshot!("console_bad", console::render(&report("accepts")));
    insta::assert_snapshot!("console_undeclared", console::render(&report("undeclared")));
}

#[test]
fn the_report_for_machines_has_every_member() {
    insta::assert_json_snapshot!("json_bad", json::render(&report("accepts")));
}

#[test]
fn the_markdown_report() {
    insta::assert_snapshot!("markdown_bad", markdown::render(&report("word")));
}

#[test]
fn the_junit_report_counts_failures_and_skips_what_is_excused() {
    let xml = junit::render(&report("accepts")).unwrap();
    assert!(xml.contains("failures=\"1\"") && xml.contains("token/ttl-over"), "{xml}");
    let mut excused = report("accepts");
    excused.expected.excused.push(("token/ttl-over".into(), "known".into()));
    let xml = junit::render(&excused).unwrap();
    assert!(xml.contains("failures=\"0\"") && xml.contains("(expected: known)"), "{xml}");
}

#[test]
fn the_exit_status_says_what_a_run_is_worth() {
    assert_eq!(report("").exit(), Exit::AsExpected);
    assert_eq!(report("undeclared").exit(), Exit::AsExpected);
    let mut bad = report("accepts");
    assert_eq!(bad.exit(), Exit::Unexpected);
    bad.expected.excused.push(("token/ttl-over".into(), "known".into()));
    assert_eq!(bad.exit(), Exit::AsExpected);
    bad.expected.stale.push("something".into());
    assert_eq!(bad.exit(), Exit::Stale);
    let mut nothing = report("");
    nothing.cases.clear();
    assert_eq!(nothing.exit(), Exit::Incomplete);
    let codes =
        [Exit::AsExpected, Exit::Unexpected, Exit::Stale, Exit::Incomplete, Exit::NotAuthentic, Exit::Usage];
    assert_eq!(codes.map(Exit::code), [0, 1, 2, 3, 4, 64]);
}

#[test]
fn a_claim_needs_the_whole_suite_and_authentic_vectors() {
    assert!(report("").claim().starts_with("Conforms: all 10 cases"));
    assert!(report("undeclared").claim().starts_with("Passes 8 of 10"));
    let mut part = report("");
    part.cases.pop();
    assert!(part.claim().starts_with("No claim: 9 of 10"));
    assert!(!part.is_complete());
    let mut unstable = report("");
    assert!(unstable.is_complete());
    unstable.cases[0].verdict = Judgement::new(Outcome::NotRun, "unstable");
    assert!(!unstable.is_complete() && unstable.claim().contains("incomplete"));
    assert_eq!(unstable.exit(), Exit::Incomplete);
    let mut unsigned = report("");
    unsigned.signed = Signed::Unsigned.word();
    assert!(unsigned.claim().starts_with("No claim: the vectors are unsigned"));
    let mut revealed = report("");
    revealed.revealed = true;
    assert!(revealed.claim().starts_with("No claim: the ids"));
    assert!(report("silent").claim().starts_with("Passes"), "without reasons nothing conforms");
}

#[test]
fn a_rule_is_shown_when_each_side_that_is_due_has_a_case() {
    let suite = suite();
    let cases = suite.cases.iter().map(|case| (case.rules.as_slice(), case.verdict == Verdict::Reject));
    let states = rule_states(&spec(), cases);
    let told: Vec<_> =
        states.iter().map(|rule| (rule.id.as_str(), rule.accepts, rule.rejects, rule.state.word())).collect();
    let expected = [
        ("TOKEN-2", 0, 1, "shown"),
        ("TOKEN-5", 4, 3, "shown"),
        ("TOKEN-6", 0, 0, "live"),
        ("TOKEN-7", 0, 0, "not shown"),
        ("CONFIG-1", 1, 1, "shown"),
        ("CONFIG-2", 0, 0, "todo"),
        ("CONFIG-3", 0, 0, "cannot"),
        ("CONFIG-4", 0, 0, "build"),
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_case_is_explained_so_that_nothing_else_is_needed() {
    let suite = suite();
    insta::assert_snapshot!(
        "explain_reject",
        explain(&suite, &spec(), suite.case("token/ttl-over").unwrap())
    );
    insta::assert_snapshot!(
        "explain_family",
        explain(&suite, &spec(), suite.case("config/pin-forms").unwrap())
    );
}

#[test]
fn a_case_is_repeated_by_its_lines() {
    let suite = suite();
    let (lines, comments) = repro(&suite, &spec(), suite.case("token/ttl-over").unwrap());
    assert_eq!(lines.len(), 3);
    assert!(lines[0].contains("\"m\":\"hello\"") && lines[2].contains("\"m\":\"bye\""));
    let call = r#""m":"call","op":"token.ttl","now":"2026-01-01T00:00:00.000Z","in":{"text":"86401s"},"limit_ms":10000}"#;
    assert!(lines[1].ends_with(call), "{}", lines[1]);
    assert!(comments.lines().all(|line| line.starts_with('#')), "{comments}");
}

fn signed_files() -> Files {
    let mut files = Files::new();
    for case in suite().cases {
        files.insert(format!("{}.json", case.id), case.to_file().unwrap().into_bytes());
    }
    let manifest = manifest::describe(&files, &suite().cases, "00".into());
    let bytes = manifest::to_bytes(&manifest).unwrap();
    let pem = include_str!("../../../vectors/keys/development.pem");
    files.insert(manifest::SIGNATURE.into(), manifest::sign(&bytes, pem).unwrap().into_bytes());
    files.insert(manifest::MANIFEST.into(), bytes);
    files
}

#[test]
fn only_authentic_vectors_are_read_and_reports_say_whose_they_are() {
    let keys = TrustKey::built_in().unwrap();
    let files = signed_files();
    let suite = Suite::from_files(&files, &keys, false).unwrap();
    assert_eq!((suite.signed.clone(), suite.cases.len()), (Signed::Development, 10));
    assert!(suite.signed.describe().contains("development vectors"));
    let mut changed = files.clone();
    changed.insert("token/ttl-over.json".into(), b"{}".to_vec());
    let error = Suite::from_files(&changed, &keys, false).unwrap_err();
    assert!(
        matches!(&error, SuiteError::NotAuthentic(_)) && error.to_string().contains("token/ttl-over.json")
    );
    let release: Vec<TrustKey> = keys.iter().filter(|key| key.name == "release").cloned().collect();
    assert!(matches!(Suite::from_files(&files, &release, false), Err(SuiteError::NotAuthentic(_))));
    let mut bare = files;
    bare.remove(manifest::SIGNATURE);
    assert!(matches!(Suite::from_files(&bare, &keys, false), Err(SuiteError::NotAuthentic(_))));
    let unsigned = Suite::from_files(&bare, &keys, true).unwrap();
    assert!(unsigned.signed.describe().contains("PROVES NOTHING"));
}

#[test]
fn a_file_that_holds_another_case_is_refused() {
    let mut files = signed_files();
    let text = files.get("token/ttl-day.json").unwrap().clone();
    files.insert("token/zz.json".into(), text);
    let error = Suite::from_files(&files, &[], true).unwrap_err();
    assert!(error.to_string().contains("token/zz.json: holds the case token/ttl-day"), "{error}");
}
