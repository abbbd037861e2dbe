//! The gateway section: judged when it is there, required when there is no configuration.

use serde_json::{Value, json};

use crate::case::{Entry, reject};

use super::document::{
    DOCUMENT, SELECT, document, pin_of, pins_without_config, select, select_without_config, serving_ca,
    stranger, with_gateway,
};

pub(super) fn cases() -> Vec<Entry> {
    vec![absent(), url(), members(), pin_form(), judged_anyway(), other_pin(), exchanged()]
}

fn bad(name: &str, reason: &str, title: &str, at: &[&str], what: &str) -> Entry {
    reject(&format!("wellknown/{name}"), "WELLKNOWN-1", reason, title)
        .also("CONFIG-1")
        .twin("wellknown/gateway#one pin", at, what)
        .recipe(
            "Publish keys and gateway with their pins; pin them at a client without a configuration; \
            then change.",
        )
}

/// The right document with another value in its gateway, for a client without a configuration.
fn with(name: &str, value: Option<Value>) -> Value {
    let mut document = with_gateway();
    super::jwk::alter(&mut document["gateway"], name, value);
    select_without_config(&document)
}

fn absent() -> Entry {
    let mut null = with_gateway();
    null["gateway"] = Value::Null;
    let mut empty = with_gateway();
    empty["gateway"] = json!({});
    let title = "Without a configuration the gateway section is required.";
    bad("gateway-absent", "document", title, &DOCUMENT, "no gateway section")
        .family(SELECT)
        .bad("absent", select_without_config(&document()))
        .bad("null", select_without_config(&null))
        .bad("empty", select_without_config(&empty))
        .why("There is no other place where the gateway could come from.")
}

fn url() -> Entry {
    let of = |url: &str| with("url", Some(url.into()));
    let title = "The gateway's URL is https with a host, and no userinfo, query or fragment.";
    bad("gateway-url", "document", title, &DOCUMENT, "another URL")
        .family(SELECT)
        .bad("http", of("http://gw.eu.example.com"))
        .bad("no scheme", of("gw.eu.example.com"))
        .bad("no host", of("https://"))
        .bad("userinfo", of("https://user@gw.eu.example.com"))
        .bad("query", of("https://gw.eu.example.com?x=1"))
        .bad("fragment", of("https://gw.eu.example.com#x"))
        .bad("empty", of(""))
        .why("It is written into config.toml, where the same rules hold.")
}

fn members() -> Entry {
    let title = "url and servingCaPin are required, and serverName is a string that is not empty.";
    bad("gateway-members", "document", title, &DOCUMENT, "a member missing or of another type")
        .family(SELECT)
        .bad("no url", with("url", None))
        .bad("url a list", with("url", Some(json!(["https://gw.eu.example.com"]))))
        .bad("no servingCaPin", with("servingCaPin", None))
        .bad("servingCaPin a list", with("servingCaPin", Some(json!([pin_of(&serving_ca().key)]))))
        .bad("serverName empty", with("serverName", Some("".into())))
        .bad("serverName null", with("serverName", Some(Value::Null)))
        .why("An empty server name is no server name, and a client that then checks none trusts every name.")
}

fn pin_form() -> Entry {
    let right = pin_of(&serving_ca().key);
    let title = "servingCaPin has the one spelling of pins.";
    bad("gateway-pin-form", "document", title, &DOCUMENT, "the right pin spelled otherwise")
        .family(SELECT)
        .bad("no padding", with("servingCaPin", Some(right.trim_end_matches('=').into())))
        .bad("a blank after it", with("servingCaPin", Some(format!("{right} ").into())))
        .why("As for every other pin.")
}

fn judged_anyway() -> Entry {
    let mut document = with_gateway();
    document["gateway"]["url"] = "http://gw.eu.example.com".into();
    let title = "A gateway section that is there is judged, whether or not the client needs it.";
    bad(
        "gateway-judged-anyway",
        "document",
        title,
        &DOCUMENT,
        "a gateway over http beside a client with a configuration",
    )
    .twin("wellknown/document", &DOCUMENT, "a gateway over http")
    .call(SELECT, select(&document))
    .why("The whole document is right or it is not.")
}

fn other_pin() -> Entry {
    let title = "The document's pin of the serving CA is one of the client's.";
    bad("gateway-not-pinned", "pin-mismatch", title, &DOCUMENT, "a stranger's pin of the serving CA")
        .documented()
        .call(SELECT, with("servingCaPin", Some(pin_of(&stranger()).into())))
        .why("Else whoever serves the document names the gateway.")
}

fn exchanged() -> Entry {
    let mut input = select_without_config(&with_gateway());
    input["pins"] = pins_without_config();
    input["pins"]["servingCa"] = json!([pin_of(&super::document::encryption_key())]);
    let title = "Each pin is for one key: the encryption key's is not the serving CA's.";
    bad(
        "gateway-pin-of-another-use",
        "pin-mismatch",
        title,
        &["/in/pins/servingCa"],
        "another key is pinned for the CA",
    )
    .documented()
    .call(SELECT, input)
    .why("A set of pins without uses lets one key stand in for another.")
}
