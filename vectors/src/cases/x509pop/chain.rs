//! The chain: one to four certificates of one to 4096 octets, and a stored leaf first (X509POP-4).

use serde_json::{Value, json};

use super::{CHAIN, GOOD, back, bad, good, of, old, with};
use crate::case::Entry;
use crate::testkit::encode::b64u;
use crate::testkit::signature::spki;
use crate::testkit::world::{enrolled, machine, node_ca};
use crate::testkit::x509::{San, leaf, node_root};

const RULE: &str = "X509POP-4";
const FOUR: &str = "x509pop/chain-of-four";
const LARGE: &str = "x509pop/chain-entry-4096";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = lengths();
    all.extend(sizes());
    all.extend(forms());
    all.extend(leaves());
    all
}

fn stored() -> String {
    b64u(old().leaf)
}

fn issuer() -> Vec<u8> {
    let root = node_root();
    node_ca().certificate(&root).signed(&root.key)
}

/// A certificate of exactly so many octets.
fn of_octets(octets: usize) -> Vec<u8> {
    let of = |filler: usize| {
        let uri = format!("urn:bc:{}", "x".repeat(filler));
        leaf(&node_ca(), spki(&old().key), "node", &[San::uri(&uri)]).with_signature(&[0; 70])
    };
    let short = of(1000).len();
    // From here on every length has three octets, so each octet more is one more.
    of((octets + 1000).saturating_sub(short))
}

fn chain(entries: &[Vec<u8>]) -> Value {
    let further = entries.iter().map(b64u);
    std::iter::once(stored()).chain(further).collect::<Vec<_>>().into()
}

fn passes(name: &str, title: &str, chain: Value) -> Entry {
    good(name, RULE, title, &with(&old()), of(&old()).with("/x509pop/chain", chain), back())
}

fn fails(name: &str, title: &str, chain: Value, twin: &str) -> Entry {
    let request = of(&old()).with("/x509pop/chain", chain);
    bad(name, RULE, title, "pop-chain", &with(&old()), request).twin(twin, &[CHAIN], "the chain")
}

fn lengths() -> Vec<Entry> {
    let root = node_root().certificate(&node_root()).signed(&node_root().key);
    vec![
        passes("chain-of-one", "The leaf alone is a chain.", chain(&[]))
            .why("The row is the proof of issuance; nothing else of the chain is needed."),
        passes("chain-of-two", "The leaf and its issuer are a chain.", chain(&[issuer()]))
            .why("This is what the machine was given when it joined."),
        passes("chain-of-three", "Leaf, issuer and root are a chain.", chain(&[issuer(), root.clone()]))
            .why("An agent may keep the root with the others."),
        passes(
            "chain-of-four",
            "Four certificates are the most.",
            chain(&[issuer(), root.clone(), root.clone()]),
        )
        .why("What follows the leaf is not looked at, but for its form."),
        fails(
            "chain-of-five",
            "Five certificates are too many.",
            chain(&[issuer(), root.clone(), root.clone(), root]),
            FOUR,
        )
        .why("Long chains have burned processors elsewhere."),
        fails("chain-empty", "A chain of no certificate is refused.", json!([]), GOOD)
            .why("The first of nothing is nothing, and no crash."),
    ]
}

fn sizes() -> Vec<Entry> {
    vec![
        passes("chain-entry-4096", "An entry of 4096 octets passes.", chain(&[of_octets(4096)]))
            .why("The limit itself is allowed."),
        fails("chain-entry-4097", "An entry of 4097 octets is refused.", chain(&[of_octets(4097)]), LARGE)
            .why("Each entry is parsed, and so has its limit before that."),
        fails(
            "chain-entry-empty",
            "An empty entry after the leaf is refused.",
            chain(&[Vec::new()]),
            "x509pop/chain-of-two",
        )
        .why("No octets are no certificate."),
        fails("chain-leaf-empty", "An empty entry in place of the leaf is refused.", json!([""]), GOOD)
            .why("It is the form that is wrong, before anything is looked up."),
    ]
}

fn forms() -> Vec<Entry> {
    let second =
        |name: &str, title: &str, entry: Vec<u8>| fails(name, title, chain(&[entry]), "x509pop/chain-of-two");
    let mut trailing = issuer();
    trailing.push(0);
    let mut leaf_trailing = old().leaf;
    leaf_trailing.push(0);
    let mut cut = issuer();
    cut.pop();
    let unsigned = node_ca().certificate(&node_root()).with_signature(&[0; 70]);
    vec![
        second("chain-entry-trailing", "An entry with one octet after the certificate is refused.", trailing)
            .why("A parser that stops early sees no difference, and the next one does."),
        second("chain-entry-cut", "An entry that lacks its last octet is refused.", cut)
            .why("Lengths that do not fit are where parsers read on."),
        second("chain-entry-sequence", "An entry that is some other DER is refused.", vec![0x30, 0x00])
            .why("Each entry is one X.509 certificate, looked at or not."),
        second("chain-entry-text", "An entry that is no DER at all is refused.", b"certificate".to_vec())
            .why("Each entry is one X.509 certificate, looked at or not."),
        fails(
            "chain-leaf-trailing",
            "The leaf with one octet after it is no certificate.",
            json!([b64u(leaf_trailing)]),
            GOOD,
        )
        .why("The form is judged before the row is looked for."),
        passes(
            "chain-entry-unsigned",
            "A further certificate whose signature is nonsense passes.",
            chain(&[unsigned]),
        )
        .why("No signature inside the chain is verified, so none costs anything."),
        passes(
            "chain-entry-stranger",
            "A further certificate that has nothing to do with the leaf passes.",
            chain(&[enrolled("b", &machine("b"), super::ISSUED).leaf]),
        )
        .why("Names inside the chain are not compared either: the row has decided."),
        passes("chain-leaf-twice", "The leaf twice is a chain.", chain(&[old().leaf]))
            .why("Further entries are not looked at, the leaf among them."),
    ]
}

fn leaves() -> Vec<Entry> {
    let unknown = |name: &str, title: &str, chain: Value| {
        let request = of(&old()).with("/x509pop/chain", chain);
        bad(name, RULE, title, "cert-unknown", &with(&old()), request).twin(GOOD, &[CHAIN], "the chain")
    };
    let unstored = old().issue(&old().key, "2025-12-30T12:00:01Z", 86400, &[]);
    let mut resigned = old().leaf;
    if let Some(last) = resigned.last_mut() {
        *last ^= 1;
    }
    vec![
        unknown(
            "leaf-not-stored",
            "A certificate by the right issuer for the same node and key that is no row is unknown.",
            json!([b64u(unstored)]),
        )
        .why("A certificate without a row was never issued, whoever signed it."),
        unknown(
            "leaf-second",
            "The stored certificate as the second entry is not the leaf.",
            json!([b64u(issuer()), stored()]),
        )
        .why("Whoever searches the chain judges another certificate than the one presented."),
        unknown(
            "leaf-of-another-signature",
            "The stored certificate with one bit of its signature changed is unknown.",
            json!([b64u(resigned)]),
        )
        .why("Octet for octet: serial, key and names are not enough."),
    ]
}
