//! What a client reads from a file or standard input: one trailing line end is stripped, nothing else.

use serde_json::json;

use super::{TOKEN, byte_rows};
use crate::case::{Entry, accept, reject};
use crate::testkit::encode::b64u;

pub(super) fn entries() -> Vec<Entry> {
    vec![line_ends(), two_line_ends(), lone_cr(), inside(), blanks(), nothing(), malformed_inside()]
}

fn line_ends() -> Entry {
    let entry = accept("token/read-line-ends", "TOKEN-2", "A client strips one trailing LF or CRLF.")
        .why("echo and editors end files with a line feed; without this half of all token files would fail.")
        .family("token.read")
        .recipe("The example token of TOKEN, and the row's line end.");
    [("none", ""), ("lf", "\n"), ("crlf", "\r\n")].iter().fold(entry, |entry, (name, end)| {
        entry.row(name, json!({"input": b64u(format!("{TOKEN}{end}"))}), json!({"token": TOKEN}))
    })
}

fn refused(id: &str, title: &str, what: &str, rows: &[(&str, String)]) -> Entry {
    let entry = reject(id, "TOKEN-2", "token-malformed", title)
        .family("token.read")
        .twin("token/read-line-ends#none", &["/in/input"], what)
        .recipe("The example token of TOKEN in a file, changed as the row's name says.");
    rows.iter().fold(entry, |entry, (name, text)| byte_rows(entry, "input", &[(name, text.as_bytes())]))
}

fn two_line_ends() -> Entry {
    refused(
        "token/read-two-line-ends",
        "Only one line end is stripped.",
        "two line ends follow the token",
        &[
            ("lf-lf", format!("{TOKEN}\n\n")),
            ("crlf-crlf", format!("{TOKEN}\r\n\r\n")),
            ("lf-crlf", format!("{TOKEN}\n\r\n")),
            ("crlf-lf", format!("{TOKEN}\r\n\n")),
        ],
    )
    .why("A client that trims everything hides that a file holds more than a token.")
}

fn lone_cr() -> Entry {
    refused(
        "token/read-lone-cr",
        "A CR by itself is no line end.",
        "a CR follows the token, without LF or with one too many",
        &[
            ("cr", format!("{TOKEN}\r")),
            ("lf-cr", format!("{TOKEN}\n\r")),
            ("cr-crlf", format!("{TOKEN}\r\r\n")),
        ],
    )
    .why("Stripping every CR and LF at the end accepts files that another client refuses.")
}

fn inside() -> Entry {
    refused(
        "token/read-line-end-inside",
        "A line end before or inside the token is kept, and then it is no token.",
        "a line end stands before or inside the token, or a second line follows",
        &[
            ("before", format!("\n{TOKEN}")),
            ("inside", TOKEN.replace('.', ".\n")),
            ("second-line", format!("{TOKEN}\n# the token of rack 7\n")),
            ("second-token", format!("{TOKEN}\n{TOKEN}\n")),
        ],
    )
    .why("Taking the first line only would join with one of two tokens, silently.")
}

fn blanks() -> Entry {
    refused(
        "token/read-blanks",
        "Blanks, a byte order mark and NULs are kept, and then it is no token.",
        "a blank, a byte order mark, a NUL or quotes stand at an end",
        &[
            ("blank-before", format!(" {TOKEN}\n")),
            ("blank-after", format!("{TOKEN} \n")),
            ("tab-after", format!("{TOKEN}\t\n")),
            ("byte-order-mark", format!("\u{feff}{TOKEN}\n")),
            ("nul-after", format!("{TOKEN}\0")),
            ("form-feed-after", format!("{TOKEN}\u{c}")),
            ("quotes", format!("\"{TOKEN}\"\n")),
            ("assignment", format!("BCJ_TOKEN={TOKEN}\n")),
        ],
    )
    .why("Clients that trim differ on what a blank is; none is trimmed here, so all agree.")
}

fn nothing() -> Entry {
    refused(
        "token/read-nothing",
        "An empty input is no token.",
        "the token is left out",
        &[("empty", String::new()), ("lf", "\n".into()), ("crlf", "\r\n".into()), ("blanks", "   \n".into())],
    )
    .why("A secret that was not mounted reads as an empty file; it must be named before anything is sent.")
}

fn malformed_inside() -> Entry {
    refused(
        "token/read-malformed",
        "What is read is parsed: a client refuses a text that is no token before it sends it.",
        "the text is no token",
        &[
            ("id-alone", "jt_01kdvdna00e008000000000001\n".into()),
            ("no-prefix", format!("{}\n", TOKEN.trim_start_matches("bcjt_"))),
            ("upper-case", format!("{}\n", TOKEN.to_ascii_uppercase())),
            ("cut", TOKEN.chars().take(77).collect()),
        ],
    )
    .why("A text that is no token may be another secret; it must not travel.")
}
