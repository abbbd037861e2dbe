//! Builders that can encode nonsense, on a crypto stack the reference does not use (RustCrypto).

pub mod encode;
pub mod keys;
pub mod protobuf;
pub mod signature;
