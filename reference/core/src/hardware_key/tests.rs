use proptest::prelude::*;

use super::*;
use crate::choices::HwkeyIndependence::{Facts, Kinds};
use crate::choices::HwkeySelection::{All, Stable};
use crate::claims::{Raw, normalize};
use crate::csr::forge::hex;

fn claims(uuid: &str, serials: [&str; 3], macs: &[&str], gpus: &[&str]) -> Claims {
    let [product, board, chassis] = serials.map(|serial| serial.as_bytes().to_vec());
    normalize(&Raw {
        product_uuid: uuid.into(),
        product_serial: product,
        board_serial: board,
        chassis_serial: chassis,
        permanent_macs: macs.iter().map(|&mac| mac.into()).collect(),
        gpu_uuids: gpus.iter().map(|&gpu| gpu.into()).collect(),
        hostname: b"never counted".to_vec(),
    })
    .unwrap()
}

fn key(hexadecimal: &str) -> Option<[u8; 32]> {
    Some(hex(hexadecimal).try_into().unwrap())
}

fn example() -> Claims {
    claims(
        "d2a64d56-0617-4363-9c0e-5a1b7e3f2a10",
        ["sn-7701", "cn7220036h04qb", ""],
        &["94:de:80:06:f8:d5"],
        &["gpu-41255406-c9af-f94b-4ebf-9d57ad1853da"],
    )
}

const DELL: &str = "4c4c4544-0051-3410-8051-b5c04f375931";

#[test]
fn the_pages_example_under_both_selections() {
    let stable = key("fba6cd3ead37785420ef1c8771b346772e4ed3276561521993bd6d7bcfb1c8ca");
    let all = key("3758a7f359d6c168545292238db41471f8e9de146e9b5e713e362bde43d2880f");
    for independence in [Kinds, Facts] {
        assert_eq!(derive(&example(), Stable, independence), Derived { key: stable, trusted: true });
        assert_eq!(derive(&example(), All, independence), Derived { key: all, trusted: true });
    }
}

#[test]
fn the_pages_dell_under_both_independences() {
    let alone = claims(DELL, ["5Q4Q7Y1", "", ""], &[], &[]);
    let both = key("a7e320cc89c2bed9e59beba473438328bdd65a9b93b298b4e6ca164242997234");
    let uuid = key("ba0d3aece0643d0d9a94a52b65bd0ee2eb3867307449cac7b1c2867e0adc491e");
    assert_eq!(derive(&alone, Stable, Kinds), Derived { key: both, trusted: true });
    assert_eq!(derive(&alone, Stable, Facts), Derived { key: uuid, trusted: false });
    let with_mac = claims(DELL, ["5Q4Q7Y1", "", ""], &["94:de:80:06:f8:d5"], &[]);
    let uuid_and_mac = key("9f601c78d3fc9a1c849ef3ceb8ac927ed3e3470e99a180fa3a54ca803e3672e6");
    assert_eq!(derive(&with_mac, Stable, Facts), Derived { key: uuid_and_mac, trusted: true });
    assert_eq!(derive(&with_mac, Stable, Kinds), Derived { key: both, trusted: true });
}

#[test]
fn one_kind_is_never_trusted_and_none_has_no_key() {
    let serials = claims("", ["a-1", "b-2", "c-3"], &[], &[]);
    let macs = claims("", ["", "", ""], &["94:de:80:06:f8:d5", "94:de:80:06:f8:d6"], &[]);
    for one_kind in [serials, macs] {
        let derived = derive(&one_kind, All, Kinds);
        assert!(derived.key.is_some() && !derived.trusted, "{one_kind:?}");
    }
    let nothing = claims("00000000-0000-0000-0000-000000000000", ["Default string", "", ""], &[], &[]);
    assert_eq!(derive(&nothing, Stable, Kinds), Derived { key: None, trusted: false });
    assert_eq!(derive(&nothing, All, Facts), Derived { key: None, trusted: false });
}

#[test]
fn stable_holds_when_a_card_comes_or_a_driver_goes() {
    let changed = claims(
        "d2a64d56-0617-4363-9c0e-5a1b7e3f2a10",
        ["sn-7701", "another-board", ""],
        &["94:de:80:06:f8:d5", "94:de:80:06:f8:d6"],
        &[],
    );
    assert_eq!(derive(&changed, Stable, Kinds).key, derive(&example(), Stable, Kinds).key);
    assert_ne!(derive(&changed, All, Kinds).key, derive(&example(), All, Kinds).key);
}

#[test]
fn the_serial_is_the_first_of_product_chassis_and_board() {
    let line = |serials| stable_lines(&claims("", serials, &[], &[]), &[Kind::Serial]).into_iter().next();
    assert_eq!(line(["p-1", "b-1", "c-1"]).as_deref(), Some("serial=p-1\n"));
    assert_eq!(line(["", "b-1", "c-1"]).as_deref(), Some("serial=c-1\n"));
    assert_eq!(line(["", "b-1", ""]).as_deref(), Some("serial=b-1\n"));
}

