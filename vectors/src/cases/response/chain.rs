//! The chain above the leaf: order, signatures, names, and no root.

use p256::SecretKey;

use crate::case::Entry;
use crate::testkit::keys::key;
use crate::testkit::x509::{
    Authority, Certificate, ECDSA_SHA384, algorithm, name, node_intermediate, node_root,
};
use crate::testkit::{p384, rsa};

use super::accepted::row;
use super::answer::{Answer, CHAIN, LEAF, VERIFY, bad, good};

pub(super) fn cases() -> Vec<Entry> {
    vec![
        lengths(),
        order(),
        root(),
        self_issued_leaf(),
        unsigned(),
        upper_unsigned(),
        names(),
        signers(),
        algorithms(),
    ]
}

fn broken(name: &str, title: &str, at: &[&str], what: &str) -> Entry {
    bad(name, "response-chain", title, at, what)
}

/// The intermediate's certificate.
fn intermediate() -> Vec<u8> {
    node_intermediate().certificate(&node_root()).signed(&node_root().key)
}

/// The root's own certificate.
fn root_certificate() -> Vec<u8> {
    node_root().certificate(&node_root()).signed(&node_root().key)
}

/// The right answer with its leaf issued by another authority, and this chain above it.
fn issued_by(issuer: &Authority, above: Vec<Vec<u8>>) -> Answer {
    Answer::honest().with(|answer| {
        answer.leaf.issuer = issuer.name.clone();
        answer.issuer = issuer.key.clone();
        answer.above = above;
    })
}

/// A further authority under the intermediate.
fn issuing() -> Authority {
    Authority::named("test node issuing")
}

fn issuing_certificate() -> Vec<u8> {
    issuing().certificate(&node_intermediate()).signed(&node_intermediate().key)
}

fn lengths() -> Entry {
    let alone = Answer::honest().with(|answer| answer.above.clear());
    let expired = Answer::honest().with(|answer| {
        let old = node_intermediate()
            .certificate(&node_root())
            .valid("2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z");
        answer.above = vec![old.signed(&node_root().key)];
    });
    let family =
        good("chain-length", "A chain may have one certificate or several; only the leaf's dates count.")
            .family(VERIFY)
            .why("The client has no root to verify to; the signed body is the authority.");
    let family = row(family, "one", &alone);
    let family = row(family, "three", &issued_by(&issuing(), vec![issuing_certificate(), intermediate()]));
    row(family, "an expired issuer", &expired)
}

fn order() -> Entry {
    let three = issued_by(&issuing(), vec![intermediate(), issuing_certificate()]);
    let two = issued_by(&issuing(), vec![intermediate()]);
    broken(
        "chain-order",
        "Each certificate is signed by the next.",
        &CHAIN,
        "certificates in another order or left out",
    )
    .family(VERIFY)
    .bad("the upper two exchanged", three.input())
    .bad("one left out between", two.input())
    .bad("the leaf twice", Answer::honest().with(|answer| answer.above.insert(0, answer.leaf_der())).input())
    .bad("the intermediate twice", Answer::honest().with(|answer| answer.above.push(intermediate())).input())
    .why("Some TLS stacks sort what they get and some refuse; the stored chain must work with all.")
}

fn root() -> Entry {
    let answer = Answer::honest().with(|answer| answer.above.push(root_certificate()));
    let alone = issued_by(&node_root(), vec![root_certificate()]);
    broken("chain-with-root", "The root is not sent.", &CHAIN, "the root at the end of the chain")
        .family(VERIFY)
        .bad("after the intermediate", answer.input())
        .bad("as the issuer of the leaf", alone.input())
        .why("A root that comes along invites trust in it.")
}

fn self_issued_leaf() -> Entry {
    let answer = Answer::honest().with(|answer| {
        answer.leaf.issuer = answer.leaf.subject.clone();
        answer.issuer = super::answer::node_key();
        answer.above.clear();
    });
    broken(
        "chain-self-issued",
        "A leaf that issued itself is no chain.",
        &CHAIN,
        "the leaf issued by its own subject",
    )
    .call(VERIFY, answer.input())
    .why(
        "A chain of one has nobody to check its signature against; that it issued itself shows all the same.",
    )
}

