//! The same idempotency key again: the record as it is now, and never the token.

use serde_json::{Value, json};

use super::stateful::asked;
use crate::case::{Entry, NOW};
use crate::script::{
    Expectation, accepted, join_with, joined, refused, restart, revoke, revoked, script_accept,
    script_reject, token_create, token_created,
};
use crate::testkit::world::{World, machine, pool, tenant};

/// The plain retry, the twin of the conflicts.
pub(super) const RETRY: &str = "token/retry";
/// When the retries come: a minute later, so that a lifetime that begins again shows.
pub(super) const LATER: &str = "2026-01-01T00:01:00.000Z";
const RECIPE: &str =
    "A token made under an idempotency key; the create request once more under the same key.";
/// When a token made at the clock of the cases expires.
const EXPIRES: &str = "2026-01-01T01:00:00.000Z";

pub(super) fn entries() -> Vec<Entry> {
    [same(), after(), spelled(), fresh(), vec![burnt_not(), malformed()]].concat()
}

/// A request of an hour under the usual key, with these further members.
pub(super) fn under_key(with: Value) -> Value {
    asked(json!({"ttlSeconds": 3600, "idempotencyKey": "rack 7"}), with)
}

/// Tenant a asks for its pool a.
pub(super) fn create(request: Value) -> Value {
    token_create(&tenant("a"), &pool("a"), request)
}

/// The record of the first token, after these changes, and no token.
fn again(with: Value) -> Expectation {
    let record = json!({
        "id": "$t1", "poolId": pool("a"), "siteId": crate::testkit::world::site("r00t"), "role": "node", "usesLeft": 1,
        "expect": null, "allowReclaim": false, "hosted": null, "expiresAt": EXPIRES,
    });
    accepted(json!({"record": asked(record, with), "token": null}))
}

/// The first create, with these further members.
pub(super) fn first(entry: Entry, with: Value) -> Entry {
    entry
        .world(&World::usual())
        .step("create", NOW, create(under_key(with)), token_created("t1"))
        .recipe(RECIPE)
}

fn good(id: &str, title: &str, with: Value) -> Entry {
    first(script_accept(id, "TOKEN-7", title), with)
}

fn same() -> Vec<Entry> {
    let all =
        || json!({"expect": {"serial": "sn-1"}, "allowReclaim": true, "hosted": "kubernetes", "maxUses": 3});
    let record =
        json!({"expect": {"serial": "sn-1"}, "allowReclaim": true, "hosted": "kubernetes", "usesLeft": 3});
    vec![
        good(RETRY, "A retry under the same key answers with the record, and without the token.", json!({}))
            .documented()
            .step("retry", LATER, create(under_key(json!({}))), again(json!({})))
            .why("The secret is shown once. Who lost the answer revokes this token and makes another."),
        good("token/retry-of-everything", "A retry with every member answers with the record.", all())
            .documented()
            .step("retry", LATER, create(under_key(all())), again(record))
            .why("Each member is compared with what the row holds; one that is compared with a default conflicts with itself."),
        good("token/retry-many", "The third and the fourth create under a key are retries too.", json!({}))
            .repeated(3, "retry", LATER, create(under_key(json!({}))), again(json!({})))
            .why("A client that retries does so until it is answered."),
        good("token/retry-another-ttl", "A retry with another lifetime answers with the first record.", json!({}))
            .step("retry", LATER, create(under_key(json!({"ttlSeconds": 7200}))), again(json!({})))
            .why("A client that works its lifetime out of an end that it has in mind sends another one each time."),
        good("token/retry-other-uses", "A retry with other maxUses answers with the first record.", json!({}))
            .step("retry", LATER, create(under_key(json!({"maxUses": 5}))), again(json!({})))
            .why("The first record counts. A retry that raised the uses would admit machines that nobody counted."),
        good("token/retry-default-spelled-out", "allowReclaim false is the same as none.", json!({}))
            .step("retry", LATER, create(under_key(json!({"allowReclaim": false}))), again(json!({})))
            .why("Defaults are put in before requests are compared: a newer client that sends them must not conflict."),
        good("token/retry-default-left-out", "No allowReclaim is the same as false.", json!({"allowReclaim": false}))
            .step("retry", LATER, create(under_key(json!({}))), again(json!({})))
            .why("Defaults are put in before requests are compared, in the first request too."),
    ]
}

