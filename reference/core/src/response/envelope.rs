//! The three fields of a signed answer, and what makes its body count (RESPONSE-1).

use crate::limits::MESSAGE_MAX_BYTES;
use crate::p256::PublicKey;
use crate::pin::Pin;
use crate::reason::Reason;
use crate::signature::{self, JoinDeferral, JoinResponse, ToBeSigned};

/// A signed answer as received; nothing of it is trusted.
#[derive(Clone, Copy, Debug)]
pub struct Signed<'a> {
    /// The body's octets, the very ones that are signed.
    pub body: &'a [u8],
    /// r ‖ s.
    pub sig: &'a [u8],
    /// SPKI DER: a hint which pin to use.
    pub signing_key: &'a [u8],
}

/// An answer of the right outer form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Envelope<'a>(Signed<'a>);

/// The body of an answer to a join, signed by a pinned key.
#[derive(Clone, Copy, Debug)]
pub(super) struct AuthenticatedResponse<'a> {
    pub(super) body: &'a [u8],
}

/// The body of a deferral, signed by a pinned key.
#[derive(Clone, Copy, Debug)]
pub(super) struct AuthenticatedDeferral<'a> {
    pub(super) body: &'a [u8],
}

impl<'a> Signed<'a> {
    pub(super) fn envelope(self) -> Result<Envelope<'a>, Reason> {
        // RESPONSE-4: `sig` is 64 octets, `body` is 1..=65536 octets.
        let fits = (1..=MESSAGE_MAX_BYTES).contains(&self.body.len());
        if fits && self.sig.len() == 64 { Ok(Envelope(self)) } else { Err(Reason::ResponseMalformed) }
    }
}

impl<'a> Envelope<'a> {
    pub(super) fn response_signed_by(self, pins: &[Pin]) -> Result<AuthenticatedResponse<'a>, Reason> {
        // RESPONSE-1: over the octets of the body as received.
        let body = self.0.body;
        self.signed_by(pins, &JoinResponse { body }.to_be_signed())?;
        Ok(AuthenticatedResponse { body })
    }

    pub(super) fn deferral_signed_by(self, pins: &[Pin]) -> Result<AuthenticatedDeferral<'a>, Reason> {
        // RESPONSE-5: a purpose of its own.
        let body = self.0.body;
        self.signed_by(pins, &JoinDeferral { body }.to_be_signed())?;
        Ok(AuthenticatedDeferral { body })
    }

    fn signed_by(self, pins: &[Pin], message: &ToBeSigned) -> Result<(), Reason> {
        // RESPONSE-1: the key in the answer is worth nothing unless its hash is one of the pins.
        let pinned = pins.contains(&Pin::of_spki(self.0.signing_key));
        let key =
            PublicKey::from_spki(self.0.signing_key).filter(|_| pinned).ok_or(Reason::ResponseSignature)?;
        // RESPONSE-4: the signature verifies under it, low-S.
        signature::verify(&key, message, self.0.sig).map_err(|_| Reason::ResponseSignature)
    }
}
