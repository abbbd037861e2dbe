use proptest::prelude::*;

use super::fixture::{certificate, key};
use super::*;

#[test]
fn the_parts_are_those_that_another_writer_put_in() {
    let (leaf, intermediate) = (certificate("leaf"), certificate("intermediate"));
    let leaf = Certificate::read(&leaf).unwrap();
    let intermediate = Certificate::read(&intermediate).unwrap();
    // 2025-12-31T23:59:00Z and 2026-01-01T23:59:00Z, by GNU date.
    assert_eq!((leaf.not_before_s, leaf.not_after_s), (1_767_225_540, 1_767_311_940));
    // 2020-01-01 and 2055-01-01: the second is a GeneralizedTime.
    assert_eq!((intermediate.not_before_s, intermediate.not_after_s), (1_577_836_800, 2_682_374_400));
    assert_eq!(leaf.public_key().as_ref(), Some(key("example node key").public()));
    assert_eq!(leaf.issuer, intermediate.subject);
    let identity = "spiffe://compute.example.com/site/site_01k5w3v7x8e4n9q2r6t0b1c5d7/node/node_01k5w3v7x8e4n9q2r6t0b1c5d7";
    assert_eq!(leaf.subject_alt_names(), Some(vec![SubjectAltName::Uri(identity)]));
    assert_eq!(intermediate.subject_alt_names(), Some(vec![]));
}

#[test]
fn names_of_other_kinds_are_seen() {
    let names = |name| Certificate::read(&certificate(name)).unwrap().subject_alt_names().unwrap().len();
    assert_eq!(names("leaf-two-identities"), 2);
    let der = certificate("leaf-dns");
    let names = Certificate::read(&der).unwrap().subject_alt_names().unwrap();
    assert_eq!(names[1], SubjectAltName::Other);
}

#[test]
fn only_the_issuers_key_signed_it_with_ecdsa_and_sha_256() {
    let ca = *key("example node CA").public();
    let is_signed = |name, key| Certificate::read(&certificate(name)).unwrap().is_signed_by(&key);
    assert!(is_signed("leaf", ca));
    assert!(!is_signed("leaf", *key("example root").public()));
    assert!(is_signed("intermediate", *key("example root").public()));
    assert!(!is_signed("leaf-other-issuer-key", ca));
    assert!(!is_signed("leaf-sha384", ca));
    assert!(Certificate::read(&certificate("intermediate-p384")).unwrap().public_key().is_none());
}

#[test]
fn self_issued_is_equal_names() {
    let self_issued = |name| Certificate::read(&certificate(name)).unwrap().is_self_issued();
    assert!(self_issued("root") && self_issued("leaf-self-issued"));
    assert!(!self_issued("leaf"));
}

#[test]
fn nothing_follows_and_nothing_is_cut() {
    let leaf = certificate("leaf");
    assert!(Certificate::read(&[&leaf[..], &[0]].concat()).is_none());
    for length in 0..leaf.len() {
        assert!(Certificate::read(&leaf[..length]).is_none(), "{length}");
    }
}

/// The leaf with the first occurrence of some octets replaced by as many others.
fn with(from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut der = certificate("leaf-statement");
    let at = der.windows(from.len()).position(|window| window == from).unwrap();
    der[at..at + to.len()].copy_from_slice(to);
    der
}

#[test]
fn der_has_no_second_form() {
    assert!(Certificate::read(&certificate("leaf-statement")).is_some());
    for (what, from, to) in [
        ("explicit version 1", &[0xa0, 0x03, 0x02, 0x01, 0x02][..], &[0xa0, 0x03, 0x02, 0x01, 0x00][..]),
        ("version 2 with extensions", &[0xa0, 0x03, 0x02, 0x01, 0x02], &[0xa0, 0x03, 0x02, 0x01, 0x01]),
        ("version 4", &[0xa0, 0x03, 0x02, 0x01, 0x02], &[0xa0, 0x03, 0x02, 0x01, 0x03]),
        ("serial not minimal", &[0x02, 0x10, 0x01, 0x02], &[0x02, 0x10, 0x00, 0x02]),
        ("serial not minimal, negative", &[0x02, 0x10, 0x01, 0x02], &[0x02, 0x10, 0xff, 0x82]),
        ("true that is not ff", &[0x01, 0x01, 0xff], &[0x01, 0x01, 0x01]),
        ("false written out", &[0x01, 0x01, 0xff], &[0x01, 0x01, 0x00]),
        ("the algorithms differ", &[0x3d, 0x04, 0x03, 0x02], &[0x3d, 0x04, 0x03, 0x03]),
        ("an extension twice", &[0x55, 0x1d, 0x13], &[0x55, 0x1d, 0x11]),
        ("unused bits in the key", &[0x03, 0x42, 0x00, 0x04], &[0x03, 0x42, 0x01, 0x04]),
        ("a time with a letter", b"251231235900Z", b"25123123590AZ"),
        ("a set that is none", &[0x31, 0x10, 0x30], &[0x30, 0x10, 0x30]),
    ] {
        assert!(Certificate::read(&with(from, to)).is_none(), "{what}");
    }
}

#[test]
fn malformed_alternative_names_are_no_names() {
    // The SEQUENCE of names inside the OCTET STRING becomes a SET.
    let length = |der: &[u8]| der.windows(3).position(|window| window == [0x55, 0x1d, 0x11]).unwrap();
    let mut der = certificate("leaf");
    let at = length(&der) + 3;
    assert_eq!(der[at], OCTET_STRING);
    assert_eq!(der[at + 2], der::SEQUENCE);
    der[at + 2] = der::SET;
    assert_eq!(Certificate::read(&der).unwrap().subject_alt_names(), None);
}

proptest! {
    #[test]
    fn arbitrary_octets_never_panic(octets: Vec<u8>) {
        let _certificate = Certificate::read(&octets);
    }

    #[test]
    fn a_changed_certificate_never_panics(at in 0usize..400, octet: u8) {
        let mut der = certificate("leaf-ak");
        let at = at % der.len();
        der[at] = octet;
        if let Some(certificate) = Certificate::read(&der) {
            let _names = certificate.subject_alt_names();
            let _key = certificate.public_key();
        }
    }
}
