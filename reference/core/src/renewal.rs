//! RENEWAL (docs/spec/17-renewal.md): a fresh certificate for a live node.
//!
//! ```text
//! Received ──open──▶ Opened ──prove(row, node)──▶ Proven ──judge(now)──▶ Timely ──spend(memory)──▶ Spent ──grant──▶ Granted
//! (octets)           (names the leaf)             (a witness)                     (the proof counts as used)
//! ```

use crate::certificate::{self, Leaf, Row, Serial};
use crate::csr::{self, Csr};
use crate::grant::{Deployment, Granted};
use crate::p256::PublicKey;
use crate::reason::Reason;
use crate::refusal::{Refusal, Rpc};
use crate::time::Millis;

mod attestation;
mod memory;
mod proof;

pub use attestation::{KeyAttestation, check as check_attestation};
pub use memory::{Memory, Proof, Purpose};
pub use proof::{CurrentKeyProven, check_clock, prove_key};

/// A renewal as it was received: nothing of it is trusted.
#[derive(Clone, Copy, Debug)]
pub struct Received<'a> {
    /// The new certificate request, DER.
    pub csr: &'a [u8],
    /// The current chain, leaf first.
    pub chain: &'a [Vec<u8>],
    /// The client's clock, milliseconds since 1970.
    pub client_time_ms: i64,
    /// r ‖ s of purpose `renew-pop`.
    pub pop_sig: &'a [u8],
    /// The SPIFFE ID of the leaf that the gateway forwards.
    pub caller: Option<&'a str>,
    /// What a TPM says of the new key.
    pub key_attestation: Option<KeyAttestation<'a>>,
}

/// A renewal with a good CSR.
#[derive(Debug)]
pub struct Opened<'a> {
    received: Received<'a>,
    csr: Csr<'a>,
}

/// A renewal whose caller holds the key of the leaf.
#[derive(Debug)]
pub struct Proven<'a, 'r> {
    opened: Opened<'a>,
    key: CurrentKeyProven<'r>,
}

/// A renewal by a certificate that is good, at the right time.
#[derive(Debug)]
pub struct Timely<'a, 'r>(Proven<'a, 'r>);

/// A renewal whose proof was recorded: it is used, whatever comes of it.
#[derive(Debug)]
pub struct Spent<'a, 'r>(Proven<'a, 'r>);

impl<'a> Received<'a> {
    /// Judges what needs no store.
    ///
    /// # Errors
    /// `csr`
    pub fn open(self) -> Result<Opened<'a>, Refusal<'static>> {
        // RENEWAL-1: the CSR follows CSR; its attributes are not looked at.
        let csr = csr::check(self.csr).map_err(|reason| Refusal::unproven(Rpc::Renew, reason))?;
        Ok(Opened { received: self, csr })
    }
}

impl<'a> Opened<'a> {
    /// The leaf whose row is needed; none for an empty chain.
    #[must_use]
    pub fn leaf(&self) -> Option<&'a [u8]> {
        // RENEWAL-2: the first entry; further ones are not looked at.
        self.received.chain.first().map(Vec::as_slice)
    }

    /// Verifies the proof against the leaf's row and its node.
    ///
    /// # Errors
    /// In this order: `cert-unknown`, `pop-signature`.
    pub fn prove<'r>(
        self,
        row: Option<&'r Row>,
        node: Option<&'r crate::rows::Node>,
    ) -> Result<Proven<'a, 'r>, Refusal<'static>> {
        let proof = Proof {
            purpose: Purpose::Renew,
            csr_sha256: self.csr.sha256,
            client_time_ms: self.received.client_time_ms,
        };
        let key = prove_key(self.leaf(), row, node, proof, self.received.pop_sig)
            .map_err(|reason| Refusal::unproven(Rpc::Renew, reason))?;
        Ok(Proven { opened: self, key })
    }
}

