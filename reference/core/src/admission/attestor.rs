//! Which evidence a join brings, and what every attestor judges first (ADMISSION-7).

use crate::claims::{self, Claims};
use crate::csr::{self, Csr};
use crate::reason::Reason;
use crate::token::Role;

/// A kind of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attestor {
    /// A bearer token, sealed.
    JoinToken,
    /// A TPM 2.0.
    Tpm,
    /// A site agent's word.
    Discovery,
    /// An expired certificate.
    X509Pop,
}

impl Attestor {
    /// Every attestor.
    pub const ALL: [Self; 4] = [Self::JoinToken, Self::Tpm, Self::Discovery, Self::X509Pop];

    /// The name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::JoinToken => "join-token",
            Self::Tpm => "tpm",
            Self::Discovery => "discovery",
            Self::X509Pop => "x509pop",
        }
    }

    /// The name that a request means.
    #[must_use]
    pub const fn named(name: &str) -> &str {
        // ADMISSION-7: empty means `join-token`.
        if name.is_empty() { Self::JoinToken.as_str() } else { name }
    }

    /// The attestor of a request's name.
    ///
    /// # Errors
    /// `attestor` for a name that is unknown or not configured.
    pub fn resolve(name: &str, configured: &[String]) -> Result<Self, Reason> {
        // ADMISSION-7: compared exactly; unknown or not configured is `attestor`.
        let name = Self::named(name);
        let known = Self::ALL.into_iter().find(|attestor| attestor.as_str() == name);
        known.filter(|_| configured.iter().any(|listed| listed == name)).ok_or(Reason::Attestor)
    }
}

/// The checks before the evidence, for the attestor that is to judge it.
///
/// # Errors
/// In this order: `attestor`, `role-invalid`, `csr`, `claims`.
pub fn check_front<'a>(
    attestor: Attestor,
    name: &str,
    configured: &[String],
    role: &str,
    csr: &'a [u8],
    claims: &claims::Raw,
) -> Result<(Role, Csr<'a>, Claims), Reason> {
    // ADMISSION-7: in this order, for every attestor.
    if Attestor::resolve(name, configured)? != attestor {
        return Err(Reason::Attestor);
    }
    Ok((Role::parse(role)?, csr::check(csr)?, claims::normalize(claims)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_known_configured_and_exact() {
        let all: Vec<String> = Attestor::ALL.iter().map(|attestor| attestor.as_str().to_owned()).collect();
        assert_eq!(Attestor::resolve("", &all), Ok(Attestor::JoinToken));
        for attestor in Attestor::ALL {
            assert_eq!(Attestor::resolve(attestor.as_str(), &all), Ok(attestor));
            assert_eq!(Attestor::resolve(attestor.as_str(), &[]), Err(Reason::Attestor));
        }
        for bad in ["Join-Token", "join-token ", "renew", "x"] {
            let configured = [bad.to_owned()];
            assert_eq!(Attestor::resolve(bad, &configured), Err(Reason::Attestor), "{bad}");
        }
    }
}
