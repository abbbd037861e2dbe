//! From a judged call to its answer: the leaf is signed by the node CA, the body by the join-signing key, both outside.
//!
//! ```text
//! Granted ──to_sign──▶ (the node CA) ──certify(r ‖ s)──▶ Certified ──to_sign──▶ (the join-signing key) ──▶ Decision
//! ```
//!
//! No event announces a node whose certificate could not be made (ADMISSION-1).

use crate::certificate::{CertTtl, Issuer, Leaf, Row, Unsigned, Validity};
use crate::decision::{Answer, Audit, Decision, Effect, Event, Joined, NodeKey, Reclaimed};
use crate::p256::PublicKey;
use crate::reason::Reason;
use crate::response::Body;
use crate::rows::Node;
use crate::seal::{Answered, Sent};
use crate::signature::{JoinResponse, RenewResponse, Signature, ToBeSigned};
use crate::time::Millis;

/// How the service is configured for joins. Without it every Join and Renew is INVALID_CONFIG.
#[derive(Clone, Copy, Debug)]
pub struct Deployment<'a> {
    /// The SPIFFE trust domain.
    pub trust_domain: &'a str,
    /// The tenant that operates the deployment.
    pub root_tenant: Option<&'a str>,
    /// The node CA.
    pub issuer: Issuer<'a>,
    /// The join-signing key.
    pub signing_key: &'a PublicKey,
    /// Keys that may sign commands.
    pub trust_bundle: &'a [Vec<u8>],
    /// The configured lifetime of certificates.
    pub ttl: CertTtl,
}

/// An admission or a renewal whose leaf waits for its signature.
#[derive(Debug)]
pub struct Granted<'d> {
    unsigned: Unsigned,
    csr_sha256: [u8; 32],
    consequence: Consequence,
    deployment: &'d Deployment<'d>,
}

/// An admission or a renewal whose body waits for its signature.
#[derive(Debug)]
pub struct Certified<'d> {
    row: Row,
    body: Vec<u8>,
    message: Option<ToBeSigned>,
    consequence: Consequence,
    deployment: &'d Deployment<'d>,
}

#[derive(Debug)]
enum Consequence {
    Admission(Box<Admission>),
    Renewal { signed_answer: bool },
}

/// What an admission writes beside the certificate.
#[derive(Debug)]
pub(crate) struct Admission {
    pub(crate) attestor: &'static str,
    pub(crate) request_sha256: [u8; 32],
    /// The node as it will be.
    pub(crate) node: Node,
    pub(crate) node_key: NodeKey,
    pub(crate) before: Option<Before>,
    pub(crate) token: Option<TokenUse>,
}

/// A reclaimed node as it was.
#[derive(Debug)]
pub(crate) struct Before {
    pub(crate) generation: u32,
    pub(crate) spki_sha256: Option<[u8; 32]>,
    pub(crate) node_key: NodeKey,
    pub(crate) revocations: Vec<Effect>,
}

/// The use that a token join takes, and what its stored answer needs.
#[derive(Debug)]
pub(crate) struct TokenUse {
    pub(crate) token_id: String,
    pub(crate) seal_sha256: [u8; 32],
    pub(crate) sent: Sent,
}

impl<'d> Granted<'d> {
    pub(crate) fn admission(
        leaf: Leaf,
        csr_sha256: [u8; 32],
        admission: Admission,
        deployment: &'d Deployment<'d>,
        now: Millis,
    ) -> Self {
        Self::new(leaf, csr_sha256, Consequence::Admission(Box::new(admission)), deployment, now)
    }

    pub(crate) fn renewal(
        leaf: Leaf,
        csr_sha256: [u8; 32],
        signed_answer: bool,
        deployment: &'d Deployment<'d>,
        now: Millis,
    ) -> Self {
        Self::new(leaf, csr_sha256, Consequence::Renewal { signed_answer }, deployment, now)
    }

    fn new(
        leaf: Leaf,
        csr_sha256: [u8; 32],
        consequence: Consequence,
        deployment: &'d Deployment<'d>,
        now: Millis,
    ) -> Self {
        let ttl_s = deployment.ttl.in_force(leaf.role, leaf.ttl_limit_s);
        let validity = Validity::from_now(now, ttl_s, deployment.issuer.not_after_s);
        let unsigned = leaf.to_be_signed(&deployment.issuer, validity);
        Self { unsigned, csr_sha256, consequence, deployment }
    }

    /// The octets that the node CA signs.
    #[must_use]
    pub fn to_sign(&self) -> &[u8] {
        self.unsigned.octets()
    }

