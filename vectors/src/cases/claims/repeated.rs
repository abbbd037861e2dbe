//! The rule about one repeated character, at its edges.

use super::{good, singles, texts};
use crate::case::Entry;

pub(super) fn entries() -> Vec<Entry> {
    vec![serials(), not_serials(), not_uuids(), gpus()]
}

fn serials() -> Entry {
    let entry = good(
        "claims/repeated-serials",
        "CLAIMS-5",
        "A serial of one repeated character is dropped, a single character included.",
    )
    .why("Fields are filled with zeros, ones, dashes or letters of any length; no list has them all.");
    texts(
        entry,
        "productSerial",
        &[
            ("one-character", b"7", None),
            ("one-letter", b"x", None),
            ("two", b"77", None),
            ("ones", b"11111111111111111111", None),
            ("case-differs", b"xXxXX", None),
            ("dashes", b"--------", None),
            ("dots", b"....", None),
            ("stars", b"****", None),
            ("padded", b" 9999\0\0", None),
            ("two-octets-a-character", "\u{e9}\u{e9}\u{e9}".as_bytes(), None),
            ("one-character-of-two-octets", "\u{e9}".as_bytes(), None),
            ("four-octets-a-character", "\u{1f5a5}\u{1f5a5}".as_bytes(), None),
            ("256-octets", &[b'7'; 256], None),
        ],
    )
}

fn not_serials() -> Entry {
    let entry =
        good("claims/repeated-not-serials", "CLAIMS-5", "A serial in which anything differs is kept.")
            .why("The rule is about the whole value; blanks and dots inside count as characters for it.");
    texts(
        entry,
        "boardSerial",
        &[
            ("last-differs", b"7777777778", Some("7777777778")),
            ("first-differs", b"x7777777", Some("x7777777")),
            ("middle-differs", b"7777-7777", Some("7777-7777")),
            ("two-in-turns", b"0101", Some("0101")),
            ("blanks-between", b"7 7 7", Some("7 7 7")),
            ("dots-between", b"7.7.7", Some("7.7.7")),
            ("combining", "e\u{301}e\u{301}".as_bytes(), Some("e\u{301}e\u{301}")),
            ("case-of-other-alphabets", "\u{c9}\u{e9}".as_bytes(), Some("\u{c9}\u{e9}")),
            ("same-first-octet", "\u{e9}\u{e8}".as_bytes(), Some("\u{e9}\u{e8}")),
        ],
    )
}

fn not_uuids() -> Entry {
    let entry = good("claims/repeated-not-uuids", "CLAIMS-5", "A UUID in which one digit differs is kept.")
        .why("The rule looks at the 32 digits, not at the octets or at the dashes.");
    texts(
        entry,
        "productUuid",
        &[
            (
                "last-differs",
                b"33333333-3333-3333-3333-333333333334",
                Some("33333333-3333-3333-3333-333333333334"),
            ),
            (
                "first-differs",
                b"43333333-3333-3333-3333-333333333333",
                Some("43333333-3333-3333-3333-333333333333"),
            ),
            (
                "repeated-octet",
                b"34343434-3434-3434-3434-343434343434",
                Some("34343434-3434-3434-3434-343434343434"),
            ),
            (
                "ones-but-one",
                b"ffffffff-ffff-ffff-ffff-fffffffffffe",
                Some("ffffffff-ffff-ffff-ffff-fffffffffffe"),
            ),
        ],
    )
}

fn gpus() -> Entry {
    let entry =
        good("claims/repeated-gpus", "CLAIMS-5", "A GPU's value is tested for repetition without its gpu-.")
            .why("With the prefix counted in, no GPU value would ever be one repeated character.");
    singles(
        entry,
        "gpuUuids",
        &[
            ("zeros", b"GPU-00000", None),
            ("one", b"GPU-7", None),
            ("no-prefix", b"7777", None),
            ("uuid", b"GPU-33333333-3333-3333-3333-333333333333", None),
            ("last-differs", b"GPU-77778", Some("gpu-77778")),
            (
                "uuid-last-differs",
                b"GPU-33333333-3333-3333-3333-333333333334",
                Some("gpu-33333333-3333-3333-3333-333333333334"),
            ),
        ],
    )
}
