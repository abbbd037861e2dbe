//! Edits of octets and of texts that know nothing of what they edit.

use super::draw::Draw;

/// One edit of octets.
pub(super) fn edit(draw: &mut Draw, octets: &mut Vec<u8>) {
    let at = draw.below(octets.len());
    let end = (at + 1 + draw.below(8)).min(octets.len());
    match draw.below(10) {
        0..3 => {
            if let Some(octet) = octets.get_mut(at) {
                *octet ^= 1 << draw.below(8);
            }
        }
        3 => {
            if let Some(octet) = octets.get_mut(at) {
                *octet = draw.pick([0x00, 0x01, 0x20, 0x2e, 0x30, 0x3d, 0x7f, 0x80, 0xff]);
            }
        }
        4 => {
            let more = draw.below(3) + 1;
            let octets_in = draw.octets(more);
            octets.splice(at..at, octets_in);
        }
        5 => drop(octets.drain(at..end)),
        6 => {
            let again = octets.get(at..end).map(<[u8]>::to_vec).unwrap_or_default();
            octets.splice(at..at, again);
        }
        7 => octets.truncate(at),
        8 => octets.push(draw.pick([0, b'\n', b' ', b'=', b'.', 0xff])),
        _ => {
            let other = draw.below(octets.len());
            if at < octets.len() && other < octets.len() {
                octets.swap(at, other);
            }
        }
    }
}

/// Characters that texts are spoilt with.
const ODD: [&str; 20] = [
    " ", "\t", "\n", "\r", "\r\n", "\0", "\u{b}", "\u{85}", "\u{a0}", "\u{feff}", "\u{2003}", "=", ".", "-",
    "_", "0", "A", "é", "\u{212a}", "/",
];

/// One edit of a text.
pub(super) fn edit_text(draw: &mut Draw, text: &mut String) {
    let mut chars: Vec<char> = text.chars().collect();
    let at = draw.below(chars.len());
    match draw.below(9) {
        0 => insert(draw, &mut chars, 0),
        1 => {
            let end = chars.len();
            insert(draw, &mut chars, end);
        }
        2 => insert(draw, &mut chars, at),
        3 if at < chars.len() => drop(chars.remove(at)),
        4 if at < chars.len() => chars.insert(at, chars[at]),
        5 if at < chars.len() => chars[at] = swap_case(chars[at]),
        6 if at < chars.len() => {
            chars[at] = draw.pick(['0', 'z', '9', 'l', 'o', 'u', 'A', '+', '-', '_', '/'])
        }
        7 => chars.truncate(at),
        _ => {
            let upper = draw.chance(50);
            chars = chars.into_iter().map(|c| if upper { c.to_ascii_uppercase() } else { c }).collect();
            if !upper && !chars.is_empty() {
                let other = draw.below(chars.len());
                chars.swap(at, other);
            }
        }
    }
    *text = chars.into_iter().collect();
}

fn insert(draw: &mut Draw, chars: &mut Vec<char>, at: usize) {
    chars.splice(at..at, draw.pick(ODD).chars());
}

fn swap_case(c: char) -> char {
    if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
}
