//! The rows, and how effects change them.

use std::collections::BTreeMap;

use reference_core::certificate::Row;
use reference_core::decision::{Audit, Effect, Event};
use reference_core::reclaim::{Holder, Known};
use reference_core::refusal::Limiter;
use reference_core::renewal::Memory;
use reference_core::rows::{Node, Pool, Site};
use reference_core::seal::{Answered, Found};
use reference_core::token::Stored;

/// Everything that outlives a restart.
#[derive(Default)]
pub(super) struct Store {
    pub(super) rows: Rows,
    /// The replay memory of each node.
    pub(super) memories: BTreeMap<String, Memory>,
    pub(super) limiter: Limiter,
    pub(super) events: Vec<Event>,
    pub(super) audit: Vec<Audit>,
}

/// The tables that verdicts read, each in the order of creation.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) sites: Vec<Site>,
    pub(super) pools: Vec<Pool>,
    pub(super) tokens: Vec<Stored>,
    pub(super) nodes: Vec<Node>,
    pub(super) certificates: Vec<Row>,
    pub(super) answers: Vec<Answered>,
}

impl Rows {
    pub(super) fn site(&self, id: &str) -> Option<&Site> {
        self.sites.iter().find(|site| site.id == id)
    }

    pub(super) fn pool(&self, id: &str) -> Option<&Pool> {
        self.pools.iter().find(|pool| pool.id == id)
    }

    pub(super) fn token(&self, id: &str) -> Option<&Stored> {
        self.tokens.iter().find(|token| token.row.id == id)
    }

    pub(super) fn node(&self, id: &str) -> Option<&Node> {
        self.nodes.iter().find(|node| node.id == id)
    }

    /// The row of a leaf, byte for byte.
    pub(super) fn leaf(&self, der: Option<&[u8]>) -> Option<&Row> {
        self.certificates.iter().find(|row| Some(row.der.as_slice()) == der)
    }

    /// A node with its certificates.
    pub(super) fn holder<'a>(&'a self, node: &'a Node) -> Holder<'a> {
        let certificates = self.certificates.iter().filter(|row| row.node_id == node.id).collect();
        Holder { node, certificates }
    }

    /// Whom a trusted key belongs to.
    pub(super) fn known(&self, key: [u8; 32]) -> Known<'_> {
        let mut with_key = self.nodes.iter().filter(|node| node.trusted_key() == Some(key));
        // RECLAIM-1: the live node; retired ones are only known to have been.
        let live = with_key.clone().find(|node| !node.retired).map(|node| self.holder(node));
        Known { live, retired: with_key.any(|node| node.retired) }
    }

    /// The stored answer of a seal.
    pub(super) fn answered(&self, seal_sha256: &[u8; 32]) -> Option<Found<'_>> {
        let answered = self.answers.iter().find(|answered| answered.seal_sha256 == *seal_sha256)?;
        let certificate = self.certificates.iter().find(|row| row.serial == answered.serial)?;
        Some(Found { answered, certificate, node: self.node(&answered.node_id)? })
    }
}

impl Store {
    /// Writes what a decision changes.
    pub(super) fn apply(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            self.write(effect);
        }
    }

    fn write(&mut self, effect: Effect) {
        let Rows { tokens, nodes, certificates, answers, .. } = &mut self.rows;
        match effect {
            Effect::TakeUse { token_id } => {
                for token in tokens.iter_mut().filter(|token| token.row.id == token_id) {
                    token.row.uses_left = token.row.uses_left.saturating_sub(1);
                }
            }
            Effect::InsertNode(node) => nodes.push(*node),
            Effect::ReplaceNode(node) => {
                if let Some(row) = nodes.iter_mut().find(|row| row.id == node.id) {
                    *row = *node;
                }
            }
            Effect::ClearProofs { node_id } => {
                self.memories.remove(&node_id);
            }
            // The contract's dump has no projection of nodes.
            Effect::ProjectAuthorization { .. } => {}
            Effect::RevokeCertificate { node_id, serial, revoked } => {
                let row = certificates.iter_mut().find(|row| row.node_id == node_id && row.serial == serial);
                if let Some(row) = row {
                    row.revoked = Some(revoked);
                }
            }
            Effect::InsertCertificate(row) => certificates.push(*row),
            Effect::StoreAnswer(answered) => answers.push(*answered),
            Effect::InsertToken(token) => tokens.push(*token),
            Effect::RevokeToken { id, at } => {
                for token in tokens.iter_mut().filter(|token| token.row.id == id) {
                    token.row.revoked_at = Some(at);
                }
            }
            Effect::Publish(event) => self.events.push(event),
            Effect::Audit(row) => self.audit.push(row),
        }
    }
}
