//! Characters and octets that refuse the request: controls and what is no UTF-8.

use super::{input, refused, spoiled};
use crate::case::Entry;
use crate::testkit::claims::{full, with};

const SERIAL: &[&str] = &["/in/claims/productSerial"];
/// A value that would be kept, by member: the octets before and after the place of the fault.
const PLACES: [(&str, &str, &str); 7] = [
    ("productUuid", "D2A64D56-0617-4363-9C0E-5A1B7E3F2A", "10"),
    ("productSerial", "SN-77", "01"),
    ("boardSerial", "CN7220036H", "04QB"),
    ("chassisSerial", "CH-33", "01"),
    ("hostname", "Node", "-17"),
    ("permanentMacs", "94:DE:80:06:F8:", "D5"),
    ("gpuUuids", "GPU-41255406-c9af-f94b-4ebf-", "9d57ad1853da"),
];

pub(super) fn entries() -> Vec<Entry> {
    vec![
        c0(),
        inner_nul(),
        delete(),
        c1(),
        at_the_ends(),
        control_in_every_member(),
        control_in_what_would_be_dropped(),
        overlong(),
        surrogate(),
        truncated(),
        stray(),
        beyond(),
        utf8_in_every_member(),
    ]
}

fn c0() -> Entry {
    let entry = refused(
        "claims/control-c0",
        "A control character of C0 inside a value refuses the request.",
        SERIAL,
        "one of U+0001 to U+0008 or U+000E to U+001F stands inside the value",
    )
    .why(
        "To drop value or character would be two readings; some libraries take U+001C to U+001F for blanks.",
    );
    (0x01..=0x08).chain(0x0e..=0x1f).fold(entry, |entry, octet: u8| {
        let raw = [b"SN-77", [octet].as_slice(), b"01"].concat();
        entry.bad(&format!("u+{octet:04x}"), input(&with(full(), "productSerial", raw)))
    })
}

fn inner_nul() -> Entry {
    let entry = refused(
        "claims/control-nul-inside",
        "NUL is trimmed at the ends only: inside a value it refuses the request.",
        SERIAL,
        "a NUL stands between two characters",
    )
    .why("Code that stops at the first NUL takes two machines for one.");
    spoiled(
        entry,
        "productSerial",
        &[
            ("between-letters", b"SN-77\x0001"),
            ("beside-a-blank", b"SN-77 \x00 01"),
            ("before-a-tail", b"SN-7701\0\0x\0"),
        ],
    )
}

fn delete() -> Entry {
    let entry = refused(
        "claims/control-delete",
        "U+007F refuses the request.",
        SERIAL,
        "a U+007F stands inside or at the end of the value",
    )
    .why("DEL is the control character that a test for less than 0x20 forgets.");
    spoiled(entry, "productSerial", &[("inside", b"SN-77\x7f01"), ("at-the-end", b"SN-7701\x7f")])
}

fn c1() -> Entry {
    let entry = refused(
        "claims/control-c1",
        "A control character of C1, in UTF-8, refuses the request.",
        SERIAL,
        "one of U+0080 to U+009F, two octets in UTF-8, stands inside the value",
    )
    .why("C1 is invisible to tests over octets; U+0085 is white space to some libraries.");
    (0x80..=0x9f).fold(entry, |entry, octet: u8| {
        let raw = [b"SN-77", [0xc2, octet].as_slice(), b"01"].concat();
        entry.bad(&format!("u+{octet:04x}"), input(&with(full(), "productSerial", raw)))
    })
}

fn at_the_ends() -> Entry {
    let entry = refused(
        "claims/control-at-the-ends",
        "No control character but NUL and ASCII white space is trimmed.",
        SERIAL,
        "the value begins or ends with a control character that is not trimmed",
    )
    .why("A trim that takes every control character hides what the rule refuses.");
    spoiled(
        entry,
        "productSerial",
        &[
            ("backspace-before", b"\x08SN-7701"),
            ("shift-out-before", b"\x0eSN-7701"),
            ("unit-separator-after", b"SN-7701\x1f"),
            ("next-line-after", b"SN-7701\xc2\x85"),
            ("before-a-nul", b"SN-7701\x01\0"),
            ("alone", b"\x01"),
        ],
    )
}

fn control_in_every_member() -> Entry {
    let entry = refused(
        "claims/control-in-every-member",
        "A control character refuses in every member, hostname and lists included.",
        &[
            "/in/claims/productUuid",
            "/in/claims/productSerial",
            "/in/claims/boardSerial",
            "/in/claims/chassisSerial",
            "/in/claims/hostname",
            "/in/claims/permanentMacs/0",
            "/in/claims/gpuUuids/0",
        ],
        "one value has a U+0001 inside",
    )
    .why("What does not parse is absent; a control character is a broken or probing machine.");
    PLACES.iter().fold(entry, |entry, (member, before, after)| {
        entry.bad(member, input(&with(full(), member, format!("{before}\u{1}{after}"))))
    })
}

