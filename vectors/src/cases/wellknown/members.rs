//! The members of `join`: all there, of their types, and at one with themselves.

use serde_json::{Value, json};

use crate::case::Entry;

use super::document::{SELECT, changed, encryption_key, malformed, pin_of, select, signer, stranger};

pub(super) fn cases() -> Vec<Entry> {
    vec![no_join(), missing(), types(), stated_encryption(), stated_signing(), stated_form()]
}

/// The four members of `join`.
const JOIN: [&str; 4] = ["encryptionJwk", "encryptionKeyPin", "signingCertificate", "signingKeyPin"];

/// The right document with another value for a member of `join`.
fn with(name: &str, value: impl Into<Value>) -> Value {
    select(&changed(|document| document["join"][name] = value.into()))
}

fn no_join() -> Entry {
    let joined = |value: Value| select(&changed(|document| document["join"] = value));
    let none = changed(|document| {
        document.as_object_mut().map(|members| members.remove("join"));
    });
    let upper = changed(|document| document["Join"] = document["join"].take());
    malformed("no-join", "A document without a join section has no keys.", "no join section")
        .family(SELECT)
        .bad("absent", select(&none))
        .bad("null", joined(Value::Null))
        .bad("empty", joined(json!({})))
        .bad("an array", joined(json!([])))
        .bad("another case", select(&upper))
        .why(
            "The server publishes the section only when it can admit; the client says so instead of \
            crashing.",
        )
}

fn missing() -> Entry {
    let family = malformed("member-missing", "All four members of join are required.", "a member is missing")
        .family(SELECT)
        .why("A client that takes what is there skips the check of what is not.");
    JOIN.iter().fold(family, |family, name| {
        let without = changed(|document| {
            document["join"].as_object_mut().map(|members| members.remove(*name));
        });
        family.bad(name, select(&without))
    })
}

fn types() -> Entry {
    let family = malformed("member-type", "Each member has its type.", "a member of another type")
        .family(SELECT)
        .bad("encryptionJwk a string", with("encryptionJwk", "jwk"))
        .bad(
            "encryptionJwk a list of one",
            with("encryptionJwk", json!([changed(|_| ())["join"]["encryptionJwk"]])),
        )
        .bad("encryptionKeyPin a list", with("encryptionKeyPin", json!([pin_of(&encryption_key())])))
        .bad(
            "signingCertificate a list",
            with("signingCertificate", json!([changed(|_| ())["join"]["signingCertificate"]])),
        )
        .why("A list where one value is due brings a second one along.");
    JOIN.iter().fold(family, |family, name| family.bad(&format!("{name} null"), with(name, Value::Null)))
}

fn stated_encryption() -> Entry {
    malformed(
        "stated-encryption-pin",
        "The stated pin is the hash of the key beside it.",
        "another key's pin is stated",
    )
    .family(SELECT)
    .bad("a stranger's", with("encryptionKeyPin", pin_of(&stranger())))
    .bad("the signing key's", with("encryptionKeyPin", pin_of(&signer().key)))
    .why(
        "The key is the pinned one, so nothing is lost but trust in the document: it is at odds with itself.",
    )
}

fn stated_signing() -> Entry {
    malformed(
        "stated-signing-pin",
        "The stated pin is the hash of the certificate's key.",
        "another pin is stated",
    )
    .family(SELECT)
    .bad("a stranger's", with("signingKeyPin", pin_of(&stranger())))
    .bad("the encryption key's", with("signingKeyPin", pin_of(&encryption_key())))
    .bad(
        "the certificate's hash",
        with("signingKeyPin", super::document::pin(super::document::signing_certificate())),
    )
    .why("A pin over the certificate changes with every renewal of it; a pin over the key does not.")
}

fn stated_form() -> Entry {
    let right = pin_of(&encryption_key());
    malformed(
        "stated-pin-form",
        "A stated pin has the one spelling of pins.",
        "the right pin spelled otherwise",
    )
    .also("CONFIG-1")
    .family(SELECT)
    .bad("no padding", with("encryptionKeyPin", right.trim_end_matches('=')))
    .bad("upper-case prefix", with("encryptionKeyPin", right.replace("sha256", "SHA256")))
    .bad("no prefix", with("encryptionKeyPin", right.replace("sha256/", "")))
    .bad("empty", with("encryptionKeyPin", ""))
    .why("Several spellings make two pins look different that are not.")
}
