//! The 64 octets themselves: width, range, and the one of two that counts.

use p256::ecdsa::Signature;

use serde_json::json;

use crate::case::{Entry, reject};
use crate::testkit::encode::b64u;
use crate::testkit::signature::{sign_der, sign_high};

use super::golden::{changed, highest_low_s};
use super::{RECIPE, fields, plain, signer, verify};

/// The order of the group (FIPS 186-5; SEC 2).
const N: &str = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";

pub(super) fn cases() -> Vec<Entry> {
    vec![high(), just_high(), range(), length(), der(), swapped(), little_endian(), another_message()]
}

fn bad(name: &str, title: &str, what: &str) -> Entry {
    reject(&format!("signature/{name}"), "SIGNATURE-1", "signature", title)
        .twin("signature/verified#join-response", &["/in/sig"], what)
        .recipe(RECIPE)
}

fn high() -> Entry {
    bad("high-s", "A high s is refused although the curve's equation holds.", "s replaced by n - s")
        .call("signature.verify", verify("join-response", sign_high(&signer(), &plain("join-response"))))
        .why(
            "Both (r, s) and (r, n - s) verify; lists of used or blocked signatures were passed with the \
            other one.",
        )
}

fn just_high() -> Entry {
    let (key, sig) = highest_low_s();
    let high = Signature::from_slice(&sig)
        .and_then(|low| Signature::from_scalars(low.r(), -*low.s()))
        .map(|high| high.to_bytes().to_vec())
        .unwrap_or_default();
    let input = json!({
        "purpose": "join-response", "fields": fields("join-response"), "key": b64u(key), "sig": b64u(high),
    });
    reject("signature/lowest-high-s", "SIGNATURE-1", "signature", "s = (n + 1) / 2 is the lowest high s.")
        .call("signature.verify", input)
        .why("A comparison with 2^255 or with n / 2 rounded up takes it for low.")
        .twin("signature/highest-low-s", &["/in/sig"], "s replaced by n - s, which is one more")
        .recipe("As the twin; then s is replaced by n - s.")
}

fn range() -> Entry {
    let order = hex::decode(N).unwrap_or_default();
    let with = |r: Option<&[u8]>, s: Option<&[u8]>| {
        changed(|sig| [r.unwrap_or(&sig[..32]), s.unwrap_or(&sig[32..])].concat())
    };
    let (zero, above) = ([0; 32], [0xff; 32]);
    bad("range", "r and s are 1 to n - 1.", "r or s replaced by a number outside the range")
        .family("signature.verify")
        .bad("r zero", with(Some(&zero), None))
        .bad("s zero", with(None, Some(&zero)))
        .bad("both zero", with(Some(&zero), Some(&zero)))
        .bad("r is n", with(Some(&order), None))
        .bad("s is n", with(None, Some(&order)))
        .bad("r is 2^256 - 1", with(Some(&above), None))
        .bad("s is 2^256 - 1", with(None, Some(&above)))
        .why(
            "A verifier that took zero for a number accepted a signature of zeros for every message and key.",
        )
}

fn length() -> Entry {
    bad("length", "A signature has 64 octets.", "octets cut off or added")
        .family("signature.verify")
        .bad("none", changed(|_| Vec::new()))
        .bad("32", changed(|sig| sig[..32].to_vec()))
        .bad("63, the last cut", changed(|sig| sig[..63].to_vec()))
        .bad("63, the first cut", changed(|sig| sig[1..].to_vec()))
        .bad("65, a zero after", changed(|sig| [&sig[..], &[0]].concat()))
        .bad("65, a zero before", changed(|sig| [&[0], &sig[..]].concat()))
        .bad("65, a recovery id after", changed(|sig| [&sig[..], &[27]].concat()))
        .bad("128, twice", changed(|sig| [sig, sig].concat()))
        .why("Octets that are ignored make many signatures of one.")
}

fn der() -> Entry {
    bad("der", "A DER signature is not the protocol's form.", "the same r and s as a DER SEQUENCE")
        .call("signature.verify", verify("join-response", sign_der(&signer(), &plain("join-response"))))
        .why("Many libraries sign in DER by default; one form is accepted.")
}

fn swapped() -> Entry {
    bad("s-before-r", "r comes before s.", "s ‖ r")
        .call("signature.verify", changed(|sig| [&sig[32..], &sig[..32]].concat()))
        .why("The order is the one thing that 64 octets do not show.")
}

fn little_endian() -> Entry {
    let reversed = |sig: [u8; 64]| sig[..32].iter().rev().chain(sig[32..].iter().rev()).copied().collect();
    bad("little-endian", "r and s are big-endian.", "the octets of r and of s reversed")
        .call("signature.verify", changed(reversed))
        .why("Some platform libraries give numbers in the other order.")
}

fn another_message() -> Entry {
    let mut input = changed(|sig| sig.to_vec());
    input["fields"]["body"] = b64u([0x0a, 0x01, 0x79]).into();
    reject(
        "signature/other-body",
        "SIGNATURE-1",
        "signature",
        "One bit of the body changed is another message.",
    )
    .call("signature.verify", input)
    .why("The plainest of all checks; an implementation that forgets to look at the result fails here alone.")
    .twin("signature/verified#join-response", &["/in/fields/body"], "the last octet of the body is one more")
    .recipe(RECIPE)
}
