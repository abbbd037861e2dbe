//! CONFIG-1: texts of config.toml from a grammar, and edits of them.

use serde_json::json;

use super::bytes;
use super::draw::Draw;
use super::pin;
use super::plan::{Made, Plan};
use crate::testkit::encode::{b64, b64u};
use crate::testkit::token::type_id;

/// The keys that hold pins.
const PINS: [&str; 3] = ["serving_ca_spki_pin", "join_signing_key_pin", "join_encryption_key_pin"];

/// A line: a key as it is written and its value as it is written.
type Line = (String, String);

/// A URL that the spec allows in config.toml and in a document.
pub(super) fn url(draw: &mut Draw) -> String {
    let host = draw.pick([
        "gw.eu.example.com",
        "10.0.0.1",
        "[2001:db8::1]",
        "gw",
        "GW.example.com",
        "xn--bcher-kva.example",
    ]);
    let rest = draw.pick(["", "", "", ":443", ":8443", "/", "/base/path", ":65535/x"]);
    format!("https://{host}{rest}")
}

/// One edit of a URL.
pub(super) fn edit_url(draw: &mut Draw, url: &mut String) {
    match draw.below(11) {
        0 => *url = url.replacen("https", draw.pick(["http", "HTTPS", "https:", "", "ftp", " https"]), 1),
        1 => {
            *url = url.replacen(
                "://",
                draw.pick(["://user@", "://user:pw@", "://@", ":/", ":", ":///", "://:@"]),
                1,
            )
        }
        2 => url.push_str(draw.pick(["?", "?a=b", "#", "#x", "/?", "/#", "%", "/%zz", "\\", "/a b"])),
        3 => url.push_str(draw.pick([" ", "\n", "\t", "\0", ".", ":", "é"])),
        4 => {
            *url = draw
                .pick([
                    "https://",
                    "https:///x",
                    "https://:443",
                    "",
                    "gw",
                    "//gw",
                    "https://gw:",
                    "https://?",
                ])
                .into()
        }
        5 => {
            *url = format!(
                "https://gw{}",
                draw.pick([":0", ":65536", ":99999", ":-1", ":a", ":+443", ":0443", ": 443"])
            )
        }
        6 => {
            *url = format!(
                "https://{}",
                draw.pick([
                    "a b",
                    "a_b",
                    "-a",
                    "a..b",
                    ".",
                    "1.2.3",
                    "0x7f.1",
                    "[::1",
                    "::1",
                    "é.example",
                    "*",
                    "%41",
                    "a%2eb",
                    "[::g]",
                    "256.1.1.1"
                ])
            )
        }
        _ => bytes::edit_text(draw, url),
    }
}

fn good_pin(draw: &mut Draw) -> String {
    format!("sha256/{}", b64(draw.octets(32)))
}

fn base(draw: &mut Draw) -> Vec<Line> {
    let mut lines = vec![
        ("gateway_url".into(), quoted(&url(draw))),
        ("site".into(), quoted(&type_id("site", &draw.octets(16)))),
    ];
    for name in PINS {
        let one = good_pin(draw);
        let value = match draw.below(4) {
            0 => format!("[{}]", quoted(&one)),
            1 => format!("[{}, {}]", quoted(&one), quoted(&good_pin(draw))),
            _ => quoted(&one),
        };
        lines.push((name.into(), value));
    }
    if draw.chance(40) {
        lines.push(("server_name".into(), quoted(draw.pick(["gw.example.com", "x", "é", " "]))));
    }
    if draw.chance(40) {
        lines.push(("require_request_binding".into(), draw.pick(["true", "false"]).into()));
    }
    lines
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

/// One edit of a line's key or value, or of the lines.
fn edit_lines(draw: &mut Draw, lines: &mut Vec<Line>) {
    let at = draw.below(lines.len());
    let Some((key, value)) = lines.get(at).cloned() else { return };
    let bare = value.trim_matches('"').to_owned();
    match draw.below(16) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(draw.place(lines.len()), (key, value)),
        2 => {
            let unknown =
                draw.pick(["unknown", "serverName", "gateway", "a.b", "\"\"", "join_signing_key_pins", "é"]);
            lines.push((unknown.into(), draw.pick(["1", "\"x\"", "true", "{}", "[]"]).into()));
        }
        3 => lines[at].0 = key_spelling(draw, &key),
        4 => lines[at].1 = format!("'{bare}'"),
        5 => lines[at].1 = format!("{0}{bare}{0}", draw.pick(["\"\"\"", "'''", "\"\"\"\n", "'''\n", "''"])),
        6 => lines[at].1 = escaped(draw, &bare),
        7 => lines[at].1 = odd(draw),
        8 | 9 => edit_pins(draw, lines),
        10 => {
            let mut new = url(draw);
            edit_url(draw, &mut new);
            set(lines, "gateway_url", quoted(&new));
        }
        11 => {
            let mut site = type_id(draw.pick(["site", "site", "node", ""]), &draw.octets(16));
            if draw.chance(60) {
                bytes::edit_text(draw, &mut site);
            }
            set(lines, "site", quoted(&site));
        }
        12 => {
            set(lines, "server_name", draw.pick(["\"\"", "''", "1", "[\"x\"]", "\" \"", "\"a\\nb\""]).into())
        }
        13 => {
            let value = draw.pick(["\"true\"", "1", "True", "TRUE", "0", "[true]", "yes", "null", "''"]);
            set(lines, "require_request_binding", value.into());
        }
        14 => lines.reverse(),
        _ => {
            let mut text = bare;
            bytes::edit_text(draw, &mut text);
            lines[at].1 = quoted(&text);
        }
    }
}

