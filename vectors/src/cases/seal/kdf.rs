//! The key-encryption key: one derivation and one additional data, those of RFC 7518 and 7516 (SEAL-1).
//!
//! Each seal here is right but for how its keys come about: an opener with the same mistake opens it.

use super::{HONEST, good, opens, refused, server};
use crate::case::Entry;
use crate::testkit::keys::{hash, key};
use crate::testkit::seal::{ALG, ENC, Seal};

pub(super) fn entries() -> Vec<Entry> {
    vec![
        labelled("label-enc", ENC, "the name of the content encryption"),
        labelled("label-empty", "", "no name"),
        labelled("label-wrap", "A256KW", "the name of the key wrapping alone"),
        party(),
        hash_of_z(),
        other_length(),
        no_prefixes(),
        zero_kept(),
        zero_dropped(),
        data("aad-empty", Vec::new(), "no additional data"),
        data("aad-decoded", good().header_octets(), "the header's octets instead of their text"),
    ]
}

fn derived(case: &str, title: &str, seal: &Seal, what: &str) -> Entry {
    refused(&format!("kdf-{case}"), "SEAL-1", title, seal.text())
        .twin(HONEST, &["/in/seal:encryptedKey"], what)
        .recipe(&format!("Derive the key-encryption key otherwise: {what}."))
}

fn labelled(case: &str, label: &str, what: &str) -> Entry {
    let title = format!("A key derived with {what} as AlgorithmID is refused.");
    derived(case, &title, &Seal { label: label.into(), ..good() }, &format!("AlgorithmID is {what}"))
        .why("Libraries have been wrong here on both sides, and then open nobody's seals but their own.")
}

fn party() -> Entry {
    let seal = Seal { apu: b"client".to_vec(), apv: b"server".to_vec(), ..good() };
    let what = "PartyUInfo is `client` and PartyVInfo is `server`, though the header names neither";
    derived("party", "A key derived with party names that the header does not carry is refused.", &seal, what)
        .why("Both fields are empty here, and the header cannot carry them.")
}

fn hash_of_z() -> Entry {
    let seal = Seal { kek: Some(hash(&good().z).to_vec()), ..good() };
    derived("hash-alone", "The bare SHA-256 of the shared secret is refused.", &seal, "the key is H(Z)")
        .why("Plain hashing works with itself, and ties the key to no algorithm.")
}

fn other_length() -> Entry {
    let info = [&[0, 0, 0, 1], good().z.as_slice(), &[0, 0, 0, 14], ALG.as_bytes(), &[0; 8], &[0, 0, 0, 32]]
        .concat();
    let seal = Seal { kek: Some(hash(info).to_vec()), ..good() };
    derived(
        "length-in-octets",
        "A key derived with its length in octets is refused.",
        &seal,
        "SuppPubInfo is 32, not 256",
    )
    .why("SuppPubInfo counts bits.")
}

fn no_prefixes() -> Entry {
    let info = [&[0, 0, 0, 1], good().z.as_slice(), ALG.as_bytes(), &[0, 0, 1, 0]].concat();
    let seal = Seal { kek: Some(hash(info).to_vec()), ..good() };
    derived(
        "without-lengths",
        "A key derived without the fields' lengths is refused.",
        &seal,
        "the length prefixes are left out",
    )
    .why("Implementations have forgotten the prefix of the AlgorithmID.")
}

/// The first of the keys `seal ephemeral: leading zero z <number>` whose shared secret with the server has a
/// leading zero octet.
const LEADING_ZERO_Z: &str = "seal ephemeral: leading zero z 56";

fn zero() -> Seal {
    good().ephemeral(&key(LEADING_ZERO_Z), &server())
}

fn zero_kept() -> Entry {
    opens(
        "kdf-leading-zero",
        "SEAL-1",
        "A shared secret that begins with a zero octet keeps it.",
        zero().text(),
    )
    .why("One seal in 256; number types drop the octet, and then that one does not open.")
    .recipe("Make ephemeral keys until the shared secret begins with a zero octet, then seal.")
}

fn zero_dropped() -> Entry {
    let mut z = zero().z;
    z.remove(0);
    refused(
        "kdf-leading-zero-dropped",
        "SEAL-1",
        "A shared secret of 31 octets, its zero dropped, is \
        refused.",
        Seal { z, ..zero() }.text(),
    )
    .why("The other half of the same mistake, made by the sender.")
    .twin(
        "seal/kdf-leading-zero",
        &["/in/seal:encryptedKey"],
        "Z enters the derivation without its \
            leading zero",
    )
    .recipe(
        "Make ephemeral keys until the shared secret begins with a zero octet, and derive without \
            that octet.",
    )
}

fn data(case: &str, aad: Vec<u8>, what: &str) -> Entry {
    let title = format!("A tag over {what} is refused.");
    refused(case, "SEAL-1", &title, Seal { aad: Some(aad), ..good() }.text())
        .why(
            "Without the header's text under the tag a relay changes csr, and the seal fits another request.",
        )
        .twin(HONEST, &["/in/seal:tag"], &format!("the additional data is {what}"))
        .recipe(&format!("Encrypt with {what} as additional data."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_long_forms_differ_from_the_right_one_only_as_they_say() {
        let z = good().z;
        let right = [&[0, 0, 0, 1], z.as_slice(), &[0, 0, 0, 14], ALG.as_bytes(), &[0; 8], &[0, 0, 1, 0]];
        assert_eq!(hash(right.concat()).to_vec(), good().kek());
        assert_eq!(zero().z[0], 0);
    }
}
