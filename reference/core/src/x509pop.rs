//! X509POP (docs/spec/18-x509pop.md): back after an outage.
//!
//! ```text
//! Received ──open──▶ Opened ──prove(row, node)──▶ Proven ──judge(newest, now)──▶ Timely ──spend(memory)──▶ Spent ──grant──▶ Granted
//! ```

use crate::admission::{Attestor, check_front};
use crate::binding;
use crate::certificate::{Leaf, Row, Serial};
use crate::choices::RequestBinding;
use crate::claims::{self, Claims};
use crate::csr::Csr;
use crate::decision::NodeKey;
use crate::destination::Destination;
use crate::grant::{Admission, Before, Deployment, Granted};
use crate::limits::{X509POP_CERTIFICATE_MAX_BYTES, X509POP_CHAIN_MAX};
use crate::reason::Reason;
use crate::reclaim::{Holder, RECLAIMED};
use crate::refusal::{Refusal, Rpc};
use crate::renewal::{
    CurrentKeyProven, KeyAttestation, Memory, Proof, Purpose, check_attestation, check_clock, prove_key,
};
use crate::rows::{Node, Pool};
use crate::time::{self, Millis};
use crate::token::Role;
use crate::x509::Certificate;

/// A join with an expired certificate as it was received: nothing of it is trusted.
#[derive(Clone, Copy, Debug)]
pub struct Received<'a> {
    /// The attestor's name.
    pub attestor: &'a str,
    /// The role asked for. It selects nothing.
    pub role: &'a str,
    /// The certificate request, DER.
    pub csr: &'a [u8],
    /// The claims as sent. They select nothing.
    pub claims: &'a claims::Raw,
    /// The attestor's evidence.
    pub evidence: Option<Evidence<'a>>,
}

/// The old chain, and the proof of its leaf's key.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// Certificates, leaf first.
    pub chain: &'a [Vec<u8>],
    /// The client's clock, milliseconds since 1970.
    pub client_time_ms: i64,
    /// r ‖ s of purpose `x509pop`.
    pub pop_sig: &'a [u8],
    /// What a TPM says of the new key.
    pub key_attestation: Option<KeyAttestation<'a>>,
}

/// A join whose parts are well-formed.
#[derive(Debug)]
pub struct Opened<'a> {
    evidence: Evidence<'a>,
    csr: Csr<'a>,
    claims: Claims,
    request_sha256: [u8; 32],
}

/// A join whose caller holds the key of the leaf.
#[derive(Debug)]
pub struct Proven<'a, 'r> {
    opened: Opened<'a>,
    key: CurrentKeyProven<'r>,
}

/// A join by a certificate in its grace, at the right time.
#[derive(Debug)]
pub struct Timely<'a, 'r>(Proven<'a, 'r>);

/// A join whose proof was recorded: it is used, whatever comes of it.
#[derive(Debug)]
pub struct Spent<'a, 'r>(Proven<'a, 'r>);

/// What the admission reads inside its transaction.
#[derive(Clone, Copy, Debug)]
pub struct Placement<'p> {
    /// The node's certificates, in the order of their commits.
    pub certificates: &'p [&'p Row],
    /// The node's pool.
    pub pool: Option<&'p Pool>,
    /// Whether the server compares the request hash.
    pub request_binding: RequestBinding,
    /// A new serial number.
    pub serial: Serial,
}

impl<'a> Received<'a> {
    /// Judges what needs no store.
    ///
    /// # Errors
    /// In this order: `attestor`, `role-invalid`, `csr`, `claims`, `pop-chain`.
    pub fn open(self, attestors: &[String]) -> Result<Opened<'a>, Refusal<'static>> {
        self.open_unproven(attestors).map_err(|reason| Refusal::unproven(Rpc::Join, reason))
    }

