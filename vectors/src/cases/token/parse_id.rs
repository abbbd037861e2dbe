//! The id inside the token: 26 characters of lower-case Crockford base32, the first 0 to 7.

use serde_json::json;

use super::{ID, TOKEN, byte_rows, secret};
use crate::case::{Entry, accept, reject};
use crate::testkit::encode::b64u;
use crate::testkit::keys::hash;

pub(super) fn entries() -> Vec<Entry> {
    vec![forms(), first(), upper_case(), alphabet(), length(), kind()]
}

fn with_id(id: &str) -> String {
    TOKEN.replace(ID, id)
}

fn forms() -> Entry {
    let entry = accept("token/parse-id-forms", "TOKEN-1", "Every id of 128 bits is an id, whatever UUID version it holds.")
        .why("An id is compared, never interpreted: a reader that demands version 7 refuses tokens of another minting service.")
        .family("token.parse")
        .recipe("The example token of TOKEN with the row's id.");
    [
        ("the-example", ID),
        ("all-zero", "jt_00000000000000000000000000"),
        ("all-ones", "jt_7zzzzzzzzzzzzzzzzzzzzzzzzz"),
        // UUID 550e8400-e29b-41d4-a716-446655440000, version 4
        ("version-4", "jt_2n1t201rmv87aae5j4csam8000"),
        ("first-7", "jt_7kdvdna00e008000000000001g"),
    ]
    .iter()
    .fold(entry, |entry, (name, id)| {
        let out = json!({"id": id, "secretSha256": b64u(hash(secret()))});
        entry.row(name, json!({"token": b64u(with_id(id))}), out)
    })
}

fn malformed(id: &str, title: &str, what: &str, rows: &[(&str, &str)]) -> Entry {
    let entry = reject(id, "TOKEN-1", "token-malformed", title)
        .also("TOKEN-2")
        .family("token.parse")
        .twin("token/parse-good", &["/in/token"], what)
        .recipe("The example token of TOKEN with the row's id.");
    rows.iter().fold(entry, |entry, (name, id)| byte_rows(entry, "token", &[(name, with_id(id).as_bytes())]))
}

fn first() -> Entry {
    malformed(
        "token/parse-id-first-character",
        "The first character carries three bits: 8 to z overflow 128 bits.",
        "the id's first character is 8 or more",
        &[
            ("8", "jt_81kdvdna00e008000000000001"),
            ("9", "jt_91kdvdna00e008000000000001"),
            ("z", "jt_z1kdvdna00e008000000000001"),
        ],
    )
    .why("A decoder that drops the overflow reads 8 as 0, and two texts name one row.")
}

fn upper_case() -> Entry {
    malformed(
        "token/parse-id-upper-case",
        "An id is lower case, compared exactly.",
        "letters of the id or its prefix are upper case",
        &[
            ("all", "jt_01KDVDNA00E008000000000001"),
            ("one", "jt_01kDvdna00e008000000000001"),
            ("prefix", "JT_01kdvdna00e008000000000001"),
        ],
    )
    .why("Crockford's own decoder folds case. Here one id has one spelling, so that rows, logs and revocations agree.")
}

fn alphabet() -> Entry {
    malformed(
        "token/parse-id-alphabet",
        "i, l, o and u are not in the alphabet, nor are dashes.",
        "a character of the id is replaced by one outside the alphabet",
        &[
            ("i-for-1", "jt_0ikdvdna00e008000000000001"),
            ("l-for-1", "jt_0lkdvdna00e008000000000001"),
            ("o-for-0", "jt_o1kdvdna00e008000000000001"),
            ("u", "jt_01kdvdna00e00800000000000u"),
            ("dash", "jt_01kdvdna-0e008000000000001"),
            ("underscore", "jt_01kdvdna_0e008000000000001"),
        ],
    )
    .why("Crockford's decoder reads i and l as 1 and o as 0; that would be a second spelling of the same id.")
}

fn length() -> Entry {
    malformed(
        "token/parse-id-length",
        "An id has exactly 26 characters after jt_.",
        "the id has a character fewer or more",
        &[
            ("25", "jt_01kdvdna00e00800000000001"),
            ("27", "jt_01kdvdna00e0080000000000011"),
            ("none", "jt_"),
            ("uuid", "jt_019b76da-a800-7000-8000-000000000001"),
        ],
    )
    .why("A lax length lets a short id be padded by one side and refused, or looked up, by the other.")
}

fn kind() -> Entry {
    malformed(
        "token/parse-id-prefix",
        "The id of a token begins jt_.",
        "the id's prefix is missing or another kind's",
        &[
            ("missing", "01kdvdna00e008000000000001"),
            ("node", "node_01kdvdna00e008000000000001"),
            ("jreq", "jreq_01kdvdna00e008000000000001"),
            ("dash", "jt-01kdvdna00e008000000000001"),
        ],
    )
    .why("Ids of other things must never be taken for a token's.")
}
