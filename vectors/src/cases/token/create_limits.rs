//! `ttlSeconds` and `maxUses` of a create request: JSON integers with bounds.

use serde_json::{Value, json};

use crate::case::{Entry, accept, reject};

pub(super) fn entries() -> Vec<Entry> {
    vec![
        defaults(),
        bounds(),
        ttl_range(),
        ttl_type(),
        ttl_fraction_zero(),
        ttl_missing(),
        uses_range(),
        uses_type(),
        uses_fraction_zero(),
    ]
}

/// The output of a create without expect.
pub(super) fn record(ttl: u32, uses: u32) -> Value {
    let (expect, hosted) = (Value::Null, Value::Null);
    json!({
        "ttlSeconds": ttl, "maxUses": uses, "expect": expect, "allowReclaim": false, "hosted": hosted, "pinned": false
    })
}

fn defaults() -> Entry {
    accept("token/create-defaults", "TOKEN-5", "A lifetime is all that a create request needs.")
        .also("TOKEN-9")
        .why("The defaults are the narrow ones: one use, no reclaim, not hosted; and no binding, which pinned says.")
        .call("token.create", json!({"request": {"ttlSeconds": 3600}}))
        .out(record(3600, 1))
        .recipe("A create request with ttlSeconds alone.")
}

fn bounds() -> Entry {
    accept("token/create-bounds", "TOKEN-5", "Both ends of both ranges belong to them.")
        .why("An off-by-one at the upper end refuses the value that the manual names.")
        .family("token.create")
        .row("ttl-60", json!({"request": {"ttlSeconds": 60}}), record(60, 1))
        .row("ttl-86400", json!({"request": {"ttlSeconds": 86400}}), record(86400, 1))
        .row("uses-1", json!({"request": {"ttlSeconds": 3600, "maxUses": 1}}), record(3600, 1))
        .row("uses-2", json!({"request": {"ttlSeconds": 3600, "maxUses": 2}}), record(3600, 2))
        .row("uses-10000", json!({"request": {"ttlSeconds": 3600, "maxUses": 10000}}), record(3600, 10000))
        .recipe("A create request with the row's ttlSeconds and maxUses.")
}

fn ttl(id: &str, title: &str, what: &str, values: &[(&str, Value)]) -> Entry {
    let entry = reject(id, "TOKEN-5", "invalid-argument", title)
        .family("token.create")
        .twin("token/create-defaults", &["/in/request/ttlSeconds"], what)
        .recipe("A create request with the row's ttlSeconds alone.");
    values
        .iter()
        .fold(entry, |entry, (name, value)| entry.bad(name, json!({"request": {"ttlSeconds": value}})))
}

fn uses(id: &str, title: &str, what: &str, values: &[(&str, Value)]) -> Entry {
    let entry = reject(id, "TOKEN-5", "invalid-argument", title)
        .family("token.create")
        .twin("token/create-bounds#uses-1", &["/in/request/maxUses"], what)
        .recipe("A create request with ttlSeconds 3600 and the row's maxUses.");
    values.iter().fold(entry, |entry, (name, value)| {
        entry.bad(name, json!({"request": {"ttlSeconds": 3600, "maxUses": value}}))
    })
}

fn ttl_range() -> Entry {
    ttl(
        "token/create-ttl-range",
        "A lifetime is 60 to 86400 seconds.",
        "ttlSeconds is outside the range",
        &[
            ("59", json!(59)),
            ("0", json!(0)),
            ("minus-60", json!(-60)),
            ("86401", json!(86401)),
            ("milliseconds", json!(3_600_000)),
            ("2-to-the-32-and-60", json!(4_294_967_356u64)),
            ("2-to-the-53", json!(9_007_199_254_740_992u64)),
        ],
    )
    .documented()
    .why("The CLI checks the range, and so must the service: others call it too. 2^32 + 60 wraps to 60.")
}

fn ttl_type() -> Entry {
    ttl(
        "token/create-ttl-type",
        "A lifetime is a JSON integer.",
        "ttlSeconds is another type or has a fraction",
        &[
            ("90.5", json!(90.5)),
            ("text", json!("60")),
            ("text-with-unit", json!("1h")),
            ("true", json!(true)),
            ("null", json!(null)),
            ("list", json!([60])),
            ("object", json!({"seconds": 60})),
        ],
    )
    .why("Languages that convert read true as 1, \"60\" as 60 and 90.5 as 90.")
}

fn ttl_fraction_zero() -> Entry {
    reject("token/create-ttl-fraction-zero", "TOKEN-5", "invalid-argument", "60.0 is no integer.")
        .why("The text decides, so that a reader that keeps integers apart and one that does not cannot differ on 60.5 either.")
        .call("token.create", json!({"request": {"ttlSeconds": 60.0}}))
        .twin("token/create-bounds#ttl-60", &["/in/request/ttlSeconds"], "60 is written 60.0")
        .recipe("A create request whose ttlSeconds is the JSON text 60.0.")
}

fn ttl_missing() -> Entry {
    reject(
        "token/create-ttl-missing",
        "TOKEN-5",
        "invalid-argument",
        "A create request without a lifetime is refused.",
    )
    .why("A default lifetime would be a decision that nobody made.")
    .call("token.create", json!({"request": {}}))
    .twin("token/create-defaults", &["/in/request/ttlSeconds"], "ttlSeconds is left out")
    .recipe("An empty create request.")
}

fn uses_range() -> Entry {
    uses(
        "token/create-uses-range",
        "A token admits 1 to 10000 joins.",
        "maxUses is outside the range",
        &[
            ("0", json!(0)),
            ("minus-1", json!(-1)),
            ("10001", json!(10001)),
            ("2-to-the-16-and-1", json!(65537)),
            ("2-to-the-32-and-1", json!(4_294_967_297u64)),
            ("2-to-the-53", json!(9_007_199_254_740_992u64)),
        ],
    )
    .why("A token of no uses never admits; an unlimited one is a standing password. 2^32 + 1 wraps to 1.")
}

fn uses_type() -> Entry {
    uses(
        "token/create-uses-type",
        "maxUses is a JSON integer, or absent.",
        "maxUses is another type or has a fraction",
        &[
            ("1.5", json!(1.5)),
            ("text", json!("1")),
            ("unlimited", json!("unlimited")),
            ("true", json!(true)),
            ("null", json!(null)),
            ("list", json!([1])),
        ],
    )
    .why("null and the empty text have meant unlimited in systems of this kind.")
}

fn uses_fraction_zero() -> Entry {
    reject("token/create-uses-fraction-zero", "TOKEN-5", "invalid-argument", "1.0 is no integer.")
        .why("The text decides, as for the lifetime.")
        .call("token.create", json!({"request": {"ttlSeconds": 3600, "maxUses": 1.0}}))
        .twin("token/create-bounds#uses-1", &["/in/request/maxUses"], "1 is written 1.0")
        .recipe("A create request whose maxUses is the JSON text 1.0.")
}
