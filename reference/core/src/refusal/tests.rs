//! What the caller sees, and the limit of events with the example of the page.

use super::*;
use crate::choices::RefusalBucket;
use crate::time::Millis;

/// Minute 29333333 of the page's example: 1759999980 s to 1760000040 s.
const MINUTE_MS: i64 = 1_759_999_980_000;

fn bucket(attestor: &str, reason: Reason) -> Bucket {
    Bucket { rpc: Rpc::Join, attestor: attestor.into(), reason }
}

fn count(limiter: &mut Limiter, reason: Reason, tenant: Option<&str>, at_ms: i64) -> Option<u64> {
    limiter.count(&bucket("join-token", reason), tenant, RefusalBucket::Audience, Millis(at_ms))
}

#[test]
fn every_refusal_of_a_call_looks_the_same() {
    for &reason in Reason::ALL {
        let join = Refusal::unproven(Rpc::Join, reason).public();
        let renew = Refusal::unproven(Rpc::Renew, reason).public();
        assert_eq!((join.to_string(), join.name().as_str()), ("Join refused".into(), "ACCESS_DENIED"));
        assert_eq!((renew.to_string(), renew.name().grpc_status()), ("Renew refused".into(), 7));
    }
}

#[test]
fn names_and_numbers_are_those_of_the_layout() {
    let page = include_str!("../../../../docs/spec/13-refusal.md");
    for name in [
        ErrorName::AccessDenied,
        ErrorName::InvalidConfig,
        ErrorName::InvalidState,
        ErrorName::Conflict,
        ErrorName::InvalidArgument,
        ErrorName::NotFound,
        ErrorName::AlreadyExists,
        ErrorName::Unauthenticated,
    ] {
        let row = page.lines().find(|line| line.starts_with(&format!("| {} |", name.as_str()))).unwrap();
        assert!(row.ends_with(&format!("| {} |", name.grpc_status())), "{row}");
    }
}

#[test]
fn the_example_of_the_page() {
    let mut limiter = Limiter::default();
    let secret = Reason::TokenSecret;
    for number in 0..63 {
        let published = count(&mut limiter, secret, None, MINUTE_MS + number * 952);
        assert_eq!(published, (number < 60).then_some(0), "{number}");
    }
    assert_eq!(count(&mut limiter, secret, None, MINUTE_MS + 60_000), Some(3));
    assert_eq!(count(&mut limiter, Reason::TokenExpired, Some("ten_t"), MINUTE_MS + 60_000), Some(0));
    assert_eq!(count(&mut limiter, secret, None, MINUTE_MS + 60_000), Some(0));
}

#[test]
fn a_minute_ends_with_its_last_millisecond() {
    let mut limiter = Limiter::default();
    for _ in 0..60 {
        assert_eq!(count(&mut limiter, Reason::Csr, None, MINUTE_MS), Some(0));
    }
    assert_eq!(count(&mut limiter, Reason::Csr, None, MINUTE_MS + 59_999), None);
    assert_eq!(count(&mut limiter, Reason::Csr, None, MINUTE_MS + 60_000), Some(1));
    // Set back, the minute is as full as it was.
    assert_eq!(count(&mut limiter, Reason::Csr, None, MINUTE_MS), None);
    assert_eq!(count(&mut limiter, Reason::Csr, None, MINUTE_MS - 1), Some(1));
}

#[test]
fn tenants_have_buckets_of_their_own_or_share_one() {
    for (choice, second) in [(RefusalBucket::Audience, Some(0)), (RefusalBucket::Global, None)] {
        let mut limiter = Limiter::default();
        let reclaim = bucket("join-token", Reason::Reclaim);
        for _ in 0..60 {
            limiter.count(&reclaim, Some("ten_t"), choice, Millis(MINUTE_MS));
        }
        assert_eq!(limiter.count(&reclaim, Some("ten_u"), choice, Millis(MINUTE_MS)), second);
        let other = bucket("x509pop", Reason::Reclaim);
        assert_eq!(limiter.count(&other, Some("ten_t"), choice, Millis(MINUTE_MS)), Some(0));
        let renew = Bucket { rpc: Rpc::Renew, attestor: String::new(), reason: Reason::Reclaim };
        assert_eq!(limiter.count(&renew, Some("ten_t"), choice, Millis(MINUTE_MS)), Some(0));
    }
}

#[test]
fn a_clean_shutdown_publishes_what_is_pending_once() {
    let mut limiter = Limiter::default();
    for _ in 0..62 {
        count(&mut limiter, Reason::TokenUsed, Some("ten_t"), MINUTE_MS);
    }
    let pending = Pending {
        bucket: bucket("join-token", Reason::TokenUsed),
        tenant: Some("ten_t".into()),
        suppressed: 2,
    };
    assert_eq!(limiter.drain(), [pending]);
    assert_eq!(limiter.drain(), []);
    assert_eq!(count(&mut limiter, Reason::TokenUsed, Some("ten_t"), MINUTE_MS), None);
    assert_eq!(count(&mut limiter, Reason::TokenUsed, Some("ten_t"), MINUTE_MS + 60_000), Some(1));
}

#[test]
fn texts_in_events_are_capped() {
    assert_eq!(role_in_event("node"), "node");
    assert_eq!(role_in_event(&"r".repeat(64)), "r".repeat(64));
    assert_eq!(role_in_event(&"r".repeat(65)), "r".repeat(64));
    // 32 characters of 2 octets fit; after one octet more the last does not.
    assert_eq!(role_in_event(&"é".repeat(40)), "é".repeat(32));
    assert_eq!(role_in_event(&format!("x{}", "é".repeat(40))), format!("x{}", "é".repeat(31)));
    assert_eq!(attestor_in_event("join-token", Reason::Attestor), "unknown");
    assert_eq!(attestor_in_event("", Reason::Request), "unknown");
    assert_eq!(attestor_in_event("x509pop", Reason::Csr), "x509pop");
}
