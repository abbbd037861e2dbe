//! ADMISSION (docs/spec/10-admission.md): a token join, from the octets received to what may be admitted.
//!
//! ```text
//! Received ──open──▶ Opened ──attest(token row)──▶ Attested ──judge(policy, now)──▶ Admissible
//! (octets)           (names the row it needs)      (the secret was shown)           (one use may be taken)
//! ```
//!
//! A stage consumes the one before it, so no check is left out or done in another order. Where a stage needs something
//! stored it stops, and its caller goes on with what it names. Between [`Attested`] and its judgement the caller looks
//! the seal up among those that have admitted a join (SEAL-8).

use crate::binding;
use crate::choices::Choices;
use crate::claims::{self, Claims};
use crate::csr::{self, Csr};
use crate::expect::{self, Expect};
use crate::hardware_key;
use crate::p256::PrivateKey;
use crate::reason::Reason;
use crate::seal::{self, Window};
use crate::time::Millis;
use crate::token::{self, Role, Row, SecretProven, Token, TokenId};

mod refusal;

pub use refusal::{Audience, PublicRefusal, Refusal};

/// A token join as it was received: nothing of it is trusted.
#[derive(Clone, Copy, Debug)]
pub struct Received<'a> {
    /// The attestor's name; empty is `join-token`.
    pub attestor: &'a str,
    /// The role asked for.
    pub role: &'a str,
    /// The certificate request, DER.
    pub csr: &'a [u8],
    /// The sealed token.
    pub seal: &'a [u8],
    /// The claims as sent.
    pub claims: &'a claims::Raw,
}

/// What the service holds before it looks into its store.
#[derive(Clone, Copy)]
pub struct Service<'a> {
    /// Names of the attestors that are configured.
    pub attestors: &'a [String],
    /// The encryption keys.
    pub keys: &'a [PrivateKey],
    /// How far a seal's `iat` may lie from now; `None` under `seal.iat-window` `none`.
    pub window: Option<Window>,
}

/// What the token and its pool ask of a machine.
#[derive(Clone, Copy, Debug)]
pub struct Policy<'a> {
    /// The token's binding to one machine.
    pub expect: Option<&'a Expect>,
    /// Whether the pool refuses a request without the binding attribute.
    pub requires_request_binding: bool,
    /// The named choices.
    pub choices: Choices,
}

/// A join whose parts are well-formed and whose seal belongs to its CSR.
pub struct Opened<'a> {
    role: Role,
    csr: Csr<'a>,
    claims: Claims,
    token: Token,
    request_sha256: [u8; 32],
}

/// A join whose token's secret was shown.
pub struct Attested<'a, 'r> {
    opened: Opened<'a>,
    secret: SecretProven<'r>,
}

/// A token join that passed every check that needs no more than its token's row. What is left are the checks of RECLAIM
/// and DESTINATION.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admissible {
    /// The token.
    pub token_id: TokenId,
    /// Uses left after this one.
    pub uses_left: u32,
    /// The role.
    pub role: Role,
    /// The claims, normalized.
    pub claims: Claims,
    /// Whether the hardware key is trusted (HARDWARE-KEY-3).
    pub trusted: bool,
    /// The request's hash, for the answer (BINDING-3).
    pub request_sha256: [u8; 32],
    /// The CSR's hash, for the answer.
    pub csr_sha256: [u8; 32],
    /// The SPKI to be certified, DER.
    pub spki: Vec<u8>,
}

impl<'a> Received<'a> {
    /// Judges everything that needs no store.
    ///
    /// # Errors
    /// In this order: `attestor`, `role-invalid`, `csr`, `claims`, `seal`, `seal-key`, `seal`, `seal-iat`, `seal-csr`.
    pub fn open(self, service: Service<'_>, now: Millis) -> Result<Opened<'a>, Refusal<'static>> {
        self.open_unproven(service, now).map_err(Refusal::unproven)
    }

    fn open_unproven(self, service: Service<'_>, now: Millis) -> Result<Opened<'a>, Reason> {
        // REFUSAL-3: the order of the checks.
        check_attestor(self.attestor, service.attestors)?;
        let role = Role::parse(self.role)?;
        let csr = csr::check(self.csr)?;
        let claims = claims::normalize(self.claims)?;
        let opened = seal::judge(self.seal, self.csr, service.keys, service.window, now)?;
        let request = binding::Request {
            attestor: self.attestor,
            role: self.role,
            token_id: opened.token.id().as_str(),
            claims: self.claims,
        };
        let request_sha256 = binding::hash(&request);
        Ok(Opened { role, csr, claims, token: opened.token, request_sha256 })
    }
}

impl<'a> Opened<'a> {
    /// The token whose row is needed.
    #[must_use]
    pub fn token_id(&self) -> &TokenId {
        self.token.id()
    }

    /// Compares the token's secret with its row. To be called on an unlocked read, and again under the row's lock.
    ///
    /// # Errors
    /// `token-unknown`, `token-secret` (TOKEN-4).
    pub fn attest<'r>(self, row: Option<&'r Row>) -> Result<Attested<'a, 'r>, Refusal<'static>> {
        let secret = token::prove_secret(row, &self.token).map_err(Refusal::unproven)?;
        Ok(Attested { opened: self, secret })
    }
}

impl<'r> Attested<'_, 'r> {
    /// Witness that the secret was shown: from here on refusals go to the token's tenant.
    #[must_use]
    pub fn secret(&self) -> SecretProven<'r> {
        self.secret
    }

    /// Judges the join against its token's row. Nothing is consumed here, so a refusal consumes nothing.
    ///
    /// # Errors
    /// In this order: `request-binding`, `token-revoked`, `token-expired`, `token-used`, `token-role`, `expect`,
    /// `placeholder-hardware`.
    pub fn judge(self, policy: Policy<'_>, now: Millis) -> Result<Admissible, Refusal<'r>> {
        let secret = self.secret;
        self.judge_proven(policy, now).map_err(|reason| Refusal::proven(reason, secret))
    }

    fn judge_proven(self, policy: Policy<'_>, now: Millis) -> Result<Admissible, Reason> {
        let Opened { role, csr, claims, token, request_sha256 } = self.opened;
        let Choices { request_binding, hwkey_independence, .. } = policy.choices;
        // REFUSAL-3: the order of the checks.
        binding::check(&csr, &request_sha256, request_binding, policy.requires_request_binding)?;
        let uses_left = token::usable(&self.secret, role, now)?;
        policy.expect.map_or(Ok(()), |expected| expect::check(expected, &claims))?;
        let trusted = hardware_key::admit(&claims, policy.expect.is_some(), hwkey_independence)?;
        Ok(Admissible {
            token_id: token.id().clone(),
            uses_left,
            role,
            claims,
            trusted,
            request_sha256,
            csr_sha256: csr.sha256,
            spki: csr.public_key.spki(),
        })
    }
}

fn check_attestor(name: &str, configured: &[String]) -> Result<(), Reason> {
    // ADMISSION-7: empty means `join-token`; compared exactly; unknown or not configured is `attestor`.
    let name = if name.is_empty() { JOIN_TOKEN } else { name };
    let known = name == JOIN_TOKEN && configured.iter().any(|attestor| attestor == name);
    if known { Ok(()) } else { Err(Reason::Attestor) }
}

const JOIN_TOKEN: &str = "join-token";

#[cfg(test)]
mod tests;
