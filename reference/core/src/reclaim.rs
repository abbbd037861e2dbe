//! RECLAIM (docs/spec/11-reclaim.md): a known machine that comes back.

use crate::certificate::{self, Revoked, Row};
use crate::choices::{Choices, ReclaimRetired, ReclaimTpmBound};
use crate::decision::{Audit, Effect, Event, NodeKey};
use crate::reason::Reason;
use crate::rows::Node;
use crate::time::Millis;
use crate::token::Stored;

/// A live node with its certificates, in the order in which they were committed.
#[derive(Clone, Debug)]
pub struct Holder<'a> {
    /// The node.
    pub node: &'a Node,
    /// Its certificates, of every generation.
    pub certificates: Vec<&'a Row>,
}

impl<'a> Holder<'a> {
    /// The newest certificate of the current generation.
    #[must_use]
    pub fn newest_of_generation(&self) -> Option<&'a Row> {
        certificate::newest(&self.certificates, self.node.generation)
    }

    /// Whether its key was certified as a TPM's.
    #[must_use]
    pub fn is_tpm_bound(&self) -> bool {
        // RECLAIM-5: the newest certificate of the current generation, expired or not, names an AK.
        self.newest_of_generation().is_some_and(|newest| newest.ak_statement().is_some())
    }

    /// Where its key lives, by its newest certificate.
    #[must_use]
    pub fn node_key(&self) -> NodeKey {
        self.certificates.last().map_or(NodeKey::Unattested, |newest| NodeKey::of_certificate(newest))
    }

    /// What revokes its certificates: those that were not revoked before, expired ones included.
    #[must_use]
    pub fn revocations(&self, reason: &str, at: Millis) -> Vec<Effect> {
        // RECLAIM-3: every older certificate, one event for each that was not revoked before.
        let unrevoked = self.certificates.iter().filter(|row| row.revoked.is_none());
        unrevoked
            .flat_map(|row| {
                let (node_id, serial) = (row.node_id.clone(), row.serial.clone());
                let revoked = Revoked { at, reason: reason.to_owned() };
                let event = Event::CertificateRevoked {
                    tenant: self.node.tenant.clone(),
                    serial: serial.clone(),
                    node_id: node_id.clone(),
                    reason: reason.to_owned(),
                };
                [Effect::RevokeCertificate { node_id, serial, revoked }, Effect::Publish(event)]
            })
            .collect()
    }

    /// What retiring the node writes. Nothing for one that is retired already.
    #[must_use]
    pub fn retire(&self, at: Millis) -> Vec<Effect> {
        if self.node.retired {
            return Vec::new();
        }
        let (node_id, tenant) = (self.node.id.clone(), self.node.tenant.clone());
        let retired = Node { retired: true, ..self.node.clone() };
        let mut effects = vec![Effect::ReplaceNode(Box::new(retired))];
        // RECLAIM-4: retiring revokes every certificate; RENEWAL-3: and clears the proofs and the floor.
        effects.extend(self.revocations("retired", at));
        effects.push(Effect::ClearProofs { node_id: node_id.clone() });
        effects.push(Effect::Audit(Audit::Retired { tenant, node_id }));
        effects
    }
}

/// Whom a machine's trusted key belongs to. An untrusted key belongs to nobody.
#[derive(Clone, Debug, Default)]
pub struct Known<'a> {
    /// The live node.
    pub live: Option<Holder<'a>>,
    /// Whether a retired node had the key.
    pub retired: bool,
}

/// What is compared to find a race: the live node that a key belongs to, and its identityGeneration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reading(Option<(String, u32)>);

impl Reading {
    /// The reading of the live node of a trusted key.
    #[must_use]
    pub fn of(live: Option<&Node>) -> Self {
        // ADMISSION-4: none, or node id and identityGeneration.
        Self(live.map(|node| (node.id.clone(), node.generation)))
    }
}

/// Judges a token join of a machine whose key belongs to somebody. Answers the node that it gets back; none is a new
/// node.
///
/// # Errors
/// `reclaim` (RECLAIM-2, RECLAIM-4, RECLAIM-5).
pub fn judge<'k, 'a>(
    known: &'k Known<'a>,
    token: &Stored,
    choices: Choices,
) -> Result<Option<&'k Holder<'a>>, Reason> {
    let Some(holder) = &known.live else {
        // RECLAIM-4: retired nodes alone have the key.
        let refused = known.retired && choices.reclaim_retired == ReclaimRetired::Refuse;
        return if refused { Err(Reason::Reclaim) } else { Ok(None) };
    };
    let node = holder.node;
    // RECLAIM-2: allowReclaim, the same tenant, site and pool, and the token's role is the node's kind.
    let same = node.tenant == token.row.tenant
        && node.site_id == token.site_id
        && node.pool_id == token.pool_id
        && node.kind == token.row.role;
    // RECLAIM-5: under `same-tpm` no token reclaims a node that is bound to a TPM.
    let bound = holder.is_tpm_bound() && choices.reclaim_tpm_bound == ReclaimTpmBound::SameTpm;
    if token.allow_reclaim && same && !bound { Ok(Some(holder)) } else { Err(Reason::Reclaim) }
}

/// The word of revocations by a reclaim.
pub const RECLAIMED: &str = "reclaimed";

#[cfg(test)]
mod tests;
