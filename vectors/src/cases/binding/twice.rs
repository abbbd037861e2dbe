//! Two bindings are refused, even if both are right (BINDING-2).

use super::{BOUND, csr, node, refused, right};
use crate::case::Entry;
use crate::testkit::csr::{Csr, UNSTRUCTURED_NAME, attribute, binding_text};
use crate::testkit::der;

pub(super) fn entries() -> Vec<Entry> {
    vec![equal_values(), equal_attributes(), one_wrong(), one_malformed()]
}

fn other() -> Vec<u8> {
    der::tlv(der::UTF8, binding_text(&[7; 32]))
}

fn doubled(name: &str, title: &str, csr: &[u8], what: &str) -> Entry {
    refused(name, title, csr)
        .twin(BOUND, &["/in/csr:attributes"], what)
        .recipe(&format!("Bind the CSR twice, then sign: {what}."))
}

fn equal_values() -> Entry {
    let what = "the right value twice in one attribute";
    doubled(
        "twice-in-one",
        "Two equal bindings in one attribute are refused.",
        &csr(&[&right(), &right()]),
        what,
    )
    .why(
        "Exactly one: which of two counts would be up to each parser, and equal today is different tomorrow.",
    )
}

fn equal_attributes() -> Entry {
    let one = attribute(UNSTRUCTURED_NAME, &[&right()]);
    let csr = node().attributes(&[&one, &one]).der();
    doubled(
        "twice-in-two",
        "Two equal bindings in two attributes are refused.",
        &csr,
        "the right attribute twice",
    )
    .why("A check that counts the values of one attribute does not see the other.")
}

fn one_wrong() -> Entry {
    let [first, second] = [right(), other()].map(|value| attribute(UNSTRUCTURED_NAME, &[&value]));
    let attributes = der::tlv(0xa0, der::sorted(&[&first, &second]));
    let csr = Csr { attributes, ..node() }.der();
    doubled(
        "right-and-wrong",
        "A right and a wrong binding are refused.",
        &csr,
        "a second attribute with another hash",
    )
    .why("First wins or any wins: both let a CSR be good for two requests.")
}

fn one_malformed() -> Entry {
    let malformed = der::tlv(der::PRINTABLE, "bc-join-request-v1:");
    doubled(
        "right-and-malformed",
        "A right and a malformed binding are refused.",
        &csr(&[&right(), &malformed]),
        "a second value that begins as the binding does and ends there",
    )
    .why("What begins so is the binding's business, and this one is malformed.")
}
