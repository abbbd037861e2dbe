//! The op `world.dump`: the rows, events and audit rows in the contract's shapes, in the order of creation.

use hex::encode;
use reference_core::certificate::Row;
use reference_core::decision::{Audit, Event, Joined, Reclaimed};
use reference_core::refusal::{JoinRefused, RenewRefused};
use reference_core::rows::Node;
use reference_core::time::Millis;
use reference_core::token::{Hosted, Stored};
use serde_json::{Map, Value, json};

use super::World;
use crate::shapes::time_text;

pub(super) fn shown(world: &World) -> Value {
    let store = &world.store;
    json!({
        "tokens": store.rows.tokens.iter().map(token).collect::<Vec<_>>(),
        "nodes": store.rows.nodes.iter().map(node).collect::<Vec<_>>(),
        "certs": store.rows.certificates.iter().map(certificate).collect::<Vec<_>>(),
        "events": store.events.iter().map(|one| event(one, world.config.root_tenant.as_deref())).collect::<Vec<_>>(),
        "audit": store.audit.iter().map(audit).collect::<Vec<_>>(),
    })
}

fn token(token: &Stored) -> Value {
    json!({
        "id": token.row.id,
        "tenant": token.row.tenant,
        "poolId": token.pool_id,
        "role": token.row.role.as_str(),
        "usesLeft": token.row.uses_left,
        "revoked": token.row.revoked_at.is_some(),
    })
}

fn node(node: &Node) -> Value {
    json!({
        "id": node.id,
        "tenant": node.tenant,
        "poolId": node.pool_id,
        "siteId": node.site_id,
        "kind": node.kind.as_str(),
        "certificateRole": node.certificate_role.as_str(),
        "generation": node.generation,
        "retired": node.retired,
        "hardwareKeyTrusted": node.hardware_key.trusted,
        "tenantOwned": node.tenant_owned,
        "queued": node.queued,
        "tokenId": node.token_id,
    })
}

fn certificate(row: &Row) -> Value {
    json!({
        "serial": encode(&row.serial),
        "nodeId": row.node_id,
        "generation": row.generation,
        "role": row.role.as_str(),
        "spkiSha256": encode(row.spki_sha256),
        "notBefore": time_text(Millis::from_seconds(row.validity.not_before_s)),
        "notAfter": time_text(Millis::from_seconds(row.validity.not_after_s)),
        "statements": row.statements,
        "allowedKinds": row.allowed_kinds,
        "revoked": row.revoked.as_ref().map(|revoked| &revoked.reason),
        "renewedFrom": row.renewed_from.as_ref().map(encode),
    })
}

fn event(event: &Event, root_tenant: Option<&str>) -> Value {
    match event {
        Event::JoinRefused(refused) => told(
            "name",
            "security.join.refused",
            refused.tenant.as_deref().or(root_tenant),
            join_refused(refused),
        ),
        Event::RenewRefused(refused) => told(
            "name",
            "security.renew.refused",
            refused.tenant.as_deref().or(root_tenant),
            renew_refused(refused),
        ),
        Event::TokenCreated { tenant, token_id, pinned, hosted } => {
            let mut members = json!({"tokenId": token_id, "pinned": pinned});
            add(&mut members, "hosted", hosted.map(Hosted::as_str));
            told("name", "security.join-token.created", Some(tenant), members)
        }
        Event::TokenRevoked { tenant, token_id } => {
            told("name", "security.join-token.revoked", Some(tenant), json!({"tokenId": token_id}))
        }
        Event::NodeJoined(event) => told("name", "node.joined", Some(&event.tenant), joined(event)),
        Event::CertificateRevoked { tenant, serial, node_id, reason } => {
            let members = json!({"serial": encode(serial), "nodeId": node_id, "reason": reason});
            told("name", "security.certificate-revoked", Some(tenant), members)
        }
    }
}

fn audit(row: &Audit) -> Value {
    match row {
        Audit::Joined(row) => {
            // ADMISSION-5: a reclaim has an action of its own.
            let action = if row.reclaim.is_some() { "node.reclaimed" } else { "node.joined" };
            told("action", action, Some(&row.tenant), joined(row))
        }
        Audit::Retired { tenant, node_id } => {
            told("action", "node.retired", Some(tenant), json!({"nodeId": node_id}))
        }
    }
}

fn join_refused(refused: &JoinRefused) -> Value {
    let mut members = json!({
        "attestor": refused.attestor,
        "reason": refused.reason_text(),
        "role": refused.role,
        "suppressed": refused.suppressed,
    });
    add(&mut members, "csrSha256", refused.csr_sha256.map(encode));
    add(&mut members, "hardwareKey", refused.hardware_key.map(encode));
    members
}

fn renew_refused(refused: &RenewRefused) -> Value {
    let mut members = json!({"reason": refused.reason.as_str(), "suppressed": refused.suppressed});
    add(&mut members, "csrSha256", refused.csr_sha256.map(encode));
    members
}

fn joined(joined: &Joined) -> Value {
    let mut members = json!({
        "nodeId": joined.node_id,
        "attestor": joined.attestor,
        "reclaim": joined.reclaim.is_some(),
        "hardwareKeyTrusted": joined.hardware_key_trusted,
        "serial": encode(&joined.serial),
        "nodeKey": joined.node_key.as_str(),
        "generation": joined.generation,
    });
    add(&mut members, "tokenId", joined.token_id.as_deref());
    if let Some(Reclaimed { old_generation, old_spki_sha256, new_spki_sha256, old_node_key }) =
        &joined.reclaim
    {
        add(&mut members, "oldGeneration", Some(*old_generation));
        add(&mut members, "newGeneration", Some(joined.generation));
        // Null where the node never had a certificate.
        add(&mut members, "oldSpkiSha256", Some(old_spki_sha256.map(encode)));
        add(&mut members, "newSpkiSha256", Some(encode(new_spki_sha256)));
        add(&mut members, "oldNodeKey", Some(old_node_key.as_str()));
    }
    members
}

/// An event or an audit row: its name, whose it is, and what it says.
fn told(kind: &str, name: &str, tenant: Option<&str>, members: Value) -> Value {
    let mut told = Map::new();
    told.insert(kind.into(), json!(name));
    told.insert("tenant".into(), json!(tenant));
    if let Value::Object(members) = members {
        told.extend(members);
    }
    Value::Object(told)
}

/// A member that is there only with a value.
fn add(members: &mut Value, name: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        members[name] = value.into();
    }
}
