use proptest::prelude::*;

use super::forge::{self, Parts, attribute, hex};
use super::*;
use crate::der::{CONTEXT_0, SEQUENCE, SET, write};

/// The request of the page's example.
const EXAMPLE: &str = "
    30820109 3081b1 020100 3000 3059301306072a8648ce3d020106082a8648ce3d030107034200 04
    43b9cf987898cde50e2b3aa25bae1d1f865443c82cc430926bd5de8ff9367246
    a82f386dd019248aa1cd74a6521a730aa19c0508e4d771eb939308633f917041
    a04f 304d 06092a864886f70d010902 3140 0c3e 62632d6a6f696e2d726571756573742d76313a
    6c31576670484b4731446533756b43646b427276394a61326b62384e7858344d6c44386d6d6e65626e7977
    300a06082a8648ce3d040302 0347 003044
    0220 631d34b38dfab3c7138789ec08897bff825afc78aa9f77c9a46c4a5b7e7c7528
    0220 30a001f788ded8f414f04973a0526f9db7b7768d6762db1543a85c734d330efb";

fn refused(octets: &[u8]) -> bool {
    check(octets) == Err(Reason::Csr)
}

/// A signature's DER in the BIT STRING's content.
fn signature_bits(r: &[u8], s: &[u8]) -> Vec<u8> {
    [&[0][..], &write(SEQUENCE, &[write(der::INTEGER, r), write(der::INTEGER, s)].concat())].concat()
}

#[test]
fn the_pages_example_is_good() {
    let octets = hex(EXAMPLE);
    let csr = check(&octets).unwrap();
    assert_eq!(csr.public_key.point()[..], octets[38..103]);
    assert_eq!(csr.sha256[..], hex("f65548be1149df1f200e161cfc49ab617299fcf773d71832bb716cc1e57a36e7")[..]);
    assert_eq!(csr.attributes.len(), 1);
}

#[test]
fn the_pages_example_is_what_a_client_makes() {
    let octets = hex(EXAMPLE);
    let request_sha256 = hex("97559fa47286d437b7ba409d901aeff496b691bf0dc57e0c943f269a779b9f2c");
    let info = to_be_signed(forge::key().public(), Some(&request_sha256.try_into().unwrap()));
    assert_eq!(info[..], octets[4..184]);
    let signature = [&octets[octets.len() - 66..][..32], &octets[octets.len() - 32..]].concat();
    assert_eq!(assemble(&info, &signature.try_into().unwrap()), octets);
}

#[test]
fn every_flipped_bit_of_a_request_is_refused() {
    let octets = hex(EXAMPLE);
    for at in 0..octets.len() * 8 {
        let mut flipped = octets.clone();
        flipped[at / 8] ^= 1 << (at % 8);
        assert!(refused(&flipped), "bit {at}");
    }
}

#[test]
fn every_cut_and_every_addition_is_refused() {
    let octets = hex(EXAMPLE);
    for length in 0..octets.len() {
        assert!(refused(&octets[..length]), "{length} octets");
    }
    assert!(refused(&[&octets[..], &[0]].concat()));
    assert!(refused(&[&octets[..], &octets].concat()));
    assert!(refused(
        b"-----BEGIN CERTIFICATE REQUEST-----\nMIIBCTCBsQ==\n-----END CERTIFICATE REQUEST-----\n"
    ));
}

#[test]
fn the_size_comes_first() {
    let filled = |length: usize| {
        let value = write(0x04, &vec![0; length]);
        Parts::with_attributes(&[attribute(&[0x2a, 0x03], &[value])]).signed()
    };
    // The signature's length varies by a few octets, so the attribute is made to fit.
    let mut length = 3800;
    while filled(length).len() < 4093 {
        length += 1;
    }
    let fits = std::iter::repeat_with(|| filled(length)).find(|octets| octets.len() <= 4096).unwrap();
    assert!(check(&fits).is_ok());
    assert!(refused(&filled(length + 20)));
}

