//! The op `world.load`: the contract's world as the core's rows.

use std::collections::{BTreeMap, BTreeSet};

use reference_core::certificate::{CertTtl, CertificateRole, Issuer, Revoked, Row};
use reference_core::choices::Choices;
use reference_core::claims::{self, Raw};
use reference_core::hardware_key;
use reference_core::hosted::Ownership;
use reference_core::rows::{Node, Pool, Site};
use reference_core::time::Millis;
use reference_core::token::{self, Hosted, Role, Stored};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Number, Value};

use super::store::{Rows, Store};
use super::{Config, Keys, World};
use crate::message::{Call, Failure};
use crate::shapes::{
    Array, B, Claims, Expect, PoolBinding, Time, Window, nullable, octets_list, private_key, private_keys,
};

/// Reads the world of a call. None when its `certTtlS` keeps it from starting.
pub(super) fn read(call: &Call<'_>) -> Result<Option<World>, Failure> {
    #[derive(Deserialize)]
    struct In<'a> {
        #[serde(borrow)]
        world: Given<'a>,
    }
    let In { world: given } = call.input()?;
    let keys = given.keys.map(KeysMembers::read).transpose()?;
    let mut rows = Rows {
        sites: given.sites.into_iter().map(SiteMembers::read).collect(),
        pools: given.pools.into_iter().map(PoolMembers::read).collect(),
        ..Rows::default()
    };
    unique("site", rows.sites.iter().map(|site| &site.id))?;
    unique("pool", rows.pools.iter().map(|pool| &pool.id))?;
    for pool in &rows.pools {
        rows.site(&pool.site_id).ok_or_else(|| missing("a pool's site"))?;
    }
    rows.tokens = given.tokens.into_iter().map(|token| token.read(&rows)).collect::<Result<_, _>>()?;
    unique("token", rows.tokens.iter().map(|token| &token.row.id))?;
    let root_tenant = given.root_tenant.as_deref();
    let nodes = given.nodes.into_iter();
    rows.nodes = nodes.map(|node| node.read(&rows, root_tenant, call.choices)).collect::<Result<_, _>>()?;
    unique("node", rows.nodes.iter().map(|node| &node.id))?;
    rows.certificates = given.certs.into_iter().map(|row| row.read(&rows)).collect::<Result<_, _>>()?;
    let ttl = given.cert_ttl_s.as_u64().and_then(CertTtl::configured);
    let store = Store { rows, ..Store::default() };
    Ok(ttl.map(|ttl| World {
        config: Config {
            trust_domain: given.trust_domain,
            root_tenant: given.root_tenant,
            attestors: given.attestors,
            ttl,
            iat_window: given.iat_window.map(Into::into),
            keys,
        },
        store,
        tickets: BTreeMap::new(),
    }))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Given<'a> {
    trust_domain: String,
    #[serde(deserialize_with = "nullable")]
    root_tenant: Option<String>,
    attestors: Vec<String>,
    cert_ttl_s: Number,
    iat_window: Option<Window>,
    #[serde(borrow, deserialize_with = "nullable")]
    keys: Option<KeysMembers<'a>>,
    sites: Vec<SiteMembers>,
    pools: Vec<PoolMembers>,
    tokens: Vec<TokenMembers>,
    nodes: Vec<NodeMembers>,
    certs: Vec<CertificateMembers>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct KeysMembers<'a> {
    #[serde(borrow)]
    encryption: Vec<&'a RawValue>,
    #[serde(borrow)]
    signing: &'a RawValue,
    #[serde(borrow)]
    node_ca: NodeCa<'a>,
    #[serde(deserialize_with = "octets_list")]
    trust_bundle: Vec<Vec<u8>>,
}

#[derive(Deserialize)]
struct NodeCa<'a> {
    #[serde(borrow)]
    key: &'a RawValue,
    certificate: B,
}

