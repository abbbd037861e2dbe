//! The administration of tokens over their rows: create, list, revoke (TOKEN-6 to TOKEN-9).

use super::{Created, Hosted, Role, Row, Token};
use crate::destination::AGENT;
use crate::expect::Expect;
use crate::limits::{LIST_PAGE_DEFAULT, LIST_PAGE_MAX};
use crate::refusal::ErrorName;
use crate::rows::Pool;
use crate::time::{self, Millis};

/// A token's row, whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// What verdicts on the token itself depend on.
    pub row: Row,
    /// The pool that it admits to.
    pub pool_id: String,
    /// The pool's site.
    pub site_id: String,
    /// Uses that it had at first.
    pub max_uses: u32,
    /// The machine that it is pinned to, normalized.
    pub expect: Option<Expect>,
    /// Whether it may reclaim a known machine's node.
    pub allow_reclaim: bool,
    /// Whether its nodes are controlled by a tenant.
    pub hosted: Option<Hosted>,
    /// The command kinds that what it admits accepts; absent is every kind (CERTIFICATE-6).
    pub allowed_kinds: Option<Vec<String>>,
    /// Limit of the lifetime of what it admits, in seconds (CERTIFICATE-1).
    pub ttl_limit_s: Option<u32>,
    /// The caller's key for retries, kept as long as the row (TOKEN-7).
    pub idempotency_key: Option<String>,
}

/// What is shown of a token: never its secret, nor its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The token's id.
    pub id: String,
    /// Its pool.
    pub pool_id: String,
    /// Its pool's site.
    pub site_id: String,
    /// Its role.
    pub role: Role,
    /// Uses left.
    pub uses_left: u32,
    /// The machine that it is pinned to.
    pub expect: Option<Expect>,
    /// Whether it may reclaim.
    pub allow_reclaim: bool,
    /// Whether its nodes are controlled by a tenant.
    pub hosted: Option<Hosted>,
    /// When it is dead.
    pub expires_at: Millis,
}

impl Stored {
    /// What is shown of it.
    #[must_use]
    pub fn record(&self) -> Record {
        // TOKEN-7: the members of the record; TOKEN-3: no secret.
        Record {
            id: self.row.id.clone(),
            pool_id: self.pool_id.clone(),
            site_id: self.site_id.clone(),
            role: self.row.role,
            uses_left: self.row.uses_left,
            expect: self.expect.clone(),
            allow_reclaim: self.allow_reclaim,
            hosted: self.hosted,
            expires_at: self.row.expires_at,
        }
    }

    /// Whether a list shows it without being asked for the inactive ones.
    #[must_use]
    pub fn is_live(&self, now: Millis) -> bool {
        // TOKEN-8: not revoked, not expired, and with uses left.
        let Row { revoked_at, expires_at, uses_left, .. } = &self.row;
        revoked_at.is_none() && !time::is_dead(*expires_at, now) && *uses_left > 0
    }
}

/// A create call: who, for which pool, and the request as it stands.
#[derive(Clone, Copy, Debug)]
pub struct Mint<'a> {
    /// The calling tenant.
    pub tenant: &'a str,
    /// The pool, if there is one of the id named.
    pub pool: Option<&'a Pool>,
    /// The request, judged by [`super::create`] or not acceptable.
    pub request: Option<&'a Created>,
}

/// What a create call comes to.
pub enum Minted<'a> {
    /// A row to be stored, and the token to be shown once.
    New(Box<Stored>),
    /// The row of an earlier call with the same key; its token is not shown again.
    Replayed(&'a Stored),
}

/// Judges a create call. `rows` are all tokens of the deployment, `token` is a new one.
///
/// # Errors
/// In this order: NOT_FOUND, INVALID_ARGUMENT, INVALID_STATE, CONFLICT (TOKEN-6, TOKEN-7).
pub fn mint<'r>(
    call: Mint<'_>,
    rows: &'r [Stored],
    token: &Token,
    now: Millis,
) -> Result<Minted<'r>, ErrorName> {
    let pool = owned(call.pool, call.tenant)?;
    let request = call.request.ok_or(ErrorName::InvalidArgument)?;
    // TOKEN-6: only a pool that runs the daemon.
    if pool.agent != AGENT {
        return Err(ErrorName::InvalidState);
    }
    let first = request.idempotency_key.as_ref().and_then(|key| {
        // TOKEN-7: the key is scoped to the tenant; without a key every call mints.
        let same_key = |row: &&Stored| row.idempotency_key.as_ref() == Some(key);
        rows.iter().filter(|row| row.row.tenant == call.tenant).find(same_key)
    });
    match first {
        None => Ok(Minted::New(Box::new(new_row(request, pool, token, now)))),
        Some(first) if is_same(first, request, pool) => Ok(Minted::Replayed(first)),
        Some(_) => Err(ErrorName::Conflict),
    }
}

