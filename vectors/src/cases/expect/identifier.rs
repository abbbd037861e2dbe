//! Each identifier by itself: what it matches, in which spellings, and what it does not.

use serde_json::{Value, json};

use super::{bad, good, input, of_full, yes};
use crate::case::Entry;

pub(super) fn entries() -> Vec<Entry> {
    vec![
        uuid(),
        serial(),
        mac(),
        gpu(),
        mac_spellings(),
        other_spellings(),
        other_uuid(),
        other_serial(),
        other_mac(),
        other_gpu(),
        absent(),
        hostname(),
        crossed(),
    ]
}

fn uuid() -> Entry {
    let entry =
        good("expect/uuid", "EXPECT-2", "productUuid is compared in lower case and dashed, on both sides.")
            .documented()
            .why("The operator copies the UUID from a tool that prints it in another case than the daemon.");
    let claimed = json!({"productUuid": "643A9DB6-8C89-E111-BBA0-8CCB39332B00"});
    let claimed_lower = json!({"productUuid": "643a9db6-8c89-e111-bba0-8ccb39332b00"});
    let entry = yes(entry, "same", input(claimed.clone(), claimed.clone()));
    let entry = yes(entry, "pin-lower", input(claimed_lower.clone(), claimed.clone()));
    yes(entry, "claim-lower", input(claimed, claimed_lower))
}

fn serial() -> Entry {
    let entry =
        good("expect/serial", "EXPECT-2", "serial matches the product, board or chassis serial in any case.")
            .documented()
            .why("Which of the three is on the label differs between vendors.");
    let entry = yes(entry, "product", of_full(json!({"serial": "sn-7701"})));
    let entry = yes(entry, "board", of_full(json!({"serial": "cn7220036h04qb"})));
    let entry = yes(entry, "chassis", of_full(json!({"serial": "Ch-3301"})));
    let entry =
        yes(entry, "product-alone", input(json!({"serial": "SN-7701"}), json!({"productSerial": "sn-7701"})));
    let entry =
        yes(entry, "board-alone", input(json!({"serial": "SN-7701"}), json!({"boardSerial": "sn-7701"})));
    yes(entry, "chassis-alone", input(json!({"serial": "sn-7701"}), json!({"chassisSerial": "SN-7701"})))
}

fn mac() -> Entry {
    let entry = good(
        "expect/mac",
        "EXPECT-2",
        "mac matches any of the permanent, globally administered MACs claimed.",
    )
    .documented()
    .why("The port on the label is not the first that the kernel finds.");
    let entry = yes(entry, "first", of_full(json!({"mac": "94:DE:80:06:F8:D5"})));
    let entry = yes(entry, "last", of_full(json!({"mac": "3C-EC-EF-12-34-56"})));
    let macs = json!({"permanentMacs": ["02:00:00:00:00:01", "00:1b:21:aa:00:02", "94:de:80:06:f8:d5"]});
    yes(entry, "beside-a-local-one", input(json!({"mac": "94:de:80:06:f8:d5"}), macs))
}

fn gpu() -> Entry {
    let entry = good("expect/gpu", "EXPECT-2", "gpuUuid matches any of the GPUs claimed, in any case.")
        .documented()
        .why("Driver and tool print the same value in different case.");
    let upper = "GPU-41255406-C9AF-F94B-4EBF-9D57AD1853DA";
    let entry = yes(entry, "pin-upper", of_full(json!({ "gpuUuid": upper })));
    let entry = yes(entry, "pin-lower", of_full(json!({"gpuUuid": upper.to_ascii_lowercase()})));
    yes(entry, "last", of_full(json!({"gpuUuid": "gpu-2e4159a0-1b3c-47d8-8e6f-70a1b2c3d4e5"})))
}

