//! `iat` is an integer of digits, 0..=253402300799 (SEAL-4).

use super::{HONEST, good, input, opens, out, refused};
use crate::case::{Entry, accept, reject};

pub(super) fn entries() -> Vec<Entry> {
    vec![
        zero(),
        last(),
        recorded(),
        after_the_last(),
        before_the_first(),
        fraction(),
        exponent(),
        text(),
        leading_zero(),
        forms(),
    ]
}

fn zero() -> Entry {
    opens("iat-zero", "SEAL-4", "The first second opens: an iat of 0.", good().member("iat", "0").text())
        .out(out(0))
        .choice("seal.iat-window", "none")
        .why("A machine without a clock says 1970. Code that takes 0 for absent refuses it.")
        .recipe("Seal with iat 0.")
}

fn last() -> Entry {
    let seal = good().member("iat", "253402300799").text();
    opens("iat-last", "SEAL-4", "The last second opens: the end of the year 9999.", seal)
        .out(out(253_402_300_799))
        .choice("seal.iat-window", "none")
        .why("The value is beyond 32 bits, and no window refuses it.")
        .recipe("Seal with iat 253402300799.")
}

fn recorded() -> Entry {
    let entry = accept(
        "seal/iat-recorded",
        "SEAL-4",
        "Without a window the time is recorded and never \
        refuses.",
    )
    .family("seal.open")
    .choice("seal.iat-window", "none")
    .why(
        "Machines boot with wrong clocks; a join that fails for it strands them in places without a \
            network clock.",
    )
    .recipe("Seal with the iat of the row.");
    let rows = [
        ("a-day-ago", 1_767_139_200),
        ("in-a-day", 1_767_312_000),
        ("in-2038", 2_147_483_648),
        ("in-2106", 4_294_967_296),
    ];
    rows.iter().fold(entry, |entry, (name, iat)| {
        entry.row(name, input(good().member("iat", &iat.to_string()).text()), out(*iat))
    })
}

fn wrong(case: &str, title: &str, iat: &str, twin: &str) -> Entry {
    refused(case, "SEAL-4", title, good().member("iat", iat).text())
        .twin(twin, &["/in/seal:header.iat"], &format!("iat is written {iat}; the tag holds"))
        .recipe(&format!("Write {iat} as the value of iat, then encrypt."))
}

fn after_the_last() -> Entry {
    wrong("iat-after-the-last", "One second after the year 9999 is refused.", "253402300800", "seal/iat-last")
        .why("Beyond it times have no form in RFC 3339, so the value could not be recorded as one.")
}

fn before_the_first() -> Entry {
    wrong("iat-negative", "An iat of -1 is refused.", "-1", "seal/iat-zero")
        .why("A negative number read as unsigned is the far future.")
}

fn fraction() -> Entry {
    wrong("iat-fraction", "An iat with a fraction is refused, even one of zero.", "1767225600.0", HONEST)
        .why("Readers differ in whether 1.0 is an integer; RFC 7519 allows it, this profile does not.")
}

fn exponent() -> Entry {
    wrong("iat-exponent", "An iat with an exponent is refused.", "17672256e2", HONEST)
        .why("The same number in another spelling: one value has one text.")
}

fn text() -> Entry {
    wrong("iat-text", "An iat that is a string is refused.", "\"1767225600\"", HONEST)
        .why("Languages that convert between texts and numbers accept it unseen.")
}

fn leading_zero() -> Entry {
    refused(
        "iat-leading-zero",
        "SEAL-4",
        "An iat with a leading zero is refused.",
        good().member("iat", "01767225600").text(),
    )
    .why("It is no JSON, and readers for scripts take it for octal.")
    .twin(HONEST, &["/in/seal:headerText"], "iat is written 01767225600; the tag holds")
    .recipe("Write 01767225600 as the value of iat, then encrypt.")
}

fn forms() -> Entry {
    let entry = reject(
        "seal/iat-form",
        "SEAL-4",
        "seal",
        "Whatever is not plain digits in range is refused.",
    )
    .family("seal.open")
    .refused()
    .why("Each of these is accepted by some reader: milliseconds for seconds, minus zero, capital exponents.")
    .twin(HONEST, &["/in/seal:header"], "iat is written as the row says; the tag holds")
    .recipe("Replace the value of iat in the header, then encrypt.");
    let rows = [
        ("milliseconds", "1767225600000"),
        ("minus-zero", "-0"),
        ("zero-with-fraction", "0.0"),
        ("one-with-fraction", "1.0"),
        ("small-exponent", "1e3"),
        ("capital-exponent", "1E3"),
        ("zero-exponent", "1767225600e0"),
        ("half", "1767225600.5"),
        ("plus", "+1767225600"),
        ("two-zeros", "00"),
        ("hexadecimal", "0x6955b900"),
        ("over-63-bits", "9223372036854775808"),
        ("over-64-bits", "18446744073709551616"),
        ("four-hundred-digits", &"9".repeat(400)),
        ("true", "true"),
        ("list", "[1767225600]"),
        ("object", "{}"),
        ("empty-text", "\"\""),
        ("rfc3339", "\"2026-01-01T00:00:00Z\""),
    ];
    rows.iter().fold(entry, |entry, (name, iat)| entry.bad(name, input(good().member("iat", iat).text())))
}
