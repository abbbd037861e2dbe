//! The secret inside the token: canonical base64url of 32 octets, 43 characters.

use serde_json::json;

use super::{ID, TOKEN, byte_rows};
use crate::case::{Entry, accept, reject};
use crate::testkit::encode::b64u;
use crate::testkit::keys::hash;

/// The example's secret as text.
const TEXT: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";

pub(super) fn entries() -> Vec<Entry> {
    vec![forms(), length(), trailing_bits(), padding(), standard_alphabet(), alphabet()]
}

fn with_secret(text: &str) -> String {
    TOKEN.replace(TEXT, text)
}

fn forms() -> Entry {
    let entry = accept("token/parse-secret-forms", "TOKEN-1", "Any 32 octets are a secret.")
        .also("TOKEN-3")
        .why("The alphabet's last two characters are - and _; a reader of plain base64 fails on them, once in a few tokens.")
        .family("token.parse")
        .recipe("The example token of TOKEN with b64u of the row's octets as its secret.");
    let mut high = [0u8; 32];
    high[31] = 1;
    [("zero", [0u8; 32]), ("ones", [0xff; 32]), ("dashes", [0xfb; 32]), ("last-bit", high)].iter().fold(
        entry,
        |entry, (name, secret)| {
            let out = json!({"id": ID, "secretSha256": b64u(hash(secret))});
            entry.row(name, json!({"token": b64u(with_secret(&b64u(secret)))}), out)
        },
    )
}

fn malformed(id: &str, title: &str, what: &str, rows: &[(&str, &str)]) -> Entry {
    let entry = reject(id, "TOKEN-1", "token-malformed", title)
        .also("TOKEN-2")
        .family("token.parse")
        .twin("token/parse-good", &["/in/token"], what)
        .recipe("The example token of TOKEN with the row's text as its secret.");
    rows.iter()
        .fold(entry, |entry, (name, text)| byte_rows(entry, "token", &[(name, with_secret(text).as_bytes())]))
}

fn length() -> Entry {
    malformed(
        "token/parse-secret-length",
        "A secret has exactly 43 characters: 32 octets.",
        "the secret is shorter or longer",
        &[
            ("none", ""),
            ("one", "A"),
            // 31 octets, canonical
            ("42", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHg"),
            // 33 octets, canonical
            ("44", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g"),
            // 1 modulo 4: no octets have this length
            ("45", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gA"),
            ("twice", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"),
            ("hex", "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"),
        ],
    )
    .why("A server once took host tokens whose secret it never compared in full; a wrong length must end before any hash.")
}

fn trailing_bits() -> Entry {
    malformed(
        "token/parse-secret-trailing-bits",
        "The two unused bits of the last character are zero.",
        "the last character is one of the three others that decode to the same octets",
        &[
            ("9", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9"),
            ("dash", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh-"),
            ("underscore", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh_"),
        ],
    )
    .why("A decoder that ignores these bits gives one token four spellings, and lists of used or leaked tokens miss three.")
}

fn padding() -> Entry {
    malformed(
        "token/parse-secret-padding",
        "There is no padding.",
        "padding follows the secret or stands for its last character",
        &[
            ("after", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="),
            ("for-the-last", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh="),
            ("percent-3d", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8%3D"),
        ],
    )
    .why("Optional padding is a second spelling; lax base64 in token libraries has bypassed replay lists.")
}

fn standard_alphabet() -> Entry {
    let text = b64u([0xfb; 32]);
    let entry = reject(
        "token/parse-secret-standard-alphabet",
        "TOKEN-1",
        "token-malformed",
        "The alphabet has - and _, not + and /.",
    )
    .also("TOKEN-2")
    .why("A decoder that takes both alphabets gives most tokens a second spelling.")
    .family("token.parse")
    .twin("token/parse-secret-forms#dashes", &["/in/token"], "- and _ of the secret are replaced by + and /")
    .recipe("The example token of TOKEN, its secret 32 octets fb, in the alphabet of plain base64.");
    [
        ("plus", text.replacen('-', "+", 1)),
        ("slash", text.replacen('_', "/", 1)),
        ("both", text.replace('-', "+").replace('_', "/")),
    ]
    .iter()
    .fold(entry, |entry, (name, text)| byte_rows(entry, "token", &[(name, with_secret(text).as_bytes())]))
}

fn alphabet() -> Entry {
    malformed(
        "token/parse-secret-alphabet",
        "Characters outside the alphabet are refused, never skipped.",
        "one character of the secret is replaced by one outside the alphabet",
        &[
            ("blank", " AECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"),
            ("star", "AAECAwQFBgcICQoL*A0ODxAREhMUFRYXGBkaGxwdHh8"),
            ("dot", "AAECAwQFBgcICQoL.A0ODxAREhMUFRYXGBkaGxwdHh8"),
            ("lf", "AAECAwQFBgcICQoL\nA0ODxAREhMUFRYXGBkaGxwdHh8"),
            ("lf-between", "AAECAwQFBgcICQoL\nDA0ODxAREhMUFRYXGBkaGxwdHh8"),
        ],
    )
    .why("MIME decoders skip what they do not know, so line-broken and decorated texts decode too.")
}
