//! MAC addresses: which spellings parse, which bits drop, and that longer addresses are never cut.

use serde_json::json;

use super::{OP, RECIPE, bare, good, input, normal, singles};
use crate::case::{Entry, accept};
use crate::testkit::claims::with_list;

const KEPT: Option<&str> = Some("3c:ec:ef:12:34:56");

pub(super) fn entries() -> Vec<Entry> {
    vec![
        accepted(),
        one_address(),
        separators(),
        digits(),
        lengths(),
        infiniband(),
        local_and_group(),
        equal_octets(),
        beside_others(),
    ]
}

fn accepted() -> Entry {
    let entry = good("claims/mac-spellings", "CLAIMS-3", "Four spellings of a MAC are read, in any case.")
        .why("Separators and case do not matter; the kept form is the spec's choice.");
    singles(
        entry,
        "permanentMacs",
        &[
            ("colons-lower", b"3c:ec:ef:12:34:56", KEPT),
            ("colons-upper", b"3C:EC:EF:12:34:56", KEPT),
            ("colons-mixed", b"3c:Ec:eF:12:34:56", KEPT),
            ("dashes-lower", b"3c-ec-ef-12-34-56", KEPT),
            ("dashes-upper", b"3C-EC-EF-12-34-56", KEPT),
            ("quads-lower", b"3cec.ef12.3456", KEPT),
            ("quads-upper", b"3CEC.EF12.3456", KEPT),
            ("bare-lower", b"3cecef123456", KEPT),
            ("bare-upper", b"3CECEF123456", KEPT),
            ("padded", b" 3C:EC:EF:12:34:56\0\n", KEPT),
        ],
    )
}

fn one_address() -> Entry {
    let spellings = ["3C:EC:EF:12:34:56", "3c-ec-ef-12-34-56", "3cec.ef12.3456", "3CECEF123456"];
    accept("claims/mac-spellings-one", "CLAIMS-3", "The four spellings of one MAC are one MAC.")
        .also("CLAIMS-6")
        .why("Inventories that kept the spelling showed the same port several times.")
        .call(OP, input(&with_list(bare(), "permanentMacs", &spellings)))
        .out(normal(json!({"permanentMacs": ["3c:ec:ef:12:34:56"]})))
        .recipe(RECIPE)
}

fn separators() -> Entry {
    let entry = good("claims/mac-separators-absent", "CLAIMS-3", "Other and mixed separators do not parse.")
        .why("A parser that drops every separator reads what is no address.");
    singles(
        entry,
        "permanentMacs",
        &[
            ("mixed", b"3c:ec-ef:12-34:56", None),
            ("one-dash", b"3c:ec:ef:12:34-56", None),
            ("blanks", b"3c ec ef 12 34 56", None),
            ("dots-between-octets", b"3c.ec.ef.12.34.56", None),
            ("underscores", b"3c_ec_ef_12_34_56", None),
            ("colons-between-quads", b"3cec:ef12:3456", None),
            ("dashes-between-quads", b"3cec-ef12-3456", None),
            ("dash-between-halves", b"3cecef-123456", None),
            ("dot-between-halves", b"3cecef.123456", None),
            ("dots-uneven", b"3ce.cef.123.456", None),
            ("missing", b"3cec:ef:12:34:56", None),
            ("doubled", b"3c::ec:ef:12:34:56", None),
            ("in-front", b":3c:ec:ef:12:34:56", None),
            ("at-the-end", b"3c:ec:ef:12:34:56:", None),
            ("braces", b"{3c:ec:ef:12:34:56}", None),
            ("label", b"mac 3c:ec:ef:12:34:56", None),
        ],
    )
}

fn digits() -> Entry {
    let entry =
        good("claims/mac-digits-absent", "CLAIMS-3", "One-digit octets and other digits do not parse.")
            .why("Filling up a missing digit makes an address that no port has.");
    singles(
        entry,
        "permanentMacs",
        &[
            ("last-of-one", b"3c:ec:ef:12:34:5", None),
            ("first-of-one", b"c:ec:ef:12:34:56", None),
            ("of-three", b"03c:ec:ef:12:34:56", None),
            ("letter-g", b"3c:ec:ef:12:34:5g", None),
            ("0x", b"0x3cecef123456", None),
            ("11-bare", b"3cecef12345", None),
            ("13-bare", b"3cecef1234567", None),
            ("full-width", "\u{ff13}c:ec:ef:12:34:56".as_bytes(), None),
            ("word", b"none", None),
        ],
    )
}

