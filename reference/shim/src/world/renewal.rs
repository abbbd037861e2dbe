//! The step `renew`.

use std::collections::BTreeMap;

use reference_core::certificate::Serial;
use reference_core::choices::RenewalSignedAnswer;
use reference_core::grant::Deployment;
use reference_core::renewal::{Memory, Received};
use serde::Deserialize;
use serde_json::Value;

use super::refusals::{self, Denied};
use super::store::Rows;
use super::{Keys, Outcome, Step, World, answered};
use crate::message::Failure;
use crate::shapes::{B, nullable, octets_list};
use crate::signer;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Renew {
    csr: B,
    #[serde(deserialize_with = "octets_list")]
    chain: Vec<Vec<u8>>,
    client_time_ms: i64,
    pop_sig: B,
    #[serde(deserialize_with = "nullable")]
    caller: Option<String>,
}

pub(super) fn renew(world: &mut World, step: Step, renew: &Renew) -> Result<Value, Failure> {
    let World { config, store, .. } = &mut *world;
    let (keys, deployment) = config.joins(step.at)?;
    let decided = decide(renew, step, keys, &deployment, &store.rows, &mut store.memories);
    answered(world, decided, |world, reason, tenant| {
        refusals::publish_renew(world, step, &renew.csr.0, reason, tenant);
    })
}

fn decide(
    renew: &Renew,
    Step { at, choices }: Step,
    keys: &Keys,
    deployment: &Deployment<'_>,
    rows: &Rows,
    memories: &mut BTreeMap<String, Memory>,
) -> Result<Outcome, Denied> {
    let received = Received {
        csr: &renew.csr.0,
        chain: &renew.chain,
        client_time_ms: renew.client_time_ms,
        pop_sig: &renew.pop_sig.0,
        caller: renew.caller.as_deref(),
        // A step of a world has none.
        key_attestation: None,
    };
    let opened = received.open()?;
    let row = rows.leaf(opened.leaf());
    let node = row.and_then(|row| rows.node(&row.node_id));
    let certificates = node.map(|node| rows.holder(node).certificates).unwrap_or_default();
    let timely = opened.prove(row, node)?.judge(at)?;
    // RENEWAL-3: the proof is used, whatever comes of the renewal.
    let memory = memories.entry(timely.node_id().to_owned()).or_default();
    let spent = timely.spend(memory, at)?;
    let serial = Serial::of_random(signer::random()?);
    let signed = choices.renewal_signed_answer == RenewalSignedAnswer::Yes;
    let granted = spent.grant(&certificates, deployment, serial, signed, at)?;
    Ok(Outcome::Decided(keys.decide(granted)?))
}
