//! OBJECT IDENTIFIERs are not empty and minimal, wherever they stand.

use super::{good, input};
use crate::case::{Entry, accept, reject};
use crate::testkit::csr::Csr;
use crate::testkit::der;

pub(super) fn entries() -> Vec<Entry> {
    vec![unknown(), in_attributes(), in_subjects()]
}

const ROWS: [(&str, &[u8]); 4] = [
    ("empty", &[]),
    ("padded", &[0x2a, 0x80, 0x03]),
    ("padded-first", &[0x80, 0x2a, 0x03]),
    ("unfinished", &[0x2a, 0x83]),
];

fn with_attribute(oid: &[u8]) -> Csr {
    let element = der::sequence(&[oid, &der::set(&[&der::tlv(der::UTF8, "x")])]);
    good().attributes(&[&element])
}

fn with_subject(oid: &[u8]) -> Csr {
    let subject = der::sequence(&[&der::set(&[&der::sequence(&[oid, &der::tlv(der::UTF8, "x")])])]);
    Csr { subject, ..good() }
}

fn unknown() -> Entry {
    let entry = accept(
        "csr/identifier-unknown",
        "CSR-1",
        "An OID that nobody knows is accepted, in an attribute and in the subject.",
    )
    .also("CSR-4")
    .family("csr.check")
    .why("Neither attributes nor names are looked into, so there is nothing to know.")
    .recipe("Use an OID of a private arc with a subidentifier of many octets, then sign.");
    let oid = der::oid("1.3.6.1.4.1.99999.18446744073709551615");
    let rows = [("attribute", with_attribute(&oid)), ("subject", with_subject(&oid))];
    rows.iter().fold(entry, |entry, (name, csr)| entry.row(name, input(csr.der()), super::out(csr.der())))
}

fn malformed(id: &str, title: &str, twin: &str, at: &str, with: fn(&[u8]) -> Csr) -> Entry {
    let entry = reject(id, "CSR-1", "csr", title)
        .family("csr.check")
        .refused()
        .why("Padded subidentifiers give one OID many encodings, and unfinished ones have crashed parsers.")
        .twin(twin, &[at], "the OID's content is malformed as the row says")
        .recipe("Encode the OID as the row says, then sign.");
    ROWS.iter().fold(entry, |entry, (name, content)| {
        entry.bad(name, input(with(&der::tlv(der::OID, content)).der()))
    })
}

fn in_attributes() -> Entry {
    let title = "A malformed OID of an attribute is refused.";
    let twin = "csr/identifier-unknown#attribute";
    malformed("csr/identifier-in-attribute", title, twin, "/in/csr:attributes", with_attribute)
}

fn in_subjects() -> Entry {
    let title = "A malformed OID in the subject is refused.";
    malformed(
        "csr/identifier-in-subject",
        title,
        "csr/identifier-unknown#subject",
        "/in/csr:subject",
        with_subject,
    )
}
