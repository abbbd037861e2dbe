//! Tokens over their rows.

use super::*;
use crate::json;

const NOW: Millis = Millis(1_767_225_600_000);

fn pool(id: &str, owner: &str) -> Pool {
    Pool {
        id: id.into(),
        site_id: "site_s".into(),
        owner_tenant: owner.into(),
        agent: "bcd".into(),
        acceptance_checks: false,
        join_attestors: None,
        requires_request_binding: false,
        platform_operated: false,
    }
}

fn created(text: &str) -> Created {
    super::super::create(&json::read(text.as_bytes()).unwrap()).unwrap()
}

fn token(number: u8) -> Token {
    Token::new([number; 16], [number; 32])
}

fn minted(rows: &mut Vec<Stored>, pool: &Pool, text: &str) -> Result<bool, ErrorName> {
    let (request, token) = (created(text), token(u8::try_from(rows.len()).unwrap()));
    let call = Mint { tenant: "ten_t", pool: Some(pool), request: Some(&request) };
    let new = match mint(call, rows, &token, NOW)? {
        Minted::New(row) => *row,
        Minted::Replayed(first) => {
            assert_eq!(first.row.id, rows[0].row.id);
            return Ok(false);
        }
    };
    rows.push(new);
    Ok(true)
}

#[test]
fn a_new_row_is_what_was_asked() {
    let mut rows = vec![];
    let text = r#"{"ttlSeconds":60,"maxUses":3,"allowReclaim":true,"hosted":"kubernetes","expect":{"serial":" S1 "}}"#;
    assert_eq!(minted(&mut rows, &pool("pool_p", "ten_t"), text), Ok(true));
    let Stored { row, max_uses, .. } = &rows[0];
    assert_eq!((row.uses_left, *max_uses, row.tenant.as_str()), (3, 3, "ten_t"));
    assert_eq!(row.expires_at, Millis(NOW.0 + 60_000));
    assert_eq!(row.secret_sha256, crate::hash::sha256(&[0; 32]));
    let record = rows[0].record();
    assert_eq!((record.id.as_str(), record.site_id.as_str()), ("jt_00000000000000000000000000", "site_s"));
    assert_eq!(record.expect.unwrap().serial.as_deref(), Some("s1"));
    assert!(record.allow_reclaim && record.hosted == Some(Hosted::Kubernetes));
}