    /// Takes the node CA's signature r ‖ s and makes the answer's body.
    #[must_use]
    pub fn certify(self, signature: &[u8; 64]) -> Certified<'d> {
        let Self { unsigned, csr_sha256, consequence, deployment } = self;
        let site_id = unsigned.leaf().site_id.clone();
        let row = unsigned.assemble(signature);
        let (attestor, request_sha256) = match &consequence {
            Consequence::Admission(admission) => (admission.attestor, admission.request_sha256),
            Consequence::Renewal { .. } => (RENEW, [0; 32]),
        };
        let body = Body {
            node_id: &row.node_id,
            certificate_chain: &deployment.issuer.chain(&row.der),
            command_trust_bundle: deployment.trust_bundle,
            csr_sha256: &csr_sha256,
            trust_domain: deployment.trust_domain,
            site_id: &site_id,
            role: row.role.as_str(),
            attestor,
            // BINDING-3: the hash that the server recomputed.
            request_sha256: &request_sha256,
        };
        let (body, message) = match consequence {
            Consequence::Admission(_) => {
                let body = body.encode();
                let message = JoinResponse { body: &body }.to_be_signed();
                (body, Some(message))
            }
            Consequence::Renewal { signed_answer } => {
                let body = body.encode_renewal();
                let message = signed_answer.then(|| RenewResponse { body: &body }.to_be_signed());
                (body, message)
            }
        };
        Certified { row, body, message, consequence, deployment }
    }
}

impl Certified<'_> {
    /// What the join-signing key signs; nothing where the answer is not signed (RENEWAL-6).
    #[must_use]
    pub fn to_sign(&self) -> Option<&ToBeSigned> {
        self.message.as_ref()
    }

    /// Takes the join-signing key's signature r ‖ s and decides.
    ///
    /// # Errors
    /// `signature` when the answer is to be signed and there is no signature in range: nothing has happened.
    pub fn decide(self, signature: Option<&[u8; 64]>) -> Result<Decision, Reason> {
        let mut answer = Answer { body: self.body, ..Answer::default() };
        // RENEWAL-6: under `no` sig and signing_key are empty.
        if self.message.is_some() {
            let signature = Signature::made(signature.ok_or(Reason::Signature)?)?;
            answer.sig = signature.octets().to_vec();
            answer.signing_key = self.deployment.signing_key.spki();
        }
        let effects = match self.consequence {
            Consequence::Renewal { .. } => vec![Effect::InsertCertificate(Box::new(self.row))],
            Consequence::Admission(admission) => admission.effects(self.row, &answer),
        };
        Ok(Decision { answer, effects })
    }
}

impl Admission {
    /// In the order of ADMISSION-1.
    fn effects(self, row: Row, answer: &Answer) -> Vec<Effect> {
        let joined = self.joined(&row);
        let (node_id, tenant) = (self.node.id.clone(), self.node.tenant.clone());
        let mut effects = Vec::new();
        // ADMISSION-1: one use is consumed.
        effects.extend(self.token.as_ref().map(|token| Effect::TakeUse { token_id: token.token_id.clone() }));
        let node = Box::new(self.node);
        if let Some(before) = self.before {
            // RECLAIM-3: older certificates are revoked, proofs and floor are cleared.
            effects.extend(before.revocations);
            effects.push(Effect::ReplaceNode(node));
            effects.push(Effect::ClearProofs { node_id: node_id.clone() });
        } else {
            effects.push(Effect::InsertNode(node));
        }
        effects.push(Effect::ProjectAuthorization { node_id: node_id.clone(), tenant });
        // ADMISSION-1: the certificate's row and the stored answer before the event.
        let serial = row.serial.clone();
        effects.push(Effect::InsertCertificate(Box::new(row)));
        // SEAL-8: in the admission's transaction.
        effects.extend(self.token.map(|TokenUse { seal_sha256, sent, .. }| {
            let answer = answer.clone();
            Effect::StoreAnswer(Box::new(Answered { seal_sha256, request: sent, answer, node_id, serial }))
        }));
        effects.push(Effect::Publish(Event::NodeJoined(joined.clone())));
        effects.push(Effect::Audit(Audit::Joined(joined)));
        effects
    }

    fn joined(&self, row: &Row) -> Joined {
        // ADMISSION-5, TOKEN-12, RECLAIM-3: what event and audit row carry.
        Joined {
            tenant: self.node.tenant.clone(),
            node_id: self.node.id.clone(),
            token_id: self.token.as_ref().map(|token| token.token_id.clone()),
            attestor: self.attestor.to_owned(),
            reclaim: self.before.as_ref().map(|before| Reclaimed {
                old_generation: before.generation,
                old_spki_sha256: before.spki_sha256,
                new_spki_sha256: row.spki_sha256,
                old_node_key: before.node_key,
            }),
            hardware_key_trusted: self.node.hardware_key.trusted,
            serial: row.serial.clone(),
            node_key: self.node_key,
            generation: self.node.generation,
        }
    }
}

/// The attestor in the answer to a renewal (RENEWAL-6).
const RENEW: &str = "renew";
