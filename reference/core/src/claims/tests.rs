use proptest::prelude::*;

use super::*;

fn text(raw: &[u8]) -> Option<String> {
    serial(raw).unwrap()
}

#[test]
fn the_pages_examples() {
    let uuid = |raw: &str| product_uuid(raw.as_bytes()).unwrap().map(|uuid| uuid.to_string());
    let kept = Some("4c4c4544-0051-3410-8051-b5c04f375931".to_owned());
    assert_eq!(uuid("4C4C4544-0051-3410-8051-B5C04F375931"), kept);
    assert_eq!(uuid("4c4c45440051341080 51b5c04f375931"), None);
    assert_eq!(uuid("{4C4C4544-0051-3410-8051-B5C04F375931}"), None);
    assert_eq!(uuid("00020003000400050006000700080009"), None);
    assert_eq!(text(b" 5Q4Q7Y1\0"), Some("5q4q7y1".to_owned()));
    assert_eq!(text(b"/5Q4Q7Y1/CN7220036H04QB/"), Some("/5q4q7y1/cn7220036h04qb/".to_owned()));
    assert_eq!(text(b"To be  filled by OEM"), None);
    assert_eq!(serial(b"SN-\x001"), Err(Reason::Claims));
    assert_eq!(text(b"CN1234.5"), Some("cn1234.5".to_owned()));
}

#[test]
fn texts_are_trimmed_folded_and_lower_cased() {
    assert_eq!(text(b" \0\tA \t\n B\0 \0"), Some("a b".to_owned()));
    assert_eq!(text(b"\x0b\x0cA\x0b\x0cB\x0d"), Some("a b".to_owned()));
    assert_eq!(text("ÄÖ\u{a0}ẞ".as_bytes()), Some("ÄÖ\u{a0}ẞ".to_owned()));
    for empty in [&b""[..], b" ", b"\0", b"\0 \0"] {
        assert_eq!(text(empty), None, "{empty:?}");
    }
}

#[test]
fn controls_bad_utf_8_and_length_refuse() {
    let refused: &[&[u8]] =
        &[b"a\x01b", b"a\x7fb", b"\x1b", b"a\0b", "a\u{85}b".as_bytes(), "\u{9f}".as_bytes(), b"\xff"];
    for raw in refused.iter().copied().chain([&[b' '; 257][..]]) {
        assert_eq!(serial(raw), Err(Reason::Claims), "{raw:?}");
        assert_eq!(product_uuid(raw), Err(Reason::Claims), "{raw:?}");
        assert_eq!(mac(raw), Err(Reason::Claims), "{raw:?}");
        assert_eq!(gpu_uuid(raw), Err(Reason::Claims), "{raw:?}");
        let raw = Raw { hostname: raw.to_vec(), ..Raw::default() };
        assert_eq!(normalize(&raw), Err(Reason::Claims));
    }
    assert_eq!(text(&[b' '; 256]), None);
}

#[test]
fn entries_are_counted_as_sent() {
    let macs = |count| Raw { permanent_macs: vec![Vec::new(); count], ..Raw::default() };
    let gpus = |count| Raw { gpu_uuids: vec![Vec::new(); count], ..Raw::default() };
    assert_eq!(normalize(&macs(64)), Ok(Claims::default()));
    assert_eq!(normalize(&gpus(64)), Ok(Claims::default()));
    assert_eq!(normalize(&macs(65)), Err(Reason::Claims));
    assert_eq!(normalize(&gpus(65)), Err(Reason::Claims));
}

#[test]
fn a_mac_has_four_spellings() {
    let expected = Some(Mac([0x3c, 0xec, 0xef, 0x12, 0x34, 0x56]));
    for good in
        ["3c:ec:ef:12:34:56", "3C-EC-EF-12-34-56", "3cec.ef12.3456", "3cecef123456", " 3CECEF123456\0"]
    {
        assert_eq!(mac(good.as_bytes()), Ok(expected), "{good}");
    }
    for bad in [
        "3c:ec:ef-12:34:56",
        "3c:ec:ef:12:34:5",
        "3:cec:ef:12:34:56",
        "3cecef.123456",
        "3cec.ef12:3456",
        "3c ec ef 12 34 56",
        "3cecef12345g",
        "+cecef123456",
        "80:00:02:08:fe:80:00:00:00:00:00:00:00:02:c9:03:00:31:78:f2",
        "3c:ec:ef:12:34:56:78",
    ] {
        assert_eq!(mac(bad.as_bytes()), Ok(None), "{bad}");
    }
}

#[test]
fn addresses_that_are_no_hardware_are_dropped() {
    for bad in [
        "02:00:00:00:00:01",
        "01:00:5e:00:00:01",
        "00:00:00:00:00:00",
        "44:44:44:44:44:44",
        "00:50:56:c0:00:63",
        "00:1a:7d:da:71:0a",
    ] {
        assert_eq!(mac(bad.as_bytes()), Ok(None), "{bad}");
    }
}

