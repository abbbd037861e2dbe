//! Builders that can encode nonsense, on a crypto stack the reference does not use (RustCrypto).

pub mod claims;
pub mod csr;
pub mod decode;
pub mod decode_certificate;
pub mod decode_response;
pub mod der;
pub mod encode;
pub mod keys;
pub mod p384;
pub mod protobuf;
pub mod request;
pub mod response;
pub mod rsa;
pub mod seal;
pub mod signature;
pub mod token;
pub mod world;
pub mod x509;