fn unsigned() -> Entry {
    let answer = Answer::honest();
    let with = |key: &SecretKey| answer.clone().with(|answer| answer.issuer = key.clone()).input();
    let flipped = {
        let mut leaf = answer.leaf_der();
        if let Some(last) = leaf.last_mut() {
            *last ^= 1;
        }
        answer.input_with_body(answer.whole_with(leaf).encode())
    };
    broken(
        "leaf-not-signed",
        "The leaf is signed by the next certificate's key.",
        &LEAF,
        "another signature in the leaf",
    )
    .family(VERIFY)
    .bad("by another key", with(&key("response attacker")))
    .bad("by itself", with(&super::answer::node_key()))
    .bad("by the root", with(&node_root().key))
    .bad("the last bit flipped", flipped)
    .bad("empty", answer.input_with_body(answer.whole_with(answer.leaf.with_signature(&[])).encode()))
    .why("Names and key identifiers of the issuer are easily written by anyone.")
}

fn upper_unsigned() -> Entry {
    let forged = issuing().certificate(&node_intermediate()).signed(&key("response attacker"));
    let answer = issued_by(&issuing(), vec![forged, intermediate()]);
    let title = "Every certificate is signed by the next, not only the leaf.";
    broken("issuer-not-signed", title, &CHAIN, "the second certificate signed by another key")
        .twin("response/chain-length#three", &CHAIN, "the second certificate signed by another key")
        .call(VERIFY, answer.input())
        .why("A client that checks one link stores a chain that servers refuse.")
}

fn names() -> Entry {
    let with = |issuer: Vec<u8>| Answer::honest().with(|answer| answer.leaf.issuer = issuer).input();
    let printable = {
        use crate::testkit::der::{PRINTABLE, oid, sequence, set, tlv};
        sequence(&[&set(&[&sequence(&[&oid("2.5.4.3"), &tlv(PRINTABLE, "test node intermediate")])])])
    };
    let title = "The issuer's name equals the next subject, DER for DER.";
    broken("issuer-name", title, &LEAF, "another issuer name, rightly signed")
        .family(VERIFY)
        .bad("another", with(name(&[("2.5.4.3", "test other")])))
        .bad("the root's", with(node_root().name))
        .bad("upper case", with(name(&[("2.5.4.3", "TEST NODE INTERMEDIATE")])))
        .bad("another string type", with(printable))
        .why("Verifiers build paths by name; some fold case and some do not.")
}

fn signers() -> Entry {
    let curve = p384::key("response intermediate");
    let by_p384 = foreign(p384::spki(&curve), None, |tbs| p384::sign_der(&curve, tbs));
    let by_rsa = foreign(rsa::spki(), Some(rsa::algorithm()), rsa::sign);
    let title = "A certificate is signed with a P-256 key.";
    broken(
        "signer-key-type",
        title,
        &CHAIN,
        "an intermediate with another kind of key, which signed the leaf",
    )
    .family(VERIFY)
    .bad("P-384", by_p384)
    .bad("RSA", by_rsa)
    .why("The chain is one algorithm throughout, so that every verifier of it knows that one.")
}

/// The right answer issued by an intermediate with a key of another kind.
fn foreign(spki: Vec<u8>, scheme: Option<Vec<u8>>, sign: impl Fn(&[u8]) -> Vec<u8>) -> serde_json::Value {
    let upper = Certificate { spki, ..node_intermediate().certificate(&node_root()) };
    let mut answer = Answer::honest().with(|answer| answer.above = vec![upper.signed(&node_root().key)]);
    if let Some(scheme) = scheme {
        answer.leaf.algorithm = scheme;
    }
    let leaf = answer.leaf.with_signature(&sign(&answer.leaf.tbs()));
    answer.input_with_body(answer.whole_with(leaf).encode())
}

fn algorithms() -> Entry {
    let stated = |oid: &str| Answer::honest().with(|answer| answer.leaf.algorithm = algorithm(oid)).input();
    let title = "The signature algorithm is ecdsa-with-SHA256.";
    broken("signature-algorithm", title, &LEAF, "another algorithm is stated in the leaf")
        .family(VERIFY)
        .bad("ecdsa-with-SHA384", stated(ECDSA_SHA384))
        .bad("ecdsa-with-SHA1", stated("1.2.840.10045.4.1"))
        .bad("Ed25519", stated("1.3.101.112"))
        .why("The algorithm in the certificate is data that came along, not a choice.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::signature::spki;

    #[test]
    fn the_issuing_authority_has_a_key_of_its_own() {
        assert_ne!(spki(&issuing().key), spki(&node_intermediate().key));
        assert_ne!(issuing().name, node_intermediate().name);
    }
}
