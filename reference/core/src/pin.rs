//! Pins (docs/spec/25-config.md): `sha256/` and the standard base64 of the SHA-256 of an SPKI.

use std::fmt;

use crate::hash::sha256;
use crate::reason::Reason;
use crate::standard_base64;

/// The SHA-256 of a SubjectPublicKeyInfo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pin(pub [u8; 32]);

impl Pin {
    /// The pin of a key, given its SPKI DER.
    #[must_use]
    pub fn of_spki(spki: &[u8]) -> Self {
        Self(sha256(spki))
    }

    /// Reads the one spelling of a pin, 51 characters.
    ///
    /// # Errors
    /// `pin-malformed` for any other text (CONFIG-1).
    pub fn parse(text: &str) -> Result<Self, Reason> {
        // CONFIG-1: standard alphabet with padding, 32 octets, canonical; nothing around it.
        let body = text.strip_prefix(PREFIX).ok_or(Reason::PinMalformed)?;
        let hash = standard_base64::decode(body.as_bytes()).ok_or(Reason::PinMalformed)?;
        hash.try_into().map(Self).map_err(|_| Reason::PinMalformed)
    }
}

impl fmt::Display for Pin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{PREFIX}{}", standard_base64::encode(&self.0))
    }
}

const PREFIX: &str = "sha256/";

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "sha256/Wnp4zKSg9CDZvGK7Zpw8J1njn3I9OuENy+DwgVoH7NQ=";

    #[test]
    fn a_pin_has_one_spelling() {
        assert_eq!(Pin::parse(GOOD).unwrap().to_string(), GOOD);
        for bad in [
            "sha256/Wnp4zKSg9CDZvGK7Zpw8J1njn3I9OuENy+DwgVoH7NQ",
            "sha256/Wnp4zKSg9CDZvGK7Zpw8J1njn3I9OuENy-DwgVoH7NQ=",
            "sha256/Wnp4zKSg9CDZvGK7Zpw8J1njn3I9OuENy+DwgVoH7NR=",
            "SHA256/Wnp4zKSg9CDZvGK7Zpw8J1njn3I9OuENy+DwgVoH7NQ=",
            " sha256/Wnp4zKSg9CDZvGK7Zpw8J1njn3I9OuENy+DwgVoH7NQ=",
            "sha256/Wnp4zKSg9CDZvGK7Zpw8J1njn3I9OuENy+DwgVoH7NQ=\n",
            "Wnp4zKSg9CDZvGK7Zpw8J1njn3I9OuENy+DwgVoH7NQ=",
            "sha256/",
            "sha256/AA==",
            "",
        ] {
            assert_eq!(Pin::parse(bad), Err(Reason::PinMalformed), "{bad:?}");
        }
    }
}
