//! What may renew: a stored, live certificate of the node's present generation, called for by that node.

use serde_json::{Value, json};

use super::{GOOD, ISSUED, bad, of, old, to, with};
use crate::case::{Entry, NOW};
use crate::script::{Renew, refused, renew, renewed, retire, retired, script_accept, script_reject};
use crate::testkit::encode::b64u;
use crate::testkit::world::{Enrolled, World, enrolled, machine};

const RULE: &str = "RENEWAL-2";
/// The certificate was valid through 2025-12-31T11:59:00Z.
const LONG_AGO: &str = "2025-12-30T12:00:00Z";
/// A statement about an attestation key.
pub(super) const AK: &str =
    "urn:bc:tpm-ak:sha256:62854727bebcef250a3a01b5aab872a2da174687ffeab8ee08fdbc80c86d6c04";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = vec![older(), further_entries(), revoked_meanwhile()];
    all.extend(leaf());
    all.extend(identity());
    all.extend(state());
    all
}

fn good(name: &str, title: &str, world: &World) -> Entry {
    script_accept(&format!("renewal/{name}"), RULE, title)
        .world(world)
        .recipe("A live certificate and an honest renewal with it.")
}

fn older() -> Entry {
    let title = "A certificate that was renewed already renews once more while it is alive.";
    good("older-certificate", title, &with(&old()))
        .also("RENEWAL-6")
        .step("renew", NOW, of(&old()), renewed("second"))
        .step("again", "2026-01-01T00:00:01.000Z", renew(&to("third"), &old(), &old().key), renewed("third"))
        .why("The answer to the first may have been lost: the old certificate is all that the machine has then.")
}

fn further_entries() -> Entry {
    let request = of(&old()).with("/chain/1", b64u([0x30, 0x00])).with("/chain/2", "");
    good("further-entries", "What follows the leaf in the chain is not looked at.", &with(&old()))
        .step("renew", NOW, request, renewed("second"))
        .why("The row is the proof of issuance; a server that parses the rest does work for strangers.")
}

fn revoked_meanwhile() -> Entry {
    let title = "A certificate that renewed a second ago renews no more once its node is retired.";
    script_reject("renewal/per-call", RULE, title)
        .world(&with(&old()))
        .step("renew", NOW, of(&old()), renewed("second"))
        .step("retire", "2026-01-01T00:00:01.000Z", retire(&old().id()), retired(&old().id()))
        .step(
            "again",
            "2026-01-01T00:00:02.000Z",
            renew(&to("third"), &old(), &old().key),
            refused("cert-revoked"),
        )
        .twin(
            "renewal/older-certificate",
            &["/steps/1", "/steps/2"],
            "the node is retired between the two renewals",
        )
        .why("Checks that are made once per connection outlive the revocation.")
        .recipe("A renewal, a retirement, and a further renewal over the same connection.")
}

fn leaf() -> Vec<Entry> {
    let chain = |name: &str, title: &str, chain: Value, what: &str| {
        let request = of(&old()).with("/chain", chain);
        bad(name, RULE, title, "cert-unknown", &with(&old()), request).twin(
            GOOD,
            &["/steps/0/request/chain"],
            what,
        )
    };
    let stored = b64u(&old().leaf);
    let unstored = old().issue(&old().key, "2025-12-31T12:00:01Z", 86400, &[]);
    let other = enrolled("b", &machine("b"), ISSUED).leaf;
    let mut longer = old().leaf;
    longer.push(0);
    vec![
        chain("chain-empty", "An empty chain holds no certificate.", json!([]), "no entry")
            .why("The first of nothing is nothing, and no crash."),
        chain(
            "leaf-not-stored",
            "A certificate by the right issuer for the same key that is no row is unknown.",
            json!([b64u(&unstored)]),
            "another certificate of the same node and key, which was never stored",
        )
        .documented()
        .why("A certificate without a row was never issued, whoever signed it."),
        chain(
            "leaf-second",
            "The stored certificate as the second entry is not the leaf.",
            json!([b64u(&other), stored]),
            "a stranger's certificate before the leaf",
        )
        .why("Whoever searches the chain judges another certificate than the one presented."),
        chain(
            "leaf-with-an-octet-more",
            "The stored certificate with one octet after it is unknown.",
            json!([b64u(&longer)]),
            "one octet 00 after the leaf",
        )
        .documented()
        .why("Byte for byte: a parser that stops early sees no difference."),
    ]
}

