//! The judge: verifies the vectors, drives a subject, decides, reports.

/// The signed data as packed by the build: path below `v1/` and bytes.
pub static EMBEDDED: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
