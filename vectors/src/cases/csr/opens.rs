//! Requests that must be accepted: the plain one, and the spec's example.

use p256::SecretKey;
use serde_json::json;

use super::{accepted, good, input};
use crate::case::{Entry, accept};
use crate::testkit::csr::with_binding;
use crate::testkit::keys::hash;
use crate::testkit::request::{claims, request};

pub(super) fn entries() -> Vec<Entry> {
    vec![honest(), example()]
}

fn honest() -> Entry {
    accepted("honest", "CSR-1", "A right request is accepted: empty subject, no attributes.", good().der())
        .documented()
        .also("CSR-2")
        .also("CSR-3")
        .also("CSR-5")
        .why("Nearly every other case differs from this one in a single thing.")
        .recipe("A PKCS#10 request by a fresh P-256 key: version 0, empty subject, a0 00, ecdsa-with-SHA256.")
}

/// The point of the page in base64url.
const POINT: &str = "BEO5z5h4mM3lDis6oluuHR-GVEPILMQwkmvV3o_5NnJGqC84bdAZJIqhzXSmUhpzCqGcBQjk13Hrk5MIYz-RcEE";

/// The hash and the point are the page's own.
fn example() -> Entry {
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
    accept(
        "csr/example",
        "CSR-5",
        "The hash is over the whole request, octet for octet: the specification's example.",
    )
    .also("CSR-1")
    .why("A known answer: hash and point stand on the page, made by another implementation.")
    .call("csr.check", input(csr))
    .out(json!({
        "csrSha256": "9lVIvhFJ3x8gDhYc_EmrYXKZ_Pdz1xgyu3FsweV6Nuc",
        "publicKey": POINT,
    }))
    .recipe("The request of the example on the page about CSR, as it stands there.")
}