fn lengths() -> Entry {
    let entry = good(
        "claims/mac-lengths-absent",
        "CLAIMS-3",
        "An address of other than 48 bits is dropped, never cut.",
    )
    .why("EUI-64 and FireWire addresses share their beginning with an Ethernet address.");
    singles(
        entry,
        "permanentMacs",
        &[
            ("five-octets", b"3c:ec:ef:12:34", None),
            ("seven-octets", b"3c:ec:ef:12:34:56:78", None),
            ("eui-64", b"3c:ec:ef:ff:fe:12:34:56", None),
            ("eui-64-dashes", b"3C-EC-EF-FF-FE-12-34-56", None),
            ("eui-64-quads", b"3cec.efff.fe12.3456", None),
            ("eui-64-bare", b"3cecefFFFE123456", None),
        ],
    )
}

fn infiniband() -> Entry {
    let entry = good(
        "claims/mac-infiniband-absent",
        "CLAIMS-3",
        "A 20-octet InfiniBand address is dropped, never truncated.",
    )
    .why("Its first octets hold a queue pair number that changes at every boot.");
    singles(
        entry,
        "permanentMacs",
        &[
            ("as-seen", b"00:00:10:29:fe:80:00:00:00:00:00:00:50:6b:00:00:00:00:00:00", None),
            ("first-six-look-global", b"80:00:02:08:fe:80:00:00:00:00:00:00:ec:0d:9a:03:00:12:34:56", None),
            ("last-six-look-global", b"a0:00:02:20:fe:80:00:00:00:00:00:00:00:02:c8:03:00:a1:b2:c3", None),
            ("dashes", b"80-00-02-08-FE-80-00-00-00-00-00-00-EC-0D-9A-03-00-12-34-56", None),
            ("bare", b"80000208fe80000000000000ec0d9a0300123456", None),
        ],
    )
}

fn local_and_group() -> Entry {
    let entry = good(
        "claims/mac-local-group-dropped",
        "CLAIMS-3",
        "Locally administered and group addresses are dropped.",
    )
    .documented()
    .why("Software invents local addresses; a group address is no port's.");
    singles(
        entry,
        "permanentMacs",
        &[
            ("group-bit", b"3d:ec:ef:12:34:56", None),
            ("local-bit", b"3e:ec:ef:12:34:56", None),
            ("both-bits", b"3f:ec:ef:12:34:56", None),
            ("local-upper-case", b"AA-BB-CC-DD-EE-FF", None),
            ("local-quads", b"aabb.ccdd.eeff", None),
            ("virtual-function", b"ae:91:f5:91:c3:7c", None),
            ("container", b"02:42:ac:11:00:02", None),
            ("multicast", b"01:00:5e:00:00:01", None),
            ("spanning-tree", b"01:80:c2:00:00:00", None),
            ("broadcast", b"ff:ff:ff:ff:ff:ff", None),
            ("lowest-local", b"02:00:00:00:00:00", None),
        ],
    )
}

fn equal_octets() -> Entry {
    let entry = good(
        "claims/mac-equal-octets-dropped",
        "CLAIMS-3",
        "All zero and six equal octets are dropped, near misses are kept.",
    )
    .why(
        "The local bit of 00:00:00:00:00:00 is zero, so it looks global; unset virtual functions report it.",
    );
    singles(
        entry,
        "permanentMacs",
        &[
            ("zero", b"00:00:00:00:00:00", None),
            ("zero-bare", b"000000000000", None),
            ("44", b"44:44:44:44:44:44", None),
            ("88-quads", b"8888.8888.8888", None),
            ("last-differs", b"44:44:44:44:44:45", Some("44:44:44:44:44:45")),
            ("first-differs", b"40:44:44:44:44:44", Some("40:44:44:44:44:44")),
            ("turns", b"44:88:44:88:44:88", Some("44:88:44:88:44:88")),
            ("zero-but-one", b"00:00:00:00:00:01", Some("00:00:00:00:00:01")),
        ],
    )
}

fn beside_others() -> Entry {
    let sent = [
        "94:DE:80:06:F8:D5",
        "02:00:00:00:00:01",
        "00:00:10:29:fe:80:00:00:00:00:00:00:50:6b:00:00:00:00:00:00",
        "no address",
        "",
        "00:50:56:C0:00:08",
        "3cec.ef12.3456",
        "00:00:00:00:00:00",
    ];
    accept(
        "claims/mac-dropped-beside-others",
        "CLAIMS-3",
        "What is dropped leaves the others and refuses nothing.",
    )
    .why("A machine with one odd port keeps the identity of its good ones.")
    .call(OP, input(&with_list(bare(), "permanentMacs", &sent)))
    .out(normal(json!({"permanentMacs": ["3c:ec:ef:12:34:56", "94:de:80:06:f8:d5"]})))
    .recipe(RECIPE)
}