/// A list call.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The calling tenant.
    pub tenant: &'a str,
    /// The pool, if there is one of the id named.
    pub pool: Option<&'a Pool>,
    /// Whether tokens that are not live are shown too.
    pub include_inactive: bool,
    /// Records in the page.
    pub limit: Option<usize>,
    /// The id of the token after which the page begins.
    pub after: Option<&'a str>,
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The tokens, in the order of `rows`.
    pub records: Vec<Record>,
    /// Where the next page begins, if more follow.
    pub next: Option<String>,
}

/// Lists tokens of a pool; `rows` stand in the order created.
///
/// # Errors
/// NOT_FOUND, then INVALID_ARGUMENT for a limit out of bounds or an `after` that names no token of the pool (TOKEN-8).
pub fn list(query: &Query<'_>, rows: &[Stored], now: Millis) -> Result<Page, ErrorName> {
    let pool = owned(query.pool, query.tenant)?;
    // TOKEN-8: pages of 100, at most 200.
    let limit = query.limit.unwrap_or(LIST_PAGE_DEFAULT);
    if !(1..=LIST_PAGE_MAX).contains(&limit) {
        return Err(ErrorName::InvalidArgument);
    }
    let of_pool: Vec<&Stored> = rows.iter().filter(|row| is_of(row, pool)).collect();
    let skipped = query.after.map_or(Some(0), |after| {
        of_pool.iter().position(|row| row.row.id == after).map(|position| position + 1)
    });
    let skipped = skipped.ok_or(ErrorName::InvalidArgument)?;
    // TOKEN-8: the live tokens, and all of them with includeInactive.
    let shown = |row: &&&Stored| query.include_inactive || row.is_live(now);
    let mut records: Vec<Record> =
        of_pool.iter().skip(skipped).filter(shown).take(limit + 1).map(|row| row.record()).collect();
    let more = records.len() > limit;
    records.truncate(limit);
    let next = records.last().filter(|_| more).map(|record| record.id.clone());
    Ok(Page { records, next })
}

/// Ends a token. Answers the token to be revoked, or none when it is revoked already.
///
/// # Errors
/// NOT_FOUND for a pool or an id that is not the tenant's, as for one that is not there (TOKEN-6, TOKEN-8).
pub fn revoke<'r>(
    tenant: &str,
    pool: Option<&Pool>,
    id: &str,
    rows: &'r [Stored],
) -> Result<Option<&'r Stored>, ErrorName> {
    let pool = owned(pool, tenant)?;
    // TOKEN-8: an unknown id gets the same answer as an id of another tenant.
    let named = rows.iter().find(|row| row.row.id == id && is_of(row, pool)).ok_or(ErrorName::NotFound)?;
    // TOKEN-8: revoking twice is no error.
    Ok(Some(named).filter(|named| named.row.revoked_at.is_none()))
}

fn owned<'a>(pool: Option<&'a Pool>, tenant: &str) -> Result<&'a Pool, ErrorName> {
    // TOKEN-6: any other tenant gets the NOT_FOUND of a pool that is not there.
    pool.filter(|pool| pool.owner_tenant == tenant).ok_or(ErrorName::NotFound)
}

fn is_of(row: &Stored, pool: &Pool) -> bool {
    row.pool_id == pool.id && row.row.tenant == pool.owner_tenant
}

fn is_same(first: &Stored, request: &Created, pool: &Pool) -> bool {
    // TOKEN-7: another pool, expect, allowReclaim or hosted is CONFLICT; another ttl or maxUses is not.
    first.pool_id == pool.id
        && first.expect == request.expect
        && first.allow_reclaim == request.allow_reclaim
        && first.hosted == request.hosted
}

fn new_row(request: &Created, pool: &Pool, token: &Token, now: Millis) -> Stored {
    Stored {
        row: Row {
            id: token.id().to_string(),
            tenant: pool.owner_tenant.clone(),
            secret_sha256: token.secret_sha256(),
            // TOKEN-11: what joinTokens.create makes is of role `node`.
            role: Role::Node,
            // TOKEN-5: expiresAt = now + ttlSeconds · 1000.
            expires_at: Millis(now.0.saturating_add(i64::from(request.ttl_s) * 1000)),
            revoked_at: None,
            uses_left: request.max_uses,
        },
        pool_id: pool.id.clone(),
        site_id: pool.site_id.clone(),
        max_uses: request.max_uses,
        expect: request.expect.clone(),
        allow_reclaim: request.allow_reclaim,
        hosted: request.hosted,
        allowed_kinds: None,
        ttl_limit_s: None,
        idempotency_key: request.idempotency_key.clone(),
    }
}

#[cfg(test)]
mod tests;
