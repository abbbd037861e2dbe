//! MACs and GPUs in the request hash: counted, in the order sent, duplicates kept (BINDING-1).

use serde_json::{Value, json};

use super::hash::{family, row};
use crate::case::Entry;
use crate::testkit::request::{claims, request};

pub(super) fn entries() -> Vec<Entry> {
    vec![order(), counts(), caps()]
}

fn with(macs: &[&str], gpus: &[&str]) -> Value {
    request("join-token", "node", "", &claims(json!({"permanentMacs": macs, "gpuUuids": gpus})))
}

fn order() -> Entry {
    let (one, two) = ("3c:ec:ef:12:34:56", "3c:ec:ef:12:34:57");
    let entry = family("hash-list-order", "Lists are hashed in the order sent, duplicates kept.")
        .also("CLAIMS-6")
        .why(
            "As claims they are sets; here they are what was sent. Sorting first gives one side another \
            hash.",
        )
        .recipe("Hash requests whose MACs are the same set.");
    let rows = [("sorted", vec![one, two]), ("reversed", vec![two, one]), ("twice", vec![one, two, one])];
    rows.iter().fold(entry, |entry, (name, macs)| row(entry, name, &with(macs, &[])))
}

fn counts() -> Entry {
    let entry = family("hash-list-counts", "The count in front of each list keeps the two apart.")
        .why("Without counts a MAC that becomes the first GPU leaves the hash as it was.")
        .recipe("Hash requests that share the same entries out between the two lists.");
    let rows: [(&str, &[&str], &[&str]); 5] = [
        ("none", &[], &[]),
        ("two-macs", &["a", "b"], &[]),
        ("one-each", &["a"], &["b"]),
        ("two-gpus", &[], &["a", "b"]),
        ("one-empty-mac", &[""], &[]),
    ];
    rows.iter().fold(entry, |entry, (name, macs, gpus)| row(entry, name, &with(macs, gpus)))
}

fn caps() -> Entry {
    let macs: Vec<String> = (0..64).map(|at| format!("3c:ec:ef:12:34:{at:02x}")).collect();
    let macs: Vec<&str> = macs.iter().map(String::as_str).collect();
    let entry = family("hash-list-64", "Lists of 64 entries are hashed whole.")
        .why("64 is the cap; the count is eight octets, not one.")
        .recipe("Hash a request of 64 MACs, and one of 64 MACs and 64 GPUs.");
    row(row(entry, "macs", &with(&macs, &[])), "both", &with(&macs, &macs))
}
