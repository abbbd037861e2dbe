//! The vectors: what a case is, the testkit that forges its bytes, the cases themselves, and the signed manifest.
//!
//! Nothing here depends on the reference: expected results are written by hand from the spec.

pub mod case;
pub mod cases;
pub mod forge;
pub mod manifest;
pub mod schema;
pub mod script;
pub mod spec;
pub mod testkit;
