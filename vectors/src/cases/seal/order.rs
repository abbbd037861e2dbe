//! Two faults in one seal: the order of SEAL-5 says which reason it is.

use serde_json::{Value, json};

use super::{HONEST, beside, good, input, quoted};
use crate::case::{Entry, reject};
use crate::testkit::encode::b64u;
use crate::testkit::keys::hash;
use crate::testkit::seal::Seal;

pub(super) fn entries() -> Vec<Entry> {
    vec![
        structure_before_key(),
        lengths_before_key(),
        point_before_key(),
        iat_form_before_key(),
        key_before_unwrap(),
        key_before_csr(),
        key_before_window(),
        unwrap_before_csr(),
        tag_before_window(),
        plaintext_before_csr(),
        plaintext_before_window(),
        window_before_csr(),
        csr_form_before_key(),
    ]
}

fn both(case: &str, reason: &str, title: &str, call: Value, at: &[&str], what: &str) -> Entry {
    reject(&format!("seal/order-{case}"), "SEAL-5", reason, title)
        .call("seal.open", call)
        .refused()
        .twin(HONEST, at, what)
        .why(
            "The reason goes into the record, and operators act on it: when several things are wrong every \
             implementation names the same one.",
        )
        .recipe(&format!("Make a seal with two faults: {what}."))
}

fn unknown() -> Seal {
    good().member("kid", "\"sha256/\"")
}

fn structure_before_key() -> Entry {
    let call = input(unknown().and_member("zip", "\"DEF\"").text());
    let at = ["/in/seal:header.kid", "/in/seal:header.zip"];
    both(
        "header-before-kid",
        "seal",
        "A foreign member comes before an unknown kid.",
        call,
        &at,
        "an unknown kid, and a zip",
    )
}

fn lengths_before_key() -> Entry {
    let call = input(Seal { encrypted_key: Some(vec![7; 39]), ..unknown() }.text());
    let at = ["/in/seal:header.kid", "/in/seal:encryptedKey"];
    let title = "An encrypted key of 39 octets comes before an unknown kid.";
    both("lengths-before-kid", "seal", title, call, &at, "an unknown kid, and an encrypted key of 39 octets")
}

fn point_before_key() -> Entry {
    let epk = crate::testkit::seal::epk_text(&b64u([0; 32]), &b64u([0; 32]));
    let call = input(unknown().member("epk", &epk).text());
    let at = ["/in/seal:header.kid", "/in/seal:header.epk"];
    let title = "A point off the curve comes before an unknown kid.";
    both("point-before-kid", "seal", title, call, &at, "an unknown kid, and an epk of (0, 0)")
}

fn iat_form_before_key() -> Entry {
    let call = input(unknown().member("iat", "-1").text());
    let at = ["/in/seal:header.kid", "/in/seal:header.iat"];
    both(
        "iat-before-kid",
        "seal",
        "A malformed iat comes before an unknown kid.",
        call,
        &at,
        "an unknown kid, and an iat of -1",
    )
}

fn csr_form_before_key() -> Entry {
    let call = input(unknown().member("csr", &quoted(&b64u([7; 31]))).text());
    let at = ["/in/seal:header.kid", "/in/seal:header.csr"];
    both(
        "csr-form-before-kid",
        "seal",
        "A malformed csr comes before an unknown kid.",
        call,
        &at,
        "an unknown kid, and a csr of 31 octets",
    )
}

fn key_before_unwrap() -> Entry {
    let call = input(Seal { encrypted_key: Some(vec![7; 40]), ..unknown() }.text());
    let at = ["/in/seal:header.kid", "/in/seal:encryptedKey"];
    let title = "An unknown kid comes before a key that does not unwrap.";
    both(
        "kid-before-unwrap",
        "seal-key",
        title,
        call,
        &at,
        "an unknown kid, and 40 octets that do not unwrap",
    )
}

fn other_csr() -> String {
    quoted(&b64u(hash("another request")))
}

fn key_before_csr() -> Entry {
    let call = input(unknown().member("csr", &other_csr()).text());
    let at = ["/in/seal:header.kid", "/in/seal:header.csr"];
    both(
        "kid-before-csr",
        "seal-key",
        "An unknown kid comes before another request's hash.",
        call,
        &at,
        "an unknown kid, and the hash of another request",
    )
}

/// The call of a server with a window that ends five minutes before the seal's time.
fn too_old(seal: &Seal) -> Value {
    let mut call = input(seal.clone().member("iat", "1767225299").text());
    call["iatWindow"] = json!({"pastS": 300, "aheadS": 60});
    call
}

fn windowed(case: &str, reason: &str, title: &str, seal: &Seal, at: &str, what: &str) -> Entry {
    let at = ["/in/seal:header.iat", at];
    both(case, reason, title, too_old(seal), &at, &format!("an iat one second too old, and {what}"))
        .choice("seal.iat-window", "window")
        .twin("seal/window-ends#oldest", &at, &format!("iat is one second less, and {what}"))
}

fn key_before_window() -> Entry {
    let title = "An unknown kid comes before a time outside the window.";
    windowed("kid-before-window", "seal-key", title, &unknown(), "/in/seal:header.kid", "an unknown kid")
}

fn tag_before_window() -> Entry {
    let seal = Seal { tag: Some(vec![0; 16]), ..good() };
    let title = "A wrong tag comes before a time outside the window.";
    windowed("tag-before-window", "seal", title, &seal, "/in/seal:tag", "a tag of zeros")
}

fn plaintext_before_window() -> Entry {
    let seal = Seal { plaintext: b"no token".to_vec(), ..good() };
    let title = "A plaintext that is no token comes before a time outside the window.";
    windowed(
        "plaintext-before-window",
        "seal",
        title,
        &seal,
        "/in/seal:ciphertext",
        "a plaintext that is no token",
    )
}

fn window_before_csr() -> Entry {
    let seal = good().member("csr", &other_csr());
    let title = "A time outside the window comes before another request's hash.";
    windowed(
        "window-before-csr",
        "seal-iat",
        title,
        &seal,
        "/in/seal:header.csr",
        "the hash of another request",
    )
}

fn unwrap_before_csr() -> Entry {
    let call = input(Seal { encrypted_key: Some(vec![7; 40]), ..good() }.member("csr", &other_csr()).text());
    let at = ["/in/seal:header.csr", "/in/seal:encryptedKey"];
    let title = "A key that does not unwrap comes before another request's hash.";
    both(
        "unwrap-before-csr",
        "seal",
        title,
        call,
        &at,
        "40 octets that do not unwrap, and the hash of another request",
    )
}

fn plaintext_before_csr() -> Entry {
    let mut call = input(Seal { plaintext: b"no token".to_vec(), ..good() }.text());
    call["csr"] = b64u([beside(), vec![0]].concat()).into();
    let title = "A plaintext that is no token comes before another request.";
    both(
        "plaintext-before-csr",
        "seal",
        title,
        call,
        &["/in/seal:ciphertext", "/in/csr"],
        "a plaintext that is no token, and another request beside it",
    )
}