#[test]
fn errors_come_in_their_order() {
    let mut foreign = pool("pool_p", "ten_u");
    foreign.agent = "other".into();
    let request = created(r#"{"ttlSeconds":60}"#);
    let judge = |pool: Option<&Pool>, request: Option<&Created>| {
        mint(Mint { tenant: "ten_t", pool, request }, &[], &token(0), NOW).map(drop)
    };
    assert_eq!(judge(None, None), Err(ErrorName::NotFound));
    assert_eq!(judge(Some(&foreign), None), Err(ErrorName::NotFound));
    foreign.owner_tenant = "ten_t".into();
    assert_eq!(judge(Some(&foreign), None), Err(ErrorName::InvalidArgument));
    assert_eq!(judge(Some(&foreign), Some(&request)), Err(ErrorName::InvalidState));
    foreign.agent = "bcd".into();
    assert_eq!(judge(Some(&foreign), Some(&request)), Ok(()));
}

#[test]
fn a_key_replays_its_first_record_or_conflicts() {
    let (first, second) = (pool("pool_p", "ten_t"), pool("pool_q", "ten_t"));
    let mut rows = vec![];
    let ask = r#"{"ttlSeconds":60,"idempotencyKey":"k","expect":{"serial":"S1"}}"#;
    assert_eq!(minted(&mut rows, &first, ask), Ok(true));
    // Compared after normalization; ttl and maxUses do not count.
    let again = r#"{"ttlSeconds":90,"maxUses":2,"idempotencyKey":"k","expect":{"serial":" s1"}}"#;
    assert_eq!(minted(&mut rows, &first, again), Ok(false));
    for other in [
        r#"{"ttlSeconds":60,"idempotencyKey":"k"}"#,
        r#"{"ttlSeconds":60,"idempotencyKey":"k","expect":{"serial":"S2"}}"#,
        r#"{"ttlSeconds":60,"idempotencyKey":"k","expect":{"serial":"S1"},"allowReclaim":true}"#,
        r#"{"ttlSeconds":60,"idempotencyKey":"k","expect":{"serial":"S1"},"hosted":"kubernetes"}"#,
    ] {
        assert_eq!(minted(&mut rows, &first, other), Err(ErrorName::Conflict), "{other}");
    }
    assert_eq!(minted(&mut rows, &second, ask), Err(ErrorName::Conflict));
    assert_eq!(minted(&mut rows, &first, r#"{"ttlSeconds":60,"idempotencyKey":"K"}"#), Ok(true));
    assert_eq!(minted(&mut rows, &first, r#"{"ttlSeconds":60}"#), Ok(true));
    assert_eq!(minted(&mut rows, &first, r#"{"ttlSeconds":60}"#), Ok(true));
    // Another tenant's key is another key.
    rows.truncate(1);
    rows[0].row.tenant = "ten_u".into();
    assert_eq!(minted(&mut rows, &first, ask), Ok(true));
}

#[test]
fn a_list_shows_live_tokens_page_by_page() {
    let pool = pool("pool_p", "ten_t");
    let mut rows = vec![];
    for _ in 0..5 {
        assert_eq!(minted(&mut rows, &pool, r#"{"ttlSeconds":60}"#), Ok(true));
    }
    rows[1].row.revoked_at = Some(NOW);
    rows[2].row.uses_left = 0;
    rows[3].row.expires_at = Millis(NOW.0 + 1);
    let id = |number: usize| rows[number].row.id.clone();
    let ask = |include_inactive, limit, after: Option<&str>, now| {
        let query = Query { tenant: "ten_t", pool: Some(&pool), include_inactive, limit, after };
        let page = list(&query, &rows, now)?;
        Ok((page.records.into_iter().map(|record| record.id).collect::<Vec<_>>(), page.next))
    };
    assert_eq!(ask(false, None, None, NOW), Ok((vec![id(0), id(3), id(4)], None)));
    assert_eq!(ask(false, None, None, Millis(NOW.0 + 1)), Ok((vec![id(0), id(4)], None)));
    assert_eq!(ask(true, Some(2), None, NOW), Ok((vec![id(0), id(1)], Some(id(1)))));
    assert_eq!(ask(true, Some(3), Some(&id(1)), NOW), Ok((vec![id(2), id(3), id(4)], None)));
    assert_eq!(ask(false, Some(1), Some(&id(1)), NOW), Ok((vec![id(3)], Some(id(3)))));
    assert_eq!(ask(true, Some(0), None, NOW), Err(ErrorName::InvalidArgument));
    assert_eq!(ask(true, Some(201), None, NOW), Err(ErrorName::InvalidArgument));
    assert!(ask(true, Some(200), None, NOW).is_ok());
    assert_eq!(ask(true, None, Some("jt_x"), NOW), Err(ErrorName::InvalidArgument));
}

#[test]
fn only_the_owner_revokes_and_only_once() {
    let (mine, other) = (pool("pool_p", "ten_t"), pool("pool_q", "ten_t"));
    let mut rows = vec![];
    assert_eq!(minted(&mut rows, &mine, r#"{"ttlSeconds":60}"#), Ok(true));
    let id = rows[0].row.id.clone();
    let ids = |found: Result<Option<&Stored>, ErrorName>| found.map(|row| row.map(|row| row.row.id.clone()));
    assert_eq!(ids(revoke("ten_t", Some(&mine), &id, &rows)), Ok(Some(id.clone())));
    for (tenant, pool, id) in [
        ("ten_u", Some(&mine), &*id),
        ("ten_t", Some(&other), &*id),
        ("ten_t", None, &*id),
        ("ten_t", Some(&mine), "jt_x"),
    ] {
        assert_eq!(ids(revoke(tenant, pool, id, &rows)), Err(ErrorName::NotFound), "{tenant} {id}");
    }
    rows[0].row.revoked_at = Some(NOW);
    assert_eq!(ids(revoke("ten_t", Some(&mine), &id, &rows)), Ok(None));
}
