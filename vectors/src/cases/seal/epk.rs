//! The coordinates of `epk` as text: canonical base64url of exactly 32 octets (SEAL-5).

use p256::SecretKey;

use super::{HONEST, good, opens, quoted, refused, server};
use crate::case::Entry;
use crate::testkit::encode::b64u;
use crate::testkit::keys::{key, public_jwk};
use crate::testkit::seal::{Seal, epk_text};

pub(super) fn entries() -> Vec<Entry> {
    vec![
        kept("x", LEADING_ZERO_X),
        kept("y", LEADING_ZERO_Y),
        cut("x", LEADING_ZERO_X),
        cut("y", LEADING_ZERO_Y),
        longer(),
        empty(),
        padded(),
        unused_bits(),
        hexadecimal(),
        number(),
    ]
}

/// The first of the keys `seal ephemeral: leading zero x <number>` whose x begins with a zero octet.
const LEADING_ZERO_X: &str = "leading zero x 588";
/// The same for y.
const LEADING_ZERO_Y: &str = "leading zero y 125";

fn ephemeral(name: &str) -> SecretKey {
    key(&format!("seal ephemeral: {name}"))
}

fn coordinates(key: &SecretKey) -> [Vec<u8>; 2] {
    let spki = crate::testkit::signature::spki(key);
    let (_, point) = spki.split_at(spki.len() - 64);
    let (x, y) = point.split_at(32);
    [x.to_vec(), y.to_vec()]
}

fn short(name: &str) -> Seal {
    good().ephemeral(&ephemeral(name), &server())
}

fn kept(coordinate: &str, name: &str) -> Entry {
    let case = format!("epk-leading-zero-{coordinate}");
    opens(
        &case,
        "SEAL-5",
        &format!("An {coordinate} that begins with a zero octet keeps it."),
        short(name).text(),
    )
    .why(
        "One ephemeral key in 128 has such a coordinate. Number types drop the octet, and the seal \
            does not open.",
    )
    .recipe(&format!("Make ephemeral keys until {coordinate} begins with a zero octet; write 32 octets."))
}

fn cut(coordinate: &str, name: &str) -> Entry {
    let [x, y] = coordinates(&ephemeral(name));
    let (x_from, y_from) = if coordinate == "x" { (1, 0) } else { (0, 1) };
    let epk = epk_text(&b64u(x.split_at(x_from).1), &b64u(y.split_at(y_from).1));
    let title = format!("An {coordinate} of 31 octets, its leading zero dropped, is refused.");
    refused(&format!("epk-short-{coordinate}"), "SEAL-5", &title, short(name).member("epk", &epk).text())
        .why("A parser that pads what is short opens it, and gives one key two spellings.")
        .twin(
            &format!("seal/epk-leading-zero-{coordinate}"),
            &[&format!("/in/seal:header.epk.{coordinate}")],
            "the leading zero octet is dropped; the tag holds",
        )
        .recipe(&format!(
            "Make ephemeral keys until {coordinate} begins with a zero octet; write the other 31."
        ))
}

/// The honest seal with x or y written otherwise.
fn respelt(case: &str, title: &str, x: &str, y: &str, at: &str, what: &str) -> Entry {
    refused(case, "SEAL-5", title, good().member("epk", &epk_text(x, y)).text())
        .twin(HONEST, &[&format!("/in/seal:header.epk.{at}")], what)
        .recipe(&format!("Change epk, then encrypt: {what}."))
}

fn right() -> [String; 2] {
    coordinates(&ephemeral("good")).map(b64u)
}

fn longer() -> Entry {
    let [x, y] = coordinates(&ephemeral("good"));
    let x = b64u([vec![0], x].concat());
    respelt(
        "epk-long-x",
        "An x of 33 octets, a zero in front, is refused.",
        &x,
        &b64u(y),
        "x",
        "a zero octet in front of x",
    )
    .why("Big integers in some languages come with a sign octet, and lenient readers skip it.")
}

fn empty() -> Entry {
    refused(
        "epk-infinity",
        "SEAL-5",
        "An epk of two empty coordinates is refused.",
        good().member("epk", &epk_text("", "")).text(),
    )
    .twin(HONEST, &["/in/seal:header.epk"], "x and y are empty; the tag holds")
    .recipe("Write x and y as empty strings, then encrypt.")
    .why("It is read as (0, 0) or as the point at infinity, whose shared secret everybody knows.")
}

fn padded() -> Entry {
    let [x, y] = right();
    respelt("epk-x-padded", "An x with padding is refused.", &(x + "="), &y, "x", "`=` appended to x")
        .why("The header's values are canonical, as the parts are.")
}

fn unused_bits() -> Entry {
    let [x, y] = coordinates(&ephemeral("good"));
    // The last of 43 characters carries four bits of the octets and two that are not used.
    let mut spelt = b64u(&x);
    let last = x.last().copied().unwrap_or_default() & 0x0f;
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    spelt.pop();
    spelt.extend(alphabet.chars().nth(usize::from(last) * 4 + 3));
    respelt(
        "epk-x-unused-bits",
        "Unused bits of x that are not zero are refused.",
        &spelt,
        &b64u(y),
        "x",
        "the two unused bits of x are set",
    )
    .why("The octets are the same: a second spelling that survives most decoders.")
}

fn hexadecimal() -> Entry {
    let [x, y] = coordinates(&ephemeral("good"));
    respelt(
        "epk-x-hex",
        "An x in hexadecimal is refused.",
        &hex::encode(x),
        &b64u(y),
        "x",
        "x is written in hexadecimal",
    )
    .why("It decodes as base64url, to 48 octets.")
}

fn number() -> Entry {
    let jwk = public_jwk(&ephemeral("good"));
    let y = quoted(jwk["y"].as_str().unwrap_or_default());
    let epk = format!(r#"{{"kty":"EC","crv":"P-256","x":1,"y":{y}}}"#);
    refused("epk-x-number", "SEAL-5", "An x that is a number is refused.", good().member("epk", &epk).text())
        .why("Code that expects a string panics here.")
        .twin(HONEST, &["/in/seal:header.epk.x"], "x is the number 1; the tag holds")
        .recipe("Write x as the number 1, then encrypt.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_named_keys_have_a_leading_zero() {
        assert_eq!(coordinates(&ephemeral(LEADING_ZERO_X))[0][0], 0);
        assert_eq!(coordinates(&ephemeral(LEADING_ZERO_Y))[1][0], 0);
    }
}
