//! Selectors: what they hit, and what is refused.

use std::collections::BTreeSet;

use conformance::select::{Shard, find, glob, nearest, select};

use crate::small::suite;

fn hits(only: &[&str], not: &[&str]) -> Result<Vec<String>, String> {
    let texts = |words: &[&str]| words.iter().map(|&word| word.into()).collect::<Vec<String>>();
    let suite = suite();
    let ids = select(&suite, &texts(only), &texts(not), None).map_err(|error| error.0)?;
    Ok(ids.into_iter().map(String::from).collect())
}

#[test]
fn everything_is_hit_by_nothing() {
    assert_eq!(hits(&[], &[]).unwrap().len(), suite().cases.len());
}

#[test]
fn each_kind_of_selector_hits_its_cases() {
    assert_eq!(hits(&["token/ttl-over"], &[]).unwrap(), ["token/ttl-over"]);
    assert_eq!(hits(&["config/*"], &[]).unwrap(), ["config/pin", "config/pin-forms"]);
    assert_eq!(hits(&["rule:CONFIG-1"], &[]).unwrap(), ["config/pin", "config/pin-forms"]);
    assert_eq!(hits(&["rule:TOKEN-2"], &[]).unwrap(), ["config/pin-forms"], "a later rule counts");
    assert_eq!(hits(&["op:smbios.uuid"], &[]).unwrap(), ["claims/uuid"]);
    assert_eq!(hits(&["step:claims", "source:documented"], &[]).unwrap(), ["claims/uuid", "config/pin"]);
    assert_eq!(hits(&["step:config"], &["source:documented"]).unwrap(), ["config/pin-forms"]);
}

#[test]
fn a_selector_that_is_none_or_hits_nothing_is_refused_with_a_hint() {
    for (selector, words) in [
        ("token/ttl-ovr", "no case matches; did you mean token/ttl-over?"),
        ("rule:CONFIG-2", "no case matches; did you mean CONFIG-1?"),
        ("op:pin.prase", "did you mean pin.parse?"),
        ("stpe:token", "there is no selector stpe:; did you mean step:?"),
        ("source:guessed", "no case matches"),
        ("failed-in:/no/such/file.json", "/no/such/file.json"),
    ] {
        let error = hits(&[selector], &[]).unwrap_err();
        assert!(error.contains(words), "{error}");
        assert!(hits(&[], &[selector]).is_err(), "{selector} under --not");
    }
}

#[test]
fn the_failures_of_a_report_can_be_selected() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let report =
        r#"{"cases":[{"id":"config/pin","outcome":"pass"},{"id":"token/ttl-day","outcome":"crash"}]}"#;
    std::fs::write(file.path(), report).unwrap();
    let selector = format!("failed-in:{}", file.path().display());
    assert_eq!(hits(&[&selector], &[]).unwrap(), ["token/ttl-day"]);
}

#[test]
fn shards_are_a_partition() {
    let suite = suite();
    let mut seen = BTreeSet::new();
    for part in 1..=3 {
        let shard = Shard::parse(&format!("{part}/3")).unwrap();
        for id in select(&suite, &[], &[], Some(shard)).unwrap() {
            assert!(seen.insert(id), "{id} is in two shards");
        }
    }
    assert_eq!(seen.len(), suite.cases.len());
    for bad in ["0/3", "4/3", "1", "a/b", "1/0"] {
        assert!(Shard::parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn globs_and_close_names() {
    assert!(
        glob("token/*", "token/ttl") && glob("*", "") && glob("t?l", "ttl") && glob("*ttl*", "token/ttl-day")
    );
    assert!(!glob("token/?", "token/ab") && !glob("token", "token/a"));
    assert_eq!(nearest("tokn", ["seal", "token"]), Some("token"));
    assert_eq!(nearest("zzzz", ["seal", "token"]), None);
    let error = find(&suite(), "config/pins").unwrap_err().0;
    assert_eq!(error, "config/pins: there is no such case; did you mean config/pin?");
}
