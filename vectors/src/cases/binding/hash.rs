//! The request hash: prefix, order and framing of the fields (BINDING-1).
//!
//! The hashes come from the testkit's own code, and two of them from Python's hashlib.

use serde_json::{Value, json};

use super::hash_of;
use crate::case::{Entry, accept};
use crate::testkit::encode::b64u;
use crate::testkit::request::{claims, request};

pub(super) fn entries() -> Vec<Entry> {
    vec![example(), bare(), attestor(), one_field(), raw(), framing(), octets()]
}

/// A family of hashes.
pub(super) fn family(name: &str, title: &str) -> Entry {
    accept(&format!("binding/{name}"), "BINDING-1", title).family("binding.hash")
}

/// A row: a request, and its hash.
pub(super) fn row(entry: Entry, name: &str, request: &Value) -> Entry {
    let out = json!({"requestSha256": b64u(hash_of(request))});
    entry.row(name, json!({"request": request}), out)
}

fn with(plain: Value) -> Value {
    request("join-token", "node", "jt_01kdvdna00e008000000000001", &claims(plain))
}

fn example() -> Entry {
    let request = with(json!({
        "productUuid": "4C4C4544-0051-3410-8051-B5C04F375931",
        "productSerial": "5Q4Q7Y1",
        "hostname": "b7-u12",
        "permanentMacs": ["3C:EC:EF:12:34:56"],
    }));
    accept("binding/hash-example", "BINDING-1", "The example of the specification has the hash of the page.")
        .why("A known answer, made with Python: prefix, order, lengths and counts all enter it.")
        .call("binding.hash", json!({"request": request}))
        // 97559fa4..779b9f2c in base64url, as the page has it.
        .out(json!({"requestSha256": "l1WfpHKG1De3ukCdkBrv9Ja2kb8NxX4MlD8mmnebnyw"}))
        .recipe("The request of the example on the page about BINDING.")
}

fn bare() -> Entry {
    accept("binding/hash-bare", "BINDING-1", "A request of nothing but a role has a hash.")
        .why("Every field is there, empty: 101 octets are hashed. The value is made with Python.")
        .call("binding.hash", json!({"request": request("", "node", "", &claims(json!({})))}))
        // df2e0c31..6e9e9e6c in base64url.
        .out(json!({"requestSha256": "3y4MMaof5olwlW4DT1tHsmh703u6Ib2E78wdmW6enmw"}))
        .recipe("A request without token and claims.")
}

fn attestor() -> Entry {
    let named = |attestor| request(attestor, "node", "", &claims(json!({})));
    let entry =
        family("hash-attestor", "The empty attestor is hashed as join-token; any other stands for itself.")
            .why("Client and server must name the default alike, or every join of one of them fails.")
            .recipe("Hash requests that differ in the attestor alone.");
    ["", "join-token", "tpm", "discovery", "x509pop"].iter().fold(entry, |entry, attestor| {
        row(entry, if attestor.is_empty() { "empty" } else { attestor }, &named(attestor))
    })
}

fn one_field() -> Entry {
    let entry = family("hash-fields", "Each field enters the hash in its own place.")
        .why(
            "Fields that are swapped or left out make hashes that agree by accident, and differ where it \
            counts.",
        )
        .recipe("Hash requests that carry the same text in one field each.");
    let texts = ["productUuid", "productSerial", "boardSerial", "chassisSerial", "hostname"];
    let entry = texts.iter().fold(entry, |entry, name| row(entry, name, &with(json!({(*name): "x"}))));
    let entry = ["permanentMacs", "gpuUuids"]
        .iter()
        .fold(entry, |entry, name| row(entry, name, &with(json!({(*name): ["x"]}))));
    let role = request("join-token", "x", "jt_01kdvdna00e008000000000001", &claims(json!({})));
    let token = request("join-token", "node", "x", &claims(json!({})));
    row(row(entry, "role", &role), "tokenId", &token)
}

fn raw() -> Entry {
    let entry = family("hash-raw", "Claims are hashed as sent, not normalized.")
        .also("CLAIMS-1")
        .why(
            "A machine needs no normalization to make the hash, and a disagreement about it cannot break a \
            join.",
        )
        .recipe("Hash requests whose claims normalize to the same.");
    let rows = [
        ("plain", "5q4q7y1"),
        ("capitals", "5Q4Q7Y1"),
        ("blank-in-front", " 5q4q7y1"),
        ("nul-behind", "5q4q7y1\0"),
        ("placeholder", "To Be Filled By O.E.M."),
        ("control-character", "5q\u{1}4q7y1"),
        ("empty", ""),
    ];
    rows.iter().fold(entry, |entry, (name, serial)| row(entry, name, &with(json!({"productSerial": serial}))))
}

fn framing() -> Entry {
    let entry = family("hash-framing", "Lengths keep neighbouring fields apart.")
        .also("SIGNATURE-1")
        .why(
            "Without lengths two requests that differ have one hash, and a relay moves octets between \
            fields.",
        )
        .recipe("Hash requests whose fields give the same octets when written one after the other.");
    let rows = [
        ("ab-c", json!({"productSerial": "ab", "boardSerial": "c"})),
        ("a-bc", json!({"productSerial": "a", "boardSerial": "bc"})),
        ("abc-none", json!({"productSerial": "abc"})),
        ("none-abc", json!({"boardSerial": "abc"})),
        ("256", json!({"productSerial": "x".repeat(256)})),
        ("looks-framed", json!({"productSerial": "a\0\0\0\u{1}b"})),
    ];
    rows.into_iter().fold(entry, |entry, (name, plain)| row(entry, name, &with(plain)))
}

/// Claims are octets: any of them, UTF-8 or not.
fn octets() -> Entry {
    let mut request = with(json!({}));
    request["claims"]["productSerial"] = b64u([0xff, 0x00, 0xc3, 0x28]).into();
    row(family("hash-octets", "Claims that are no UTF-8 are hashed all the same."), "not-utf8", &request)
        .why("The hash is over octets; a library that makes strings of them hashes something else or fails.")
        .recipe("Hash a request whose serial is ff 00 c3 28.")
}
