//! Pins, alone and in lists (CONFIG-1).

use serde_json::{Value, json};

use super::bytes;
use super::draw::Draw;
use super::plan::{Made, Plan};
use crate::testkit::encode::{b64, b64u};
use crate::testkit::keys::{hash, key};
use crate::testkit::seal;
use crate::testkit::signature::spki;

/// One edit of a pin.
pub(super) fn edit(draw: &mut Draw, pin: &mut String) {
    let digest = hash(pin.as_bytes());
    match draw.below(10) {
        0 => {
            *pin = pin.replacen(
                "sha256/",
                draw.pick(["", "sha256:", "SHA256/", "sha256//", "sha1/", "sha256-"]),
                1,
            )
        }
        1 => *pin = pin.trim_end_matches('=').into(),
        2 => *pin = format!("sha256/{}=", b64u(digest)),
        3 => *pin = format!("sha256/{}", hex::encode(digest)),
        4 => *pin = format!("sha256/{}", b64(digest.get(..31).unwrap_or_default())),
        5 => *pin = format!("sha256/{}", b64([digest.as_slice(), &[0]].concat())),
        // The unused bits of the last character.
        6 => {
            let last = pin.len().saturating_sub(2);
            let tail = draw.pick(["B=", "A=", "E=", "9=", "_=", "A\n"]);
            *pin = pin.chars().take(last).chain(tail.chars()).collect();
        }
        7 => pin.push_str(draw.pick(["=", "\n", " ", "\0", "=="])),
        _ => bytes::edit_text(draw, pin),
    }
}

/// A well-formed pin that differs from the right one in one octet of the hash.
pub(super) fn near(draw: &mut Draw, spki: &[u8]) -> String {
    let mut digest = hash(spki);
    digest[draw.pick([0, 15, 30, 31])] ^= draw.pick([1, 0x80]);
    format!("sha256/{}", b64(digest))
}

pub(super) fn parse(plan: &mut Plan<'_>) -> Made {
    let mut draw = plan.draw("pin");
    let mut pin = format!("sha256/{}", b64(draw.octets(32)));
    for mut draw in plan.edits("pin") {
        edit(&mut draw, &mut pin);
    }
    Made::new(json!({"pin": pin}))
}

pub(super) fn matching(plan: &mut Plan<'_>) -> Made {
    let mut draw = plan.draw("pins");
    let mut own = match draw.below(4) {
        0 => draw.octets(40),
        _ => spki(&key(&format!("forge pin {}", draw.below(8)))),
    };
    let count = draw.below(4);
    let mut pins: Vec<String> = (0..count).map(|_| format!("sha256/{}", b64(draw.octets(32)))).collect();
    let at = draw.place(pins.len());
    pins.insert(at, seal::pin(&own));
    for mut draw in plan.edits("pins") {
        let at = draw.below(pins.len());
        match draw.below(6) {
            5 => pins = vec![near(&mut draw, &own)],
            0 if at < pins.len() => drop(pins.remove(at)),
            1 => bytes::edit(&mut draw, &mut own),
            2 => pins = Vec::new(),
            _ => {
                if let Some(pin) = pins.get_mut(at) {
                    edit(&mut draw, pin);
                }
            }
        }
    }
    let spki = Value::from(b64u(own));
    Made::new(json!({"pins": pins, "spki": spki}))
}
