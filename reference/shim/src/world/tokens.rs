//! The steps `token-create`, `token-list` and `token-revoke`.

use reference_core::decision::{Effect, Event};
use reference_core::token::{self, Mint, Minted, Query, Record, Stored, Token};
use reference_core::type_id;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Number, Value, json};

use super::{Step, World};
use crate::message::Failure;
use crate::ops::shown_expect;
use crate::shapes::{time_text, verbatim};
use crate::signer;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Create<'a> {
    tenant: String,
    pool_id: String,
    #[serde(borrow)]
    request: &'a RawValue,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct List {
    tenant: String,
    pool_id: String,
    include_inactive: bool,
    limit: Option<Number>,
    after: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Revoke {
    tenant: String,
    pool_id: String,
    id: String,
}

pub(super) fn create(world: &mut World, step: Step, create: &Create<'_>) -> Result<Value, Failure> {
    let rows = &world.store.rows;
    let request = token::create(&verbatim(create.request)?).ok();
    let call = Mint { tenant: &create.tenant, pool: rows.pool(&create.pool_id), request: request.as_ref() };
    let uuid = type_id::uuid_v7(step.at, signer::random()?);
    let token = Token::new(uuid, signer::random()?);
    match token::mint(call, &rows.tokens, &token, step.at)? {
        // TOKEN-7: the token is never shown again.
        Minted::Replayed(row) => Ok(json!({"record": shown(&row.record()), "token": null})),
        Minted::New(row) => {
            let out = json!({"record": shown(&row.record()), "token": &*token.text()});
            let event = Event::TokenCreated {
                tenant: row.row.tenant.clone(),
                token_id: row.row.id.clone(),
                pinned: row.expect.is_some(),
                hosted: row.hosted,
            };
            world.store.apply(vec![Effect::InsertToken(row), Effect::Publish(event)]);
            Ok(out)
        }
    }
}

pub(super) fn list(world: &World, step: Step, list: &List) -> Result<Value, Failure> {
    let rows = &world.store.rows;
    // TOKEN-8: what is no integer is out of bounds, as zero is.
    let limit = list.limit.as_ref().map(|limit| limit.as_u64().and_then(|n| usize::try_from(n).ok()));
    let query = Query {
        tenant: &list.tenant,
        pool: rows.pool(&list.pool_id),
        include_inactive: list.include_inactive,
        limit: limit.map(Option::unwrap_or_default),
        after: list.after.as_deref(),
    };
    let page = token::list(&query, &rows.tokens, step.at)?;
    Ok(json!({"records": page.records.iter().map(shown).collect::<Vec<_>>(), "next": page.next}))
}

pub(super) fn revoke(world: &mut World, step: Step, revoke: &Revoke) -> Result<Value, Failure> {
    let rows = &world.store.rows;
    let live = token::revoke(&revoke.tenant, rows.pool(&revoke.pool_id), &revoke.id, &rows.tokens)?;
    let effects = live.map(|token| revoked(token, step));
    world.store.apply(effects.unwrap_or_default());
    Ok(json!({}))
}

fn revoked(token: &Stored, step: Step) -> Vec<Effect> {
    let (id, tenant) = (token.row.id.clone(), token.row.tenant.clone());
    let event = Event::TokenRevoked { tenant, token_id: id.clone() };
    vec![Effect::RevokeToken { id, at: step.at }, Effect::Publish(event)]
}

fn shown(record: &Record) -> Value {
    json!({
        "id": record.id,
        "poolId": record.pool_id,
        "siteId": record.site_id,
        "role": record.role.as_str(),
        "usesLeft": record.uses_left,
        "expect": record.expect.as_ref().map(shown_expect),
        "allowReclaim": record.allow_reclaim,
        "hosted": record.hosted.map(token::Hosted::as_str),
        "expiresAt": time_text(record.expires_at),
    })
}
