//! The step `join`, whole and in its two halves.

use std::collections::BTreeMap;

use reference_core::admission::{Attestor, Placement, Policy, Received, Service, check_front};
use reference_core::certificate::Serial;
use reference_core::choices::{Choices, SealIatWindow};
use reference_core::claims::{self, Raw};
use reference_core::grant::Deployment;
use reference_core::hardware_key;
use reference_core::reason::Reason;
use reference_core::reclaim::{Known, Reading};
use reference_core::refusal::{Asked, Refusal, Rpc};
use reference_core::renewal::Memory;
use reference_core::type_id;
use reference_core::x509pop;
use serde::Deserialize;
use serde_json::{Value, json};

use super::refusals::{self, Denied};
use super::store::Rows;
use super::{Config, Keys, Outcome, Step, World, answered};
use crate::message::Failure;
use crate::shapes::{B, Claims, octets};
use crate::signer;

/// A join as it was received.
#[derive(Deserialize)]
#[serde(from = "Members")]
pub(super) struct Join {
    attestor: String,
    role: String,
    csr: Vec<u8>,
    claims: Raw,
    seal: Option<Vec<u8>>,
    x509pop: Option<Evidence>,
}

struct Evidence {
    chain: Vec<Vec<u8>>,
    client_time_ms: i64,
    pop_sig: Vec<u8>,
}

/// A join between its halves.
pub(super) struct Begun {
    join: Join,
    seen: Reading,
}

#[derive(Deserialize)]
pub(super) struct Begin {
    ticket: String,
    #[serde(flatten)]
    join: Join,
}

#[derive(Deserialize)]
pub(super) struct Finish {
    ticket: String,
}

pub(super) fn join(world: &mut World, step: Step, join: Join) -> Result<Value, Failure> {
    let seen = reading(&world.store.rows, &join, step.choices);
    decide(world, step, &Begun { join, seen })
}

/// All that happens before the first lock. Nothing is judged.
pub(super) fn begin(world: &mut World, step: Step, begin: Begin) -> Result<Value, Failure> {
    let Begin { ticket, join } = begin;
    if world.tickets.contains_key(&ticket) {
        return Err(Failure::error("the ticket is open already"));
    }
    let seen = reading(&world.store.rows, &join, step.choices);
    world.tickets.insert(ticket, Begun { join, seen });
    Ok(json!({}))
}

pub(super) fn finish(world: &mut World, step: Step, finish: &Finish) -> Result<Value, Failure> {
    let begun = world.tickets.remove(&finish.ticket);
    decide(world, step, &begun.ok_or_else(|| Failure::error("no join began under this ticket"))?)
}

/// ADMISSION-4: which live node the machine's trusted key belongs to.
fn reading(rows: &Rows, join: &Join, choices: Choices) -> Reading {
    let is_token_join = Attestor::named(&join.attestor) == Attestor::JoinToken.as_str();
    let claims = claims::normalize(&join.claims).ok().filter(|_| is_token_join);
    let Choices { hwkey_selection, hwkey_independence, .. } = choices;
    let derived =
        claims.map(|claims| hardware_key::derive_for_token(&claims, hwkey_selection, hwkey_independence));
    let trusted = derived.filter(|derived| derived.trusted).and_then(|derived| derived.key);
    let known = trusted.map(|key| rows.known(key)).unwrap_or_default();
    Reading::of(known.live.as_ref().map(|holder| holder.node))
}

fn decide(world: &mut World, step: Step, begun: &Begun) -> Result<Value, Failure> {
    let World { config, store, .. } = &mut *world;
    let (keys, deployment) = config.joins(step.at)?;
    let deciding = Deciding { config, keys, deployment: &deployment, rows: &store.rows, step };
    let decided = match Attestor::resolve(&begun.join.attestor, &config.attestors) {
        Ok(Attestor::X509Pop) => deciding.by_certificate(&begun.join, &mut store.memories),
        Ok(attestor @ Attestor::Tpm) => {
            Err(deciding.without_evidence(&begun.join, attestor, Reason::ChallengeUnknown))
        }
        Ok(attestor @ Attestor::Discovery) => {
            Err(deciding.without_evidence(&begun.join, attestor, Reason::Voucher))
        }
        Ok(Attestor::JoinToken) | Err(_) => deciding.by_token(begun),
    };
    answered(world, decided, |world, reason, tenant| {
        let Join { attestor, role, csr, claims, .. } = &begun.join;
        refusals::publish_join(world, step, &Asked { attestor, role, csr, claims }, reason, tenant);
    })
}

/// What a join is decided with.
struct Deciding<'w> {
    config: &'w Config,
    keys: &'w Keys,
    deployment: &'w Deployment<'w>,
    rows: &'w Rows,
    step: Step,
}