fn control_in_what_would_be_dropped() -> Entry {
    let entry = refused(
        "claims/control-before-dropping",
        "A control character refuses also in a value that would be dropped.",
        &["/in/claims/productSerial", "/in/claims/permanentMacs/0", "/in/claims/gpuUuids/0"],
        "a value that is a placeholder, local or a slice has a control character inside",
    )
    .why("The text rule comes before every other: the answer must not depend on which list is asked first.");
    let entry = spoiled(entry, "productSerial", &[("placeholder", b"Default\x02 string")]);
    let entry = spoiled(
        entry,
        "permanentMacs",
        &[("local-mac", b"02:00:00:00:00\x02:01"), ("no-mac", b"not a\x7f mac")],
    );
    spoiled(entry, "gpuUuids", &[("mig", b"MIG-a65afc88\x02")])
}

fn overlong() -> Entry {
    let entry = refused(
        "claims/utf8-overlong",
        "Overlong UTF-8 refuses the request.",
        SERIAL,
        "a character is written in more octets than it needs",
    )
    .why("A lax decoder gives one character several spellings (RFC 3629 section 3).");
    spoiled(
        entry,
        "productSerial",
        &[
            ("nul-in-two", b"SN-77\xc0\x8001"),
            ("slash-in-two", b"SN-77\xc0\xaf01"),
            ("letter-in-two", b"SN-77\xc1\x8101"),
            ("slash-in-three", b"SN-77\xe0\x80\xaf01"),
            ("u+07ff-in-three", b"SN-77\xe0\x9f\xbf01"),
            ("u+ffff-in-four", b"SN-77\xf0\x8f\xbf\xbf01"),
        ],
    )
}

fn surrogate() -> Entry {
    let entry = refused(
        "claims/utf8-surrogate",
        "A surrogate in UTF-8 refuses the request.",
        SERIAL,
        "U+D800 to U+DFFF is written as three octets",
    )
    .why("Languages with 16-bit strings let surrogates through, alone or in pairs (CESU-8).");
    spoiled(
        entry,
        "productSerial",
        &[
            ("first", b"SN-77\xed\xa0\x8001"),
            ("last", b"SN-77\xed\xbf\xbf01"),
            ("pair", b"SN-77\xed\xa0\xbd\xed\xb6\xa501"),
        ],
    )
}

fn truncated() -> Entry {
    let entry = refused(
        "claims/utf8-truncated",
        "A character that ends too early refuses the request.",
        SERIAL,
        "the last octets of a character are missing",
    )
    .why("Fixed-size fields cut characters in two; a replacement would make serials equal.");
    spoiled(
        entry,
        "productSerial",
        &[
            ("two-at-the-end", b"SN-7701\xc3"),
            ("three-at-the-end", b"SN-7701\xe2\x82"),
            ("four-at-the-end", b"SN-7701\xf0\x9f\x96"),
            ("inside", b"SN-77\xe2\x8201"),
            ("before-a-nul", b"SN-7701\xc3\0"),
        ],
    )
}

fn stray() -> Entry {
    let entry = refused(
        "claims/utf8-stray",
        "An octet that begins no character refuses the request.",
        SERIAL,
        "an octet that UTF-8 does not have at this place",
    )
    .why("Latin-1 firmware sends such octets; they are refused, not guessed at.");
    spoiled(
        entry,
        "productSerial",
        &[
            ("continuation", b"SN-77\x8001"),
            ("latin-1-next-line", b"SN-7701\x85"),
            ("latin-1-no-break-space", b"SN-7701\xa0"),
            ("latin-1-letter", b"SN-\xc4-7701"),
            ("fe", b"SN-77\xfe01"),
            ("ff-fill", b"\xff\xff\xff\xff\xff\xff\xff\xff"),
            ("utf-16", b"\xff\xfeS\x00N\x00"),
        ],
    )
}

fn beyond() -> Entry {
    let entry = refused(
        "claims/utf8-beyond",
        "A character beyond U+10FFFF refuses the request.",
        SERIAL,
        "four, five or six octets that spell more than U+10FFFF",
    )
    .why("UTF-8 once went further; old decoders still do (RFC 3629 section 3).");
    spoiled(
        entry,
        "productSerial",
        &[
            ("u+110000", b"SN-77\xf4\x90\x80\x8001"),
            ("f5", b"SN-77\xf5\x80\x80\x8001"),
            ("five-octets", b"SN-77\xf8\x88\x80\x80\x8001"),
            ("six-octets", b"SN-77\xfc\x84\x80\x80\x80\x8001"),
        ],
    )
}

fn utf8_in_every_member() -> Entry {
    let entry = refused(
        "claims/utf8-in-every-member",
        "Invalid UTF-8 refuses in every member, hostname and lists included.",
        &[
            "/in/claims/productUuid",
            "/in/claims/productSerial",
            "/in/claims/boardSerial",
            "/in/claims/chassisSerial",
            "/in/claims/hostname",
            "/in/claims/permanentMacs/0",
            "/in/claims/gpuUuids/0",
        ],
        "one value has an octet FF inside",
    )
    .why("A member that is decoded elsewhere is a second opinion about what was claimed.");
    PLACES.iter().fold(entry, |entry, (member, before, after)| {
        let raw = [before.as_bytes(), b"\xff", after.as_bytes()].concat();
        entry.bad(member, input(&with(full(), member, raw)))
    })
}
