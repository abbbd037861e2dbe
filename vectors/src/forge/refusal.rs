//! REFUSAL: whole joins with several faults at once.

use serde_json::{Value, json};

use super::draw::Draw;
use super::plan::{Made, Plan};
use super::seal::{Draft, NOW_S, server, window};
use super::token::{self, instant};
use super::{binding, bytes, claims, csr as forged_csr, expect, identifier};
use crate::testkit::encode::b64u;
use crate::testkit::keys::private_jwk;
use crate::testkit::request::request;

pub(super) fn check(plan: &mut Plan<'_>) -> Made {
    plan.choose("request-binding");
    plan.choose("hwkey.independence");
    let mut draw = plan.draw("join");
    let token = token::any(&mut draw);
    let mut attestor = draw.pick(["", "join-token"]).to_owned();
    let mut role = draw.pick(["node", "node", "site", "ramdisk"]).to_owned();
    let mut machine = sound(&mut draw);
    let mut row = token::row(&mut draw, &token, &role);
    let mut pinned = if draw.chance(35) { expect::binding(&mut draw, &machine) } else { Value::Null };
    for mut draw in plan.edits("claims") {
        if draw.chance(60) {
            claims::edit(&mut draw, &mut machine);
        } else if !pinned.is_null() {
            expect::edit_binding(&mut draw, &mut pinned);
        }
    }
    let asked = request(&attestor, &role, &token.id, &machine.json());
    let mut csr = csr(plan, &asked);
    let recipient = server(draw.below(2));
    let iat = NOW_S + draw.range(-400, 400);
    let mut seal = Draft::new(&mut draw, recipient, &token.text(), &csr, iat);
    let mut attestors = json!(["join-token"]);
    let mut required = if draw.chance(30) { "required" } else { "optional" };
    let mut now = NOW_S * 1000;
    let mut keys = vec![server(0), server(1)];
    for mut draw in plan.edits("join") {
        match draw.below(16) {
            0 => attestor = draw.pick(["tpm", "Join-Token", "join-token ", "x509pop", ""]).into(),
            1 => {
                attestors = draw.pick([json!([]), json!(["tpm"]), json!(["tpm", "join-token"]), json!([""])])
            }
            2 => role = token::asked_role(&mut draw).into(),
            3 => bytes::edit(&mut draw, &mut csr),
            4..8 => seal.edit(&mut draw),
            8..12 => token::edit_row(&mut draw, &mut row, &token),
            12 => required = "required",
            13 => keys.truncate(1),
            14 => machine.texts[4] = Some(b"renamed on the way".to_vec()),
            _ => now += draw.range(-86_400_000, 86_400_000),
        }
    }
    // Only token joins are checked here, so no other attestor is both asked and configured.
    if attestors.as_array().is_some_and(|them| them.contains(&json!(attestor))) && attestor != "join-token" {
        attestors = json!(["join-token"]);
    }
    let keys: Vec<Value> = keys.iter().map(private_jwk).collect();
    let mut made = Made::new(json!({
        "request": {
            "attestor": attestor, "role": role, "csr": b64u(&csr), "seal": b64u(seal.octets()),
            "claims": machine.json(),
        },
        "attestors": attestors,
        "keys": keys,
        "row": row,
        "expect": pinned,
        "requestBinding": required,
    }));
    window(plan, &mut made, iat);
    if now != NOW_S * 1000 {
        made.now = instant(now);
    }
    made
}

/// A machine that is trusted unless it is edited.
fn sound(draw: &mut Draw) -> claims::Machine {
    let mut machine = claims::machine(draw);
    if draw.chance(85) {
        machine.texts[0] = Some(identifier::real_uuid(draw).into_bytes());
        machine.texts[1] = Some(identifier::real_serial(draw).into_bytes());
    }
    machine
}

/// A CSR: bound to the request, or of any other kind.
fn csr(plan: &mut Plan<'_>, asked: &Value) -> Vec<u8> {
    let mut draw = plan.draw("kind of CSR");
    if draw.chance(70) {
        return binding::bound(plan, asked).der();
    }
    let csr = forged_csr::base(&mut draw);
    forged_csr::edited_of(plan, csr).der()
}
