//! The text rule on what it accepts: trimming, folding, case, other alphabets, and what counts as absent.

use serde_json::json;

use super::{FULL, OP, RECIPE, bare, good, input, normal, texts};
use crate::case::{Entry, accept};
use crate::testkit::claims::{full, with};
use crate::testkit::request::claims;

const MEMBERS: [&str; 7] =
    ["productUuid", "productSerial", "boardSerial", "chassisSerial", "hostname", "permanentMacs", "gpuUuids"];

pub(super) fn entries() -> Vec<Entry> {
    vec![full_set(), trimmed(), runs(), lower_case(), non_ascii(), not_white(), empty(), every_member()]
}

fn full_set() -> Entry {
    accept(FULL, "CLAIMS-1", "A machine that claims everything keeps everything, normalized.")
        .why("The accepted twin of every refusal of claims.")
        .call(OP, input(&full()))
        .out(json!({
            "productUuid": "d2a64d56-0617-4363-9c0e-5a1b7e3f2a10",
            "productSerial": "sn-7701",
            "boardSerial": "cn7220036h04qb",
            "chassisSerial": "ch-3301",
            "hostname": "node-17",
            "permanentMacs": ["3c:ec:ef:12:34:56", "94:de:80:06:f8:d5"],
            "gpuUuids": [
                "gpu-2e4159a0-1b3c-47d8-8e6f-70a1b2c3d4e5",
                "gpu-41255406-c9af-f94b-4ebf-9d57ad1853da",
            ],
        }))
        .recipe(RECIPE)
}

fn trimmed() -> Entry {
    let entry = good("claims/text-trimmed", "CLAIMS-1", "NUL and ASCII white space go at both ends.")
        .why("Firmware pads its strings with blanks or NUL; a padded serial and a bare one are one machine.");
    texts(
        entry,
        "productSerial",
        &[
            ("blank-before", b" SN-1", Some("sn-1")),
            ("blanks-after", b"SN-1   ", Some("sn-1")),
            ("tab", b"\tSN-1\t", Some("sn-1")),
            ("line-feed", b"SN-1\n", Some("sn-1")),
            ("carriage-return-line-feed", b"SN-1\r\n", Some("sn-1")),
            ("vertical-tab", b"\x0bSN-1\x0b", Some("sn-1")),
            ("form-feed", b"\x0cSN-1\x0c", Some("sn-1")),
            ("nul-after", b"SN-1\0", Some("sn-1")),
            ("nuls-to-the-end-of-the-field", b"SN-1\0\0\0\0\0\0\0\0\0\0\0\0", Some("sn-1")),
            ("nul-before", b"\0SN-1", Some("sn-1")),
            ("nul-and-blank-in-turns", b"\0 \0\tSN-1\0 \0\n", Some("sn-1")),
        ],
    )
}

fn runs() -> Entry {
    let entry =
        good("claims/text-inner-runs", "CLAIMS-1", "Each inner run of ASCII white space becomes one blank.")
            .why("Tools print the same field with one blank or with several.");
    texts(
        entry,
        "boardSerial",
        &[
            ("one-blank", b"SN 1", Some("sn 1")),
            ("two-blanks", b"SN  1", Some("sn 1")),
            ("tab", b"SN\t1", Some("sn 1")),
            ("line-feed", b"SN\n1", Some("sn 1")),
            ("vertical-tab", b"SN\x0b1", Some("sn 1")),
            ("form-feed", b"SN\x0c1", Some("sn 1")),
            ("all-of-them", b"SN \t\n\x0b\x0c\r 1", Some("sn 1")),
            ("two-runs", b"A  B\t\tC", Some("a b c")),
        ],
    )
}

fn lower_case() -> Entry {
    let entry = good(
        "claims/text-lower-case",
        "CLAIMS-1",
        "ASCII letters become lower case, their neighbours do not.",
    )
    .why("Setting bit 0x20 of every octet would turn @ into a grave accent and [ into a brace.");
    texts(
        entry,
        "chassisSerial",
        &[
            ("letters", b"SN-ABCxyzQRS", Some("sn-abcxyzqrs")),
            ("neighbours", b"@AZ[\\]^_`az{|}~", Some("@az[\\]^_`az{|}~")),
            ("slashes", b"/5Q4Q7Y1/CN7220036H04QB/", Some("/5q4q7y1/cn7220036h04qb/")),
        ],
    )
}