fn mac_spellings() -> Entry {
    let spellings = [
        ("colons", "3c:ec:ef:12:34:56"),
        ("colons-upper", "3C:EC:EF:12:34:56"),
        ("dashes", "3C-EC-EF-12-34-56"),
        ("quads", "3cec.ef12.3456"),
        ("bare", "3CECEF123456"),
    ];
    let entry = good(
        "expect/mac-spellings",
        "EXPECT-2",
        "Separators and case of a MAC do not matter, on either side.",
    )
    .documented()
    .why("Rows and claims that kept their spelling did not find each other.");
    spellings.iter().fold(entry, |entry, (pin, pinned)| {
        spellings.iter().fold(entry, |entry, (claim, claimed)| {
            let call = input(json!({ "mac": pinned }), json!({ "permanentMacs": [claimed] }));
            yes(entry, &format!("{pin}-{claim}"), call)
        })
    })
}

fn other_spellings() -> Entry {
    let entry = good(
        "expect/both-sides-normalized",
        "EXPECT-1",
        "Padding, inner runs and bare UUIDs do not matter, on either side.",
    )
    .why("A pin is typed or pasted; a claim is padded by firmware.");
    let serial = |pin: &str, claim: &str| input(json!({ "serial": pin }), json!({ "productSerial": claim }));
    let entry = yes(entry, "pin-blank-after", serial("5q4q7y1 ", "5Q4Q7Y1"));
    let entry = yes(entry, "claim-nul-after", serial("5q4q7y1", " 5Q4Q7Y1\0"));
    let entry = yes(entry, "inner-run", serial("SN  77\t01", "sn 77 01"));
    let entry = yes(entry, "not-ascii", serial("ÄÖÜ-77A", "ÄÖÜ-77a"));
    let dashed = json!({"productUuid": "643A9DB6-8C89-E111-BBA0-8CCB39332B00"});
    let bare = json!({"productUuid": "643a9db68c89e111bba08ccb39332b00"});
    let entry = yes(entry, "pin-bare-uuid", input(bare.clone(), dashed.clone()));
    let entry = yes(entry, "claim-bare-uuid", input(dashed, bare));
    let gpu = input(json!({"gpuUuid": " GPU-77A "}), json!({"gpuUuids": ["gpu-77a\0"]}));
    yes(entry, "gpu-padded", gpu)
}

fn other_uuid() -> Entry {
    let row = |entry: Entry, name: &str, uuid: &str| entry.bad(name, of_full(json!({ "productUuid": uuid })));
    let entry = bad("expect/uuid-differs", "EXPECT-2", "Another product UUID does not match.")
        .documented()
        .why("The token reached another machine.")
        .twin("expect/uuid-of-full", &["/in/expect/productUuid"], "another UUID");
    let entry = row(entry, "last-digit", "d2a64d56-0617-4363-9c0e-5a1b7e3f2a11");
    let entry = row(entry, "first-digit", "e2a64d56-0617-4363-9c0e-5a1b7e3f2a10");
    row(entry, "unrelated", "643a9db6-8c89-e111-bba0-8ccb39332b00")
}

fn other_serial() -> Entry {
    bad("expect/serial-differs", "EXPECT-2", "A serial that is none of the three does not match.")
        .documented()
        .why("The token reached another machine.")
        .twin("expect/serial#product", &["/in/expect/serial"], "another serial")
        .bad("last-character", of_full(json!({"serial": "SN-7702"})))
        .bad("unrelated", of_full(json!({"serial": "5Q4Q7Y1"})))
}

fn other_mac() -> Entry {
    bad("expect/mac-differs", "EXPECT-2", "A MAC that is not claimed does not match.")
        .documented()
        .why("The token reached another machine.")
        .twin("expect/mac#first", &["/in/expect/mac"], "another MAC")
        .bad("last-digit", of_full(json!({"mac": "94:DE:80:06:F8:D4"})))
        .bad("reversed", of_full(json!({"mac": "D4:F8:06:80:DE:94"})))
        .bad("unrelated", of_full(json!({"mac": "00:1b:21:aa:00:02"})))
}

fn other_gpu() -> Entry {
    bad("expect/gpu-differs", "EXPECT-2", "A GPU that is not claimed does not match.")
        .documented()
        .why("The token reached another machine, or the card went into one.")
        .twin("expect/gpu#pin-lower", &["/in/expect/gpuUuid"], "another GPU")
        .bad("last-digit", of_full(json!({"gpuUuid": "gpu-41255406-c9af-f94b-4ebf-9d57ad1853db"})))
        .bad("unrelated", of_full(json!({"gpuUuid": "gpu-00aa1122-c9af-f94b-4ebf-9d57ad1853da"})))
}