#[test]
fn a_subject_may_be_anything_well_formed() {
    let member = |oid: &[u8], value: &[u8]| write(SEQUENCE, &[&write(der::OID, oid), value].concat());
    let with = |subject: Vec<u8>| Parts { subject, ..Parts::good() }.signed();
    let (cn, ou) = ([0x55, 0x04, 0x03], [0x55, 0x04, 0x0b]);
    let text = write(0x0c, b"x");
    let (one, other) = (member(&cn, &text), member(&ou, &text));
    let name = |sets: &[Vec<u8>]| write(SEQUENCE, &sets.concat());

    assert!(check(&with(name(&[write(SET, &one)]))).is_ok());
    assert!(check(&with(name(&[write(SET, &other), write(SET, &one)]))).is_ok());
    assert!(check(&with(name(&[write(SET, &[one.clone(), other.clone()].concat())]))).is_ok());
    assert!(check(&with(name(&[write(SET, &[one.clone(), one.clone()].concat())]))).is_ok());
    assert!(check(&with(name(&[write(SET, &member(&cn, &write(SEQUENCE, &text)))]))).is_ok());

    for bad in [
        name(&[write(SET, &[other.clone(), one.clone()].concat())]),
        name(&[write(SET, &[])]),
        name(std::slice::from_ref(&one)),
        name(&[write(SET, &write(SEQUENCE, &write(der::OID, &cn)))]),
        name(&[write(SET, &write(SEQUENCE, &[&write(der::OID, &cn)[..], &text, &text].concat()))]),
        name(&[write(SET, &member(&[], &text))]),
        name(&[write(SET, &member(&[0x80, 0x01], &text))]),
        name(&[write(SET, &member(&cn, &[0x1f, 0x81, 0x00, 0x00]))]),
        write(SET, &[]),
    ] {
        assert!(refused(&with(bad.clone())), "{bad:02x?}");
    }
}

#[test]
fn attributes_are_a_set_of_types_with_values() {
    let (one, two) = (write(der::INTEGER, &[1]), write(der::INTEGER, &[2]));
    let with = |attributes: &[Vec<u8>]| Parts::with_attributes(attributes).signed();
    let oid = &[0x2a, 0x03];
    let good = [
        vec![],
        vec![attribute(oid, std::slice::from_ref(&one))],
        vec![attribute(oid, &[one.clone(), two.clone()])],
        vec![attribute(oid, &[one.clone(), one.clone()])],
        vec![attribute(oid, std::slice::from_ref(&one)), attribute(oid, std::slice::from_ref(&two))],
        vec![attribute(oid, std::slice::from_ref(&one)), attribute(oid, std::slice::from_ref(&one))],
    ];
    for attributes in good {
        assert!(check(&with(&attributes)).is_ok(), "{attributes:02x?}");
    }
    let bad = [
        vec![attribute(oid, &[])],
        vec![attribute(oid, &[two.clone(), one.clone()])],
        vec![attribute(oid, std::slice::from_ref(&two)), attribute(oid, std::slice::from_ref(&one))],
        vec![attribute(&[], std::slice::from_ref(&one))],
        vec![write(SEQUENCE, &[write(der::OID, oid), one.clone()].concat())],
        vec![write(SEQUENCE, &[write(der::OID, oid), write(SET, &one), one.clone()].concat())],
        vec![one.clone()],
    ];
    for attributes in bad {
        assert!(refused(&with(&attributes)), "{attributes:02x?}");
    }
}

#[test]
fn nesting_is_sixteen_levels() {
    // Request, info, attributes, attribute and values are levels 1 to 5; the value begins at level 6.
    let value = |levels: usize| (1..levels).fold(write(SEQUENCE, &[]), |inner, _| write(SEQUENCE, &inner));
    let with = |levels| Parts::with_attributes(&[attribute(&[0x2a, 0x03], &[value(levels)])]).signed();
    assert!(check(&with(11)).is_ok());
    assert!(refused(&with(12)));
}

