//! TOKEN (docs/spec/02-token.md): the bearer token and its row.
//!
//! ```text
//! octets ──parse──▶ Token ──prove_secret(row)──▶ SecretProven ──usable(role, now)──▶ uses left
//! ```

use std::fmt;

use subtle::ConstantTimeEq as _;
use zeroize::Zeroizing;

use crate::base64url;
use crate::hash::sha256;
use crate::reason::Reason;
use crate::time::{self, Millis};
use crate::type_id;

mod administration;
mod create;
mod ttl;

pub use administration::{Mint, Minted, Page, Query, Record, Stored, list, mint, revoke};
pub use create::{Created, Hosted, create};
pub use ttl::ttl;

/// The id of a token: `jt_` and 26 characters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenId(String);

impl TokenId {
    /// The id's text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TokenId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// A bearer token. It has no `Debug`, and its secret is wiped when it goes (TOKEN-3).
pub struct Token {
    id: TokenId,
    secret: Zeroizing<[u8; 32]>,
}

impl Token {
    /// A new token of the id's UUID and 32 random octets.
    #[must_use]
    pub fn new(uuid: [u8; 16], secret: [u8; 32]) -> Self {
        // TOKEN-1: the id is a TypeID, the secret is 256 random bits.
        Self { id: TokenId(type_id::encode(type_id::TOKEN, uuid)), secret: Zeroizing::new(secret) }
    }

    /// The token's id, which is no secret.
    #[must_use]
    pub fn id(&self) -> &TokenId {
        &self.id
    }

    /// What the server keeps of the secret.
    #[must_use]
    pub fn secret_sha256(&self) -> [u8; 32] {
        // TOKEN-3: over the 32 decoded octets, not over the 43 characters.
        sha256(&*self.secret)
    }

    /// The bearer form, to be sealed or written once.
    #[must_use]
    pub fn text(&self) -> Zeroizing<String> {
        let secret = Zeroizing::new(base64url::encode(&*self.secret));
        Zeroizing::new([PREFIX, &self.id.0, ".", &secret].concat())
    }
}

/// What a token admits to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A node of a pool.
    Node,
    /// A site's own agent.
    Site,
    /// An installer in memory.
    Ramdisk,
}

impl Role {
    /// Reads a role's name, exactly.
    ///
    /// # Errors
    /// `role-invalid` for any other text (TOKEN-11).
    pub fn parse(text: &str) -> Result<Self, Reason> {
        // TOKEN-11: exact and case-sensitive.
        [Self::Node, Self::Site, Self::Ramdisk]
            .into_iter()
            .find(|role| role.as_str() == text)
            .ok_or(Reason::RoleInvalid)
    }

    /// The role's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::Site => "site",
            Self::Ramdisk => "ramdisk",
        }
    }
}

/// A token's row, as far as verdicts depend on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The token's id.
    pub id: String,
    /// The tenant that it belongs to.
    pub tenant: String,
    /// SHA-256 of the secret's 32 octets.
    pub secret_sha256: [u8; 32],
    /// What it admits to.
    pub role: Role,
    /// When it is dead.
    pub expires_at: Millis,
    /// When it was revoked.
    pub revoked_at: Option<Millis>,
    /// Joins that it may still admit.
    pub uses_left: u32,
}

/// Witness: the secret of this row was shown. Only [`prove_secret`] makes one.
#[derive(Clone, Copy, Debug)]
pub struct SecretProven<'a> {
    row: &'a Row,
}

impl<'a> SecretProven<'a> {
    /// The row whose secret was shown.
    #[must_use]
    pub fn row(&self) -> &'a Row {
        self.row
    }
}

/// Reads a bearer token: 78 octets, exactly.
///
/// # Errors
/// `token-malformed` for anything else (TOKEN-1, TOKEN-2).
pub fn parse(octets: &[u8]) -> Result<Token, Reason> {
    parse_exactly(octets).ok_or(Reason::TokenMalformed)
}

/// Reads a token from the content of a file or of standard input.
///
/// # Errors
/// `token-malformed` (TOKEN-2).
pub fn read(octets: &[u8]) -> Result<Token, Reason> {
    // TOKEN-2: one trailing LF or CRLF is stripped, and nothing else.
    let line = octets.strip_suffix(b"\r\n").or_else(|| octets.strip_suffix(b"\n"));
    parse(line.unwrap_or(octets))
}

