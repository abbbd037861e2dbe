//! A right configuration, and the accepts that differ from it.

use serde_json::{Value, json};

use crate::case::{Entry, accept, reject};
use crate::cases::wellknown::document::{encryption_key, pin_of, serving_ca, signer, stranger};
use crate::testkit::encode::b64u;

/// The op of the cases.
pub(super) const LOAD: &str = "config.load";
/// The site of the cases.
pub(super) const SITE: &str = "site_01k5w3v7x8e4n9q2r6t0b1c5d7";

const RECIPE: &str = "Write config.toml with the five keys; then do what the mutation says.";

/// The five required keys.
pub(super) const KEYS: [&str; 5] =
    ["gateway_url", "site", "serving_ca_spki_pin", "join_signing_key_pin", "join_encryption_key_pin"];

pub(super) fn cases() -> Vec<Entry> {
    vec![plain(), optional(), urls(), two_pins(), spelling(), largest()]
}

/// The right value of a key, as TOML.
pub(super) fn value(key: &str) -> String {
    let text = match key {
        "gateway_url" => "https://gw.eu.example.com".into(),
        "site" => SITE.into(),
        "serving_ca_spki_pin" => pin_of(&serving_ca().key),
        "join_signing_key_pin" => pin_of(&signer().key),
        _ => pin_of(&encryption_key()),
    };
    format!("\"{text}\"")
}

/// The five keys, with another TOML value for one of them.
pub(super) fn with(key: &str, toml: &str) -> String {
    KEYS.iter()
        .map(|known| format!("{known} = {}\n", if *known == key { toml.into() } else { value(known) }))
        .collect()
}

/// The right configuration.
pub(super) fn right() -> String {
    with("", "")
}

/// The right configuration with more lines after it.
pub(super) fn and(more: &str) -> String {
    format!("{}{more}\n", right())
}

/// Input of `config.load`.
pub(super) fn input(toml: impl AsRef<[u8]>) -> Value {
    json!({"toml": b64u(toml)})
}

/// What the right configuration says, with other values for some members.
fn out(changes: Value) -> Value {
    let mut out = json!({
        "gatewayUrl": "https://gw.eu.example.com",
        "site": SITE,
        "servingCaPins": [pin_of(&serving_ca().key)],
        "joinSigningPins": [pin_of(&signer().key)],
        "joinEncryptionPins": [pin_of(&encryption_key())],
        "serverName": null,
        "requireRequestBinding": false,
    });
    if let (Some(out), Value::Object(changes)) = (out.as_object_mut(), changes) {
        out.extend(changes);
    }
    out
}

fn good(name: &str, title: &str) -> Entry {
    accept(&format!("config/{name}"), "CONFIG-1", title).recipe(RECIPE)
}

/// A configuration that is refused, a row each.
pub(super) fn refused(name: &str, title: &str, what: &str, rows: &[(&str, String)]) -> Entry {
    let family = reject(&format!("config/{name}"), "CONFIG-1", "config", title)
        .family(LOAD)
        .twin("config/load", &["/in/toml"], what)
        .recipe(RECIPE);
    rows.iter().fold(family, |family, (name, toml)| family.bad(name, input(toml)))
}

fn plain() -> Entry {
    good("load", "The five keys are a configuration.")
        .documented()
        .call(LOAD, input(right()))
        .out(out(json!({})))
        .why("The twin of every refused configuration.")
}

fn optional() -> Entry {
    let row = |family: Entry, line: &str, changes: Value| family.row(line, input(and(line)), out(changes));
    let family = good("load-optional", "server_name and require_request_binding may be added.")
        .also("BINDING-3")
        .family(LOAD)
        .why("Both have a default that the configuration of an older install keeps.");
    let family = row(family, "server_name = \"gw.internal\"", json!({"serverName": "gw.internal"}));
    let family = row(family, "require_request_binding = true", json!({"requireRequestBinding": true}));
    row(family, "require_request_binding = false", json!({}))
}

fn urls() -> Entry {
    let row = |family: Entry, name: &str, url: &str| {
        family.row(name, input(with("gateway_url", &format!("\"{url}\""))), out(json!({"gatewayUrl": url})))
    };
    let family = good("load-gateway-url", "The URL may have a port and a path and any kind of host.")
        .family(LOAD)
        .why("It is given back as it stands; a library that normalizes it adds or drops a slash or a port.");
    let family = row(family, "port", "https://gw.eu.example.com:8443");
    let family = row(family, "the default port", "https://gw.eu.example.com:443");
    let family = row(family, "slash", "https://gw.eu.example.com/");
    let family = row(family, "path", "https://gw.eu.example.com/a/b");
    let family = row(family, "IPv4 address", "https://192.0.2.17");
    let family = row(family, "IPv6 address", "https://[2001:db8::11]:8443");
    row(family, "one label", "https://gateway")
}

fn two_pins() -> Entry {
    let other = pin_of(&stranger());
    let list = |key: &str| format!("[{}, \"{other}\"]", value(key));
    let row = |family: Entry, key: &str, member: &str, own: String| {
        family.row(key, input(with(key, &list(key))), out(json!({member: [own, other]})))
    };
    let family = good("load-two-pins", "A pin may be an array of one or two during a rotation.")
        .family(LOAD)
        .why("Both are known before the key changes and after, so there is no moment when nothing matches.");
    let family = row(family, "serving_ca_spki_pin", "servingCaPins", pin_of(&serving_ca().key));
    let family = row(family, "join_signing_key_pin", "joinSigningPins", pin_of(&signer().key));
    let family = row(family, "join_encryption_key_pin", "joinEncryptionPins", pin_of(&encryption_key()));
    let one = with("join_encryption_key_pin", &format!("[{}]", value("join_encryption_key_pin")));
    family.row("an array of one", input(one), out(json!({})))
}

fn spelling() -> Entry {
    let reversed: String = right().lines().rev().map(|line| format!("{line}\n")).collect();
    good("load-spelling", "The file is TOML, however it is written.")
        .family(LOAD)
        .row("another order", input(reversed), out(json!({})))
        .row(
            "comments and blank lines",
            input(format!("# bcd\n\n{} # the end", right().trim_end())),
            out(json!({})),
        )
        .row("CRLF", input(right().replace('\n', "\r\n")), out(json!({})))
        .row("literal strings", input(right().replace('"', "'")), out(json!({})))
        .row("quoted keys", input(right().replacen("site", "\"site\"", 1)), out(json!({})))
        .row(
            "an escape",
            input(with("site", &value("site").replacen("site_", "\\u0073ite_", 1))),
            out(json!({})),
        )
        .why("People edit it.")
}

fn largest() -> Entry {
    good("load-largest", "A configuration has at most 65536 octets.")
        .call(LOAD, input(sized(65536)))
        .out(out(json!({})))
        .why("The edge of the size.")
}

/// The right configuration, with a comment after it, of that many octets.
pub(super) fn sized(size: usize) -> String {
    let mut toml = format!("{}#", right());
    toml.extend(std::iter::repeat_n('x', size.saturating_sub(toml.len())));
    toml
}
