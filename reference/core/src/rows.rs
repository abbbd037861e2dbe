//! Rows that several steps read: pools, sites and nodes, as far as verdicts depend on them.

use crate::certificate::CertificateRole;
use crate::claims::Claims;
use crate::hardware_key::Derived;
use crate::token::Role;

/// A pool: where joins land.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool {
    /// `pool_…`
    pub id: String,
    /// The site that it belongs to.
    pub site_id: String,
    /// The tenant that owns it.
    pub owner_tenant: String,
    /// The program that runs on its nodes; only `bcd` joins (DESTINATION-2).
    pub agent: String,
    /// Whether its nodes are accepted before they are adopted (ADMISSION-6).
    pub acceptance_checks: bool,
    /// `policy.joinAttestors`; absent allows every attestor, empty allows none.
    pub join_attestors: Option<Vec<String>>,
    /// Whether `policy.requestBinding` is `required` (BINDING-2).
    pub requires_request_binding: bool,
    /// Whether `policy.kubernetes.platformOperated` is the value true (HOSTED-1).
    pub platform_operated: bool,
}

/// A site: where pools are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// `site_…`
    pub id: String,
    /// The tenant that owns it.
    pub owner_tenant: String,
    /// Whether a tenant brought it.
    pub custom: bool,
}

/// A node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// `node_…`
    pub id: String,
    /// The owner.
    pub tenant: String,
    /// Its pool.
    pub pool_id: String,
    /// Its site.
    pub site_id: String,
    /// What it was admitted as.
    pub kind: Role,
    /// The role in its certificates.
    pub certificate_role: CertificateRole,
    /// identityGeneration: 1, and one more with every reclaim.
    pub generation: u32,
    /// A retired node is not live any more (RECLAIM-1).
    pub retired: bool,
    /// The claims of its last join.
    pub claims: Claims,
    /// The machine's key; only a trusted one is ever looked up.
    pub hardware_key: Derived,
    /// Whether its tenant owns its site (HOSTED-2).
    pub tenant_owned: bool,
    /// Whether it was queued for its controllers (ADMISSION-6).
    pub queued: bool,
    /// The token that admitted it last (TOKEN-12).
    pub token_id: Option<String>,
}

impl Node {
    /// The trusted key by which this node can be found.
    #[must_use]
    pub fn trusted_key(&self) -> Option<[u8; 32]> {
        // RECLAIM-1: an untrusted key is never looked up.
        self.hardware_key.key.filter(|_| self.hardware_key.trusted)
    }
}

#[cfg(test)]
pub(crate) mod fixture;
