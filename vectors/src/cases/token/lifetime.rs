//! A token that was made lives to the millisecond, and for as many machines as it was made for.

use serde_json::{Value, json};

use crate::case::{Entry, NOW};
use crate::script::{join_with, joined, refused, script_accept, script_reject, token_create, token_created};
use crate::testkit::world::{World, machine, pool, tenant};

const MINUTE: &str = "token/lives-a-minute";
const DAY: &str = "token/lives-a-day";
const USES: &str = "token/made-for-two";

pub(super) fn entries() -> Vec<Entry> {
    vec![
        lives(
            MINUTE,
            "A token of a minute that was made half a second past admits in its last millisecond.",
            60,
        )
        .step("join", "2026-01-01T00:01:00.499Z", join_with(&machine("a"), "create"), joined("n1")),
        dead("minute", 60, "2026-01-01T00:01:00.500Z").twin(
            MINUTE,
            &["/steps/1/at"],
            "One millisecond later.",
        ),
        lives(DAY, "A token of a day, the longest lifetime, admits in its last millisecond.", 86400).step(
            "join",
            "2026-01-02T00:00:00.499Z",
            join_with(&machine("a"), "create"),
            joined("n1"),
        ),
        dead("day", 86400, "2026-01-02T00:00:00.500Z").twin(DAY, &["/steps/1/at"], "One millisecond later."),
        uses(),
        one_more(),
        default_use(),
        refused_create(
            "ttl-too-short",
            "a lifetime under a minute",
            "/steps/0/request/request/ttlSeconds",
            json!({"ttlSeconds": 59}),
        ),
        refused_create(
            "ttl-too-long",
            "a lifetime over a day",
            "/steps/0/request/request/ttlSeconds",
            json!({"ttlSeconds": 86401}),
        ),
        refused_create("ttl-none", "no lifetime", "/steps/0/request/request/ttlSeconds", json!({})),
        refused_create(
            "uses-none",
            "no uses",
            "/steps/0/request/request/maxUses",
            json!({"ttlSeconds": 60, "maxUses": 0}),
        ),
        refused_create(
            "uses-too-many",
            "more than 10000 uses",
            "/steps/0/request/request/maxUses",
            json!({"ttlSeconds": 60, "maxUses": 10001}),
        ),
    ]
}

/// When the tokens are made: half a second past, so that a lifetime cut to whole seconds shows.
const MADE: &str = "2026-01-01T00:00:00.500Z";

fn create(request: Value) -> Value {
    token_create(&tenant("a"), &pool("a"), request)
}

/// Made at [`MADE`] with this lifetime.
fn made(entry: Entry, ttl_s: i64) -> Entry {
    entry
        .world(&World::usual())
        .step("create", MADE, create(json!({"ttlSeconds": ttl_s})), token_created("t1"))
        .recipe("A token made at half past a second; a join with it at the edge of its life.")
}

fn lives(id: &str, title: &str, ttl_s: i64) -> Entry {
    made(script_accept(id, "TOKEN-5", title), ttl_s)
        .also("TOKEN-11")
        .why("expiresAt is the making's millisecond and the lifetime; a store that keeps whole seconds ends it early.")
}

fn dead(name: &str, ttl_s: i64, at: &str) -> Entry {
    let title =
        format!("A token of a {name} that was made half a second past admits nobody at its expiresAt.");
    made(script_reject(&format!("token/dead-after-a-{name}"), "TOKEN-5", &title), ttl_s)
        .also("TOKEN-11")
        .step("join", at, join_with(&machine("a"), "create"), refused("token-expired"))
        .why("The lifetime ends before expiresAt; a store that rounds up to a second lets it live on.")
}

fn for_two(entry: Entry) -> Entry {
    entry
        .world(&World::usual())
        .step("create", NOW, create(json!({"ttlSeconds": 3600, "maxUses": 2})), token_created("t1"))
        .step("first", NOW, join_with(&machine("a"), "create"), joined("n1"))
        .step("second", NOW, join_with(&machine("b"), "create"), joined("n2"))
        .recipe("A token made with maxUses 2; joins of different machines with it.")
}

fn uses() -> Entry {
    for_two(script_accept(USES, "TOKEN-5", "A token that was made for two machines admits two."))
        .also("TOKEN-11")
        .why("maxUses is what the row begins with; each admission takes one.")
}

fn one_more() -> Entry {
    for_two(script_reject(
        "token/made-for-two-third",
        "TOKEN-5",
        "The third machine is refused by a token made for two.",
    ))
    .also("TOKEN-11")
    .step("third", NOW, join_with(&machine("c"), "create"), refused("token-used"))
    .twin(USES, &["/steps/3"], "A third join.")
    .why("An operator who makes a token for two machines counts on there being no third.")
}

fn default_use() -> Entry {
    script_reject(
        "token/made-for-one-by-default",
        "TOKEN-5",
        "A token made without maxUses admits one machine, not two.",
    )
    .also("TOKEN-11")
    .world(&World::usual())
    .step("create", NOW, create(json!({"ttlSeconds": 3600})), token_created("t1"))
    .step("first", NOW, join_with(&machine("a"), "create"), joined("n1"))
    .step("second", NOW, join_with(&machine("b"), "create"), refused("token-used"))
    .twin(USES, &["/steps/0/request/request/maxUses"], "maxUses is not there.")
    .why("The default is the narrow one: a leaked token that was used is worth nothing.")
    .recipe("A token made without maxUses; joins of two machines with it.")
}

fn refused_create(name: &str, what: &str, at: &str, request: Value) -> Entry {
    let id = format!("token/not-made-{name}");
    script_reject(&id, "TOKEN-5", &format!("A create request with {what} makes nothing."))
        .world(&World::usual())
        .step("create", MADE, create(request), refused("INVALID_ARGUMENT"))
        .twin(&format!("{MINUTE}@create"), &[at], "The request's member.")
        .why("The API keeps the bounds of the command line; a client of another make must not get around them.")
        .recipe("A create request with a member out of its bounds.")
}
