//! SIGNATURE: fields of every purpose, signatures over them, and keys.

use serde_json::{Value, json};

use super::bytes;
use super::csr::public_key;
use super::draw::Draw;
use super::plan::{Made, Plan};
use crate::testkit::encode::b64u;
use crate::testkit::keys::{key, private_jwk};
use crate::testkit::signature::{PURPOSES, message, sign as signed_by, sign_der, sign_high, spki, with_s};
use crate::testkit::token::type_id;

/// How every message begins.
const PREFIX: &[u8] = b"better-compute.v1\0";

/// A purpose and its fields.
fn fields(draw: &mut Draw) -> (&'static str, Value) {
    let (purpose, names) = draw.pick(PURPOSES);
    let mut out = json!({});
    for &name in names {
        out[name] = match name {
            "clientTimeMs" | "bootLeaseEpoch" => {
                let any = draw.range(-(1 << 53), 1 << 53);
                draw.pick([0, 1, -1, 1_760_000_000_000, 1 << 53, -(1 << 53), any]).into()
            }
            "nodeId" => type_id("node", &draw.octets(16)).into(),
            "workflowId" => draw.pick(["wf-7", "", "é", "a\0b", "wf 7"]).into(),
            "csrSha256" => b64u(draw.octets(32)).into(),
            "mac" => b64u(draw.octets(6)).into(),
            "ip" => {
                let length = draw.pick([4, 16]);
                b64u(draw.octets(length)).into()
            }
            _ => {
                let length = draw.pick([0, 1, 3, 255, 256, 1000]);
                b64u(draw.octets(length)).into()
            }
        };
    }
    (purpose, out)
}

fn signer(draw: &mut Draw) -> p256::SecretKey {
    key(&format!("forge signer {}", draw.below(16)))
}

pub(super) fn bytes(plan: &mut Plan<'_>) -> Made {
    let (purpose, fields) = fields(&mut plan.draw("fields"));
    Made::new(json!({"purpose": purpose, "fields": fields}))
}

pub(super) fn make(plan: &mut Plan<'_>) -> Made {
    let mut draw = plan.draw("fields");
    let (purpose, fields) = fields(&mut draw);
    let key = signer(&mut draw);
    let mut made = Made::new(json!({"purpose": purpose, "fields": fields, "key": private_jwk(&key)}));
    let expected = json!({"purpose": purpose, "fields": fields, "key": b64u(spki(&key))});
    made.check = Some(json!({"sig": {"$signature": expected}}));
    made
}

pub(super) fn verify(plan: &mut Plan<'_>) -> Made {
    let mut draw = plan.draw("fields");
    let (purpose, fields) = fields(&mut draw);
    let own = signer(&mut draw);
    let signed = message(purpose, &fields).unwrap_or_default();
    let mut sig = signed_by(&own, &signed).to_vec();
    let mut spki_der = spki(&own);
    let right = purpose;
    let (mut purpose, mut fields) = (purpose.to_owned(), fields);
    for mut draw in plan.edits("signature") {
        match draw.below(12) {
            0 => sig = sign_high(&own, &signed).to_vec(),
            1 => sig = sign_der(&own, &signed),
            2 if draw.chance(40) => (spki_der, sig) = edge_of_s(&mut draw, &signed),
            2 => sig = edge(&mut draw, &sig),
            3 => bytes::edit(&mut draw, &mut sig),
            4 | 5 => spki_der = public_key(&mut draw, &own),
            6 => bytes::edit(&mut draw, &mut spki_der),
            7 => {
                let old = right.len() + PREFIX.len() + 1;
                purpose = draw
                    .pick(["renew-pop", "x509pop", "join-response", "join", "", "join-response\0"])
                    .into();
                // The same fields signed under the other name: all is right but the purpose.
                if draw.chance(60) {
                    let rest = signed.get(old..).unwrap_or_default();
                    let message = [PREFIX, purpose.as_bytes(), b"\0", rest].concat();
                    sig = signed_by(&own, &message).to_vec();
                }
            }
            8 => sig = signed_by(&own, &super::token::any(&mut draw).secret).to_vec(),
            _ => {
                edit_fields(&mut draw, &mut fields);
                // Signed as it now is: all is right but the list.
                if let Some(message) = message(right, &fields).ok().filter(|_| draw.chance(60)) {
                    sig = signed_by(&own, &message).to_vec();
                }
            }
        }
    }
    Made::new(json!({"purpose": purpose, "fields": fields, "key": b64u(spki_der), "sig": b64u(sig)}))
}

/// r or s at an edge of its range.
fn edge(draw: &mut Draw, sig: &[u8]) -> Vec<u8> {
    let edges = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000001",
        "7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8",
        "7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a9",
        "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    ];
    let edge = hex::decode(draw.pick(edges)).unwrap_or_default();
    let (r, s) = sig.split_at(sig.len().min(32));
    if draw.chance(50) { [&edge, s].concat() } else { [r, &edge].concat() }
}

/// A key, and a signature by it whose s is at an edge of the lower half: it verifies but for that.
fn edge_of_s(draw: &mut Draw, signed: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let mut s = [0; 32];
    let edge = draw.pick([
        "0000000000000000000000000000000000000000000000000000000000000001",
        "7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8",
        "7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a9",
        "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550",
    ]);
    let _edges_are_hexadecimal = hex::decode_to_slice(edge, &mut s);
    let made = with_s(signed, &key("forge nonce"), &s);
    made.map(|(key, sig)| (spki(&key), sig.to_vec())).unwrap_or_default()
}

/// Another field list: values of the right type in fields of their own, one missing, or one more.
fn edit_fields(draw: &mut Draw, fields: &mut Value) {
    let Some(members) = fields.as_object_mut() else { return };
    let names: Vec<String> = members.keys().cloned().collect();
    let Some(name) = draw.one(&names).cloned() else { return };
    match draw.below(5) {
        0 => drop(members.remove(&name)),
        1 => {
            let octets = b64u(draw.octets(3));
            members.insert(draw.pick(["body", "extra", "mac", "ip"]).into(), octets.into());
        }
        _ => {
            let new = match members.get(&name) {
                Some(Value::Number(_)) => draw.range(-10, 10).into(),
                Some(_) if name == "nodeId" => type_id("node", &draw.octets(16)).into(),
                Some(_) if name == "workflowId" => "wf-8".into(),
                _ => {
                    let length = draw.pick([0, 3, 4, 5, 6, 7, 8, 16, 31, 32, 33]);
                    Value::from(b64u(draw.octets(length)))
                }
            };
            members.insert(name, new);
        }
    }
}