    fn open_unproven(self, attestors: &[String]) -> Result<Opened<'a>, Reason> {
        let Self { attestor, role, csr, claims: raw, evidence } = self;
        let (_, csr, claims) = check_front(Attestor::X509Pop, attestor, attestors, role, csr, raw)?;
        // ADMISSION-7: absent evidence is `pop-chain`.
        let evidence = evidence.filter(|evidence| is_chain(evidence.chain)).ok_or(Reason::PopChain)?;
        let request_sha256 = binding::hash(&binding::Request { attestor, role, token_id: "", claims: raw });
        Ok(Opened { evidence, csr, claims, request_sha256 })
    }
}

impl<'a> Opened<'a> {
    /// The leaf whose row is needed.
    #[must_use]
    pub fn leaf(&self) -> Option<&'a [u8]> {
        // X509POP-4: the first entry; signatures inside the chain are not verified.
        self.evidence.chain.first().map(Vec::as_slice)
    }

    /// Verifies the proof against the leaf's row and its node.
    ///
    /// # Errors
    /// In this order: `cert-unknown`, `pop-signature`.
    pub fn prove<'r>(
        self,
        row: Option<&'r Row>,
        node: Option<&'r Node>,
    ) -> Result<Proven<'a, 'r>, Refusal<'static>> {
        let proof = Proof {
            purpose: Purpose::X509Pop,
            csr_sha256: self.csr.sha256,
            client_time_ms: self.evidence.client_time_ms,
        };
        let key = prove_key(self.leaf(), row, node, proof, self.evidence.pop_sig)
            .map_err(|reason| Refusal::unproven(Rpc::Join, reason))?;
        Ok(Proven { opened: self, key })
    }
}

impl<'a, 'r> Proven<'a, 'r> {
    /// Judges the certificate, its node, and the time of the call; `newest` is the node's newest certificate of its
    /// generation.
    ///
    /// # Errors
    /// In this order: `cert-revoked`, `cert-not-expired`, `grace`, `generation`, `node-retired`, `pop-superseded`,
    /// `clock`.
    pub fn judge(self, certificates: &[&Row], now: Millis) -> Result<Timely<'a, 'r>, Refusal<'r>> {
        self.check(certificates, now).map_err(|reason| self.refused(reason))?;
        Ok(Timely(self))
    }

    fn check(&self, certificates: &[&Row], now: Millis) -> Result<(), Reason> {
        let (row, node) = (self.key.row(), self.key.node());
        // X509POP-5: in this order; there is no `identity` and no `cert-expired`.
        unless(row.revoked.is_none(), Reason::CertRevoked)?;
        unless(row.is_expired(now), Reason::CertNotExpired)?;
        // X509POP-1: the grace is alive while now_ms < (notAfter + 1 + 604800) * 1000.
        unless(time::is_in_grace(row.validity.not_after_s, now), Reason::Grace)?;
        unless(row.generation == node.generation, Reason::Generation)?;
        unless(!node.retired, Reason::NodeRetired)?;
        // X509POP-2: the newest certificate issued to the node in its generation.
        let newest = crate::certificate::newest(certificates, node.generation);
        unless(newest.is_some_and(|newest| newest.der == row.der), Reason::PopSuperseded)?;
        check_clock(self.opened.evidence.client_time_ms, now)
    }

    fn refused(&self, reason: Reason) -> Refusal<'r> {
        Refusal::of_node(Rpc::Join, reason, self.key)
    }
}

impl<'a, 'r> Timely<'a, 'r> {
    /// The node whose replay memory is needed: the one that renewals have too.
    #[must_use]
    pub fn node_id(&self) -> &'r str {
        &self.0.key.node().id
    }

    /// Records the proof in its node's memory. The memory is to be stored and committed whatever follows.
    ///
    /// # Errors
    /// `replay`
    pub fn spend(self, memory: &mut Memory, now: Millis) -> Result<Spent<'a, 'r>, Refusal<'r>> {
        // ADMISSION-2: committed before the admission's transaction begins.
        memory.record(self.0.key.proof(), now).map_err(|reason| self.0.refused(reason))?;
        Ok(Spent(self.0))
    }
}

