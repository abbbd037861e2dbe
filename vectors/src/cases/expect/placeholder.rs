//! A placeholder never matches, also when the row holds the same one.

use serde_json::json;

use super::{bad, input};
use crate::case::Entry;

pub(super) fn entries() -> Vec<Entry> {
    vec![uuids(), serials(), macs(), gpus(), unparsable()]
}

fn uuids() -> Entry {
    let entry =
        bad("expect/placeholder-uuid", "EXPECT-2", "A placeholder UUID never matches, not even itself.")
            .documented()
            .why("A token pinned to zeros would fit every board that was never filled in.")
            .twin(
                "expect/uuid#same",
                &["/in/expect/productUuid", "/in/claims/productUuid"],
                "both are one placeholder",
            );
    let uuids = [
        "00000000-0000-0000-0000-000000000000",
        "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
        "33333333-3333-3333-3333-333333333333",
        "03000200-0400-0500-0006-000700080009",
        "00020003-0004-0005-0006-000700080009",
        "00000000-0000-0000-0000-3CECEF123456",
        "8A95D198-7F46-11E5-BF8B-08002704D48E",
        "98D1958A-467F-E511-BF8B-08002704D48E",
    ];
    uuids.iter().fold(entry, |entry, uuid| {
        let call = input(json!({ "productUuid": uuid }), json!({ "productUuid": uuid }));
        entry.bad(&uuid.to_ascii_lowercase(), call)
    })
}

fn serials() -> Entry {
    let both =
        |text: &str| input(json!({ "serial": text }), json!({"productSerial": text, "boardSerial": text}));
    bad("expect/placeholder-serial", "EXPECT-2", "A placeholder serial never matches, not even itself.")
        .why("Two of the three serials of a board are often defaults.")
        .twin("expect/serial#product-alone", &["/in/expect/serial", "/in/claims"], "both are one placeholder")
        .bad("default-string", both("Default string"))
        .bad("to-be-filled", both("To Be Filled By O.E.M."))
        .bad("system-serial-number", both("System Serial Number"))
        .bad("none", both("None"))
        .bad("number", both("0123456789"))
        .bad("repeated", both("0000000"))
        .bad("one-character", both("x"))
        .bad(
            "spelled-differently",
            input(json!({"serial": "Default_string"}), json!({"productSerial": "default string"})),
        )
}

fn macs() -> Entry {
    let both = |mac: &str| input(json!({ "mac": mac }), json!({ "permanentMacs": [mac] }));
    bad("expect/mac-not-global", "EXPECT-2", "A MAC that is dropped never matches, not even itself.")
        .documented()
        .also("CLAIMS-3")
        .why("Any machine can set a local address; shared ones are no machine's.")
        .twin(
            "expect/mac-spellings#colons-colons",
            &["/in/expect/mac", "/in/claims/permanentMacs/0"],
            "both are one address that is dropped",
        )
        .bad("local", both("02:00:00:00:00:01"))
        .bad("local-quads", both("aabb.ccdd.eeff"))
        .bad("virtual-function", both("ae:91:f5:91:c3:7c"))
        .bad("group", both("01:00:5e:00:00:01"))
        .bad("broadcast", both("ff:ff:ff:ff:ff:ff"))
        .bad("zero", both("00:00:00:00:00:00"))
        .bad("equal-octets", both("44:44:44:44:44:44"))
        .bad("listed", both("00:0b:ca:fe:00:00"))
        .bad("listed-prefix", both("00:50:56:c0:00:08"))
}

fn gpus() -> Entry {
    let both = |gpu: &str| input(json!({ "gpuUuid": gpu }), json!({ "gpuUuids": [gpu] }));
    bad(
        "expect/gpu-slice-or-placeholder",
        "EXPECT-2",
        "A slice or a placeholder GPU never matches, not even itself.",
    )
    .also("CLAIMS-4")
    .why("A slice is made by software on any card of the kind.")
    .twin("expect/gpu#pin-lower", &["/in/expect/gpuUuid", "/in/claims"], "both are one value that is dropped")
    .bad("slice", both("MIG-a65afc88-4b1e-5d3c-9a77-10c2d3e4f506"))
    .bad("slice-old-form", both("MIG-GPU-2e4159a0-1b3c-47d8-8e6f-70a1b2c3d4e5/7/0"))
    .bad("zero", both("GPU-00000000-0000-0000-0000-000000000000"))
    .bad("text", both("GPU-N/A"))
    .bad("prefix-alone", both("GPU-"))
}

fn unparsable() -> Entry {
    let both = |uuid: &str| input(json!({ "productUuid": uuid }), json!({ "productUuid": uuid }));
    bad("expect/uuid-unparsable", "EXPECT-2", "A UUID that does not parse never matches, not even itself.")
        .also("CLAIMS-2")
        .why("Such a claim is absent; compared as text it would match where the spelling happens to agree.")
        .twin(
            "expect/uuid#same",
            &["/in/expect/productUuid", "/in/claims/productUuid"],
            "both are one text that is no UUID",
        )
        .bad("braces", both("{643a9db6-8c89-e111-bba0-8ccb39332b00}"))
        .bad("urn", both("urn:uuid:643a9db6-8c89-e111-bba0-8ccb39332b00"))
        .bad("31-digits", both("643a9db6-8c89-e111-bba0-8ccb39332b0"))
        .bad("not-settable", both("Not Settable"))
}
