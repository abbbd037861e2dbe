//! The body's form on the wire: rightly signed, and not what the layout says.

use serde_json::Value;

use crate::case::Entry;
use crate::testkit::protobuf::{FIXED32, FIXED64, VARINT, Writer, overlong};
use crate::testkit::response::JoinResponseBody;

use super::answer::{Answer, BODY, VERIFY, bad};

pub(super) fn cases() -> Vec<Entry> {
    vec![
        twice(),
        truncated(),
        wire_type(),
        group(),
        varints(),
        field_zero(),
        missing(),
        empty_chain(),
        empty_bundle(),
        csr_hash_length(),
        request_hash_length(),
        utf8(),
    ]
}

/// The names of the singular fields with their numbers.
const SINGULAR: [(u64, &str); 7] = [
    (1, "node_id"),
    (4, "csr_sha256"),
    (5, "trust_domain"),
    (6, "site_id"),
    (7, "role"),
    (8, "attestor"),
    (9, "request_sha256"),
];

pub(super) fn malformed(name: &str, title: &str, at: &[&str], what: &str) -> Entry {
    bad(name, "response-malformed", title, at, what).also("RESPONSE-2")
}

/// The right body with octets after it, rightly signed.
fn followed(more: Writer) -> Value {
    Answer::honest().input_with_body([Answer::honest().whole().encode(), more.0].concat())
}

/// The right answer with its body changed as a value.
pub(super) fn changed(change: impl FnOnce(&mut JoinResponseBody)) -> Value {
    Answer::honest().with(|answer| change(&mut answer.body)).input()
}

/// The octets of a singular field of the right body.
fn value(number: u64) -> Vec<u8> {
    let body = Answer::honest().body;
    match number {
        1 => body.node_id.into_bytes(),
        4 => body.csr_sha256,
        5 => body.trust_domain.into_bytes(),
        6 => body.site_id.into_bytes(),
        7 => body.role.into_bytes(),
        8 => body.attestor.into_bytes(),
        _ => body.request_sha256,
    }
}

fn twice() -> Entry {
    let title = "A singular field that stands twice is malformed, even with one value.";
    let family = malformed("field-twice", title, &BODY, "a field once more at the end").family(VERIFY).why(
        "Libraries take the last one; another that takes the first reads another answer from the \
            same octets.",
    );
    let family = SINGULAR.iter().fold(family, |family, (number, name)| {
        family.bad(name, followed(Writer::new().bytes(*number, value(*number))))
    });
    family.bad(
        "role, first empty",
        Answer::honest()
            .input_with_body([Writer::new().bytes(7, "").0, Answer::honest().whole().encode()].concat()),
    )
}

fn truncated() -> Entry {
    let cut = |octets: usize| {
        let body = Writer(Answer::honest().whole().encode()).truncated(octets);
        Answer::honest().input_with_body(body.0)
    };
    malformed(
        "truncated",
        "A body that ends inside a field is malformed.",
        &BODY,
        "octets cut off at the end",
    )
    .family(VERIFY)
    .bad("the last octet", cut(1))
    .bad("after the length", cut(32))
    .bad("after the tag", cut(33))
    .bad("a tag alone after it", followed(Writer::new().tag(10, VARINT)))
    .bad("a length beyond the end", followed(Writer::new().stated_length(10, 5, "abcd")))
    .bad("a length of 2^64 - 1", followed(Writer::new().stated_length(10, u64::MAX, "abcd")))
    .bad("four octets cut to three", followed(Writer::new().tag(10, FIXED32).raw([1, 2, 3])))
    .bad("an unfinished varint", followed(Writer::new().tag(10, VARINT).raw([0x80])))
    .why("A decoder that stops quietly at the end reads an answer that was never finished.")
}

fn wire_type() -> Entry {
    let without = |number: u64, field: Writer| {
        let mut body = Answer::honest().whole();
        match number {
            1 => body.node_id.clear(),
            4 => body.csr_sha256.clear(),
            7 => body.role.clear(),
            _ => body.request_sha256.clear(),
        }
        Answer::honest().input_with_body([body.encode(), field.0].concat())
    };
    malformed("wire-type", "A known field has its own wire type.", &BODY, "a field of another wire type")
        .family(VERIFY)
        .bad("node_id as varint", without(1, Writer::new().integer(1, 7)))
        .bad("csr_sha256 as four octets", without(4, Writer::new().tag(4, FIXED32).raw([7; 4])))
        .bad("role as eight octets", without(7, Writer::new().tag(7, FIXED64).raw([7; 8])))
        .bad("request_sha256 as varint", without(9, Writer::new().integer(9, 7)))
        .bad("certificate_chain as varint beside the right ones", followed(Writer::new().integer(2, 7)))
        .why(
            "Libraries skip such a field as unknown, and an optional one is then gone: here the \
            request's hash.",
        )
}