#[test]
fn each_derivation_ties_under_facts_and_not_under_kinds() {
    let none = ["", "", ""];
    let tied = [
        claims(DELL, ["", "", "5q4q7y1"], &[], &[]),
        // The service tag shows in the low seven bits of octet 10.
        claims(
            "564d4af1-2f8a-4b5c-9d3e-7f6a5b4c3d2e",
            ["", "564D4AF12F8A4B5C9D3E7F6A5B4C3D2E", ""],
            &[],
            &[],
        ),
        claims(
            "f14a4d56-8a2f-5c4b-9d3e-7f6a5b4c3d2e",
            ["564d4af1-2f8a-4b5c-9d3e-7f6a5b4c3d2e", "", ""],
            &[],
            &[],
        ),
        claims(
            "564d4af1-2f8a-4b5c-9d3e-7f6a5b4c3d2e",
            ["VMware-56 4d 4a f1 2f 8a 4b 5c-9d 3e 7f 6a 5b 4c 3d 2e", "", ""],
            &[],
            &[],
        ),
        claims(
            "f14a4d56-8a2f-5c4b-9d3e-7f6a5b4c3d2e",
            ["VMware-56 4d 4a f1 2f 8a 4b 5c-9d 3e 7f 6a 5b 4c 3d 2e", "", ""],
            &[],
            &[],
        ),
        claims("8a95d1a0-7f46-11e5-bf8b-94de8006f8d5", none, &["94:de:80:06:f8:d5"], &[]),
        claims("03de0294-0480-0506-f806-d50700080009", none, &["94:de:80:06:f8:d5"], &[]),
        claims("94de8006-f8d5-0000-0000-000000000000", none, &["94:de:80:06:f8:d5"], &[]),
        claims(
            "0680de94-d5f8-0000-0000-000000000000",
            none,
            &["94:de:80:06:f8:d5", "00:1b:21:00:00:01"],
            &[],
        ),
    ];
    for claims in tied {
        assert!(derive(&claims, Stable, Kinds).trusted, "{claims:?}");
        assert!(!derive(&claims, Stable, Facts).trusted, "{claims:?}");
    }
}

#[test]
fn what_only_looks_like_a_derivation_does_not_tie() {
    let none = ["", "", ""];
    let independent = [
        // Another service tag; the tag without Dell's mark; part of the tag.
        claims(DELL, ["5q4q7y2", "", ""], &[], &[]),
        claims("4c4c4545-0051-3410-8051-b5c04f375931", ["5q4q7y1", "", ""], &[], &[]),
        claims(DELL, ["5q4q7y1a", "", ""], &[], &[]),
        // Version 4; another variant; another address.
        claims("8a95d1a0-7f46-41e5-bf8b-94de8006f8d5", none, &["94:de:80:06:f8:d5"], &[]),
        claims("8a95d1a0-7f46-11e5-ff8b-94de8006f8d5", none, &["94:de:80:06:f8:d5"], &[]),
        claims("8a95d1a0-7f46-11e5-bf8b-94de8006f8d6", none, &["94:de:80:06:f8:d5"], &[]),
        // One constant of the interleaved pattern is another; the tail is not zero.
        claims("03de0294-0480-0506-f806-d5070008000a", none, &["94:de:80:06:f8:d5"], &[]),
        claims("94de8006-f8d5-0000-0000-000000000001", none, &["94:de:80:06:f8:d5"], &[]),
        // Only GPUs and serials tie to nothing.
        claims("", ["gpu-7c", "", ""], &[], &["gpu-7c"]),
    ];
    for claims in independent {
        assert!(derive(&claims, Stable, Facts).trusted, "{claims:?}");
    }
}

#[test]
fn a_uuid_tied_to_serial_and_mac_is_one_group() {
    let zero_tail = "94de8006-f8d5-0000-0000-000000000000";
    let tied = claims(zero_tail, [zero_tail, "", ""], &["94:de:80:06:f8:d5"], &[]);
    assert!(!derive(&tied, Stable, Facts).trusted);
    let with_gpu = claims(zero_tail, [zero_tail, "", ""], &["94:de:80:06:f8:d5"], &["gpu-7c"]);
    let derived = derive(&with_gpu, Stable, Facts);
    assert!(derived.trusted);
    let lines = stable_lines(&with_gpu, &[Kind::ProductUuid, Kind::GpuUuid]);
    assert_eq!(derived.key, super::key(&lines));
}

#[test]
fn a_token_join_needs_a_trusted_key_with_a_name_or_a_pin() {
    let one = claims("", ["sn-7701", "", ""], &[], &[]);
    let nameless = claims("", ["", "", ""], &["94:de:80:06:f8:d5"], &["gpu-7c"]);
    assert_eq!(admit(&example(), false, Kinds), Ok(true));
    assert_eq!(admit(&example(), true, Kinds), Ok(true));
    for weak in [&one, &nameless, &Claims::default()] {
        assert_eq!(admit(weak, false, Kinds), Err(Reason::PlaceholderHardware), "{weak:?}");
        assert_eq!(admit(weak, true, Kinds), Ok(false), "{weak:?}");
    }
    assert!(derive(&nameless, Stable, Kinds).trusted);
    let dell = claims(DELL, ["5q4q7y1", "", ""], &[], &[]);
    assert_eq!(admit(&dell, false, Kinds), Ok(true));
    assert_eq!(admit(&dell, false, Facts), Err(Reason::PlaceholderHardware));
}

proptest! {
    #[test]
    fn any_uuid_and_any_serial_never_panic(
        uuid: [u8; 16],
        serial in "vmware-[0-9a-fé -]{0,40}|.{0,40}",
        mac: [u8; 6],
    ) {
        let mut claims = Claims { product_uuid: Some(crate::claims::Uuid(uuid)), ..Claims::default() };
        claims.product_serial = Some(serial);
        claims.permanent_macs.insert(crate::claims::Mac(mac));
        // Facts never trust more than kinds do.
        let facts = derive(&claims, Stable, Facts);
        prop_assert!(facts.key.is_some());
        prop_assert!(!facts.trusted || derive(&claims, Stable, Kinds).trusted);
    }
}
