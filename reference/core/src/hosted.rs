//! HOSTED (docs/spec/12-hosted.md): nodes that a tenant controls.

use crate::certificate::CertificateRole;
use crate::rows::{Pool, Site};
use crate::token::Role;

/// Who owns a pool and its site, read inside the admission's transaction.
#[derive(Clone, Copy, Debug)]
pub struct Ownership<'a> {
    /// The pool.
    pub pool: &'a Pool,
    /// Its site; a site that is not there is nobody's.
    pub site: Option<&'a Site>,
    /// The tenant that operates the deployment, where one is named.
    pub root_tenant: Option<&'a str>,
}

impl Ownership<'_> {
    /// Whether the platform owns the pool.
    #[must_use]
    pub fn is_platform_owned(&self) -> bool {
        // HOSTED-1: its owner is its site's, the site is not custom, and the owner is the root tenant where one is named.
        let owner = &self.pool.owner_tenant;
        self.site.is_some_and(|site| site.owner_tenant == *owner && !site.custom)
            && self.root_tenant.is_none_or(|root| root == owner)
    }

    /// Whether a node of the pool is tenant-owned, whatever its token.
    #[must_use]
    pub fn is_tenant_owned(&self) -> bool {
        // HOSTED-2: the site's owner is the pool's, and the platform does not own the pool.
        let same_owner = self.site.is_some_and(|site| site.owner_tenant == self.pool.owner_tenant);
        same_owner && !self.is_platform_owned()
    }

    /// The role in the certificate of a join by token; `before` is the node's if the join is a reclaim.
    #[must_use]
    pub fn certificate_role(
        &self,
        role: Role,
        hosted: bool,
        before: Option<CertificateRole>,
    ) -> CertificateRole {
        // HOSTED-2: roles `site` and `ramdisk` are never touched.
        if role != Role::Node {
            return role.into();
        }
        let is_platform_owned = self.is_platform_owned();
        let controlled_by_platform = if hosted {
            // HOSTED-1: the exception needs both.
            is_platform_owned && self.pool.platform_operated
        } else {
            // HOSTED-2: a lowered node is raised again only where the platform owns the pool.
            before != Some(CertificateRole::NodeTenant) || is_platform_owned
        };
        if controlled_by_platform { CertificateRole::Node } else { CertificateRole::NodeTenant }
    }
}

#[cfg(test)]
mod tests;
