//! SEAL: seals built whole, with edits of header, keys, parts and octets.

use p256::SecretKey;
use serde_json::{Value, json};

use super::csr as forged_csr;
use super::draw::Draw;
use super::json_text::{self, Json};
use super::pin::near;
use super::plan::{Made, Plan};
use super::token::{self, instant};
use super::{bytes, seal_crypto, seal_header};
use crate::testkit::csr;
use crate::testkit::encode::b64u;
use crate::testkit::keys::{key, private_jwk, public_jwk};
use crate::testkit::seal::{self as kit, Seal, pin};
use crate::testkit::signature::spki;

/// The clock of forged calls in seconds since 1970.
pub(super) const NOW_S: i64 = 1_767_225_600;

/// A server's key.
pub(super) fn server(number: usize) -> SecretKey {
    key(&format!("forge server {number}"))
}

/// A seal under construction.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) seal: Seal,
    pub(super) header: Json,
    pub(super) recipient: SecretKey,
    /// Edits of the header's text.
    text: Vec<Draw>,
    /// Edits of the five parts' texts.
    parts: Vec<Draw>,
    /// So many octets the whole shall have, by blanks in the header.
    size: Option<usize>,
}

impl Draft {
    /// A right seal; `kid` stands in it in one of three.
    pub(super) fn new(draw: &mut Draw, recipient: SecretKey, token: &str, csr: &[u8], iat: i64) -> Self {
        let name = format!("forge {}", draw.number());
        let seal = kit::honest(&name, &recipient, token, csr, iat.unsigned_abs());
        let members = seal.members.iter().map(|(name, value)| (name.clone(), Json::Raw(value.clone())));
        let mut members: Vec<(String, Json)> = members.collect();
        for (name, value) in &mut members {
            if name == "epk" {
                *value = Json::of(&serde_json::from_str::<Value>(&value.text()).unwrap_or_default());
            } else if let Json::Raw(text) = value
                && text.starts_with('"')
            {
                *value = Json::Text(text.trim_matches('"').into());
            }
        }
        if draw.chance(33) {
            members.push(("kid".into(), Json::Text(pin(&spki(&recipient)))));
        }
        let header = Json::Object(members);
        Self { seal, header, recipient, text: Vec::new(), parts: Vec::new(), size: None }
    }

    /// The compact text.
    pub(super) fn octets(self) -> Vec<u8> {
        let mut header = self.header.text().into_bytes();
        for mut draw in self.text {
            json_text::edit_whole(&mut draw, &mut header);
        }
        if let Some(size) = self.size {
            let [_, rest @ ..] = self.seal.clone().header(header.clone()).parts();
            let rest: usize = rest.iter().map(|part| part.len() + 1).sum();
            let wanted = size.saturating_sub(rest) * 3 / 4;
            let blanks = vec![b' '; wanted.saturating_sub(header.len())];
            header.splice(1..1, blanks);
        }
        let mut parts = self.seal.header(header).parts().map(String::from).to_vec();
        let mut whole = None;
        for mut draw in self.parts {
            if let Some(octets) = edit_parts(&mut draw, &mut parts) {
                whole = Some(octets);
            }
        }
        whole.unwrap_or_else(|| parts.join(".").into_bytes())
    }

    /// One edit of anything.
    pub(super) fn edit(&mut self, draw: &mut Draw) {
        match draw.below(20) {
            0..4 => self.header.edit(draw),
            4 | 5 if draw.chance(70) => self.text.push(draw.clone()),
            4 | 5 if draw.chance(60) => {
                self.size = Some(draw.pick([4000, 4095, 4096, 4097, 4098, 4100, 5000]))
            }
            4..8 => self.parts.push(draw.clone()),
            8..14 => seal_header::edit(draw, self),
            _ => seal_crypto::edit(draw, self),
        }
    }
}

