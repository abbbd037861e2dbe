//! What is published when a token is made or revoked, and when nothing is.

use serde_json::{Value, json};

use super::retry::{LATER, create, under_key};
use crate::case::{Entry, NOW};
use crate::script::{
    Expectation, accepted, refused, revoke, revoked, script_accept, script_reject, token_create,
    token_created,
};
use crate::testkit::world::{World, pool, site, tenant};

const PLAIN: &str = "token/event-plain";

pub(super) fn entries() -> Vec<Entry> {
    [made(), silent(), nothing_made()].concat()
}

fn asking(with: Value) -> Value {
    super::stateful::asked(json!({"ttlSeconds": 3600}), with)
}

/// Made with these members; the event says `pinned` and, where it is not null, `hosted`.
fn event(id: &str, title: &str, with: Value, (pinned, hosted): (bool, Value)) -> Entry {
    let hosted = if hosted.is_null() { json!({"$absent": true}) } else { hosted };
    script_accept(id, "TOKEN-9", title)
        .documented()
        .world(&World::usual())
        .step(
            "create",
            NOW,
            create(asking(with)),
            token_created("t1")
                .with("/effects/events/0/pinned", pinned)
                .with("/effects/events/0/hosted", hosted),
        )
        .recipe("A token made with these members.")
}

fn made() -> Vec<Entry> {
    let none = Value::Null;
    let kubernetes = json!("kubernetes");
    let serial = json!({"serial": "sn-1"});
    let pins = [
        ("uuid", "product UUID", json!({"productUuid": "4c4c4544-0051-3410-8034-b5c04f375931"})),
        ("mac", "MAC address", json!({"mac": "94:de:80:01:02:03"})),
        ("gpu", "GPU", json!({"gpuUuid": "gpu-8f3c2a10-1111-2222-3333-444455556666"})),
    ];
    let mut entries = vec![
        event(PLAIN, "The event of a token without a binding says that it is not pinned, and nothing of hosted.", json!({}), (false, none.clone()))
            .why("A token that any machine can use is what an owner wants to hear of; one without hosted has no such member."),
        event("token/event-pinned", "The event of a token with a binding says that it is pinned.", json!({"expect": serial}), (true, none.clone()))
            .why("pinned tells a token for one machine from one for any; the machine itself is not told."),
        event("token/event-hosted", "The event of a hosted token says so, and that it is not pinned.", json!({"hosted": kubernetes}), (false, kubernetes.clone()))
            .why("A hosted token makes nodes of another role."),
        event(
            "token/event-pinned-hosted",
            "The event of a hosted token with a binding says both.",
            json!({"expect": serial, "hosted": kubernetes}),
            (true, kubernetes),
        )
        .why("The one says nothing of the other."),
        event("token/event-reclaims", "A token that allows a reclaim is not pinned by that.", json!({"allowReclaim": true}), (false, none.clone()))
            .why("pinned is about the binding alone."),
    ];
    entries.extend(pins.map(|(name, what, expect)| {
        let title = format!("The event of a token that is bound to a {what} says that it is pinned.");
        event(
            &format!("token/event-pinned-by-{name}"),
            &title,
            json!({"expect": expect}),
            (true, none.clone()),
        )
        .why("Any one member is a binding.")
    }));
    entries.push(
        script_accept(
            "token/event-of-another-tenant",
            "TOKEN-9",
            "The events of a token go to the tenant that owns its pool.",
        )
        .documented()
        .world(&World::usual())
        .step("create", NOW, token_create(&tenant("b"), &pool("b"), asking(json!({}))), token_created("t1"))
        .step("revoke", NOW, revoke(&tenant("b"), &pool("b"), "$t1"), revoked("$t1"))
        .why("The owner of a token hears of it, not the owner of the site.")
        .recipe("A token of tenant b's pool in a site of the root tenant, made and revoked."),
    );
    entries
}

/// The record of the first token, and no token.
fn again() -> Expectation {
    accepted(json!({
        "record": {
            "id": "$t1", "poolId": pool("a"), "siteId": site("r00t"), "role": "node", "usesLeft": 1, "expect": null,
            "allowReclaim": false, "hosted": null, "expiresAt": "2026-01-01T01:00:00.000Z",
        },
        "token": null,
    }))
}

fn silent() -> Vec<Entry> {
    let quiet = |name: &str, title: &str| {
        script_accept(&format!("token/{name}"), "TOKEN-9", title)
            .world(&World::usual())
            .step("create", NOW, create(under_key(json!({}))), token_created("t1"))
            .recipe("A token made under an idempotency key; what comes after it publishes nothing new.")
    };
    let revoke = || revoke(&tenant("a"), &pool("a"), "$t1");
    vec![
        quiet("event-not-for-a-retry", "A retry publishes nothing.")
            .also("TOKEN-7")
            .step("retry", LATER, create(under_key(json!({}))), again())
            .why("One event is one token; an owner who counts them must not find one too many."),
        quiet("event-not-for-a-second-revocation", "A second revocation publishes nothing.")
            .also("TOKEN-8")
            .step("revoke", LATER, revoke(), revoked("$t1"))
            .step("again", LATER, revoke(), accepted(json!({})))
            .why("The token ended once."),
        quiet("event-not-for-a-retry-after-revocation", "A retry after a revocation publishes nothing.")
            .also("TOKEN-7")
            .step("revoke", LATER, revoke(), revoked("$t1"))
            .step("retry", LATER, create(under_key(json!({}))), again())
            .why("No token was made."),
    ]
}

/// A request that is refused leaves no row and no event.
fn nothing_made() -> Vec<Entry> {
    let row = |name: &str, title: &str, with: Value, at: &str| {
        script_reject(&format!("token/nothing-made-{name}"), "TOKEN-9", title)
            .world(&World::usual())
            .step("create", NOW, create(asking(with)), refused("INVALID_ARGUMENT"))
            .twin(PLAIN, &[&format!("/steps/0/request/request/{at}")], "The request's further member.")
            .why("A token that is made with less than was asked for admits a machine that nobody meant.")
            .recipe("A create request with a member that is not one.")
    };
    vec![
        row("empty-expect", "An empty binding makes no token.", json!({"expect": {}}), "expect"),
        row("null-expect", "A null binding makes no token.", json!({"expect": null}), "expect"),
        row(
            "unknown-expect",
            "A binding with an unknown member makes no token.",
            json!({"expect": {"serial": "sn-1", "host": "a"}}),
            "expect",
        ),
        row(
            "placeholder",
            "A binding to a placeholder makes no token.",
            json!({"expect": {"serial": "To Be Filled By O.E.M."}}),
            "expect",
        ),
        row("hosted", "A misspelt hosted makes no token.", json!({"hosted": "Kubernetes"}), "hosted"),
        row(
            "reclaim",
            "allowReclaim in quotes makes no token.",
            json!({"allowReclaim": "true"}),
            "allowReclaim",
        ),
        row(
            "unknown-member",
            "An unknown member makes no token.",
            json!({"expects": {"serial": "sn-1"}}),
            "expects",
        ),
        row(
            "empty-key",
            "An empty idempotency key makes no token.",
            json!({"idempotencyKey": ""}),
            "idempotencyKey",
        )
        .also("TOKEN-7"),
    ]
}