fn non_ascii() -> Entry {
    let entry = good("claims/text-non-ascii-kept", "CLAIMS-1", "Other characters are kept octet for octet.")
        .why("Unicode tables differ between languages and versions; two sides would disagree.");
    texts(
        entry,
        "productSerial",
        &[
            ("upper-case-umlauts", "ÄÖÜ-7701".as_bytes(), Some("ÄÖÜ-7701")),
            ("dotted-capital-i", "SN-\u{130}1".as_bytes(), Some("sn-\u{130}1")),
            ("kelvin-sign", "SN-\u{212a}1".as_bytes(), Some("sn-\u{212a}1")),
            ("full-width-letter", "SN-\u{ff21}1".as_bytes(), Some("sn-\u{ff21}1")),
            ("cyrillic", "СЕРИЯ-7".as_bytes(), Some("СЕРИЯ-7")),
            ("composed", "\u{e9}-1".as_bytes(), Some("\u{e9}-1")),
            ("decomposed", "e\u{301}-1".as_bytes(), Some("e\u{301}-1")),
            ("four-octets", "SN-\u{1f5a5}1".as_bytes(), Some("sn-\u{1f5a5}1")),
            ("last-character", "SN-\u{10ffff}1".as_bytes(), Some("sn-\u{10ffff}1")),
        ],
    )
}

fn not_white() -> Entry {
    let entry = good(
        "claims/text-other-blanks-kept",
        "CLAIMS-1",
        "Blanks outside ASCII are neither trimmed nor folded.",
    )
    .why("A library's own trim takes more than six characters, and each library takes others.");
    texts(
        entry,
        "productSerial",
        &[
            ("no-break-space-at-the-end", "SN-1\u{a0}".as_bytes(), Some("sn-1\u{a0}")),
            ("no-break-space-inside", "SN\u{a0}\u{a0}1".as_bytes(), Some("sn\u{a0}\u{a0}1")),
            ("ideographic-space", "\u{3000}SN-1".as_bytes(), Some("\u{3000}sn-1")),
            ("line-separator", "SN-1\u{2028}".as_bytes(), Some("sn-1\u{2028}")),
            ("zero-width-space", "SN-1\u{200b}".as_bytes(), Some("sn-1\u{200b}")),
            ("byte-order-mark", "\u{feff}SN-1".as_bytes(), Some("\u{feff}sn-1")),
        ],
    )
}

fn empty() -> Entry {
    let entry = good("claims/text-empty-absent", "CLAIMS-1", "What is empty after trimming is absent.")
        .why("A tool without permission answers an empty text; kept, all such machines share it.");
    let raws: [(&str, &[u8]); 5] = [
        ("empty", b""),
        ("blank", b" "),
        ("twenty-two-blanks", b"                      "),
        ("nul", b"\0"),
        ("mixed", b"\0 \t\r\n\0"),
    ];
    MEMBERS.iter().fold(entry, |entry, member| {
        raws.iter().fold(entry, |entry, (name, raw)| {
            entry.row(&format!("{member}-{name}"), input(&with(bare(), member, raw)), bare())
        })
    })
}

fn every_member() -> Entry {
    let padded = claims(json!({
        "productUuid": " D2A64D56-0617-4363-9C0E-5A1B7E3F2A10\0",
        "productSerial": "\0SN  7701 ",
        "boardSerial": "\tCN7220036H04QB\n",
        "chassisSerial": "CH\t3301\0\0",
        "hostname": " Rack 7\u{b}Node-17\0",
        "permanentMacs": [" 94:DE:80:06:F8:D5\0"],
        "gpuUuids": ["\0GPU-41255406-C9AF-F94B-4EBF-9D57AD1853DA "],
    }));
    accept(
        "claims/text-every-member",
        "CLAIMS-1",
        "The text rule comes first for every member, lists and hostname too.",
    )
    .why("A padded UUID or MAC that fails to parse would silently leave the machine with a smaller identity.")
    .call(OP, input(&padded))
    .out(normal(json!({
        "productUuid": "d2a64d56-0617-4363-9c0e-5a1b7e3f2a10",
        "productSerial": "sn 7701",
        "boardSerial": "cn7220036h04qb",
        "chassisSerial": "ch 3301",
        "hostname": "rack 7 node-17",
        "permanentMacs": ["94:de:80:06:f8:d5"],
        "gpuUuids": ["gpu-41255406-c9af-f94b-4ebf-9d57ad1853da"],
    })))
    .recipe(RECIPE)
}
