//! The token against its row: the id, and the hash of the secret's octets.

use serde_json::{Value, json};

use super::{ID, TOKEN, admission, secret};
use crate::case::{Entry, accept, reject};
use crate::testkit::encode::b64u;
use crate::testkit::keys::hash;

pub(super) fn entries() -> Vec<Entry> {
    vec![good(), malformed(), no_row(), other_row(), wrong_secret(), wrong_hash(), text_hash()]
}

/// The bearer text of the example's id and another secret.
pub(super) fn token_with(secret: [u8; 32]) -> String {
    format!("bcjt_{ID}.{}", b64u(secret))
}

fn good() -> Entry {
    accept(
        "token/admit-good",
        "TOKEN-11",
        "A token that is alive, with the right secret and role, is admitted and loses one use.",
    )
    .also("TOKEN-3")
    .also("TOKEN-4")
    .why("Everything that refuses a token is shown beside this one.")
    .call("token.admit", admission(|_| {}))
    .out(json!({"usesLeft": 0}))
    .recipe("The example token and a row of its id and hash, role node, one use, alive for another hour.")
}

fn malformed() -> Entry {
    let entry = reject(
        "token/admit-malformed",
        "TOKEN-11",
        "token-malformed",
        "A text that is no token is not looked up.",
    )
    .also("TOKEN-2")
    .why("A lax reader on this path would undo the strict one of token.parse.")
    .family("token.admit")
    .twin("token/admit-good", &["/in/token"], "the token's text is broken as the row's name says")
    .recipe("The twin's row, and the example token broken as the row's name says.");
    [
        ("empty", String::new()),
        ("id-alone", ID.into()),
        ("no-secret", format!("bcjt_{ID}.")),
        ("31-octets", format!("bcjt_{ID}.{}", b64u(&secret()[..31]))),
        ("33-octets", format!("bcjt_{ID}.{}", b64u([0; 33]))),
        ("trailing-bits", TOKEN.replace("Hh8", "Hh9")),
        ("padding", format!("{TOKEN}=")),
        ("lf", format!("{TOKEN}\n")),
        ("upper-case-id", TOKEN.replace("kdvdna", "KDVDNA")),
    ]
    .iter()
    .fold(entry, |entry, (name, text)| {
        entry.bad(name, admission(|input| input["token"] = text.as_str().into()))
    })
}

fn no_row() -> Entry {
    reject("token/admit-unknown", "TOKEN-11", "token-unknown", "There is no row of the token's id.")
        .also("TOKEN-4")
        .refused()
        .why("An outsider must not learn which ids exist: what is seen outside is what a wrong secret gives.")
        .call("token.admit", admission(|input| input["row"] = Value::Null))
        .twin("token/admit-good", &["/in/row"], "there is no row")
        .recipe("The example token, and a store without its row.")
}

fn other_row() -> Entry {
    let entry = reject(
        "token/admit-other-row",
        "TOKEN-11",
        "token-unknown",
        "A row of another id is no row of this token.",
    )
    .refused()
    .why("A store that compares ids without case, or by a prefix, hands out a neighbour's row.")
    .family("token.admit")
    .twin("token/admit-good", &["/in/row/id"], "the row's id is another one")
    .recipe("The example token, and a row that differs in its id alone.");
    [
        ("last-character", "jt_01kdvdna00e008000000000002"),
        ("upper-case", "jt_01KDVDNA00E008000000000001"),
        ("blank-after", "jt_01kdvdna00e008000000000001 "),
        ("cut", "jt_01kdvdna00e00800000000000"),
    ]
    .iter()
    .fold(entry, |entry, (name, id)| entry.bad(name, admission(|input| input["row"]["id"] = (*id).into())))
}

fn wrong_secret() -> Entry {
    let entry = reject(
        "token/admit-wrong-secret",
        "TOKEN-4",
        "token-secret",
        "Another secret is refused, if it differs by one bit.",
    )
    .also("TOKEN-11")
    .refused()
    .why("Comparisons that stop early, or compare a part, admit secrets that are only close.")
    .family("token.admit")
    .twin("token/admit-good", &["/in/token"], "the secret differs from the row's")
    .recipe("The twin's row; the example token with the row's secret.");
    let flip = |place: usize, bit: u8| {
        let mut octets = secret();
        octets[place] ^= bit;
        octets
    };
    let mut reversed = secret();
    reversed.reverse();
    [
        ("first-bit", flip(0, 0x80)),
        ("last-bit", flip(31, 0x01)),
        ("middle-octet", flip(16, 0xff)),
        ("zero", [0; 32]),
        ("reversed", reversed),
        ("the-hash-itself", hash(secret())),
    ]
    .iter()
    .fold(entry, |entry, (name, secret)| {
        entry.bad(name, admission(|input| input["token"] = token_with(*secret).into()))
    })
}

fn wrong_hash() -> Entry {
    let entry = reject(
        "token/admit-wrong-hash",
        "TOKEN-3",
        "token-secret",
        "The row's hash is the SHA-256 of the secret, whole.",
    )
    .refused()
    .why("A hash that is compared in part, or a column that holds the secret itself, must not admit.")
    .family("token.admit")
    .twin("token/admit-good", &["/in/row/secretSha256"], "the row's hash is another 32 octets")
    .recipe("The example token, and a row whose hash is the row's octets.");
    let right = hash(secret());
    let half: [u8; 32] = std::array::from_fn(|place| if place < 16 { right[place] } else { 0 });
    let mut last = right;
    last[31] ^= 1;
    [
        ("zero", [0; 32]),
        ("last-bit", last),
        ("first-half-right", half),
        ("secret-in-plain", secret()),
        ("hash-of-nothing", hash([])),
    ]
    .iter()
    .fold(entry, |entry, (name, octets)| {
        entry.bad(name, admission(|input| input["row"]["secretSha256"] = b64u(octets).into()))
    })
}

fn text_hash() -> Entry {
    reject(
        "token/admit-text-hash",
        "TOKEN-3",
        "token-secret",
        "The hash is over the 32 octets, not over the 43 characters.",
    )
    .refused()
    .why("Two services that share a table must hash the same thing; the text is the tempting one.")
    .call("token.admit", admission(|input| input["row"]["secretSha256"] = b64u(hash(b64u(secret()))).into()))
    .twin("token/admit-good", &["/in/row/secretSha256"], "the row's hash is over the secret's text")
    .recipe("The example token, and a row whose hash is SHA-256 of the 43 characters: ea866a75..ffd0.")
}