impl KeysMembers<'_> {
    fn read(self) -> Result<Keys, Failure> {
        let node_ca_certificate = self.node_ca.certificate.0;
        Issuer::read(&node_ca_certificate).ok_or_else(|| Failure::error("no certificate of a node CA"))?;
        Ok(Keys {
            encryption: private_keys(&self.encryption)?,
            signing: private_key(self.signing)?,
            node_ca: private_key(self.node_ca.key)?,
            node_ca_certificate,
            trust_bundle: self.trust_bundle,
        })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SiteMembers {
    id: String,
    owner_tenant: String,
    custom: bool,
}

impl SiteMembers {
    fn read(self) -> Site {
        Site { id: self.id, owner_tenant: self.owner_tenant, custom: self.custom }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PoolMembers {
    id: String,
    site_id: String,
    owner_tenant: String,
    agent: String,
    acceptance_checks: bool,
    policy: Policy,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Policy {
    join_attestors: Option<Vec<String>>,
    request_binding: Option<PoolBinding>,
    kubernetes: Option<Kubernetes>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Kubernetes {
    platform_operated: Option<Value>,
}

impl PoolMembers {
    fn read(self) -> Pool {
        let platform_operated = self.policy.kubernetes.and_then(|kubernetes| kubernetes.platform_operated);
        Pool {
            id: self.id,
            site_id: self.site_id,
            owner_tenant: self.owner_tenant,
            agent: self.agent,
            acceptance_checks: self.acceptance_checks,
            join_attestors: self.policy.join_attestors,
            requires_request_binding: self.policy.request_binding == Some(PoolBinding::Required),
            // HOSTED-1: the value true, and no other.
            platform_operated: platform_operated == Some(Value::Bool(true)),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TokenMembers {
    id: String,
    tenant: String,
    pool_id: String,
    secret_sha256: Array<32>,
    role: String,
    uses_left: u32,
    max_uses: u32,
    expires_at: Time,
    #[serde(deserialize_with = "nullable")]
    revoked_at: Option<Time>,
    #[serde(deserialize_with = "nullable")]
    expect: Option<Expect>,
    allow_reclaim: bool,
    #[serde(deserialize_with = "nullable")]
    hosted: Option<String>,
    allowed_kinds: Option<Vec<String>>,
    ttl_limit_s: Option<u32>,
}

impl TokenMembers {
    fn read(self, rows: &Rows) -> Result<Stored, Failure> {
        // A token's pool may be gone.
        let site_id = rows.pool(&self.pool_id).map(|pool| pool.site_id.clone());
        Ok(Stored {
            row: token::Row {
                id: self.id,
                tenant: self.tenant,
                secret_sha256: self.secret_sha256.0,
                role: role(&self.role)?,
                expires_at: self.expires_at.0,
                revoked_at: self.revoked_at.map(|time| time.0),
                uses_left: self.uses_left,
            },
            pool_id: self.pool_id,
            site_id: site_id.unwrap_or_default(),
            max_uses: self.max_uses,
            expect: self.expect.map(Into::into),
            allow_reclaim: self.allow_reclaim,
            hosted: self.hosted.as_deref().map(hosted).transpose()?,
            allowed_kinds: self.allowed_kinds,
            ttl_limit_s: ttl_limit(self.ttl_limit_s)?,
            idempotency_key: None,
        })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NodeMembers {
    id: String,
    tenant: String,
    pool_id: String,
    site_id: String,
    kind: String,
    certificate_role: String,
    generation: u32,
    retired: bool,
    claims: Claims,
    #[serde(deserialize_with = "nullable")]
    token_id: Option<String>,
}

impl NodeMembers {
    fn read(self, rows: &Rows, root_tenant: Option<&str>, choices: Choices) -> Result<Node, Failure> {
        let pool = rows.pool(&self.pool_id).ok_or_else(|| missing("a node's pool"))?;
        let site = rows.site(&self.site_id).ok_or_else(|| missing("a node's site"))?;
        if self.token_id.as_ref().is_some_and(|id| rows.token(id).is_none()) {
            return Err(missing("a node's token"));
        }
        let claims = claims::normalize(&Raw::from(self.claims));
        let claims = claims.map_err(|_| Failure::error("a node's claims are refused"))?;
        let Choices { hwkey_selection, hwkey_independence, .. } = choices;
        let certificate_role = CertificateRole::parse(&self.certificate_role);
        Ok(Node {
            id: self.id,
            tenant: self.tenant,
            pool_id: self.pool_id,
            site_id: self.site_id,
            kind: role(&self.kind)?,
            certificate_role: certificate_role.ok_or_else(|| Failure::error("no role of certificates"))?,
            generation: self.generation,
            retired: self.retired,
            hardware_key: hardware_key::derive(&claims, hwkey_selection, hwkey_independence),
            claims,
            tenant_owned: Ownership { pool, site: Some(site), root_tenant }.is_tenant_owned(),
            queued: true,
            token_id: self.token_id,
        })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CertificateMembers {
    node_id: String,
    generation: u32,
    der: B,
    allowed_kinds: Option<Vec<String>>,
    ttl_limit_s: Option<u32>,
    #[serde(deserialize_with = "nullable")]
    revoked: Option<String>,
}

impl CertificateMembers {
    fn read(self, rows: &Rows) -> Result<Row, Failure> {
        rows.node(&self.node_id).ok_or_else(|| missing("a certificate's node"))?;
        let row = Row::of_leaf(&self.node_id, self.generation, &self.der.0);
        let row = row.ok_or_else(|| Failure::error("a certificate that is no leaf of the profile"))?;
        Ok(Row {
            allowed_kinds: self.allowed_kinds,
            ttl_limit_s: ttl_limit(self.ttl_limit_s)?,
            // The contract has no time of it, and no verdict depends on one.
            revoked: self.revoked.map(|reason| Revoked { at: Millis(0), reason }),
            ..row
        })
    }
}

fn role(name: &str) -> Result<Role, Failure> {
    Role::parse(name).map_err(|_| Failure::error("a row's role is unknown"))
}

fn hosted(word: &str) -> Result<Hosted, Failure> {
    let known = Some(Hosted::Kubernetes).filter(|hosted| hosted.as_str() == word);
    known.ok_or_else(|| Failure::error("a token's hosted is unknown"))
}

fn ttl_limit(seconds: Option<u32>) -> Result<Option<u32>, Failure> {
    if seconds == Some(0) { Err(Failure::error("a limit of 0 seconds")) } else { Ok(seconds) }
}

fn unique<'a>(what: &str, ids: impl Iterator<Item = &'a String>) -> Result<(), Failure> {
    let mut seen = BTreeSet::new();
    for id in ids {
        if !seen.insert(id) {
            return Err(Failure::error(format!("two rows of the same {what}")));
        }
    }
    Ok(())
}

fn missing(what: &str) -> Failure {
    Failure::error(format!("{what} is not there"))
}
