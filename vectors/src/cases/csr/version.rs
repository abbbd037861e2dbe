//! The version is 0.

use super::{HONEST, good, input, refused};
use crate::case::{Entry, reject};
use crate::testkit::csr::Csr;
use crate::testkit::der;

pub(super) fn entries() -> Vec<Entry> {
    vec![one(), missing(), forms()]
}

fn with(version: Vec<u8>) -> Vec<u8> {
    Csr { version, ..good() }.der()
}

fn one() -> Entry {
    refused("version-1", "CSR-1", "A request of version 1 is refused.", with(der::tlv(der::INTEGER, [1])))
        .why(
            "There is no such version. Tools that write 1, meaning \"v1\", exist, and lenient readers keep \
            them alive.",
        )
        .twin(HONEST, &["/in/csr:version"], "the version is 1; signed with it")
        .recipe("Write version 1, then sign.")
}

fn missing() -> Entry {
    refused("version-missing", "CSR-1", "A request without a version is refused.", with(Vec::new()))
        .why("The version has no default; in a certificate it has one.")
        .twin(HONEST, &["/in/csr"], "the version is left out; signed without it")
        .recipe("Leave the version out, then sign.")
}

fn forms() -> Entry {
    let entry = reject("csr/version-form", "CSR-1", "csr", "Any other encoding of the version is refused.")
        .family("csr.check")
        .refused()
        .why("The version is the INTEGER 0 in one octet: 02 01 00 and nothing else.")
        .twin(HONEST, &["/in/csr:version"], "the version is encoded as the row says; signed with it")
        .recipe("Encode the version as the row says, then sign.");
    let rows = [
        ("minus-one", der::tlv(der::INTEGER, [0xff])),
        ("two", der::tlv(der::INTEGER, [2])),
        ("padded", der::tlv(der::INTEGER, [0, 0])),
        ("empty", der::tlv(der::INTEGER, [])),
        ("two-to-the-32", der::tlv(der::INTEGER, [1, 0, 0, 0, 0])),
        ("boolean", der::tlv(0x01, [0])),
        ("enumerated", der::tlv(0x0a, [0])),
        ("explicit", der::tlv(0xa0, der::tlv(der::INTEGER, [0]))),
    ];
    rows.iter().fold(entry, |entry, (name, version)| entry.bad(name, input(with(version.clone()))))
}
