//! A node with its pool, its certificates and a token, for tests of what is read from rows.

use super::{Node, Pool};
use crate::certificate::{CertTtl, CertificateRole, Issuer, Row};
use crate::claims::Claims;
use crate::grant::Deployment;
use crate::hardware_key::Derived;
use crate::p256::PublicKey;
use crate::time::Millis;
use crate::token::{self, Role, Stored};
use crate::x509::fixture::certificate;

/// 2026-01-01T23:59:00Z: the last second of [`row`]'s leaf begins.
pub(crate) const LAST_S: i64 = 1_767_311_940;

/// `node_n` in its third generation, of kind node, in `pool_p`.
pub(crate) fn node() -> Node {
    Node {
        id: "node_n".into(),
        tenant: "ten_t".into(),
        pool_id: "pool_p".into(),
        site_id: "site_s".into(),
        kind: Role::Node,
        certificate_role: CertificateRole::Node,
        generation: 3,
        retired: false,
        claims: Claims::default(),
        hardware_key: Derived { key: Some([1; 32]), trusted: true },
        tenant_owned: false,
        queued: true,
        token_id: Some("jt_first".into()),
    }
}

pub(crate) fn pool() -> Pool {
    Pool {
        id: "pool_p".into(),
        site_id: "site_s".into(),
        owner_tenant: "ten_t".into(),
        agent: "bcd".into(),
        acceptance_checks: false,
        join_attestors: None,
        requires_request_binding: false,
        platform_operated: false,
    }
}

/// A certificate of `node_n`, by the key of `example node key`; its serial says which.
pub(crate) fn row(generation: u32, serial: u8) -> Row {
    let row = Row::of_leaf("node_n", generation, &certificate("profile-node")).unwrap();
    Row { serial: vec![serial; 16], ..row }
}

/// The same with a statement that names the AK whose public area is `abc`.
pub(crate) fn row_of_tpm(generation: u32, serial: u8) -> Row {
    // FIPS 180-4, example B.1.
    let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    Row { statements: vec![format!("urn:bc:tpm-ak:sha256:{digest}")], ..row(generation, serial) }
}

/// A token that may reclaim [`node`].
pub(crate) fn stored() -> Stored {
    Stored {
        row: token::Row {
            id: "jt_second".into(),
            tenant: "ten_t".into(),
            secret_sha256: [0; 32],
            role: Role::Node,
            expires_at: Millis(i64::MAX),
            revoked_at: None,
            uses_left: 1,
        },
        pool_id: "pool_p".into(),
        site_id: "site_s".into(),
        max_uses: 1,
        expect: None,
        allow_reclaim: true,
        hosted: None,
        allowed_kinds: None,
        ttl_limit_s: None,
        idempotency_key: None,
    }
}

/// A deployment of the certificate of a node CA.
pub(crate) fn deployment<'a>(node_ca: &'a [u8], signing_key: &'a PublicKey) -> Deployment<'a> {
    Deployment {
        trust_domain: "compute.example.com",
        root_tenant: None,
        issuer: Issuer::read(node_ca).unwrap(),
        signing_key,
        trust_bundle: &[],
        ttl: CertTtl::configured(86_400).unwrap(),
    }
}
