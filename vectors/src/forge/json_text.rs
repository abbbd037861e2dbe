//! JSON as text, so that members can occur twice, names can be escaped, and numbers can be spelled oddly.

use serde_json::Value;

use super::draw::Draw;

/// A value as it is written.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    /// Written as it stands.
    Raw(String),
    /// Between quotes, as it stands.
    Text(String),
    List(Vec<Self>),
    /// Names as they stand between their quotes.
    Object(Vec<(String, Self)>),
}

impl Json {
    /// The usual way to write a value.
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Object(members) => {
                Self::Object(members.iter().map(|(name, value)| (name.clone(), Self::of(value))).collect())
            }
            Value::Array(values) => Self::List(values.iter().map(Self::of).collect()),
            Value::String(text) => Self::Text(text.clone()),
            other => Self::Raw(other.to_string()),
        }
    }

    /// The member of that name, made if it is not there.
    pub(super) fn member(&mut self, name: &str) -> &mut Self {
        if !matches!(self, Self::Object(_)) {
            *self = Self::Object(Vec::new());
        }
        let Self::Object(members) = self else { return self };
        let at = members.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
            members.push((name.into(), Self::Raw("null".into())));
            members.len() - 1
        });
        &mut members[at].1
    }

    /// The text.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Raw(text) => text.clone(),
            Self::Text(text) => format!("\"{text}\""),
            Self::List(values) => {
                format!("[{}]", values.iter().map(Self::text).collect::<Vec<_>>().join(","))
            }
            Self::Object(members) => {
                let member = |(name, value): &(String, Self)| format!("\"{name}\":{}", value.text());
                format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(","))
            }
        }
    }

    /// The objects in it, itself included.
    fn objects<'j>(&'j mut self, found: &mut Vec<&'j mut Vec<(String, Self)>>) {
        if let Self::List(values) = self {
            values.iter_mut().for_each(|value| value.objects(found));
        } else if let Self::Object(members) = self {
            // Two views of one object cannot be given out; an outer one is drawn by where it stands.
            if members.iter().any(|(_, value)| matches!(value, Self::Object(_))) {
                for (_, value) in members.iter_mut() {
                    value.objects(found);
                }
            } else {
                found.push(members);
            }
        }
    }

    /// One edit of its structure.
    pub(super) fn edit(&mut self, draw: &mut Draw) {
        if draw.chance(45) {
            if let Self::Object(members) = self {
                edit_members(draw, members);
            }
            return;
        }
        let mut objects = Vec::new();
        self.objects(&mut objects);
        let at = draw.below(objects.len());
        if let Some(members) = objects.into_iter().nth(at) {
            edit_members(draw, members);
        }
    }
}

fn edit_members(draw: &mut Draw, members: &mut Vec<(String, Json)>) {
    let at = draw.below(members.len());
    let Some((name, value)) = members.get(at).cloned() else { return };
    match draw.below(14) {
        0 => drop(members.remove(at)),
        1 => members.insert(draw.place(members.len()), (name, value)),
        2 => members.push((escaped(draw, &name), value)),
        3 => members.insert(draw.place(members.len()), (name, odd(draw))),
        4 | 5 => members[at].0 = escaped(draw, &name),
        6 => members[at].0 = name.to_ascii_uppercase(),
        7 | 8 => members[at].1 = odd(draw),
        9 => {
            let unknown =
                draw.pick(["x", "", "crit", "zip", "apu", "apv", "jwk", "cty", "d", "kid", "use", "é"]);
            let value = odd(draw);
            members.push((unknown.into(), value));
        }
        10 => members.reverse(),
        11 => {
            if let Json::Text(text) = &value {
                members[at].1 = Json::Text(escaped(draw, text));
            }
        }
        12 => {
            let depth = draw.pick([3, 13, 14, 15, 16, 17]);
            let deep = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            members.push(("deep".into(), Json::Raw(deep)));
        }
        _ => {
            if let Json::Text(text) = &value {
                let mut text = text.clone();
                super::bytes::edit_text(draw, &mut text);
                // A quote is what ends a text; the rest of a text may stand as it is, right or wrong.
                members[at].1 = Json::Text(text);
            }
        }
    }
}

/// The text with one character as an escape; a few escapes are wrong.
fn escaped(draw: &mut Draw, text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let at = draw.below(chars.len());
    let escape = |c: char| match draw.clone().below(8) {
        0 => format!("\\u{:04X}", u32::from(c)),
        1 => format!("\\U{:04x}", u32::from(c)),
        2 => format!("\\x{:02x}", u32::from(c)),
        3 if c == '/' => "\\/".into(),
        4 => format!("{c}\\ud800"),
        5 => format!("{c}\\u0000"),
        _ => format!("\\u{:04x}", u32::from(c)),
    };
    chars.iter().enumerate().map(|(place, &c)| if place == at { escape(c) } else { c.into() }).collect()
}

/// A value of another type, or a number spelled oddly.
fn odd(draw: &mut Draw) -> Json {
    Json::Raw(
        draw.pick([
            "null",
            "true",
            "0",
            "1",
            "-0",
            "1.0",
            "1e3",
            "01",
            "+1",
            ".5",
            "1.",
            "\"\"",
            "[]",
            "{}",
            "\"x\"",
            "NaN",
            "'x'",
            "[null]",
            "{\"a\":1,\"a\":1}",
            "18446744073709551616",
            "\"\\ud83d\\ude00\"",
            "\"\u{7f}\"",
            "\"\t\"",
            "tru",
            "1E+2",
            "\"\\u00e9\"",
        ])
        .into(),
    )
}

/// One edit of the text as a whole.
pub(super) fn edit_whole(draw: &mut Draw, octets: &mut Vec<u8>) {
    let space =
        draw.pick([&b" "[..], b"\n", b"\t\r\n", b"\x0c", b"\xc2\xa0", b"\x0b", b"\xe2\x80\xa8", b"\0"]);
    match draw.below(12) {
        0 => drop(octets.splice(0..0, b"\xef\xbb\xbf".iter().copied())),
        1 => octets.extend(draw.pick([&b"{}"[..], b",", b"null", b"}", b"\0", b"//", b"x", b"\n\n"])),
        2 => drop(octets.splice(0..0, space.iter().copied())),
        3 => octets.extend(space),
        4 | 5 => {
            let places: Vec<usize> =
                octets.iter().enumerate().filter(|(_, c)| b"{}:,".contains(c)).map(|(at, _)| at).collect();
            if let Some(&at) = draw.one(&places) {
                octets.splice(at + 1..at + 1, space.iter().copied());
            }
        }
        6 => *octets = [b"[", octets.as_slice(), b"]"].concat(),
        7 => {
            let last = octets.len().saturating_sub(1);
            octets.splice(last..last, *b",");
        }
        8 => octets.truncate(octets.len().saturating_sub(1)),
        9 => {
            let at = draw.place(octets.len());
            octets.splice(
                at..at,
                draw.pick([&b"\xff"[..], b"\xed\xa0\x80", b"\xc0\xaf", b"/**/", b"\\"]).iter().copied(),
            );
        }
        10 => *octets = octets.iter().flat_map(|&octet| [octet, 0]).collect(),
        _ => super::bytes::edit(draw, octets),
    }
}
