//! Messages framed in another way, rightly signed.

use serde_json::Value;

use crate::case::{Entry, reject};
use crate::testkit::keys::hash;

use super::golden::{CSR_SHA256, NODE_ID};
use super::{RECIPE, fields as fields_of, plain, verify_message};

const PREFIX: &[u8] = b"better-compute.v1\0renew-pop\0";

pub(super) fn cases() -> Vec<Entry> {
    vec![more_fields(), field_order(), length_prefix(), nul(), prefix(), integer(), hash_text(), prehashed()]
}

fn bad(name: &str, title: &str, what: &str) -> Entry {
    reject(&format!("signature/{name}"), "SIGNATURE-1", "signature", title)
        .twin("signature/verified#renew-pop", &["/in/sig"], what)
        .recipe(RECIPE)
}

/// The three fields of the proof.
fn parts() -> [Vec<u8>; 3] {
    let csr = hex::decode(CSR_SHA256).unwrap_or_default();
    [csr, NODE_ID.as_bytes().to_vec(), 1_760_000_000_000_i64.to_be_bytes().to_vec()]
}

/// Each field after its length as `length` writes it.
fn framed(fields: &[Vec<u8>], length: impl Fn(usize) -> Vec<u8>) -> Vec<u8> {
    let fields = fields.iter().flat_map(|field| [length(field.len()), field.clone()].concat());
    PREFIX.iter().copied().chain(fields).collect()
}

fn right(length: usize) -> Vec<u8> {
    (length as u32).to_be_bytes().to_vec()
}

/// A right signature of the proof, with a change in the fields that are named beside it.
fn beside(change: impl FnOnce(&mut Value)) -> Value {
    let mut input = verify_message("renew-pop", &plain("renew-pop"));
    change(&mut input["fields"]);
    input
}

fn more_fields() -> Entry {
    reject(
        "signature/field-more",
        "SIGNATURE-1",
        "signature",
        "The field list is the purpose's, no more and no less.",
    )
    .family("signature.verify")
    .bad("one more", beside(|fields| fields["body"] = "Cgh4".into()))
    .bad("one more that is empty", beside(|fields| fields["body"] = "".into()))
    .bad("one less", beside(|fields| *fields = fields_of("join-response")))
    .twin(
        "signature/verified#renew-pop",
        &["/in/fields"],
        "a field list that is not the purpose's, the signature as it was",
    )
    .why("A caller that names what is not signed believes that it was.")
    .recipe(RECIPE)
}

fn field_order() -> Entry {
    let [csr, node, time] = parts();
    let signed = |fields: &[Vec<u8>]| verify_message("renew-pop", &framed(fields, right));
    bad("field-order", "Fields are signed in one order.", "the same fields in another order")
        .also("SIGNATURE-2")
        .family("signature.verify")
        .bad("node id first", signed(&[node.clone(), csr.clone(), time.clone()]))
        .bad("time before node id", signed(&[csr.clone(), time.clone(), node.clone()]))
        .bad("reversed", signed(&[time, node, csr]))
        .why("Fields sorted by name or in the order of a map give another message.")
}

fn length_prefix() -> Entry {
    let signed = |length: fn(usize) -> Vec<u8>| verify_message("renew-pop", &framed(&parts(), length));
    bad("length-prefix", "A length is a u32, big-endian.", "lengths written in another way")
        .family("signature.verify")
        .bad("little-endian", signed(|length| (length as u32).to_le_bytes().to_vec()))
        .bad("u16", signed(|length| (length as u16).to_be_bytes().to_vec()))
        .bad("u64", signed(|length| (length as u64).to_be_bytes().to_vec()))
        .bad("one octet", signed(|length| vec![length as u8]))
        .bad("none", signed(|_| Vec::new()))
        .bad("bits", signed(|length| (length as u32 * 8).to_be_bytes().to_vec()))
        .bad("with itself", signed(|length| (length as u32 + 4).to_be_bytes().to_vec()))
        .why("Without lengths, or with ambiguous ones, octets move from one field to the next.")
}

fn nul() -> Entry {
    let tail = plain("renew-pop").split_off(PREFIX.len());
    let signed = |head: &[u8]| verify_message("renew-pop", &[head, &tail].concat());
    bad(
        "missing-nul",
        "A NUL stands after the prefix and one after the purpose.",
        "a NUL is missing or another octet",
    )
    .family("signature.verify")
    .bad("none after the prefix", signed(b"better-compute.v1renew-pop\0"))
    .bad("none after the purpose", signed(b"better-compute.v1\0renew-pop"))
    .bad("none", signed(b"better-compute.v1renew-pop"))
    .bad("line feeds", signed(b"better-compute.v1\nrenew-pop\n"))
    .bad("one more at the end", signed(b"better-compute.v1\0renew-pop\0\0"))
    .why("The NULs are what keeps one purpose from beginning another.")
}

fn prefix() -> Entry {
    let tail = plain("renew-pop").split_off(b"better-compute.v1".len());
    let signed = |head: &[u8]| verify_message("renew-pop", &[head, &tail].concat());
    bad("prefix", "The message begins with better-compute.v1.", "another prefix or none")
        .family("signature.verify")
        .bad("v2", signed(b"better-compute.v2"))
        .bad("upper case", signed(b"Better-Compute.v1"))
        .bad("none", signed(b""))
        .why("The prefix keeps these keys' signatures apart from those of every other protocol.")
}

fn integer() -> Entry {
    let [csr, node, _] = parts();
    let signed = |time: &[u8]| {
        verify_message("renew-pop", &framed(&[csr.clone(), node.clone(), time.to_vec()], right))
    };
    bad("integer-form", "Times are milliseconds, i64 big-endian.", "the same time written in another way")
        .also("SIGNATURE-2")
        .family("signature.verify")
        .bad("little-endian", signed(&1_760_000_000_000_i64.to_le_bytes()))
        .bad("seconds", signed(&1_760_000_000_i64.to_be_bytes()))
        .bad("nanoseconds", signed(&1_760_000_000_000_000_000_i64.to_be_bytes()))
        .bad("six octets", signed(&[0x01, 0x99, 0xc8, 0x2c, 0xc0, 0x00]))
        .bad("decimal text", signed(b"1760000000000"))
        .bad("RFC 3339", signed(b"2025-10-09T08:53:20.000Z"))
        .bad("double", signed(&1_760_000_000_000_f64.to_be_bytes()))
        .why("Every one of these is what some language does by default.")
}

fn hash_text() -> Entry {
    let [_, node, time] = parts();
    let signed =
        |csr: &[u8]| verify_message("renew-pop", &framed(&[csr.to_vec(), node.clone(), time.clone()], right));
    bad("hash-form", "A hash is signed as its 32 raw octets.", "the hash written in another way")
        .also("SIGNATURE-2")
        .family("signature.verify")
        .bad("hexadecimal", signed(CSR_SHA256.as_bytes()))
        .bad("base64url", signed(b"wnM4xFMGe0N0ca-855JwTYFhEsYDG7mWtixpjqWZ74A"))
        .bad("the CSR itself", signed(b"csr"))
        .bad("hashed twice", signed(&hash(hash("csr"))))
        .why("The ops carry hashes as text; the message does not.")
}

fn prehashed() -> Entry {
    bad(
        "prehashed",
        "The message is hashed once.",
        "the hash of the message is signed as if it were the message",
    )
    .call("signature.verify", verify_message("renew-pop", &hash(plain("renew-pop"))))
    .why("Libraries that take a digest and libraries that take a message are mixed up easily.")
}
