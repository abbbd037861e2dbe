//! The events of refusals (REFUSAL-2). No event holds a token, a secret, a seal, a CSR or a claim.

use super::{Bucket, Pending, Rpc};
use crate::admission::Attestor;
use crate::choices::Choices;
use crate::claims;
use crate::decision::Event;
use crate::hardware_key;
use crate::hash::sha256;
use crate::limits::REFUSAL_ROLE_MAX_BYTES;
use crate::reason::Reason;

/// A join that did decode, as far as its refusal's event describes it.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The attestor's name as sent.
    pub attestor: &'a str,
    /// The role asked for.
    pub role: &'a str,
    /// The certificate request as received.
    pub csr: &'a [u8],
    /// The claims as sent.
    pub claims: &'a claims::Raw,
}

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
    /// The event of a refused join, before the limit has said what was dropped.
    #[must_use]
    pub fn of(asked: &Asked<'_>, reason: Reason, tenant: Option<String>, choices: Choices) -> Self {
        Self {
            tenant,
            attestor: attestor_in_event(Attestor::named(asked.attestor), reason).to_owned(),
            reason,
            role: role_in_event(asked.role).to_owned(),
            csr_sha256: Some(sha256(asked.csr)),
            hardware_key: hardware_key_in_event(asked.claims, reason, choices),
            suppressed: 0,
        }
    }

    /// What it is counted in (REFUSAL-4).
    #[must_use]
    pub fn bucket(&self) -> Bucket {
        Bucket { rpc: Rpc::Join, attestor: self.attestor.clone(), reason: self.reason }
    }

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

impl RenewRefused {
    /// The event of a refused renewal that did decode, before the limit has said what was dropped.
    #[must_use]
    pub fn of(csr: &[u8], reason: Reason, tenant: Option<String>) -> Self {
        Self { tenant, reason, csr_sha256: Some(sha256(csr)), suppressed: 0 }
    }

    /// What it is counted in (REFUSAL-4).
    #[must_use]
    pub fn bucket(&self) -> Bucket {
        Bucket { rpc: Rpc::Renew, attestor: String::new(), reason: self.reason }
    }
}

impl From<Pending> for Event {
    /// What a clean shutdown publishes (REFUSAL-4): of the requests that were dropped nothing else is known any more.
    fn from(pending: Pending) -> Self {
        let Pending { bucket: Bucket { rpc, attestor, reason }, tenant, suppressed } = pending;
        let csr_sha256 = None;
        match rpc {
            Rpc::Join => {
                let (role, hardware_key) = (String::new(), None);
                Self::JoinRefused(JoinRefused {
                    tenant,
                    attestor,
                    reason,
                    role,
                    csr_sha256,
                    hardware_key,
                    suppressed,
                })
            }
            Rpc::Renew => Self::RenewRefused(RenewRefused { tenant, reason, csr_sha256, suppressed }),
        }
    }
}

/// The key of the claims, trusted or not, once they were read.
fn hardware_key_in_event(claims: &claims::Raw, reason: Reason, choices: Choices) -> Option<[u8; 32]> {
    // REFUSAL-2: absent where the claims were not read yet or give no key; ADMISSION-7 says what comes before them.
    let unread = [Reason::Request, Reason::Attestor, Reason::RoleInvalid, Reason::Csr, Reason::Claims];
    let claims = Some(claims).filter(|_| !unread.contains(&reason))?;
    let claims = claims::normalize(claims).ok()?;
    hardware_key::derive(&claims, choices.hwkey_selection, choices.hwkey_independence).key
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
