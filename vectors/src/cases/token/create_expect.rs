//! The expect binding of a create request: at least one identifier, each normalized, none a placeholder.

use serde_json::{Value, json};

use super::create_limits::record;
use crate::case::{Entry, accept, reject};

const UUID: &str = "4c4c4544-0051-3410-8051-b5c04f375931";
const GPU: &str = "gpu-41255406-c9af-f94b-4ebf-9d57ad1853da";

pub(super) fn entries() -> Vec<Entry> {
    vec![
        good(),
        normalized(),
        nothing(),
        unknown(),
        value_type(),
        uuid(),
        uuid_placeholder(),
        serial(),
        serial_placeholder(),
        mac(),
        mac_listed(),
        mac_spelling(),
        gpu(),
        one_bad(),
    ]
}

fn pinned(expect: Value) -> Value {
    let mut out = record(3600, 1);
    (out["expect"], out["pinned"]) = (expect, true.into());
    out
}

fn with(expect: &Value) -> Value {
    json!({"request": {"ttlSeconds": 3600, "expect": expect}})
}

fn bound(entry: Entry, name: &str, given: &Value, kept: &Value) -> Entry {
    entry.row(name, with(given), pinned(kept.clone()))
}

fn good() -> Entry {
    let entry = accept("token/create-expect", "TOKEN-9", "A binding names one to four identifiers.")
        .why("pinned is what the event tells the owner: this token works on one machine.")
        .family("token.create")
        .recipe("A create request with ttlSeconds 3600 and the row's expect, in normal form.");
    let all = json!({"productUuid": UUID, "serial": "5q4q7y1", "mac": "3c:ec:ef:12:34:56", "gpuUuid": GPU});
    let one = |name: &str| json!({name: all[name]});
    let entry = ["productUuid", "serial", "mac", "gpuUuid"]
        .iter()
        .fold(entry, |entry, name| bound(entry, name, &one(name), &one(name)));
    bound(entry, "all", &all, &all)
}

fn normalized() -> Entry {
    let entry = accept("token/create-expect-normalized", "TOKEN-9", "The record holds the values as CLAIMS normalizes them.")
        .also("CLAIMS-2")
        .why("People copy identifiers from labels and tools; kept raw they would match no machine, or match by luck.")
        .family("token.create")
        .recipe("A create request with ttlSeconds 3600 and the row's expect, spelt as people spell it.");
    [
        ("uuid-upper-case", "productUuid", "4C4C4544-0051-3410-8051-B5C04F375931", UUID),
        ("uuid-bare", "productUuid", "4c4c4544005134108051b5c04f375931", UUID),
        ("serial-blanks", "serial", "  5Q4Q7Y1\n", "5q4q7y1"),
        ("serial-inner-blanks", "serial", "CN  7220036\tH04QB", "cn 7220036 h04qb"),
        ("serial-not-ascii", "serial", "\u{c4}B-1", "\u{c4}b-1"),
        ("mac-upper-case", "mac", "3C:EC:EF:12:34:56", "3c:ec:ef:12:34:56"),
        ("mac-dashes", "mac", "3C-EC-EF-12-34-56", "3c:ec:ef:12:34:56"),
        ("mac-dotted", "mac", "3cec.ef12.3456", "3c:ec:ef:12:34:56"),
        ("mac-bare", "mac", "3CECEF123456", "3c:ec:ef:12:34:56"),
        ("gpu-upper-case", "gpuUuid", "GPU-41255406-C9AF-F94B-4EBF-9D57AD1853DA", GPU),
    ]
    .iter()
    .fold(entry, |entry, (row, member, given, kept)| {
        bound(entry, row, &json!({*member: given}), &json!({*member: kept}))
    })
}

/// A family of bindings beside the good one with a serial; the binding as a whole differs.
fn refused_whole(id: &str, title: &str, what: &str, rows: &[(&str, Value)]) -> Entry {
    let entry = reject(id, "TOKEN-9", "invalid-argument", title)
        .family("token.create")
        .twin("token/create-expect#serial", &["/in/request/expect"], what)
        .recipe("A create request with ttlSeconds 3600 and the row's expect.");
    rows.iter().fold(entry, |entry, (name, expect)| entry.bad(name, with(expect)))
}

