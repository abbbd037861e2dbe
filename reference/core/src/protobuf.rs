//! A strict reader and a canonical writer of the protobuf wire format, for the bodies that are signed (RESPONSE).
//!
//! The reader is stricter than most libraries (docs/spec/15-response.md, Layout), so that two implementations never
//! read one signed body differently.

/// The fields of a message in the order received.
#[derive(Clone, Debug)]
pub struct Message<'a> {
    fields: Vec<(u64, Value<'a>)>,
}

/// What one field holds; numbers are of no interest to the bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value<'a> {
    /// Wire type 2.
    Bytes(&'a [u8]),
    /// Wire type 0, 1 or 5.
    Number,
}

impl<'a> Message<'a> {
    /// Takes a message apart. `None` when its form is broken.
    #[must_use]
    pub fn read(mut octets: &'a [u8]) -> Option<Self> {
        let mut fields = Vec::new();
        while !octets.is_empty() {
            let (key, rest) = read_varint(octets)?;
            // RESPONSE-4: field number 0 is malformed.
            let number = Some(key >> 3).filter(|&number| number != 0)?;
            let (value, rest) = read_value(key & 7, rest)?;
            fields.push((number, value));
            octets = rest;
        }
        Some(Self { fields })
    }

    /// The octets of a field that is not repeated; `Some(None)` when it is absent or empty. `None` when it stands twice
    /// or has another wire type.
    #[must_use]
    pub fn singular(&self, number: u64) -> Option<Option<&'a [u8]>> {
        // RESPONSE-4: a field that is not repeated and stands twice is malformed.
        match *self.repeated(number)? {
            [] => Some(None),
            // RESPONSE-4: a field of zero octets counts as absent.
            [octets] => Some(Some(octets).filter(|octets| !octets.is_empty())),
            _ => None,
        }
    }

    /// The octets of a field that must be there and not empty.
    #[must_use]
    pub fn required(&self, number: u64) -> Option<&'a [u8]> {
        self.singular(number)?
    }

    /// A required field that is UTF-8.
    #[must_use]
    pub fn required_text(&self, number: u64) -> Option<&'a str> {
        // RESPONSE-4: strings are UTF-8.
        std::str::from_utf8(self.required(number)?).ok()
    }

    /// All entries of a field. `None` when one has another wire type.
    #[must_use]
    pub fn repeated(&self, number: u64) -> Option<Vec<&'a [u8]>> {
        // RESPONSE-4: a known field has its own wire type. Fields that nobody asks for are skipped.
        let entries = self.fields.iter().filter(|(field, _)| *field == number);
        entries
            .map(|(_, value)| if let Value::Bytes(octets) = value { Some(*octets) } else { None })
            .collect()
    }
}

/// Writes a message. Fields are to be written in ascending order of their numbers.
#[derive(Clone, Debug, Default)]
pub struct Writer {
    octets: Vec<u8>,
}

impl Writer {
    /// Adds a field of wire type 2. An empty one is left out, as proto3 does.
    #[must_use]
    pub fn field(self, number: u64, octets: &[u8]) -> Self {
        if octets.is_empty() { self } else { self.entry(number, octets) }
    }

    /// Adds one entry of a repeated field.
    #[must_use]
    pub fn entry(mut self, number: u64, octets: &[u8]) -> Self {
        self.write_varint(number << 3 | WIRE_BYTES);
        self.write_varint(u64::try_from(octets.len()).unwrap_or(u64::MAX));
        self.octets.extend_from_slice(octets);
        self
    }

    /// Adds the entries of a repeated field.
    #[must_use]
    pub fn entries<T: AsRef<[u8]>>(self, number: u64, entries: &[T]) -> Self {
        entries.iter().fold(self, |writer, octets| writer.entry(number, octets.as_ref()))
    }

    /// The message.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        self.octets
    }

    fn write_varint(&mut self, mut number: u64) {
        loop {
            let [low, ..] = number.to_le_bytes();
            number >>= 7;
            if number == 0 {
                self.octets.push(low & 0x7f);
                return;
            }
            self.octets.push(low | 0x80);
        }
    }
}

