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
/// Lifetime of a certificate in seconds, both ends included; the last is the default (CERTIFICATE-1).
pub const CERT_TTL_S: RangeInclusive<u32> = 1..=86_400;
/// Longest lifetime of a ramdisk's certificate in seconds (CERTIFICATE-1).
pub const RAMDISK_CERT_TTL_S: u32 = 7_200;
/// How far notBefore lies before now, in seconds (CERTIFICATE-1).
pub const CERT_BACKDATE_S: i64 = 60;
/// Live certificates of a node in its generation (CERTIFICATE-7).
pub const CERTS_LIVE_MAX: usize = 8;
/// How far client_time may lie from now, in milliseconds, both ends included (RENEWAL-3).
pub const RENEW_SKEW_MS: u64 = 60_000;
/// How long a used proof is remembered, in milliseconds, the end included (RENEWAL-3).
pub const RENEW_REPLAY_MS: i64 = 120_000;
/// Certificates in the chain of a join with an expired certificate (X509POP-4).
pub const X509POP_CHAIN_MAX: usize = 4;
/// Octets of one certificate in that chain (X509POP-4).
pub const X509POP_CERTIFICATE_MAX_BYTES: usize = 4096;
/// Records in a page of a list: at most, and when nothing is said (TOKEN-8).
pub const LIST_PAGE_MAX: usize = 200;
/// Records in a page of a list when nothing is said (TOKEN-8).
pub const LIST_PAGE_DEFAULT: usize = 100;
/// Refusal events of a bucket in a minute (REFUSAL-4).
pub const REFUSAL_EVENTS_PER_MINUTE: u32 = 60;
/// Octets of the requested role in an event (REFUSAL-2).
pub const REFUSAL_ROLE_MAX_BYTES: usize = 64;