fn group() -> Entry {
    malformed(
        "group",
        "Groups and unassigned wire types are malformed.",
        &BODY,
        "a field of wire type 3, 4, 6 or 7",
    )
    .family(VERIFY)
    .bad("an empty group", followed(Writer::new().tag(10, 3).tag(10, 4)))
    .bad("a group's end alone", followed(Writer::new().tag(10, 4)))
    .bad("type 6", followed(Writer::new().tag(10, 6).raw([0])))
    .bad("type 7", followed(Writer::new().tag(10, 7).raw([0])))
    .why("Nested groups are the one thing in this format that can exhaust a stack.")
}

fn varints() -> Entry {
    let mut body = Answer::honest().whole();
    body.role.clear();
    let role = |field: Writer| Answer::honest().input_with_body([body.encode(), field.0].concat());
    malformed(
        "varint-form",
        "Every varint is in its shortest form and fits 64 bits.",
        &BODY,
        "a varint in another form",
    )
    .family(VERIFY)
    .bad("a tag of two octets", role(Writer::new().raw(overlong(7 << 3 | 2, 1)).raw([4]).raw("node")))
    .bad("a length of two octets", role(Writer::new().overlong_length(7, "node", 1)))
    .bad("a length of ten octets", role(Writer::new().overlong_length(7, "node", 9)))
    .bad("an unknown field's value", followed(Writer::new().tag(10, VARINT).raw(overlong(1, 1))))
    .bad("eleven octets", followed(Writer::new().tag(10, VARINT).raw([0xff; 10]).raw([0x01])))
    .bad("over 64 bits", followed(Writer::new().tag(10, VARINT).raw([0xff; 9]).raw([0x02])))
    .why("One value, one spelling; decoders differ in what they do with bits past the 64th.")
}

fn field_zero() -> Entry {
    malformed("field-zero", "Field number 0 is malformed.", &BODY, "a field of number 0 at the end")
        .call(VERIFY, followed(Writer::new().bytes(0, "x")))
        .why("No field has it; a decoder that takes it for an end of input stops early.")
}

fn missing() -> Entry {
    let title = "All fields but request_sha256 are required, and a field of no octets is absent.";
    let family = malformed("field-missing", title, &BODY, "a field left out or empty")
        .family(VERIFY)
        .bad("node_id", changed(|body| body.node_id.clear()))
        .bad("csr_sha256", changed(|body| body.csr_sha256.clear()))
        .bad("trust_domain", changed(|body| body.trust_domain.clear()))
        .bad("site_id", changed(|body| body.site_id.clear()))
        .bad("role", changed(|body| body.role.clear()))
        .bad("attestor", changed(|body| body.attestor.clear()));
    let mut body = Answer::honest().whole();
    body.attestor.clear();
    family
        .bad(
            "attestor empty",
            Answer::honest().input_with_body([body.encode(), Writer::new().bytes(8, "").0].concat()),
        )
        .why("A default is not a value: an absent attestor is not join-token.")
}

fn empty_chain() -> Entry {
    malformed("empty-chain", "A chain has at least one certificate.", &BODY, "no certificate in the body")
        .call(VERIFY, Answer::honest().input_with_chain(Vec::new()))
        .why("The first of nothing is a crash in one client and a passed check in another.")
}

fn empty_bundle() -> Entry {
    malformed("empty-bundle", "A trust bundle has at least one entry.", &BODY, "no entry in the bundle")
        .call(VERIFY, changed(|body| body.command_trust_bundle.clear()))
        .why("A node that trusts no command key can be given no command; it is better told now.")
}

fn csr_hash_length() -> Entry {
    let of = |octets: usize| changed(|body| body.csr_sha256 = body.csr_sha256.repeat(2)[..octets].to_vec());
    malformed("csr-hash-length", "csr_sha256 has 32 octets.", &BODY, "csr_sha256 cut or longer")
        .family(VERIFY)
        .bad("31", of(31))
        .bad("33", of(33))
        .bad("64", of(64))
        .why("A comparison of the shorter length passes with a hash that was cut.")
}

fn request_hash_length() -> Entry {
    let of = |octets: usize| {
        changed(|body| body.request_sha256 = body.request_sha256.repeat(2)[..octets].to_vec())
    };
    malformed(
        "request-hash-length",
        "request_sha256 has 32 octets when it is present.",
        &BODY,
        "request_sha256 cut",
    )
    .also("RESPONSE-3")
    .family(VERIFY)
    .bad("1", of(1))
    .bad("31", of(31))
    .bad("33", of(33))
    .why("A hash of another length is not an absent one.")
}

fn utf8() -> Entry {
    let mut body = Answer::honest().whole();
    body.role.clear();
    let role = |octets: &[u8]| {
        Answer::honest().input_with_body([body.encode(), Writer::new().bytes(7, octets).0].concat())
    };
    malformed("not-utf8", "Strings are UTF-8.", &BODY, "a role that is no UTF-8")
        .family(VERIFY)
        .bad("a stray octet", role(b"node\xff"))
        .bad("an overlong form", role(b"n\xc1\xaf"))
        .bad("a surrogate", role(b"\xed\xa0\x80"))
        .why("Replacement characters make two strings equal that are not.")
}
