//! What the scripts of this step share: rows as records, and requests to list.

use serde_json::{Value, json};

use crate::testkit::world::{Grant, pool, site, tenant};

/// A list of tenant a's pool a, with these further members.
pub(super) fn list(with: Value) -> Value {
    list_of("a", "a", with)
}

/// A list of a tenant's pool, with these further members.
pub(super) fn list_of(owner: &str, name: &str, with: Value) -> Value {
    let request =
        json!({"do": "token-list", "tenant": tenant(owner), "poolId": pool(name), "includeInactive": false});
    asked(request, with)
}

/// A value with these members, which replace its own.
#[expect(clippy::needless_pass_by_value, reason = "called with a json! literal")]
pub(super) fn asked(mut value: Value, with: Value) -> Value {
    for (name, member) in with.as_object().into_iter().flatten() {
        value[name] = member.clone();
    }
    value
}

/// The record of a token of a pool in site r00t, as its row has it.
pub(super) fn record(grant: &Grant) -> Value {
    let row = &grant.row;
    json!({
        "id": row["id"], "poolId": row["poolId"], "siteId": site("r00t"), "role": row["role"],
        "usesLeft": row["usesLeft"], "expect": row["expect"], "allowReclaim": row["allowReclaim"],
        "hosted": row["hosted"], "expiresAt": row["expiresAt"],
    })
}

/// The last page of a list: these records, and nothing after them.
pub(super) fn page(grants: &[&Grant]) -> Value {
    let records: Vec<Value> = grants.iter().map(|grant| record(grant)).collect();
    json!({"records": records, "next": null})
}
