//! One memory and one floor for both purposes, renewal and x509pop; the purpose tells their proofs apart.

use serde_json::json;

use super::order::certificates;
use super::{of, old, to};
use crate::case::{Entry, NOW};
use crate::script::{reclaimed, refused, renewed, script_accept, x509pop};
use crate::testkit::keys::key;
use crate::testkit::world::{Enrolled, World, cert_row};

const RULE: &str = "RENEWAL-3";

pub(super) fn entries() -> Vec<Entry> {
    vec![renewal_then_join(), join_then_renewal()]
}

/// The node's newest certificate: it was for an hour, and has expired with 2025-12-31T23:29:00Z.
pub(in crate::cases) fn newest() -> Enrolled {
    let leaf = old().issue(&key("newest"), "2025-12-31T22:30:00Z", 3600, &[]);
    Enrolled { key: key("newest"), ..old() }.holding(leaf)
}

/// The node with so many live certificates, and after them an expired one.
pub(in crate::cases) fn live_and_expired(live: usize) -> World {
    certificates(&old(), live).push("certs", &cert_row(&old().id(), 1, &newest().leaf))
}

fn renewal_then_join() -> Entry {
    let title = "A used proof of a renewal and one of x509pop over the same fields are two proofs.";
    script_accept("renewal/memory-another-purpose", RULE, title)
        .also("X509POP-1")
        .world(&live_and_expired(8))
        .step("limit", NOW, of(&old()), refused("renew-limit"))
        .step("join", NOW, x509pop(&to("second"), &newest(), &newest().key), reclaimed(&old().id(), "taken"))
        .why("The purpose is a signed field. A machine that may not renew joins with the CSR that it has.")
        .recipe(
            "A node with eight live certificates and an expired newest one: a renewal at the limit, and a join with the \
             newest, with the same CSR in the same millisecond.",
        )
}

fn join_then_renewal() -> Entry {
    let title = "A used proof of x509pop and one of a renewal over the same fields are two proofs.";
    let join = x509pop(&to("second"), &newest(), &newest().key);
    script_accept("renewal/memory-after-another-purpose", RULE, title)
        .also("X509POP-1")
        .world(&live_and_expired(1).pool("a", "policy", json!({"joinAttestors": ["join-token"]})))
        .step("join", NOW, join, refused("pool-attestor"))
        .step("renew", NOW, of(&old()), renewed("second"))
        .why("The proof that the pool turned away was for another purpose.")
        .recipe(
            "A node with a live certificate and an expired newest one, in a pool that takes no x509pop: a join with the \
             newest, and a renewal with the other, with the same CSR in the same millisecond.",
        )
}
