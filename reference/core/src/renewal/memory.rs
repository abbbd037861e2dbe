//! The memory of used proofs, one for each node (RENEWAL-3). It is stored and shared: nothing but age takes an entry out
//! of it, and a floor remembers what has left.

use crate::limits::RENEW_REPLAY_MS;
use crate::reason::Reason;
use crate::time::Millis;

/// What a proof was signed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// `renew-pop`
    Renew,
    /// `x509pop`
    X509Pop,
}

/// The fields that a proof signs, less the node, whose memory it is in. Never the signature's octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The purpose.
    pub purpose: Purpose,
    /// SHA-256 of the CSR.
    pub csr_sha256: [u8; 32],
    /// The client's clock, milliseconds since 1970.
    pub client_time_ms: i64,
}

/// The proofs that were used for one node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    entries: Vec<Entry>,
    floor_ms: Option<i64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    proof: Proof,
    used_at: Millis,
}

impl Memory {
    /// Records a proof as used now.
    ///
    /// # Errors
    /// `replay` when it was used before, or may have been.
    pub fn record(&mut self, proof: Proof, now: Millis) -> Result<(), Reason> {
        self.forget(now);
        // RENEWAL-3: a proof at or below the floor is a replay, so a clock set back opens no door.
        let below = self.floor_ms.is_some_and(|floor| proof.client_time_ms <= floor);
        // RENEWAL-3: the same proof is the same signed fields.
        if below || self.entries.iter().any(|entry| entry.proof == proof) {
            return Err(Reason::Replay);
        }
        self.entries.push(Entry { proof, used_at: now });
        Ok(())
    }

    /// Forgets everything, the floor too: the node was retired or reclaimed.
    pub fn clear(&mut self) {
        // RENEWAL-3: retire and reclaim clear the entries and the floor.
        *self = Self::default();
    }

    /// The highest client time that has left.
    #[must_use]
    pub fn floor_ms(&self) -> Option<i64> {
        self.floor_ms
    }

