//! No member twice, at any depth: parsers disagree about which one counts.

use super::{HONEST, good, quoted, refused};
use crate::case::Entry;
use crate::testkit::encode::b64u;
use crate::testkit::keys::{hash, key, public_jwk};

pub(super) fn entries() -> Vec<Entry> {
    vec![
        twice("alg", "alg", &quoted("ECDH-ES+A128KW"), "header-alg-twice"),
        twice("typ", "typ", &quoted("JWE"), "header-typ-twice"),
        twice("csr", "csr", &quoted(&b64u(hash("another request"))), "header-csr-twice"),
        twice("csr", r"\u0063sr", &quoted(&b64u(hash("another request"))), "header-csr-twice-escaped"),
        same(),
        iat(),
        first(),
        in_epk(),
    ]
}

fn twice(name: &str, spelt: &str, value: &str, case: &str) -> Entry {
    let seal = good().and_member(spelt, value).text();
    let title = format!("A header with two members {name}, the second spelt {spelt}, is refused.");
    refused(case, "SEAL-5", &title, seal)
        .why(
            "First wins, last wins, refuse: two parsers in one library have differed, and each is right \
            for somebody.",
        )
        .twin(
            HONEST,
            &["/in/seal:headerText"],
            &format!(
                "a second member {spelt} of the value {value}; the \
            tag holds"
            ),
        )
        .recipe(&format!(
            "Append the member {spelt} with the value {value} to the header's object, then \
            encrypt."
        ))
}

fn same() -> Entry {
    let value = quoted(&b64u(hash(super::beside())));
    refused(
        "header-csr-twice-equal",
        "SEAL-5",
        "Two equal members are refused as well.",
        good().and_member("csr", &value).text(),
    )
    .why(
        "A check that compares the two values instead of counting them lets it pass: again one seal, \
            two spellings.",
    )
    .twin(HONEST, &["/in/seal:headerText"], "the member csr written a second time; the tag holds")
    .recipe("Repeat the member csr at the end of the header's object, then encrypt.")
}

fn iat() -> Entry {
    refused(
        "header-iat-twice",
        "SEAL-5",
        "A header with two members iat is refused.",
        good().and_member("iat", "0").text(),
    )
    .also("SEAL-4")
    .why("One is recorded, the other compared with the window.")
    .twin(HONEST, &["/in/seal:headerText"], "a second member iat of the value 0; the tag holds")
    .recipe("Append a second iat to the header's object, then encrypt.")
}

/// The wrong one stands first, for parsers that keep the last.
fn first() -> Entry {
    let mut seal = good();
    seal.members.insert(0, ("csr".into(), quoted(&b64u(hash("another request")))));
    refused(
        "header-csr-twice-first-wrong",
        "SEAL-5",
        "Two members csr, the first of them wrong, are refused.",
        seal.text(),
    )
    .why("The same fault seen by a parser that keeps the last.")
    .twin(
        HONEST,
        &["/in/seal:headerText"],
        "a csr of another request in front of the right one; the tag holds",
    )
    .recipe("Put a csr with another hash at the beginning of the header's object, then encrypt.")
}

fn in_epk() -> Entry {
    let jwk = public_jwk(&key("seal ephemeral: good"));
    let epk = jwk.to_string().replacen('{', &format!("{{\"x\":\"{}\",", b64u([0; 32])), 1);
    refused(
        "header-epk-x-twice",
        "SEAL-5",
        "An epk with two members x is refused.",
        good().member("epk", &epk).text(),
    )
    .why("A check for members that occur twice which looks at the outer object only misses it.")
    .twin(HONEST, &["/in/seal:headerText"], "an x of zeros in front of the right x; the tag holds")
    .recipe("Put a member x of zeros at the beginning of epk, then encrypt.")
}
