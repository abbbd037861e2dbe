//! DER, raw (X.690): a writer that can encode nonsense. What is right DER is up to the caller.

/// Tag of INTEGER.
pub const INTEGER: u8 = 0x02;
/// Tag of BIT STRING.
pub const BIT_STRING: u8 = 0x03;
/// Tag of OCTET STRING.
pub const OCTET_STRING: u8 = 0x04;
/// Tag of NULL.
pub const NULL: u8 = 0x05;
/// Tag of OBJECT IDENTIFIER.
pub const OID: u8 = 0x06;
/// Tag of UTF8String.
pub const UTF8: u8 = 0x0c;
/// Tag of PrintableString.
pub const PRINTABLE: u8 = 0x13;
/// Tag of IA5String.
pub const IA5: u8 = 0x16;
/// Tag of SEQUENCE, constructed.
pub const SEQUENCE: u8 = 0x30;
/// Tag of SET, constructed.
pub const SET: u8 = 0x31;

/// How the length octets are written (X.690 8.1.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// Definite and as short as it can be: the one form of DER.
    Minimal,
    /// Definite, long form with this many length octets.
    Long(usize),
    /// Indefinite: 0x80, the content, then two zero octets.
    Indefinite,
    /// Minimal form of this number, whatever follows.
    Stated(usize),
}

/// One element in DER.
#[must_use]
pub fn tlv(tag: u8, content: impl AsRef<[u8]>) -> Vec<u8> {
    tlv_with(tag, Length::Minimal, content)
}

/// One element whose length has any form.
#[must_use]
pub fn tlv_with(tag: u8, length: Length, content: impl AsRef<[u8]>) -> Vec<u8> {
    let content = content.as_ref();
    let mut out = vec![tag];
    match length {
        Length::Minimal => out.extend(minimal(content.len())),
        Length::Stated(stated) => out.extend(minimal(stated)),
        Length::Long(octets) => out.extend(long(content.len(), octets)),
        Length::Indefinite => out.push(0x80),
    }
    out.extend(content);
    if length == Length::Indefinite {
        out.extend([0, 0]);
    }
    out
}

/// Octet strings one after the other.
#[must_use]
pub fn concat(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}

/// A SEQUENCE of the given elements.
#[must_use]
pub fn sequence(parts: &[&[u8]]) -> Vec<u8> {
    tlv(SEQUENCE, parts.concat())
}

/// A SET of the given elements in the given order.
#[must_use]
pub fn set(parts: &[&[u8]]) -> Vec<u8> {
    tlv(SET, parts.concat())
}

/// The elements in the order that DER wants of a SET OF (X.690 11.6), one after the other.
#[must_use]
pub fn sorted(parts: &[&[u8]]) -> Vec<u8> {
    let mut parts = parts.to_vec();
    parts.sort_unstable();
    parts.concat()
}

/// An INTEGER of an unsigned big-endian number: leading zeros cut, one added where it would be negative.
#[must_use]
pub fn unsigned(number: &[u8]) -> Vec<u8> {
    let start = number.iter().position(|&octet| octet != 0).unwrap_or(number.len());
    let (_, digits) = number.split_at(start);
    let pad: &[u8] = if digits.first().is_none_or(|&first| first >= 0x80) { &[0] } else { &[] };
    tlv(INTEGER, [pad, digits].concat())
}

/// A BIT STRING that says `unused` bits of its last octet are not used.
#[must_use]
pub fn bit_string(unused: u8, octets: impl AsRef<[u8]>) -> Vec<u8> {
    tlv(BIT_STRING, [&[unused], octets.as_ref()].concat())
}

/// An OBJECT IDENTIFIER from its dotted form; arcs that are no numbers count as zero.
#[must_use]
pub fn oid(dotted: &str) -> Vec<u8> {
    let mut arcs = dotted.split('.').map(|arc| arc.parse::<u64>().unwrap_or_default());
    let (first, second) = (arcs.next().unwrap_or_default(), arcs.next().unwrap_or_default());
    let mut content = subidentifier(first * 40 + second);
    arcs.for_each(|arc| content.extend(subidentifier(arc)));
    tlv(OID, content)
}

/// A nest of `levels` elements, each within the one before: SEQUENCEs, and a NULL at the bottom.
#[must_use]
pub fn nested(levels: usize) -> Vec<u8> {
    (1..levels).fold(tlv(NULL, []), |inner, _| tlv(SEQUENCE, inner))
}

fn subidentifier(mut arc: u64) -> Vec<u8> {
    let mut octets = vec![(arc & 0x7f) as u8];
    while arc >= 0x80 {
        arc >>= 7;
        octets.push((arc & 0x7f) as u8 | 0x80);
    }
    octets.reverse();
    octets
}

fn minimal(length: usize) -> Vec<u8> {
    if length < 0x80 {
        return vec![length as u8];
    }
    long(length, (length.ilog2() as usize / 8) + 1)
}

fn long(length: usize, octets: usize) -> Vec<u8> {
    let mut out = vec![0x80 | octets as u8];
    let bytes = (length as u128).to_be_bytes();
    out.extend(bytes.iter().skip(bytes.len().saturating_sub(octets)));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_the_forms_of_x690() {
        assert_eq!(tlv(0x04, [7; 127])[..2], [0x04, 0x7f]);
        assert_eq!(tlv(0x04, [7; 128])[..3], [0x04, 0x81, 0x80]);
        assert_eq!(tlv(0x04, [7; 256])[..4], [0x04, 0x82, 0x01, 0x00]);
        assert_eq!(tlv_with(0x04, Length::Long(2), [7]), [0x04, 0x82, 0x00, 0x01, 7]);
        assert_eq!(tlv_with(0x30, Length::Indefinite, [5, 0]), [0x30, 0x80, 5, 0, 0, 0]);
        assert_eq!(tlv_with(0x04, Length::Stated(200), [7]), [0x04, 0x81, 200, 7]);
    }

    #[test]
    fn numbers_are_minimal_and_positive() {
        assert_eq!(unsigned(&[0, 0, 1]), [2, 1, 1]);
        assert_eq!(unsigned(&[0x80]), [2, 2, 0, 0x80]);
        assert_eq!(unsigned(&[0, 0]), [2, 1, 0]);
    }

    #[test]
    fn object_identifiers_have_the_octets_of_rfc_5758() {
        assert_eq!(hex::encode(oid("1.2.840.10045.4.3.2")), "06082a8648ce3d040302");
        assert_eq!(hex::encode(oid("1.2.840.113549.1.9.2")), "06092a864886f70d010902");
        assert_eq!(hex::encode(oid("2.5.4.11")), "060355040b");
    }

    #[test]
    fn a_nest_of_three_is_two_sequences_and_a_null() {
        assert_eq!(nested(3), [0x30, 4, 0x30, 2, 5, 0]);
        assert_eq!(nested(1), [5, 0]);
    }

    #[test]
    fn sorted_is_by_octets() {
        assert_eq!(sorted(&[&[5, 1], &[4, 9], &[4]]), [4, 4, 9, 5, 1]);
    }
}
