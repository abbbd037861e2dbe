//! GPU UUIDs: case, texts that need not be UUIDs, and slices of a GPU.

use serde_json::json;

use super::{OP, RECIPE, bare, good, input, normal, singles};
use crate::case::{Entry, accept};
use crate::testkit::claims::with_list;

const GPU: &str = "GPU-41255406-C9AF-F94B-4EBF-9D57AD1853DA";

pub(super) fn entries() -> Vec<Entry> {
    vec![kept(), slices(), whole_beside_slices(), one_card()]
}

fn kept() -> Entry {
    let entry = good(
        "claims/gpu-kept",
        "CLAIMS-4",
        "A GPU's value is kept as lower-case text; it need not be a UUID.",
    )
    .why("Vendors name their cards differently; only the slice prefix and placeholders drop a value.");
    singles(
        entry,
        "gpuUuids",
        &[
            ("upper", GPU.as_bytes(), Some("gpu-41255406-c9af-f94b-4ebf-9d57ad1853da")),
            (
                "no-prefix",
                b"41255406-C9AF-F94B-4EBF-9D57AD1853DA",
                Some("41255406-c9af-f94b-4ebf-9d57ad1853da"),
            ),
            ("bare-not-dashed", b"GPU-41255406C9AFF94B", Some("gpu-41255406c9aff94b")),
            ("other-vendor", b"0x5A1B7E3F2A10", Some("0x5a1b7e3f2a10")),
            ("padded", b"\0 GPU-41255406  C9AF \0", Some("gpu-41255406 c9af")),
            ("mig-inside", b"GPU-MIG-41255406", Some("gpu-mig-41255406")),
            ("mig-without-dash", b"MIG41255406", Some("mig41255406")),
        ],
    )
}

fn slices() -> Entry {
    let entry = good(
        "claims/gpu-slices-dropped",
        "CLAIMS-4",
        "A value that begins mig- is a slice, not hardware, and is dropped.",
    )
    .why("Slices are made and unmade by software; their form changed with a driver release.");
    singles(
        entry,
        "gpuUuids",
        &[
            ("new-form", b"MIG-a65afc88-4b1e-5d3c-9a77-10c2d3e4f506", None),
            ("old-form", b"MIG-GPU-2e4159a0-1b3c-47d8-8e6f-70a1b2c3d4e5/7/0", None),
            ("lower-case", b"mig-a65afc88-4b1e-5d3c-9a77-10c2d3e4f506", None),
            ("mixed-case", b"MiG-a65afc88", None),
            ("padded", b" \0MIG-a65afc88", None),
            ("prefix-alone", b"MIG-", None),
        ],
    )
}

fn whole_beside_slices() -> Entry {
    let sent =
        [GPU, "MIG-a65afc88-4b1e-5d3c-9a77-10c2d3e4f506", "MIG-GPU-41255406-C9AF-F94B-4EBF-9D57AD1853DA/7/0"];
    accept("claims/gpu-whole-beside-slices", "CLAIMS-4", "The card stays when its slices are dropped.")
        .why("A sliced card is still the machine's hardware.")
        .call(OP, input(&with_list(bare(), "gpuUuids", &sent)))
        .out(normal(json!({"gpuUuids": ["gpu-41255406-c9af-f94b-4ebf-9d57ad1853da"]})))
        .recipe(RECIPE)
}

fn one_card() -> Entry {
    let lower = GPU.to_ascii_lowercase();
    let sent = [GPU, "GPU-41255406-c9af-f94b-4ebf-9d57ad1853da", &lower];
    accept("claims/gpu-case-one", "CLAIMS-4", "Spellings that differ in case are one GPU.")
        .also("CLAIMS-6")
        .why("Driver and tool print the same value in different case.")
        .call(OP, input(&with_list(bare(), "gpuUuids", &sent)))
        .out(normal(json!({"gpuUuids": ["gpu-41255406-c9af-f94b-4ebf-9d57ad1853da"]})))
        .recipe(RECIPE)
}
