//! What stands around id and secret: the prefix, the dot, and nothing else.

use serde_json::json;

use super::{ID, TOKEN, byte_rows, secret};
use crate::case::{Entry, accept, reject};
use crate::testkit::encode::b64u;
use crate::testkit::keys::hash;

pub(super) fn entries() -> Vec<Entry> {
    vec![good(), prefix(), dot(), around(), line_end(), nul(), not_ascii()]
}

fn good() -> Entry {
    accept("token/parse-good", "TOKEN-1", "The example token is read: its id, and the hash of its secret.")
        .also("TOKEN-2")
        .also("TOKEN-3")
        .why("The hash is over the 32 octets. Over the 43 characters it would be ea866a75.., and two servers could not share a table.")
        .call("token.parse", json!({"token": b64u(TOKEN)}))
        .out(json!({"id": ID, "secretSha256": b64u(hash(secret()))}))
        .recipe("bcjt_, the id, a dot, b64u of the octets 00 to 1f.")
}

fn malformed(id: &str, title: &str) -> Entry {
    reject(id, "TOKEN-2", "token-malformed", title)
        .family("token.parse")
        .recipe("The example token of TOKEN, its text changed as the row's name says.")
}

fn prefix() -> Entry {
    let entry = malformed("token/parse-prefix", "The prefix is exactly bcjt_, once.")
        .twin("token/parse-good", &["/in/token"], "the prefix is missing, doubled, misspelt or in another case")
        .why("A prefix that is optional or folded gives one token many spellings, and secret scanners miss most of them.");
    let rest = TOKEN.trim_start_matches("bcjt_");
    let rows: Vec<(&str, String)> = vec![
        ("missing", rest.into()),
        ("upper-case", format!("BCJT_{rest}")),
        ("dash", format!("bcjt-{rest}")),
        ("twice", format!("bcjt_{TOKEN}")),
        ("short", format!("bcj_{rest}")),
        ("no-underscore", format!("bcjt{rest}")),
        ("alone", "bcjt_".into()),
        ("empty-text", String::new()),
    ];
    rows.iter().fold(entry, |entry, (name, text)| byte_rows(entry, "token", &[(name, text.as_bytes())]))
}

fn dot() -> Entry {
    let entry = malformed("token/parse-dot", "One dot stands between id and secret, and nowhere else.")
        .twin("token/parse-good", &["/in/token"], "the dot is missing, doubled, moved or another character")
        .why("A parser that splits at the first or the last dot reads two tokens out of a text with two.");
    let rows: Vec<(&str, String)> = vec![
        ("none", TOKEN.replace('.', "")),
        ("two", TOKEN.replace('.', "..")),
        ("at-the-end-too", format!("{TOKEN}.")),
        ("third-part", format!("{TOKEN}.x")),
        ("before-the-prefix", format!(".{TOKEN}")),
        ("colon", TOKEN.replace('.', ":")),
        ("percent-2e", TOKEN.replace('.', "%2E")),
        ("no-id", TOKEN.replace(ID, "")),
    ];
    rows.iter().fold(entry, |entry, (name, text)| byte_rows(entry, "token", &[(name, text.as_bytes())]))
}

fn around() -> Entry {
    let entry = malformed("token/parse-blanks", "Nothing stands before, between or after, no blank either.")
        .twin("token/parse-good", &["/in/token"], "a blank, a tab, a quote or a byte order mark is put in")
        .why("A trimming parser accepts many texts for one token; whatever compares or logs texts then sees different ones.");
    let middle = TOKEN.replace('.', ". ");
    let rows: Vec<(&str, String)> = vec![
        ("blank-before", format!(" {TOKEN}")),
        ("blank-after", format!("{TOKEN} ")),
        ("blank-inside", middle),
        ("tab-after", format!("{TOKEN}\t")),
        ("no-break-space-after", format!("{TOKEN}\u{a0}")),
        ("byte-order-mark", format!("\u{feff}{TOKEN}")),
        ("quotes", format!("\"{TOKEN}\"")),
        ("a-second-token", format!("{TOKEN} {TOKEN}")),
    ];
    rows.iter().fold(entry, |entry, (name, text)| byte_rows(entry, "token", &[(name, text.as_bytes())]))
}

fn line_end() -> Entry {
    let entry = malformed("token/parse-line-end", "The parser itself strips no line end.")
        .twin("token/parse-good", &["/in/token"], "a line end is put after or into the text")
        .why("Stripping is the client's, when it reads a file. A server that strips too admits texts that no client sends.");
    let rows: Vec<(&str, String)> = vec![
        ("lf", format!("{TOKEN}\n")),
        ("crlf", format!("{TOKEN}\r\n")),
        ("cr", format!("{TOKEN}\r")),
        ("lf-before", format!("\n{TOKEN}")),
        ("lf-inside", TOKEN.replace('.', ".\n")),
    ];
    rows.iter().fold(entry, |entry, (name, text)| byte_rows(entry, "token", &[(name, text.as_bytes())]))
}

fn nul() -> Entry {
    let entry = malformed("token/parse-nul", "A NUL is no end of the text.")
        .twin("token/parse-good", &["/in/token"], "a NUL is put in or stands for a character")
        .why("Where C strings are used somewhere, what stands after a NUL is invisible to one side and not to the other.");
    let rows: Vec<(&str, String)> = vec![
        ("after", format!("{TOKEN}\0")),
        ("before", format!("\0{TOKEN}")),
        ("for-the-dot", TOKEN.replace('.', "\0")),
        ("after-and-more", format!("{TOKEN}\0.x")),
    ];
    rows.iter().fold(entry, |entry, (name, text)| byte_rows(entry, "token", &[(name, text.as_bytes())]))
}

fn not_ascii() -> Entry {
    let entry =
        malformed("token/parse-not-ascii", "The token is ASCII; look-alikes and broken UTF-8 are no token.")
            .twin(
                "token/parse-good",
                &["/in/token"],
                "a character is replaced by one beyond ASCII, or by octets that are no UTF-8",
            )
            .why("Unicode normalization or a lossy decoder makes a token out of a text that was none.");
    let mut raw = TOKEN.as_bytes().to_vec();
    raw.push(0xff);
    let mut high = TOKEN.as_bytes().to_vec();
    if let Some(last) = high.last_mut() {
        *last |= 0x80;
    }
    let wide = TOKEN.replacen('0', "\u{ff10}", 1);
    let cyrillic = TOKEN.replacen('c', "\u{0441}", 1);
    byte_rows(
        entry,
        "token",
        &[
            ("invalid-octet-after", &raw),
            ("high-bit-of-the-last", &high),
            ("fullwidth-digit", wide.as_bytes()),
            ("cyrillic-letter", cyrillic.as_bytes()),
        ],
    )
}
