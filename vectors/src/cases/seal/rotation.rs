//! Several keys held, and `kid` (SEAL-7).

use p256::SecretKey;
use serde_json::{Value, json};

use super::{HONEST, beside, good, input, inside, opens, out, quoted, refused, refused_as, server};
use crate::case::{Entry, accept, reject};
use crate::testkit::encode::b64u;
use crate::testkit::keys::{hash, key, private_jwk};
use crate::testkit::seal::{Seal, honest, pin};
use crate::testkit::signature::spki;

pub(super) fn entries() -> Vec<Entry> {
    vec![
        right_kid(),
        two_held(),
        two_held_kid(),
        other_kid(),
        none_opens(),
        none_opens_of_two(),
        unknown_kid(),
        spellings(),
        not_a_string(),
        empty_kid(),
    ]
}

fn next() -> SecretKey {
    key("seal server, the next key")
}

fn pin_of(key: &SecretKey) -> String {
    pin(&spki(key))
}

/// A call of a server that holds two keys.
fn two(seal: &str) -> Value {
    let keys = [server(), next()].map(|key| private_jwk(&key));
    json!({"seal": b64u(seal), "csr": b64u(beside()), "keys": keys})
}

fn to(key: &SecretKey) -> Seal {
    honest("good", key, &inside().text(), &beside(), super::NOW_S)
}

fn right_kid() -> Entry {
    let seal = good().member("kid", &quoted(&pin_of(&server()))).text();
    opens("kid-right", "SEAL-7", "A seal that names the key held opens.", seal)
        .also("SEAL-5")
        .why("kid is optional, and is the pin string of the key.")
        .recipe("Put the pin of the server's key into the header as kid, then seal.")
}

fn two_held() -> Entry {
    accept("seal/two-keys", "SEAL-7", "A server that holds two keys opens seals to either, without kid.")
        .family("seal.open")
        .why(
            "During a rotation clients still seal to the old key. Trying the first key only strands half \
            of them.",
        )
        .row("first", two(&to(&server()).text()), out(super::NOW_S))
        .row("second", two(&to(&next()).text()), out(super::NOW_S))
        .recipe("Hold two keys; seal to each of them without kid.")
}

fn named(key: &SecretKey, kid: &SecretKey) -> String {
    to(key).member("kid", &quoted(&pin_of(kid))).text()
}

fn two_held_kid() -> Entry {
    accept("seal/two-keys-kid", "SEAL-7", "A server that holds two keys opens seals that name either.")
        .family("seal.open")
        .why("kid finds the key, wherever it stands in the list.")
        .row("first", two(&named(&server(), &server())), out(super::NOW_S))
        .row("second", two(&named(&next(), &next())), out(super::NOW_S))
        .recipe("Hold two keys; seal to each of them with its pin as kid.")
}

fn other_kid() -> Entry {
    reject("seal/kid-of-the-other", "SEAL-7", "seal", "A kid that names the other key held is refused.")
        .call("seal.open", two(&named(&server(), &next())))
        .refused()
        .why("With kid that key alone is used. Trying the others too makes kid mean nothing.")
        .twin(
            "seal/two-keys-kid#first",
            &["/in/seal:header.kid"],
            "kid is the pin of the second key; the tag holds",
        )
        .recipe("Hold two keys; seal to the first with the pin of the second as kid.")
}

fn none_opens() -> Entry {
    let seal = to(&key("another server")).text();
    refused("for-another-server", "SEAL-7", "A seal to a key that is not held is refused.", seal)
        .also("SEAL-1")
        .why(
            "The plain case of the wrong deployment. Without kid nothing names the key, so the reason is \
            `seal`.",
        )
        .twin(HONEST, &["/in/seal:encryptedKey"], "sealed to another key")
        .recipe("Seal to a key that the server does not hold.")
}

fn none_opens_of_two() -> Entry {
    let seal = to(&key("another server")).text();
    reject("seal/two-keys-neither", "SEAL-7", "seal", "A seal that neither of two keys opens is refused.")
        .call("seal.open", two(&seal))
        .refused()
        .why("The last failure must not be reported as something else, nor the first key's as success.")
        .twin("seal/two-keys#first", &["/in/seal:encryptedKey"], "sealed to another key")
        .recipe("Hold two keys; seal to a third.")
}

fn unknown_kid() -> Entry {
    let seal = good().member("kid", &quoted(&pin_of(&next()))).text();
    refused_as("seal-key", "kid-unknown", "SEAL-7", "A kid that names no key held is `seal-key`.", seal)
        .also("SEAL-5")
        .why("After a rotation this reason tells the operator that clients still pin the retired key.")
        .twin(
            "seal/kid-right",
            &["/in/seal:header.kid"],
            "kid is the pin of a key that is not held; the tag holds",
        )
        .recipe("Seal to the key held with the pin of another one as kid.")
}

fn spellings() -> Entry {
    let entry = reject("seal/kid-spelling", "SEAL-5", "seal-key", "A kid in another spelling names no key.")
        .also("SEAL-7")
        .family("seal.open")
        .refused()
        .why("Compared octet for octet with the pin string, neither folded nor decoded.")
        .twin("seal/kid-right", &["/in/seal:header.kid"], "the pin is spelt as the row says; the tag holds")
        .recipe("Write the right pin otherwise, as kid, then seal.");
    let (right, octets) = (pin_of(&server()), hash(spki(&server())));
    let rows = [
        ("base64url", format!("sha256/{}", b64u(octets))),
        ("hexadecimal", format!("sha256/{}", hex::encode(octets))),
        ("without-prefix", right.trim_start_matches("sha256/").to_owned()),
        ("capital-prefix", right.replace("sha256", "SHA256")),
        ("without-padding", right.trim_end_matches('=').to_owned()),
        ("blank-behind", format!("{right} ")),
        ("nul-behind", format!("{right}\\u0000")),
    ];
    rows.iter()
        .fold(entry, |entry, (name, kid)| entry.bad(name, input(good().member("kid", &quoted(kid)).text())))
}

fn not_a_string() -> Entry {
    let entry =
        reject("seal/kid-no-string", "SEAL-5", "seal", "A kid that is no string is refused as malformed.")
            .family("seal.open")
            .refused()
            .why("Malformed is `seal`; only a string can name a key that is not held.")
            .twin("seal/kid-right", &["/in/seal:header.kid"], "kid has the value of the row; the tag holds")
            .recipe("Replace kid in the header, then encrypt.");
    let list = format!("[{}]", quoted(&pin_of(&server())));
    let rows = [("number", "0"), ("true", "true"), ("list", list.as_str()), ("object", "{}")];
    rows.iter().fold(entry, |entry, (name, kid)| entry.bad(name, input(good().member("kid", kid).text())))
}

fn empty_kid() -> Entry {
    refused_as(
        "seal-key",
        "kid-empty",
        "SEAL-5",
        "An empty kid names no key.",
        good().member("kid", "\"\"").text(),
    )
    .also("SEAL-7")
    .why("An empty text is not an absent member; code that tests for truth mixes them up.")
    .twin("seal/kid-right", &["/in/seal:header.kid"], "kid is an empty string; the tag holds")
    .recipe("Seal with an empty kid.")
}
