//! The cases' octets are what the cases say.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::*;
use crate::schema::{Case, Verdict};
use crate::testkit::csr::{matches, open};

fn all() -> Vec<Case> {
    cases().into_iter().map(Entry::build).collect()
}

fn octets(call: &Value) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(call["csr"].as_str().unwrap()).unwrap()
}

#[test]
fn every_request_is_a_right_one_apart_from_its_binding() {
    for case in all().iter().filter(|case| case.op == "binding.check") {
        for call in case.calls() {
            assert!(open(&octets(call.input)).is_ok(), "{} {:?}", case.id, call.row);
        }
    }
}

#[test]
fn a_request_is_bound_exactly_where_the_case_says_so() {
    for case in all().iter().filter(|case| case.op == "binding.check") {
        for call in case.calls() {
            let csr = octets(call.input);
            let key = b64u(open(&csr).unwrap().public_key);
            let text = binding_text(&hash_of(&call.input["request"]));
            let is_bound = matches(&json!({"publicKey": key, "bindings": [text]}), &csr).is_ok();
            let at = format!("{} {:?}", case.id, call.row);
            if case.choice.get(CHOICE).is_some_and(|value| value == "none") {
                assert_eq!(call.out.unwrap()["bound"], false, "{at}");
            } else {
                let says = case.verdict == Verdict::Accept && call.out.unwrap()["bound"] == true;
                assert_eq!(is_bound, says, "{at}");
            }
        }
    }
}

#[test]
fn rows_of_a_family_of_hashes_differ_but_for_the_default_attestor() {
    let mut seen = std::collections::BTreeMap::new();
    for case in all().iter().filter(|case| case.op == "binding.hash" && !case.rows.is_empty()) {
        for call in case.calls() {
            let hash = call.out.unwrap()["requestSha256"].as_str().unwrap().to_owned();
            let name = format!("{} {:?}", case.id, call.row);
            if let Some(other) = seen.insert(hash, name.clone()) {
                assert!(
                    name.contains("join-token") || name.contains("none") || name.contains("empty"),
                    "{name}: {other}"
                );
            }
        }
    }
}

#[test]
fn the_hash_of_the_bare_request_is_the_one_python_gives() {
    let request = request("", "node", "", &claims(json!({})));
    let golden = "df2e0c31aa1fe68970956e034f5b47b2687bd37bba21bd84efcc1d996e9e9e6c";
    assert_eq!(hex::encode(hash_of(&request)), golden);
    let case = all().into_iter().find(|case| case.id == "binding/hash-bare").unwrap();
    assert_eq!(case.out.unwrap()["requestSha256"], b64u(hash_of(&request)));
}
