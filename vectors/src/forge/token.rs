//! TOKEN: bearer texts, ids, rows.

use serde_json::{Value, json};

use super::bytes;
use super::draw::Draw;
use super::plan::{Made, Plan};
use crate::testkit::encode::b64u;
use crate::testkit::keys::hash;
use crate::testkit::token::{Token, token, type_id};

/// The clock of forged calls in milliseconds since 1970.
const NOW_MS: i64 = 1_767_225_600_000;

/// A token.
pub(super) fn any(draw: &mut Draw) -> Token {
    let number = draw.below(1000);
    token(&format!("forge {number}"))
}

/// The text of a token after this many edits that are drawn.
pub(super) fn edited(text: &str, edits: Vec<Draw>) -> Vec<u8> {
    let mut octets = text.as_bytes().to_vec();
    for mut draw in edits {
        edit(&mut draw, &mut octets);
    }
    octets
}

/// One edit of a bearer text.
pub(super) fn edit(draw: &mut Draw, octets: &mut Vec<u8>) {
    let mut text = String::from_utf8_lossy(octets).into_owned();
    match draw.below(12) {
        // The last character's unused bits.
        0 => text = with_char(&text, 77, draw.pick(['9', 'A', 'B', 'E', 'I', '_', '-', '='])),
        // The first character of the id holds three bits.
        1 => text = with_char(&text, 8, draw.pick(['7', '8', 'z', '0'])),
        2 => text = with_char(&text, 9 + draw.below(25), draw.pick(['i', 'l', 'o', 'u', 'A', '_', '0', 'z'])),
        3 => {
            text = with_char(&text, 35 + draw.below(42), draw.pick(['+', '/', '=', '.', '-', '_', 'A', ' ']))
        }
        4 => text = text.replacen("bcjt_", draw.pick(["", "BCJT_", "bcjt-", "bcjt", "bcjt_bcjt_"]), 1),
        5 => text = text.replacen("jt_jt_", draw.pick(["jt_", "jt_jt", "jt_JT_", "jt_node_"]), 1),
        6 => text = text.replacen('.', draw.pick(["", "..", ":", ". ", " ."]), 1),
        7 => text.push_str(draw.pick(["\n", "\r\n", "\r", "\n\n", " ", "=", "\0", ".", "\n\r\n", "\r\r\n"])),
        8 => text.insert_str(0, draw.pick(["\u{feff}", " ", "\n", "\t", "\0", "Bearer "])),
        9 | 10 => bytes::edit_text(draw, &mut text),
        _ => return bytes::edit(draw, octets),
    }
    *octets = text.into_bytes();
}

/// The text with another character at a place.
fn with_char(text: &str, place: usize, new: char) -> String {
    text.chars().enumerate().map(|(at, old)| if at == place { new } else { old }).collect()
}

pub(super) fn parse(plan: &mut Plan<'_>) -> Made {
    let token = any(&mut plan.draw("token"));
    let octets = edited(&token.text(), plan.edits("token"));
    Made::new(json!({"token": b64u(octets)}))
}

pub(super) fn read(plan: &mut Plan<'_>) -> Made {
    let mut draw = plan.draw("token");
    let line_end = draw.pick(["", "\n", "\r\n"]);
    let text = format!("{}{line_end}", any(&mut draw).text());
    let mut octets = text.into_bytes();
    for mut draw in plan.edits("token") {
        if draw.chance(40) {
            let end =
                draw.pick([&b"\r"[..], b"\n\n", b"\n\r", b"\r\r\n", b" \n", b"\r\n\r\n", b"\0", b"\x0b"]);
            octets.truncate(78);
            octets.extend(end);
        } else {
            edit(&mut draw, &mut octets);
        }
    }
    Made::new(json!({"input": b64u(octets)}))
}

pub(super) fn id(plan: &mut Plan<'_>) -> Made {
    let mut text = any(&mut plan.draw("token")).id;
    for mut draw in plan.edits("id") {
        match draw.below(6) {
            0 => text = any(&mut draw).text(),
            1 => text = with_char(&text, 3, draw.pick(['7', '8', 'z'])),
            2 => text = with_char(&text, 4 + draw.below(25), draw.pick(['i', 'l', 'o', 'u', 'A', '0'])),
            3 => text = type_id(draw.pick(["jt", "node", "JT", "", "jreq"]), &draw.octets(16)),
            _ => bytes::edit_text(&mut draw, &mut text),
        }
    }
    Made::new(json!({"text": text}))
}

/// A row that admits the token.
pub(super) fn row(draw: &mut Draw, token: &Token, role: &str) -> Value {
    json!({
        "id": token.id,
        "secretSha256": b64u(token.secret_sha256()),
        "role": role,
        "expiresAt": instant(NOW_MS + draw.range(1, 86_400_000)),
        "revokedAt": null,
        "usesLeft": draw.range(1, 10_000),
    })
}

/// One edit of a row.
pub(super) fn edit_row(draw: &mut Draw, row: &mut Value, token: &Token) {
    if row.is_null() {
        return;
    }
    match draw.below(11) {
        0 => *row = Value::Null,
        1 => row["id"] = any(draw).id.into(),
        2 => row["secretSha256"] = b64u(hash(b64u(token.secret))).into(),
        3 => {
            // One octet differs: a comparison of a part, or of a prefix, may not see it.
            let mut near = token.secret_sha256();
            near[draw.below(32)] ^= 1;
            let other = hash(draw.octets(32));
            row["secretSha256"] = b64u(draw.pick([near, near, other])).into();
        }
        4 => row["revokedAt"] = instant(NOW_MS + draw.range(-86_400_000, 86_400_000)).into(),
        5 => row["expiresAt"] = instant(NOW_MS + draw.range(-2, 2)).into(),
        6 => row["expiresAt"] = instant(NOW_MS - draw.range(0, 86_400_000)).into(),
        7 | 8 => row["usesLeft"] = draw.pick([0, 1, 2, 10_000]).into(),
        _ => row["role"] = draw.pick(["node", "site", "ramdisk"]).into(),
    }
}

/// An instant in milliseconds as the contract writes it.
pub(super) fn instant(ms: i64) -> String {
    let stamp = jiff::Timestamp::from_millisecond(ms).unwrap_or_default();
    stamp.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

/// A role that may be asked for.
pub(super) fn asked_role(draw: &mut Draw) -> &'static str {
    draw.pick(["NODE", "node ", "", "node-tenant", "root", "Site", "ramdisk\0", "nodе", "node", "site"])
}

pub(super) fn admit(plan: &mut Plan<'_>) -> Made {
    let mut draw = plan.draw("token");
    let token = any(&mut draw);
    let role = draw.pick(["node", "site", "ramdisk"]);
    let mut made =
        Made::new(json!({"row": row(&mut draw, &token, role), "token": token.text(), "role": role}));
    for mut draw in plan.edits("admission") {
        let input = &mut made.input;
        match draw.below(10) {
            0 => input["role"] = asked_role(&mut draw).into(),
            1 => {
                let mut octets = token.text().into_bytes();
                edit(&mut draw, &mut octets);
                input["token"] = String::from_utf8_lossy(&octets).into();
            }
            2 => made.now = instant(NOW_MS + draw.range(-86_400_000, 86_400_000)),
            _ => edit_row(&mut draw, &mut input["row"], &token),
        }
    }
    made
}
