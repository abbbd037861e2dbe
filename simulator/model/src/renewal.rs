//! Renewal: proofs, their times, and what is remembered of them (RENEWAL-2, RENEWAL-3, TIME-1).
//!
//! One node, renewed through two replicas with one store and its clock. A proof is named by its client_time;
//! it is signed by the key of one generation, maybe twice, and then who saw it sends it whenever he likes.
//! After a reclaim somebody still has the old key. The clock can be set back once. One unit is 60 s: the
//! window is 1 unit either way, the memory 2, both ends included.

use crate::types::Rules;

mod claims;
mod steps;

/// RENEWAL-3: |now - client_time| is at most this.
const WINDOW: i8 = 1;
/// RENEWAL-3: a proof used at u is a replay while now - u is at most this.
const MEMORY: i8 = 2;
/// The clock's last value.
const END: i8 = 4;

/// A proof: its client_time, the generation whose key signed it, and which of two signatures over the same
/// fields it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Proof {
    client_time: i8,
    key: u8,
    signature: u8,
}

/// A Renew that a replica works on.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Call {
    proof: Proof,
    /// TIME-1: read before the proof is recorded.
    now: i8,
    /// The proof has another generation's key than the node had when the call was checked.
    old: bool,
    /// Looked up before it is recorded: only where a rule is switched off.
    early_replay: Option<Reason>,
    recorded: bool,
}

/// What the memory keeps of a used proof.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Entry {
    client_time: i8,
    used: i8,
    signature: u8,
}

/// A proof that passed the step `replay`: what the claims look at.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Pass {
    client_time: i8,
    generation: u8,
    old: bool,
    /// now - client_time.
    age: i8,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Store {
    now: i8,
    generation: u8,
    memory: Vec<Entry>,
    floor: Option<i8>,
    calls: Vec<Call>,
    passes: Vec<Pass>,
    set_back: bool,
    cleared: bool,
    /// A certificate was issued in an older generation than the node's.
    stale_issue: bool,
}

/// The store; or that a call was refused, which leads nowhere new: the same store is reached without the
/// call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State(Result<Store, Reason>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Reason {
    /// `cert-revoked`, `generation`: before the proof is recorded.
    OldKey,
    /// The same, when the certificate is issued.
    OldKeyAtIssue,
    Clock,
    /// `replay`, by the memory.
    Remembered,
    /// `replay`, by the floor.
    Floor {
        set_back: bool,
    },
}

/// The model under its rules.
#[derive(Clone, Debug)]
pub struct Renewal {
    rules: Rules,
}

impl Renewal {
    /// The checks before `replay`.
    fn check(&self, store: &mut Store, proof: Proof) -> Result<(), Reason> {
        let (now, old) = (store.now, proof.key != store.generation);
        // RENEWAL-2
        if self.rules.renewal_2_generation && old {
            return Err(Reason::OldKey);
        }
        // RENEWAL-2, RENEWAL-3
        let (late, early) = (now - proof.client_time > WINDOW, proof.client_time - now > WINDOW);
        if (self.rules.renewal_2_clock && late) || (self.rules.renewal_2_ahead && early) {
            return Err(Reason::Clock);
        }
        let early_replay = if self.rules.renewal_3_atomic { None } else { self.replay(store, proof) };
        store.calls.push(Call { proof, now, old, early_replay, recorded: false });
        Ok(())
    }

    /// The step `replay`: looks the proof up and records it, in one committed transaction.
    fn record(&self, store: &mut Store, at: usize) -> Result<(), Reason> {
        let (rules, call) = (&self.rules, store.calls[at].clone());
        let (proof, now) = (call.proof, call.now);
        // RENEWAL-3: of two concurrent calls with one proof at most one passes.
        self.sweep(store, now);
        let replay = if rules.renewal_3_atomic { self.replay(store, proof) } else { call.early_replay };
        if let Some(reason) = replay {
            return Err(reason);
        }
        let signature = if rules.renewal_3_fields { 0 } else { proof.signature };
        if rules.renewal_3 {
            if !rules.renewal_3_age {
                store.memory.clear();
            }
            store.memory.push(Entry { client_time: proof.client_time, used: now, signature });
        }
        if !rules.renewal_3_floor_only {
            store.floor = store.floor.max(Some(proof.client_time));
        }
        let (client_time, age) = (proof.client_time, now - proof.client_time);
        store.passes.push(Pass { client_time, generation: store.generation, old: call.old, age });
        store.calls[at].recorded = true;
        Ok(())
    }

    /// RENEWAL-3: the same signed fields are in the memory, or the floor is at their time or above.
    fn replay(&self, store: &Store, proof: Proof) -> Option<Reason> {
        let is_same = |entry: &Entry| {
            let fields = entry.client_time == proof.client_time;
            fields && (self.rules.renewal_3_fields || entry.signature == proof.signature)
        };
        let below = store.floor.is_some_and(|floor| proof.client_time <= floor);
        let remembered = store.memory.iter().any(is_same).then_some(Reason::Remembered);
        remembered.or_else(|| below.then_some(Reason::Floor { set_back: store.set_back }))
    }

    /// RENEWAL-3: entries leave by age only, and what has left raises the floor.
    fn sweep(&self, store: &mut Store, now: i8) {
        let oldest = if self.rules.renewal_3_memory { MEMORY } else { 0 };
        let (left, kept): (Vec<_>, Vec<_>) =
            store.memory.drain(..).partition(|entry| now - entry.used > oldest);
        store.memory = kept;
        if self.rules.renewal_3_floor {
            store.floor = store.floor.max(left.iter().map(|entry| entry.client_time).max());
        }
    }

    /// The steps after `replay`, which may refuse, and the transaction that issues.
    fn issue(&self, store: &mut Store, at: usize, refuse: bool) -> Result<(), Reason> {
        let Call { proof, .. } = store.calls.remove(at);
        if refuse {
            // RENEWAL-3: the proof counts as used, whatever came of it.
            if !self.rules.renewal_3_recorded {
                store.memory.retain(|entry| entry.client_time != proof.client_time);
            }
            return Ok(());
        }
        // RENEWAL-2: a reclaim may have come between; what is issued is of the node's current generation.
        let stale = proof.key < store.generation;
        if self.rules.renewal_2_issue && stale {
            return Err(Reason::OldKeyAtIssue);
        }
        store.stale_issue |= stale;
        Ok(())
    }

    fn restart(&self, store: &mut Store) {
        store.calls.clear();
        // RENEWAL-3: the memory and the floor are in the store.
        if !self.rules.renewal_3_restart {
            store.forget();
        }
    }
}

impl Store {
    /// RENEWAL-3: a reclaim, a retirement or an operator clears the entries and the floor.
    fn forget(&mut self) {
        self.memory.clear();
        self.floor = None;
    }
}