/// A family of bindings that name one identifier, each with a value that does not survive.
fn refused(id: &str, member: &str, title: &str, rows: &[(&str, &str)]) -> Entry {
    let place = format!("/in/request/expect/{member}");
    let entry = reject(id, "TOKEN-9", "invalid-argument", title)
        .family("token.create")
        .twin(&format!("token/create-expect#{member}"), &[&place], "the value is one that does not survive")
        .recipe(&format!("A create request with ttlSeconds 3600 and an expect of the row's {member}."));
    rows.iter().fold(entry, |entry, (name, value)| entry.bad(name, with(&json!({member: value}))))
}

fn nothing() -> Entry {
    refused_whole(
        "token/create-expect-nothing",
        "A binding that is present and names nothing is refused.",
        "the binding is empty, null or no object",
        &[
            ("empty", json!({})),
            ("null", json!(null)),
            ("text", json!("5q4q7y1")),
            ("list", json!([])),
            ("list-of-bindings", json!([{"serial": "5q4q7y1"}])),
            ("false", json!(false)),
        ],
    )
    .why("A binding to nothing looks like one and lifts the placeholder rule; absence is the only way to have none.")
}

fn unknown() -> Entry {
    refused_whole(
        "token/create-expect-unknown",
        "A binding has no other members.",
        "a member that is not known is added, or stands alone",
        &[
            ("productSerial", json!({"productSerial": "5q4q7y1"})),
            ("macs", json!({"macs": ["3c:ec:ef:12:34:56"]})),
            ("hostname", json!({"hostname": "b7-u12"})),
            ("upper-case", json!({"Serial": "5q4q7y1"})),
            ("beside-a-known-one", json!({"serial": "5q4q7y1", "product_uuid": UUID})),
        ],
    )
    .why("An ignored member makes the binding weaker than what was asked for, without a word.")
}

fn value_type() -> Entry {
    refused_whole(
        "token/create-expect-value-type",
        "Each value is a text.",
        "the serial is another type",
        &[
            ("null", json!({"serial": null})),
            ("number", json!({"serial": 5477})),
            ("list", json!({"serial": ["5q4q7y1"]})),
            ("object", json!({"serial": {"equals": "5q4q7y1"}})),
            ("true", json!({"serial": true})),
        ],
    )
    .why("A null that counts as absent leaves a binding that names less, or nothing.")
}

fn uuid() -> Entry {
    refused(
        "token/create-expect-uuid-spelling",
        "productUuid",
        "A product UUID that does not parse binds nothing.",
        &[
            ("empty", ""),
            ("braces", "{4c4c4544-0051-3410-8051-b5c04f375931}"),
            ("urn", "urn:uuid:4c4c4544-0051-3410-8051-b5c04f375931"),
            ("31-digits", "4c4c4544-0051-3410-8051-b5c04f37593"),
            ("33-digits", "4c4c4544-0051-3410-8051-b5c04f3759311"),
            ("other-dashes", "4c4c45440051-3410-8051-b5c04f375931"),
            ("no-hex", "4c4c4544-0051-3410-8051-b5c04f37593g"),
            ("blank-inside", "4c4c4544 0051-3410-8051-b5c04f375931"),
        ],
    )
    .also("CLAIMS-2")
    .why("Among claims such a value is absent; in a binding it would never match, and the token would be dead.")
}

