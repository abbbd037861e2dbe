//! BINDING: requests and the attribute that holds their hash.

use serde_json::{Value, json};

use super::claims;
use super::csr as forged_csr;
use super::draw::Draw;
use super::plan::{Made, Plan};
use super::token;
use crate::testkit::csr::{self, Csr, UNSTRUCTURED_NAME, attribute, binding_text};
use crate::testkit::der;
use crate::testkit::encode::b64u;
use crate::testkit::request::{request, request_hash};

/// A request of a machine.
pub(super) fn any_request(plan: &mut Plan<'_>) -> Value {
    let machine = claims::edited(plan).json();
    let mut draw = plan.draw("request");
    let attestor = draw.pick(["", "", "join-token", "tpm", "discovery", "x509pop"]);
    let role = draw.pick(["node", "node", "site", "ramdisk", "node-tenant", "", "é"]);
    let id = if matches!(attestor, "" | "join-token") { token::any(&mut draw).id } else { String::new() };
    request(attestor, role, &id, &machine)
}

pub(super) fn hash_request(request: &Value) -> [u8; 32] {
    request_hash(request).unwrap_or_default()
}

pub(super) fn hash(plan: &mut Plan<'_>) -> Made {
    Made::new(json!({"request": any_request(plan)}))
}

/// The values of a CSR's attributes of the binding's type: in which attribute, and each value's DER.
type Values = Vec<Vec<Vec<u8>>>;

/// One edit of the values.
fn edit(draw: &mut Draw, values: &mut Values, text: &str) {
    let string = |tag: u8, text: &str| der::tlv(tag, text);
    let tag = draw.pick([der::UTF8, der::PRINTABLE, der::IA5, 0x14, 0x1e, 0x1c, der::OCTET_STRING, 0x80]);
    let other = match draw.below(12) {
        0 => string(tag, text),
        1 => string(der::UTF8, text.trim_end_matches(char::is_alphanumeric)),
        2 => string(der::UTF8, &format!("{text}=")),
        3 => string(der::UTF8, &text.replace(['-', '_'], "+")),
        4 => string(der::UTF8, &binding_text(&draw.octets(32))),
        5 => string(der::UTF8, &text.replacen("v1", draw.pick(["v2", "V1", "v1:"]), 1)),
        6 => string(der::UTF8, &last(text, draw.pick(["B", "8", "_", ""]))),
        7 => string(
            tag,
            draw.pick(["a name", "", "bc-join-request-v1", "bc-join-request-v1:", "BC-JOIN-REQUEST-v1:x"]),
        ),
        8 => string(der::UTF8, &format!("{text}{}", draw.pick(["\n", " ", "\0", "A"]))),
        9 => der::sequence(&[&string(der::UTF8, text)]),
        10 => der::tlv(0x2c, string(der::UTF8, text)),
        _ => string(der::UTF8, text),
    };
    match draw.below(5) {
        0 => values.push(vec![other]),
        1 if !values.is_empty() => {
            if let Some(first) = values.first_mut() {
                first.push(other);
            }
        }
        2 => values.clear(),
        _ => *values = vec![vec![other]],
    }
}

fn last(text: &str, with: &str) -> String {
    let mut text = text.to_owned();
    text.pop();
    text + with
}

/// The CSR with these values, as DER orders them.
fn with_values(csr: Csr, values: &Values) -> Csr {
    let attributes: Vec<Vec<u8>> = values
        .iter()
        .map(|values| {
            let mut values: Vec<&[u8]> = values.iter().map(Vec::as_slice).collect();
            values.sort_unstable();
            attribute(UNSTRUCTURED_NAME, &values)
        })
        .collect();
    let mut attributes: Vec<&[u8]> = attributes.iter().map(Vec::as_slice).collect();
    attributes.sort_unstable();
    csr.attributes(&attributes)
}

/// A CSR that is bound to the request, rightly or wrongly.
pub(super) fn bound(plan: &mut Plan<'_>, request: &Value) -> Csr {
    let mut draw = plan.draw("binding");
    let csr = csr::honest(&forged_csr::node(&mut draw));
    let text = binding_text(&hash_request(request));
    let mut values = if draw.chance(80) { vec![vec![der::tlv(der::UTF8, &text)]] } else { Vec::new() };
    for mut draw in plan.edits("binding") {
        edit(&mut draw, &mut values, &text);
    }
    with_values(csr, &values)
}

pub(super) fn check(plan: &mut Plan<'_>) -> Made {
    plan.choose("request-binding");
    let mut request = any_request(plan);
    let csr = bound(plan, &request).der();
    let required = plan.draw("required").chance(40);
    if plan.draw("relay").chance(10) {
        request["role"] = "site".into();
    }
    Made::new(json!({"csr": b64u(csr), "request": request, "required": required}))
}