fn set(lines: &mut Vec<Line>, key: &str, value: String) {
    match lines.iter_mut().find(|(known, _)| known == key) {
        Some((_, old)) => *old = value,
        None => lines.push((key.into(), value)),
    }
}

fn key_spelling(draw: &mut Draw, key: &str) -> String {
    match draw.below(7) {
        0 => quoted(key),
        1 => format!("'{key}'"),
        2 => format!(
            "\"\\u{:04x}{}\"",
            key.bytes().next().unwrap_or_default(),
            key.get(1..).unwrap_or_default()
        ),
        3 => key.to_ascii_uppercase(),
        4 => key.replace('_', "-"),
        5 => format!(" \t{key} "),
        _ => key.replacen('_', ".", 1),
    }
}

fn escaped(draw: &mut Draw, text: &str) -> String {
    let first = text.chars().next().unwrap_or('x');
    let rest = text.get(first.len_utf8()..).unwrap_or_default();
    let escape = match draw.below(7) {
        0 => format!("\\U{:08x}", u32::from(first)),
        1 => format!("\\x{:02x}", u32::from(first)),
        2 => "\\e".into(),
        3 => "\\/".into(),
        4 => "\\ud800".into(),
        5 => format!("{first}\\\n   "),
        _ => format!("\\u{:04x}", u32::from(first)),
    };
    format!("\"{escape}{rest}\"")
}

fn odd(draw: &mut Draw) -> String {
    draw.pick([
        "",
        "1",
        "1.0",
        "true",
        "[]",
        "{}",
        "\"\"",
        "1979-05-27",
        "1979-05-27T07:32",
        "07:32",
        "07:32:00",
        "inf",
        "0x1",
        "1_0",
        "[1]",
        "[[\"a\"]]",
        "{a = 1}",
        "{a = 1,}",
        "{\na = 1\n}",
        "[\"a\",\n]",
        "nan",
        "bare",
        "+1",
        "[\"a\" # c\n]",
        "-0",
        "01",
        "'it''s'",
    ])
    .into()
}

fn edit_pins(draw: &mut Draw, lines: &mut Vec<Line>) {
    let (one, two, mut bad) = (good_pin(draw), good_pin(draw), good_pin(draw));
    pin::edit(draw, &mut bad);
    let [one, two, bad] = [one, two, bad].map(|pin| quoted(&pin));
    let value = match draw.below(9) {
        0 => bad,
        1 => format!("[{one}, {bad}]"),
        2 => format!("[{one}, {one}]"),
        3 => format!("[{one}, {two}, {one}]"),
        4 => "[]".into(),
        5 => format!("[{one}, 1]"),
        6 => format!("[\n  {one}, # old\n  {two},\n]"),
        7 => format!("[[{one}]]"),
        _ => format!("{{ pin = {one} }}"),
    };
    let name = draw.pick(PINS);
    set(lines, name, value);
}

/// One edit of the whole text.
fn edit_text(draw: &mut Draw, text: &mut Vec<u8>) {
    match draw.below(15) {
        0 => drop(text.splice(0..0, b"\xef\xbb\xbf".iter().copied())),
        1 => drop(text.splice(
            0..0,
            draw.pick([&b"[join]\n"[..], b"[[a]]\n", b"# x\n", b"\n\n", b"\t\n"]).iter().copied(),
        )),
        2 => text.extend(draw.pick([
            &b"[table]\n"[..],
            b"[a]\nb = 1\n",
            b"#\xff\n",
            b"# a\0b\n",
            b"# \x7f\n",
            b"\r",
        ])),
        3 => *text = String::from_utf8_lossy(text).replace('\n', "\r\n").into_bytes(),
        4 => *text = String::from_utf8_lossy(text).replacen('\n', "\r", 1).into_bytes(),
        5 => *text = String::from_utf8_lossy(text).replacen('\n', " # comment\n", 1).into_bytes(),
        6 => *text = String::from_utf8_lossy(text).replacen('\n', " ", 1).into_bytes(),
        7 => {
            *text = String::from_utf8_lossy(text)
                .replacen(" = ", draw.pick(["=", "\t=\t", " = = ", ": ", "\n= ", " \u{a0}= "]), 1)
                .into_bytes()
        }
        8 | 9 => {
            let size = draw.pick([65_536, 65_537, 65_535]);
            text.push(b'#');
            text.resize(size, b'x');
        }
        10 => text.truncate(text.len().saturating_sub(1)),
        11 => text.extend(b"site.a = 1\n"),
        12 => text.extend(draw.pick([
            &b"# caf\xc3\xa9\n"[..],
            b"#\t\n",
            b"\x0c\n",
            b"\xc2\x85\n",
            b"# \xc2\x85\n",
            b"# \xef\xbf\xbe\n",
        ])),
        _ => bytes::edit(draw, text),
    }
}

pub(super) fn load(plan: &mut Plan<'_>) -> Made {
    let mut lines = base(&mut plan.draw("config"));
    let mut whole = Vec::new();
    for mut draw in plan.edits("config") {
        if draw.chance(70) { edit_lines(&mut draw, &mut lines) } else { whole.push(draw) }
    }
    let text: String = lines.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
    let mut octets = text.into_bytes();
    for mut draw in whole {
        edit_text(&mut draw, &mut octets);
    }
    Made::new(json!({"toml": b64u(octets)}))
}