impl<'r> Spent<'_, 'r> {
    /// Judges the last and makes the new leaf.
    ///
    /// # Errors
    /// In this order: `key-attestation-missing`, `key-attestation-ak`, the `node-key-*` reasons, `request-binding`,
    /// `pool-agent`, `pool-attestor`.
    pub fn grant<'d>(
        self,
        placement: &Placement<'_>,
        deployment: &'d Deployment<'d>,
        now: Millis,
    ) -> Result<Granted<'d>, Refusal<'r>> {
        let pool = self.check(placement).map_err(|reason| self.0.refused(reason))?;
        let Proven { opened, key } = self.0;
        let Opened { evidence, csr, claims, request_sha256 } = opened;
        let node = returned(key, claims, pool.acceptance_checks);
        let leaf = Leaf {
            serial: placement.serial,
            trust_domain: deployment.trust_domain.to_owned(),
            site_id: node.site_id.clone(),
            node_id: node.id.clone(),
            generation: node.generation,
            // X509POP-3: role, allowed kinds and statements come from the stored leaf.
            role: key.row().role,
            statements: key.row().statements.clone(),
            public_key: csr.public_key,
            allowed_kinds: key.row().allowed_kinds.clone(),
            ttl_limit_s: key.row().ttl_limit_s,
            renewed_from: None,
        };
        // ADMISSION-5: `tpm` after a key attestation that verified.
        let attested = key.row().ak_statement().is_some() && evidence.key_attestation.is_some();
        let admission = Admission {
            attestor: Attestor::X509Pop.as_str(),
            request_sha256,
            node,
            node_key: if attested { NodeKey::Tpm } else { NodeKey::Unattested },
            before: Some(before(key.node(), placement.certificates, now)),
            token: None,
        };
        Ok(Granted::admission(leaf, csr.sha256, admission, deployment, now))
    }

    fn check<'p>(&self, placement: &Placement<'p>) -> Result<&'p Pool, Reason> {
        let Proven { opened, key } = &self.0;
        // X509POP-5: the attestation, then `request-binding` and the pool's.
        check_attestation(key.row(), opened.evidence.key_attestation.as_ref())?;
        let required = placement.pool.is_some_and(|pool| pool.requires_request_binding);
        binding::check(&opened.csr, &opened.request_sha256, placement.request_binding, required)?;
        Destination::of_node(key.node()).check_pool(placement.pool, Attestor::X509Pop.as_str())
    }
}

/// The node as it will be: its id, its key, its role, one generation more, and the claims of this join.
fn returned(key: CurrentKeyProven<'_>, claims: Claims, acceptance_checks: bool) -> Node {
    let node = key.node();
    Node {
        // X509POP-1: the generation goes up by one.
        generation: node.generation.saturating_add(1),
        certificate_role: key.row().role,
        // X509POP-3: recorded as those of this join, never written to the hardware key.
        claims,
        // RECLAIM-3: acceptance runs again.
        queued: !acceptance_checks || node.kind == Role::Site,
        ..node.clone()
    }
}

fn before(node: &Node, certificates: &[&Row], now: Millis) -> Before {
    let holder = Holder { node, certificates: certificates.to_vec() };
    Before {
        generation: node.generation,
        spki_sha256: certificates.last().map(|newest| newest.spki_sha256),
        node_key: holder.node_key(),
        // X509POP-1: every older certificate is revoked.
        revocations: holder.revocations(RECLAIMED, now),
    }
}

fn is_chain(chain: &[Vec<u8>]) -> bool {
    // X509POP-4: before any signature check: 1 to 4 certificates of 1 to 4096 octets, each one DER certificate.
    let sized = |der: &Vec<u8>| der.len() <= X509POP_CERTIFICATE_MAX_BYTES;
    (1..=X509POP_CHAIN_MAX).contains(&chain.len())
        && chain.iter().all(sized)
        && chain.iter().all(|der| Certificate::read(der).is_some())
}

fn unless(right: bool, reason: Reason) -> Result<(), Reason> {
    if right { Ok(()) } else { Err(reason) }
}

#[cfg(test)]
mod tests;
