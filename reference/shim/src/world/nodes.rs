//! The steps `retire` and `enqueue`: what operators do to nodes.

use reference_core::certificate;
use reference_core::refusal::ErrorName;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Step, World};
use crate::message::Failure;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Retire {
    node_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Enqueue {
    node_id: String,
    kind: String,
}

pub(super) fn retire(world: &mut World, step: Step, retire: &Retire) -> Result<Value, Failure> {
    let rows = &world.store.rows;
    let node = rows.node(&retire.node_id).ok_or(ErrorName::NotFound)?;
    let effects = rows.holder(node).retire(step.at);
    world.store.apply(effects);
    Ok(json!({}))
}

pub(super) fn enqueue(world: &World, enqueue: &Enqueue) -> Result<Value, Failure> {
    let rows = &world.store.rows;
    let node = rows.node(&enqueue.node_id).ok_or(ErrorName::NotFound)?;
    let holder = rows.holder(node);
    // CERTIFICATE-6: what the newest certificate of the node's generation allows; a retired node gets no command.
    let newest = holder.newest_of_generation().filter(|_| !node.retired);
    let allowed =
        |row: &&certificate::Row| certificate::is_allowed(row.allowed_kinds.as_deref(), &enqueue.kind);
    newest.filter(allowed).ok_or(ErrorName::InvalidState)?;
    Ok(json!({}))
}
