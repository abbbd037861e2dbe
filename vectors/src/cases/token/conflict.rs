//! The same idempotency key for something else is CONFLICT, and nothing changes.

use serde_json::{Value, json};

use super::retry::{LATER, RETRY, create, first, under_key};
use crate::case::Entry;
use crate::script::{refused, script_reject, token_create};
use crate::testkit::world::{World, pool, tenant};

pub(super) fn entries() -> Vec<Entry> {
    [pools(), members()].concat()
}

fn conflict(name: &str, title: &str, made: Value, retry: Value, at: &[&str], what: &str) -> Entry {
    first(script_reject(&format!("token/conflict-{name}"), "TOKEN-7", title).documented(), made)
        .step("retry", LATER, retry, refused("CONFLICT"))
        .twin(RETRY, at, what)
        .why("The caller believes that it has a token of what it asked for; the record of another would be a lie.")
        .recipe("A token made under an idempotency key; a request for something else under the same key.")
}

fn pools() -> Vec<Entry> {
    const AT: &str = "/steps/1/request/poolId";
    let retry = |name: &str| token_create(&tenant("a"), &pool(name), under_key(json!({})));
    vec![
        conflict(
            "pool",
            "The same key for another pool of the tenant is CONFLICT.",
            json!({}),
            retry("ac"),
            &[AT],
            "Another pool.",
        ),
        conflict(
            "site",
            "The same key for a pool of another site is CONFLICT.",
            json!({}),
            retry("aa"),
            &[AT],
            "Another pool, in another site.",
        ),
        agent_first(retry("ac")),
    ]
}

/// The second pool runs another agent: INVALID_STATE comes before CONFLICT.
fn agent_first(retry: Value) -> Entry {
    let title = "A key that was used before is looked at after the pool's agent.";
    let entry = script_reject("token/agent-before-key", "TOKEN-7", title).also("TOKEN-6");
    let mut entry = first(entry, json!({}));
    entry.0.world = Some(World::usual().pool("ac", "agent", "kubelet").0);
    entry
        .step("retry", LATER, retry, refused("INVALID_STATE"))
        .twin(RETRY, &["/steps/1/request/poolId", "/world/pools/3/agent"], "Another pool, which does not run the daemon.")
        .why("No token is made for such a pool under any key; CONFLICT would send the caller looking for another key.")
        .recipe("A token made under an idempotency key; the same key for a pool that does not run the daemon.")
}

fn members() -> Vec<Entry> {
    const MADE: &str = "/steps/0/request/request";
    const RETRIED: &str = "/steps/1/request/request";
    let row = |name: &str, title: &str, member: &str, made: Option<Value>, retried: Option<Value>| {
        let with = |value: &Option<Value>| match value {
            Some(value) => json!({member: value}),
            None => json!({}),
        };
        let places = [(MADE, &made), (RETRIED, &retried)];
        let at: Vec<String> = places
            .iter()
            .filter(|(_, value)| value.is_some())
            .map(|(at, _)| format!("{at}/{member}"))
            .collect();
        let at: Vec<&str> = at.iter().map(String::as_str).collect();
        conflict(name, title, with(&made), create(under_key(with(&retried))), &at, "The two requests differ.")
    };
    let serial = |text: &str| Some(json!({"serial": text}));
    vec![
        row(
            "expect-added",
            "A retry with a binding that the first had not is CONFLICT.",
            "expect",
            None,
            serial("sn-1"),
        ),
        row(
            "expect-dropped",
            "A retry without the binding of the first is CONFLICT.",
            "expect",
            serial("sn-1"),
            None,
        ),
        row(
            "expect-value",
            "A retry with another serial is CONFLICT.",
            "expect",
            serial("sn-1"),
            serial("sn-2"),
        ),
        row(
            "expect-member",
            "A retry whose binding has a member more is CONFLICT.",
            "expect",
            serial("sn-1"),
            Some(json!({"serial": "sn-1", "mac": "94:de:80:01:02:03"})),
        ),
        row(
            "reclaim-added",
            "A retry that allows a reclaim is CONFLICT.",
            "allowReclaim",
            None,
            Some(json!(true)),
        ),
        row(
            "reclaim-dropped",
            "A retry that does not allow the reclaim any more is CONFLICT.",
            "allowReclaim",
            Some(json!(true)),
            Some(json!(false)),
        ),
        row("hosted-added", "A retry that is hosted is CONFLICT.", "hosted", None, Some(json!("kubernetes"))),
        row(
            "hosted-dropped",
            "A retry that is not hosted any more is CONFLICT.",
            "hosted",
            Some(json!("kubernetes")),
            None,
        ),
    ]
}
