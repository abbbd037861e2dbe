//! Making a difference small: undo edits, drop members, halve octets, while it stays the same difference.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;
use vectors::forge::{Forge, Forged};

use super::Difference;
use super::answer::kinds;
use super::pair::Pair;
use crate::session::CouldNotRun;

/// Calls spent on one difference.
const BUDGET: usize = 300;

/// Makes the difference's call smaller as long as both subjects' answers keep their kinds.
///
/// # Errors
/// As [`Pair::ask`].
pub(super) fn shrink(
    difference: &mut Difference,
    pair: &mut Pair<'_>,
    forge: &Forge,
) -> Result<(), CouldNotRun> {
    let kind = kinds(&difference.shown);
    let mut spent = 0;
    undo_edits(difference, &kind, pair, forge, &mut spent)?;
    // An output that is judged by a check belongs to the whole input.
    if difference.forged.check.is_none() {
        while spent < BUDGET && shrink_once(difference, &kind, pair, &mut spent)? {}
    }
    difference.shrunk = true;
    Ok(())
}

fn undo_edits(
    difference: &mut Difference,
    kind: &str,
    pair: &mut Pair<'_>,
    forge: &Forge,
    spent: &mut usize,
) -> Result<(), CouldNotRun> {
    let mut undone = BTreeSet::new();
    for edit in 0..difference.forged.edits {
        undone.insert(edit);
        let made = forge.make(&difference.forged.op, difference.seed, difference.number, &undone);
        let Some(smaller) = made else { return Ok(()) };
        if !keep(difference, smaller, kind, pair, spent)? {
            undone.remove(&edit);
        }
    }
    Ok(())
}

/// Takes the call if it shows the same difference.
fn keep(
    difference: &mut Difference,
    smaller: Forged,
    kind: &str,
    pair: &mut Pair<'_>,
    spent: &mut usize,
) -> Result<bool, CouldNotRun> {
    *spent += 1;
    let Some(shown) = pair.ask(std::slice::from_ref(&smaller))?.into_iter().next() else { return Ok(false) };
    let same = !shown[0].agrees(&shown[1]) && kinds(&shown) == kind;
    if same {
        (difference.forged, difference.shown) = (smaller, shown);
    }
    Ok(same)
}

/// The first smaller input that shows the same, if there is one.
fn shrink_once(
    difference: &mut Difference,
    kind: &str,
    pair: &mut Pair<'_>,
    spent: &mut usize,
) -> Result<bool, CouldNotRun> {
    for pointer in pointers(&difference.forged.input) {
        for input in smaller(&difference.forged.input, &pointer) {
            if *spent >= BUDGET {
                return Ok(false);
            }
            let candidate = Forged { input, ..difference.forged.clone() };
            if keep(difference, candidate, kind, pair, spent)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// The places in a value, the outer ones first.
fn pointers(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = std::collections::VecDeque::from([(String::new(), value)]);
    while let Some((pointer, value)) = waiting.pop_front() {
        match value {
            Value::Object(members) => {
                for (name, value) in members {
                    let name = name.replace('~', "~0").replace('/', "~1");
                    waiting.push_back((format!("{pointer}/{name}"), value));
                }
            }
            Value::Array(values) => {
                for (at, value) in values.iter().enumerate() {
                    waiting.push_back((format!("{pointer}/{at}"), value));
                }
            }
            _ => {}
        }
        if !pointer.is_empty() {
            found.push(pointer);
        }
    }
    found
}

/// The input without what stands there, and with less of it.
fn smaller(input: &Value, pointer: &str) -> Vec<Value> {
    let mut out = Vec::new();
    let (parent, name) = pointer.rsplit_once('/').unwrap_or_default();
    let mut without = input.clone();
    let removed = match without.pointer_mut(parent) {
        Some(Value::Object(members)) => members.remove(&name.replace("~1", "/").replace("~0", "~")).is_some(),
        Some(Value::Array(values)) => {
            name.parse().ok().filter(|&at| at < values.len()).map(|at: usize| values.remove(at)).is_some()
        }
        _ => false,
    };
    if removed {
        out.push(without);
    }
    for less in input.pointer(pointer).map(lesser).unwrap_or_default() {
        let mut with_less = input.clone();
        if let Some(place) = with_less.pointer_mut(pointer) {
            *place = less;
        }
        out.push(with_less);
    }
    out
}

/// Lesser values: half of the octets, or of the characters.
fn lesser(value: &Value) -> Vec<Value> {
    let Value::String(text) = value else { return Vec::new() };
    if let Ok(octets) = URL_SAFE_NO_PAD.decode(text) {
        let pieces =
            cuts(octets.len()).into_iter().map(|cut| [&octets[..cut.start], &octets[cut.end..]].concat());
        return pieces.map(|piece| URL_SAFE_NO_PAD.encode(piece).into()).collect();
    }
    let chars: Vec<char> = text.chars().collect();
    let pieces = cuts(chars.len()).into_iter().map(|cut| [&chars[..cut.start], &chars[cut.end..]].concat());
    pieces.map(|piece| piece.into_iter().collect::<String>().into()).collect()
}

/// What to cut out of something of this length: halves, then quarters, then one at either end.
fn cuts(length: usize) -> Vec<std::ops::Range<usize>> {
    let mut cuts = Vec::new();
    for parts in [2, 4] {
        let size = length / parts;
        if size > 1 {
            cuts.extend((0..parts).map(|part| part * size..(part + 1) * size));
        }
    }
    if length > 0 {
        cuts.extend([0..1, length - 1..length]);
    }
    cuts
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_place_is_found_and_the_outer_ones_come_first() {
        let value = json!({"a": {"b/c": 1}, "d": ["x"]});
        assert_eq!(pointers(&value), ["/a", "/d", "/a/b~1c", "/d/0"]);
    }

    #[test]
    fn a_member_goes_or_is_halved() {
        let candidates = smaller(&json!({"a": "AAECAw", "n": 1}), "/a");
        assert!(candidates.contains(&json!({"n": 1})));
        assert!(candidates.contains(&json!({"a": "AAE", "n": 1})));
        assert!(candidates.contains(&json!({"a": "AgM", "n": 1})));
        assert!(candidates.contains(&json!({"a": "AAEC", "n": 1})));
        assert_eq!(smaller(&json!({"l": [1, 2]}), "/l/1")[0], json!({"l": [1]}));
        assert_eq!(smaller(&json!({"a/b": 1}), "/a~1b"), [json!({})]);
    }
}
