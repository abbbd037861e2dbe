//! Each matcher accepts what is right, and refuses each thing that can be wrong.

use serde_json::json;
use vectors::testkit::encode::b64u;
use vectors::testkit::keys::{key, private_jwk};
use vectors::testkit::{csr, seal, signature as sign};

use super::*;

fn differs(expected: &Value, outs: &[Value], what: &str) {
    let outs: Vec<&Value> = outs.iter().collect();
    match compare(expected, &outs) {
        Err(Mismatch::Differs(text)) => assert!(text.contains(what), "{text} does not say {what}"),
        other => panic!("{what}: {other:?}"),
    }
}

fn same(expected: &Value, outs: &[Value]) {
    let outs: Vec<&Value> = outs.iter().collect();
    assert_eq!(compare(expected, &outs), Ok(()));
}

#[test]
fn values_are_compared_member_by_member() {
    same(&json!({"a": [1, {"b": null}]}), &[json!({"a": [1, {"b": null}]})]);
    differs(&json!({"a": 1}), &[json!({})], "/out/a: missing");
    differs(&json!({"a": 1}), &[json!({"a": 1, "b": 1})], "/out/b: a member that must not be there");
    differs(&json!({"a": [1, 2]}), &[json!({"a": [1]})], "/out/a: 1 entries, expected 2");
    differs(&json!({"a": [1, 2]}), &[json!({"a": [1, 3]})], "/out/a/1: 3, expected 2");
    differs(&json!({"a": 1}), &[json!({"a": 1.0})], "/out/a");
    differs(&json!({"a": null}), &[json!({})], "missing");
}

#[test]
fn anything_is_something_that_is_there() {
    same(&json!({"a": {"$any": true}}), &[json!({"a": [1]})]);
    differs(&json!({"a": {"$any": true}}), &[json!({})], "missing");
}

#[test]
fn a_label_is_one_value_and_two_labels_are_two() {
    let expected = json!({"k": [{"$group": "a"}, {"$group": "b"}, {"$group": "a"}]});
    same(&expected, &[json!({"k": ["x", "y", "x"]}), json!({"k": ["y", "z", "y"]})]);
    differs(&expected, &[json!({"k": ["x", "y", "z"]})], "must equal");
    differs(&expected, &[json!({"k": ["x", "x", "x"]})], "must differ");
    differs(&expected, &[json!({"k": ["x", null, "x"]})], "null");
}

#[test]
fn an_unknown_matcher_is_the_suites_fault() {
    assert!(repeats(&json!({"a": [{"$nope": 1}]})).is_err());
    assert!(matches!(compare(&json!({"$nope": 1}), &[&json!(1)]), Err(Mismatch::Suite(_))));
    assert_eq!(repeats(&json!({"seal": {"$seal": {}}})), Ok(8));
    assert_eq!(repeats(&json!({"a": {"$signature": {}}, "b": {"$csr": {}}})), Ok(32));
}

#[test]
fn a_seal_is_opened_and_must_be_fresh() {
    let recipient = key("matcher");
    let csr = b"any octets";
    let made = |name: &str| json!({"seal": b64u(seal::honest(name, &recipient, "token", csr, 7).text())});
    let expected = |token: &str, csr: &[u8], iat: u64| json!({"seal": {"$seal": {"key": private_jwk(&recipient), "token": token, "csr": b64u(csr), "iat": iat}}});
    let right = expected("token", csr, 7);
    same(&right, &[made("one"), made("two")]);
    differs(&right, &[made("one"), made("two"), made("one")], "3 seals have 2 different ephemeral keys");
    differs(&expected("other", csr, 7), &[made("one")], "not the token");
    differs(&expected("token", b"other", 7), &[made("one")], "request's hash");
    differs(&expected("token", csr, 8), &[made("one")], "iat");
    let member = seal::honest("one", &recipient, "token", csr, 7).and_member("zip", "\"DEF\"").text();
    differs(&right, &[json!({"seal": b64u(member)})], "zip");
    let kid = |pin: &str| {
        let seal = seal::honest("one", &recipient, "token", csr, 7).and_member("kid", &format!("{pin:?}"));
        json!({"seal": b64u(seal.text())})
    };
    same(&right, &[kid(&seal::pin(&sign::spki(&recipient)))]);
    differs(&right, &[kid(&seal::pin(&sign::spki(&key("matcher other"))))], "kid");
    let iv = |name: &str| {
        let mut seal = seal::honest(name, &recipient, "token", csr, 7);
        seal.iv = vec![0; 12];
        json!({"seal": b64u(seal.text())})
    };
    differs(&right, &[iv("one"), iv("two")], "initialization vector");
    differs(&right, &[json!({"seal": "AAAA"})], "/out/seal");
}

