//! Two dumps compared: exactly the rows, events and audit rows that a step should change or add.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Map, Value};
use vectors::schema::Effects;

use super::fault::Fault;
use super::values::Values;
use crate::wire::clip;

/// The lists of rows, each with the member that is its id.
const ROWS: [(&str, &str); 3] = [("tokens", "id"), ("nodes", "id"), ("certs", "serial")];
/// The lists that only grow, each with the member that is a name.
const LOGS: [(&str, &str); 2] = [("events", "name"), ("audit", "action")];

/// Whether the dump after a load holds the world's rows and nothing else.
pub(super) fn check_loaded(world: &Value, dump: &Value) -> Result<(), Fault> {
    for (name, _) in LOGS {
        if !list(dump, name)?.is_empty() {
            return Err(Fault::Differs(format!(": {name} is not empty")));
        }
    }
    for (name, id) in ROWS {
        let rows = list(dump, name)?;
        let there = world[name].as_array().map_or(0, Vec::len);
        if rows.len() != there {
            return Err(Fault::Differs(format!(": {} rows of {name}, not {there}", rows.len())));
        }
        for row in rows {
            self::id(row, name, id)?;
        }
    }
    Ok(())
}

/// Compares what a step changed with what it should.
pub(super) fn check(
    expected: &Effects,
    before: &Value,
    after: &Value,
    request: &Value,
    values: &mut Values<'_>,
) -> Result<(), Fault> {
    let lists = expected.lists().map(|(name, entries)| (name, entries.to_vec()));
    let expected: BTreeMap<&str, Vec<Value>> = lists.into_iter().collect();
    let of = |name: &str| expected.get(name).map(Vec::as_slice).unwrap_or_default();
    for (name, id) in ROWS {
        let changes = changes(list(before, name)?, list(after, name)?, (name, id))?;
        rows(of(name), &changes, name, values)?;
    }
    for (name, member) in LOGS {
        let (old, new) = (list(before, name)?, list(after, name)?);
        let Some(added) = new.strip_prefix(old) else {
            return Err(Fault::Differs(format!("{name}: what was there before is not there any more")));
        };
        log(of(name), added, (name, member), values)?;
        added.iter().try_for_each(|entry| holds_no_secret(entry, request, name))?;
    }
    Ok(())
}

fn list<'d>(dump: &'d Value, name: &str) -> Result<&'d [Value], Fault> {
    let list = dump.get(name).and_then(Value::as_array).map(Vec::as_slice);
    list.ok_or_else(|| Fault::Differs(format!("the dump has no list {name}")))
}

fn id<'r>(row: &'r Value, list: &str, member: &str) -> Result<&'r str, Fault> {
    let id = row.get(member).and_then(Value::as_str);
    id.ok_or_else(|| Fault::Differs(format!("a row of {list} has no text in {member}")))
}

/// A row that differs.
#[derive(Debug)]
enum Change<'d> {
    New { id: &'d str, row: &'d Value },
    Changed { id: &'d str, members: Map<String, Value> },
}

fn changes<'d>(
    before: &'d [Value],
    after: &'d [Value],
    (list, member): (&str, &str),
) -> Result<Vec<Change<'d>>, Fault> {
    let mut old = BTreeMap::new();
    for row in before {
        old.insert(id(row, list, member)?, row);
    }
    let (mut changes, mut seen) = (Vec::new(), BTreeSet::new());
    for row in after {
        let id = id(row, list, member)?;
        if !seen.insert(id) {
            return Err(Fault::Differs(format!("{list}: two rows have the {member} {id}")));
        }
        match old.remove(id) {
            None => changes.push(Change::New { id, row }),
            Some(was) if was == row => {}
            Some(was) => changes.push(Change::Changed { id, members: changed(was, row) }),
        }
    }
    match old.keys().next() {
        Some(id) => Err(Fault::Differs(format!("{list}: the row {id} is gone"))),
        None => Ok(changes),
    }
}

fn changed(was: &Value, is: &Value) -> Map<String, Value> {
    let none = Map::new();
    let (was, is) = (was.as_object().unwrap_or(&none), is.as_object().unwrap_or(&none));
    let names: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
    names
        .into_iter()
        .filter(|name| was.get(*name) != is.get(*name))
        .map(|name| (name.clone(), is.get(name).cloned().unwrap_or_default()))
        .collect()
}

impl Change<'_> {
    fn describe(&self) -> String {
        match self {
            Self::New { row, .. } => format!("new {}", clip(&row.to_string(), 300)),
            Self::Changed { id, members } => {
                format!("{id} {}", clip(&Value::Object(members.clone()).to_string(), 300))
            }
        }
    }
}

