//! ADMISSION (docs/spec/10-admission.md): a token join, from the octets received to the decision.
//!
//! ```text
//! Received ──open──▶ Opened ──attest(token row)──▶ Attested ──judge(policy, now)──▶ Admissible ──place──▶ Granted
//! (octets)           (names the row it needs)      (the secret was shown)           (one use may be taken)
//! ```
//!
//! A stage consumes the one before it, so no check is left out or done in another order. Where a stage needs something
//! stored it stops, and its caller goes on with what it names. From [`Attested`] on the token row is locked. Signatures
//! are made outside ([`crate::grant`]); the end is an answer and effects ([`crate::decision`]).

use crate::binding;
use crate::choices::{Choices, SealResend};
use crate::claims::{self, Claims};
use crate::csr::Csr;
use crate::decision::Answer;
use crate::expect::{self, Expect};
use crate::hardware_key::{self, Derived};
use crate::hash::sha256;
use crate::p256::{PrivateKey, PublicKey};
use crate::reason::Reason;
use crate::refusal::{Refusal, Rpc};
use crate::seal::{self, Found, Sent, Window};
use crate::time::Millis;
use crate::token::{self, Role, Row, SecretProven, Token, TokenId};

mod attestor;
mod place;

pub use attestor::{Attestor, check_front};
pub use place::Placement;

/// A token join as it was received: nothing of it is trusted.
#[derive(Clone, Copy, Debug)]
pub struct Received<'a> {
    /// The attestor's name; empty is `join-token`.
    pub attestor: &'a str,
    /// The role asked for.
    pub role: &'a str,
    /// The certificate request, DER.
    pub csr: &'a [u8],
    /// The sealed token; absent evidence is empty.
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
    seal_sha256: [u8; 32],
}

/// A join whose token's secret was shown.
pub struct Attested<'a, 'r> {
    opened: Opened<'a>,
    secret: SecretProven<'r>,
}

/// A token join that passed every check that needs no more than its token's row. What is left are the checks of RECLAIM
/// and DESTINATION.
#[derive(Clone, Debug)]
pub struct Admissible<'r> {
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
    /// The machine's hardware key.
    pub hardware_key: Derived,
    /// The request's hash, for the answer (BINDING-3).
    pub request_sha256: [u8; 32],
    /// The CSR's hash, for the answer.
    pub csr_sha256: [u8; 32],
    /// The key to be certified.
    pub public_key: PublicKey,
    /// The seal's hash, for the stored answer (SEAL-8).
    pub seal_sha256: [u8; 32],
    secret: SecretProven<'r>,
}

impl<'a> Received<'a> {
    /// Judges everything that needs no store.
    ///
    /// # Errors
    /// In this order: `attestor`, `role-invalid`, `csr`, `claims`, `seal`, `seal-key`, `seal`, `seal-iat`, `seal-csr`.
    pub fn open(self, service: Service<'_>, now: Millis) -> Result<Opened<'a>, Refusal<'static>> {
        self.open_unproven(service, now).map_err(unproven)
    }

    fn open_unproven(self, service: Service<'_>, now: Millis) -> Result<Opened<'a>, Reason> {
        let Self { attestor, role: asked, csr, seal, claims: raw } = self;
        // REFUSAL-3: the order of the checks.
        let (role, checked, claims) =
            check_front(Attestor::JoinToken, attestor, service.attestors, asked, csr, raw)?;
        let opened = seal::judge(seal, csr, service.keys, service.window, now)?;
        let token_id = opened.token.id().as_str();
        let request = binding::Request { attestor, role: asked, token_id, claims: raw };
        let request_sha256 = binding::hash(&request);
        // SEAL-8: the hash of the seal is H of the compact text.
        let seal_sha256 = sha256(seal);
        Ok(Opened { role, csr: checked, claims, token: opened.token, request_sha256, seal_sha256 })
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
        let secret = token::prove_secret(row, &self.token).map_err(unproven)?;
        Ok(Attested { opened: self, secret })
    }
}

impl<'r> Attested<'_, 'r> {
    /// Witness that the secret was shown: from here on refusals go to the token's tenant.
    #[must_use]
    pub fn secret(&self) -> SecretProven<'r> {
        self.secret
    }

    /// The hash by which a stored answer is looked up (SEAL-8).
    #[must_use]
    pub fn seal_sha256(&self) -> &[u8; 32] {
        &self.opened.seal_sha256
    }

    /// Judges a join whose seal has admitted one before. Its stored answer is all that follows.
    ///
    /// # Errors
    /// `seal-replayed`
    pub fn resend<'f>(
        &self,
        found: &Found<'f>,
        choice: SealResend,
        now: Millis,
    ) -> Result<&'f Answer, Refusal<'r>> {
        // SEAL-8: after `token-secret` and before `token-revoked`, whatever has expired or been used up.
        let revoked = self.secret.row().revoked_at.is_some();
        seal::resend(found, &self.opened.sent(), revoked, choice, now)
            .map_err(|reason| Refusal::of_token(reason, self.secret))
    }

    /// Judges the join against its token's row. Nothing is consumed here, so a refusal consumes nothing.
    ///
    /// # Errors
    /// In this order: `request-binding`, `token-revoked`, `token-expired`, `token-used`, `token-role`, `expect`,
    /// `placeholder-hardware`.
    pub fn judge(self, policy: Policy<'_>, now: Millis) -> Result<Admissible<'r>, Refusal<'r>> {
        let secret = self.secret;
        self.judge_proven(policy, now).map_err(|reason| Refusal::of_token(reason, secret))
    }

    fn judge_proven(self, policy: Policy<'_>, now: Millis) -> Result<Admissible<'r>, Reason> {
        let Opened { role, csr, claims, token, request_sha256, seal_sha256 } = self.opened;
        let Choices { request_binding, hwkey_independence, hwkey_selection, .. } = policy.choices;
        // REFUSAL-3: the order of the checks.
        binding::check(&csr, &request_sha256, request_binding, policy.requires_request_binding)?;
        let uses_left = token::usable(&self.secret, role, now)?;
        // ADMISSION-2: a mismatch refuses before anything is consumed.
        policy.expect.map_or(Ok(()), |expected| expect::check(expected, &claims))?;
        // ADMISSION-7: the placeholder rule is that of `join-token` alone.
        let trusted = hardware_key::admit(&claims, policy.expect.is_some(), hwkey_independence)?;
        let derived = hardware_key::derive(&claims, hwkey_selection, hwkey_independence);
        Ok(Admissible {
            token_id: token.id().clone(),
            uses_left,
            role,
            claims,
            trusted,
            hardware_key: Derived { trusted, ..derived },
            request_sha256,
            csr_sha256: csr.sha256,
            public_key: csr.public_key,
            seal_sha256,
            secret: self.secret,
        })
    }
}

impl Opened<'_> {
    fn sent(&self) -> Sent {
        Sent { csr_sha256: self.csr.sha256, role: self.role, claims: self.claims.clone() }
    }
}

fn unproven(reason: Reason) -> Refusal<'static> {
    Refusal::unproven(Rpc::Join, reason)
}

#[cfg(test)]
mod history;
#[cfg(test)]
mod tests;