fn uuid_placeholder() -> Entry {
    refused(
        "token/create-expect-uuid-placeholder",
        "productUuid",
        "A placeholder UUID binds nothing.",
        &[
            ("zeros", "00000000-0000-0000-0000-000000000000"),
            ("zeros-bare", "00000000000000000000000000000000"),
            ("all-f-upper-case", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"),
            ("repeated-3", "33333333-3333-3333-3333-333333333333"),
            ("vendor-default", "03000200-0400-0500-0006-000700080009"),
            ("vendor-default-swapped", "00020003-0004-0005-0006-000700080009"),
            ("whole-board-series", "8a95d198-7f46-11e5-bf8b-08002704d48e"),
        ],
    )
    .also("CLAIMS-5")
    .why("One constant UUID stands in whole series of boards: the binding would match thousands of machines.")
}

fn serial() -> Entry {
    let long = "s".repeat(255) + "xy";
    refused(
        "token/create-expect-serial-text",
        "serial",
        "A serial that CLAIMS-1 refuses or empties binds nothing.",
        &[
            ("empty", ""),
            ("blanks", "   "),
            ("nul-alone", "\0"),
            ("nul-inside", "5q4q\u{0}7y1"),
            ("escape-inside", "5q4q\u{1b}7y1"),
            ("del", "5q4q7y1\u{7f}"),
            ("c1-control", "5q4q7y1\u{85}"),
            ("257-octets", &long),
        ],
    )
    .also("CLAIMS-1")
    .why("What would refuse a machine's whole request must not be waiting in a token's row.")
}

fn serial_placeholder() -> Entry {
    refused(
        "token/create-expect-serial-placeholder",
        "serial",
        "A placeholder serial binds nothing.",
        &[
            ("to-be-filled", "To Be Filled By O.E.M."),
            ("to-be-filled-spelling", "to be  filled by OEM"),
            ("default-string", "Default string"),
            ("system-serial-number", "System Serial Number"),
            ("zero", "0"),
            ("repeated-x", "XXXXXXXXXX"),
            ("counting", "0123456789"),
        ],
    )
    .also("CLAIMS-5")
    .why("Such a token joins every machine whose vendor left the field alone.")
}

fn mac() -> Entry {
    refused(
        "token/create-expect-mac-local",
        "mac",
        "Only a permanent, globally administered MAC binds.",
        &[
            ("local", "02:00:00:00:00:01"),
            ("local-of-a-container", "3e:ec:ef:12:34:56"),
            ("group", "3d:ec:ef:12:34:56"),
            ("zero", "00:00:00:00:00:00"),
            ("broadcast", "ff:ff:ff:ff:ff:ff"),
            ("six-equal-octets", "44:44:44:44:44:44"),
        ],
    )
    .also("CLAIMS-3")
    .why("A local address is made by software: anybody can have it, and it is gone after a reboot.")
}

fn mac_listed() -> Entry {
    refused(
        "token/create-expect-mac-listed",
        "mac",
        "A MAC of the placeholder list binds nothing.",
        &[
            ("vmware-host-network", "00:50:56:c0:00:08"),
            ("vmware-host-prefix", "00:50:56:C0:12:34"),
            ("dial-up-adapter", "20-41-53-59-4E-FF"),
            ("bluetooth-dongle", "001a.7dda.710a"),
        ],
    )
    .also("CLAIMS-5")
    .why("These look permanent and stand in many machines.")
}

fn mac_spelling() -> Entry {
    refused(
        "token/create-expect-mac-spelling",
        "mac",
        "A MAC that does not parse binds nothing; twenty octets are not cut to six.",
        &[
            ("empty", ""),
            ("infiniband-20-octets", "80:00:02:08:fe:80:00:00:00:00:00:00:3c:ec:ef:03:00:12:34:56"),
            ("eui-64", "3c:ec:ef:ff:fe:12:34:56"),
            ("five-octets", "3c:ec:ef:12:34"),
            ("mixed-separators", "3c:ec:ef-12-34-56"),
            ("one-digit-octet", "3c:ec:ef:2:34:56"),
            ("blanks", "3c ec ef 12 34 56"),
            ("no-hex", "3c:ec:ef:12:34:5g"),
        ],
    )
    .also("CLAIMS-3")
    .why("Cut to six octets every InfiniBand port of a vendor has one address.")
}

fn gpu() -> Entry {
    refused(
        "token/create-expect-gpu",
        "gpuUuid",
        "A slice of a GPU and a placeholder bind nothing.",
        &[
            ("empty", ""),
            ("mig", "MIG-a65afc88-9bdd-5fa3-b50c-8b3d9a3d2a48"),
            ("mig-of-a-gpu", "mig-gpu-41255406-c9af-f94b-4ebf-9d57ad1853da/1/0"),
            ("zeros", "GPU-00000000-0000-0000-0000-000000000000"),
            ("prefix-alone", "gpu-"),
            ("repeated", "gpu-xxxxxxxx"),
            ("text", "GPU-Default string"),
        ],
    )
    .also("CLAIMS-4")
    .also("CLAIMS-5")
    .why("A slice goes when the GPU is partitioned anew, and the token would fit no machine.")
}

fn one_bad() -> Entry {
    refused_whole(
        "token/create-expect-one-bad",
        "One value that does not survive refuses the whole binding.",
        "a second identifier is added whose value does not survive",
        &[
            (
                "zero-uuid",
                json!({"serial": "5q4q7y1", "productUuid": "00000000-0000-0000-0000-000000000000"}),
            ),
            ("local-mac", json!({"serial": "5q4q7y1", "mac": "02:00:00:00:00:01"})),
            ("mig", json!({"serial": "5q4q7y1", "gpuUuid": "mig-1"})),
            ("empty", json!({"serial": "5q4q7y1", "mac": ""})),
        ],
    )
    .why("Dropping the bad one quietly leaves a weaker binding than the operator asked for.")
}
