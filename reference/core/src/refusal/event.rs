//! The events of refusals (REFUSAL-2). No event holds a token, a secret, a seal, a CSR or a claim.

use crate::limits::REFUSAL_ROLE_MAX_BYTES;
use crate::reason::Reason;

/// `security.join.refused`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinRefused {
    /// Who gets it; none is the root tenant.
    pub tenant: Option<String>,
    /// The attestor's resolved name.
    pub attestor: String,
    /// The reason, recorded as `<attestor>:<reason>`.
    pub reason: Reason,
    /// The role asked for, cut.
    pub role: String,
    /// SHA-256 of the CSR as received.
    pub csr_sha256: Option<[u8; 32]>,
    /// The machine's hardware key.
    pub hardware_key: Option<[u8; 32]>,
    /// Refusals dropped from its bucket since the last one published.
    pub suppressed: u64,
}

impl JoinRefused {
    /// The reason as the event says it.
    #[must_use]
    pub fn reason_text(&self) -> String {
        // REFUSAL-2: `<attestor>:<reason>`.
        format!("{}:{}", self.attestor, self.reason.as_str())
    }
}

/// `security.renew.refused`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenewRefused {
    /// Who gets it; none is the root tenant.
    pub tenant: Option<String>,
    /// The reason, recorded as the bare word.
    pub reason: Reason,
    /// SHA-256 of the CSR as received.
    pub csr_sha256: Option<[u8; 32]>,
    /// Refusals dropped from its bucket since the last one published.
    pub suppressed: u64,
}

/// The name of an attestor as an event says it.
#[must_use]
pub fn attestor_in_event(resolved: &str, reason: Reason) -> &str {
    // REFUSAL-2: a name that is unknown or not configured is `unknown`, so all of them share one bucket.
    if matches!(reason, Reason::Attestor | Reason::Request) { UNKNOWN } else { resolved }
}

/// The requested role as an event says it.
#[must_use]
pub fn role_in_event(role: &str) -> &str {
    // REFUSAL-2: its first 64 octets, whole characters.
    let end = (0..=REFUSAL_ROLE_MAX_BYTES.min(role.len())).rev().find(|&end| role.is_char_boundary(end));
    end.and_then(|end| role.get(..end)).unwrap_or_default()
}

const UNKNOWN: &str = "unknown";
