//! Equality of whole values: no substrings, nothing stripped, no byte order tried.

use serde_json::json;

use super::{bad, good, input, yes};
use crate::case::Entry;

pub(super) fn entries() -> Vec<Entry> {
    vec![slashes(), substrings(), stripped(), swapped(), gpu_prefix(), mac_cut()]
}

fn slashes() -> Entry {
    let entry =
        good("expect/slashes", "EXPECT-2", "A serial wrapped in slashes matches when it is named with them.")
            .why("Some vendors write tag and board number into one field, between slashes.");
    yes(
        entry,
        "as-claimed",
        input(
            json!({"serial": "/5q4q7y1/cn7220036h04qb/"}),
            json!({"boardSerial": "/5Q4Q7Y1/CN7220036H04QB/"}),
        ),
    )
}

fn substrings() -> Entry {
    let serial = |pin: &str, claim: &str| input(json!({ "serial": pin }), json!({ "productSerial": claim }));
    bad(
        "expect/serial-no-substring",
        "EXPECT-2",
        "A serial that contains the other, or begins or ends with it, does not match.",
    )
    .why("SN-7701 was taken for SN-77010.")
    .twin(
        "expect/serial#product-alone",
        &["/in/expect/serial", "/in/claims/productSerial"],
        "one of the two is longer",
    )
    .bad("claim-longer", serial("SN-7701", "SN-77010"))
    .bad("claim-longer-in-front", serial("SN-7701", "XSN-7701"))
    .bad("pin-longer", serial("SN-77010", "SN-7701"))
    .bad("pin-inside", serial("7701", "SN-7701"))
    .bad("claim-inside", serial("SN-7701 rack 4", "SN-7701"))
    .bad("one-character", serial("S", "SN-7701"))
}

fn stripped() -> Entry {
    let serial = |pin: &str, claim: &str| input(json!({ "serial": pin }), json!({ "boardSerial": claim }));
    bad(
        "expect/serial-not-stripped",
        "EXPECT-2",
        "Slashes, dashes, dots, blanks inside and leading zeros stay.",
    )
    .why("Each thing stripped makes two serials one.")
    .twin(
        "expect/serial#board-alone",
        &["/in/expect/serial", "/in/claims/boardSerial"],
        "the values differ in punctuation alone",
    )
    .bad("slashes", serial("SN-7701", "/SN-7701/"))
    .bad("part-between-slashes", serial("5Q4Q7Y1", "/5Q4Q7Y1/CN7220036H04QB/"))
    .bad("dash", serial("SN7701", "SN-7701"))
    .bad("dot", serial("CN1234.5", "CN12345"))
    .bad("underscore", serial("CN_1234", "CN1234"))
    .bad("blank", serial("SN 7701", "SN7701"))
    .bad("leading-zeros", serial("7701", "0007701"))
    .bad("no-break-space", serial("SN-7701", "SN-7701\u{a0}"))
    .bad("case-outside-ascii", serial("\u{c4}-7701", "\u{e4}-7701"))
}

fn swapped() -> Entry {
    let uuid = |pin: &str, claim: &str| input(json!({ "productUuid": pin }), json!({ "productUuid": claim }));
    let one = "643A9DB6-8C89-E111-BBA0-8CCB39332B00";
    let other = "B69D3A64-898C-11E1-BBA0-8CCB39332B00";
    bad("expect/uuid-swapped", "EXPECT-2", "A UUID in the other byte order does not match.")
        .also("CLAIMS-2")
        .why("Trying both orders makes two machines one; the operator copies the UUID that bcd doctor shows.")
        .twin(
            "expect/uuid#same",
            &["/in/claims/productUuid", "/in/expect/productUuid"],
            "the first three fields are reversed on one side",
        )
        .bad("claim-swapped", uuid(one, other))
        .bad("pin-swapped", uuid(other, one))
        .bad("one-field-swapped", uuid(one, "B69D3A64-8C89-E111-BBA0-8CCB39332B00"))
}

fn gpu_prefix() -> Entry {
    let gpu = |pin: &str, claim: &str| input(json!({ "gpuUuid": pin }), json!({ "gpuUuids": [claim] }));
    let whole = "GPU-41255406-C9AF-F94B-4EBF-9D57AD1853DA";
    let bare = "41255406-C9AF-F94B-4EBF-9D57AD1853DA";
    bad("expect/gpu-prefix-belongs", "EXPECT-2", "gpu- belongs to the value, and dashes stay.")
        .why("The value is text; only the test for placeholders leaves the prefix out.")
        .twin(
            "expect/gpu#pin-upper",
            &["/in/expect/gpuUuid", "/in/claims"],
            "one side lacks the prefix or the dashes",
        )
        .bad("pin-without", gpu(bare, whole))
        .bad("claim-without", gpu(whole, bare))
        .bad("dashes-missing", gpu(&whole.replace('-', ""), whole))
        .bad("beginning", gpu("GPU-41255406", whole))
}

fn mac_cut() -> Entry {
    let mac = |pin: &str, claim: &str| input(json!({ "mac": pin }), json!({ "permanentMacs": [claim] }));
    bad("expect/mac-not-cut", "EXPECT-2", "A longer address is not cut to a MAC, on either side.")
        .also("CLAIMS-3")
        .why("InfiniBand and EUI-64 addresses share octets with a MAC.")
        .twin(
            "expect/mac-spellings#colons-colons",
            &["/in/expect/mac", "/in/claims/permanentMacs/0"],
            "one side has more or fewer octets",
        )
        .bad(
            "claim-infiniband",
            mac("80:00:02:08:fe:80", "80:00:02:08:fe:80:00:00:00:00:00:00:ec:0d:9a:03:00:12:34:56"),
        )
        .bad("claim-eui-64", mac("3c:ec:ef:12:34:56", "3c:ec:ef:12:34:56:00:00"))
        .bad("claim-one-digit", mac("3c:ec:ef:12:34:05", "3c:ec:ef:12:34:5"))
        .bad("claim-mixed-separators", mac("3c:ec:ef:12:34:56", "3c:ec-ef:12-34:56"))
        .bad(
            "both-infiniband",
            mac(
                "80:00:02:08:fe:80:00:00:00:00:00:00:ec:0d:9a:03:00:12:34:56",
                "80:00:02:08:fe:80:00:00:00:00:00:00:ec:0d:9a:03:00:12:34:56",
            ),
        )
}