/// One edit of the parts; or a whole that has no parts.
fn edit_parts(draw: &mut Draw, parts: &mut Vec<String>) -> Option<Vec<u8>> {
    let at = draw.below(parts.len());
    let part = parts.get(at).cloned().unwrap_or_default();
    match draw.below(13) {
        0 => parts[at] = format!("{part}="),
        1 => parts[at] = part.replace(['-', '_'], "+"),
        2 => parts[at] = String::new(),
        3 => drop(parts.remove(at)),
        4 => parts.insert(at, part),
        5 => parts.push(String::new()),
        // The unused bits of the last character.
        6 => {
            let end = part.len().saturating_sub(1);
            let last = draw.pick(["A", "B", "C", "_", "g", "w", "Q"]);
            parts[at] = format!("{}{last}", part.get(..end).unwrap_or_default());
        }
        7 => parts[at] = format!("{part}A"),
        8 => parts[at] = format!("{}{part}", draw.pick([" ", "\n", "\t", "=", "\0"])),
        9 => parts[at] = format!("{part}{}", draw.pick([" ", "\n", "\r\n", "AA", "AAAA", "==", "\u{0}"])),
        10 => {
            let names = ["protected", "encrypted_key", "iv", "ciphertext", "tag"];
            let members: Vec<String> =
                names.iter().zip(&*parts).map(|(name, part)| format!("\"{name}\":\"{part}\"")).collect();
            return Some(format!("{{{}}}", members.join(",")).into_bytes());
        }
        11 => parts[at] = part.to_ascii_lowercase(),
        _ => {
            let mut whole = parts.join(".").into_bytes();
            bytes::edit(draw, &mut whole);
            return Some(whole);
        }
    }
    None
}

pub(super) fn open(plan: &mut Plan<'_>) -> Made {
    let mut draw = plan.draw("seal");
    let held = draw.pick([1, 1, 2, 3]);
    let mut keys: Vec<SecretKey> = (0..held).map(server).collect();
    let recipient = draw.one(&keys).cloned().unwrap_or_else(|| server(0));
    let token = token::any(&mut draw).text();
    let mut csr = csr::honest(&forged_csr::node(&mut draw)).der();
    let iat = NOW_S + if draw.chance(70) { draw.range(-400, 400) } else { draw.range(-2_000_000, 2_000_000) };
    let mut draft = Draft::new(&mut draw, recipient, &token, &csr, iat);
    for mut draw in plan.edits("seal") {
        match draw.below(14) {
            0 => keys.reverse(),
            1 => keys = vec![server(7)],
            2 => bytes::edit(&mut draw, &mut csr),
            _ => draft.edit(&mut draw),
        }
    }
    let keys: Vec<Value> = keys.iter().map(private_jwk).collect();
    let mut made = Made::new(json!({"seal": b64u(draft.octets()), "csr": b64u(csr), "keys": keys}));
    window(plan, &mut made, iat);
    made
}

/// The window of SEAL-4 where the choice wants one, and a clock with milliseconds.
pub(super) fn window(plan: &mut Plan<'_>, made: &mut Made, iat: i64) {
    let chosen = plan.choose("seal.iat-window");
    let mut draw = plan.draw("window");
    if draw.chance(30) {
        made.now = instant(NOW_S * 1000 + draw.pick([1, 500, 999, 1000, -1]));
    }
    if chosen.as_deref() == Some("window") {
        // Every third bound is an edge for this seal, or a second beside it.
        let edge = (iat - NOW_S).abs();
        let mut bound = || match draw.below(3) {
            0 => (edge + draw.range(-1, 1)).max(0),
            _ => draw.pick([0, 1, 60, 300, 400, 86_400, 1_i64 << 40]),
        };
        made.input["iatWindow"] = json!({"pastS": bound(), "aheadS": bound()});
    }
}

pub(super) fn make(plan: &mut Plan<'_>) -> Made {
    let mut draw = plan.draw("seal");
    let token = token::any(&mut draw).text();
    let server = server(draw.below(8));
    let csr = csr::honest(&forged_csr::node(&mut draw)).der();
    let others = draw.below(3);
    let mut pins: Vec<String> =
        (0..others).map(|_| format!("sha256/{}", crate::testkit::encode::b64(draw.octets(32)))).collect();
    if draw.chance(70) {
        let at = draw.place(pins.len());
        pins.insert(at, pin(&spki(&server)));
    } else if draw.chance(50) {
        pins.push(near(&mut draw, &spki(&server)));
    }
    let at_ms = NOW_S * 1000 + draw.range(-1_000_000_000, 1_000_000_000);
    let mut made = Made::new(json!({
        "token": token,
        "csr": b64u(&csr),
        "jwk": public_jwk(&server),
        "pins": pins,
    }));
    made.now = instant(at_ms);
    let expected = json!({
        "jwk": private_jwk(&server), "token": token, "csr": b64u(&csr), "iat": at_ms.div_euclid(1000),
    });
    made.check = Some(json!({"seal": {"$seal": expected}}));
    made
}
