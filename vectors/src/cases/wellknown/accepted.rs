//! Right documents: the twins of everything refused.

use serde_json::{Value, json};

use crate::case::Entry;
use crate::testkit::encode::b64;
use crate::testkit::x509::Certificate;

use super::document::{
    GATEWAY, SELECT, changed, document, encryption_key, good, octets, pin_of, pins, select,
    select_without_config, selected, serving_ca, signer, stranger, with_gateway,
};

pub(super) fn cases() -> Vec<Entry> {
    vec![
        plain(),
        gateway(),
        server_name(),
        unknown_members(),
        not_looked_at(),
        two_pins(),
        certificate(),
        white_space(),
        depth(),
        largest(),
    ]
}

fn plain() -> Entry {
    good("document", "Keys that match the client's pins are taken from the document.")
        .documented()
        .also("CONFIG-1")
        .call(SELECT, select(&document()))
        .out(selected(None))
        .why("The twin of most refused documents.")
}

fn gateway() -> Entry {
    let mut two = select_without_config(&with_gateway());
    two["pins"]["servingCa"] = json!([pin_of(&stranger()), pin_of(&serving_ca().key)]);
    good("gateway", "Without a configuration the gateway comes from the document.")
        .documented()
        .also("CONFIG-1")
        .family(SELECT)
        .row("one pin", select_without_config(&with_gateway()), selected(Some(GATEWAY)))
        .row("the second of two pins", two, selected(Some(GATEWAY)))
        .why("A provider's server is installed with a token, a URL and three pins, and nothing else.")
}

fn server_name() -> Entry {
    let mut named = with_gateway();
    named["gateway"]["serverName"] = "gw.internal".into();
    let mut path = with_gateway();
    path["gateway"]["url"] = "https://gw.eu.example.com:8443/x".into();
    good("gateway-form", "The gateway may have a server name, a port and a path.")
        .also("CONFIG-1")
        .family(SELECT)
        .row("server name", select_without_config(&named), selected(Some(GATEWAY)))
        .row(
            "port and path",
            select_without_config(&path),
            selected(Some("https://gw.eu.example.com:8443/x")),
        )
        .why("The URL is given back as it stands; a library that normalizes it adds or drops a slash.")
}

fn unknown_members() -> Entry {
    let with = |pointer: &str| {
        let mut document = with_gateway();
        if let Some(object) = document.pointer_mut(pointer).and_then(Value::as_object_mut) {
            object.insert("later".into(), json!({"x": [1, null]}));
        }
        select_without_config(&document)
    };
    let jwk = changed(|document| {
        document["join"]["encryptionJwk"]["use"] = "enc".into();
        document["join"]["encryptionJwk"]["kid"] = 7.into();
    });
    good("unknown-members", "Members that the client does not know are ignored, at any depth.")
        .family(SELECT)
        .row("at the top", with(""), selected(Some(GATEWAY)))
        .row("in join", with("/join"), selected(Some(GATEWAY)))
        .row("in the JWK", with("/join/encryptionJwk"), selected(Some(GATEWAY)))
        .row("in gateway", with("/gateway"), selected(Some(GATEWAY)))
        .row("use and kid in the JWK", select(&jwk), selected(None))
        .why("A server that says more must not lock out the machines that are installed.")
}

fn not_looked_at() -> Entry {
    let without = |names: &[&str]| {
        select(&changed(|document| {
            for name in names {
                document.as_object_mut().map(|members| members.remove(*name));
            }
        }))
    };
    let with = |name: &str, value: Value| select(&changed(|document| document[name] = value));
    good("not-looked-at", "name, version, basePath and protocol are not the client's business here.")
        .family(SELECT)
        .row("absent", without(&["name", "version", "basePath", "protocol"]), selected(None))
        .row("another name", with("name", "other".into()), selected(None))
        .row("version a number", with("version", 1.into()), selected(None))
        .row("basePath null", with("basePath", Value::Null), selected(None))
        .row("protocol 7 to 9", with("protocol", json!({"min": 7, "max": 9})), selected(None))
        .why(
            "Hello negotiates the protocol; a join that fails on a version it does not use strands machines.",
        )
}

fn two_pins() -> Entry {
    let mut input = select(&document());
    input["pins"] = json!({
        "encryption": [pin_of(&stranger()), pin_of(&encryption_key())],
        "signing": [pin_of(&stranger()), pin_of(&signer().key)],
    });
    good("two-pins", "During a rotation a key is one of two that are pinned.")
        .also("CONFIG-1")
        .call(SELECT, input)
        .out(selected(None))
        .why("A client that only tries its first pin fails in the middle of a rotation.")
}

fn certificate() -> Entry {
    let with = |certificate: Vec<u8>| {
        select(&changed(|document| document["join"]["signingCertificate"] = b64(certificate).into()))
    };
    let right = signer().certificate(&signer());
    let expired = right.clone().valid("2001-01-01T00:00:00Z", "2002-01-01T00:00:00Z");
    let renamed = Certificate { subject: serving_ca().name, ..right.clone() };
    good("certificate-not-looked-at", "Of the certificate only the key counts.")
        .family(SELECT)
        .row("expired", with(expired.signed(&signer().key)), selected(None))
        .row("another subject", with(renamed.signed(&signer().key)), selected(None))
        .row("signed by a stranger", with(right.signed(&stranger())), selected(None))
        .why("The pin is the anchor; dates checked here would stop joins on machines with wrong clocks.")
}

fn white_space() -> Entry {
    let pretty = serde_json::to_string_pretty(&document()).unwrap_or_default();
    let escaped = document().to_string().replacen("\"join\"", "\"\\u006aoin\"", 1);
    good("json-spelling", "The document is JSON, however it is written.")
        .family(SELECT)
        .row("indented", octets(&pretty), selected(None))
        .row("CRLF and tabs", octets(pretty.replace('\n', "\r\n").replace("  ", "\t")), selected(None))
        .row("white space around it", octets(format!(" \r\n{}\n\t ", document())), selected(None))
        .row("an escaped name", octets(escaped), selected(None))
        .why("It is served by web frameworks, each with its own habits.")
}

fn depth() -> Entry {
    good("depth-16", "Nesting of 16 is read.")
        .call(SELECT, nested(15))
        .out(selected(None))
        .why("The outermost value has depth 1.")
}

/// The right document with an unknown member of that many arrays within each other.
pub(super) fn nested(arrays: usize) -> Value {
    let value = format!("{}{}", "[".repeat(arrays), "]".repeat(arrays));
    octets(document().to_string().replacen('{', &format!("{{\"later\":{value},"), 1))
}

fn largest() -> Entry {
    good("largest", "A document has at most 65536 octets.")
        .call(SELECT, sized(65536))
        .out(selected(None))
        .why("The edge of the size.")
}

/// The right document, with white space after it, of that many octets.
pub(super) fn sized(size: usize) -> Value {
    let mut text = document().to_string();
    text.extend(std::iter::repeat_n(' ', size.saturating_sub(text.len())));
    let mut input = octets(text);
    input["pins"] = pins();
    input
}
