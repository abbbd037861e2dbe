//! Definite, minimal lengths everywhere: one request has one encoding.

use super::{HONEST, good, input, refused};
use crate::case::{Entry, reject};
use crate::testkit::csr::{Csr, ECDSA_SHA256, UNSTRUCTURED_NAME};
use crate::testkit::der::{self, Length};

pub(super) fn entries() -> Vec<Entry> {
    vec![
        outer("long-length", Length::Long(3), "the outer length has three octets where it needs one"),
        outer("indefinite-length", Length::Indefinite, "the outer length is indefinite"),
        outer("too-long-length", Length::Stated(1000), "the outer length says 1000"),
        outer("too-short-length", Length::Stated(100), "the outer length says 100"),
        huge(),
        info("info-long-length", Length::Long(2), "the info's length has two octets where it needs one"),
        info("info-indefinite-length", Length::Indefinite, "the info's length is indefinite"),
        inner_lengths(),
        value_lengths(),
        value_forms(),
    ]
}

fn outer(name: &str, length: Length, what: &str) -> Entry {
    let csr = Csr { outer_length: length, ..good() };
    refused(name, "CSR-1", &format!("Not DER: {what}."), csr.der())
        .why("BER readers accept several forms, so that one request has many hashes.")
        .twin(HONEST, &["/in/csr"], what)
        .recipe(&format!("Encode a right request otherwise: {what}."))
}

fn info(name: &str, length: Length, what: &str) -> Entry {
    let csr = Csr { info_length: length, ..good() };
    refused(name, "CSR-1", &format!("Not DER: {what}."), csr.der())
        .why("The signature is over these very octets and holds, so only the encoding's rules refuse it.")
        .twin(HONEST, &["/in/csr"], what)
        .recipe(&format!("Encode the info otherwise, then sign: {what}."))
}

fn huge() -> Entry {
    let lengths = [&[0x30, 0x88][..], &[0xff; 8], &good().der()].concat();
    refused("length-of-64-bits", "CSR-1", "A length of 2^64 - 1 is refused.", lengths)
        .why("Sums with it overflow, and allocations by it fail: parsers have crashed on such lengths.")
        .twin(HONEST, &["/in/csr"], "a SEQUENCE that says 2^64 - 1 octets in front of the request")
        .recipe("Put 30 88 and eight octets ff in front of a right request.")
}

fn inner_lengths() -> Entry {
    let entry =
        reject("csr/part-long-length", "CSR-1", "csr", "A part whose length is not minimal is refused.")
            .family("csr.check")
            .refused()
            .why("Strictness at the outside alone leaves as many encodings as there are parts inside.")
            .twin(HONEST, &["/in/csr"], "the length of the row's part is in long form; signed with it")
            .recipe("Write the length of one part in long form, then sign.");
    let long = |tag, content: &[u8]| der::tlv_with(tag, Length::Long(1), content);
    let spki = good().spki;
    let (_, spki_content) = spki.split_at(2);
    let rows = [
        ("version", Csr { version: long(der::INTEGER, &[0]), ..good() }),
        ("subject", Csr { subject: long(der::SEQUENCE, &[]), ..good() }),
        ("spki", Csr { spki: long(der::SEQUENCE, spki_content), ..good() }),
        ("attributes", Csr { attributes: long(0xa0, &[]), ..good() }),
        ("algorithm", Csr { algorithm: long(der::SEQUENCE, &der::oid(ECDSA_SHA256)), ..good() }),
    ];
    rows.iter().fold(entry, |entry, (name, csr)| entry.bad(name, input(csr.der())))
}

fn value(value: &[u8]) -> Vec<u8> {
    good().attribute(UNSTRUCTURED_NAME, &[value]).der()
}

fn in_a_value(id: &str, title: &str) -> Entry {
    reject(id, "CSR-1", "csr", title)
        .family("csr.check")
        .refused()
        .why(
            "Values are not looked into, but they must be one well-formed element in turn: else the DER is \
            not strict.",
        )
        .twin(
            "csr/value-content#text",
            &["/in/csr:attributes"],
            "the attribute's value is encoded as the row \
            says",
        )
        .recipe("Encode an attribute's value as the row says, then sign.")
}

fn value_lengths() -> Entry {
    let rows = [
        ("long", der::tlv_with(der::UTF8, Length::Long(1), "x")),
        ("indefinite", der::tlv_with(der::SEQUENCE, Length::Indefinite, der::tlv(der::UTF8, "x"))),
        ("indefinite-primitive", der::tlv_with(der::UTF8, Length::Indefinite, "x")),
        ("long-deeper", der::sequence(&[&der::sequence(&[&der::tlv_with(der::UTF8, Length::Long(1), "x")])])),
        ("says-more", der::sequence(&[&der::tlv_with(der::UTF8, Length::Stated(9), "x")])),
        ("reserved-ff", vec![der::UTF8, 0xff, b'x']),
    ];
    let entry =
        in_a_value("csr/value-length", "A length in an attribute's value that is not DER is refused.");
    rows.iter().fold(entry, |entry, (name, element)| entry.bad(name, input(value(element))))
}

fn value_forms() -> Entry {
    let rows = [
        ("long-tag", vec![0x1f, 0x1f, 0x01, b'x']),
        ("constructed-of-nonsense", der::tlv(der::SEQUENCE, [0x0c, 0x05, b'x'])),
        ("constructed-of-one-octet", der::tlv(der::SEQUENCE, [0x05])),
        ("no-length", vec![0x05]),
    ];
    let entry =
        in_a_value("csr/value-form", "An attribute's value that is no well-formed element is refused.");
    rows.iter().fold(entry, |entry, (name, element)| entry.bad(name, input(value(element))))
}