fn absent() -> Entry {
    let others = || {
        json!({
            "productUuid": "D2A64D56-0617-4363-9C0E-5A1B7E3F2A10",
            "boardSerial": "CN7220036H04QB",
            "permanentMacs": ["94:DE:80:06:F8:D5"],
            "gpuUuids": ["GPU-41255406-c9af-f94b-4ebf-9d57ad1853da"],
        })
    };
    let without = |member: &str| {
        let mut plain = others();
        plain[member] = if member.ends_with('s') { json!([]) } else { json!("") };
        plain
    };
    bad("expect/absent-claim", "EXPECT-1", "An identifier that the machine does not claim matches nothing.")
        .documented()
        .why("A comparison that skips what is missing pins a token to every machine that stays silent.")
        .twin(super::FULL, &["/in/claims", "/in/expect"], "the one identifier that is named is not claimed")
        .bad(
            "uuid",
            input(json!({"productUuid": "D2A64D56-0617-4363-9C0E-5A1B7E3F2A10"}), without("productUuid")),
        )
        .bad("serial", input(json!({"serial": "CN7220036H04QB"}), without("boardSerial")))
        .bad("mac", input(json!({"mac": "94:DE:80:06:F8:D5"}), without("permanentMacs")))
        .bad(
            "gpu",
            input(json!({"gpuUuid": "GPU-41255406-c9af-f94b-4ebf-9d57ad1853da"}), without("gpuUuids")),
        )
        .bad("no-claims", input(json!({"serial": "CN7220036H04QB"}), json!({})))
}

fn hostname() -> Entry {
    bad("expect/hostname-never", "EXPECT-2", "The hostname matches no identifier.")
        .why("Anyone sets it.")
        .twin(
            "expect/serial#product-alone",
            &["/in/expect", "/in/claims"],
            "the value stands in the hostname",
        )
        .bad("serial", input(json!({"serial": "SN-7701"}), json!({"hostname": "SN-7701"})))
        .bad("serial-beside-another", of_full(json!({"serial": "Node-17"})))
        .bad("gpu", input(json!({"gpuUuid": "gpu-77a"}), json!({"hostname": "gpu-77a"})))
}

/// Another member holds the value that is named.
fn crossed() -> Entry {
    let uuid = "d2a64d56-0617-4363-9c0e-5a1b7e3f2a10";
    let row = |entry: Entry, name: &str, expect: Value, claims: Value| entry.bad(name, input(expect, claims));
    let entry =
        bad("expect/other-member", "EXPECT-2", "A value matches only in the claim that its member names.")
            .why("One bag of all identifiers would let a machine answer with a field that it sets freely.")
            .twin(
                "expect/serial#product-alone",
                &["/in/expect", "/in/claims"],
                "the value stands in another kind of claim",
            );
    let entry = row(entry, "serial-in-the-uuid", json!({ "serial": uuid }), json!({ "productUuid": uuid }));
    let entry =
        row(entry, "uuid-in-the-serial", json!({ "productUuid": uuid }), json!({ "productSerial": uuid }));
    let entry =
        row(entry, "gpu-in-the-serial", json!({"gpuUuid": "gpu-77a"}), json!({"productSerial": "gpu-77a"}));
    let entry =
        row(entry, "serial-in-the-gpu", json!({"serial": "gpu-77a"}), json!({"gpuUuids": ["gpu-77a"]}));
    let mac = "3c:ec:ef:12:34:56";
    let entry = row(entry, "serial-in-the-mac", json!({ "serial": mac }), json!({ "permanentMacs": [mac] }));
    let entry = row(entry, "mac-in-the-serial", json!({ "mac": mac }), json!({ "productSerial": mac }));
    row(entry, "uuid-in-the-gpu", json!({ "productUuid": uuid }), json!({ "gpuUuids": [uuid] }))
}
