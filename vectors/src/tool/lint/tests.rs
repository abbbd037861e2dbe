use std::collections::BTreeMap;

use serde_json::{Value, json};

use vectors::case::{accept, reject};
use vectors::spec::parse_page;

use super::*;

const PAGE: &str =
    "# TOKEN: x\n## Rules\n### TOKEN-1\n- **[C]** A. `choice: c` v | w\n\nChecked: accept+reject\n";

fn spec() -> Spec {
    Spec {
        pages: vec![parse_page("02-token.md", PAGE).unwrap()],
        reasons: ["seal", "token-malformed"].map(String::from).into(),
        ..Spec::default()
    }
}

fn good() -> Vec<Case> {
    vec![
        accept("token/good", "TOKEN-1", "Good.")
            .call("o.p", json!({"a": 1, "b": [1]}))
            .out(json!({}))
            .recipe("r")
            .build(),
        reject("token/bad", "TOKEN-1", "seal", "Bad.")
            .call("o.p", json!({"a": 2, "b": [1]}))
            .twin("token/good", &["/in/a"], "a")
            .recipe("r")
            .build(),
    ]
}

/// Lints the good pair after a change of the reject.
fn after(change: impl FnOnce(&mut Case)) -> String {
    let mut cases = good();
    change(&mut cases[1]);
    lint(&cases, &spec()).join("\n")
}

#[test]
fn a_good_pair_passes() {
    assert_eq!(lint(&good(), &spec()), Vec::<String>::new());
}

#[test]
fn what_is_wrong_with_a_case_is_said() {
    type Change = fn(&mut Case);
    let table: [(Change, &str); 14] = [
        (|case| case.id = "token/good".into(), "two cases have this id"),
        (|case| case.step = "seal".into(), "the id must be seal/<name>"),
        (|case| case.rules = vec!["SEAL-1".into()], "the first rule must be one of token"),
        (|case| case.rules.push("TOKEN-9".into()), "the spec has no rule TOKEN-9"),
        (|case| case.reasons = vec!["bad".into()], "the refusal page has no reason bad"),
        (|case| case.choice = BTreeMap::from([("c".into(), "x".into())]), "no choice c with the value x"),
        (|case| case.out = Some(json!({})), "a rejected call with out"),
        (|case| case.reasons.clear(), "a reject has reasons, twin and mutation"),
        (|case| case.comment = "x".repeat(128 * 1024), "octets, at most 131072"),
        (|case| case.input = None, "either in (and out) or rows"),
        (|case| case.twin = Some("token/none".into()), "no twin token/none"),
        (|case| case.twin = Some("token/good#row".into()), "has no call row"),
        (|case| case.twin = Some("token/bad".into()), "must be accepted by the same op"),
        (|case| case.now = "2026-01-01T00:00:00.001Z".into(), "the clock differs"),
    ];
    for (change, expected) in table {
        let said = after(change);
        assert!(said.contains(expected), "{expected}: {said}");
    }
}

#[test]
fn a_twin_differs_where_the_mutation_says_and_nowhere_else() {
    let at = |places: &[&str], input: Value| {
        let places = places.iter().map(|&place| place.into()).collect();
        after(|case| {
            case.input = Some(input);
            case.mutation.as_mut().unwrap().at = places;
        })
    };
    assert!(at(&["/in/a"], json!({"a": 2, "b": [1, 2]})).contains("/in/b/1 differs"));
    assert!(at(&["/in/a"], json!({"a": 2})).contains("/in/b differs"));
    assert!(
        at(&["/in/a", "/in/b"], json!({"a": 2, "b": [1]})).contains("/in/b is in the mutation and does not")
    );
    assert!(at(&["/in/a"], json!({"a": 1, "b": [1]})).contains("nothing differs"));
    assert_eq!(at(&["/in/b", "/in/a"], json!({"a": 2, "b": [2]})), "");
    assert_eq!(at(&["/in"], json!({"b": [2]})), "");
}

#[test]
fn every_row_is_compared() {
    let said = after(|case| {
        let input = case.input.take().unwrap();
        let row = |name: &str, input| vectors::schema::Row { name: name.into(), input, out: None };
        case.rows = vec![row("x", input), row("x", json!({"a": 1, "b": [2]}))];
    });
    assert!(said.contains("two rows are called x") && said.contains("/in/b/0 differs"), "{said}");
}

#[test]
fn a_rule_without_cases_needs_a_todo_and_a_todo_without_need_is_stale() {
    let mut spec = spec();
    assert_eq!(lint(&good()[..1], &spec), ["TOKEN-1: no case on its side reject"]);
    spec.todo = BTreeMap::from([("TOKEN-1".into(), "later".into())]);
    assert_eq!(lint(&good()[..1], &spec), Vec::<String>::new());
    assert_eq!(lint(&good(), &spec), ["TOKEN-1: stale in todo.toml: nothing is missing"]);
    spec.todo = BTreeMap::from([("TOKEN-7".into(), " ".into())]);
    let said = lint(&good(), &spec).join("\n");
    assert!(said.contains("no such rule") && said.contains("without a reason"), "{said}");
}

#[test]
fn a_rule_that_only_a_live_run_shows_needs_one_or_a_todo() {
    let page = PAGE.replace("accept+reject", "live");
    let mut spec = Spec { pages: vec![parse_page("02-token.md", &page).unwrap()], ..spec() };
    assert_eq!(lint(&good(), &spec), ["TOKEN-1: no case on its side live"]);
    spec.todo = BTreeMap::from([("TOKEN-1".into(), "no server yet".into())]);
    assert_eq!(lint(&good(), &spec), Vec::<String>::new());
}

#[test]
fn every_case_matches_the_schema() {
    let schema: Value = serde_json::from_str(include_str!("../../../schema/case.schema.json")).unwrap();
    let schema = jsonschema::draft202012::new(&schema).unwrap();
    let wrong = |case: &Case| {
        let value = serde_json::to_value(case).unwrap();
        schema
            .iter_errors(&value)
            .map(|error| format!("{}: {error} at {}", case.id, error.instance_path))
            .collect()
    };
    assert_eq!(cases::all().iter().flat_map(wrong).collect::<Vec<String>>(), Vec::<String>::new());
    let mut case = good().remove(1);
    case.mutation = None;
    let found: Vec<String> = wrong(&case);
    assert!(!found.is_empty(), "a reject without mutation breaks the schema");
}

#[test]
fn the_cases_of_this_checkout_keep_the_rules() {
    let said = lint(&cases::all(), &Spec::load(&Spec::folder()).unwrap());
    assert_eq!(said, Vec::<String>::new());
}
