//! The cases' octets are what the cases say, by a parser that is not the reference's.

use std::collections::BTreeMap;

use ::der::{Decode as _, Encode as _};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use x509_cert::request::CertReq;

use super::*;
use crate::schema::{Case, Verdict};
use crate::testkit::csr::matches;

fn all() -> Vec<Case> {
    cases().into_iter().map(Entry::build).collect()
}

fn octets(call: &Value) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(call["csr"].as_str().unwrap()).unwrap()
}

#[test]
fn accepted_requests_are_right_by_the_testkit_and_parse_with_x509_cert() {
    for case in all().iter().filter(|case| case.verdict == Verdict::Accept && case.op == "csr.check") {
        for call in case.calls() {
            let der = octets(call.input);
            let key = call.out.unwrap()["publicKey"].clone();
            let at = format!("{} {:?}", case.id, call.row);
            // The crate judges some contents that the rules leave alone; what it reads it gives back.
            if let Ok(parsed) = CertReq::from_der(&der) {
                assert_eq!(parsed.to_der().unwrap(), der, "{at}");
            }
            let value = matches(&json!({"publicKey": key}), &der);
            assert_eq!(value, Ok(()), "{at}");
        }
    }
}

#[test]
fn no_two_calls_are_the_same() {
    let mut seen = BTreeMap::new();
    for case in all() {
        for call in case.calls() {
            let name = format!("{} {:?}", case.id, call.row);
            if let Some(other) = seen.insert(format!("{} {}", case.op, call.input), name.clone()) {
                assert!(
                    name.contains("value-content") && other.contains("value-content"),
                    "{name} is {other}"
                );
            }
        }
    }
}

#[test]
fn a_refused_request_is_refused_by_the_testkit_too() {
    for case in all().iter().filter(|case| case.verdict == Verdict::Reject) {
        for call in case.calls() {
            let any_key = [point(&ours()), point(&key("csr other node"))];
            let any = any_key
                .iter()
                .any(|key| matches(&json!({"publicKey": b64u(key)}), &octets(call.input)).is_ok());
            assert!(!any, "{} {:?}", case.id, call.row);
        }
    }
}
