//! The judge: verifies the vectors, drives a subject, decides, reports.
//!
//! ```text
//! suite -> select -> calibrate -> session -> judge -> expectations -> report
//! ```
//!
//! A subject is a child process that speaks jc/1 (conformance/SHIM.md). Nothing here uses the reference.

pub mod calibrate;
pub mod der;
pub mod diff;
pub mod doctor;
pub mod expectations;
pub mod explain;
pub mod judge;
pub mod kill;
pub mod limits;
pub mod matchers;
mod memory;
pub mod ops;
pub mod outcome;
pub mod plan;
pub mod process;
pub mod report;
mod round;
pub mod script;
pub mod select;
pub mod session;
pub mod spec;
pub mod suite;
pub mod verdict;
pub mod wire;

/// The judge's version.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The signed data as packed by the build: path below `v1/` and bytes.
pub static EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
