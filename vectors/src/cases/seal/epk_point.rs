//! The point of `epk`: below the prime and on the curve, before any key operation (SEAL-5).
//!
//! Where possible the seal is made so that an opener without the check opens it: the shared secret is what
//! curve formulas give for the bad point.

use p256::PublicKey;

use super::{HONEST, good, opens, refused, server};
use crate::case::Entry;
use crate::testkit::encode::b64u;
use crate::testkit::keys::{key, public_jwk};
use crate::testkit::seal::{Seal, epk_text, jwe};

pub(super) fn entries() -> Vec<Entry> {
    vec![
        small("epk-small-x", "An x of 5 opens: its other 31 octets are zero.", SMALL_X),
        small("epk-small-y", "A y of 5 opens: its other 31 octets are zero.", SMALL_Y),
        over_the_prime("x", "epk-small-x", SMALL_X, [PRIME_AND_5, SMALL_X[1]]),
        over_the_prime("y", "epk-small-y", SMALL_Y, [SMALL_Y[0], PRIME_AND_5]),
        off_by_one(),
        order_two(),
        origin(),
        prime(),
        all_ones(),
        other_curve(),
    ]
}

const FIVE: &str = "0000000000000000000000000000000000000000000000000000000000000005";
/// p + 5, p being the prime of the field (SEC 2 section 2.4.2).
const PRIME_AND_5: &str = "ffffffff00000001000000000000000000000001000000000000000000000004";
const PRIME: &str = "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff";
/// The point with x = 5.
const SMALL_X: [&str; 2] = [FIVE, "459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc"];
/// A point with y = 5.
const SMALL_Y: [&str; 2] = ["d7325d7646cd60d80a92738ceb345f844cffaf35841022cab176f692de8de1d7", FIVE];

fn epk(point: [&str; 2]) -> String {
    let [x, y] = point.map(|coordinate| b64u(hex::decode(coordinate).unwrap_or_default()));
    epk_text(&x, &y)
}

/// A seal whose ephemeral key is this point: nobody knows its scalar, so the server computes.
fn sealed_by(point: [&str; 2]) -> Seal {
    let octets = hex::decode(format!("04{}{}", point[0], point[1])).unwrap_or_default();
    let z =
        PublicKey::from_sec1_bytes(&octets).map(|public| jwe::agree(&server(), &public)).unwrap_or_default();
    Seal { z, ..good() }.member("epk", &epk(point))
}

fn small(case: &str, title: &str, point: [&str; 2]) -> Entry {
    opens(case, "SEAL-5", title, sealed_by(point).text())
        .why("A right point, and the twin of the one whose coordinate exceeds the prime.")
        .recipe("Take the point as epk and reach the shared secret with the server's private key.")
}

fn over_the_prime(name: &str, twin: &str, point: [&str; 2], written: [&str; 2]) -> Entry {
    let seal = sealed_by(point).member("epk", &epk(written));
    let title = format!("A coordinate {name} of p + 5 is refused.");
    refused(&format!("epk-{name}-over-the-prime"), "SEAL-5", &title, seal.text())
        .why("Code that reduces it finds a right point and opens the seal: one key with two spellings.")
        .twin(
            &format!("seal/{twin}"),
            &[&format!("/in/seal:header.epk.{name}")],
            "p is added to the coordinate; the tag holds",
        )
        .recipe("Take the point with that coordinate 5, write the coordinate as p + 5, then encrypt.")
}

fn bad_point(case: &str, title: &str, epk: &str, z: Option<Vec<u8>>, what: &str) -> Entry {
    let seal = Seal { z: z.unwrap_or_else(|| good().z), ..good() }.member("epk", epk);
    refused(case, "SEAL-5", title, seal.text())
        .twin(HONEST, &["/in/seal:header.epk"], what)
        .recipe(&format!("Make the seal with this epk: {what}."))
}

fn off_by_one() -> Entry {
    let jwk = public_jwk(&key("seal ephemeral: good"));
    let spki = crate::testkit::signature::spki(&key("seal ephemeral: good"));
    let (_, y) = spki.split_at(spki.len() - 32);
    let mut y = y.to_vec();
    if let Some(last) = y.last_mut() {
        *last ^= 1;
    }
    let epk = epk_text(jwk["x"].as_str().unwrap_or_default(), &b64u(y));
    bad_point(
        "epk-off-the-curve",
        "A point beside the curve is refused.",
        &epk,
        None,
        "the last bit of y is flipped",
    )
    .why("A point off the curve lies on another one, where the server's answers give away its static key.")
}

/// (x, 0) has order two on the curve through it: any odd multiple is the point itself.
fn order_two() -> Entry {
    let x = b64u([9; 32]);
    let epk = epk_text(&x, &b64u([0; 32]));
    let what = "x is 32 octets 09, y is zero, and the shared secret is x";
    bad_point(
        "epk-order-two",
        "A point of order two on another curve is refused.",
        &epk,
        Some(vec![9; 32]),
        what,
    )
    .why(
        "The textbook attack: an opener without the check opens this seal, and its verdict tells a bit \
            of its key.",
    )
}

fn origin() -> Entry {
    let epk = epk_text(&b64u([0; 32]), &b64u([0; 32]));
    let what = "x and y are 32 zero octets, and so is the shared secret";
    bad_point("epk-origin", "The point (0, 0) is refused.", &epk, Some(vec![0; 32]), what).why(
        "Libraries have used (0, 0) for infinity and let it pass; the secret is then zero for every key.",
    )
}

fn prime() -> Entry {
    let what = "x is the prime of the field, y is zero, and the shared secret is zero";
    bad_point(
        "epk-prime",
        "An x that is the prime itself is refused.",
        &epk([PRIME, &"00".repeat(32)]),
        Some(vec![0; 32]),
        what,
    )
    .why("It is zero after reduction: the boundary of the check against the prime.")
}

fn all_ones() -> Entry {
    let ones = "ff".repeat(32);
    bad_point(
        "epk-all-ones",
        "Coordinates of all ones are refused.",
        &epk([&ones, &ones]),
        None,
        "x and y are 32 octets ff",
    )
    .why("Both are over the prime; code that only looks at the length computes with them.")
}

/// The base point of secp256k1 (SEC 2 section 2.4.1).
fn other_curve() -> Entry {
    let point = [
        "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
        "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8",
    ];
    bad_point(
        "epk-of-secp256k1",
        "A point of secp256k1 under the name P-256 is refused.",
        &epk(point),
        None,
        "epk is the base point of secp256k1",
    )
    .why("Coordinates of another curve of the same size differ in nothing but the equation.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::keys::private_jwk;
    use crate::testkit::seal::open;

    #[test]
    fn the_small_points_are_on_the_curve_and_their_seals_open() {
        for point in [SMALL_X, SMALL_Y] {
            assert!(open(&private_jwk(&server()), sealed_by(point).text().as_bytes()).is_ok());
        }
    }

    #[test]
    fn the_servers_scalar_is_odd_as_the_point_of_order_two_needs() {
        assert_eq!(server().to_bytes()[31] & 1, 1);
    }

    #[test]
    fn the_written_number_is_the_prime_and_five() {
        let [low, high] = [PRIME, PRIME_AND_5].map(|number| u128::from_str_radix(&number[32..], 16).unwrap());
        assert_eq!(high, low + 5);
        assert_eq!(PRIME[..32], PRIME_AND_5[..32]);
    }
}
