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
    use proptest::prelude::*;

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

    /// The naive model: every use ever made, and the page's sentences over the whole history.
    #[derive(Default)]
    struct Naive {
        used: Vec<(Proof, i64, bool)>,
    }

    impl Naive {
        fn record(&mut self, proof: Proof, now: i64) -> bool {
            for (_, used_at, gone) in &mut self.used {
                *gone |= now - *used_at > 120_000;
            }
            let same = self.used.iter().any(|(used, _, gone)| *used == proof && !gone);
            let floor =
                self.used.iter().filter(|(_, _, gone)| *gone).map(|(used, ..)| used.client_time_ms).max();
            let fresh = !same && floor.is_none_or(|floor| proof.client_time_ms > floor);
            if fresh {
                self.used.push((proof, now, false));
            }
            fresh
        }
    }

    proptest! {
        #[test]
        fn the_memory_agrees_with_a_naive_model(
            calls in prop::collection::vec((0u8..3, 0i64..8, 0i64..12), 1..60),
        ) {
            let (mut memory, mut naive) = (Memory::default(), Naive::default());
            for (number, client, now) in calls {
                let (proof, now) = (proof(number, client * 30_000), now * 40_000 + i64::from(number));
                let fresh = memory.record(proof, Millis(now)).is_ok();
                prop_assert_eq!(fresh, naive.record(proof, now));
            }
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
