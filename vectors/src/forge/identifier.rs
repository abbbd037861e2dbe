//! Identifiers of machines: real-looking ones, placeholders and near misses, wrong spellings, hostile octets.

use std::sync::OnceLock;

use super::draw::Draw;
use crate::testkit::claims::swapped;

/// The placeholder file.
const LIST: &str = include_str!("../../../docs/spec/placeholders.toml");
const HEX: &str = "0123456789abcdef";

/// An entry of an array of the placeholder file.
fn listed(draw: &mut Draw, array: &str) -> String {
    static TABLE: OnceLock<toml::Table> = OnceLock::new();
    let table = TABLE.get_or_init(|| LIST.parse().unwrap_or_default());
    let entries = table.get(array).and_then(toml::Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let entry = draw.one(entries).and_then(|entry| entry.get("value")?.as_str());
    entry.unwrap_or_default().into()
}

/// A serial as vendors print it.
pub(super) fn real_serial(draw: &mut Draw) -> String {
    const ALPHABET: &str = "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789";
    let (few, many) = (draw.range(5, 8) as usize, draw.range(9, 16) as usize);
    match draw.below(5) {
        0 => draw.text(ALPHABET, few),
        1 => format!("/{}/{}/", draw.text(ALPHABET, 7), draw.text(ALPHABET, many)),
        2 => format!("CN{}.{}", draw.text("0123456789", 4), draw.below(10)),
        3 => format!("VMware-{}", vmware(&draw.text(HEX, 32))),
        _ => draw.text(ALPHABET, many),
    }
}

/// 32 hexadecimal digits as that hypervisor writes them in serials.
pub(super) fn vmware(digits: &str) -> String {
    let octets: Vec<&str> = (0..16).filter_map(|at| digits.get(at * 2..at * 2 + 2)).collect();
    let (first, second) = octets.split_at(octets.len().min(8));
    format!("{}-{}", first.join(" "), second.join(" "))
}

/// A serial of any kind.
pub(super) fn serial(draw: &mut Draw) -> String {
    match draw.below(12) {
        0..4 => real_serial(draw),
        4 => listed(draw, "text"),
        5 => listed(draw, "number"),
        6 | 7 => {
            let array = draw.pick(["text", "text", "number"]);
            let text = listed(draw, array);
            near(draw, &text)
        }
        8 => {
            let (c, count) =
                (draw.pick(["0", "x", ".", "é", "-", "A", "_", "\u{1f600}"]), draw.below(20) + 1);
            c.repeat(count)
        }
        9 => uuid(draw),
        10 => listed(draw, "uuid"),
        _ => draw
            .pick(["Aa", "É", "İI", "K\u{212a}", "...", "_ _", " ", "", "0 0", "..__", "none", "N/A"])
            .into(),
    }
}

/// A text with one thing changed that a fuzzy comparison would not see, or that an exact one must not.
fn near(draw: &mut Draw, text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let (head, tail) = chars.split_at(draw.place(chars.len()));
    let [head, tail] = [head, tail].map(|part| part.iter().collect::<String>());
    match draw.below(8) {
        0 => format!("{head}{}{tail}", draw.pick([".", "_", " ", "..", " . "])),
        1 => format!("{head}{}{tail}", draw.pick(["-", "x", "0", "\t", "\u{a0}", ","])),
        2 => text.to_uppercase(),
        3 => format!("{text} {text}"),
        4 => text.replace([' ', '.'], "_"),
        5 => text.replace([' ', '.', '_'], ""),
        6 => text.replace(' ', "  "),
        _ => tail,
    }
}

/// 32 hexadecimal digits, dashed.
pub(super) fn dashed(digits: &str) -> String {
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default();
    [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)].join("-")
}

/// A UUID of random digits.
pub(super) fn real_uuid(draw: &mut Draw) -> String {
    dashed(&draw.text(HEX, 32))
}

/// A UUID of any kind.
pub(super) fn uuid(draw: &mut Draw) -> String {
    let uuid = match draw.below(10) {
        0..4 => real_uuid(draw),
        4 => listed(draw, "uuid"),
        5 => swapped(&listed(draw, "uuid")),
        6 => {
            let text = listed(draw, "uuid_prefix");
            let rest = real_uuid(draw);
            format!("{text}{}", rest.get(text.len()..).unwrap_or_default())
        }
        7 => dashed(&draw.text(HEX, 1).repeat(32)),
        8 => format!("{}-0000-0000-0000-{}", draw.text(HEX, 8), draw.pick(["000000000000", "000000000001"])),
        _ => {
            let near = listed(draw, "uuid");
            let (at, digit) = (draw.below(near.len()), draw.text(HEX, 1));
            near.char_indices()
                .map(|(place, c)| if place == at && c != '-' { digit.clone() } else { c.into() })
                .collect()
        }
    };
    spell_uuid(draw, &uuid)
}

fn spell_uuid(draw: &mut Draw, uuid: &str) -> String {
    match draw.below(14) {
        0..5 => uuid.to_ascii_uppercase(),
        5 => uuid.replace('-', ""),
        6 => format!("{{{uuid}}}"),
        7 => format!("urn:uuid:{uuid}"),
        8 => uuid.replacen('-', "", 1),
        9 => uuid.replace('-', " "),
        10 => uuid.replacen(|c: char| c.is_ascii_digit(), draw.pick(["g", "٣", "", "00"]), 1),
        _ => uuid.into(),
    }
}

