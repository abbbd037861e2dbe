//! Who lives in the deployment: machines, tokens, keys and requests.

use crate::certificate::{CertTtl, Issuer};
use crate::choices::Choices;
use crate::claims::{self, Raw};
use crate::csr;
use crate::expect::Expect;
use crate::grant::Deployment;
use crate::hardware_key;
use crate::p256::PrivateKey;
use crate::rows::{Pool, Site};
use crate::time::Millis;
use crate::token::{self, Role, Stored, Token};
use crate::x509::fixture::{certificate, key, sign};

pub(super) const TOKENS: usize = 5;
pub(super) const MACHINES: usize = 3;
pub(super) const KEYS: usize = 3;
/// 2026-01-01T00:00:00Z
pub(super) const START: Millis = Millis(1_767_225_600_000);

/// Keys, requests and machines: made once, since they are what costs time.
pub(super) struct Cast {
    pub(super) keys: Vec<PrivateKey>,
    pub(super) csrs: Vec<Vec<u8>>,
    pub(super) encryption: [PrivateKey; 1],
    signing: PrivateKey,
    node_ca: Vec<u8>,
    pub(super) attestors: Vec<String>,
    pub(super) site: Site,
}

impl Cast {
    pub(super) fn new() -> Self {
        let keys: Vec<PrivateKey> = (0..KEYS).map(|number| key(&format!("node key {number}"))).collect();
        let request = |key: &PrivateKey| {
            let info = csr::to_be_signed(key.public(), None);
            csr::assemble(&info, &sign(key, &info))
        };
        Self {
            csrs: keys.iter().map(request).collect(),
            keys,
            encryption: [key("example encryption key")],
            signing: key("example join-signing key"),
            node_ca: certificate("node-ca"),
            attestors: vec!["join-token".into(), "x509pop".into()],
            site: Site { id: "site_s".into(), owner_tenant: "ten_t".into(), custom: false },
        }
    }

    pub(super) fn deployment(&self) -> Deployment<'_> {
        Deployment {
            trust_domain: "compute.example.com",
            root_tenant: None,
            issuer: Issuer::read(&self.node_ca).unwrap(),
            signing_key: self.signing.public(),
            trust_bundle: &[],
            ttl: CertTtl::configured(86_400).unwrap(),
        }
    }
}

/// The claims of a machine: two are known by two identifiers, the last has but one.
pub(super) fn claims(machine: usize) -> Raw {
    let named = machine + 1 < MACHINES;
    Raw {
        product_uuid: if named {
            format!("4c4c4544-0051-3410-8051-b5c04f37593{machine}").into()
        } else {
            vec![]
        },
        product_serial: if named { format!("sn-770{machine}").into() } else { vec![] },
        permanent_macs: vec![format!("3c:ec:ef:12:34:5{machine}").into()],
        ..Raw::default()
    }
}

/// The machine's key, where it is trusted.
pub(super) fn trusted_key(machine: usize) -> Option<[u8; 32]> {
    let claims = claims::normalize(&claims(machine)).unwrap();
    let Choices { hwkey_selection, hwkey_independence, .. } = Choices::default();
    let derived = hardware_key::derive_for_token(&claims, hwkey_selection, hwkey_independence);
    derived.key.filter(|_| derived.trusted)
}

pub(super) fn bearer(token: usize) -> Token {
    let mut uuid = [0; 16];
    uuid[15] = u8::try_from(token).unwrap();
    Token::new(uuid, [uuid[15]; 32])
}

/// One that does not reclaim, one that does, one of another pool, one that is pinned, and one that ends soon.
pub(super) fn stored(token: usize) -> Stored {
    let bearer = bearer(token);
    let max_uses = [1, 8, 2, 2, 1][token];
    let mac = Some("3c:ec:ef:12:34:52".to_owned());
    Stored {
        row: token::Row {
            id: bearer.id().to_string(),
            tenant: "ten_t".into(),
            secret_sha256: bearer.secret_sha256(),
            role: Role::Node,
            expires_at: Millis(START.0 + if token == 4 { 3_600_000 } else { 60 * 86_400_000 }),
            revoked_at: None,
            uses_left: max_uses,
        },
        pool_id: if token == 2 { "pool_q" } else { "pool_p" }.into(),
        site_id: "site_s".into(),
        max_uses,
        expect: (token == 3).then(|| Expect { mac, ..Expect::default() }),
        allow_reclaim: matches!(token, 1 | 2 | 4),
        hosted: None,
        allowed_kinds: None,
        ttl_limit_s: None,
        idempotency_key: None,
    }
}

pub(super) fn pool(id: &str) -> Pool {
    Pool {
        id: id.into(),
        site_id: "site_s".into(),
        owner_tenant: "ten_t".into(),
        agent: "bcd".into(),
        acceptance_checks: false,
        join_attestors: None,
        requires_request_binding: false,
        platform_operated: false,
    }
}
