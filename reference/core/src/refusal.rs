//! REFUSAL (docs/spec/13-refusal.md): the one refusal and its recorded reason.
//!
//! ```text
//! Reason ──(a witness, or none)──▶ Refusal ──event, limiter──▶ what one audience may read
//!                                  Refusal ──public──▶ what the caller sees: nothing but the call it made
//! ```

use std::fmt;

use crate::reason::Reason;
use crate::renewal::CurrentKeyProven;
use crate::token::SecretProven;

mod event;
mod limiter;

pub use event::{Asked, JoinRefused, RenewRefused, attestor_in_event, role_in_event};
pub use limiter::{Bucket, Limiter, Pending};

/// The call that was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rpc {
    /// Join, and TpmChallenge, which is refused as Join is.
    Join,
    /// Renew
    Renew,
}

/// A refusal with its reason. Only a caller that holds a witness can address it to a tenant.
#[derive(Clone, Copy, Debug)]
pub struct Refusal<'r> {
    rpc: Rpc,
    reason: Reason,
    audience: Audience<'r>,
}

/// Who gets the event of a refusal.
#[derive(Clone, Copy, Debug)]
pub enum Audience<'r> {
    /// The root tenant.
    Root,
    /// The tenant of the token whose secret was shown.
    TokensTenant(SecretProven<'r>),
    /// The owner of the node whose current key was proved.
    NodesOwner(CurrentKeyProven<'r>),
}

impl<'r> Audience<'r> {
    /// The tenant, unless it is the root tenant.
    #[must_use]
    pub fn tenant(self) -> Option<&'r str> {
        // REFUSAL-2: to the token's tenant only once the secret verified, to the node's owner only once its key was
        // proved.
        match self {
            Self::Root => None,
            Self::TokensTenant(secret) => Some(&secret.row().tenant),
            Self::NodesOwner(key) => Some(&key.node().tenant),
        }
    }
}

impl Refusal<'static> {
    /// A refusal of a caller that has proved nothing.
    #[must_use]
    pub fn unproven(rpc: Rpc, reason: Reason) -> Self {
        Self { rpc, reason, audience: Audience::Root }
    }
}

impl<'r> Refusal<'r> {
    /// A refusal after the token's secret was shown.
    #[must_use]
    pub fn of_token(reason: Reason, secret: SecretProven<'r>) -> Self {
        Self { rpc: Rpc::Join, reason, audience: Audience::TokensTenant(secret) }
    }

    /// A refusal after a node's key was proved.
    #[must_use]
    pub fn of_node(rpc: Rpc, reason: Reason, key: CurrentKeyProven<'r>) -> Self {
        Self { rpc, reason, audience: Audience::NodesOwner(key) }
    }

    /// The reason, to be recorded.
    #[must_use]
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// Who gets the event.
    #[must_use]
    pub fn audience(&self) -> Audience<'r> {
        self.audience
    }

    /// What the caller sees.
    #[must_use]
    pub fn public(&self) -> PublicRefusal {
        PublicRefusal { rpc: self.rpc }
    }
}

/// What the refused caller sees, whatever the reason. It holds no reason, so it can show none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicRefusal {
    rpc: Rpc,
}

impl PublicRefusal {
    /// The error's name, the trailer `bc-error`.
    #[must_use]
    pub const fn name(self) -> ErrorName {
        ErrorName::AccessDenied
    }
}

impl fmt::Display for PublicRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // REFUSAL-1: the same message for every reason of a call.
        formatter.write_str(match self.rpc {
            Rpc::Join => "Join refused",
            Rpc::Renew => "Renew refused",
        })
    }
}

/// Names of errors, as in the trailer `bc-error`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorName {
    /// The one refusal.
    AccessDenied,
    /// The server lacks its join configuration, or its issuer is expired.
    InvalidConfig,
    /// What was named is in another state.
    InvalidState,
    /// Somebody was faster, or an idempotency key names something else.
    Conflict,
    /// The request is malformed.
    InvalidArgument,
    /// It is not there, or not the caller's.
    NotFound,
    /// It is there already.
    AlreadyExists,
    /// Hello's refusal.
    Unauthenticated,
}

impl ErrorName {
    /// The name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AccessDenied => "ACCESS_DENIED",
            Self::InvalidConfig => "INVALID_CONFIG",
            Self::InvalidState => "INVALID_STATE",
            Self::Conflict => "CONFLICT",
            Self::InvalidArgument => "INVALID_ARGUMENT",
            Self::NotFound => "NOT_FOUND",
            Self::AlreadyExists => "ALREADY_EXISTS",
            Self::Unauthenticated => "UNAUTHENTICATED",
        }
    }

    /// The number of its gRPC status.
    #[must_use]
    pub const fn grpc_status(self) -> u8 {
        // REFUSAL-5: the table of the layout.
        match self {
            Self::InvalidArgument => 3,
            Self::NotFound => 5,
            Self::AlreadyExists => 6,
            Self::AccessDenied => 7,
            Self::InvalidConfig | Self::InvalidState => 9,
            Self::Conflict => 10,
            Self::Unauthenticated => 16,
        }
    }
}

#[cfg(test)]
mod tests;