#[test]
fn a_request_is_taken_apart_and_verified() {
    let (ours, other) = (key("matcher"), key("matcher other"));
    let public = |key: &p256::SecretKey| b64u(sign::spki(key).split_off(26));
    let expected =
        |key: &str, bindings: &[&str]| json!({"csr": {"$csr": {"publicKey": key, "bindings": bindings}}});
    let made = |csr: &csr::Csr| json!({"csr": b64u(csr.der())});
    let plain = csr::honest(&ours);
    same(&expected(&public(&ours), &[]), &[made(&plain)]);
    differs(&expected(&public(&other), &[]), &[made(&plain)], "another key");
    differs(&expected(&public(&ours), &["x"]), &[made(&plain)], "unstructuredName");
    let mut forged = plain.clone();
    forged.signer = other;
    differs(&expected(&public(&ours), &[]), &[made(&forged)], "does not verify");
    let mut version = plain.clone();
    version.version = vec![2, 1, 1];
    differs(&expected(&public(&ours), &[]), &[made(&version)], "version");
    let mut bare = plain;
    bare.attributes = Vec::new();
    differs(&expected(&public(&ours), &[]), &[made(&bare)], "four members");
}

#[test]
fn a_signature_is_64_octets_low_and_verifies() {
    let ours = key("matcher");
    let fields = json!({"body": "AQI"});
    let message = sign::message("join-response", &fields).unwrap();
    let spki = b64u(sign::spki(&ours));
    let expected =
        json!({"sig": {"$signature": {"purpose": "join-response", "fields": fields, "key": spki}}});
    let sig = |octets: &[u8]| json!({"sig": b64u(octets)});
    same(&expected, &[sig(&sign::sign(&ours, &message))]);
    differs(&expected, &[sig(&sign::sign_high(&ours, &message))], "upper half");
    differs(&expected, &[sig(&sign::sign_der(&ours, &message))], "not 64");
    differs(&expected, &[sig(&sign::sign(&ours, b"other"))], "does not verify");
}

#[test]
fn a_signed_answer_is_its_signature_its_key_and_its_body() {
    use vectors::testkit::response::{JoinResponseBody, Signed};
    let ours = key("matcher");
    let body = JoinResponseBody {
        node_id: "node_a".into(),
        certificate_chain: vec![vec![1]],
        command_trust_bundle: vec![vec![2]],
        csr_sha256: vec![3; 32],
        trust_domain: "td".into(),
        site_id: "site_a".into(),
        role: "node".into(),
        attestor: "join-token".into(),
        request_sha256: Vec::new(),
    };
    let mut wanted = body.json();
    wanted.as_object_mut().unwrap().remove("requestSha256");
    let spki = b64u(sign::spki(&ours));
    let expected =
        json!({"response": {"$signed": {"purpose": "join-response", "key": spki, "body": wanted}}});
    let made = |purpose: &str, body: &JoinResponseBody| json!({"response": Signed::new(purpose, body.encode(), &ours).json()});
    same(&expected, &[made("join-response", &body)]);
    differs(&expected, &[made("join-deferral", &body)], "does not verify");
    let other = JoinResponseBody { role: "site".into(), ..body.clone() };
    differs(&expected, &[made("join-response", &other)], "body:role");
    let mut hint = made("join-response", &body);
    hint["response"]["signingKey"] = json!(b64u(sign::spki(&key("matcher other"))));
    differs(&expected, &[hint], "signingKey");
}
