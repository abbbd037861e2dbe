//! TOKEN-5, TOKEN-7, TOKEN-9: requests to create a token.

use serde_json::{Map, Value, json};

use super::draw::Draw;
use super::identifier as id;
use super::plan::{Made, Plan};

pub(super) fn create(plan: &mut Plan<'_>) -> Made {
    let mut draw = plan.draw("request");
    let mut request = json!({"ttlSeconds": draw.range(60, 86_400)});
    if draw.chance(50) {
        request["maxUses"] = draw.range(1, 10_000).into();
    }
    if draw.chance(60) {
        request["expect"] = expect(&mut draw);
    }
    if draw.chance(40) {
        request["allowReclaim"] = draw.chance(50).into();
    }
    if draw.chance(30) {
        request["hosted"] = "kubernetes".into();
    }
    if draw.chance(40) {
        request["idempotencyKey"] = idempotency_key(&mut draw).into();
    }
    for mut draw in plan.edits("request") {
        edit(&mut draw, &mut request);
    }
    Made::new(json!({"request": request}))
}

fn idempotency_key(draw: &mut Draw) -> String {
    let printable: String = (' '..='~').collect();
    let length = draw.pick([1, 2, 20, 36, 127, 128]);
    draw.text(&printable, length)
}

/// A binding of values as operators type them: most survive.
fn expect(draw: &mut Draw) -> Value {
    let mut out = Map::new();
    if draw.chance(60) {
        out.insert("serial".into(), id::real_serial(draw).into());
    }
    if draw.chance(40) {
        let digits = id::real_mac(draw);
        out.insert("mac".into(), id::spell_mac(draw, &digits).into());
    }
    if draw.chance(20) {
        out.insert("gpuUuid".into(), format!("GPU-{}", id::real_uuid(draw)).into());
    }
    if draw.chance(40) || out.is_empty() {
        out.insert("productUuid".into(), id::real_uuid(draw).to_ascii_uppercase().into());
    }
    Value::Object(out)
}

fn edit(draw: &mut Draw, request: &mut Value) {
    let name = draw.pick(["ttlSeconds", "maxUses", "expect", "allowReclaim", "hosted", "idempotencyKey"]);
    match draw.below(13) {
        0 => request["ttlSeconds"] = number(draw, &[59, 60, 86_400, 86_401, 0, -60, 4_294_967_356]),
        1 => request["maxUses"] = number(draw, &[0, 1, 10_000, 10_001, -1, 65_537]),
        2..6 => edit_expect(draw, request),
        6 => {
            request["hosted"] = draw.pick(["Kubernetes", "", "kubernetes ", "docker", "kubernetes\0"]).into()
        }
        7 => {
            let long = "k".repeat(129);
            let key = draw.pick(["", "é", "a\u{7f}", "a\n", " ", "~", "\u{1f}", "\u{a0}", &long]);
            request["idempotencyKey"] = key.into();
        }
        8 => {
            let name =
                draw.pick(["expects", "ttl", "poolId", "role", "Expect", "maxuses", "", "tenant", "name"]);
            request[name] = odd(draw);
        }
        9 => {
            if let Some(members) = request.as_object_mut() {
                members.remove(name);
            }
        }
        10 => request[name] = odd(draw),
        _ => request[name] = draw.pick([Value::Null, json!(true), json!("")]),
    }
}

/// A number at an edge, or what is nearly one.
fn number(draw: &mut Draw, edges: &[i64]) -> Value {
    let edge = draw.one(edges).copied().unwrap_or_default();
    match draw.below(8) {
        0 => json!(edge as f64),
        1 => json!(edge as f64 + 0.5),
        2 => edge.to_string().into(),
        3 => json!(1e300),
        4 => json!(u64::MAX),
        5 => draw.pick([json!([edge]), json!(true), Value::Null]),
        _ => edge.into(),
    }
}

/// A value of another type than is wanted, or an empty one.
fn odd(draw: &mut Draw) -> Value {
    draw.pick([
        Value::Null,
        json!(true),
        json!(false),
        json!(0),
        json!(1),
        json!(1.0),
        json!(-0.0),
        json!(""),
        json!("1"),
        json!("true"),
        json!([]),
        json!({}),
        json!([60]),
        json!({"serial": null}),
    ])
}

fn edit_expect(draw: &mut Draw, request: &mut Value) {
    if !request["expect"].is_object() {
        request["expect"] = json!({});
    }
    let expect = &mut request["expect"];
    let name = draw.pick(["productUuid", "serial", "mac", "gpuUuid"]);
    match draw.below(10) {
        0 => {
            if let Some(members) = expect.as_object_mut() {
                members.remove(name);
            }
        }
        1 => expect[name] = odd(draw),
        2 => {
            let name =
                draw.pick(["hostname", "productSerial", "permanentMacs", "Serial", "gpuUUID", "", "macs"]);
            expect[name] = "SN-1".into();
        }
        place => {
            let text = match name {
                "productUuid" => id::uuid(draw),
                "serial" => id::serial(draw),
                "mac" => id::mac(draw),
                _ => id::gpu(draw),
            };
            let spoilt = if place > 6 { id::spoil(draw, &text) } else { text.into_bytes() };
            expect[name] = String::from_utf8_lossy(&spoilt).into();
        }
    }
}