/// Between the first create and its retry the token's row or the server has changed.
fn after() -> Vec<Entry> {
    let used = |uses: u32, id: &str, title: &str| {
        good(id, title, json!({"maxUses": uses}))
            .step("join", NOW, join_with(&machine("a"), "create"), joined("n1"))
            .step(
                "retry",
                LATER,
                create(under_key(json!({"maxUses": uses}))),
                again(json!({"usesLeft": uses - 1})),
            )
            .why("The record is the row as it is now: whoever reads it must see that a machine has come.")
    };
    let revoke = revoke(&tenant("a"), &pool("a"), "$t1");
    vec![
        used(2, "token/retry-after-a-use", "A retry after a use answers with the uses that are left."),
        used(1, "token/retry-after-the-last-use", "A retry after the last use answers with a record without uses."),
        good("token/retry-after-revocation", "A retry after the token was revoked mints nothing.", json!({}))
            .step("revoke", NOW, revoke, revoked("$t1"))
            .step("retry", LATER, create(under_key(json!({}))), again(json!({})))
            .why("A key is kept as long as its row. One that is free again after a revocation undoes the revocation."),
        good("token/retry-at-expiry", "A retry when the token has expired mints nothing.", json!({}))
            .step("retry", EXPIRES, create(under_key(json!({}))), again(json!({})))
            .why("A key is kept as long as its row, not as long as its token lives."),
        good("token/retry-after-restart", "A retry after a restart of the server mints nothing.", json!({}))
            .step("restart", NOW, restart(), accepted(json!({})))
            .step("retry", LATER, create(under_key(json!({}))), again(json!({})))
            .why("The answer is lost most often when the server stops; a key kept in memory is gone just then."),
    ]
}

/// The binding is compared as the row holds it.
fn spelled() -> Vec<Entry> {
    let row = |name: &str, title: &str, sent: Value, retried: Value, held: Value| {
        script_accept(&format!("token/retry-{name}"), "TOKEN-7", title)
            .world(&World::usual())
            .step(
                "create",
                NOW,
                create(under_key(json!({"expect": sent}))),
                token_created("t1").with("/out/record/expect", held.clone()),
            )
            .step(
                "retry",
                LATER,
                create(under_key(json!({"expect": retried}))),
                again(json!({"expect": held})),
            )
            .why("The row holds the normalized binding; a comparison of what was sent conflicts with itself.")
            .recipe(RECIPE)
    };
    let serial = |text: &str| json!({"serial": text});
    let mac = |text: &str| json!({"mac": text});
    let uuid = |text: &str| json!({"productUuid": text});
    let (lower, upper) = ("4c4c4544-0051-3410-8034-b5c04f375931", "4C4C4544-0051-3410-8034-B5C04F375931");
    vec![
        row(
            "serial-spelled-otherwise",
            "A retry whose serial has capitals and blanks around it is a retry.",
            serial("sn-1"),
            serial(" SN-1 "),
            serial("sn-1"),
        ),
        row(
            "serial-in-capitals-twice",
            "A retry with the capitals of the first request is a retry.",
            serial("SN-1"),
            serial("SN-1"),
            serial("sn-1"),
        ),
        row(
            "mac-spelled-otherwise",
            "A retry whose MAC address is in capitals is a retry.",
            mac("94:de:80:01:02:03"),
            mac("94:DE:80:01:02:03"),
            mac("94:de:80:01:02:03"),
        ),
        row(
            "uuid-spelled-otherwise",
            "A retry whose product UUID is in small letters is a retry.",
            uuid(upper),
            uuid(lower),
            uuid(lower),
        ),
    ]
}