fn read_value(wire: u64, octets: &[u8]) -> Option<(Value<'_>, &[u8])> {
    Some(match wire {
        WIRE_VARINT => (Value::Number, read_varint(octets)?.1),
        WIRE_FIXED64 => (Value::Number, octets.get(8..)?),
        WIRE_BYTES => {
            let (length, rest) = read_varint(octets)?;
            let (content, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
            (Value::Bytes(content), rest)
        }
        WIRE_FIXED32 => (Value::Number, octets.get(4..)?),
        // RESPONSE-4: wire types 3, 4, 6 and 7 are malformed.
        _ => return None,
    })
}

/// A varint in its shortest form that fits 64 bits, and what follows it.
fn read_varint(octets: &[u8]) -> Option<(u64, &[u8])> {
    let mut number = 0;
    for (at, &octet) in octets.iter().enumerate().take(VARINT_MAX_BYTES) {
        let group = u64::from(octet & 0x7f);
        let shift = u32::try_from(7 * at).ok()?;
        // RESPONSE-4: fits 64 bits.
        (group.leading_zeros() >= shift || group == 0).then_some(())?;
        number |= group.checked_shl(shift)?;
        if octet & 0x80 == 0 {
            // RESPONSE-4: the shortest form does not end with an empty group.
            let shortest = at == 0 || octet != 0;
            return shortest.then_some((number, octets.get(at + 1..)?));
        }
    }
    None
}

const VARINT_MAX_BYTES: usize = 10;
const WIRE_VARINT: u64 = 0;
const WIRE_FIXED64: u64 = 1;
const WIRE_BYTES: u64 = 2;
const WIRE_FIXED32: u64 = 5;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn varints_have_one_form_and_fit_64_bits() {
        assert_eq!(read_varint(&[0x00, 0xaa]), Some((0, &[0xaa][..])));
        assert_eq!(read_varint(&[0x96, 0x01]), Some((150, &[][..])));
        let most = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        assert_eq!(read_varint(&most), Some((u64::MAX, &[][..])));
        for bad in [
            &[][..],
            &[0x80],
            &[0x80, 0x00],
            &[0x96, 0x81, 0x00],
            &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02],
            &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x81, 0x01],
            &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
        ] {
            assert_eq!(read_varint(bad), None, "{bad:02x?}");
        }
    }

    #[test]
    fn a_field_is_singular_required_or_repeated() {
        // 1: "ab"; 2: "x", "", "y"; 3: ""; 4 twice; 5 a varint.
        let octets = [
            0x0a, 2, b'a', b'b', 0x12, 1, b'x', 0x12, 0, 0x12, 1, b'y', 0x1a, 0, 0x22, 1, b'p', 0x22, 0,
            0x28, 7,
        ];
        let message = Message::read(&octets).unwrap();
        assert_eq!(message.required_text(1), Some("ab"));
        assert_eq!(message.repeated(2), Some(vec![&b"x"[..], b"", b"y"]));
        assert_eq!(message.singular(3), Some(None));
        assert_eq!(message.required(3), None);
        assert_eq!(message.singular(4), None);
        assert_eq!(message.singular(5), None);
        assert_eq!(message.singular(6), Some(None));
        assert_eq!(message.repeated(6), Some(vec![]));
    }

    #[test]
    fn unknown_fields_of_four_wire_types_are_skipped() {
        let octets = [
            0xf8, 0x06, 0xac, 0x02, 0xf9, 0x06, 1, 2, 3, 4, 5, 6, 7, 8, 0xfa, 0x06, 1, 9, 0xfd, 0x06, 1, 2,
            3, 4, 0x0a, 1, b'z',
        ];
        assert_eq!(Message::read(&octets).unwrap().required_text(1), Some("z"));
    }

    #[test]
    fn broken_messages_are_refused() {
        for bad in [
            &[0x0a][..],
            &[0x0a, 2, b'a'],
            &[0x02, 0],
            &[0x0b],
            &[0x0c],
            &[0x0e, 0],
            &[0x0f, 0],
            &[0x8a, 0x00, 0],
            &[0x0a, 0x81, 0x00, b'a'],
            &[0x09, 1, 2, 3],
            &[0x0d, 1, 2, 3],
            &[0x08, 0x80],
        ] {
            assert!(Message::read(bad).is_none(), "{bad:02x?}");
        }
        assert_eq!(Message::read(&[0x0a, 1, 0xff]).unwrap().required_text(1), None);
    }

    proptest! {
        #[test]
        fn arbitrary_octets_never_panic(octets: Vec<u8>) {
            let _message = Message::read(&octets);
        }

        #[test]
        fn what_is_written_is_read(number in 1u64..0x2000_0000, entries: Vec<Vec<u8>>) {
            let octets = Writer::default().entries(number, &entries).finish();
            let message = Message::read(&octets).unwrap();
            prop_assert_eq!(message.repeated(number).unwrap(), entries);
        }
    }
}
