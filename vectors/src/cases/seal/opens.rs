//! Seals that must open: the plain one, the spec's example, and every freedom that the rules leave.

use p256::SecretKey;
use serde_json::json;

use super::{good, opens};
use crate::case::{Entry, accept};
use crate::testkit::csr::with_binding;
use crate::testkit::encode::b64u;
use crate::testkit::keys::{hash, private_jwk};
use crate::testkit::request::{claims, request};
use crate::testkit::seal::EXAMPLE;

pub(super) fn entries() -> Vec<Entry> {
    vec![honest(), example(), member_order(), white_space(), escapes()]
}

fn honest() -> Entry {
    opens("honest", "SEAL-1", "A right seal for the request beside it opens to the token.", good().text())
        .documented()
        .also("SEAL-2")
        .also("SEAL-3")
        .also("SEAL-5")
        .why("Nearly every other case differs from this one in a single thing.")
        .recipe("Seal a token to the key held, with the hash of the request beside it and the clock as iat.")
}

/// The key and the request are the page's; the octets were made by another implementation.
fn example() -> Entry {
    let secret =
        |name: &str| SecretKey::from_slice(&hash(name)).map(|key| private_jwk(&key)).unwrap_or_default();
    let claims = claims(json!({
        "productUuid": "4C4C4544-0051-3410-8051-B5C04F375931",
        "productSerial": "5Q4Q7Y1",
        "hostname": "b7-u12",
        "permanentMacs": ["3C:EC:EF:12:34:56"],
    }));
    let request = request("join-token", "node", "jt_01kdvdna00e008000000000001", &claims);
    let node = SecretKey::from_slice(&hash("example node key")).ok();
    let csr =
        node.and_then(|node| with_binding(&node, &request).ok()).map(|csr| csr.der()).unwrap_or_default();
    let input = json!({"seal": b64u(EXAMPLE), "csr": b64u(csr), "keys": [secret("example encryption key")]});
    accept("seal/example", "SEAL-1", "The example of the specification opens.")
        .also("SEAL-2")
        .why(
            "A known answer made elsewhere: libraries that seal and open with one wrong key derivation \
                agree with \
             themselves and with nobody else.",
        )
        .call("seal.open", input)
        .out(json!({
            "token": "bcjt_jt_01kdvdna00e008000000000001.AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
            "iat": 1_767_225_600,
        }))
        .recipe(
            "The seal, the request and the key of the example on the page about SEAL, as they stand \
            there.",
        )
}

fn member_order() -> Entry {
    let mut seal = good();
    seal.members.reverse();
    opens("header-member-order", "SEAL-5", "The header's members stand in another order.", seal.text())
        .why(
            "JSON objects have no order; an opener that compares the header with a template refuses other \
            clients.",
        )
        .recipe("Write the header's members in reverse, then seal.")
}

fn white_space() -> Entry {
    let spaced = String::from_utf8_lossy(&good().header_octets()).replace(',', " ,\t").replace(':', "\r\n: ");
    let seal = good().header(format!("\n {spaced}\t\r\n"));
    opens("header-white-space", "SEAL-5", "White space stands around the header's tokens.", seal.text())
        .why("The header is JSON, and JSON writers differ in their blanks.")
        .recipe("Put space, tab, CR and LF before, between and after the header's tokens, then seal.")
}

fn escapes() -> Entry {
    let mut seal = good().member("enc", r#""\u00412\u00356GCM""#).member("typ", r#""bcjt\u002Bjwe""#);
    if let Some((name, _)) = seal.members.first_mut() {
        *name = r"\u0061l\u0067".into();
    }
    opens("header-escapes", "SEAL-5", "Names and values of the header are written with escapes.", seal.text())
        .why(
            "Names and values are compared after their escapes are decoded; a parser of its own often \
            forgets it.",
        )
        .recipe(r#"Write alg as "\u0061l\u0067" and characters of enc and typ as \u escapes, then seal."#)
}
