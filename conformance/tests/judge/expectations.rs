//! Known failures: an entry that tells the truth excuses, every other one is stale.

use conformance::expectations::{Checked, Expectations, Words};
use conformance::outcome::{CaseResult, Outcome, Verdict};
use vectors::schema::Verdict as Expected;

use crate::small::suite;

const TODAY: &str = "2026-06-01";

/// Results in which one case is not as expected.
fn results(id: &str, verdict: &Verdict) -> Vec<CaseResult> {
    suite()
        .cases
        .iter()
        .map(|case| CaseResult {
            id: case.id.clone(),
            step: case.step.clone(),
            op: case.op.clone(),
            rules: case.rules.clone(),
            source: case.source,
            rejects: case.verdict == Expected::Reject,
            advisory: false,
            verdict: if case.id == id { verdict.clone() } else { Verdict::new(Outcome::Pass, "") },
        })
        .collect()
}

fn entry(case: &str, outcome: &str, more: &str, expires: &str, manifest: &str) -> String {
    format!(
        "[[expect]]\ncase = \"{case}\"\noutcome = \"{outcome}\"\n{more}reason = \"known\"\nlink = \"https://x/1\"\n\
         expires = \"{expires}\"\nmanifest = \"{manifest}\"\n"
    )
}

fn check(case: &str, outcome: &str, more: &str, seen: &Verdict) -> Checked {
    let file = Expectations::parse(&entry(case, outcome, more, "2026-06-01", &suite().digest)).unwrap();
    file.check(&suite(), &results("token/ttl-over", seen), TODAY)
}

fn stale(checked: &Checked, words: &str) {
    assert!(checked.excused.is_empty(), "{checked:?}");
    assert!(matches!(checked.stale.as_slice(), [text] if text.contains(words)), "{checked:?}");
}

fn fail() -> Verdict {
    Verdict::new(Outcome::Fail, "accepted")
}

#[test]
fn an_entry_that_is_true_excuses_its_case_through_its_last_day() {
    let checked = check("token/ttl-over", "fail", "", &fail());
    assert_eq!(checked.excused, [("token/ttl-over".to_owned(), "known".to_owned())]);
    assert!(checked.stale.is_empty());
}

#[test]
fn an_entry_that_is_no_longer_true_is_stale() {
    stale(&check("token/ttl-over", "fail", "", &Verdict::new(Outcome::Pass, "")), "is pass now, not fail");
    stale(&check("token/ttl-over", "fail", "", &Verdict::new(Outcome::Crash, "")), "is crash now, not fail");
    stale(
        &check("token/ttl-over", "fail", "", &Verdict::waived(Outcome::Unsupported, "")),
        "is unsupported now",
    );
    stale(&check("token/ttl-over", "fail", "", &Verdict::waived(Outcome::NotRun, "")), "is not-run now");
    let wrong = Verdict::new(Outcome::WrongReason, "").with_cat(Some("config".into()));
    stale(
        &check("token/ttl-over", "wrong-reason", "cat = \"seal\"\n", &wrong),
        "(config) now, not wrong-reason (seal)",
    );
    assert!(check("token/ttl-over", "wrong-reason", "cat = \"config\"\n", &wrong).stale.is_empty());
    stale(&check("token/ttl-nowhere", "fail", "", &fail()), "matches no case");
}

#[test]
fn an_entry_of_other_vectors_or_an_old_day_is_stale() {
    let results = results("token/ttl-over", &fail());
    let other = Expectations::parse(&entry("token/ttl-over", "fail", "", "2026-12-31", "00")).unwrap();
    stale(&other.check(&suite(), &results, TODAY), "written for other vectors");
    let old =
        Expectations::parse(&entry("token/ttl-over", "fail", "", "2026-05-31", &suite().digest)).unwrap();
    stale(&old.check(&suite(), &results, TODAY), "expired on 2026-05-31");
}

#[test]
fn a_glob_excuses_at_most_twenty_cases_and_must_be_true_of_each() {
    let checked = check("token/ttl-over*", "fail", "", &fail());
    assert_eq!(checked.excused.len(), 1);
    let checked = check("token/*", "fail", "", &fail());
    assert_eq!((checked.excused.len(), checked.stale.len()), (1, 6));
    let mut many = suite();
    let case = many.cases[0].clone();
    for number in 0..21 {
        let mut case = case.clone();
        case.id = format!("zz/{number}");
        many.cases.push(case);
    }
    let file = Expectations::parse(&entry("zz/*", "fail", "", "2026-12-31", &many.digest)).unwrap();
    stale(&file.check(&many, &[], TODAY), "matches 21 cases, over 20");
}

#[test]
fn a_case_that_was_not_selected_makes_nothing_stale() {
    let file =
        Expectations::parse(&entry("token/ttl-over", "fail", "", "2026-12-31", &suite().digest)).unwrap();
    assert_eq!(file.check(&suite(), &[], TODAY), Checked::default());
}

#[test]
fn an_entry_says_everything_or_is_refused() {
    let good = entry("a", "fail", "", "2026-12-31", "00");
    assert!(Expectations::parse(&good).is_ok());
    for (from, to) in [
        ("reason = \"known\"", "reason = \" \""),
        ("link = \"https://x/1\"\n", ""),
        ("2026-12-31", "2026-13-31"),
        ("2026-12-31", "someday"),
        ("\"fail\"", "\"pass\""),
        ("\"fail\"", "\"broken\""),
        ("manifest", "digest"),
    ] {
        assert!(Expectations::parse(&good.replace(from, to)).is_err(), "{from} -> {to}");
    }
}

#[test]
fn an_update_keeps_the_words_of_what_is_still_true() {
    let old = Expectations::parse(&entry("token/ttl-over", "fail", "", "2026-12-31", "00")).unwrap();
    let mut results = results("token/ttl-over", &fail());
    results[0].verdict = Verdict::new(Outcome::Crash, "");
    let words = Words { reason: "new", link: "https://x/2", expires: "2027-01-01" };
    let new = old.updated(&results, &suite().digest, &words);
    let told: Vec<_> =
        new.expect.iter().map(|entry| (entry.case.as_str(), entry.outcome, entry.reason.as_str())).collect();
    assert_eq!(told, [("claims/uuid", Outcome::Crash, "new"), ("token/ttl-over", Outcome::Fail, "known")]);
    let again = Expectations::parse(&new.to_text().unwrap()).unwrap();
    assert_eq!(again, new);
    assert_eq!(again.check(&suite(), &results, TODAY).stale, Vec::<String>::new());
}