#[test]
fn a_gpu_is_a_text() {
    let gpu = |raw: &[u8]| gpu_uuid(raw).unwrap();
    let uuid = "gpu-41255406-c9af-f94b-4ebf-9d57ad1853da";
    assert_eq!(gpu(uuid.to_uppercase().as_bytes()).as_deref(), Some(uuid));
    assert_eq!(gpu(b"card-7").as_deref(), Some("card-7"));
    let slices_and_placeholders: [&[u8]; 5] = [
        b"MIG-a65afc88",
        b"GPU-00000000-0000-0000-0000-000000000000",
        b"GPU-",
        b"GPU-Default String",
        b"GPU-xxxx",
    ];
    for dropped in slices_and_placeholders {
        assert_eq!(gpu(dropped), None, "{dropped:?}");
    }
}

#[test]
fn an_smbios_uuid_is_read_by_the_tables_version() {
    let raw =
        [0x56, 0x4d, 0xa6, 0xd2, 0x17, 0x06, 0x63, 0x43, 0xdc, 0x2d, 0x99, 0x59, 0xb5, 0x33, 0xa7, 0xb3];
    let in_order = "564da6d2-1706-6343-dc2d-9959b533a7b3";
    let swapped = "d2a64d56-0617-4363-dc2d-9959b533a7b3";
    let rows = [
        ((2, 4), in_order),
        ((2, 5), in_order),
        ((1, 9), in_order),
        ((2, 6), swapped),
        ((2, 10), swapped),
        ((3, 0), swapped),
    ];
    for ((major, minor), expected) in rows {
        assert_eq!(smbios_uuid(raw, major, minor).to_string(), expected, "{major}.{minor}");
    }
}

fn raw_claims() -> impl Strategy<Value = Raw> {
    // Every claim may be anything; most are near enough to something real to survive.
    let value = || {
        prop_oneof![
            "[ \\t\\x00]?[A-Fa-f0-9]{12}",
            "[A-Fa-f0-9]{2}(:[A-Fa-f0-9]{2}){5}",
            "[A-Fa-f0-9]{8}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{4}-[A-Fa-f0-9]{12}",
            "(GPU-|gpu-|MIG-)?[A-Za-z0-9 ._]{0,10}",
            "[ -~éÄ\\t]{0,12}",
        ]
        .prop_map(String::into_bytes)
    };
    let texts = (value(), value(), value(), value(), value());
    (texts, prop::collection::vec(value(), 0..6), prop::collection::vec(value(), 0..6)).prop_map(
        |(
            (product_uuid, product_serial, board_serial, chassis_serial, hostname),
            permanent_macs,
            gpu_uuids,
        )| Raw {
            product_uuid,
            product_serial,
            board_serial,
            chassis_serial,
            hostname,
            permanent_macs,
            gpu_uuids,
        },
    )
}

/// The claims that survived, as a machine would send them.
fn sent_again(claims: &Claims) -> Raw {
    let text = |value: &Option<String>| value.clone().unwrap_or_default().into_bytes();
    Raw {
        product_uuid: claims.product_uuid.map(|uuid| uuid.to_string()).unwrap_or_default().into_bytes(),
        product_serial: text(&claims.product_serial),
        board_serial: text(&claims.board_serial),
        chassis_serial: text(&claims.chassis_serial),
        hostname: text(&claims.hostname),
        permanent_macs: claims.permanent_macs.iter().map(|mac| mac.to_string().into_bytes()).collect(),
        gpu_uuids: claims.gpu_uuids.iter().map(|gpu| gpu.clone().into_bytes()).collect(),
    }
}

proptest! {
    #[test]
    fn normalizing_twice_changes_nothing(raw in raw_claims()) {
        let once = normalize(&raw).unwrap();
        prop_assert_eq!(normalize(&sent_again(&once)), Ok(once));
    }

    #[test]
    fn the_order_of_lists_does_not_matter(raw in raw_claims(), turn in 0usize..6) {
        let mut turned = raw.clone();
        for list in [&mut turned.permanent_macs, &mut turned.gpu_uuids] {
            let by = if list.is_empty() { 0 } else { turn % list.len() };
            list.rotate_left(by);
            list.extend(list.first().cloned());
        }
        prop_assert_eq!(normalize(&turned), normalize(&raw));
    }

    #[test]
    fn arbitrary_octets_never_panic(octets: Vec<u8>) {
        let raw = Raw {
            product_uuid: octets.clone(),
            product_serial: octets.clone(),
            hostname: octets.clone(),
            permanent_macs: vec![octets.clone()],
            gpu_uuids: vec![octets],
            ..Raw::default()
        };
        let _claims = normalize(&raw);
    }

    #[test]
    fn a_mac_sorts_as_its_text(one: [u8; 6], other: [u8; 6]) {
        prop_assert_eq!(Mac(one).cmp(&Mac(other)), Mac(one).to_string().cmp(&Mac(other).to_string()));
    }
}
