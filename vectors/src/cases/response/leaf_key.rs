//! The leaf certifies the client's key.

use crate::case::Entry;
use crate::testkit::der::{bit_string, oid, sequence};
use crate::testkit::keys::key;
use crate::testkit::p384;
use crate::testkit::signature::spki;
use crate::testkit::x509::node_intermediate;

use super::answer::{Answer, CHAIN, LEAF, VERIFY, bad, node_key};

pub(super) fn cases() -> Vec<Entry> {
    vec![other(), same_x(), respelled(), second()]
}

/// The right answer with a leaf for this key.
pub(super) fn certifying(spki: Vec<u8>) -> Answer {
    Answer::honest().with(|answer| answer.leaf.spki = spki)
}

fn other() -> Entry {
    let title = "A leaf for another key is not the client's.";
    bad("leaf-key-of-another", "response-leaf-key", title, &LEAF, "a leaf for another key")
        .family(VERIFY)
        .bad("another machine's", certifying(spki(&key("response other node"))).input())
        .bad("the join-signing key", certifying(spki(&super::answer::signing_key())).input())
        .bad("the intermediate's", certifying(spki(&node_intermediate().key)).input())
        .bad("a P-384 key", certifying(p384::spki(&p384::key("response node"))).input())
        .why("A node with a certificate it cannot use has spent its token and cannot come up.")
}

fn same_x() -> Entry {
    // The point (x, p - y): the public half of n - d.
    let negated = p256::SecretKey::from(-node_key().to_nonzero_scalar());
    let title = "A key that agrees in x alone is another key.";
    bad("leaf-key-same-x", "response-leaf-key", title, &LEAF, "the leaf certifies (x, p - y)")
        .call(VERIFY, certifying(spki(&negated)).input())
        .why("Comparing x only, or compressed forms without their first octet, takes it for the same.")
}

fn respelled() -> Entry {
    let point: Vec<u8> = spki(&node_key()).into_iter().skip(26).collect();
    let sign = point.last().map_or(2, |last| 2 | last & 1);
    let compressed: Vec<u8> = [sign].into_iter().chain(point.into_iter().skip(1).take(32)).collect();
    let algorithm = sequence(&[&oid("1.2.840.10045.2.1"), &oid("1.2.840.10045.3.1.7")]);
    let spki = sequence(&[&algorithm, &bit_string(0, compressed)]);
    let title = "The leaf's key equals the CSR's octet for octet.";
    bad("leaf-key-compressed", "response-leaf-key", title, &LEAF, "the same key, compressed")
        .call(VERIFY, certifying(spki).input())
        .why("Go and others cannot parse a compressed point in a certificate.")
}

fn second() -> Entry {
    let answer = certifying(spki(&key("response other node")));
    let own = Answer::honest().leaf_der();
    let chain = [vec![answer.leaf_der(), own], answer.above.clone()].concat();
    let title = "The first certificate is the leaf, wherever the client's key stands in the chain.";
    bad(
        "leaf-key-second",
        "response-leaf-key",
        title,
        &CHAIN,
        "a leaf for another key before the client's own",
    )
    .call(VERIFY, answer.input_with_chain(chain))
    .why("A client that looks for its key in the chain presents another certificate first.")
}
