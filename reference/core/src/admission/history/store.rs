//! What a deployment stores, in plain vectors, and how effects change it.

use std::collections::BTreeMap;

use crate::certificate::{Revoked, Row};
use crate::decision::{Audit, Effect};
use crate::reclaim::{Holder, Known};
use crate::renewal::Memory;
use crate::rows::Node;
use crate::seal::{Answered, Found};
use crate::token::Stored;

/// Everything that outlives a restart, each table in the order of creation.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Store {
    pub(super) tokens: Vec<Stored>,
    pub(super) nodes: Vec<Node>,
    pub(super) certificates: Vec<Row>,
    pub(super) memories: BTreeMap<String, Memory>,
    pub(super) answers: Vec<Answered>,
    pub(super) audit: Vec<Audit>,
}

/// Which live node a key belongs to, and its generation.
pub(super) type Live = Option<(String, u32)>;

impl Store {
    pub(super) fn node(&self, id: &str) -> Option<&Node> {
        self.nodes.iter().find(|node| node.id == id)
    }

    pub(super) fn leaf(&self, der: &[u8]) -> Option<&Row> {
        self.certificates.iter().find(|row| row.der == der)
    }

    pub(super) fn certificates_of<'s>(&'s self, node_id: &str) -> Vec<&'s Row> {
        self.certificates.iter().filter(|row| row.node_id == node_id).collect()
    }

    pub(super) fn holder<'s>(&'s self, node: &'s Node) -> Holder<'s> {
        Holder { node, certificates: self.certificates_of(&node.id) }
    }

    pub(super) fn known(&self, key: Option<[u8; 32]>) -> Known<'_> {
        let with_key = || self.nodes.iter().filter(|node| key.is_some() && node.trusted_key() == key);
        let live = with_key().find(|node| !node.retired).map(|node| self.holder(node));
        Known { live, retired: with_key().any(|node| node.retired) }
    }

    pub(super) fn live(&self, key: Option<[u8; 32]>) -> Live {
        self.known(key).live.map(|holder| (holder.node.id.clone(), holder.node.generation))
    }

    pub(super) fn answered(&self, seal_sha256: &[u8; 32]) -> Option<Found<'_>> {
        let answered = self.answers.iter().find(|answered| answered.seal_sha256 == *seal_sha256)?;
        let certificate = self.certificates.iter().find(|row| row.serial == answered.serial)?;
        Some(Found { answered, certificate, node: self.node(&answered.node_id)? })
    }

    pub(super) fn apply(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                // Saturating, so that an oversold token shows as an invariant that does not hold.
                Effect::TakeUse { token_id } => self
                    .tokens
                    .iter_mut()
                    .filter(|token| token.row.id == token_id)
                    .for_each(|token| token.row.uses_left = token.row.uses_left.saturating_sub(1)),
                // Without the unique index of ADMISSION-4: what keeps live nodes apart here is the core alone.
                Effect::InsertNode(node) => self.nodes.push(*node),
                Effect::ReplaceNode(node) => {
                    self.nodes
                        .iter_mut()
                        .filter(|row| row.id == node.id)
                        .for_each(|row| *row = (*node).clone());
                }
                Effect::ClearProofs { node_id } => drop(self.memories.remove(&node_id)),
                Effect::RevokeCertificate { serial, revoked, .. } => self.revoke(&serial, &revoked),
                Effect::InsertCertificate(row) => self.certificates.push(*row),
                Effect::StoreAnswer(answered) => self.answers.push(*answered),
                Effect::InsertToken(token) => self.tokens.push(*token),
                Effect::RevokeToken { id, at } => self
                    .tokens
                    .iter_mut()
                    .filter(|token| token.row.id == id)
                    .for_each(|token| token.row.revoked_at = Some(at)),
                Effect::Audit(row) => self.audit.push(row),
                // No invariant looks at them.
                Effect::ProjectAuthorization { .. } | Effect::Publish(_) => {}
            }
        }
    }

    pub(super) fn revoke(&mut self, serial: &[u8], revoked: &Revoked) {
        let rows = self.certificates.iter_mut().filter(|row| row.serial == serial);
        rows.for_each(|row| row.revoked = Some(revoked.clone()));
    }
}
