//! Product UUIDs: which spellings parse, and that no byte order is guessed.

use super::{good, texts};
use crate::case::Entry;

const KEPT: Option<&str> = Some("d2a64d56-0617-4363-9c0e-5a1b7e3f2a10");

pub(super) fn entries() -> Vec<Entry> {
    vec![
        accepted(),
        bare_digits(),
        other_frames(),
        wrong_digits(),
        wrong_dashes(),
        not_swapped(),
        not_a_uuid(),
    ]
}

fn accepted() -> Entry {
    let entry =
        good("claims/uuid-case", "CLAIMS-2", "A dashed UUID is read in any case and kept in lower case.")
            .documented()
            .why("The same firmware value is printed differently by each tool.");
    texts(
        entry,
        "productUuid",
        &[
            ("lower", b"d2a64d56-0617-4363-9c0e-5a1b7e3f2a10", KEPT),
            ("upper", b"D2A64D56-0617-4363-9C0E-5A1B7E3F2A10", KEPT),
            ("mixed", b"d2A64D56-0617-4363-9c0E-5a1B7E3f2A10", KEPT),
        ],
    )
}

fn bare_digits() -> Entry {
    let entry = good(
        "claims/uuid-spellings",
        "CLAIMS-2",
        "A UUID is read bare, padded and of any version, and kept dashed.",
    )
    .why("Firmware sets the version digit as it likes; a parser that looks at it loses machines.");
    texts(
        entry,
        "productUuid",
        &[
            ("bare-lower", b"d2a64d56061743639c0e5a1b7e3f2a10", KEPT),
            ("bare-upper", b"D2A64D56061743639C0E5A1B7E3F2A10", KEPT),
            ("padded", b" D2A64D56-0617-4363-9C0E-5A1B7E3F2A10\0\n", KEPT),
            (
                "no-version",
                b"d2a64d56-0617-0363-1c0e-5a1b7e3f2a10",
                Some("d2a64d56-0617-0363-1c0e-5a1b7e3f2a10"),
            ),
        ],
    )
}

fn other_frames() -> Entry {
    let entry = good(
        "claims/uuid-frames-absent",
        "CLAIMS-2",
        "A UUID in braces, as a URN or with a prefix does not parse and is absent.",
    )
    .why(
        "UUID libraries take these forms, each a different set; what does not parse is absent, not an error.",
    );
    texts(
        entry,
        "productUuid",
        &[
            ("braces", b"{D2A64D56-0617-4363-9C0E-5A1B7E3F2A10}", None),
            ("braces-bare", b"{d2a64d56061743639c0e5a1b7e3f2a10}", None),
            ("one-brace", b"{d2a64d56-0617-4363-9c0e-5a1b7e3f2a10", None),
            ("parentheses", b"(d2a64d56-0617-4363-9c0e-5a1b7e3f2a10)", None),
            ("urn", b"urn:uuid:d2a64d56-0617-4363-9c0e-5a1b7e3f2a10", None),
            ("urn-upper", b"URN:UUID:D2A64D56-0617-4363-9C0E-5A1B7E3F2A10", None),
            ("0x", b"0xd2a64d56061743639c0e5a1b7e3f2a10", None),
            ("quotes", b"\"d2a64d56-0617-4363-9c0e-5a1b7e3f2a10\"", None),
            ("label", b"UUID: d2a64d56-0617-4363-9c0e-5a1b7e3f2a10", None),
            ("gpu-prefix", b"GPU-d2a64d56-0617-4363-9c0e-5a1b7e3f2a10", None),
        ],
    )
}

fn wrong_digits() -> Entry {
    let entry = good(
        "claims/uuid-digits-absent",
        "CLAIMS-2",
        "Anything but 32 hexadecimal digits does not parse and is absent.",
    )
    .why("A value that is cut or filled up to 32 digits would be another machine's.");
    texts(
        entry,
        "productUuid",
        &[
            ("31-bare", b"d2a64d56061743639c0e5a1b7e3f2a1", None),
            ("33-bare", b"d2a64d56061743639c0e5a1b7e3f2a100", None),
            ("31-dashed", b"d2a64d56-0617-4363-9c0e-5a1b7e3f2a1", None),
            ("33-dashed", b"d2a64d56-0617-4363-9c0e-5a1b7e3f2a100", None),
            ("letter-g", b"d2a64d56-0617-4363-9c0e-5a1b7e3f2a1g", None),
            ("sign", b"+2a64d56061743639c0e5a1b7e3f2a10", None),
            ("full-width", "\u{ff12}2a64d56061743639c0e5a1b7e3f2a10".as_bytes(), None),
            ("two-of-them", b"d2a64d56061743639c0e5a1b7e3f2a10d2a64d56061743639c0e5a1b7e3f2a10", None),
        ],
    )
}

fn wrong_dashes() -> Entry {
    let entry = good("claims/uuid-dashes-absent", "CLAIMS-2", "Dashes stand at 8-4-4-4-12 or nowhere.")
        .why("A parser that drops all dashes and blanks reads values that are no UUIDs as UUIDs.");
    texts(
        entry,
        "productUuid",
        &[
            ("moved", b"d2a64d5-60617-4363-9c0e-5a1b7e3f2a10", None),
            ("one-missing", b"d2a64d56-0617-43639c0e-5a1b7e3f2a10", None),
            ("one-more", b"d2a64d56-0617-4363-9c0e-5a1b7e-3f2a10", None),
            ("doubled", b"d2a64d56--0617-4363-9c0e-5a1b7e3f2a10", None),
            ("in-front", b"-d2a64d56-0617-4363-9c0e-5a1b7e3f2a10", None),
            ("at-the-end", b"d2a64d56-0617-4363-9c0e-5a1b7e3f2a10-", None),
            ("blanks", b"d2a64d56 0617 4363 9c0e 5a1b7e3f2a10", None),
            ("blank-beside-a-dash", b"d2a64d56- 0617-4363-9c0e-5a1b7e3f2a10", None),
            ("colons", b"d2a64d56:0617:4363:9c0e:5a1b7e3f2a10", None),
            ("en-dash", "d2a64d56\u{2013}0617-4363-9c0e-5a1b7e3f2a10".as_bytes(), None),
            ("vmware", b"56 4d a6 d2 17 06 63 43-dc 2d 99 59 b5 33 a7 b3", None),
        ],
    )
}

fn not_swapped() -> Entry {
    let entry =
        good("claims/uuid-not-swapped", "CLAIMS-2", "A UUID is kept in the order in which it was sent.")
            .why("A server that guesses the order changes a machine's identity with its firmware.");
    texts(
        entry,
        "productUuid",
        &[
            (
                "one-order",
                b"643A9DB6-8C89-E111-BBA0-8CCB39332B00",
                Some("643a9db6-8c89-e111-bba0-8ccb39332b00"),
            ),
            (
                "other-order",
                b"B69D3A64-898C-11E1-BBA0-8CCB39332B00",
                Some("b69d3a64-898c-11e1-bba0-8ccb39332b00"),
            ),
        ],
    )
}

fn not_a_uuid() -> Entry {
    let entry = good(
        "claims/uuid-texts-absent",
        "CLAIMS-2",
        "Texts that firmware puts into the UUID's field are absent.",
    )
    .why("Kept as a text, such a value would be a product UUID that many machines share.");
    texts(
        entry,
        "productUuid",
        &[
            ("not-settable", b"Not Settable", None),
            ("not-present", b"Not Present", None),
            ("two", b"2", None),
            ("serial", b"SN-7701", None),
        ],
    )
}
