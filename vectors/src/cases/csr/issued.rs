//! What a request asks for is not issued: each of these gets the leaf of an empty one (CSR-4).
//!
//! The judge holds the leaf against the profile of CERTIFICATE, which has room for nothing else.

use super::ignored::{
    BASIC_CONSTRAINTS, CERT_EXTENSIONS, EXTENSION_REQUEST, KEY_USAGE, SUBJECT_ALT_NAME, extension, san,
};
use crate::case::{Entry, NOW};
use crate::script::{join, joined, reclaimed, renew, renewed, script_accept, x509pop};
use crate::testkit::csr::{self, Csr, UNSTRUCTURED_NAME, attribute, name};
use crate::testkit::der;
use crate::testkit::world::{Machine, World, enrolled, grant, machine, node};

const RULE: &str = "CSR-4";
const EXTENDED_KEY_USAGE: &str = "2.5.29.37";
const SUBJECT_KEY_IDENTIFIER: &str = "2.5.29.14";
const AUTHORITY_KEY_IDENTIFIER: &str = "2.5.29.35";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = joins();
    all.extend(others());
    all
}

fn good() -> Csr {
    csr::honest(&machine("a").key)
}

/// It asks for these extensions.
fn asks(extensions: &[&[u8]]) -> Csr {
    good().attribute(EXTENSION_REQUEST, &[&der::sequence(extensions)])
}

/// A name of each kind that verifiers look at, the victim's SPIFFE ID first.
fn names() -> Vec<u8> {
    let victim =
        format!("spiffe://compute.example.com/site/site_0000000000000000000000r00t/node/{}", node("b"));
    let all = [
        der::tlv(0x86, victim),
        der::tlv(0x86, "urn:bc:tpm-ak:sha256:00"),
        der::tlv(0x82, "node.example.com"),
        der::tlv(0x87, [10, 0, 0, 1]),
        der::tlv(0x81, "root@example.com"),
    ];
    extension(SUBJECT_ALT_NAME, true, &der::tlv(der::SEQUENCE, all.concat()))
}

/// keyCertSign and cRLSign.
fn usage() -> Vec<u8> {
    extension(KEY_USAGE, true, &der::bit_string(1, [0x06]))
}

fn authority() -> Vec<u8> {
    extension(BASIC_CONSTRAINTS, true, &der::sequence(&[&der::tlv(0x01, [0xff])]))
}

/// serverAuth and codeSigning.
fn extended() -> Vec<u8> {
    let purposes = ["1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.3"].map(der::oid);
    extension(EXTENDED_KEY_USAGE, false, &der::tlv(der::SEQUENCE, purposes.concat()))
}

fn subject() -> Vec<u8> {
    name(&[("2.5.4.3", "another"), ("2.5.4.11", "bc-role:site")])
}

/// Everything at once.
fn hostile(machine: &Machine) -> Vec<u8> {
    let key_id = extension(SUBJECT_KEY_IDENTIFIER, false, &der::tlv(der::OCTET_STRING, [1; 20]));
    let issuer_id = extension(AUTHORITY_KEY_IDENTIFIER, false, &der::sequence(&[&der::tlv(0x80, [2; 20])]));
    let private = extension("1.3.6.1.4.1.99999.1", true, &der::tlv(der::UTF8, "private"));
    let parts = [names(), usage(), authority(), extended(), key_id, issuer_id, private];
    let request = attribute(EXTENSION_REQUEST, &[&der::tlv(der::SEQUENCE, parts.concat())]);
    let asked = Csr { subject: subject(), ..csr::honest(&machine.key) };
    asked.attributes(&[&request]).der()
}

fn joins() -> Vec<Entry> {
    let row = |name: &str, title: &str, csr: Vec<u8>, why: &str| {
        let token = grant("hostile");
        script_accept(&format!("csr/issued-{name}"), RULE, title)
            .also("CERTIFICATE-4")
            .documented()
            .world(&World::usual().token(&token))
            .step("join", NOW, join(&machine("a"), &token).csr(csr), joined("n1"))
            .why(why)
            .recipe("A join whose CSR asks for this; then look at the leaf.")
    };
    let vendor = good().attribute(CERT_EXTENSIONS, &[&der::sequence(&[&san("urn:bc:one"), &usage()])]).der();
    let text = der::tlv(der::UTF8, "bc-role:site");
    vec![
        row(
            "plain",
            "An empty request gets the leaf of the profile.",
            good().der(),
            "What the others are compared with.",
        ),
        row(
            "names",
            "A request for other names gets none of them.",
            asks(&[&names()]).der(),
            "A signer that copies names gives any machine the identity of any other.",
        ),
        row(
            "key-usage",
            "A request for keyCertSign gets digitalSignature.",
            asks(&[&usage()]).der(),
            "Signers have let requested extensions beat their own profile.",
        ),
        row(
            "authority",
            "A request for CA:TRUE gets no authority.",
            asks(&[&authority(), &usage()]).der(),
            "One such leaf could issue every other.",
        ),
        row(
            "extended-key-usage",
            "A request for serverAuth gets clientAuth alone.",
            asks(&[&extended()]).der(),
            "A node that can pass for a server is a trap for other nodes.",
        ),
        row(
            "subject",
            "A request in another name gets the subject of its role.",
            Csr { subject: subject(), ..good() }.der(),
            "The role stands in the subject: who copies it lets the machine choose its role.",
        ),
        row(
            "vendor-request",
            "A request under the vendor's OID gets nothing either.",
            vendor,
            "Libraries that know both read both.",
        ),
        row(
            "unstructured-name",
            "An unstructuredName that is no binding leaves no trace in the leaf.",
            good().attribute(UNSTRUCTURED_NAME, &[&text]).der(),
            "It is an attribute of PKCS#9 that some tools put into the subject.",
        ),
        row(
            "everything",
            "A request for everything at once gets the leaf of an empty one.",
            hostile(&machine("a")),
            "Every field of the profile, and one extension that nobody knows.",
        ),
    ]
}

fn others() -> Vec<Entry> {
    let second = machine("a").rekeyed("second");
    let accept = |name: &str, title: &str| {
        script_accept(&format!("csr/issued-{name}"), RULE, title)
            .documented()
            .why("Each way to a certificate reads the CSR anew.")
    };
    let live = enrolled("a", &machine("a"), "2025-12-31T12:00:00Z");
    let dead = enrolled("a", &machine("a"), "2025-12-30T12:00:00Z");
    vec![
        accept("by-renewal", "A hostile request gets the leaf of an empty one by a renewal too.")
            .also("RENEWAL-4")
            .world(&World::usual().enrolled(&live))
            .step("renew", NOW, renew(&second, &live, &live.key).csr(hostile(&second)), renewed("second"))
            .recipe("A renewal whose CSR asks for everything."),
        accept("after-outage", "A hostile request gets the leaf of an empty one by x509pop too.")
            .also("X509POP-3")
            .world(&World::usual().enrolled(&dead))
            .step(
                "join",
                NOW,
                x509pop(&second, &dead, &dead.key).csr(hostile(&second)),
                reclaimed(&node("a"), "second"),
            )
            .recipe("A re-join whose CSR asks for everything."),
    ]
}