/// Reads the argument of `join-tokens revoke`: a token's id, exactly.
///
/// # Errors
/// `invalid-argument` for anything else, a whole token in particular (TOKEN-8).
pub fn id(text: &str) -> Result<TokenId, Reason> {
    // TOKEN-8: only a text that is exactly a token id is sent; so nothing with a `.` in it is.
    parse_id(text.as_bytes()).ok_or(Reason::InvalidArgument)
}

/// Compares the token's secret with the row's hash, in constant time and with the same work for an unknown
/// id.
///
/// # Errors
/// `token-unknown` when there is no row of that id, `token-secret` when the secret is not the row's
/// (TOKEN-4).
pub fn prove_secret<'a>(row: Option<&'a Row>, token: &Token) -> Result<SecretProven<'a>, Reason> {
    let row = row.filter(|row| row.id == token.id.0);
    // TOKEN-4: for an id that is not there the comparison is made with a fixed dummy hash.
    let expected = row.map_or(&DUMMY_SHA256, |row| &row.secret_sha256);
    let equal = bool::from(token.secret_sha256().ct_eq(expected));
    // TOKEN-11: an unknown id comes before a wrong secret.
    match row {
        None => Err(Reason::TokenUnknown),
        Some(_) if !equal => Err(Reason::TokenSecret),
        Some(row) => Ok(SecretProven { row }),
    }
}

/// Judges a row whose secret was shown. Answers how many uses are left after this one.
///
/// # Errors
/// In this order: `token-revoked`, `token-expired`, `token-used`, `token-role` (TOKEN-11).
pub fn usable(proven: &SecretProven<'_>, role: Role, now: Millis) -> Result<u32, Reason> {
    let row = proven.row;
    // TOKEN-11: the first failing line is the reason.
    if row.revoked_at.is_some() {
        return Err(Reason::TokenRevoked);
    }
    // TIME-2: dead when now ≥ expiresAt.
    if time::is_dead(row.expires_at, now) {
        return Err(Reason::TokenExpired);
    }
    let uses_left = row.uses_left.checked_sub(1).ok_or(Reason::TokenUsed)?;
    if row.role != role {
        return Err(Reason::TokenRole);
    }
    Ok(uses_left)
}

/// Judges a token by itself, from its text and its row. Answers how many uses are left after this one.
///
/// # Errors
/// The first failing line of TOKEN-11.
pub fn admit(row: Option<&Row>, token: &[u8], role: &str, now: Millis) -> Result<u32, Reason> {
    // TOKEN-11: role-invalid, token-malformed, token-unknown, token-secret, then the row's own.
    let role = Role::parse(role)?;
    let token = parse(token)?;
    let proven = prove_secret(row, &token)?;
    usable(&proven, role, now)
}

fn parse_exactly(octets: &[u8]) -> Option<Token> {
    // TOKEN-1, TOKEN-2: the prefix, the canonical id, one dot, the canonical secret, and nothing else.
    let body = octets.strip_prefix(PREFIX.as_bytes())?;
    let (id, rest) = body.split_at_checked(ID_LENGTH)?;
    let secret = rest.strip_prefix(b".")?;
    let decoded = Zeroizing::new(base64url::decode(secret)?);
    let secret = Zeroizing::new(decoded.as_slice().try_into().ok()?);
    Some(Token { id: parse_id(id)?, secret })
}

fn parse_id(octets: &[u8]) -> Option<TokenId> {
    let body: &[u8; 26] = octets.strip_prefix(ID_PREFIX)?.try_into().ok()?;
    // TOKEN-1: 128 bits in 26 characters, so the first is 0 to 7; lower case only.
    let canonical = matches!(body[0], b'0'..=b'7') && body.iter().all(|octet| CROCKFORD.contains(octet));
    canonical.then(|| TokenId(String::from_utf8_lossy(octets).into_owned()))
}

const PREFIX: &str = "bcjt_";
const ID_PREFIX: &[u8] = b"jt_";
const ID_LENGTH: usize = 29;
const CROCKFORD: &[u8] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Compared with when there is no row; no secret that hashes to it is known.
const DUMMY_SHA256: [u8; 32] = [0; 32];

#[cfg(test)]
mod tests;
