//! The argument of `join-tokens revoke`: a token's id, and never the token.

use serde_json::json;

use super::{ID, TOKEN, text_rows};
use crate::case::{Entry, accept, reject};

pub(super) fn entries() -> Vec<Entry> {
    vec![good(), pasted_token(), blanks(), malformed()]
}

fn good() -> Entry {
    let entry = accept("token/revoke-id-good", "TOKEN-8", "An id is taken as it is.")
        .why("The id is what list prints; it is no secret.")
        .family("token.id")
        .recipe("The row's id as the argument of join-tokens revoke.");
    [
        ("the-example", ID),
        ("all-zero", "jt_00000000000000000000000000"),
        ("all-ones", "jt_7zzzzzzzzzzzzzzzzzzzzzzzzz"),
    ]
    .iter()
    .fold(entry, |entry, (name, id)| entry.row(name, json!({"text": id}), json!({"id": id})))
}

fn refused(id: &str, title: &str, what: &str, rows: &[(&str, &str)]) -> Entry {
    let entry = reject(id, "TOKEN-8", "invalid-argument", title)
        .family("token.id")
        .twin("token/revoke-id-good#the-example", &["/in/text"], what)
        .recipe("The row's text as the argument of join-tokens revoke.");
    text_rows(entry, rows)
}

fn pasted_token() -> Entry {
    let without_prefix = TOKEN.trim_start_matches("bcjt_");
    refused(
        "token/revoke-id-token",
        "A text with a dot is refused before anything is sent.",
        "the whole token, or a part of it with a dot, stands for the id",
        &[
            ("token", TOKEN),
            ("id-and-secret", without_prefix),
            ("id-and-dot", "jt_01kdvdna00e008000000000001."),
            ("dot-and-id", ".jt_01kdvdna00e008000000000001"),
            ("other-secret", "jt_01kdvdna00e008000000000001.x"),
        ],
    )
    .documented()
    .why("Operators paste the whole token where the id belongs; sent, the secret ends in a server's log.")
}

fn blanks() -> Entry {
    refused(
        "token/revoke-id-blanks",
        "Nothing stands around the id.",
        "a blank, a line end or a NUL is put in",
        &[
            ("before", " jt_01kdvdna00e008000000000001"),
            ("after", "jt_01kdvdna00e008000000000001 "),
            ("lf", "jt_01kdvdna00e008000000000001\n"),
            ("nul", "jt_01kdvdna00e008000000000001\0"),
            ("inside", "jt_ 01kdvdna00e008000000000001"),
            ("two-ids", "jt_01kdvdna00e008000000000001 jt_00000000000000000000000000"),
        ],
    )
    .why("A trimmed id and a sent id would be two texts; what is sent is exactly what was judged.")
}

fn malformed() -> Entry {
    refused(
        "token/revoke-id-malformed",
        "Anything that is not exactly a token's id is refused, and nothing is sent.",
        "the text is no id of a token",
        &[
            ("empty", ""),
            ("prefix-alone", "jt_"),
            ("no-prefix", "01kdvdna00e008000000000001"),
            ("bearer-prefix", "bcjt_jt_01kdvdna00e008000000000001"),
            ("node-id", "node_01kdvdna00e008000000000001"),
            ("upper-case", "JT_01KDVDNA00E008000000000001"),
            ("upper-case-letter", "jt_01Kdvdna00e008000000000001"),
            ("first-8", "jt_81kdvdna00e008000000000001"),
            ("25", "jt_01kdvdna00e00800000000001"),
            ("27", "jt_01kdvdna00e0080000000000011"),
            ("secret-alone", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"),
            ("path", "jt_01kdvdna00e008000000000001/../x"),
        ],
    )
    .why("A secret pasted without its dot is refused by this rule; the dot alone would not catch it.")
}