fn identity() -> Vec<Entry> {
    let caller = |name: &str, title: &str, caller: Value, what: &str| {
        let request: Renew = of(&old()).with("/caller", caller);
        let world = with(&old()).enrolled(&enrolled("b", &machine("b"), ISSUED));
        bad(name, RULE, title, "identity", &world, request).documented().twin(
            GOOD,
            &["/steps/0/request/caller", "/world/nodes/1", "/world/certs/1"],
            what,
        )
    };
    let own = old().spiffe();
    vec![
        caller(
            "identity-another-node",
            "A caller that is another node is refused.",
            enrolled("b", &machine("b"), ISSUED).spiffe().into(),
            "the caller is another node of the pool",
        )
        .why("A node renews itself, not its neighbour."),
        caller(
            "identity-none",
            "A call without a client certificate is refused.",
            Value::Null,
            "no forwarded leaf",
        )
        .why("Nothing reported is not whatever is wanted."),
        caller(
            "identity-upper-case",
            "A caller's identity in another case is another identity.",
            own.to_ascii_uppercase().into(),
            "the caller in upper case",
        )
        .why("Identities are compared octet for octet."),
        caller(
            "identity-longer",
            "A caller's identity that goes on after the node's is another identity.",
            format!("{own}/x").into(),
            "a further segment",
        )
        .why("A prefix is not an identity."),
    ]
}

/// The node's certificate names an attestation key.
pub(super) fn bound() -> Enrolled {
    let leaf = old().issue(&old().key, ISSUED, 86400, &[AK]);
    old().holding(leaf)
}

/// The node's certificate has expired.
pub(super) fn expired() -> Enrolled {
    enrolled("a", &machine("a"), LONG_AGO)
}

fn state() -> Vec<Entry> {
    let row = |name: &str, title: &str, reason: &str, old: &Enrolled, at: &[&str], what: &str| {
        bad(name, RULE, title, reason, &with(old), of(old)).documented().twin(GOOD, at, what)
    };
    vec![
        row(
            "revoked",
            "A revoked certificate renews nothing.",
            "cert-revoked",
            &old().with_cert("revoked", "reclaimed"),
            &["/world/certs/0/revoked"],
            "the certificate was revoked",
        )
        .why("A renewal would undo the revocation."),
        row(
            "expired",
            "An expired certificate renews nothing.",
            "cert-expired",
            &expired(),
            &["/world/certs/0/der", "/steps/0/request/chain/0"],
            "the certificate was issued a day earlier",
        )
        .also("RENEWAL-7")
        .why("Otherwise a certificate is good for ever."),
        row(
            "older-generation",
            "A certificate of an older generation renews nothing, revoked or not.",
            "generation",
            &old().with("generation", 2),
            &["/world/nodes/0/generation"],
            "the node is in its second generation",
        )
        .why("After a reclaim the machine before it is out, whatever became of its certificates."),
        row(
            "retired",
            "The certificate of a retired node renews nothing, revoked or not.",
            "node-retired",
            &old().with("retired", true),
            &["/world/nodes/0/retired"],
            "the node is retired",
        )
        .why("Retirement ends the node, and not only the certificates that someone remembered to revoke."),
        row(
            "attestation-missing",
            "A certificate that names an attestation key does not renew without key_attestation.",
            "key-attestation-missing",
            &bound(),
            &["/world/certs/0/der", "/steps/0/request/chain/0"],
            "the leaf names an attestation key",
        )
        .why("A renewal to a key outside the TPM would carry on a statement that no longer holds."),
    ]
}
