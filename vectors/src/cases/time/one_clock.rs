//! A request has one clock, and its time is that of the lock (TIME-1).

use serde_json::json;

use crate::case::{Entry, NOW};
use crate::script::{Expectation, Join, accepted, join, joined, refused, script_accept, script_reject};
use crate::testkit::encode::b64u;
use crate::testkit::world::{Grant, World, grant, instant_ms, machine, node_ca, seconds};
use crate::testkit::x509::node_root;

const RULE: &str = "TIME-1";
/// A time that no machine's clock shows today.
const FAR: &str = "2055-06-15T12:00:00.000Z";
const FAR_GOOD: &str = "time/one-clock";
const LOCK_GOOD: &str = "time/lock-last-millisecond";
const LAST: &str = "2026-01-01T00:59:59.999Z";
/// When the usual tokens expire.
const END: &str = "2026-01-01T01:00:00.000Z";

pub(super) fn entries() -> Vec<Entry> {
    vec![far(), far_expired(), at_the_lock(), expired_at_the_lock()]
}

/// A join in 2055 by a token that ends so many seconds later, under a node CA that is still alive.
fn in_2055(entry: Entry, left: i64, expected: Expectation) -> Entry {
    let root = node_root();
    let lasting = node_ca().certificate(&root).valid("2021-01-01T00:00:00Z", "2060-01-01T00:00:00Z");
    let token = grant("far").with("expiresAt", instant_ms(seconds(FAR) + left));
    let request = join(&machine("a"), &token).iat(u64::try_from(seconds(FAR)).unwrap_or_default());
    let world = World::usual().set("/keys/nodeCa/certificate", b64u(lasting.signed(&root.key)));
    entry
        .world(&world.token(&token))
        .step("join", FAR, request, expected)
        .recipe("A join in 2055, whatever the machine's own clock shows.")
}

fn far() -> Entry {
    let title = "In 2055 a token that ends a second later joins, and its certificate has dates of 2055.";
    in_2055(script_accept(FAR_GOOD, RULE, title), 1, joined("n1")).also("CERTIFICATE-1").why(
        "The clock is the store's. A verdict or a date by the server's own clock is another on every server.",
    )
}

fn far_expired() -> Entry {
    let title = "In 2055 a token that has just ended is refused, although the machine's own clock is far before its end.";
    in_2055(script_reject("time/one-clock-expired", RULE, title), 0, refused("token-expired"))
        .twin(FAR_GOOD, &["/world/tokens/0/expiresAt"], "The token ends at the time of the join.")
        .why("A server whose own clock is behind the store's must not keep tokens alive.")
}

fn token() -> Grant {
    grant("lock")
}

fn first() -> Join {
    join(&machine("a"), &token())
}

/// A join that begins now and finishes at this time.
fn finishing(entry: Entry, at: &str, expected: Expectation) -> Entry {
    entry
        .world(&World::usual().token(&token()))
        .step("begin", NOW, first().begin("a"), accepted(json!({})))
        .step(
            "finish",
            at,
            first().finish("a").iat(u64::try_from(seconds(NOW)).unwrap_or_default()),
            expected,
        )
        .recipe("A join that has read what it needs, and waits for the lock of the token's row.")
}

fn at_the_lock() -> Entry {
    let title = "A join that gets the lock in the last millisecond of its token is admitted.";
    finishing(script_accept(LOCK_GOOD, RULE, title).also("TIME-2"), LAST, joined("n1"))
        .why("The time is read when the row is locked.")
}

fn expired_at_the_lock() -> Entry {
    let title = "A join that began in time and gets the lock when its token has ended is refused.";
    finishing(script_reject("time/lock-expired", RULE, title).also("TIME-2"), END, refused("token-expired"))
        .twin(LOCK_GOOD, &["/steps/1/at"], "The lock comes a millisecond later.")
        .why("A time that is read before waiting for a lock lets a held lock prolong a token.")
}
