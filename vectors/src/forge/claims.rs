//! CLAIMS: machines, honest and otherwise.

use serde_json::{Value, json};

use super::draw::Draw;
use super::identifier as id;
use super::plan::{Made, Plan};
use crate::testkit::encode::b64u;
use crate::testkit::request::TEXTS;

/// What a machine claims, raw.
#[derive(Clone, Debug, Default)]
pub(super) struct Machine {
    /// In the order of [`TEXTS`].
    pub(super) texts: [Option<Vec<u8>>; 5],
    pub(super) macs: Vec<Vec<u8>>,
    pub(super) gpus: Vec<Vec<u8>>,
}

impl Machine {
    /// The claims in the ops' form.
    pub(super) fn json(&self) -> Value {
        let list = |values: &[Vec<u8>]| values.iter().map(b64u).collect::<Vec<_>>();
        let mut out = json!({"permanentMacs": list(&self.macs), "gpuUuids": list(&self.gpus)});
        for (name, value) in TEXTS.iter().zip(&self.texts) {
            if let Some(octets) = value {
                out[*name] = b64u(octets).into();
            }
        }
        out
    }

    /// A claim as text, if it is one.
    pub(super) fn text(&self, place: usize) -> Option<&str> {
        self.texts.get(place)?.as_deref().and_then(|octets| std::str::from_utf8(octets).ok())
    }
}

/// A machine with what real machines have; a few of its values are placeholders.
pub(super) fn machine(draw: &mut Draw) -> Machine {
    let mut machine = Machine::default();
    for place in 0..5 {
        if draw.chance(if place == 0 { 85 } else { 60 }) {
            machine.texts[place] = Some(usual(draw, place).into_bytes());
        }
    }
    let (macs, gpus) = (draw.pick([0, 1, 1, 2, 2, 4, 8]), draw.pick([0, 0, 0, 1, 2, 8]));
    machine.macs = (0..macs).map(|_| one_mac(draw).into_bytes()).collect();
    machine.gpus = (0..gpus).map(|_| format!("GPU-{}", id::real_uuid(draw)).into_bytes()).collect();
    machine
}

fn usual(draw: &mut Draw, place: usize) -> String {
    let placeholder = draw.chance(20);
    match (place, placeholder) {
        (0, false) => id::real_uuid(draw).to_ascii_uppercase(),
        (0, true) => id::uuid(draw),
        (4, _) => format!("b{}-u{}", draw.below(90), draw.below(48)),
        (_, false) => id::real_serial(draw),
        (_, true) => id::serial(draw),
    }
}

fn one_mac(draw: &mut Draw) -> String {
    if draw.chance(20) {
        return id::mac(draw);
    }
    let digits = id::real_mac(draw);
    id::spell_mac(draw, &digits)
}

/// One edit of a machine.
pub(super) fn edit(draw: &mut Draw, machine: &mut Machine) {
    let place = draw.below(5);
    match draw.below(14) {
        0 | 1 => machine.texts[place] = Some(any(draw, place).into_bytes()),
        2 | 3 => {
            let text = machine.text(place).map_or_else(|| any(draw, place), String::from);
            machine.texts[place] = Some(id::spoil(draw, &text));
        }
        4 => {
            let mac = id::mac(draw);
            machine.macs.push(id::spoil(draw, &mac));
        }
        5 => machine.macs.push(id::mac(draw).into_bytes()),
        6 => {
            let gpu = id::gpu(draw);
            machine.gpus.push(id::spoil(draw, &gpu));
        }
        7 => machine.gpus.push(id::gpu(draw).into_bytes()),
        8 => fill(draw, &mut machine.macs),
        9 => fill(draw, &mut machine.gpus),
        10 => machine.macs.reverse(),
        11 => machine.texts[place] = None,
        12 => machine.texts.swap(place, draw.below(5)),
        _ => tie(draw, machine),
    }
}

fn any(draw: &mut Draw, place: usize) -> String {
    match place {
        0 => id::uuid(draw),
        4 => draw.pick(["Node-17", "0", "localhost", "DEFAULT STRING", "é", "a  b", ""]).into(),
        _ => id::serial(draw),
    }
}

