//! What a call comes to: the answer to be sent, and effects in the order in which they are to be written. They are
//! written all together or not at all (ADMISSION-1).

use crate::certificate::{Revoked, Row};
use crate::refusal::{ErrorName, JoinRefused, Refusal, RenewRefused};
use crate::rows::Node;
use crate::seal::Answered;
use crate::time::Millis;
use crate::token::{Hosted, Stored};

/// A signed answer, as it is sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The body's octets.
    pub body: Vec<u8>,
    /// r ‖ s; empty where answers to renewals are not signed (RENEWAL-6).
    pub sig: Vec<u8>,
    /// The SPKI of the join-signing key, a hint.
    pub signing_key: Vec<u8>,
}

/// An admission or a renewal: its answer, and what has to be written with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The answer.
    pub answer: Answer,
    /// What is written, in this order.
    pub effects: Vec<Effect>,
}

/// A join that a person still has to decide. It issues nothing; what is written is a join request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deferral {
    /// The signed deferral.
    pub answer: Answer,
    /// `jreq_…`
    pub request_id: String,
}

/// What an admitted or deferred join comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A node was admitted.
    Admitted(Decision),
    /// Somebody has to decide.
    Deferred(Deferral),
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug)]
pub enum Rejected<'r> {
    /// The one refusal. It is recorded for its audience.
    Refused(Refusal<'r>),
    /// Somebody was faster: everything is undone, nothing is recorded (ADMISSION-4).
    Conflict,
}

impl Rejected<'_> {
    /// The error's name.
    #[must_use]
    pub fn name(&self) -> ErrorName {
        match self {
            Self::Refused(_) => ErrorName::AccessDenied,
            Self::Conflict => ErrorName::Conflict,
        }
    }
}

impl<'r> From<Refusal<'r>> for Rejected<'r> {
    fn from(refusal: Refusal<'r>) -> Self {
        Self::Refused(refusal)
    }
}

/// The message of a CONFLICT (ADMISSION-4).
pub const CONFLICT_MESSAGE: &str = "This machine joined concurrently; retry";

/// One thing to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// A token admits one join less.
    TakeUse {
        /// The token.
        token_id: String,
    },
    /// A new node. Two live nodes never share a trusted key, else the whole is a CONFLICT.
    InsertNode(Box<Node>),
    /// A node that is there already gets these values.
    ReplaceNode(Box<Node>),
    /// A node's replay memory and floor go (RENEWAL-3).
    ClearProofs {
        /// The node.
        node_id: String,
    },
    /// The authorization service's projection of a node; the service itself is not called (ADMISSION-5).
    ProjectAuthorization {
        /// The node.
        node_id: String,
        /// Its owner.
        tenant: String,
    },
    /// A certificate is revoked.
    RevokeCertificate {
        /// The node.
        node_id: String,
        /// The serial number's content octets.
        serial: Vec<u8>,
        /// When and why.
        revoked: Revoked,
    },
    /// A certificate is issued.
    InsertCertificate(Box<Row>),
    /// An answer is kept with the hash of its seal (SEAL-8).
    StoreAnswer(Box<Answered>),
    /// A token is made.
    InsertToken(Box<Stored>),
    /// A token is revoked.
    RevokeToken {
        /// The token.
        id: String,
        /// When.
        at: Millis,
    },
    /// An event.
    Publish(Event),
    /// An audit row.
    Audit(Audit),
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// `security.join.refused`
    JoinRefused(JoinRefused),
    /// `security.renew.refused`
    RenewRefused(RenewRefused),
    /// `security.join-token.created` (TOKEN-9)
    TokenCreated {
        /// The pool's owner.
        tenant: String,
        /// The token.
        token_id: String,
        /// Whether it has an expect binding.
        pinned: bool,
        /// Whether its nodes are controlled by a tenant.
        hosted: Option<Hosted>,
    },
    /// `security.join-token.revoked` (TOKEN-9)
    TokenRevoked {
        /// The pool's owner.
        tenant: String,
        /// The token.
        token_id: String,
    },
    /// `node.joined`
    NodeJoined(Joined),
    /// `security.certificate-revoked` (RECLAIM-3)
    CertificateRevoked {
        /// The node's owner.
        tenant: String,
        /// The serial number's content octets.
        serial: Vec<u8>,
        /// The node.
        node_id: String,
        /// Why.
        reason: String,
    },
}

/// An audit row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Audit {
    /// `node.reclaimed` for a reclaim, else `node.joined` (ADMISSION-5).
    Joined(Joined),
    /// `node.retired`
    Retired {
        /// The node's owner.
        tenant: String,
        /// The node.
        node_id: String,
    },
}

/// What event and audit row of a join say (ADMISSION-5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joined {
    /// The node's owner.
    pub tenant: String,
    /// The node.
    pub node_id: String,
    /// The token, for a token join.
    pub token_id: Option<String>,
    /// The attestor.
    pub attestor: String,
    /// What it was before, if it is a reclaim.
    pub reclaim: Option<Reclaimed>,
    /// Whether the node's hardware key is trusted.
    pub hardware_key_trusted: bool,
    /// The certificate's serial.
    pub serial: Vec<u8>,
    /// Where the node key lives.
    pub node_key: NodeKey,
    /// The node's identityGeneration.
    pub generation: u32,
}

/// What a reclaim changed (RECLAIM-3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reclaimed {
    /// The identityGeneration before.
    pub old_generation: u32,
    /// The SPKI hash of the node's newest certificate before; none where it never had one.
    pub old_spki_sha256: Option<[u8; 32]>,
    /// The SPKI hash of the new certificate.
    pub new_spki_sha256: [u8; 32],
    /// Where the node key lived before.
    pub old_node_key: NodeKey,
}

/// Where a node key lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKey {
    /// The attestor proved that it lives in the machine's TPM.
    Tpm,
    /// Nobody proved anything of it.
    Unattested,
}

impl NodeKey {
    /// The key of a certificate: a TPM's where it names an AK.
    #[must_use]
    pub fn of_certificate(row: &Row) -> Self {
        if row.ak_statement().is_some() { Self::Tpm } else { Self::Unattested }
    }

    /// The word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tpm => "tpm",
            Self::Unattested => "unattested",
        }
    }
}
