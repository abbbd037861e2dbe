//! The proof: by the current key, under its purpose, over the CSR's hash, the node id and the client time.

use serde_json::Value;

use super::{GOOD, bad, of, old, to, with};
use crate::case::{Entry, NOW};
use crate::script::{Renew, renewed, script_accept};
use crate::testkit::encode::b64u;
use crate::testkit::keys::key;
use crate::testkit::world::{milliseconds, node};

pub(super) fn entries() -> Vec<Entry> {
    let mut all =
        vec![good(), purpose(), other_key(), new_key(), other_csr(), other_node(), other_time(), csr()];
    all.extend(forms());
    all
}

fn good() -> Entry {
    script_accept(GOOD, "RENEWAL-1", "A live certificate renews to another key.")
        .also("RENEWAL-4")
        .documented()
        .world(&with(&old()))
        .step("renew", NOW, of(&old()), renewed("second"))
        .why("The plain renewal: one row more, and nothing else changes.")
        .recipe("A live certificate of the node, a CSR of a new key, and a proof by the old key over it.")
}

fn refused(name: &str, title: &str, request: Renew, at: &str, what: &str) -> Entry {
    bad(name, "RENEWAL-1", title, "pop-signature", &with(&old()), request).documented().twin(
        GOOD,
        &[at],
        what,
    )
}

/// A renewal whose proof is signed over another value of this member.
fn signed_over(member: &str, value: impl Into<Value>) -> Renew {
    of(&old()).with(&format!("/popSig/$pop/{member}"), value)
}

fn purpose() -> Entry {
    let title = "A proof that was made for x509pop renews nothing.";
    let request = of(&old()).purpose("x509pop");
    refused("purpose-x509pop", title, request, "/steps/0/request/popSig/$pop/purpose", "the purpose signed")
        .why("A proof that holds for two requests is given away with the first of them.")
}

fn other_key() -> Entry {
    let title = "A proof by a key that the certificate does not certify is refused.";
    let request = of(&old()).signed_by(&key("a thief's key"));
    refused("proof-by-another-key", title, request, "/steps/0/request/popSig/$pop/key", "the key that signs")
        .why("Certificates are public; the key is what a thief does not have.")
}

fn new_key() -> Entry {
    let title = "A proof by the new key in place of the old one is refused.";
    let request = of(&old()).signed_by(&to("second").key);
    refused("proof-by-the-new-key", title, request, "/steps/0/request/popSig/$pop/key", "the key that signs")
        .why("Whoever makes a CSR has its key: that proves nothing about the node.")
}

fn other_csr() -> Entry {
    let title = "A proof over another CSR is refused.";
    let request = signed_over("csr", b64u(to("third").csr()));
    refused("proof-over-another-csr", title, request, "/steps/0/request/popSig/$pop/csr", "the CSR signed")
        .why("A gateway that sees a renewal must not swap in a CSR of its own.")
}

fn other_node() -> Entry {
    let title = "A proof over another node's id is refused.";
    let request = signed_over("node", node("b"));
    refused(
        "proof-over-another-node",
        title,
        request,
        "/steps/0/request/popSig/$pop/node",
        "the node id signed",
    )
    .why("The node id is that of the leaf's row, whatever the client believes.")
}

fn other_time() -> Entry {
    let title = "A proof over a client time that is a millisecond off the one sent is refused.";
    let request = signed_over("clientTimeMs", milliseconds(NOW) + 1);
    let at = "/steps/0/request/popSig/$pop/clientTimeMs";
    refused("proof-over-another-time", title, request, at, "the client time signed")
        .why("With a client time that is not signed, a stolen proof is as fresh as the thief likes.")
}

fn csr() -> Entry {
    let title = "A renewal without a CSR is refused for that, although its proof is over it.";
    bad("csr-empty", "RENEWAL-1", title, "csr", &with(&old()), of(&old()).csr(Vec::new()))
        .twin(
            GOOD,
            &["/steps/0/request/csr", "/steps/0/request/popSig/$pop/csr"],
            "no octet in place of the CSR, in the request and in the proof",
        )
        .why("The CSR of a renewal follows the rules of a join's.")
}

fn forms() -> Vec<Entry> {
    let form = |name: &str, title: &str, why: &str| {
        let at = "/steps/0/request/popSig/$pop/form";
        let entry =
            refused(&format!("proof-{name}"), title, of(&old()).form(name), at, "the form of the signature");
        entry.why(why)
    };
    vec![
        form(
            "high-s",
            "A proof whose s is in the upper half is refused.",
            "Anyone turns one ECDSA signature into a second one that verifies; only one of them counts.",
        ),
        form("der", "A proof in DER is refused.", "One form, or one proof has many faces."),
        form(
            "flipped",
            "A proof with one bit changed is refused.",
            "A signature that is not verified is decoration.",
        ),
        form("short", "A proof of 63 octets is refused.", "A shorter number must not be padded in silence."),
        form("empty", "An empty proof is refused.", "No signature is not a signature that is optional."),
    ]
}
