//! The last checks of a token join and its grant: whom the machine was, where it lands, and what it becomes.

use super::{Admissible, Attestor};
use crate::certificate::{CertificateRole, Leaf, Serial};
use crate::choices::Choices;
use crate::decision::{NodeKey, Rejected};
use crate::destination::Destination;
use crate::grant::{Admission, Before, Deployment, Granted, TokenUse};
use crate::hosted::Ownership;
use crate::reclaim::{self, Holder, Known, RECLAIMED, Reading};
use crate::refusal::Refusal;
use crate::rows::{Node, Pool, Site};
use crate::seal::Sent;
use crate::time::Millis;
use crate::token::{Role, Stored};

/// What the admission reads inside its transaction, and what it saw before.
#[derive(Clone, Copy, Debug)]
pub struct Placement<'p> {
    /// The token, whole.
    pub token: &'p Stored,
    /// What live node the trusted key belonged to before any lock.
    pub seen: &'p Reading,
    /// Whom the trusted key belongs to now.
    pub known: &'p Known<'p>,
    /// The token's pool.
    pub pool: Option<&'p Pool>,
    /// The pool's site.
    pub site: Option<&'p Site>,
    /// A new node's id.
    pub node_id: &'p str,
    /// A new serial number.
    pub serial: Serial,
    /// The named choices.
    pub choices: Choices,
}

impl<'r> Admissible<'r> {
    /// Judges the last and makes the node's leaf. A machine without a trusted key is known to nobody.
    ///
    /// # Errors
    /// In this order: CONFLICT, `reclaim`, `pool-agent`, `pool-tenant`, `pool-attestor`.
    pub fn place<'d>(
        self,
        placement: &Placement<'_>,
        deployment: &'d Deployment<'d>,
        now: Millis,
    ) -> Result<Granted<'d>, Rejected<'r>> {
        let refused = |reason| Rejected::Refused(Refusal::of_token(reason, self.secret));
        let Placement { token, known, choices, .. } = *placement;
        let nobody = Known::default();
        // RECLAIM-3, ADMISSION-4: without a trusted key it never reclaims and never races.
        let known = if self.trusted { known } else { &nobody };
        // ADMISSION-4: what was read before any lock is compared with what is read now, before the rules of RECLAIM.
        let now_read = Reading::of(known.live.as_ref().map(|holder| holder.node));
        if self.trusted && now_read != *placement.seen {
            return Err(Rejected::Conflict);
        }
        let holder = reclaim::judge(known, token, choices).map_err(refused)?;
        let destination = Destination::of_token(token);
        let attestor = Attestor::JoinToken.as_str();
        let pool = destination.check_pool(placement.pool, attestor).map_err(refused)?;
        let ownership = Ownership { pool, site: placement.site, root_tenant: deployment.root_tenant };
        let node = self.node(&ownership, holder, placement);
        let leaf = self.leaf(&node, placement, deployment.trust_domain);
        let admission = Admission {
            attestor,
            request_sha256: self.request_sha256,
            node,
            // ADMISSION-5: unattested, which is every token join.
            node_key: NodeKey::Unattested,
            before: holder.map(|holder| before(holder, now)),
            token: Some(TokenUse {
                token_id: self.token_id.to_string(),
                seal_sha256: self.seal_sha256,
                sent: Sent { csr_sha256: self.csr_sha256, role: self.role, claims: self.claims },
            }),
        };
        Ok(Granted::admission(leaf, self.csr_sha256, admission, deployment, now))
    }

    fn node(
        &self,
        ownership: &Ownership<'_>,
        holder: Option<&Holder<'_>>,
        placement: &Placement<'_>,
    ) -> Node {
        let (pool, token) = (ownership.pool, placement.token);
        let before: Option<CertificateRole> = holder.map(|holder| holder.node.certificate_role);
        Node {
            // RECLAIM-3: the node keeps its id, and its identityGeneration goes up by one; ADMISSION-1: a new one has 1.
            id: holder.map_or(placement.node_id, |holder| &holder.node.id).to_owned(),
            generation: holder.map_or(1, |holder| holder.node.generation.saturating_add(1)),
            tenant: pool.owner_tenant.clone(),
            pool_id: pool.id.clone(),
            site_id: pool.site_id.clone(),
            kind: self.role,
            certificate_role: ownership.certificate_role(self.role, token.hosted.is_some(), before),
            retired: false,
            // RECLAIM-3: the recorded claims become those of the join.
            claims: self.claims.clone(),
            hardware_key: self.hardware_key,
            tenant_owned: ownership.is_tenant_owned(),
            // ADMISSION-6: at once without acceptance checks, and a site agent.
            queued: !pool.acceptance_checks || self.role == Role::Site,
            // TOKEN-12: the row carries the token's id.
            token_id: Some(self.token_id.to_string()),
        }
    }

    fn leaf(&self, node: &Node, placement: &Placement<'_>, trust_domain: &str) -> Leaf {
        Leaf {
            serial: placement.serial,
            trust_domain: trust_domain.to_owned(),
            site_id: node.site_id.clone(),
            node_id: node.id.clone(),
            generation: node.generation,
            role: node.certificate_role,
            // RECLAIM-5: under `any` the new leaf has no AK statement.
            statements: Vec::new(),
            public_key: self.public_key,
            allowed_kinds: placement.token.allowed_kinds.clone(),
            ttl_limit_s: placement.token.ttl_limit_s,
            renewed_from: None,
        }
    }
}

fn before(holder: &Holder<'_>, now: Millis) -> Before {
    Before {
        generation: holder.node.generation,
        // RECLAIM-3: the old hash is that of the node's newest certificate.
        spki_sha256: holder.certificates.last().map(|newest| newest.spki_sha256),
        node_key: holder.node_key(),
        revocations: holder.revocations(RECLAIMED, now),
    }
}