/// What mints again: no key, another key, the key of another tenant.
fn fresh() -> Vec<Entry> {
    let row = |name: &str, title: &str, second: Value| {
        good(&format!("token/mints-again-{name}"), title, json!({}))
            .step("second", LATER, second, token_created("t2"))
            .recipe("Two create requests whose keys are not the same.")
    };
    let key = |key: &str| create(under_key(json!({"idempotencyKey": key})));
    let long = |end: &str| under_key(json!({"idempotencyKey": format!("{}{end}", "k".repeat(127))}));
    let exact = "A key is the caller's own text, compared octet for octet; one that is folded gives a caller another's record.";
    let another = token_create(&tenant("b"), &pool("b"), under_key(json!({})));
    let root = token_create(&tenant("r00t"), &pool("r00t"), under_key(json!({})));
    vec![
        row("for-another-tenant", "The same key of another tenant mints a token of that tenant.", another).why(
            "Callers name their keys as they like, and two tenants like the same: one would see the other's record.",
        ),
        row("for-the-root-tenant", "The same key of the root tenant mints a token of that tenant.", root)
            .why("The root tenant's keys are its own as well."),
        row("for-another-key", "Another key mints another token.", key("rack 8")).why(exact),
        row("for-capitals", "A key in capitals is another key.", key("RACK 7")).why(exact),
        row("for-a-blank", "A key with a blank behind it is another key.", key("rack 7 ")).why(exact),
        row("for-no-key", "A request without a key mints, whatever was made under a key.", create(json!({"ttlSeconds": 3600})))
            .why("Without a key there is no retry."),
        script_accept("token/mints-again-without-keys", "TOKEN-7", "Each of two equal requests without a key mints.")
            .world(&World::usual())
            .step("create", NOW, create(json!({"ttlSeconds": 3600})), token_created("t1"))
            .step("first-joins", NOW, join_with(&machine("a"), "create"), joined("n1"))
            .step("second", NOW, create(json!({"ttlSeconds": 3600})), token_created("t2"))
            .step("second-joins", NOW, join_with(&machine("b"), "second"), joined("n2"))
            .why("Two tokens, each with its own secret and its own use.")
            .recipe("Two equal create requests without a key; a join with each token."),
        script_accept("token/mints-again-for-the-last-character", "TOKEN-7", "Two keys of 128 characters that differ in the last one are two.")
            .world(&World::usual())
            .step("create", NOW, create(long("a")), token_created("t1"))
            .step("second", LATER, create(long("b")), token_created("t2"))
            .why("A column that cuts a key makes one of two, and the second caller gets the first one's record.")
            .recipe("Two create requests under keys of the greatest length."),
    ]
}

fn burnt_not() -> Entry {
    script_accept(
        "token/key-of-a-refused-request",
        "TOKEN-7",
        "A request that was refused leaves its key free.",
    )
    .world(&World::usual())
    .step("refused", NOW, create(under_key(json!({"ttlSeconds": 1}))), refused("INVALID_ARGUMENT"))
    .step("create", LATER, create(under_key(json!({}))), token_created("t1"))
    .why("A key is kept with the row that it made; where there is no row there is nothing to give back.")
    .recipe("A create request that is refused, then a good one under the same key.")
}

fn malformed() -> Entry {
    first(
        script_reject(
            "token/retry-malformed",
            "TOKEN-7",
            "A retry that no request may be is refused as one.",
        ),
        json!({}),
    )
    .also("TOKEN-5")
    .step("retry", LATER, create(under_key(json!({"ttlSeconds": 1}))), refused("INVALID_ARGUMENT"))
    .twin(RETRY, &["/steps/1/request/request/ttlSeconds"], "A lifetime of a second.")
    .why("Another lifetime is no conflict, and yet one that is out of bounds is never right.")
}
