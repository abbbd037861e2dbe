//! The forge is deterministic, makes what the contract names, and lets each edit be undone.

use std::collections::{BTreeMap, BTreeSet};

use super::{Choices, Forge, ops};

const CONTRACT: &str = include_str!("../../../conformance/SHIM.md");

fn forge() -> Forge {
    let choices: Choices = BTreeMap::from(
        [
            ("seal.iat-window", ["none", "window"]),
            ("request-binding", ["checked", "none"]),
            ("hwkey.selection", ["stable", "all"]),
            ("hwkey.independence", ["kinds", "facts"]),
            ("client.node-tenant", ["accept", "refuse"]),
        ]
        .map(|(name, values)| (name.to_owned(), values.map(String::from).to_vec())),
    );
    Forge::new(&crate::cases::all(), choices)
}

#[test]
fn every_op_of_the_contract_but_the_worlds_has_a_forge() {
    let ops_of_page =
        CONTRACT.lines().filter(|line| line.starts_with("| `") && line.matches(" | ").count() == 4);
    let named: Vec<&str> =
        ops_of_page.filter_map(|line| line.split('`').nth(1)).filter(|op| op.contains('.')).collect();
    assert_eq!(named, ops());
    assert!(named.len() > 25);
}

#[test]
fn the_same_op_seed_and_number_give_the_same_call_and_others_another() {
    let (one, two) = (forge(), forge());
    let none = BTreeSet::new();
    for op in ops() {
        let made: Vec<_> = (0..20).map(|number| one.make(op, 1, number, &none).unwrap()).collect();
        let again: Vec<_> = (0..20).map(|number| two.make(op, 1, number, &none).unwrap()).collect();
        assert_eq!(made, again, "{op}");
        let other: Vec<_> = (0..20).map(|number| two.make(op, 2, number, &none).unwrap()).collect();
        assert_ne!(made, other, "{op}");
    }
}

#[test]
fn an_edit_that_is_undone_leaves_the_others_as_they_were() {
    let forge = forge();
    let none = BTreeSet::new();
    let mut compared = 0;
    for op in ops() {
        for number in 0..60 {
            let whole = forge.make(op, 1, number, &none).unwrap();
            if whole.edits != 1 {
                continue;
            }
            let undone = forge.make(op, 1, number, &BTreeSet::from([0])).unwrap();
            assert_eq!((undone.edits, &undone.choices), (1, &whole.choices), "{op} {number}");
            compared += usize::from(undone.input != whole.input);
        }
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn an_op_without_a_forge_gives_nothing() {
    assert_eq!(forge().make("world.step", 1, 0, &BTreeSet::new()), None);
}
