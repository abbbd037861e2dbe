//! What becomes of a reason: it is recorded for one audience, and the caller sees one refusal (REFUSAL-1, REFUSAL-2).

use std::fmt;

use crate::reason::Reason;
use crate::token::{Row, SecretProven};

/// A refused join. Only a caller that holds the witness can address it to a tenant.
#[derive(Clone, Copy, Debug)]
pub struct Refusal<'r> {
    reason: Reason,
    secret: Option<SecretProven<'r>>,
}

/// Who gets the event of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience<'r> {
    /// The root tenant.
    Root,
    /// The tenant of this token.
    TenantOf(&'r Row),
}

/// What the refused caller sees, whatever the reason. It holds nothing, so it can show nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicRefusal;

impl Refusal<'static> {
    /// A refusal before the token's secret was shown.
    #[must_use]
    pub fn unproven(reason: Reason) -> Self {
        Self { reason, secret: None }
    }
}

impl<'r> Refusal<'r> {
    /// A refusal after the token's secret was shown.
    #[must_use]
    pub fn proven(reason: Reason, secret: SecretProven<'r>) -> Self {
        Self { reason, secret: Some(secret) }
    }

    /// The reason, to be recorded.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// Who gets the event.
    #[must_use]
    pub fn audience(&self) -> Audience<'r> {
        // REFUSAL-2: the token's tenant only once the secret verified.
        self.secret.map_or(Audience::Root, |secret| Audience::TenantOf(secret.row()))
    }

    /// What the caller sees.
    #[must_use]
    pub fn public(&self) -> PublicRefusal {
        PublicRefusal
    }
}

impl fmt::Display for PublicRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // REFUSAL-1: the same message for every reason.
        formatter.write_str("Join refused")
    }
}
