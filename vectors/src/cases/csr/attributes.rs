//! The attributes field: always there, in DER's order, each attribute well-formed (CSR-1).

use super::{HONEST, accepted, good, input, refused};
use crate::case::{Entry, reject};
use crate::testkit::csr::{Csr, UNSTRUCTURED_NAME, attribute};
use crate::testkit::der;

pub(super) fn entries() -> Vec<Entry> {
    vec![
        missing(),
        sorted(),
        unsorted(),
        sorted_values(),
        unsorted_values(),
        no_value(),
        tags(),
        twice(),
        forms(),
    ]
}

const CHALLENGE_PASSWORD: &str = "1.2.840.113549.1.9.7";

fn text(text: &str) -> Vec<u8> {
    der::tlv(der::UTF8, text)
}

fn missing() -> Entry {
    refused(
        "attributes-missing",
        "CSR-1",
        "A request without the attributes field is refused.",
        Csr { attributes: Vec::new(), ..good() }.der(),
    )
    .why(
        "RFC 2986 has it mandatory and many tools leave it out; libraries differ, so the answer has to \
            be fixed.",
    )
    .twin(HONEST, &["/in/csr:attributes"], "a0 00 is left out; signed without it")
    .recipe("Leave the attributes field out, then sign.")
}

fn two() -> [Vec<u8>; 2] {
    [attribute(CHALLENGE_PASSWORD, &[&text("one")]), attribute(UNSTRUCTURED_NAME, &[&text("two")])]
}

fn sorted() -> Entry {
    let [challenge, name] = two();
    let attributes = der::tlv(0xa0, der::sorted(&[&challenge, &name]));
    accepted(
        "attributes-sorted",
        "CSR-1",
        "Two attributes in DER's order are accepted.",
        Csr { attributes, ..good() }.der(),
    )
    .also("CSR-4")
    .why("The twin of the one in the wrong order. A challenge password is nobody's business here.")
    .recipe(
        "Put a challengePassword and an unstructuredName into the request, the smaller encoding \
            first, then sign.",
    )
}

fn unsorted() -> Entry {
    let [challenge, name] = two();
    let (first, second) = if challenge < name { (name, challenge) } else { (challenge, name) };
    refused(
        "attributes-unsorted",
        "CSR-1",
        "Two attributes in the wrong order are refused.",
        good().attributes(&[&first, &second]).der(),
    )
    .why("Encoded again the request has another hash: what is certified is not what was hashed.")
    .twin(
        "csr/attributes-sorted",
        &["/in/csr:attributes"],
        "the two attributes are swapped; signed \
            with that",
    )
    .recipe(
        "Put a challengePassword and an unstructuredName into the request, the larger encoding \
            first, then sign.",
    )
}

fn sorted_values() -> Entry {
    let csr = good().attribute(UNSTRUCTURED_NAME, &[&text("a"), &text("b"), &text("b")]).der();
    accepted("values-sorted", "CSR-1", "Several values in DER's order are accepted, equal ones too.", csr)
        .why("Equal neighbours are in order; the standard's word for a set is not that of mathematics.")
        .recipe("Give an attribute the values a, b, b, then sign.")
}

fn unsorted_values() -> Entry {
    let csr = good().attribute(UNSTRUCTURED_NAME, &[&text("b"), &text("a"), &text("b")]).der();
    refused("values-unsorted", "CSR-1", "Several values in the wrong order are refused.", csr)
        .why("The order holds in each attribute's set, not only among the attributes.")
        .twin(
            "csr/values-sorted",
            &["/in/csr:attributes"],
            "the first two values are swapped; signed with that",
        )
        .recipe("Give an attribute the values b, a, b, then sign.")
}

fn no_value() -> Entry {
    refused(
        "attribute-without-value",
        "CSR-1",
        "An attribute without a value is refused.",
        good().attribute(UNSTRUCTURED_NAME, &[]).der(),
    )
    .why("Code that takes the first value panics on it.")
    .twin("csr/value-content#text", &["/in/csr:attributes"], "the attribute's SET is empty; signed with it")
    .recipe("Put an attribute with an empty SET of values into the request, then sign.")
}

fn tags() -> Entry {
    let entry = reject(
        "csr/attributes-tag",
        "CSR-1",
        "csr",
        "An attributes field under another tag is refused.",
    )
    .family("csr.check")
    .refused()
    .why("[0] is implicit and constructed: a0. Readers that look at the number alone accept the others.")
    .twin(HONEST, &["/in/csr:attributes"], "the field's tag is that of the row; signed with it")
    .recipe("Write the attributes field with another tag, then sign.");
    let rows = [
        ("one", der::tlv(0xa1, [])),
        ("primitive", der::tlv(0x80, [])),
        ("application", der::tlv(0x60, [])),
        ("set", der::tlv(der::SET, [])),
        ("explicit", der::tlv(0xa0, der::tlv(der::SET, []))),
        ("null", der::tlv(der::NULL, [])),
    ];
    rows.iter().fold(entry, |entry, (name, field)| {
        entry.bad(name, input(Csr { attributes: field.clone(), ..good() }.der()))
    })
}

fn twice() -> Entry {
    let csr = Csr { attributes: [0xa0, 0, 0xa0, 0].to_vec(), ..good() };
    refused("attributes-twice", "CSR-1", "Two attributes fields are refused.", csr.der())
        .why(
            "The info has exactly four elements; what follows must not be carried along unread, under the \
            signature or not.",
        )
        .twin(HONEST, &["/in/csr"], "a0 00 a second time; signed with it")
        .recipe("Write the attributes field twice, then sign.")
}

fn forms() -> Entry {
    let entry = reject("csr/attribute-form", "CSR-1", "csr", "An attribute of another shape is refused.")
        .family("csr.check")
        .refused()
        .why("An attribute is exactly an OID and a SET; its values alone are not looked into.")
        .twin(
            "csr/value-content#text",
            &["/in/csr:attributes"],
            "the attribute is encoded as the row says; signed with it",
        )
        .recipe("Encode the attribute as the row says, then sign.");
    let (oid, values) = (der::oid(UNSTRUCTURED_NAME), der::set(&[&text("x")]));
    let rows = [
        ("third-element", der::sequence(&[&oid, &values, &der::tlv(der::NULL, [])])),
        ("no-set", der::sequence(&[&oid])),
        ("no-type", der::sequence(&[&values])),
        ("swapped", der::sequence(&[&values, &oid])),
        ("value-without-set", der::sequence(&[&oid, &text("x")])),
        ("sequence-of-values", der::sequence(&[&oid, &der::sequence(&[&text("x")])])),
        ("type-is-text", der::sequence(&[&text("1.2.3"), &values])),
        ("set-for-sequence", der::set(&[&oid, &values])),
        ("bare-type", oid.clone()),
    ];
    rows.iter()
        .fold(entry, |entry, (name, attribute)| entry.bad(name, input(good().attributes(&[attribute]).der())))
}
