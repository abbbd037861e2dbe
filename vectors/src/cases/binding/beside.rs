//! The binding among other values, and values that only resemble it (BINDING-2).

use super::{admitted, call, csr, node, out, right, sent, text};
use crate::case::{Entry, accept};
use crate::testkit::csr::{UNSTRUCTURED_NAME, attribute};
use crate::testkit::der;

pub(super) fn entries() -> Vec<Entry> {
    vec![one_attribute(), two_attributes(), resembling()]
}

fn label() -> Vec<u8> {
    der::tlv(der::PRINTABLE, "rack 7")
}

fn one_attribute() -> Entry {
    let csr = csr(&[&right(), &label()]);
    admitted("beside-in-one", "The binding beside another value in one attribute is found.", &csr, true)
        .why("RFC 2985 allows several values; reading the first, or giving up, misses the binding.")
        .recipe("Put `rack 7` and the binding into one unstructuredName, in DER's order.")
}

fn two_attributes() -> Entry {
    let [first, second] = [label(), right()].map(|value| attribute(UNSTRUCTURED_NAME, &[&value]));
    let attributes = der::tlv(0xa0, der::sorted(&[&first, &second]));
    let csr = crate::testkit::csr::Csr { attributes, ..node() }.der();
    admitted("beside-in-two", "The binding in a second unstructuredName is found.", &csr, true)
        .why("A map by type keeps one of the two attributes.")
        .recipe("Put `rack 7` and the binding into two attributes unstructuredName, in DER's order.")
}

fn resembling() -> Entry {
    let entry = accept(
        "binding/resembling",
        "BINDING-2",
        "A value that does not begin exactly as the binding is ignored.",
    )
    .choice(super::CHOICE, "checked")
    .family("binding.check")
    .why("What is nobody's business must not become malformed by resemblance; later versions need the room.")
    .recipe("Put the value of the row into the CSR as its one unstructuredName.");
    let text = text();
    let bmp: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let rows = [
        ("version-2", der::tlv(der::UTF8, text.replace("-v1:", "-v2:"))),
        ("capitals", der::tlv(der::UTF8, text.replace("bc-join", "BC-JOIN"))),
        ("blank-in-front", der::tlv(der::UTF8, format!(" {text}"))),
        ("no-colon", der::tlv(der::UTF8, text.replace("v1:", "v1"))),
        ("prefix-cut", der::tlv(der::UTF8, "bc-join-request-v1")),
        ("byte-order-mark", der::tlv(der::UTF8, format!("\u{feff}{text}"))),
        ("bmp-string", der::tlv(0x1e, bmp)),
        ("within-a-sequence", der::sequence(&[&right()])),
        ("empty", der::tlv(der::UTF8, "")),
    ];
    rows.iter().fold(entry, |entry, (name, value)| {
        entry.row(name, call(&csr(&[value]), &sent(), false), out(false, &sent()))
    })
}
