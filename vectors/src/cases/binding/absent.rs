//! A CSR without the binding: admitted, unless the pool requires it (BINDING-2).

use super::{admitted, call, csr, node, refused_call, sent};
use crate::case::Entry;
use crate::testkit::csr::attribute;
use crate::testkit::der;

pub(super) fn entries() -> Vec<Entry> {
    vec![absent(), required(), foreign(), foreign_required(), other_type(), other_type_required()]
}

fn absent() -> Entry {
    admitted("absent", "A CSR without the binding is admitted, unbound.", &node().der(), false)
        .why("The binding is an extension: clients without it join, where the pool does not ask for it.")
        .recipe("Send a CSR without attributes.")
}

fn required() -> Entry {
    let title = "A CSR without the binding is refused where the pool requires it.";
    refused_call("absent-required", title, call(&node().der(), &sent(), true))
        .twin("binding/absent", &["/in/required"], "the pool's policy is required")
        .why("Without the policy a gateway would only have to make the CSR itself.")
        .recipe("Send a CSR without attributes to a pool whose policy requires the binding.")
}

/// A value of the attribute that is nobody's business.
fn asset() -> Vec<u8> {
    csr(&[&der::tlv(der::PRINTABLE, "rack 7")])
}

fn foreign() -> Entry {
    admitted("foreign-value", "An unstructuredName of another kind is ignored.", &asset(), false)
        .why("The attribute is a common one: asset labels stand there, and a join must not fail for them.")
        .recipe("Put the unstructuredName `rack 7` into the CSR.")
}

fn foreign_required() -> Entry {
    let title = "An unstructuredName of another kind is no binding where the pool requires one.";
    refused_call("foreign-value-required", title, call(&asset(), &sent(), true))
        .twin("binding/foreign-value", &["/in/required"], "the pool's policy is required")
        .why("That the attribute is there says nothing; its value has to be the binding.")
        .recipe("Send a CSR whose unstructuredName is `rack 7` to a pool whose policy requires the binding.")
}

/// The right value under another type: PKCS#9 challengePassword.
fn elsewhere() -> Vec<u8> {
    node().attributes(&[&attribute("1.2.840.113549.1.9.7", &[&super::right()])]).der()
}

fn other_type() -> Entry {
    admitted("other-type", "The right text in another attribute is ignored.", &elsewhere(), false)
        .why("Only one attribute is read. A search for the text in all of the CSR finds it here.")
        .recipe("Put the right binding into a challengePassword.")
}

fn other_type_required() -> Entry {
    let title = "The right text in another attribute is no binding where the pool requires one.";
    refused_call("other-type-required", title, call(&elsewhere(), &sent(), true))
        .twin("binding/bound-required", &["/in/csr:attributes"], "the attribute's type is challengePassword")
        .why("The same, seen from the policy.")
        .recipe("Put the right binding into a challengePassword; the pool's policy requires the binding.")
}
