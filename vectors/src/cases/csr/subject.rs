//! The subject: any well-formed Name, in strict DER, and never looked into.

use super::{accepted, good, input, out, refused};
use crate::case::{Entry, accept, reject};
use crate::testkit::csr::{Csr, name, name_attribute};
use crate::testkit::der;

pub(super) fn entries() -> Vec<Entry> {
    vec![named(), several(), order(), strings(), empty_set(), not_a_name()]
}

const COMMON_NAME: &str = "2.5.4.3";
const UNIT: &str = "2.5.4.11";

fn with(subject: Vec<u8>) -> Vec<u8> {
    Csr { subject, ..good() }.der()
}

fn named() -> Entry {
    let subject = name(&[(UNIT, "bc-role:site"), (COMMON_NAME, "root"), (COMMON_NAME, "root")]);
    accepted(
        "subject-named",
        "CSR-4",
        "A subject that claims a role is accepted, and means nothing.",
        with(subject),
    )
    .documented()
    .also("CSR-1")
    .why(
        "Names in a certificate come from the service alone. Signers that copy the subject give the \
            role away.",
    )
    .recipe("Write OU=bc-role:site and CN=root twice into the subject, then sign.")
}

/// Two attributes in one RelativeDistinguishedName.
fn relative(first: &[u8], second: &[u8]) -> Vec<u8> {
    der::sequence(&[&der::set(&[first, second])])
}

fn several() -> Entry {
    let (unit, common) = (name_attribute(UNIT, "unit"), name_attribute(COMMON_NAME, "name"));
    let subject = der::sequence(&[&der::tlv(der::SET, der::sorted(&[&unit, &common]))]);
    accepted(
        "subject-several",
        "CSR-1",
        "Two attributes in one RDN are accepted in DER's order.",
        with(subject),
    )
    .why("A SET OF is sorted by its elements' encodings, whatever their types mean.")
    .recipe("Put OU and CN into one RDN, the smaller encoding first, then sign.")
}

fn order() -> Entry {
    let (unit, common) = (name_attribute(UNIT, "unit"), name_attribute(COMMON_NAME, "name"));
    let (first, second) = if unit < common { (common, unit) } else { (unit, common) };
    let csr = with(relative(&first, &second));
    refused("subject-unsorted", "CSR-1", "Two attributes in one RDN in the wrong order are refused.", csr)
        .why(
            "Libraries sort when they write and do not look when they read; encoded again it is another \
            request.",
        )
        .twin("csr/subject-several", &["/in/csr:subject"], "the two attributes are swapped; signed with that")
        .recipe("Put OU and CN into one RDN, the larger encoding first, then sign.")
}

fn strings() -> Entry {
    let entry = accept("csr/subject-strings", "CSR-1", "Values of the subject are not looked into.")
        .also("CSR-4")
        .family("csr.check")
        .why("Whether a text suits its type is not judged: verdicts would depend on each library's tables.")
        .recipe("Put the value of the row into the subject as CN, then sign.");
    let rows = [
        ("utf8-that-is-none", der::tlv(der::UTF8, [0xff, 0xfe])),
        ("printable-with-at", der::tlv(der::PRINTABLE, "a@b*")),
        ("teletex", der::tlv(0x14, [0xe4])),
        ("bmp-of-odd-length", der::tlv(0x1e, [0, 65, 0])),
        ("empty-text", der::tlv(der::UTF8, [])),
        ("nul-in-the-text", der::tlv(der::UTF8, "a\0b")),
        ("boolean", der::tlv(0x01, [7])),
        ("context", der::tlv(0x9e, [1])),
    ];
    rows.iter().fold(entry, |entry, (name, value)| {
        let attribute = der::sequence(&[&der::oid(COMMON_NAME), value]);
        let csr = with(der::sequence(&[&der::set(&[&attribute])]));
        entry.row(name, input(&csr), out(&csr))
    })
}

fn empty_set() -> Entry {
    refused(
        "subject-empty-set",
        "CSR-1",
        "An RDN without a member is refused.",
        with(der::sequence(&[&der::set(&[])])),
    )
    .why("Code that takes the first attribute of each RDN panics on it.")
    .twin(super::HONEST, &["/in/csr:subject"], "an empty SET in the subject; signed with it")
    .recipe("Put one SET of no members into the subject, then sign.")
}

fn not_a_name() -> Entry {
    let entry = reject("csr/subject-form", "CSR-1", "csr", "A subject that is no Name is refused.")
        .family("csr.check")
        .refused()
        .why("Not looked into is not the same as not parsed: the Name's own structure is judged.")
        .twin(super::HONEST, &["/in/csr:subject"], "the subject is encoded as the row says; signed with it")
        .recipe("Encode the subject as the row says, then sign.");
    let attribute = name_attribute(COMMON_NAME, "x");
    let rows = [
        ("set", der::set(&[])),
        ("null", der::tlv(der::NULL, [])),
        ("text", der::tlv(der::UTF8, "CN=x")),
        ("attribute-without-set", der::sequence(&[&attribute])),
        ("attribute-in-a-sequence", der::sequence(&[&der::sequence(&[&attribute])])),
        ("value-missing", der::sequence(&[&der::set(&[&der::sequence(&[&der::oid(COMMON_NAME)])])])),
        (
            "two-values",
            der::sequence(&[&der::set(&[&der::sequence(&[
                &der::oid(COMMON_NAME),
                &der::tlv(der::UTF8, "x"),
                &der::tlv(der::UTF8, "y"),
            ])])]),
        ),
        (
            "type-is-text",
            der::sequence(&[&der::set(&[&der::sequence(&[
                &der::tlv(der::UTF8, COMMON_NAME),
                &der::tlv(der::UTF8, "x"),
            ])])]),
        ),
    ];
    rows.iter().fold(entry, |entry, (name, subject)| entry.bad(name, input(with(subject.clone()))))
}
