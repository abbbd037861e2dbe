//! The join protocol, pure.
//!
//! Steps are files, named as the pages of `docs/spec`. Every function is a function of its arguments: the
//! clock, randomness, stored rows and choices come in; verdicts, octets to be sent and octets to be signed go
//! out. A judging function answers with a [`reason::Reason`], the word of the first check that failed.

// Steps of the protocol.
pub mod admission;
pub mod binding;
pub mod certificate;
pub mod claims;
pub mod config;
pub mod csr;
pub mod destination;
pub mod expect;
pub mod hardware_key;
pub mod hosted;
pub mod reclaim;
pub mod refusal;
pub mod renewal;
pub mod response;
pub mod seal;
pub mod signature;
pub mod time;
pub mod token;
pub mod wellknown;
pub mod x509pop;

// What the steps share.
pub mod choices;
pub mod decision;
pub mod grant;
pub mod limits;
pub mod reason;
pub mod rows;

// Encodings and keys.
pub mod base64url;
pub mod der;
pub mod frame;
pub mod hash;
pub mod json;
pub mod p256;
pub mod pin;
pub mod protobuf;
pub mod standard_base64;
pub mod type_id;
pub mod x509;
