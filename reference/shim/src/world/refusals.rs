//! What is told of a refusal: one event, unless its minute is full (REFUSAL-2, REFUSAL-4).

use reference_core::decision::{Event, Rejected};
use reference_core::reason::Reason;
use reference_core::refusal::{Asked, ErrorName, JoinRefused, Refusal, RenewRefused};

use super::{Step, World};
use crate::message::Failure;

/// Why there is no answer, with nothing borrowed from the rows any more.
pub(super) enum Denied {
    /// The one refusal, and the tenant that a witness addresses it to; none is the root tenant.
    Refused(Reason, Option<String>),
    /// Another error. Nothing is told of it.
    Failed(Failure),
}

impl From<Refusal<'_>> for Denied {
    fn from(refusal: Refusal<'_>) -> Self {
        Self::Refused(refusal.reason(), refusal.audience().tenant().map(str::to_owned))
    }
}

impl From<Rejected<'_>> for Denied {
    fn from(rejected: Rejected<'_>) -> Self {
        match rejected {
            Rejected::Refused(refusal) => refusal.into(),
            Rejected::Conflict => Self::Failed(ErrorName::Conflict.into()),
        }
    }
}

impl From<Failure> for Denied {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

pub(super) fn publish_join(
    world: &mut World,
    step: Step,
    asked: &Asked<'_>,
    reason: Reason,
    tenant: Option<String>,
) {
    let tenant = tenant.or_else(|| world.config.root_tenant.clone());
    let event = JoinRefused::of(asked, reason, tenant, step.choices);
    let (bucket, choice) = (event.bucket(), step.choices.refusal_bucket);
    if let Some(suppressed) = world.store.limiter.count(&bucket, event.tenant.as_deref(), choice, step.at) {
        world.store.events.push(Event::JoinRefused(JoinRefused { suppressed, ..event }));
    }
}

pub(super) fn publish_renew(
    world: &mut World,
    step: Step,
    csr: &[u8],
    reason: Reason,
    tenant: Option<String>,
) {
    let tenant = tenant.or_else(|| world.config.root_tenant.clone());
    let event = RenewRefused::of(csr, reason, tenant);
    let (bucket, choice) = (event.bucket(), step.choices.refusal_bucket);
    if let Some(suppressed) = world.store.limiter.count(&bucket, event.tenant.as_deref(), choice, step.at) {
        world.store.events.push(Event::RenewRefused(RenewRefused { suppressed, ..event }));
    }
}

/// REFUSAL-4: a clean shutdown publishes what is pending.
pub(super) fn publish_pending(world: &mut World) {
    let pending = world.store.limiter.drain();
    world.store.events.extend(pending.into_iter().map(Event::from));
}
