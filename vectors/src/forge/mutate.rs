//! Mutations of the calls of cases: octets within what they hold, and nothing of the calls' shape.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::Value;

use super::Model;
use super::bytes;
use super::draw::Draw;
use super::plan::{Made, Plan};
use crate::testkit::encode::b64u;

/// Members that no op judges: keys, times and hashes of a fixed length, pins that are given.
const LEFT_ALONE: [&str; 17] = [
    "keys",
    "key",
    "jwk",
    "attestors",
    "expiresAt",
    "revokedAt",
    "secretSha256",
    "requestBinding",
    "csrSha256",
    "requestSha256",
    "purpose",
    "raw",
    "clientTimeMs",
    "ak",
    "previousAk",
    "site",
    "nodeId",
];

/// A call of a case with a few octets changed.
pub(super) fn call(plan: &mut Plan<'_>, draw: &mut Draw, models: &[Model]) -> Made {
    let Some(model) = draw.one(models) else { return Made::new(Value::Null) };
    plan.choices(&model.choices);
    let mut input = model.input.clone();
    // In the client's ops, and beside a request, the CSR is given and not judged.
    let own_csr = ["response", "deferral", "required"].iter().any(|name| input.get(name).is_some());
    for mut draw in plan.edits("mutation") {
        let mut places = Vec::new();
        leaves(&mut input, "", &mut places);
        places.retain(|(name, _)| !(own_csr && matches!(name.as_str(), "csr" | "pins")));
        let at = draw.below(places.len());
        if let Some((name, text)) = places.into_iter().nth(at) {
            edit(&mut draw, &name, text);
        }
    }
    Made { now: model.now.clone(), input, check: None }
}

/// The texts in an input, each with the name of the nearest member.
fn leaves<'v>(value: &'v mut Value, name: &str, found: &mut Vec<(String, &'v mut String)>) {
    match value {
        Value::String(text) => found.push((name.into(), text)),
        Value::Array(values) => values.iter_mut().for_each(|value| leaves(value, name, found)),
        Value::Object(members) => {
            for (name, value) in members {
                let given = name == "pins" && value.is_object();
                if !given && !LEFT_ALONE.contains(&name.as_str()) {
                    leaves(value, name, found);
                }
            }
        }
        _ => {}
    }
}

/// Members that hold texts; the others hold octets.
const TEXTS: [&str; 11] =
    ["text", "pin", "pins", "role", "attestor", "tokenId", "serial", "mac", "gpuUuid", "hosted", "id"];

fn edit(draw: &mut Draw, name: &str, text: &mut String) {
    let octets = URL_SAFE_NO_PAD.decode(text.as_bytes()).ok().filter(|_| !TEXTS.contains(&name));
    match octets {
        // A row's role is one of a closed set, and a token as text is judged as it stands.
        _ if name == "role" => *text = draw.pick(["node", "site", "ramdisk"]).into(),
        Some(mut octets) => {
            bytes::edit(draw, &mut octets);
            *text = b64u(octets);
        }
        None => bytes::edit_text(draw, text),
    }
}
