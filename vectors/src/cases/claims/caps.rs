//! Sizes: entries are counted and octets measured as they were sent, before anything is trimmed or dropped.

use serde_json::{Value, json};

use super::{bare, good, input, normal, refused};
use crate::case::Entry;
use crate::testkit::claims::{full, with, with_list};

pub(super) fn entries() -> Vec<Entry> {
    vec![
        longest(),
        longest_padded(),
        most_macs(),
        most_gpus(),
        too_long(),
        too_many_macs(),
        too_many_gpus(),
        counted_as_sent(),
    ]
}

/// A serial of this many octets that repeats nothing but its digits.
fn serial(octets: usize) -> String {
    let mut text = "SN-".to_owned();
    while text.len() < octets {
        text.push(char::from(b'0' + (text.len() % 10) as u8));
    }
    text
}

fn mac(number: usize) -> String {
    format!("3c:ec:ef:00:01:{number:02x}")
}

fn gpu(number: usize) -> String {
    format!("gpu-41255406-c9af-f94b-4ebf-9d57ad1853{number:02x}")
}

fn longest() -> Entry {
    let text = serial(256);
    let left = text.to_ascii_lowercase();
    let entry = good("claims/cap-256-octets", "CLAIMS-1", "A value of 256 octets is taken whole.")
        .why("An off-by-one at the cap refuses or cuts a legal value.");
    let entry =
        ["productSerial", "boardSerial", "chassisSerial", "hostname"].iter().fold(entry, |entry, member| {
            let out = normal(json!({ *member: &left }));
            entry.row(member, input(&with(bare(), member, &text)), out)
        });
    entry.row("gpuUuids", input(&with(bare(), "gpuUuids", &text)), normal(json!({"gpuUuids": [&left]})))
}

fn longest_padded() -> Entry {
    good(
        "claims/cap-256-octets-padded",
        "CLAIMS-1",
        "A value padded to 256 octets is taken, whatever its own length.",
    )
    .why("Firmware fields have fixed sizes; the padding counts, and 256 are allowed.")
    .row(
        "uuid",
        input(&with(bare(), "productUuid", format!("{:256}", "D2A64D56-0617-4363-9C0E-5A1B7E3F2A10"))),
        normal(json!({"productUuid": "d2a64d56-0617-4363-9c0e-5a1b7e3f2a10"})),
    )
    .row(
        "mac",
        input(&with(bare(), "permanentMacs", format!("{:\0<256}", "94:DE:80:06:F8:D5"))),
        normal(json!({"permanentMacs": ["94:de:80:06:f8:d5"]})),
    )
    .row("blanks", input(&with(bare(), "productSerial", [b' '; 256])), bare())
    .row("nuls", input(&with(bare(), "hostname", [0; 256])), bare())
}

fn most_macs() -> Entry {
    let macs: Vec<String> = (0..64).map(mac).collect();
    good("claims/cap-64-macs", "CLAIMS-1", "64 MACs are taken.")
        .why("A large machine with many ports must not be refused one port early.")
        .row(
            "different",
            input(&with_list(bare(), "permanentMacs", &macs)),
            normal(json!({ "permanentMacs": macs })),
        )
        .row("all-dropped", input(&with_list(bare(), "permanentMacs", &["02:00:00:00:00:01"; 64])), bare())
}

fn most_gpus() -> Entry {
    let gpus: Vec<String> = (0..64).map(gpu).collect();
    good("claims/cap-64-gpus", "CLAIMS-1", "64 GPU UUIDs are taken.")
        .why("A large machine with many GPUs must not be refused one card early.")
        .row("different", input(&with_list(bare(), "gpuUuids", &gpus)), normal(json!({ "gpuUuids": gpus })))
        .row("all-dropped", input(&with_list(bare(), "gpuUuids", &["MIG-a65afc88"; 64])), bare())
}

fn too_long() -> Entry {
    let entry = refused(
        "claims/cap-257-octets",
        "A raw value of more than 256 octets refuses the request.",
        &[
            "/in/claims/productUuid",
            "/in/claims/productSerial",
            "/in/claims/boardSerial",
            "/in/claims/chassisSerial",
            "/in/claims/hostname",
            "/in/claims/permanentMacs/0",
            "/in/claims/gpuUuids/0",
        ],
        "one value has 257 or 258 octets, some of them blanks",
    )
    .why("Measured after trimming, a megabyte of blanks is a short value; cut, two long values are one.");
    let rows: [(&str, &str, String); 9] = [
        ("uuid-padded", "productUuid", format!("{:257}", "D2A64D56-0617-4363-9C0E-5A1B7E3F2A10")),
        ("product-serial", "productSerial", serial(257)),
        ("board-serial", "boardSerial", serial(257)),
        ("chassis-serial", "chassisSerial", serial(257)),
        ("hostname", "hostname", serial(257)),
        ("mac-padded", "permanentMacs", format!("{:257}", "94:DE:80:06:F8:D5")),
        ("gpu", "gpuUuids", serial(257)),
        ("blanks", "productSerial", " ".repeat(257)),
        ("octets-not-characters", "productSerial", "\u{e9}1".repeat(86)),
    ];
    rows.into_iter()
        .fold(entry, |entry, (name, member, raw)| entry.bad(name, input(&with(full(), member, raw))))
}

fn too_many_macs() -> Entry {
    let macs: Vec<String> = (0..65).map(mac).collect();
    refused(
        "claims/cap-65-macs",
        "More than 64 MACs refuse the request.",
        &["/in/claims/permanentMacs"],
        "65 entries",
    )
    .why("Without a cap one request makes the server sort and hash without end.")
    .bad("different", input(&with_list(full(), "permanentMacs", &macs)))
}

fn too_many_gpus() -> Entry {
    let gpus: Vec<String> = (0..65).map(gpu).collect();
    refused(
        "claims/cap-65-gpus",
        "More than 64 GPU UUIDs refuse the request.",
        &["/in/claims/gpuUuids"],
        "65 entries",
    )
    .why("Without a cap one request makes the server sort and hash without end.")
    .bad("different", input(&with_list(full(), "gpuUuids", &gpus)))
}

fn counted_as_sent() -> Entry {
    let entry = refused(
        "claims/cap-counted-as-sent",
        "Entries are counted as sent, also those that would be dropped or are equal.",
        &["/in/claims/permanentMacs", "/in/claims/gpuUuids"],
        "65 entries of which at most one would stay",
    )
    .why("A count after the set is made is no bound on the work.");
    let rows: [(&str, &str, &str); 6] = [
        ("equal-macs", "permanentMacs", "94:DE:80:06:F8:D5"),
        ("local-macs", "permanentMacs", "02:00:00:00:00:01"),
        ("empty-macs", "permanentMacs", ""),
        ("equal-gpus", "gpuUuids", "GPU-41255406-c9af-f94b-4ebf-9d57ad1853da"),
        ("slices", "gpuUuids", "MIG-a65afc88"),
        ("empty-gpus", "gpuUuids", ""),
    ];
    rows.iter().fold(entry, |entry, (name, member, raw)| {
        let many: Vec<&str> = vec![raw; 65];
        let claims: Value = with_list(full(), member, &many);
        entry.bad(name, input(&claims))
    })
}
