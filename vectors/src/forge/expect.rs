//! EXPECT: bindings derived from what a machine claims.

use serde_json::{Map, Value, json};

use super::claims::{Machine, edit, machine};
use super::draw::Draw;
use super::identifier as id;
use super::plan::{Made, Plan};

/// A binding to this machine, normalized as a token's row holds it.
pub(super) fn binding(draw: &mut Draw, machine: &Machine) -> Value {
    let mut out = Map::new();
    let serial = 1 + draw.below(3);
    let folded =
        |text: &str| text.split_ascii_whitespace().collect::<Vec<_>>().join(" ").to_ascii_lowercase();
    let first = |draw: &mut Draw, list: &[Vec<u8>]| {
        draw.one(list).and_then(|octets| Some(folded(std::str::from_utf8(octets).ok()?)))
    };
    let mac = first(draw, &machine.macs).map(|mac| colons(&mac));
    let values = [
        ("productUuid", machine.text(0).map(|text| dashed(&folded(text)))),
        ("serial", machine.text(serial).map(folded)),
        ("mac", mac),
        ("gpuUuid", first(draw, &machine.gpus)),
    ];
    for (name, value) in values {
        if let Some(value) = value.filter(|_| draw.chance(55)) {
            out.insert(name.into(), value.into());
        }
    }
    Value::Object(out)
}

fn dashed(text: &str) -> String {
    let digits: String = text.chars().filter(|&c| c != '-').collect();
    id::dashed(&digits)
}

fn colons(text: &str) -> String {
    let digits: Vec<char> = text.chars().filter(|c| !":-.".contains(*c)).collect();
    digits.chunks(2).map(|pair| pair.iter().collect::<String>()).collect::<Vec<_>>().join(":")
}

/// One edit of a binding that stays as normalization leaves one.
pub(super) fn edit_binding(draw: &mut Draw, binding: &mut Value) {
    let name = draw.pick(["productUuid", "serial", "mac", "gpuUuid"]);
    let old = binding[name].as_str().map(String::from);
    binding[name] = match (draw.below(8), old) {
        (0, Some(old)) => old.get(1..).unwrap_or_default().into(),
        (1, Some(old)) => format!("{old}0").into(),
        (2, Some(old)) if name == "productUuid" => crate::testkit::claims::swapped(&old).into(),
        (3, Some(old)) => old.replace(['/', '-', ':'], "").into(),
        (4, Some(_)) => {
            if let Some(members) = binding.as_object_mut() {
                members.remove(name);
            }
            return;
        }
        (5, _) if name == "gpuUuid" => id::real_uuid(draw).into(),
        (6, _) => {
            draw.pick(["00000000-0000-0000-0000-000000000000", "to be filled by o.e.m.", "", "0"]).into()
        }
        _ => match name {
            "productUuid" => id::real_uuid(draw).into(),
            "serial" => id::real_serial(draw).to_ascii_lowercase().into(),
            "mac" => colons(&id::real_mac(draw)).into(),
            _ => format!("gpu-{}", id::real_uuid(draw)).into(),
        },
    };
}

pub(super) fn matching(plan: &mut Plan<'_>) -> Made {
    let mut draw = plan.draw("machine");
    let mut machine = machine(&mut draw);
    let mut binding = binding(&mut draw, &machine);
    for mut draw in plan.edits("expect") {
        if draw.chance(40) {
            edit(&mut draw, &mut machine);
        } else {
            edit_binding(&mut draw, &mut binding);
        }
    }
    Made::new(json!({"expect": binding, "claims": machine.json()}))
}