/// As many entries as may be, or one more; they are alike.
fn fill(draw: &mut Draw, list: &mut Vec<Vec<u8>>) {
    let entry = list.first().cloned().unwrap_or_else(|| draw.pick([b"".to_vec(), b"x".to_vec()]));
    list.resize(draw.pick([63, 64, 65]), entry);
}

/// One identifier made from another (HARDWARE-KEY-1).
pub(super) fn tie(draw: &mut Draw, machine: &mut Machine) {
    let mac = id::real_mac(draw);
    let digits = draw.text("0123456789abcdef", 32);
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default().to_owned();
    let near = draw.chance(25);
    let of_mac = |at: usize| mac.get(at * 2..at * 2 + 2).unwrap_or_default().to_owned();
    let slot = 1 + draw.below(3);
    let uuid = match draw.below(7) {
        0 => {
            let tag = draw.text("0123456789BCDFGHJKLMNPQRSTVWXYZ", 7);
            machine.texts[slot] = Some(tag.clone().into_bytes());
            dell(draw, tag.as_bytes(), near)
        }
        1 => {
            let shown = if draw.chance(50) { digits.clone() } else { swap(&digits) };
            let shown = if near { shown.replacen(char::is_numeric, "f", 1) } else { shown };
            machine.texts[slot] = Some(format!("VMware-{}", id::vmware(&shown)).into_bytes());
            digits
        }
        2 => {
            let shown = if draw.chance(50) { id::dashed(&digits) } else { swap(&digits) };
            machine.texts[slot] = Some(shown.into_bytes());
            digits
        }
        3 => {
            let version = if near { "4" } else { "1" };
            let variant = draw.pick(["8", "9", "a", "b", if near { "c" } else { "8" }]);
            format!("{}{version}{}{variant}{}{mac}", part(0, 12), part(13, 16), part(17, 20))
        }
        4 => {
            let m: Vec<String> = (0..6).map(of_mac).collect();
            let last = if near { "0a" } else { "09" };
            format!("03{}02{}04{}05{}{}06{}07000800{last}", m[1], m[0], m[2], m[3], m[4], m[5])
        }
        5 => format!("{mac}00000000000000000000"),
        _ => format!(
            "{}00000000000000000000",
            swap(&format!("{mac}{}", "0".repeat(20))).get(..12).unwrap_or_default()
        ),
    };
    let uuid = if uuid.contains('-') { uuid } else { id::dashed(&uuid) };
    machine.texts[0] = Some(uuid.to_ascii_uppercase().into_bytes());
    let at = draw.place(machine.macs.len());
    machine.macs.insert(at, mac.into_bytes());
}

/// The digits of the byte-swapped twin.
fn swap(digits: &str) -> String {
    crate::testkit::claims::swapped(&id::dashed(digits)).replace('-', "")
}

/// A UUID that holds a service tag.
fn dell(draw: &mut Draw, tag: &[u8], near: bool) -> String {
    let mut octets = draw.octets(16);
    octets.splice(0..4, [0x4c, 0x4c, 0x45, if near { 0x45 } else { 0x44 }]);
    for (place, &c) in [10, 5, 6, 9, 13, 14, 15].into_iter().zip(tag) {
        octets[place] = c;
    }
    octets[10] |= draw.pick([0, 0x80]);
    hex::encode(octets)
}

pub(super) fn normalize(plan: &mut Plan<'_>) -> Made {
    Made::new(json!({"claims": edited(plan).json()}))
}

/// A machine with its edits.
pub(super) fn edited(plan: &mut Plan<'_>) -> Machine {
    let mut machine = machine(&mut plan.draw("machine"));
    for mut draw in plan.edits("claims") {
        edit(&mut draw, &mut machine);
    }
    machine
}

pub(super) fn smbios(plan: &mut Plan<'_>) -> Made {
    let mut draw = plan.draw("smbios");
    let raw = if draw.chance(10) { vec![draw.pick([0, 0xff]); 16] } else { draw.octets(16) };
    let (major, minor) = (draw.pick([0, 1, 2, 2, 2, 2, 3, 4]), draw.pick([0, 1, 4, 5, 6, 7, 8, 10, 60, 255]));
    Made::new(json!({"raw": b64u(raw), "version": {"major": major, "minor": minor}}))
}
