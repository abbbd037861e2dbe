//! The other members of a create request: allowReclaim, hosted, idempotencyKey, and no further ones.

use serde_json::{Value, json};

use super::create_limits::record;
use crate::case::{Entry, accept, reject};

pub(super) fn entries() -> Vec<Entry> {
    vec![good(), key_good(), reclaim(), hosted(), key_length(), key_characters(), key_type(), unknown()]
}

fn good() -> Entry {
    let mut reclaim = record(3600, 1);
    reclaim["allowReclaim"] = true.into();
    let mut hosted = record(3600, 1);
    hosted["hosted"] = "kubernetes".into();
    accept("token/create-members", "TOKEN-9", "allowReclaim is a boolean; hosted is absent or kubernetes.")
        .why("What a token may do is in its row, said when it is made and never by the machine.")
        .family("token.create")
        .row("reclaim", json!({"request": {"ttlSeconds": 3600, "allowReclaim": true}}), reclaim)
        .row("no-reclaim", json!({"request": {"ttlSeconds": 3600, "allowReclaim": false}}), record(3600, 1))
        .row("hosted", json!({"request": {"ttlSeconds": 3600, "hosted": "kubernetes"}}), hosted)
        .recipe("A create request with ttlSeconds 3600 and the row's member.")
}

fn key_good() -> Entry {
    let entry = accept(
        "token/create-key-good",
        "TOKEN-7",
        "An idempotency key is 1 to 128 printable ASCII characters.",
    )
    .why("A key is the caller's own text; a narrower alphabet would refuse what its tools make.")
    .family("token.create")
    .recipe("A create request with ttlSeconds 3600 and the row's idempotencyKey.");
    [
        ("1", "k".to_owned()),
        ("128", "k".repeat(128)),
        ("blank", " ".into()),
        ("first-and-last", " ~".into()),
        ("quotes", "a\"b\\c".into()),
    ]
    .iter()
    .fold(entry, |entry, (name, key)| entry.row(name, with("idempotencyKey", &json!(key)), record(3600, 1)))
}

fn with(member: &str, value: &Value) -> Value {
    json!({"request": {"ttlSeconds": 3600, member: value}})
}

fn refused(id: &str, rule: &str, title: &str, twin: &str, member: &str, values: &[(&str, Value)]) -> Entry {
    let entry = reject(id, rule, "invalid-argument", title)
        .family("token.create")
        .twin(twin, &[&format!("/in/request/{member}")], &format!("{member} is the row's value"))
        .recipe(&format!("A create request with ttlSeconds 3600 and the row's {member}."));
    values.iter().fold(entry, |entry, (name, value)| entry.bad(name, with(member, value)))
}

fn reclaim() -> Entry {
    refused(
        "token/create-reclaim-type",
        "TOKEN-9",
        "allowReclaim is true or false, nothing that converts to it.",
        "token/create-members#reclaim",
        "allowReclaim",
        &[
            ("text", json!("true")),
            ("text-false", json!("false")),
            ("number", json!(1)),
            ("null", json!(null)),
            ("list", json!([])),
        ],
    )
    .why("The text false is true in many languages, and such a token can take over nodes.")
}

fn hosted() -> Entry {
    refused(
        "token/create-hosted-value",
        "TOKEN-9",
        "hosted is exactly kubernetes, or absent.",
        "token/create-members#hosted",
        "hosted",
        &[
            ("empty", json!("")),
            ("upper-case", json!("Kubernetes")),
            ("blank-after", json!("kubernetes ")),
            ("short", json!("k8s")),
            ("other", json!("slurm")),
            ("null", json!(null)),
            ("true", json!(true)),
            ("list", json!(["kubernetes"])),
        ],
    )
    .why("A misspelt value that counts as absent mints a token that gives platform trust to a tenant's node.")
}

fn key_length() -> Entry {
    refused(
        "token/create-key-length",
        "TOKEN-7",
        "An idempotency key is neither empty nor longer than 128 characters.",
        "token/create-key-good#1",
        "idempotencyKey",
        &[("0", json!("")), ("129", json!("k".repeat(129))), ("1000", json!("k".repeat(1000)))],
    )
    .why("An empty key shared by every careless caller would answer one caller with another's record.")
}

fn key_characters() -> Entry {
    refused(
        "token/create-key-characters",
        "TOKEN-7",
        "An idempotency key has printable ASCII only.",
        "token/create-key-good#1",
        "idempotencyKey",
        &[
            ("e-acute", json!("caf\u{e9}")),
            ("e-and-accent", json!("cafe\u{301}")),
            ("emoji", json!("\u{1f511}")),
            ("lf", json!("k\n")),
            ("tab", json!("k\tk")),
            ("nul", json!("k\0")),
            ("del", json!("k\u{7f}")),
            ("unit-separator", json!("\u{1f}k")),
        ],
    )
    .why("Keys beyond ASCII compare differently after normalization; a cut at a NUL makes two keys one.")
}

fn key_type() -> Entry {
    refused(
        "token/create-key-type",
        "TOKEN-7",
        "An idempotency key is a text.",
        "token/create-key-good#1",
        "idempotencyKey",
        &[("number", json!(7)), ("null", json!(null)), ("true", json!(true)), ("object", json!({}))],
    )
    .also("TOKEN-9")
    .why("A null that counts as no key mints a second token where a retry was meant.")
}

fn unknown() -> Entry {
    let entry = reject(
        "token/create-unknown-member",
        "TOKEN-9",
        "invalid-argument",
        "A member that is not known is refused.",
    )
    .why("A misspelt expect that is ignored mints a token without the binding that was asked for.")
    .family("token.create")
    .twin("token/create-defaults", &["/in/request"], "a member that is not known is added")
    .recipe("A create request with ttlSeconds 3600 and the row's further member.");
    let binding = json!({"serial": "5Q4Q7Y1"});
    [
        ("expects", &binding),
        ("Expect", &binding),
        ("expectSerial", &json!("5Q4Q7Y1")),
        ("max_uses", &json!(2)),
        ("maxuses", &json!(2)),
        ("role", &json!("site")),
        ("", &json!(null)),
    ]
    .iter()
    .fold(entry, |entry, (member, value)| {
        entry.bad(if member.is_empty() { "empty-name" } else { member }, with(member, value))
    })
}
