//! The client makes requests (CSR-1, BINDING-2).
//!
//! A signature may be random, so the expectation is a matcher: `{"$csr": {...}}` is taken apart, never
//! compared as octets.

use p256::SecretKey;
use serde_json::{Value, json};

use super::{ours, point};
use crate::case::{Entry, accept};
use crate::testkit::csr::binding_text;
use crate::testkit::encode::b64u;
use crate::testkit::keys::{key, private_jwk};
use crate::testkit::request::{claims, request, request_hash};

pub(super) fn entries() -> Vec<Entry> {
    vec![plain(), bound(), many()]
}

/// By this key, with exactly these bindings.
fn matcher(key: &SecretKey, request: Option<&Value>) -> Value {
    let hash = request.and_then(|request| request_hash(request).ok());
    let bindings: Vec<_> = hash.iter().map(|hash| binding_text(hash)).collect();
    json!({"csr": {"$csr": {"publicKey": b64u(point(key)), "bindings": bindings}}})
}

fn plain() -> Entry {
    accept("csr/make", "CSR-1", "A client makes a right request for its key.")
        .documented()
        .also("CSR-2")
        .also("CSR-3")
        .why(
            "What the client sends has to pass the server's strict rules: version, order, minimal numbers, \
            a0 00.",
        )
        .call("csr.make", json!({"key": private_jwk(&ours())}))
        .out(matcher(&ours(), None))
        .recipe("Give the client a key; check what it makes by the rules.")
}

fn bound() -> Entry {
    let claims = claims(json!({
        "productUuid": "4C4C4544-0051-3410-8051-B5C04F375931",
        "productSerial": "5Q4Q7Y1",
        "hostname": "b7-u12",
        "permanentMacs": ["3C:EC:EF:12:34:56"],
    }));
    let request = request("join-token", "node", "jt_01kdvdna00e008000000000001", &claims);
    accept("csr/make-bound", "CSR-1", "A client puts the hash of its request into its CSR.")
        .also("BINDING-1")
        .also("BINDING-2")
        .why("The attribute is what a gateway can neither change nor strip.")
        .call("csr.make", json!({"key": private_jwk(&ours()), "request": request}))
        .out(matcher(&ours(), Some(&request)))
        .recipe("Give the client a key and a request; look for the one unstructuredName.")
}

/// Among so many keys and signatures some numbers begin with a zero octet or with a high bit.
fn many() -> Entry {
    let entry = accept("csr/make-many", "CSR-3", "Sixteen requests for sixteen keys are all right.")
        .also("CSR-1")
        .family("csr.make")
        .why(
            "Numbers of r and s that begin with a high bit or with a zero octet show signers that do not \
            encode them.",
        )
        .recipe("Give the client one key after the other.");
    (1..=16).fold(entry, |entry, at| {
        let key = key(&format!("csr node {at}"));
        entry.row(&format!("key-{at}"), json!({"key": private_jwk(&key)}), matcher(&key, None))
    })
}