impl Deciding<'_> {
    fn by_token(&self, begun: &Begun) -> Result<Outcome, Denied> {
        let Self { rows, step: Step { at, choices }, .. } = *self;
        let join = &begun.join;
        let received = Received {
            attestor: &join.attestor,
            role: &join.role,
            csr: &join.csr,
            seal: join.seal.as_deref().unwrap_or_default(),
            claims: &join.claims,
        };
        let opened = received.open(self.service(), at)?;
        let token = rows.token(opened.token_id().as_str());
        let attested = opened.attest(token.map(|token| &token.row))?;
        let token = token.ok_or_else(|| Failure::error("a token without a row was attested"))?;
        if let Some(found) = rows.answered(attested.seal_sha256()) {
            return Ok(Outcome::Again(attested.resend(&found, choices.seal_resend, at)?.clone()));
        }
        let pool = rows.pool(&token.pool_id);
        let policy = Policy {
            expect: token.expect.as_ref(),
            requires_request_binding: pool.is_some_and(|pool| pool.requires_request_binding),
            choices,
        };
        let admissible = attested.judge(policy, at)?;
        let key = admissible.hardware_key.key.filter(|_| admissible.trusted);
        let known = key.map_or_else(Known::default, |key| rows.known(key));
        let placement = Placement {
            token,
            seen: &begun.seen,
            known: &known,
            pool,
            site: pool.and_then(|pool| rows.site(&pool.site_id)),
            node_id: &type_id::encode(type_id::NODE, type_id::uuid_v7(at, signer::random()?)),
            serial: Serial::of_random(signer::random()?),
            choices,
        };
        let granted = admissible.place(&placement, self.deployment, at)?;
        Ok(Outcome::Decided(self.keys.decide(granted)?))
    }

    fn service(&self) -> Service<'_> {
        let window = self.config.iat_window;
        Service {
            attestors: &self.config.attestors,
            keys: &self.keys.encryption,
            window: window.filter(|_| self.step.choices.seal_iat_window == SealIatWindow::Window),
        }
    }

    fn by_certificate(
        &self,
        join: &Join,
        memories: &mut BTreeMap<String, Memory>,
    ) -> Result<Outcome, Denied> {
        let Self { rows, step: Step { at, choices }, .. } = *self;
        let received = x509pop::Received {
            attestor: &join.attestor,
            role: &join.role,
            csr: &join.csr,
            claims: &join.claims,
            evidence: join.x509pop.as_ref().map(|evidence| x509pop::Evidence {
                chain: &evidence.chain,
                client_time_ms: evidence.client_time_ms,
                pop_sig: &evidence.pop_sig,
                // A step of a world has none.
                key_attestation: None,
            }),
        };
        let opened = received.open(&self.config.attestors)?;
        let row = rows.leaf(opened.leaf());
        let node = row.and_then(|row| rows.node(&row.node_id));
        let certificates = node.map(|node| rows.holder(node).certificates).unwrap_or_default();
        let timely = opened.prove(row, node)?.judge(&certificates, at)?;
        // ADMISSION-2: the proof is used, whatever comes of the join.
        let memory = memories.entry(timely.node_id().to_owned()).or_default();
        let spent = timely.spend(memory, at)?;
        let placement = x509pop::Placement {
            certificates: &certificates,
            pool: node.and_then(|node| rows.pool(&node.pool_id)),
            request_binding: choices.request_binding,
            serial: Serial::of_random(signer::random()?),
        };
        let granted = spent.grant(&placement, self.deployment, at)?;
        Ok(Outcome::Decided(self.keys.decide(granted)?))
    }

    /// A step of a world brings no evidence of a TPM or a site agent; absent, it is this reason (ADMISSION-7).
    fn without_evidence(&self, join: &Join, attestor: Attestor, reason: Reason) -> Denied {
        let Join { attestor: name, role, csr, claims, .. } = join;
        let front = check_front(attestor, name, &self.config.attestors, role, csr, claims);
        Refusal::unproven(Rpc::Join, front.err().unwrap_or(reason)).into()
    }
}

/// The members of a join as they stand in a step.
#[derive(Deserialize)]
struct Members {
    attestor: String,
    role: String,
    csr: B,
    claims: Claims,
    seal: Option<B>,
    x509pop: Option<EvidenceMembers>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct EvidenceMembers {
    chain: Vec<B>,
    client_time_ms: i64,
    pop_sig: B,
}

impl From<Members> for Join {
    fn from(members: Members) -> Self {
        let Members { attestor, role, csr, claims, seal, x509pop } = members;
        Self {
            attestor,
            role,
            csr: csr.0,
            claims: claims.into(),
            seal: seal.map(|seal| seal.0),
            x509pop: x509pop.map(|evidence| Evidence {
                chain: octets(evidence.chain),
                client_time_ms: evidence.client_time_ms,
                pop_sig: evidence.pop_sig.0,
            }),
        }
    }
}