fn rows(
    expected: &[Value],
    changes: &[Change<'_>],
    list: &str,
    values: &mut Values<'_>,
) -> Result<(), Fault> {
    for (place, change) in changes.iter().enumerate() {
        let path = format!("{list}[{place}]");
        let Some(wanted) = expected.get(place) else {
            return Err(Fault::at(list, format!("a change that must not be: {}", change.describe())));
        };
        match (wanted.get("$new").and_then(Value::as_str), change) {
            (Some(label), Change::New { id, row }) => {
                values.bind(label, id)?;
                members(wanted, row, &path, values)?;
            }
            (None, Change::Changed { id, members }) => exactly(wanted, id, members, &path, values)?,
            (Some(label), change) => {
                let what = format!("changed {}, expected the new row {label}", change.describe());
                return Err(Fault::at(&path, what));
            }
            (None, change) => {
                let what = format!("{}, expected a change {}", change.describe(), shown(wanted));
                return Err(Fault::at(&path, what));
            }
        }
    }
    match expected.get(changes.len()) {
        Some(missing) => Err(Fault::at(list, format!("not changed, expected {}", shown(missing)))),
        None => Ok(()),
    }
}

/// A changed row has exactly the changed members.
fn exactly(
    wanted: &Value,
    id: &str,
    changed: &Map<String, Value>,
    path: &str,
    values: &Values<'_>,
) -> Result<(), Fault> {
    let mut wanted = values.resolve(wanted, "")?;
    let Some(own) = wanted.as_object_mut().and_then(|members| members.remove("id")) else {
        return Err(Fault::Suite(format!("{path}: a changed row without id")));
    };
    if own != id {
        return Err(Fault::at(path, format!("the row {id} changed, expected {own}")));
    }
    if wanted != Value::Object(changed.clone()) {
        let is = Value::Object(changed.clone());
        return Err(Fault::at(path, format!("{id} became {}, expected {}", shown(&is), shown(&wanted))));
    }
    Ok(())
}

/// What is listed must match; what is not listed is free.
fn members(wanted: &Value, actual: &Value, path: &str, values: &Values<'_>) -> Result<(), Fault> {
    for (name, wanted) in wanted.as_object().into_iter().flatten().filter(|(name, _)| *name != "$new") {
        let path = format!("{path}/{name}");
        let is = actual.get(name);
        if wanted.get("$absent").is_some() {
            if let Some(is) = is {
                return Err(Fault::at(&path, format!("{}, must be absent", shown(is))));
            }
            continue;
        }
        let wanted = values.resolve(wanted, "")?;
        match is {
            Some(is) if *is == wanted => {}
            Some(is) => return Err(Fault::at(&path, format!("{}, expected {}", shown(is), shown(&wanted)))),
            None => return Err(Fault::at(&path, format!("missing, expected {}", shown(&wanted)))),
        }
    }
    Ok(())
}

/// Entries of one name come in their order; the spec does not order different names.
fn log(
    expected: &[Value],
    added: &[Value],
    (list, member): (&str, &str),
    values: &Values<'_>,
) -> Result<(), Fault> {
    let name = |entry: &Value| entry.get(member).and_then(Value::as_str).unwrap_or_default().to_owned();
    let names: BTreeSet<String> = expected.iter().chain(added).map(name).collect();
    for wanted in names {
        let of_name = |entries: &[Value]| {
            entries.iter().filter(|entry| name(entry) == wanted).cloned().collect::<Vec<_>>()
        };
        let (expected, added) = (of_name(expected), of_name(added));
        if expected.len() != added.len() {
            let seen =
                added.first().map(|entry| format!("; the first is {}", shown(entry))).unwrap_or_default();
            let what = format!("{} of {wanted}, expected {}{seen}", added.len(), expected.len());
            return Err(Fault::at(list, what));
        }
        for (place, (expected, added)) in expected.iter().zip(&added).enumerate() {
            members(expected, added, &format!("{list}/{wanted}[{place}]"), values)?;
        }
    }
    Ok(())
}

/// A claim that is shorter may stand in a hash or a name by chance.
const TELLING_CLAIM: usize = 6;

/// REFUSAL-2, TOKEN-3: no event holds a token, nor a seal, a CSR or a claim of the request.
fn holds_no_secret(entry: &Value, request: &Value, list: &str) -> Result<(), Fault> {
    let text = entry.to_string();
    for name in ["seal", "csr"] {
        let held = request.get(name).and_then(Value::as_str).filter(|secret| secret.len() > 16);
        if held.is_some_and(|secret| text.contains(secret)) {
            return Err(Fault::at(list, format!("an entry holds the request's {name}")));
        }
    }
    if text.contains("bcjt_") {
        return Err(Fault::at(list, "an entry holds a token"));
    }
    let folded = text.to_lowercase();
    for (name, sent) in claims(request) {
        let raw = URL_SAFE_NO_PAD.decode(sent).unwrap_or_default();
        let claim = String::from_utf8_lossy(&raw).trim().to_lowercase();
        if [sent.to_lowercase(), claim]
            .iter()
            .any(|held| held.len() >= TELLING_CLAIM && folded.contains(held))
        {
            return Err(Fault::at(list, format!("an entry holds the claim {name} of the request")));
        }
    }
    Ok(())
}

/// The claims of a request, as base64url.
fn claims(request: &Value) -> Vec<(&str, &str)> {
    let members = request.get("claims").and_then(Value::as_object).into_iter().flatten();
    members
        .flat_map(|(name, value)| {
            let values = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
            values.iter().filter_map(|value| Some((name.as_str(), value.as_str()?)))
        })
        .collect()
}

fn shown(value: &Value) -> String {
    clip(&value.to_string(), 300)
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use vectors::script::script_accept;

    use super::*;

    fn said(expected: Value, before: Value, after: Value) -> String {
        let case = script_accept("token/x", "TOKEN-1", "X.").build();
        let mut values = Values::new(&case);
        let expected: Effects = serde_json::from_value(expected).unwrap();
        let whole = |mut dump: Value| {
            for name in ["tokens", "nodes", "certs", "events", "audit"] {
                if dump.get(name).is_none() {
                    dump[name] = json!([]);
                }
            }
            dump
        };
        let serial = URL_SAFE_NO_PAD.encode("CN7220036H04QB");
        let request =
            json!({"csr": "c".repeat(20), "claims": {"productSerial": serial, "permanentMacs": []}});
        match check(&expected, &whole(before), &whole(after), &request, &mut values) {
            Ok(()) => "ok".into(),
            Err(fault) => fault.to_string(),
        }
    }

    #[test]
    fn a_changed_row_has_exactly_its_members() {
        let row =
            |uses: u8, revoked: bool| json!({"tokens": [{"id": "t", "usesLeft": uses, "revoked": revoked}]});
        let wanted = || json!({"tokens": [{"id": "t", "usesLeft": 1}]});
        assert_eq!(said(wanted(), row(2, false), row(1, false)), "ok");
        assert!(said(wanted(), row(2, false), row(0, false)).contains("expected {\"usesLeft\":1}"));
        assert!(said(wanted(), row(2, false), row(1, true)).contains("\"revoked\":true"));
        assert!(said(wanted(), row(2, false), row(2, false)).contains("not changed"));
        assert!(said(json!({}), row(2, false), row(1, false)).contains("must not be"));
        assert!(said(json!({}), row(2, false), json!({})).contains("the row t is gone"));
    }

    #[test]
    fn a_new_row_names_itself_for_events() {
        let wanted = |tenant: &str| {
            json!({
                "nodes": [{"$new": "n1", "tenant": "a"}],
                "events": [{"name": "node.joined", "tenant": tenant, "nodeId": "$n1", "tokenId": {"$absent": true}}],
            })
        };
        let after = json!({
            "nodes": [{"id": "node_7", "tenant": "a", "more": 1}],
            "events": [{"name": "node.joined", "tenant": "a", "nodeId": "node_7"}],
        });
        assert_eq!(said(wanted("a"), json!({}), after.clone()), "ok");
        assert!(said(wanted("b"), json!({}), after.clone()).contains("events/node.joined[0]/tenant"));
        let mut other = after.clone();
        other["events"][0]["nodeId"] = "node_8".into();
        assert!(said(wanted("a"), json!({}), other).contains("nodeId"));
        let mut held = after;
        held["events"][0]["tokenId"] = "t".into();
        assert!(said(wanted("a"), json!({}), held).contains("must be absent"));
    }

    #[test]
    fn two_rows_of_one_id_are_told() {
        let row = |more: u8| json!({"id": "t", "more": more});
        let after = json!({"tokens": [row(1), row(1)]});
        assert!(said(json!({}), json!({"tokens": [row(1)]}), after).contains("two rows have the id t"));
    }

    #[test]
    fn events_are_counted_kept_and_free_of_secrets() {
        let event = |more: &str| json!({"name": "e", "tenant": "a", "more": more});
        let wanted = || json!({"events": [{"name": "e", "tenant": "a"}]});
        let dump = |events: &[Value]| json!({"events": events});
        assert_eq!(said(wanted(), dump(&[event("old")]), dump(&[event("old"), event("new")])), "ok");
        assert!(said(wanted(), dump(&[event("old")]), dump(&[event("new")])).contains("not there any more"));
        assert!(said(wanted(), dump(&[]), dump(&[event("1"), event("2")])).contains("2 of e, expected 1"));
        assert!(said(wanted(), dump(&[]), dump(&[event(&"c".repeat(20))])).contains("request's csr"));
        assert!(
            said(wanted(), dump(&[]), dump(&[event("cn7220036h04qb")])).contains("the claim productSerial")
        );
    }
}
