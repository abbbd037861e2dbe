//! The server's steps, each on rows and an input that it accepts. Signers are outside of the core, but what they sign is
//! part of the step.

use std::hint::black_box;

use reference_core::admission::{Placement, Policy, Received, Service};
use reference_core::binding;
use reference_core::certificate::{CertTtl, CertificateRole, Issuer, Leaf, Row, Serial, Validity};
use reference_core::choices::Choices;
use reference_core::claims::Claims;
use reference_core::grant::Deployment;
use reference_core::hardware_key::Derived;
use reference_core::hash::sha256;
use reference_core::p256::PublicKey;
use reference_core::reclaim::{Known, Reading};
use reference_core::renewal::{self, Memory};
use reference_core::rows::{Node, Pool, Site};
use reference_core::seal::{self, Fresh};
use reference_core::signature::{RenewPop, Signature};
use reference_core::time::Millis;
use reference_core::token::{self, Role, Stored};

use crate::fixture::{certificate, key, sign, signer};
use crate::steps::{NOW, SITE, TOKEN, request_for, server_claims};

/// ADMISSION: a machine that nobody knows joins with a token, from its octets to the signed answer and the effects.
pub(crate) fn admit() -> Box<dyn Fn()> {
    let (token, keys, claims) =
        (token::parse(TOKEN).unwrap(), [key("example encryption key")], server_claims());
    let asked =
        binding::Request { attestor: "", role: "node", token_id: token.id().as_str(), claims: &claims };
    let csr = request_for(&binding::hash(&asked));
    let fresh = Fresh { ephemeral: key("example ephemeral key"), content_key: [6; 32].into(), iv: [7; 12] };
    let recipient = keys[0].public();
    let seal = seal::make(&token, &csr, recipient, &[recipient.pin()], 1_767_225_600, &fresh).unwrap();
    let (stored, pool, attestors) = (stored(&token), pool(), ["join-token".to_owned()]);
    let site = Site { id: SITE.into(), owner_tenant: "ten_t".into(), custom: false };
    let answering = key("example join-signing key");
    let (sign_leaf, sign_answer) = (signer(&key("example node CA")), signer(&answering));
    let issuer = issuer();
    let (seen, known, choices) = (Reading::default(), Known::default(), Choices::default());
    Box::new(move || {
        let received = Received {
            attestor: "",
            role: "node",
            csr: black_box(&csr),
            seal: seal.as_bytes(),
            claims: &claims,
        };
        let opened =
            received.open(Service { attestors: &attestors, keys: &keys, window: None }, NOW).unwrap();
        let attested = opened.attest(Some(&stored.row)).unwrap();
        let policy = Policy { expect: None, requires_request_binding: true, choices };
        let admissible = attested.judge(policy, NOW).unwrap();
        let placement = Placement {
            token: &stored,
            seen: &seen,
            known: &known,
            pool: Some(&pool),
            site: Some(&site),
            node_id: NODE,
            serial: Serial::of_random([5; 16]),
            choices,
        };
        let deployment = deployment(issuer, answering.public());
        let granted = admissible.place(&placement, &deployment, NOW).unwrap();
        let signature = sign_leaf(granted.to_sign());
        let certified = granted.certify(&signature);
        let signature = certified.to_sign().map(|message| sign_answer(message.octets()));
        black_box(certified.decide(signature.as_ref())).unwrap();
    })
}

/// CERTIFICATE: a leaf is written, signed and made a row.
pub(crate) fn issue() -> Box<dyn Fn()> {
    let (issuer, leaf, sign_leaf) = (issuer(), leaf(), signer(&key("example node CA")));
    Box::new(move || {
        let validity = Validity::from_now(NOW, 86_400, issuer.not_after_s);
        let unsigned = black_box(&leaf).clone().to_be_signed(&issuer, validity);
        let signature = sign_leaf(unsigned.octets());
        black_box(unsigned.assemble(&signature));
    })
}

/// RENEWAL: from its octets to the proof that counts as used.
pub(crate) fn verify_renewal() -> Box<dyn Fn()> {
    let chain = [certificate("profile-node")];
    let (row, node) = (Row::of_leaf(NODE, 1, &chain[0]).unwrap(), node());
    let csr = request_for(&sha256(b"request"));
    let proof = RenewPop { csr_sha256: &sha256(&csr), node_id: NODE, client_time_ms: NOW.0 };
    let signature = sign(&key("example node key"), proof.to_be_signed().octets());
    let pop_sig = *Signature::made(&signature).unwrap().octets();
    Box::new(move || {
        let received = renewal::Received {
            csr: black_box(&csr),
            chain: &chain,
            client_time_ms: NOW.0,
            pop_sig: &pop_sig,
            caller: Some(&row.spiffe_id),
            key_attestation: None,
        };
        let opened = received.open().unwrap();
        let timely = opened.prove(Some(&row), Some(&node)).unwrap().judge(NOW).unwrap();
        black_box(timely.spend(&mut Memory::default(), NOW)).unwrap();
    })
}

/// The node CA, read when the service started.
fn issuer() -> Issuer<'static> {
    Issuer::read(certificate("node-ca").leak()).unwrap()
}

fn deployment<'a>(issuer: Issuer<'a>, signing_key: &'a PublicKey) -> Deployment<'a> {
    Deployment {
        trust_domain: "compute.example.com",
        root_tenant: None,
        issuer,
        signing_key,
        trust_bundle: &[],
        ttl: CertTtl::configured(86_400).unwrap(),
    }
}

fn leaf() -> Leaf {
    Leaf {
        serial: Serial::of_random([5; 16]),
        trust_domain: "compute.example.com".into(),
        site_id: SITE.into(),
        node_id: NODE.into(),
        generation: 1,
        role: CertificateRole::Node,
        statements: vec![],
        public_key: *key("example node key").public(),
        allowed_kinds: None,
        ttl_limit_s: None,
        renewed_from: None,
    }
}

fn node() -> Node {
    Node {
        id: NODE.into(),
        tenant: "ten_t".into(),
        pool_id: "pool_p".into(),
        site_id: SITE.into(),
        kind: Role::Node,
        certificate_role: CertificateRole::Node,
        generation: 1,
        retired: false,
        claims: Claims::default(),
        hardware_key: Derived { key: None, trusted: false },
        tenant_owned: false,
        queued: true,
        token_id: None,
    }
}

fn pool() -> Pool {
    Pool {
        id: "pool_p".into(),
        site_id: SITE.into(),
        owner_tenant: "ten_t".into(),
        agent: "bcd".into(),
        acceptance_checks: false,
        join_attestors: None,
        requires_request_binding: true,
        platform_operated: false,
    }
}

fn stored(token: &token::Token) -> Stored {
    Stored {
        row: token::Row {
            id: token.id().to_string(),
            tenant: "ten_t".into(),
            secret_sha256: token.secret_sha256(),
            role: Role::Node,
            expires_at: Millis(i64::MAX),
            revoked_at: None,
            uses_left: 1,
        },
        pool_id: "pool_p".into(),
        site_id: SITE.into(),
        max_uses: 1,
        expect: None,
        allow_reclaim: false,
        hosted: None,
        allowed_kinds: None,
        ttl_limit_s: None,
        idempotency_key: None,
    }
}

const NODE: &str = "node_01k5w3v7x8e4n9q2r6t0b1c5d7";
