//! What a request asks for is not read: it is accepted, whatever it says (CSR-4).

use super::{accepted, good, input, out};
use crate::case::{Entry, accept};
use crate::testkit::csr::{UNSTRUCTURED_NAME, attribute};
use crate::testkit::der;

pub(super) fn entries() -> Vec<Entry> {
    vec![extensions(), authority(), extension_twice(), requests_twice(), microsoft(), nonsense(), content()]
}

/// PKCS#9 extensionRequest (RFC 2985 5.4.2).
pub(super) const EXTENSION_REQUEST: &str = "1.2.840.113549.1.9.14";
/// The same attribute under a vendor's OID.
pub(super) const CERT_EXTENSIONS: &str = "1.3.6.1.4.1.311.2.1.14";
pub(super) const BASIC_CONSTRAINTS: &str = "2.5.29.19";
pub(super) const KEY_USAGE: &str = "2.5.29.15";
pub(super) const SUBJECT_ALT_NAME: &str = "2.5.29.17";

pub(super) fn extension(oid: &str, critical: bool, content: &[u8]) -> Vec<u8> {
    let critical = if critical { der::tlv(0x01, [0xff]) } else { Vec::new() };
    der::sequence(&[&der::oid(oid), &critical, &der::tlv(der::OCTET_STRING, content)])
}

pub(super) fn san(uri: &str) -> Vec<u8> {
    extension(SUBJECT_ALT_NAME, false, &der::sequence(&[&der::tlv(0x86, uri)]))
}

fn asks(extensions: &[&[u8]]) -> Vec<u8> {
    good().attribute(EXTENSION_REQUEST, &[&der::sequence(extensions)]).der()
}

fn ignored(name: &str, title: &str, csr: &[u8]) -> Entry {
    accepted(name, "CSR-4", title, csr).also("CSR-1")
}

fn extensions() -> Entry {
    let victim = san(
        "spiffe://example.test/site/site_01kdvdna00e008000000000001/node/node_01kdvdna00e008000000000002",
    );
    ignored(
        "asks-for-a-name",
        "A request for another node's name is accepted, and means nothing.",
        &asks(&[&victim]),
    )
    .documented()
    .why("Names come from the service alone. Refusing would be wrong too: the rule is that nothing is read.")
    .recipe("Put an extensionRequest with the SPIFFE URI of another node into the request, then sign.")
}

fn authority() -> Entry {
    let constraints = extension(BASIC_CONSTRAINTS, true, &der::sequence(&[&der::tlv(0x01, [0xff])]));
    let usage = extension(KEY_USAGE, true, &der::bit_string(1, [0x06]));
    ignored(
        "asks-for-ca",
        "A request for CA:TRUE is accepted, and means nothing.",
        &asks(&[&constraints, &usage]),
    )
    .documented()
    .why("Signers have let the request override the profile and issued an authority.")
    .recipe("Put an extensionRequest with CA:TRUE and keyCertSign into the request, then sign.")
}

fn extension_twice() -> Entry {
    let (first, second) = (san("urn:bc:one"), san("urn:bc:two"));
    ignored(
        "asks-twice",
        "Two subject alternative names in one extensionRequest are accepted.",
        &asks(&[&first, &second]),
    )
    .why(
        "Libraries that parse the content refuse duplicates, or read the first and check the second. \
            Here it is opaque.",
    )
    .recipe("Put an extensionRequest with two subject alternative names into the request, then sign.")
}

fn requests_twice() -> Entry {
    let [first, second] =
        ["urn:bc:one", "urn:bc:two"].map(|uri| attribute(EXTENSION_REQUEST, &[&der::sequence(&[&san(uri)])]));
    let csr = good().attributes(&[&first, &second]).der();
    ignored("two-extension-requests", "Two extensionRequest attributes are accepted.", &csr)
        .why("Tools differ in whether they merge them or take the first. Nothing is taken from either.")
        .recipe("Put two extensionRequest attributes into the request, in DER's order, then sign.")
}

fn microsoft() -> Entry {
    let csr = good().attribute(CERT_EXTENSIONS, &[&der::sequence(&[&san("urn:bc:one")])]).der();
    ignored("vendor-extension-request", "An extensionRequest under the vendor's OID is accepted.", &csr)
        .why("A second OID for the same thing exists in the field, and tools read both.")
        .recipe(
            "Put the attribute 1.3.6.1.4.1.311.2.1.14 with a subject alternative name into the request, \
            then sign.",
        )
}

fn nonsense() -> Entry {
    let csr = good().attribute(EXTENSION_REQUEST, &[&der::tlv(der::UTF8, "not an Extensions")]).der();
    ignored("extension-request-of-nonsense", "An extensionRequest that holds a text is accepted.", &csr)
        .why("Content that is never read cannot be wrong.")
        .recipe("Put an extensionRequest whose value is a UTF8String into the request, then sign.")
}

fn content() -> Entry {
    let entry = accept(
        "csr/value-content",
        "CSR-1",
        "Whether a primitive value suits its tag is not judged.",
    )
    .also("CSR-4")
    .family("csr.check")
    .why(
        "Values are one well-formed element each and no more: verdicts must not depend on a library's \
            tables.",
    )
    .recipe("Give an attribute the value of the row, then sign.");
    let rows = [
        ("text", der::tlv(der::UTF8, "x")),
        ("utf8-that-is-none", der::tlv(der::UTF8, [0xff])),
        ("boolean-of-two", der::tlv(0x01, [1, 2])),
        ("boolean-one", der::tlv(0x01, [1])),
        ("integer-empty", der::tlv(der::INTEGER, [])),
        ("integer-padded", der::tlv(der::INTEGER, [0, 0, 1])),
        ("null-with-content", der::tlv(der::NULL, [1])),
        ("oid-unfinished", der::tlv(der::OID, [0x80])),
        ("bit-string-of-nine-unused", der::tlv(der::BIT_STRING, [9])),
        ("time-of-nonsense", der::tlv(0x17, "yesterday")),
        ("set-unsorted", der::set(&[&der::tlv(der::UTF8, "b"), &der::tlv(der::UTF8, "a")])),
        ("context-30", der::tlv(0xbe, der::tlv(0x9e, [7]))),
        ("private", der::tlv(0xc1, [7])),
    ];
    rows.iter().fold(entry, |entry, (name, value)| {
        let csr = good().attribute(UNSTRUCTURED_NAME, &[value]).der();
        entry.row(name, input(&csr), out(&csr))
    })
}
