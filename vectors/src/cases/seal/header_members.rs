//! The header's closed set of members: what is missing, and what does not belong there.

use super::{HONEST, good, input, refused};
use crate::case::{Entry, reject};
use crate::testkit::encode::b64u;
use crate::testkit::keys::{key, public_jwk};
use crate::testkit::seal::Seal;

pub(super) fn entries() -> Vec<Entry> {
    vec![
        missing(),
        null_values(),
        zip(),
        critical("crit-unknown", r#"["x-bc"]"#, "an extension that nobody knows", Some(("x-bc", "1"))),
        critical("crit-epk", r#"["epk"]"#, "a registered member that is there", None),
        critical("crit-registered", r#"["alg","enc"]"#, "registered members", None),
        critical("crit-empty", "[]", "no names", None),
        critical("crit-text", r#""csr""#, "a string instead of a list", None),
        party("apu-honoured", "apu", true),
        party("apu-ignored", "apu", false),
        party("apv-honoured", "apv", true),
        party("apv-ignored", "apv", false),
        jwk(),
        extra("cty", "\"json\"", "Applications decode the plaintext by it."),
        extra("x5c", "[]", "A key may come from nowhere but the server's own store."),
        extra(
            "jku",
            "\"https://127.0.0.1/keys\"",
            "An opener that fetches it makes requests for the sender.",
        ),
        extra("p2c", "2147483647", "An iteration count chosen by the sender burns the server's time."),
        extra("x", "null", "The set is closed: nothing is carried along unread."),
        extra(
            "CSR",
            "\"\"",
            "Names are case-sensitive; readers that fold them take this for the second csr.",
        ),
    ]
}

fn missing() -> Entry {
    let entry = reject(
        "seal/header-member-missing",
        "SEAL-5",
        "seal",
        "A header without one of its members \
        is refused.",
    )
    .also("SEAL-2")
    .family("seal.open")
    .refused()
    .why(
        "Readers fill in defaults; a seal without csr would fit every request, and one without typ \
            every purpose.",
    )
    .twin(HONEST, &["/in/seal:header"], "the member of the row's name is left out; the tag holds")
    .recipe("Leave out the member, then encrypt.");
    ["alg", "enc", "typ", "iat", "csr", "epk"]
        .iter()
        .fold(entry, |entry, name| entry.bad(name, input(good().without(name).text())))
}

fn null_values() -> Entry {
    let entry =
        reject("seal/header-member-null", "SEAL-5", "seal", "A member with the value null is refused.")
            .family("seal.open")
            .refused()
            .why("null is no string, no integer and no object; many readers take it for absent.")
            .twin(HONEST, &["/in/seal:header"], "the member of the row's name is null; the tag holds")
            .recipe("Give the member the value null, then encrypt.");
    ["alg", "enc", "typ", "iat", "csr", "epk", "kid"]
        .iter()
        .fold(entry, |entry, name| entry.bad(name, input(good().member(name, "null").text())))
}

fn added(case: &str, name: &str, value: &str, title: &str, seal: &Seal) -> Entry {
    let at = format!("/in/seal:header.{name}");
    refused(case, "SEAL-5", title, seal.clone().and_member(name, value).text())
        .twin(HONEST, &[&at], &format!("a member {name} with the value {value}; the tag holds"))
        .recipe(&format!("Add the member {name} with the value {value} to the header, then encrypt."))
}

fn extra(name: &str, value: &str, why: &str) -> Entry {
    let title = format!("A header with a member {name} is refused.");
    added(
        &format!("header-{}", if name == "CSR" { "csr-in-capitals" } else { name }),
        name,
        value,
        &title,
        &good(),
    )
    .why(why)
}

/// DEFLATE (RFC 1951) as one stored block: the honest form of a small plaintext.
fn zip() -> Entry {
    let plaintext = good().plaintext;
    let length = plaintext.len() as u16;
    let block = [&[1], length.to_le_bytes().as_slice(), &(!length).to_le_bytes(), &plaintext].concat();
    let seal = Seal { plaintext: block, ..good() };
    added("header-zip", "zip", "\"DEF\"", "A compressed plaintext is refused.", &seal)
        .twin(
            HONEST,
            &["/in/seal:header.zip", "/in/seal:plaintext"],
            "a member zip, and a plaintext that is DEFLATE of the token",
        )
        .why("A few octets that expand to gigabytes: libraries have been taken down by it, with a valid tag.")
        .recipe("Compress the token with DEFLATE, add zip to the header, then encrypt.")
}

fn critical(case: &str, value: &str, names: &str, beside: Option<(&str, &str)>) -> Entry {
    let seal = beside.into_iter().fold(good(), |seal, (name, value)| seal.and_member(name, value));
    let at = beside.map(|(name, _)| format!("/in/seal:header.{name}"));
    let places: Vec<&str> = at.as_deref().into_iter().chain(["/in/seal:header.crit"]).collect();
    added(case, "crit", value, &format!("A crit with {names} is refused."), &seal)
        .twin(HONEST, &places, &format!("a member crit with the value {value}; the tag holds"))
        .why("Libraries have ignored crit, and have let it name members of their own.")
}

fn party(case: &str, name: &str, honoured: bool) -> Entry {
    let mut seal = good();
    if honoured {
        let party = if name == "apu" { &mut seal.apu } else { &mut seal.apv };
        *party = b"Alice".to_vec();
    }
    let how = if honoured { "entering the key derivation" } else { "that no key derivation used" };
    added(
        case,
        name,
        &format!("\"{}\"", b64u("Alice")),
        &format!(
            "A header with an {name} {how} is \
        refused."
        ),
        &seal,
    )
    .why(
        "Libraries differ in who honours it: seals that one side makes the other cannot open. So it \
            does not exist.",
    )
}

fn jwk() -> Entry {
    let value = public_jwk(&key("seal server")).to_string();
    added("header-jwk", "jwk", &value, "A header with a jwk is refused.", &good())
        .why("A key that comes with the message is the sender's choice.")
}
