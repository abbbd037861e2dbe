use proptest::prelude::*;

use super::*;

#[test]
fn lengths_are_definite_and_minimal() {
    let refused: &[&[u8]] = &[
        &[0x04, 0x80, 0x00, 0x00],
        &[0x04, 0x81, 0x01, 0xaa],
        &[0x04, 0x82, 0x00, 0x01, 0xaa],
        &[0x04, 0x02, 0xaa],
        &[0x04],
        &[],
        &[0x1f, 0x20, 0x00],
        &[0x04, 0xff],
        &[0x04, 0x84, 0x00, 0x00, 0x00, 0x00],
    ];
    for octets in refused {
        assert_eq!(Reader::new(octets).read_any(), None, "{octets:02x?}");
    }
    let long = [&[0x04, 0x81, 0x80][..], &[0xaa; 128]].concat();
    assert_eq!(Reader::new(&long).read(0x04), Some(&[0xaa; 128][..]));
}

#[test]
fn nesting_is_counted_from_the_outermost_element() {
    let nested = |levels: usize| (1..levels).fold(vec![0x30, 0x00], |inner, _| write(SEQUENCE, &inner));
    assert!(single(&nested(16), 16).is_some());
    assert!(single(&nested(17), 16).is_none());
    // A primitive element is a level too.
    assert!(single(&[0x30, 0x02, 0x05, 0x00], 1).is_none());
    assert!(single(&[0x30, 0x02, 0x05, 0x00], 2).is_some());
}

#[test]
fn nothing_follows_a_single_element() {
    assert!(single(&[0x05, 0x00], 16).is_some());
    assert!(single(&[0x05, 0x00, 0x00], 16).is_none());
    assert!(single(&[0x30, 0x03, 0x05, 0x00, 0x05], 16).is_none());
}

#[test]
fn a_set_of_ascends_and_may_repeat() {
    let ascending = |octets: &[u8]| is_ascending(&elements(octets).unwrap());
    assert!(ascending(&[]));
    assert!(ascending(&[0x02, 0x01, 0x01, 0x02, 0x01, 0x01, 0x02, 0x01, 0x02]));
    assert!(!ascending(&[0x02, 0x01, 0x02, 0x02, 0x01, 0x01]));
    // The identifier and the length come before the content.
    assert!(!ascending(&[0x0c, 0x01, 0x41, 0x02, 0x01, 0x7f]));
    assert!(ascending(&[0x02, 0x01, 0x7f, 0x02, 0x02, 0x01, 0x00]));
}

#[test]
fn an_oid_has_minimal_subidentifiers() {
    for good in [&[0x2a, 0x86, 0x48][..], &[0x55, 0x04, 0x03], &[0x88, 0x37, 0x01]] {
        assert!(is_oid(good), "{good:02x?}");
    }
    for bad in [&[][..], &[0x80], &[0x2a, 0x80, 0x01], &[0x2a, 0x86], &[0x80, 0x01]] {
        assert!(!is_oid(bad), "{bad:02x?}");
    }
}

#[test]
fn a_positive_integer_is_minimal() {
    assert_eq!(positive(&[0x01]), Some(&[0x01][..]));
    assert_eq!(positive(&[0x00, 0x80]), Some(&[0x80][..]));
    for bad in [&[][..], &[0x00], &[0x00, 0x01], &[0x80], &[0xff, 0xff], &[0x00, 0x00, 0x80]] {
        assert_eq!(positive(bad), None, "{bad:02x?}");
    }
}

#[test]
fn a_positive_integer_is_written_minimal() {
    assert_eq!(write_positive(&[0x00, 0x00, 0x7f]), [0x02, 0x01, 0x7f]);
    assert_eq!(write_positive(&[0x00, 0x80]), [0x02, 0x02, 0x00, 0x80]);
    assert_eq!(write_positive(&[0x00]), [0x02, 0x01, 0x00]);
}

proptest! {
    #[test]
    fn arbitrary_octets_never_panic(octets: Vec<u8>) {
        let _element = single(&octets, 16);
        let _elements = elements(&octets);
        let _oid = is_oid(&octets);
        let _positive = positive(&octets);
    }

    #[test]
    fn what_is_read_has_no_other_encoding(tag in 0u8..0x1f, content: Vec<u8>, more: Vec<u8>) {
        let written = write(tag, &content);
        let octets = [&written[..], &more].concat();
        let element = Reader::new(&octets).read_any().unwrap();
        prop_assert_eq!(element, Element { tag, content: &content, raw: &written });
    }
}
