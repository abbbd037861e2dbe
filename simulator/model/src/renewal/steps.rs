//! What can happen in the model of renewal, and how it reads.

use std::fmt;

use stateright::{Model, Property};

use super::{END, Proof, Reason, Renewal, State, Store};
use crate::types::properties;

/// One step of the world; a call is named by its place among the calls in flight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A replica gets a Renew and checks certificate, signature and time.
    Call(Proof),
    /// The call looks its proof up and records it.
    Record(usize, Proof),
    /// The call's certificate is issued; or a later check refuses.
    Issue(usize, Proof, bool),
    /// What is old enough leaves the memory.
    Sweep,
    /// The replicas die and start again.
    Restart,
    /// The machine is reclaimed with a new key.
    Reclaim,
    /// An operator clears the memory.
    Clear,
    /// One unit passes.
    Tick,
    /// The clock is set back.
    SetBack(i8),
}

impl Model for Renewal {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        let (memory, calls, passes) = (Vec::new(), Vec::new(), Vec::new());
        let (set_back, cleared, stale_issue) = (false, false, false);
        let (now, generation, floor) = (0, 1, None);
        vec![State(Ok(Store {
            now,
            generation,
            memory,
            floor,
            calls,
            passes,
            set_back,
            cleared,
            stale_issue,
        }))]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        let Ok(store) = &state.0 else { return };
        let unrecorded = store.calls.iter().filter(|call| !call.recorded).count();
        if store.calls.len() < 2 && store.passes.len() < 3 {
            let is_new = store.passes.len() + unrecorded < 2;
            let beside =
                |proof: Proof| store.calls.iter().all(|call| call.proof.client_time == proof.client_time);
            let proofs = proofs(store.generation)
                .filter(|proof| beside(*proof) && (is_new || store.has_passed(*proof)));
            actions.extend(proofs.map(Action::Call));
        }
        for (at, call) in store.calls.iter().enumerate() {
            if call.recorded {
                actions.extend([true, false].map(|refuse| Action::Issue(at, call.proof, refuse)));
            } else {
                actions.push(Action::Record(at, call.proof));
            }
        }
        actions.extend([Action::Sweep, Action::Restart]);
        // One incident at most.
        if store.generation == 1 && !store.cleared && !store.set_back {
            actions.extend([Action::Reclaim, Action::Clear]);
            actions.extend((0..store.now).map(Action::SetBack));
        }
        if store.now < END {
            actions.push(Action::Tick);
        }
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        let mut store = state.0.clone().ok()?;
        let mut refused = Ok(());
        match action {
            Action::Call(proof) => refused = self.check(&mut store, proof),
            Action::Record(at, _) => refused = self.record(&mut store, at),
            Action::Issue(at, _, refuse) => refused = self.issue(&mut store, at, refuse),
            Action::Sweep => {
                let now = store.now;
                self.sweep(&mut store, now);
            }
            Action::Restart => self.restart(&mut store),
            Action::Reclaim => {
                store.generation = 2;
                store.forget();
            }
            Action::Clear => {
                store.cleared = true;
                store.forget();
            }
            Action::Tick => store.now += 1,
            Action::SetBack(now) => (store.now, store.set_back) = (now, true),
        }
        Some(State(refused.map(|()| store.in_order())))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        properties()
    }
}

impl Store {
    /// The same store with everything in one order: no order among these makes a difference.
    fn in_order(mut self) -> Self {
        self.calls.sort();
        self.memory.sort();
        self.passes.sort();
        self
    }

    fn has_passed(&self, proof: Proof) -> bool {
        self.passes.iter().any(|pass| pass.client_time == proof.client_time)
    }
}

/// Every proof of the keys that there are; one is signed a second time over the same fields.
fn proofs(generation: u8) -> impl Iterator<Item = Proof> {
    let times = move |key| (0..=END).map(move |client_time| Proof { client_time, key, signature: 0 });
    (1..=generation).flat_map(times).chain([Proof { client_time: 1, key: 1, signature: 1 }])
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(proof) => {
                write!(f, "a replica gets {proof} and checks certificate, signature and time")
            }
            Self::Record(_, proof) => write!(f, "{proof} is looked up and recorded"),
            Self::Issue(_, proof, true) => write!(f, "{proof}: a later check refuses"),
            Self::Issue(_, proof, false) => write!(f, "{proof}: the certificate is issued"),
            Self::Sweep => write!(f, "what is old enough leaves the memory"),
            Self::Restart => write!(f, "the replicas start again"),
            Self::Reclaim => write!(f, "the machine is reclaimed with a new key"),
            Self::Clear => write!(f, "an operator clears the memory"),
            Self::Tick => write!(f, "60 s pass"),
            Self::SetBack(now) => write!(f, "the clock is set back to {} s", i16::from(*now) * 60),
        }
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let again = if self.signature == 0 { "" } else { " signed again" };
        let key = if self.key == 1 { "the first key" } else { "the new key" };
        write!(f, "[proof of {key} for {} s{again}]", i16::from(self.client_time) * 60)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OldKey | Self::OldKeyAtIssue => "cert-revoked",
            Self::Clock => "clock",
            Self::Remembered => "replay (remembered)",
            Self::Floor { .. } => "replay (floor)",
        })
    }
}
