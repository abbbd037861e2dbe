//! The limit of refusal events (REFUSAL-4), a pure state machine: the clock comes in, and what it answers says whether
//! an event is published. It drops events, never requests.

use std::collections::BTreeMap;

use super::Rpc;
use crate::choices::RefusalBucket;
use crate::limits::REFUSAL_EVENTS_PER_MINUTE;
use crate::reason::Reason;
use crate::time::Millis;

/// What is counted together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// Joins are counted apart from renewals.
    pub rpc: Rpc,
    /// The attestor as the event says it; empty for a renewal.
    pub attestor: String,
    /// The reason.
    pub reason: Reason,
}

/// The counts of all buckets.
#[derive(Clone, Debug, Default)]
pub struct Limiter {
    /// In the order in which they first refused.
    counts: Vec<Count>,
}

/// What a clean shutdown has to publish of one bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    /// The bucket.
    pub bucket: Bucket,
    /// Who was to get the refusal that was dropped last; none is the root tenant.
    pub tenant: Option<String>,
    /// Refusals dropped since the last event.
    pub suppressed: u64,
}

#[derive(Clone, Debug)]
struct Count {
    bucket: Bucket,
    /// Whose bucket it is; `None` where all tenants share it.
    owner: Option<Option<String>>,
    /// Slots taken, by minute: more than one only where the clock was set back.
    taken: BTreeMap<i64, u32>,
    suppressed: u64,
    dropped_for: Option<String>,
}

impl Limiter {
    /// Counts a refusal. Answers `suppressed` of its event, or nothing when the event is dropped.
    pub fn count(
        &mut self,
        bucket: &Bucket,
        tenant: Option<&str>,
        choice: RefusalBucket,
        now: Millis,
    ) -> Option<u64> {
        // REFUSAL-4: under `audience` each receiving tenant has its own bucket, under `global` all share one.
        let tenant = tenant.map(str::to_owned);
        let owner = match choice {
            RefusalBucket::Audience => Some(tenant.clone()),
            RefusalBucket::Global => None,
        };
        if let Some(known) =
            self.counts.iter_mut().find(|count| count.bucket == *bucket && count.owner == owner)
        {
            return known.take(tenant, now);
        }
        let (bucket, taken) = (bucket.clone(), BTreeMap::new());
        let mut new = Count { bucket, owner, taken, suppressed: 0, dropped_for: None };
        let suppressed = new.take(tenant, now);
        self.counts.push(new);
        suppressed
    }

    /// Takes what is pending, for a clean shutdown. Slots of the minute stay taken.
    pub fn drain(&mut self) -> Vec<Pending> {
        // REFUSAL-4: a clean shutdown publishes what is pending.
        let pending = self.counts.iter_mut().filter(|count| count.suppressed > 0).map(|count| Pending {
            bucket: count.bucket.clone(),
            tenant: count.dropped_for.take(),
            suppressed: std::mem::take(&mut count.suppressed),
        });
        pending.collect()
    }
}

impl Count {
    fn take(&mut self, tenant: Option<String>, now: Millis) -> Option<u64> {
        // REFUSAL-4: a minute is floor(now_ms / 60000).
        let minute = now.0.div_euclid(MILLIS_PER_MINUTE);
        let newest = self.taken.last_key_value().map_or(minute, |(&newest, _)| newest.max(minute));
        self.taken.retain(|&kept, _| kept >= newest - MINUTES_KEPT);
        let taken = self.taken.entry(minute).or_default();
        // REFUSAL-4: the first 60 of a minute publish, later ones are counted.
        if *taken >= REFUSAL_EVENTS_PER_MINUTE {
            self.suppressed += 1;
            self.dropped_for = tenant;
            return None;
        }
        *taken += 1;
        Some(std::mem::take(&mut self.suppressed))
    }
}

const MILLIS_PER_MINUTE: i64 = 60_000;
/// How far a clock may be set back before a minute's slots are forgotten.
const MINUTES_KEPT: i64 = 60;
