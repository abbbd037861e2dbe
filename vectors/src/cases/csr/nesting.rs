//! Nesting: level 16 is the last one. The request is level 1, an attribute's value level 6.

use super::{accepted, good, refused};
use crate::case::Entry;
use crate::testkit::csr::{Csr, UNSTRUCTURED_NAME};
use crate::testkit::der;

pub(super) fn entries() -> Vec<Entry> {
    vec![limit(), over(), subject_limit(), subject_over(), deep()]
}

/// Request, info, attributes, attribute, SET: five levels are above a value.
fn in_attribute(levels: usize) -> Vec<u8> {
    good().attribute(UNSTRUCTURED_NAME, &[&der::nested(levels)]).der()
}

/// Request, info, Name, SET, attribute: five levels are above a value here too.
fn in_subject(levels: usize) -> Vec<u8> {
    let attribute = der::sequence(&[&der::oid("2.5.4.3"), &der::nested(levels)]);
    Csr { subject: der::sequence(&[&der::set(&[&attribute])]), ..good() }.der()
}

fn limit() -> Entry {
    accepted(
        "nesting-16",
        "CSR-1",
        "An attribute's value that reaches level 16 is accepted.",
        in_attribute(11),
    )
    .why("The limit itself is allowed; a primitive element at the bottom is a level as well.")
    .recipe("Put ten SEQUENCEs around a NULL as an attribute's value, then sign.")
}

fn over() -> Entry {
    refused("nesting-17", "CSR-1", "An attribute's value that reaches level 17 is refused.", in_attribute(12))
        .why("A bound that every implementation counts alike.")
        .twin("csr/nesting-16", &["/in/csr:attributes"], "one more SEQUENCE around the NULL; signed with it")
        .recipe("Put eleven SEQUENCEs around a NULL as an attribute's value, then sign.")
}

fn subject_limit() -> Entry {
    accepted("nesting-16-subject", "CSR-1", "A subject that reaches level 16 is accepted.", in_subject(11))
        .why("The limit counts from the request's outside, wherever the element stands.")
        .recipe("Put ten SEQUENCEs around a NULL as a value in the subject, then sign.")
}

fn subject_over() -> Entry {
    refused("nesting-17-subject", "CSR-1", "A subject that reaches level 17 is refused.", in_subject(12))
        .why("The subject is not looked into, but it is bounded.")
        .twin(
            "csr/nesting-16-subject",
            &["/in/csr:subject"],
            "one more SEQUENCE around the NULL; signed with it",
        )
        .recipe("Put eleven SEQUENCEs around a NULL as a value in the subject, then sign.")
}

fn deep() -> Entry {
    refused(
        "nesting-1000",
        "CSR-1",
        "A value of a thousand SEQUENCEs in each other is refused.",
        in_attribute(1000),
    )
    .why("A parser that recurses without a bound overflows its stack.")
    .twin("csr/nesting-16", &["/in/csr:attributes"], "a thousand levels; signed with them")
    .recipe("Put 999 SEQUENCEs around a NULL as an attribute's value, then sign.")
}
