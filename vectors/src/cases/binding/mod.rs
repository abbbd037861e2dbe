//! Step BINDING: what the machine's key says about its request.

use serde_json::{Value, json};

use crate::case::{Entry, accept, reject};
use crate::testkit::csr::{Csr, UNSTRUCTURED_NAME, attribute, binding_text, honest};
use crate::testkit::der;
use crate::testkit::encode::b64u;
use crate::testkit::keys::key;
use crate::testkit::request::{claims, request, request_hash};
use crate::testkit::token::token;

mod absent;
mod beside;
mod bound;
mod fields;
mod hash;
mod hash_lists;
mod none;
mod relay;
mod spelling;
mod twice;

/// Every case of the step.
pub(super) fn cases() -> Vec<Entry> {
    [
        hash::entries,
        hash_lists::entries,
        bound::entries,
        fields::entries,
        absent::entries,
        beside::entries,
        twice::entries,
        spelling::entries,
        none::entries,
        relay::entries,
    ]
    .iter()
    .flat_map(|family| family())
    .collect()
}

/// The twin that nearly every case has.
const BOUND: &str = "binding/bound";
/// The choice that the checks are about.
const CHOICE: &str = "request-binding";

/// The claims of the cases, in plain text.
fn plain() -> Value {
    json!({
        "productUuid": "4C4C4544-0051-3410-8051-B5C04F375931",
        "productSerial": " 5Q4Q7Y1",
        "boardSerial": "/5Q4Q7Y1/CN7220036H04QB/",
        "chassisSerial": "5Q4Q7Y1",
        "hostname": "B7-u12",
        "permanentMacs": ["3C:EC:EF:12:34:57", "3c-ec-ef-12-34-56", "3C:EC:EF:12:34:57"],
        "gpuUuids": ["GPU-41255406-C9AF-F94B-4EBF-9D57AD1853DA"],
    })
}

/// The request as the machine sends it.
fn sent() -> Value {
    request("join-token", "node", &token("binding").id, &claims(plain()))
}

fn hash_of(request: &Value) -> [u8; 32] {
    request_hash(request).unwrap_or_default()
}

/// The right value: a UTF8String of prefix and hash.
fn right() -> Vec<u8> {
    der::tlv(der::UTF8, text())
}

fn text() -> String {
    binding_text(&hash_of(&sent()))
}

fn node() -> Csr {
    honest(&key("binding node"))
}

/// The machine's CSR with these values of unstructuredName in one attribute, in DER's order.
fn csr(values: &[&[u8]]) -> Vec<u8> {
    node().attributes(&[&attribute(UNSTRUCTURED_NAME, &[&der::sorted(values)])]).der()
}

fn call(csr: &[u8], request: &Value, required: bool) -> Value {
    json!({"csr": b64u(csr), "request": request, "required": required})
}

fn out(bound: bool, request: &Value) -> Value {
    json!({"bound": bound, "requestSha256": b64u(hash_of(request))})
}

/// A CSR that is admitted, bound or not, beside the request as sent.
fn admitted(name: &str, title: &str, csr: &[u8], bound: bool) -> Entry {
    accept(&format!("binding/{name}"), "BINDING-2", title)
        .choice(CHOICE, "checked")
        .call("binding.check", call(csr, &sent(), false))
        .out(out(bound, &sent()))
}

/// A CSR that is refused beside the request as sent.
fn refused(name: &str, title: &str, csr: &[u8]) -> Entry {
    refused_call(name, title, call(csr, &sent(), false))
}

fn refused_call(name: &str, title: &str, call: Value) -> Entry {
    reject(&format!("binding/{name}"), "BINDING-2", "request-binding", title)
        .choice(CHOICE, "checked")
        .call("binding.check", call)
        .refused()
}

#[cfg(test)]
mod tests;
