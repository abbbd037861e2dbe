//! Random histories of a small deployment keep the invariants of ADMISSION, RECLAIM, RENEWAL and X509POP.
//!
//! A history is a list of actions that any prefix of a machine's life can be followed by: where an action names
//! something that is not there it does nothing, so proptest may leave out any of them to make a failing one short.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use crate::choices::{Choices, ReclaimRetired, SealResend};

mod cast;
mod invariants;
mod store;
mod world;

use cast::Cast;
use world::{Action, World};

#[test]
fn random_histories_keep_every_invariant() {
    let cast = Cast::new();
    let config = ProptestConfig { cases: 100, ..ProptestConfig::default() };
    proptest!(config, |((choices, actions) in history())| {
        play(&cast, choices, &actions, |_| ());
    });
}

#[test]
fn the_histories_reach_every_outcome_that_there_is() {
    let cast = Cast::new();
    let mut runner = TestRunner::deterministic();
    let mut counts = BTreeMap::new();
    for _ in 0..150 {
        let (choices, actions) = history().new_tree(&mut runner).unwrap().current();
        play(&cast, choices, &actions, |outcome| *counts.entry(outcome).or_insert(0) += 1);
    }
    let reached: Vec<&str> = counts.keys().map(String::as_str).collect();
    assert_eq!(reached, REACHED, "{counts:?}");
}

/// In alphabetical order. `generation` and `node-retired` are missing on purpose: whatever ends a generation or a node
/// revokes its certificates too, and `cert-revoked` comes first.
const REACHED: &[&str] = &[
    "again",
    "cert-expired",
    "cert-not-expired",
    "cert-revoked",
    "clock",
    "conflict",
    "expect",
    "grace",
    "joined",
    "placeholder-hardware",
    "pop-superseded",
    "reclaim",
    "reclaimed",
    "renew-limit",
    "renewed",
    "replay",
    "returned",
    "seal-replayed",
    "token-expired",
    "token-revoked",
    "token-used",
    "unasked",
];

/// Plays a history, and judges every step of it by every invariant.
fn play(cast: &Cast, choices: Choices, actions: &[Action], mut tell: impl FnMut(String)) {
    let mut world = World::new(cast, choices);
    for (position, action) in actions.iter().enumerate() {
        let step = world.play(action);
        for (name, holds) in invariants::ALL {
            assert!(holds(&step), "{name}: not after action {position}, {action:?}: {:?}", step.outcome);
        }
        tell(step.outcome.to_string());
    }
}

fn history() -> impl Strategy<Value = (Choices, Vec<Action>)> {
    (choices(), prop::collection::vec(action(), 1..80))
}

fn choices() -> impl Strategy<Value = Choices> {
    let retired = prop::sample::select(ReclaimRetired::ALL);
    let resend = prop_oneof![3 => Just(SealResend::StoredAnswer), 1 => Just(SealResend::Refuse)];
    (retired, resend).prop_map(|(reclaim_retired, seal_resend)| Choices {
        reclaim_retired,
        seal_resend,
        ..Choices::default()
    })
}

fn action() -> impl Strategy<Value = Action> {
    let join = (0..cast::TOKENS, 0..cast::MACHINES, 0..cast::KEYS);
    // Things are counted from the newest, so that most of what is sent is of use.
    let recent = 0..4usize;
    let proof = || (recent.clone(), 0..cast::KEYS, skew());
    prop_oneof![
        6 => join.clone().prop_map(|(token, machine, key)| Action::Join { token, machine, key }),
        5 => join.prop_map(|(token, machine, key)| Action::Begin { token, machine, key }),
        5 => recent.clone().prop_map(Action::Finish),
        12 => proof().prop_map(|(certificate, key, skew)| Action::Renew { certificate, key, skew }),
        5 => proof().prop_map(|(certificate, key, skew)| Action::Return { certificate, key, skew }),
        4 => recent.clone().prop_map(Action::Resend),
        1 => recent.clone().prop_map(Action::Retire),
        1 => (0..cast::TOKENS).prop_map(Action::RevokeToken),
        1 => recent.clone().prop_map(Action::RevokeCertificate),
        6 => wait().prop_map(Action::Wait),
        1 => Just(Action::Restart),
    ]
}

/// How far a client's clock is off, in milliseconds: both ends of the window, and the first instants outside.
fn skew() -> impl Strategy<Value = i64> {
    prop_oneof![8 => -60_000i64..=60_000, 1 => prop::sample::select(vec![-60_001, -60_000, 60_000, 60_001])]
}

/// How far the server's clock moves, in milliseconds; it may be set back.
fn wait() -> impl Strategy<Value = i64> {
    prop_oneof![
        4 => 0i64..5_000,
        2 => prop::sample::select(vec![120_000, 120_001]),
        1 => Just(3_600_000),
        2 => Just(86_400_000),
        1 => Just(604_800_000),
        1 => -90_000i64..0,
    ]
}
