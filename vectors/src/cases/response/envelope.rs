//! The envelope: the signature's length and the body's size, before anything is verified.

use serde_json::Value;

use crate::case::Entry;
use crate::testkit::response::Signed;
use crate::testkit::signature::{framed, sign_der};

use super::accepted::padded;
use super::answer::{Answer, BODY, VERIFY, bad, signing_key};

pub(super) fn cases() -> Vec<Entry> {
    vec![sig_length(), sig_der(), body_empty(), body_too_large()]
}

/// The right answer with its signature changed.
pub(super) fn with_sig(change: impl FnOnce(Vec<u8>) -> Vec<u8>) -> Value {
    let answer = Answer::honest();
    let signed = answer.signed();
    answer.input_of(&Signed { sig: change(signed.sig.clone()), ..signed })
}

fn sig_length() -> Entry {
    let title = "A signature that has not 64 octets is malformed.";
    bad("sig-length", "response-malformed", title, &["/in/response/sig"], "octets cut off or added")
        .family(VERIFY)
        .bad("none", with_sig(|_| Vec::new()))
        .bad("63", with_sig(|sig| sig.into_iter().take(63).collect()))
        .bad("65", with_sig(|sig| sig.into_iter().chain([0]).collect()))
        .bad("128", with_sig(|sig| sig.repeat(2)))
        .why("It is told apart from a signature that fails, and nothing is computed for it.")
}

fn sig_der() -> Entry {
    let message = framed("join-response", &[Answer::honest().whole().encode()]);
    let input = with_sig(|_| sign_der(&signing_key(), &message));
    let title = "A DER signature is malformed by its length.";
    bad("sig-der", "response-malformed", title, &["/in/response/sig"], "the same r and s in DER")
        .call(VERIFY, input)
        .why("Most libraries sign in DER by default.")
}

fn body_empty() -> Entry {
    let title = "An empty body is malformed.";
    bad("body-empty", "response-malformed", title, &BODY, "no octets, rightly signed")
        .call(VERIFY, Answer::honest().input_with_body(Vec::new()))
        .why("An answer from which a proxy has lost the body.")
}

fn body_too_large() -> Entry {
    let title = "A body of 65537 octets is malformed.";
    bad("body-too-large", "response-malformed", title, &BODY, "a larger bundle, rightly signed")
        .call(VERIFY, padded(65537).input())
        .why("The limit is checked before anything is hashed.")
}
