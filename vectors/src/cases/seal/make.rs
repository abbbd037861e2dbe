//! The client makes seals, and only to a key that it has pinned (SEAL-9).
//!
//! What is made is random, so the expectation is a matcher: `{"$seal": {...}}` is opened, never compared as
//! octets (`testkit::seal::matches`).

use serde_json::{Value, json};

use super::{NOW_S, beside, inside, server};
use crate::case::{Entry, accept, reject};
use crate::testkit::encode::{b64, b64u};
use crate::testkit::keys::{hash, key, private_jwk, public_jwk};
use crate::testkit::seal::pin;
use crate::testkit::signature::spki;

pub(super) fn entries() -> Vec<Entry> {
    vec![
        pinned(),
        two_pins(),
        later(),
        other_members(),
        large_request(),
        wrong(),
        wrong_of_two(),
        similar(),
        pin_of_jwk(),
        none(),
    ]
}

fn ours() -> String {
    pin(&spki(&server()))
}

fn other() -> String {
    pin(&spki(&key("another server")))
}

fn call(jwk: &Value, pins: &[String]) -> Value {
    json!({"token": inside().text(), "csr": b64u(beside()), "jwk": jwk, "pins": pins})
}

fn made(iat: u64, csr: &[u8]) -> Value {
    let expected =
        json!({"jwk": private_jwk(&server()), "token": inside().text(), "csr": b64u(csr), "iat": iat});
    json!({"seal": {"$seal": expected}})
}

fn pinned() -> Entry {
    accept("seal/make", "SEAL-9", "A client seals its token to the pinned key, for its request, at its time.")
        .documented()
        .also("SEAL-1")
        .also("SEAL-2")
        .why(
            "The judge opens the seal by the rules with a library of its own, so a self-consistent mistake \
            shows.",
        )
        .call("seal.make", call(&public_jwk(&server()), &[ours()]))
        .out(made(NOW_S, &beside()))
        .recipe("Give the client the public JWK and its pin; open what it makes with the private key.")
}

fn two_pins() -> Entry {
    accept("seal/make-two-pins", "SEAL-9", "With two pins configured, either names the key.")
        .family("seal.make")
        .why(
            "During a rotation the configuration carries both; a client that looks at the first only \
            cannot join.",
        )
        .row("first", call(&public_jwk(&server()), &[ours(), other()]), made(NOW_S, &beside()))
        .row("second", call(&public_jwk(&server()), &[other(), ours()]), made(NOW_S, &beside()))
        .recipe("Give the client two pins, of which one is the key's.")
}

fn later() -> Entry {
    accept("seal/make-whole-seconds", "SEAL-4", "iat is the client's clock in whole seconds, cut down.")
        .why("A clock in milliseconds, or one with a fraction, makes a seal that the server refuses.")
        .at("2026-01-01T00:00:59.999Z")
        .call("seal.make", call(&public_jwk(&server()), &[ours()]))
        .out(made(NOW_S + 59, &beside()))
        .recipe("Let the client seal 999 ms into a second.")
}

fn other_members() -> Entry {
    let mut jwk = public_jwk(&server());
    for (name, value) in [("use", "enc"), ("kid", "2026-01"), ("alg", "ECDH-ES+A256KW")] {
        jwk[name] = value.into();
    }
    accept("seal/make-other-members", "SEAL-9", "Further members of the JWK change nothing.")
        .also("WELLKNOWN-1")
        .why(
            "The key is pinned by its SubjectPublicKeyInfo. A kid of the JWK must not get into the header: \
            it is no pin.",
        )
        .call("seal.make", call(&jwk, &[ours()]))
        .out(made(NOW_S, &beside()))
        .recipe("Give the client the JWK with use, kid and alg beside the key.")
}

