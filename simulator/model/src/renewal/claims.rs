//! What the model of renewal claims.

use super::{Pass, Reason, Renewal, State, Store, WINDOW};
use crate::types::{Claim, Explained, Kind, Rules};

impl Explained for Renewal {
    const NAME: &'static str = "renewal";
    const BOUNDS: &'static str = "one node, two keys, client_times and a clock of five units of 60 s, one \
        proof signed twice, two proofs and any of their replays, two calls in flight with one client_time, \
        one reclaim or one setting back of the clock or one clearing by an operator, any restarts";
    const STATES: usize = 62_082;

    fn new(rules: Rules) -> Self {
        Self { rules }
    }

    fn claims() -> Vec<Claim<Self>> {
        [replays(), keys(), floor()].into_iter().flatten().collect()
    }

    fn outcome(_: &State, after: &State) -> String {
        after.0.as_ref().map_or_else(|reason| format!("refused, {reason}"), |_| String::new())
    }
}

fn replays() -> Vec<Claim<Renewal>> {
    vec![
        Claim {
            kind: Kind::Holds,
            rules: &[
                "renewal_3",
                "renewal_3_fields",
                "renewal_3_recorded",
                "renewal_3_atomic",
                "renewal_3_restart",
                "renewal_3_age",
                "renewal_3_floor",
            ],
            sentence: "No proof passes twice in a generation: not on two replicas, after a restart, among \
                others, refused once, signed again, or after the clock was set back.",
            holds: |_, state| store(state, |store| store.cleared || pass_once(store)),
            twin: "A proof that has left the memory is refused after the clock was set back.",
            reached: |_, state| state.0 == Err(Reason::Floor { set_back: true }),
        },
        Claim {
            kind: Kind::Fails,
            rules: &[],
            sentence: "No proof passes twice in a generation, also after an operator has cleared the memory.",
            holds: |_, state| store(state, pass_once),
            twin: "A proof is refused because it is remembered.",
            reached: |_, state| state.0 == Err(Reason::Remembered),
        },
        Claim {
            kind: Kind::Holds,
            rules: &["renewal_2_clock"],
            sentence: "No proof passes more than 60 s after its client_time.",
            holds: |_, state| store(state, |store| store.passes.iter().all(|pass| pass.age <= WINDOW)),
            twin: "One proof passes exactly 60 s early and another exactly 60 s late.",
            reached: |_, state| {
                let ages = |store: &Store| {
                    [WINDOW, -WINDOW].iter().all(|age| store.passes.iter().any(|pass| pass.age == *age))
                };
                state.0.as_ref().is_ok_and(ages)
            },
        },
    ]
}

fn keys() -> Vec<Claim<Renewal>> {
    vec![
        Claim {
            kind: Kind::Holds,
            rules: &["renewal_2_generation"],
            sentence: "No proof of an older generation's key passes.",
            holds: |_, state| store(state, |store| !store.passes.iter().any(|pass| pass.old)),
            twin: "A proof of the old key is refused.",
            reached: |_, state| state.0 == Err(Reason::OldKey),
        },
        Claim {
            kind: Kind::Holds,
            rules: &["renewal_2_issue"],
            sentence: "No certificate is issued in an older generation than the node's.",
            holds: |_, state| store(state, |store| !store.stale_issue),
            twin: "A reclaim comes between a proof and its certificate, and none is issued.",
            reached: |_, state| state.0 == Err(Reason::OldKeyAtIssue),
        },
    ]
}

fn floor() -> Vec<Claim<Renewal>> {
    vec![
        Claim {
            kind: Kind::Holds,
            rules: &["renewal_2_ahead", "renewal_3_memory", "renewal_3_floor_only"],
            sentence: "While the clock is never set back, no proof that is in its time and was not used \
                is refused.",
            holds: |_, state| store(state, |store| store.set_back || is_open(store)),
            twin: "The floor has risen.",
            reached: |_, state| state.0.as_ref().is_ok_and(|store| store.floor.is_some()),
        },
        Claim {
            kind: Kind::Fails,
            rules: &[],
            sentence: "No proof that is in its time and was not used is refused, also after the clock \
                was set back.",
            holds: |_, state| store(state, is_open),
            twin: "After the clock was set back a used proof is remembered whose time is still to come.",
            reached: |_, state| {
                let ahead =
                    |store: &Store| store.memory.iter().any(|entry| entry.client_time > store.now + WINDOW);
                state.0.as_ref().is_ok_and(|store| store.set_back && ahead(store))
            },
        },
    ]
}

/// A refusal has no store: what holds of the store before holds.
fn store(state: &State, holds: impl Fn(&Store) -> bool) -> bool {
    state.0.as_ref().map_or(true, holds)
}

fn pass_once(store: &Store) -> bool {
    let mut passes = store.passes.iter().enumerate();
    let same = |a: &Pass, b: &Pass| (a.client_time, a.generation) == (b.client_time, b.generation);
    passes.all(|(at, pass)| !store.passes[..at].iter().any(|earlier| same(earlier, pass)))
}

/// Whether the floor lets through every proof in its time that was not used.
fn is_open(store: &Store) -> bool {
    let used = |time| {
        store.passes.iter().any(|pass| (pass.client_time, pass.generation) == (time, store.generation))
    };
    (store.now - WINDOW..=store.now + WINDOW).all(|time| used(time) || store.floor < Some(time))
}
