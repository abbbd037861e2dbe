//! The cases' octets are what the cases say, by the testkit's own opener.

use ::base64::Engine as _;
use ::base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::*;
use crate::schema::{Case, Verdict};
use crate::testkit::seal::{jwe, open};

fn all() -> Vec<Case> {
    cases().into_iter().map(Entry::build).collect()
}

fn octets(call: &Value, member: &str) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(call[member].as_str().unwrap()).unwrap()
}

/// Whether some key of the call opens the seal, whatever kid, window and request say.
fn is_opened(call: &Value) -> bool {
    call["keys"].as_array().unwrap().iter().any(|key| open(key, &octets(call, "seal")).is_ok())
}

#[test]
fn accepted_seals_open_to_their_token_and_time() {
    for case in all().iter().filter(|case| case.verdict == Verdict::Accept && case.op == "seal.open") {
        for call in case.calls() {
            let mut keys = call.input["keys"].as_array().unwrap().iter();
            let opened = keys.find_map(|key| open(key, &octets(call.input, "seal")).ok()).expect(&case.id);
            let out = call.out.unwrap();
            assert_eq!(opened.plaintext, out["token"].as_str().unwrap().as_bytes(), "{}", case.id);
            assert_eq!(opened.header["iat"], out["iat"], "{}", case.id);
            assert_eq!(
                opened.header["csr"],
                b64u(crate::testkit::keys::hash(octets(call.input, "csr"))),
                "{}",
                case.id
            );
        }
    }
}

#[test]
fn a_seal_refused_for_key_window_or_request_opens_but_for_a_second_fault() {
    for case in all().iter().filter(|case| case.op == "seal.open" && !case.reasons.contains(&"seal".into())) {
        let is_order = case.id.starts_with("seal/order-kid-before-unwrap");
        for call in case.calls().iter().filter(|_| case.verdict == Verdict::Reject) {
            assert_ne!(is_opened(call.input), is_order, "{}", case.id);
        }
    }
}

/// What a right key opens all the same is refused for what the opener leaves out: kid, plaintext.
#[test]
fn a_seal_refused_as_seal_does_not_open() {
    for case in all().iter().filter(|case| case.op == "seal.open" && case.reasons.contains(&"seal".into())) {
        for call in case.calls() {
            let by_caller = case.id == "seal/kid-of-the-other"
                || (case.id.contains("plaintext") && !case.id.ends_with("plaintext-empty"));
            assert_eq!(is_opened(call.input), by_caller, "{} {:?}", case.id, call.row);
        }
    }
}

#[test]
fn where_a_case_says_that_the_tag_holds_it_does() {
    let mut seen = 0;
    for case in all() {
        let holds = case.mutation.as_ref().is_some_and(|mutation| mutation.what.contains("the tag holds"));
        for call in case.calls().iter().filter(|_| holds) {
            let text = String::from_utf8(octets(call.input, "seal")).unwrap();
            let parts: Vec<&str> = text.split('.').collect();
            let [iv, ciphertext, tag] = [2, 3, 4].map(|part| URL_SAFE_NO_PAD.decode(parts[part]).unwrap());
            let opened = jwe::decrypt(&good().cek, &iv, parts[0].as_bytes(), &ciphertext, &tag);
            assert!(opened.is_some(), "{} {:?}", case.id, call.row);
            seen += 1;
        }
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn no_two_calls_are_the_same() {
    let mut seen = std::collections::BTreeMap::new();
    for case in all() {
        for call in case.calls() {
            let key = format!("{} {} {}", case.op, case.now, call.input);
            let name = format!("{} {:?}", case.id, call.row);
            if let Some(other) = seen.insert(key, name.clone()) {
                panic!("{name} is {other}");
            }
        }
    }
}