fn large_request() -> Entry {
    let request = vec![0x30; 4096];
    let mut input = call(&public_jwk(&server()), &[ours()]);
    input["csr"] = b64u(&request).into();
    accept("seal/make-large-request", "SEAL-2", "The seal carries the request's hash, whatever its size.")
        .also("SEAL-3")
        .why("The hash is of the octets given; they are not parsed or encoded again for it.")
        .call("seal.make", input)
        .out(made(NOW_S, &request))
        .recipe("Give the client 4096 octets as its request.")
}

fn refused(case: &str, title: &str, pins: &[String], twin: &str, what: &str) -> Entry {
    let at = if pins.len() == 1 { "/in/pins/0" } else { "/in/pins" };
    reject(&format!("seal/{case}"), "SEAL-9", "pin-mismatch", title)
        .documented()
        .call("seal.make", call(&public_jwk(&server()), pins))
        .twin(twin, &[at], what)
        .recipe(&format!("Give the client the public JWK with other pins: {what}."))
}

fn wrong() -> Entry {
    refused(
        "make-wrong-pin",
        "A key that is not the pinned one is refused, and no seal is made.",
        &[other()],
        "seal/make",
        "the pin of another key",
    )
    .why("Sealing to whatever key the gateway shows hands it the token.")
}

fn wrong_of_two() -> Entry {
    let pins = [other(), pin(&spki(&key("a third server")))];
    refused(
        "make-two-wrong-pins",
        "A key that is neither of two pinned ones is refused.",
        &pins,
        "seal/make-two-pins#first",
        "two pins of other keys",
    )
    .why("Two pins are a choice of two, not an invitation.")
}

/// The right pin with one character changed; it is still a pin.
fn similar() -> Entry {
    let entry = reject(
        "seal/make-similar-pin",
        "SEAL-9",
        "pin-mismatch",
        "A pin that differs in one character is another pin.",
    )
    .documented()
    .family("seal.make")
    .why("A comparison that is cut short, or folds case, lets a key pass whose hash was searched for.")
    .twin("seal/make", &["/in/pins/0"], "one character of the pin is changed")
    .recipe("Change one character of the right pin.");
    let right = ours();
    // The last of 43 characters carries four bits of the hash, so it is changed by four places.
    let changed = |at: usize, by: usize| -> String {
        const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let other =
            |c: char| ALPHABET.chars().nth((ALPHABET.find(c).unwrap_or_default() + by) % 64).unwrap_or(c);
        right.chars().enumerate().map(|(place, c)| if place == at { other(c) } else { c }).collect()
    };
    let rows = [
        ("first", changed(7, 1)),
        ("middle", changed(28, 1)),
        ("last", changed(49, 4)),
        ("case", case_changed(&right)),
    ];
    rows.iter().fold(entry, |entry, (name, pin)| {
        entry.bad(name, call(&public_jwk(&server()), std::slice::from_ref(pin)))
    })
}

/// The pin with its first letter behind the prefix in the other case.
fn case_changed(pin: &str) -> String {
    let (prefix, hash) = pin.split_at(7);
    let at = hash.find(|c: char| c.is_ascii_alphabetic()).unwrap_or_default();
    let swap = |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    let swapped = hash.chars().enumerate().map(|(place, c)| if place == at { swap(c) } else { c });
    prefix.chars().chain(swapped).collect()
}

fn pin_of_jwk() -> Entry {
    // RFC 7638 hashes the required members in the order of their names, which is serde_json's.
    let thumbprint = hash(public_jwk(&server()).to_string());
    let pins = [format!("sha256/{}", b64(thumbprint))];
    refused(
        "make-thumbprint",
        "The JWK's thumbprint is no pin.",
        &pins,
        "seal/make",
        "the RFC 7638 thumbprint, spelt as a pin",
    )
    .why(
        "A pin is the hash of the SubjectPublicKeyInfo; JOSE libraries offer the thumbprint as a key's name.",
    )
}

fn none() -> Entry {
    refused("make-no-pin", "Without a pin nothing is sealed.", &[], "seal/make", "no pin at all")
        .why("An empty list is not a wildcard.")
}