#[test]
fn other_forms_of_a_part_are_refused() {
    let good = Parts::good;
    assert!(check(&good().signed()).is_ok());
    let algorithm = |tail: &[u8]| write(SEQUENCE, &[&ECDSA_WITH_SHA256[2..], tail].concat());
    let compressed = |point: &[u8]| {
        let algorithm = hex("301306072a8648ce3d020106082a8648ce3d030107");
        write(SEQUENCE, &[algorithm, write(der::BIT_STRING, &[&[0], point].concat())].concat())
    };
    let spki = good().spki;
    let mut off_curve = spki.clone();
    off_curve[90] ^= 1;
    let mut unused_bits = spki.clone();
    unused_bits[25] = 1;
    for (what, bad) in [
        ("version 1", Parts { version: vec![0x02, 0x01, 0x01], ..good() }),
        ("long version", Parts { version: vec![0x02, 0x02, 0x00, 0x00], ..good() }),
        ("no attributes", Parts { attributes: vec![], ..good() }),
        ("attributes twice", Parts { attributes: write(CONTEXT_0, &[]).repeat(2), ..good() }),
        ("primitive attributes", Parts { attributes: write(0x80, &[]), ..good() }),
        ("NULL parameters", Parts { algorithm: algorithm(&[0x05, 0x00]), ..good() }),
        ("ecdsa-with-SHA384", Parts { algorithm: hex("300a06082a8648ce3d040303"), ..good() }),
        ("off the curve", Parts { spki: off_curve, ..good() }),
        ("unused bits", Parts { spki: unused_bits, ..good() }),
        (
            "compressed",
            Parts { spki: compressed(&[&[2 + (spki[90] & 1)], &spki[27..59]].concat()), ..good() },
        ),
        ("hybrid", Parts { spki: compressed(&[&[6 + (spki[90] & 1)], &spki[27..]].concat()), ..good() }),
    ] {
        assert!(refused(&bad.signed()), "{what}");
    }
}

#[test]
fn numbers_of_the_signature_are_minimal_and_in_range() {
    let parts = Parts::good();
    let info = parts.to_be_signed();
    // A signature whose numbers need no sign octet, so that the same numbers can be written too long.
    let signature = std::iter::repeat_with(|| forge::sign(&info))
        .find(|rs| rs[0] & 0x80 == 0 && rs[32] & 0x80 == 0)
        .unwrap();
    let (r, s) = signature.split_at(32);
    let ok = |bits: &[u8]| check(&parts.with_signature_bits(bits)).is_ok();
    assert!(ok(&[&[0][..], &p256::signature_to_der(&signature)].concat()));
    let r_long = [&[0], r].concat();
    let s_long = [&[0], s].concat();
    let order = [&[0], &p256::ORDER[..]].concat();
    for bad in [
        signature_bits(&r_long, s),
        signature_bits(r, &s_long),
        signature_bits(&[0], s),
        signature_bits(r, &[0]),
        signature_bits(&order, s),
        signature_bits(r, &order),
        signature_bits(&[], s),
        [&signature_bits(r, s)[..], &[0]].concat(),
        [&[1], &signature_bits(r, s)[1..]].concat(),
        [&[0][..], r, s].concat(),
        vec![],
        vec![0],
    ] {
        assert!(!ok(&bad), "{bad:02x?}");
    }
}

#[test]
fn a_high_s_is_accepted() {
    let parts = Parts::good();
    let info = parts.to_be_signed();
    let high = [0x80; 32];
    let signature = std::iter::repeat_with(|| forge::sign(&info)).find(|rs| rs[32..] > high[..]).unwrap();
    let bits = [&[0][..], &p256::signature_to_der(&signature)].concat();
    assert!(check(&parts.with_signature_bits(&bits)).is_ok());
}

proptest! {
    #[test]
    fn arbitrary_octets_never_panic(octets: Vec<u8>) {
        prop_assert!(refused(&octets));
    }

    #[test]
    fn a_changed_request_never_panics_and_is_refused(
        at in 0usize..269,
        octets in prop::collection::vec(any::<u8>(), 1..4),
    ) {
        let original = hex(EXAMPLE);
        let mut changed = original.clone();
        changed.splice(at..(at + octets.len()).min(original.len()), octets);
        if changed != original {
            prop_assert!(refused(&changed));
        }
    }
}