    /// Takes out what has aged.
    fn forget(&mut self, now: Millis) {
        // RENEWAL-3: used at u, it is a replay while now − u ≤ 120000 ms; entries leave by age only.
        let is_kept = |entry: &Entry| now.0.saturating_sub(entry.used_at.0) <= RENEW_REPLAY_MS;
        let left = self.entries.iter().filter(|entry| !is_kept(entry));
        // RENEWAL-3: the floor is the highest client_time that has left.
        self.floor_ms = left.map(|entry| entry.proof.client_time_ms).chain(self.floor_ms).max();
        self.entries.retain(is_kept);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use proptest::strategy::ValueTree as _;
    use proptest::test_runner::TestRunner;

    use super::*;

    fn proof(number: u8, client_time_ms: i64) -> Proof {
        Proof { purpose: Purpose::Renew, csr_sha256: [number; 32], client_time_ms }
    }

    #[test]
    fn a_proof_is_a_replay_through_120_seconds_and_below_the_floor_for_ever() {
        let mut memory = Memory::default();
        let first = proof(1, 60_000);
        assert_eq!(memory.record(first, Millis(0)), Ok(()));
        assert_eq!(memory.record(first, Millis(0)), Err(Reason::Replay));
        assert_eq!(memory.record(first, Millis(120_000)), Err(Reason::Replay));
        assert_eq!(memory.floor_ms(), None);
        assert_eq!(memory.record(first, Millis(120_001)), Err(Reason::Replay));
        assert_eq!(memory.floor_ms(), Some(60_000));
        // The clock is set back: another proof of that time, or an earlier one, is below the floor.
        assert_eq!(memory.record(proof(2, 60_000), Millis(60_000)), Err(Reason::Replay));
        assert_eq!(memory.record(proof(2, 59_999), Millis(60_000)), Err(Reason::Replay));
        assert_eq!(memory.record(proof(2, 60_001), Millis(60_000)), Ok(()));
    }

    #[test]
    fn every_signed_field_makes_another_proof_and_clearing_forgets() {
        let mut memory = Memory::default();
        let first = proof(1, 5);
        assert_eq!(memory.record(first, Millis(0)), Ok(()));
        assert_eq!(memory.record(Proof { purpose: Purpose::X509Pop, ..first }, Millis(0)), Ok(()));
        assert_eq!(memory.record(Proof { csr_sha256: [2; 32], ..first }, Millis(0)), Ok(()));
        assert_eq!(memory.record(Proof { client_time_ms: 4, ..first }, Millis(0)), Ok(()));
        assert_eq!(memory.record(proof(9, 9), Millis(200_000)), Ok(()));
        assert_eq!(memory.floor_ms(), Some(5));
        memory.clear();
        assert_eq!(memory.record(first, Millis(0)), Ok(()));
    }

    #[test]
    fn a_flood_of_other_proofs_forgets_nothing() {
        let mut memory = Memory::default();
        let first = proof(1, 0);
        assert_eq!(memory.record(first, Millis(0)), Ok(()));
        for time in 1..=2000 {
            assert_eq!(memory.record(proof(2, time), Millis(time)), Ok(()));
        }
        assert_eq!(memory.record(first, Millis(2001)), Err(Reason::Replay));
    }

    /// The naive model: every use ever made and whether its age was seen, and the page's sentences over all of them.
    #[derive(Default)]
    struct Naive {
        used: Vec<(Proof, i64, bool)>,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    enum Verdict {
        Fresh,
        /// Used, and at exactly the last instant at which that counts.
        Last,
        Used,
        BelowTheFloor,
    }

    impl Naive {
        fn record(&mut self, proof: Proof, now: i64) -> Verdict {
            for (_, used_at, gone) in &mut self.used {
                *gone |= now - *used_at > 120_000;
            }
            let same = self.used.iter().find(|(used, _, gone)| *used == proof && !gone);
            let gone = self.used.iter().filter(|(_, _, gone)| *gone);
            let floor = gone.map(|(used, ..)| used.client_time_ms).max();
            match same {
                Some((_, used_at, _)) if now - used_at == 120_000 => Verdict::Last,
                Some(_) => Verdict::Used,
                None if floor.is_some_and(|floor| proof.client_time_ms <= floor) => Verdict::BelowTheFloor,
                None => {
                    self.used.push((proof, now, false));
                    Verdict::Fresh
                }
            }
        }
    }

    #[derive(Clone, Debug)]
    enum Call {
        /// A proof whose time is so far from the server's.
        New(Purpose, u8, i64),
        /// A proof that was sent before, counted from the newest.
        Again(usize),
        /// The node is retired or reclaimed.
        Clear,
    }

    /// Calls, and how far the clock moves before each.
    fn calls() -> impl Strategy<Value = Vec<(i64, Call)>> {
        let step = prop_oneof![
            6 => prop::sample::select(vec![0, 1, 30_000, 60_000]),
            2 => prop::sample::select(vec![119_999, 120_000, 120_001]),
            1 => -130_000i64..0,
        ];
        let purpose = prop::sample::select(vec![Purpose::Renew, Purpose::X509Pop]);
        let call = prop_oneof![
            9 => (purpose, 0u8..2, -60_000i64..=60_000).prop_map(|(purpose, csr, off)| Call::New(purpose, csr, off)),
            9 => (0usize..6).prop_map(Call::Again),
            1 => Just(Call::Clear),
        ];
        prop::collection::vec((step, call), 1..60)
    }

    /// Plays the calls to both, and gives the verdicts of the naive one.
    fn verdicts(calls: Vec<(i64, Call)>) -> Vec<Verdict> {
        let (mut memory, mut naive, mut verdicts) = (Memory::default(), Naive::default(), Vec::new());
        let (mut now, mut sent) = (0, Vec::new());
        for (step, call) in calls {
            now += step;
            match call {
                Call::New(purpose, csr, off) => {
                    sent.push(Proof { purpose, csr_sha256: [csr; 32], client_time_ms: now + off });
                }
                // To be sent again is to be the newest.
                Call::Again(count) => sent.extend(sent.iter().rev().nth(count).copied()),
                Call::Clear => {
                    memory.clear();
                    naive.used.clear();
                }
            }
            let Some(proof) = sent.last().copied() else { continue };
            let verdict = naive.record(proof, now);
            let expected = if verdict == Verdict::Fresh { Ok(()) } else { Err(Reason::Replay) };
            assert_eq!(memory.record(proof, Millis(now)), expected, "{proof:?} at {now}: {verdict:?}");
            verdicts.push(verdict);
        }
        verdicts
    }

    #[test]
    fn the_calls_for_the_naive_model_get_every_verdict() {
        let mut runner = TestRunner::deterministic();
        let calls = (0..100).flat_map(|_| verdicts(calls().new_tree(&mut runner).unwrap().current()));
        let mut counts = BTreeMap::new();
        calls.for_each(|verdict| *counts.entry(verdict).or_insert(0) += 1);
        assert_eq!(counts.len(), 4, "{counts:?}");
        assert!(counts.values().all(|count| *count >= 10), "{counts:?}");
    }

    proptest! {
        #[test]
        fn the_memory_agrees_with_a_naive_model(calls in calls()) {
            verdicts(calls);
        }

        #[test]
        fn no_proof_passes_twice_whatever_the_clock_does(
            calls in prop::collection::vec((0u8..2, 0i64..4, any::<u32>()), 1..80),
        ) {
            let (mut memory, mut passed) = (Memory::default(), Vec::new());
            for (number, client_time, now) in calls {
                let proof = proof(number, client_time);
                if memory.record(proof, Millis(i64::from(now))).is_ok() {
                    prop_assert!(!passed.contains(&proof));
                    passed.push(proof);
                }
            }
        }
    }
}
