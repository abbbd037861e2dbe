//! The proof: by the leaf's key, under its own purpose, over CSR, node id and client time; and the window of the time.

use serde_json::Value;

use super::{FORM, GOOD, TIME, back, bad, good, of, old, to, with};
use crate::case::{Entry, NOW};
use crate::script::Join;
use crate::testkit::encode::b64u;
use crate::testkit::keys::key;
use crate::testkit::world::{milliseconds, node};

const RULE: &str = "X509POP-1";
const BEHIND: &str = "x509pop/clock-60s-behind";
const AHEAD: &str = "x509pop/clock-60s-ahead";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = vec![rejoined(), purpose(), key_of_a_thief(), new_key()];
    all.extend(signed_fields());
    all.extend(forms());
    all.extend(clock());
    all
}

fn rejoined() -> Entry {
    let title =
        "A machine whose certificate expired half a day ago has its node back, in the next generation.";
    good("rejoined", RULE, title, &with(&old()), of(&old()), back())
        .documented()
        .also("X509POP-3")
        .also("RECLAIM-3")
        .also("ADMISSION-5")
        .why("The node keeps its id, the old certificate is revoked, and events and audit row call it a reclaim.")
}

fn refused(name: &str, title: &str, request: Join, at: &str, what: &str) -> Entry {
    bad(name, RULE, title, "pop-signature", &with(&old()), request).twin(GOOD, &[at], what)
}

fn purpose() -> Entry {
    let title = "A proof that was made for a renewal brings no node back.";
    let at = "/steps/0/request/x509pop/popSig/$pop/purpose";
    refused("purpose-renew", title, of(&old()).purpose("renew-pop"), at, "the purpose signed")
        .also("SIGNATURE-1")
        .why("A gateway that has kept a late renewal must not make a new generation of it.")
}

fn key_of_a_thief() -> Entry {
    let title = "A proof by a key that the certificate does not certify is refused.";
    let at = "/steps/0/request/x509pop/popSig/$pop/key";
    refused(
        "proof-by-another-key",
        title,
        of(&old()).signed_by(&key("a thief's key")),
        at,
        "the key that signs",
    )
    .why("Certificates are public; the key is what a thief does not have.")
}

fn new_key() -> Entry {
    let title = "A proof by the new key in place of the old one is refused.";
    let at = "/steps/0/request/x509pop/popSig/$pop/key";
    refused("proof-by-the-new-key", title, of(&old()).signed_by(&to("second").key), at, "the key that signs")
        .why("Whoever makes a CSR has its key: that proves nothing about the node.")
}

fn signed_fields() -> Vec<Entry> {
    let signed = |name: &str, title: &str, member: &str, value: Value| {
        let request = of(&old()).with(&format!("/x509pop/popSig/$pop/{member}"), value);
        let at = format!("/steps/0/request/x509pop/popSig/$pop/{member}");
        refused(name, title, request, &at, "what is signed")
    };
    vec![
        signed(
            "proof-over-another-csr",
            "A proof over another CSR is refused.",
            "csr",
            b64u(to("third").csr()).into(),
        )
        .why("A gateway that sees the join must not put its own CSR in place."),
        signed(
            "proof-over-another-node",
            "A proof over another node's id is refused.",
            "node",
            node("b").into(),
        )
        .why("The node id is that of the leaf's row, whatever the machine believes."),
        signed(
            "proof-over-another-time",
            "A proof over a client time that is a millisecond off the one sent is refused.",
            "clientTimeMs",
            (milliseconds(NOW) + 1).into(),
        )
        .why("A client time that is not signed makes a stolen proof as fresh as the thief likes."),
    ]
}

fn forms() -> Vec<Entry> {
    let form = |name: &str, title: &str, why: &str| {
        let request = of(&old()).form(name);
        refused(&format!("proof-{name}"), title, request, FORM, "the form of the signature").why(why)
    };
    vec![
        form("high-s", "A proof with n - s for s is refused.", "One proof, one signature that counts."),
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

fn clock() -> Vec<Entry> {
    let passes = |name: &str, title: &str, time: &str| {
        good(name, RULE, title, &with(&old()), of(&old()).client_time(time), back())
            .also("RENEWAL-3")
            .why("The window of renewals, both ends included: a machine that was off may have a poor clock.")
    };
    let fails = |name: &str, title: &str, time: &str, twin: &str| {
        bad(name, RULE, title, "clock", &with(&old()), of(&old()).client_time(time))
            .also("RENEWAL-3")
            .twin(twin, &TIME, "the client time, sent and signed")
            .why("The memory of proofs holds for this window and no wider one.")
    };
    vec![
        passes("clock-60s-behind", "A client time of 60 s ago passes.", "2025-12-31T23:59:00.000Z"),
        passes("clock-60s-ahead", "A client time 60 s ahead passes.", "2026-01-01T00:01:00.000Z"),
        fails(
            "clock-60001ms-behind",
            "A client time of 60.001 s ago is refused.",
            "2025-12-31T23:58:59.999Z",
            BEHIND,
        ),
        fails(
            "clock-60001ms-ahead",
            "A client time 60.001 s ahead is refused.",
            "2026-01-01T00:01:00.001Z",
            AHEAD,
        ),
    ]
}
