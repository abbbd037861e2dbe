//! A reject beside its twin: they differ where the mutation says, and nowhere else.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use vectors::schema::{Case, Kind, Verdict};

use super::place;

/// Says where the case and its twin do not fit.
pub(super) fn check(case: &Case, cases: &BTreeMap<&str, &Case>, say: &mut impl FnMut(String)) {
    if case.kind == Kind::Script {
        return super::script::check_twin(case, cases, say);
    }
    let (Some(name), Some(mutation)) = (&case.twin, &case.mutation) else { return };
    let (id, row) = name.split_once('#').map_or((name.as_str(), None), |(id, row)| (id, Some(row)));
    let Some(twin) = cases.get(id) else { return say(format!("no twin {id}")) };
    let Some(input) = twin.calls().into_iter().find(|call| call.row == row).map(|call| call.input) else {
        return say(format!("the twin {id} has no call {}", row.unwrap_or("without a row")));
    };
    if twin.verdict != Verdict::Accept || twin.op != case.op {
        say(format!("the twin {id} must be accepted by the same op"));
    }
    if (twin.now != case.now) != mutation.at.iter().any(|at| at == "/now") {
        say("the clock differs from the twin's exactly when /now is in the mutation".into());
    }
    let listed: Vec<&str> = mutation.at.iter().map(String::as_str).filter(|&at| at != "/now").collect();
    let mut found = BTreeSet::new();
    for call in case.calls() {
        let at = call.row.map(|row| format!(" (row {row})")).unwrap_or_default();
        let mut differences = BTreeSet::new();
        diff("/in", input, call.input, &mut differences);
        if differences.is_empty() && twin.now == case.now && case.choice == twin.choice {
            say(format!("nothing differs from the twin{at}"));
        }
        found.extend(named(&listed, &differences, &mut |what| say(format!("{what}{at}"))));
        found.extend(place::check(&listed, input, call.input, &mut |what| say(format!("{what}{at}"))));
    }
    for at in listed.iter().filter(|at| !found.contains(*at)) {
        say(format!("{at} is in the mutation and does not differ from the twin"));
    }
}

/// Gives the whole values that differ as the mutation says; says what differs and is not in it.
pub(super) fn named<'l>(
    listed: &[&'l str],
    differences: &BTreeSet<String>,
    say: &mut impl FnMut(String),
) -> BTreeSet<&'l str> {
    let mut found = BTreeSet::new();
    for pointer in differences {
        if !listed.iter().any(|at| is_under(pointer, base(at))) {
            say(format!("{pointer} differs from the twin and is not in the mutation"));
        }
        found.extend(listed.iter().copied().filter(|at| !at.contains(':') && is_under(pointer, at)));
    }
    found
}

/// The JSON pointer of a place, without what stands after the colon.
pub(super) fn base(at: &str) -> &str {
    at.split_once(':').map_or(at, |(pointer, _)| pointer)
}

fn is_under(pointer: &str, at: &str) -> bool {
    pointer.strip_prefix(at).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The pointers of the smallest values that differ.
pub(super) fn diff(at: &str, left: &Value, right: &Value, found: &mut BTreeSet<String>) {
    match (left, right) {
        (Value::Object(a), Value::Object(b)) => {
            for key in a.keys().chain(b.keys()) {
                let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
                either(&at, a.get(key), b.get(key), found);
            }
        }
        (Value::Array(a), Value::Array(b)) => {
            for index in 0..a.len().max(b.len()) {
                either(&format!("{at}/{index}"), a.get(index), b.get(index), found);
            }
        }
        _ if left == right => {}
        _ => {
            found.insert(at.into());
        }
    }
}

fn either(at: &str, left: Option<&Value>, right: Option<&Value>, found: &mut BTreeSet<String>) {
    match (left, right) {
        (Some(left), Some(right)) => diff(at, left, right, found),
        _ => {
            found.insert(at.into());
        }
    }
}
