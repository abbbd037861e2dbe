//! Every parameter of the protocol that the core uses, with the rule it stands in
//! (docs/spec/00-conventions.md).

use std::ops::RangeInclusive;

/// Lifetime of a join token in seconds, both ends included (TOKEN-5).
pub const TOKEN_TTL_S: RangeInclusive<u64> = 60..=86_400;
/// Joins that a token may admit (TOKEN-5).
pub const TOKEN_MAX_USES: RangeInclusive<u64> = 1..=10_000;
/// Joins that a token admits when nothing is said (TOKEN-5).
pub const TOKEN_MAX_USES_DEFAULT: u32 = 1;
/// Digits of one number in the text of `--ttl` (TOKEN-5).
pub const TTL_DIGITS_MAX: usize = 6;
/// Length of an idempotency key in octets (TOKEN-7).
pub const IDEMPOTENCY_KEY_LENGTH: RangeInclusive<usize> = 1..=128;
/// Octets of a token file or of standard input (CONFIG-3).
pub const TOKEN_FILE_MAX_BYTES: usize = 4096;

/// Octets of a seal (SEAL-5).
pub const SEAL_MAX_BYTES: usize = 4096;
/// Latest `iat` of a seal in seconds since 1970: the year 9999 (SEAL-4).
pub const SEAL_IAT_MAX_S: u64 = 253_402_300_799;
/// Levels of JSON, the outermost value being level 1 (SEAL-5, WELLKNOWN-1).
pub const JSON_DEPTH_MAX: usize = 16;

/// Octets of a certificate request (CSR-1).
pub const CSR_MAX_BYTES: usize = 4096;
/// Levels of DER, the outermost element being level 1 (CSR-1).
pub const DER_DEPTH_MAX: usize = 16;

/// MACs in one request, counted as sent (CLAIMS-1).
pub const CLAIMS_MAX_MACS: usize = 64;
/// GPU UUIDs in one request, counted as sent (CLAIMS-1).
pub const CLAIMS_MAX_GPUS: usize = 64;
/// Octets of one raw claim (CLAIMS-1).
pub const CLAIM_MAX_BYTES: usize = 256;

/// Octets of a signed body or of a message (RESPONSE-1, REFUSAL-1).
pub const MESSAGE_MAX_BYTES: usize = 65_536;
/// Octets of the well-known document or of config.toml (WELLKNOWN-1, CONFIG-2).
pub const DOCUMENT_MAX_BYTES: usize = 65_536;

/// Grace after a certificate's end in seconds (X509POP-1, TIME-2).
pub const X509POP_GRACE_S: i64 = 604_800;
