//! Another key management: refused by its name, before any key is used (SEAL-6).

use super::{HONEST, good, input, quoted, refused};
use crate::case::{Entry, reject};
use crate::testkit::seal::{ALG, ENC, Seal, jwe};

pub(super) fn entries() -> Vec<Entry> {
    vec![
        direct(),
        direct_with_key(),
        wrapped("ECDH-ES+A128KW", 16),
        wrapped("ECDH-ES+A192KW", 24),
        plain_wrap(),
        pbes2(),
        names(),
    ]
}

const ALG_PLACE: &str = "/in/seal:header.alg";

fn other(case: &str, title: &str, seal: &Seal, at: &[&str], what: &str) -> Entry {
    refused(case, "SEAL-6", title, seal.text())
        .also("SEAL-5")
        .twin(HONEST, at, what)
        .recipe(&format!("Make the seal by that algorithm's own rules: {what}."))
}

/// Direct agreement (RFC 7518 4.6): the derived key is the content key, labelled with `enc`.
fn agreed() -> Seal {
    let seal = good().member("alg", &quoted("ECDH-ES"));
    let cek = jwe::concat_kdf(&seal.z, ENC, &[], &[], 32);
    Seal { cek, encrypted_key: Some(Vec::new()), ..seal }
}

fn direct() -> Entry {
    let what = "alg is ECDH-ES, the content key is the agreed one, the encrypted key is empty";
    other(
        "alg-direct",
        "Direct key agreement is refused, rightly made as it is.",
        &agreed(),
        &[ALG_PLACE, "/in/seal:cek", "/in/seal:encryptedKey"],
        what,
    )
    .why("A library that takes the algorithm from the message opens it.")
}

fn direct_with_key() -> Entry {
    let seal = Seal { encrypted_key: Some(jwe::wrap(&good().kek(), &good().cek)), ..agreed() };
    let what =
        "alg is ECDH-ES, the content key is the agreed one, and an encrypted key stands there all the same";
    other(
        "alg-direct-with-key",
        "Direct key agreement with an encrypted key is refused.",
        &seal,
        &[ALG_PLACE, "/in/seal:cek"],
        what,
    )
    .why("Libraries have opened direct mode without looking at the part that must be empty.")
}

fn wrapped(alg: &str, kek_octets: usize) -> Entry {
    let seal = Seal { label: alg.into(), kek_octets, ..good().member("alg", &quoted(alg)) };
    let case = format!("alg-{}", alg.to_ascii_lowercase().replace('+', "-"));
    let what = format!("alg is {alg}, the key-encryption key has {} bits", kek_octets * 8);
    other(&case, &format!("{alg} is refused, rightly made as it is."), &seal, &[ALG_PLACE], &what)
        .why("One algorithm exists here; a weaker sibling that works is a downgrade.")
}

fn plain_wrap() -> Entry {
    let seal = good().member("alg", &quoted("A128KW"));
    other("alg-a128kw", "A128KW is refused.", &seal, &[ALG_PLACE], "alg is A128KW")
        .why("A symmetric algorithm tempts a library to use what key it finds.")
}

fn pbes2() -> Entry {
    let members = [("p2s", quoted("AAAAAAAAAAAAAAAAAAAAAA")), ("p2c", "2147483647".into())];
    let seal =
        members.iter().fold(good().member("alg", &quoted("PBES2-HS256+A128KW")), |seal, (name, value)| {
            seal.and_member(name, value)
        });
    let places = [ALG_PLACE, "/in/seal:header.p2s", "/in/seal:header.p2c"];
    other(
        "alg-pbes2",
        "PBES2 with two thousand million iterations is refused at once.",
        &seal,
        &places,
        "alg, p2s and p2c of PBES2",
    )
    .why("The sender chooses how long the server computes, before anything is authenticated.")
    .recipe("Put alg PBES2-HS256+A128KW, a salt and p2c 2147483647 into the header.")
}

fn names() -> Entry {
    let entry = reject("seal/alg-name", "SEAL-6", "seal", "Any other value of alg is refused.")
        .also("SEAL-5")
        .family("seal.open")
        .refused()
        .why("The value is compared exactly, as a string, in its case; the rest of the seal is honest.")
        .twin(HONEST, &["/in/seal:header.alg"], "alg has the value of the row; the tag holds")
        .recipe("Replace alg in the header, then encrypt.");
    let rows = [
        ("lower-case", quoted(&ALG.to_ascii_lowercase())),
        ("blank-behind", quoted(&format!("{ALG} "))),
        ("empty", quoted("")),
        ("none", quoted("none")),
        ("dir", quoted("dir")),
        ("rsa-oaep", quoted("RSA-OAEP-256")),
        ("ecdh-1pu", quoted("ECDH-1PU+A256KW")),
        ("nul-behind", quoted(&format!("{ALG}\\u0000"))),
        ("list", format!("[\"{ALG}\"]")),
        ("number", "0".into()),
    ];
    rows.iter().fold(entry, |entry, (name, value)| entry.bad(name, input(good().member("alg", value).text())))
}
