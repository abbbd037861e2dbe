//! r and s: minimal, positive, 1..=n-1; a high s is accepted here (CSR-3).

use super::{HONEST, accepted, good, ours, refused};
use crate::case::Entry;
use crate::testkit::csr::{Csr, ecdsa_value};
use crate::testkit::der;
use crate::testkit::signature::{sign, sign_high};

pub(super) fn entries() -> Vec<Entry> {
    vec![
        high(),
        short(),
        number("r-zero", ZERO, ONE, "r is 0"),
        number("s-zero", ONE, ZERO, "s is 0"),
        number("both-zero", ZERO, ZERO, "r and s are 0"),
        number("r-order", ORDER, ONE, "r is n"),
        number("s-order", ONE, ORDER, "s is n"),
        number("r-order-and-1", ORDER_AND_1, ONE, "r is n + 1"),
        number("s-order-and-1", ONE, ORDER_AND_1, "s is n + 1"),
        long_number(),
        padded("r"),
        padded("s"),
        negative(),
        empty(),
        long_length(),
    ]
}

/// The order n of P-256 (SEC 2 section 2.4.2).
const ORDER: &str = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
const ORDER_AND_1: &str = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632552";
const ZERO: &str = "00";
const ONE: &str = "01";

fn halves(signature: [u8; 64]) -> [Vec<u8>; 2] {
    let (r, s) = signature.split_at(32);
    [r.to_vec(), s.to_vec()]
}

fn right() -> [Vec<u8>; 2] {
    halves(sign(&ours(), &good().info()))
}

fn high() -> Entry {
    let [r, s] = halves(sign_high(&ours(), &good().info()));
    accepted(
        "signature-high-s",
        "CSR-3",
        "A high s is accepted.",
        good().signed_as(&ecdsa_value(&r, &s)).der(),
    )
    .also("CSR-5")
    .why(
        "TPMs and libraries make either. Nothing counts or remembers a CSR's signature, so low s is \
            not asked for.",
    )
    .recipe("Replace s by n - s where s is low.")
}

/// One signature in 128 has a number of at most 31 octets.
fn short() -> Entry {
    let csr = short_signature();
    accepted(
        "signature-short-number",
        "CSR-3",
        "A signature with a number of 31 octets is accepted.",
        csr.der(),
    )
    .why(
        "Signers that write 32 octets whatever the number make a bad request once in some hundred, and \
            verifiers that expect 32 refuse a good one.",
    )
    .recipe("Vary the subject until r or s begins with a zero octet; write it minimally.")
}

/// The first number that, as CN, gives a signature whose s has at most 31 octets.
const SHORT: &str = "77";

fn short_signature() -> Csr {
    Csr { subject: crate::testkit::csr::name(&[("2.5.4.3", SHORT)]), ..good() }
}

fn other(name: &str, title: &str, value: &[u8], what: &str) -> Entry {
    refused(&format!("signature-{name}"), "CSR-3", title, good().signed_as(value).der())
        .twin(HONEST, &["/in/csr:signature"], what)
        .recipe(&format!("Write another signature: {what}."))
}

fn number(name: &str, r: &str, s: &str, what: &str) -> Entry {
    let [r, s] = [r, s].map(|text| hex::decode(text).unwrap_or_default());
    other(name, &format!("A signature whose {what} is refused."), &ecdsa_value(&r, &s), what).why(
        "Verifiers without the range check have accepted zeros, and everything congruent, for any message.",
    )
}

fn long_number() -> Entry {
    let [r, s] = right();
    let value = ecdsa_value(&r, &[vec![1], s].concat());
    other("long-number", "An s of 33 octets is refused.", &value, "2^256 is added to s")
        .why("Code that copies the last 32 octets finds the right number.")
}

fn padded(which: &str) -> Entry {
    let [r, s] = right();
    let number = |octets: &[u8], pad: bool| {
        let minimal = der::unsigned(octets);
        let (_, content) = minimal.split_at(2);
        if pad { der::tlv(der::INTEGER, [&[0], content].concat()) } else { minimal }
    };
    let value = der::sequence(&[&number(&r, which == "r"), &number(&s, which == "s")]);
    other(
        &format!("padded-{which}"),
        &format!("An {which} that is not minimal is refused."),
        &value,
        &format!("a zero octet in front of {which}"),
    )
    .also("CSR-1")
    .why("Signers that write fixed widths make these; lenient readers give one signature many encodings.")
}

fn negative() -> Entry {
    let [mut r, s] = right();
    if let Some(first) = r.first_mut() {
        *first |= 0x80;
    }
    let value = der::sequence(&[&der::tlv(der::INTEGER, r), &der::unsigned(&s)]);
    other(
        "negative",
        "A negative r is refused.",
        &value,
        "the high bit of r is set and no zero octet \
        stands in front",
    )
    .why(
        "A signer that copies 32 octets forgets the sign; readers that take octets as unsigned do not \
            notice.",
    )
}

fn empty() -> Entry {
    let [_, s] = right();
    let value = der::sequence(&[&der::tlv(der::INTEGER, []), &der::unsigned(&s)]);
    other("empty-number", "An r of no octets is refused.", &value, "r has no content")
        .why("It is no INTEGER at all, and zero for many readers.")
}

fn long_length() -> Entry {
    let [r, s] = right();
    let r = der::unsigned(&r);
    let long = der::tlv_with(der::INTEGER, der::Length::Long(1), r.split_at(2).1);
    let value = der::sequence(&[&long, &der::unsigned(&s)]);
    other(
        "number-of-long-length",
        "An r whose length is in long form is refused.",
        &value,
        "the length of r has two octets",
    )
    .also("CSR-1")
    .why("The test vectors of this class have found BER readers behind DER interfaces for years.")
}

#[cfg(test)]
#[test]
fn the_named_subject_gives_a_short_number() {
    let [r, s] = halves(sign(&ours(), &short_signature().info()));
    assert!(r[0] == 0 || s[0] == 0);
}