impl<'a, 'r> Proven<'a, 'r> {
    /// Judges the certificate, its node, and the time of the call.
    ///
    /// # Errors
    /// In this order: `identity`, `cert-revoked`, `cert-expired`, `generation`, `node-retired`, `clock`.
    pub fn judge(self, now: Millis) -> Result<Timely<'a, 'r>, Refusal<'r>> {
        self.check(now).map_err(|reason| self.refused(reason))?;
        Ok(Timely(self))
    }

    fn check(&self, now: Millis) -> Result<(), Reason> {
        let (row, node) = (self.key.row(), self.key.node());
        // RENEWAL-5: in this order.
        // RENEWAL-2: the caller's identity equals that of the presented leaf; none is `identity`.
        unless(self.opened.received.caller == Some(&row.spiffe_id), Reason::Identity)?;
        unless(row.revoked.is_none(), Reason::CertRevoked)?;
        // RENEWAL-7: an expired certificate cannot be renewed.
        unless(!row.is_expired(now), Reason::CertExpired)?;
        unless(row.generation == node.generation, Reason::Generation)?;
        unless(!node.retired, Reason::NodeRetired)?;
        check_clock(self.opened.received.client_time_ms, now)
    }

    fn refused(&self, reason: Reason) -> Refusal<'r> {
        Refusal::of_node(Rpc::Renew, reason, self.key)
    }
}

impl<'a, 'r> Timely<'a, 'r> {
    /// The node whose replay memory is needed.
    #[must_use]
    pub fn node_id(&self) -> &'r str {
        &self.0.key.node().id
    }

    /// Records the proof in its node's memory. The memory is to be stored and committed whatever follows.
    ///
    /// # Errors
    /// `replay`
    pub fn spend(self, memory: &mut Memory, now: Millis) -> Result<Spent<'a, 'r>, Refusal<'r>> {
        memory.record(self.0.key.proof(), now).map_err(|reason| self.0.refused(reason))?;
        Ok(Spent(self.0))
    }
}

impl<'r> Spent<'_, 'r> {
    /// Judges the last and makes the new leaf. `certificates` are the node's, in the order of their commits.
    ///
    /// # Errors
    /// In this order: `renew-limit`, `key-attestation-missing`, `key-attestation-ak`, the `node-key-*` reasons.
    pub fn grant<'d>(
        self,
        certificates: &[&Row],
        deployment: &'d Deployment<'d>,
        serial: Serial,
        signed_answer: bool,
        now: Millis,
    ) -> Result<Granted<'d>, Refusal<'r>> {
        let (row, node) = (self.0.key.row(), self.0.key.node());
        let attestation = self.0.opened.received.key_attestation.as_ref();
        if !certificate::may_renew(certificates, node.generation, now) {
            return Err(self.0.refused(Reason::RenewLimit));
        }
        check_attestation(row, attestation).map_err(|reason| self.0.refused(reason))?;
        let Csr { public_key, sha256, .. } = self.0.opened.csr;
        let leaf = renewed(row, &node.site_id, deployment.trust_domain, public_key, serial);
        Ok(Granted::renewal(leaf, sha256, signed_answer, deployment, now))
    }
}

/// The leaf that follows a leaf.
fn renewed(row: &Row, site_id: &str, trust_domain: &str, public_key: PublicKey, serial: Serial) -> Leaf {
    // RENEWAL-4: role, allowed kinds, statements, node, site and generation of the old one, and its row's limit.
    Leaf {
        serial,
        trust_domain: trust_domain.to_owned(),
        site_id: site_id.to_owned(),
        node_id: row.node_id.clone(),
        generation: row.generation,
        role: row.role,
        statements: row.statements.clone(),
        public_key,
        allowed_kinds: row.allowed_kinds.clone(),
        ttl_limit_s: row.ttl_limit_s,
        renewed_from: Some(row.serial.clone()),
    }
}

fn unless(right: bool, reason: Reason) -> Result<(), Reason> {
    if right { Ok(()) } else { Err(reason) }
}

#[cfg(test)]
mod tests;