/// A permanent address of random digits, lower case without separators.
pub(super) fn real_mac(draw: &mut Draw) -> String {
    let vendor = draw.pick(["3cecef", "94de80", "a0369f", "b8ca3a", "001b21", "0cc47a"]);
    format!("{vendor}{}", draw.text(HEX, 6))
}

/// An address of any kind.
pub(super) fn mac(draw: &mut Draw) -> String {
    let digits = match draw.below(12) {
        0..6 => real_mac(draw),
        6 => listed(draw, "mac").replace(':', ""),
        7 => {
            let prefix = listed(draw, "mac_prefix").replace(':', "");
            let rest = draw.text(HEX, 12_usize.saturating_sub(prefix.len()));
            format!("{prefix}{rest}")
        }
        8 => format!("0{}{}", draw.pick(["1", "2", "3", "6", "a", "4"]), draw.text(HEX, 10)),
        9 => draw.text(HEX, 2).repeat(6),
        10 => draw.text(HEX, 40),
        _ => draw.text(HEX, 12),
    };
    spell_mac(draw, &digits)
}

/// The digits in one of the ways of writing an address.
pub(super) fn spell_mac(draw: &mut Draw, digits: &str) -> String {
    let by = |size: usize, separator: &str| {
        let chars: Vec<char> = digits.chars().collect();
        chars.chunks(size).map(|part| part.iter().collect::<String>()).collect::<Vec<_>>().join(separator)
    };
    match draw.below(14) {
        0..5 => by(2, ":").to_ascii_uppercase(),
        5 => by(2, "-"),
        6 => by(2, "-").to_ascii_uppercase(),
        7 => by(4, "."),
        8 => digits.into(),
        9 => by(2, ":").replacen(':', "-", 1),
        10 => by(2, ":").replacen('0', draw.pick(["", "O", "00", "٠"]), 1),
        11 => by(4, draw.pick([":", "-", "_"])),
        12 => by(2, draw.pick([" ", ".", "::"])),
        _ => by(2, ":"),
    }
}

/// A GPU's identifier of any kind.
pub(super) fn gpu(draw: &mut Draw) -> String {
    let inner = match draw.below(8) {
        0..5 => real_uuid(draw),
        5 => uuid(draw),
        6 => serial(draw),
        _ => draw.pick(["", "0", "gpu-", "GPU-GPU-1", "mig-1", " ", "-"]).into(),
    };
    let prefix = draw
        .pick(["GPU-", "GPU-", "GPU-", "gpu-", "", "MIG-", "Mig-", "MIG-GPU-", "GPU-GPU-", "GPU ", "MIG"]);
    format!("{prefix}{inner}")
}

/// What is put around or into a value, so that its octets are those of bad firmware or of an attacker.
pub(super) fn spoil(draw: &mut Draw, text: &str) -> Vec<u8> {
    let mut octets = text.as_bytes().to_vec();
    let at = draw.place(octets.len());
    let inside: &[u8] = match draw.below(12) {
        0 => return pad(draw, &octets, &[b" ", b"\0", b"\t", b"\r\n", b"\x0b", b"\x0c", b" \0 ", b"\0\n"]),
        1 => {
            return pad(
                draw,
                &octets,
                &[b"\xc2\xa0", b"\xe2\x80\x83", b"\xef\xbb\xbf", b"\xc2\x85", b"\x1f"],
            );
        }
        2 => b"  \t",
        3 => b"\0",
        4 => draw.pick([b"\x01", b"\x1b", b"\x08", b"\x7f", b"\x0e", b"\x1f"]),
        5 => draw.pick([b"\xc2\x80", b"\xc2\x9f", b"\xc2\x85", b"\xc2\xa0", b"\xc3\x89"]),
        6 => {
            draw.pick([&b"\xff"[..], b"\xc0\x80", b"\xed\xa0\x80", b"\xe2\x82", b"\xf4\x90\x80\x80", b"\xf5"])
        }
        7 => draw.pick([&b"\r\n"[..], b"\n", b"\x0b", b" \0 ", b"\x0c\x0c", b"\t "]),
        8 => {
            draw.pick([&b"\xe2\x84\xaa"[..], b"\xc4\xb0", b"\xc3\x9f", b"\xf0\x9f\x98\x80", b"\xe2\x80\xa8"])
        }
        9 => {
            let length = draw.pick([255, 256, 257, 300, 1000]);
            let filler = draw.pick([b'a', b' ', b'0', 0]);
            octets.resize(length, filler);
            return octets;
        }
        10 => return text.to_uppercase().into_bytes(),
        _ => b"",
    };
    octets.splice(at..at, inside.iter().copied());
    octets
}

fn pad(draw: &mut Draw, octets: &[u8], with: &[&[u8]]) -> Vec<u8> {
    let [before, after] = [0, 1].map(|_| draw.one(with).copied().unwrap_or_default());
    let (before, after) =
        (if draw.chance(50) { before } else { b"" }, if draw.chance(70) { after } else { b"" });
    [before, octets, after].concat()
}
