//! Protobuf's wire form, raw: a writer that can encode nonsense and a strict reader for the judge.

/// A message under construction; whatever is appended stands there as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Writer(pub Vec<u8>);

/// The value of one field as it stood on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Wire type 0.
    Varint(u64),
    /// Wire type 1.
    Fixed64([u8; 8]),
    /// Wire type 2.
    Bytes(Vec<u8>),
    /// Wire type 5.
    Fixed32([u8; 4]),
}

/// What the strict reader refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The message ends inside a field.
    #[error("the message ends inside a field")]
    Truncated,
    /// A varint with octets it does not need, or over 64 bits.
    #[error("a varint is not in its shortest form")]
    Varint,
    /// Field number 0 or over 2^29 - 1.
    #[error("a field number is out of range")]
    FieldNumber,
    /// Groups (3, 4) and the unassigned 6 and 7.
    #[error("a wire type that the protocol does not use")]
    WireType,
}

/// Wire type of integers.
pub const VARINT: u8 = 0;
/// Wire type of eight octets.
pub const FIXED64: u8 = 1;
/// Wire type of strings, bytes and messages.
pub const BYTES: u8 = 2;
/// Wire type of four octets.
pub const FIXED32: u8 = 5;

/// The shortest form of an integer: seven bits an octet, the lowest first.
#[must_use]
pub fn varint(mut value: u64) -> Vec<u8> {
    let mut octets = Vec::new();
    while value >= 0x80 {
        octets.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    octets.push(value as u8);
    octets
}

/// The same integer with `extra` octets it does not need.
#[must_use]
pub fn overlong(value: u64, extra: usize) -> Vec<u8> {
    let mut octets = varint(value);
    for _ in 0..extra {
        if let Some(last) = octets.last_mut() {
            *last |= 0x80;
        }
        octets.push(0);
    }
    octets
}

impl Writer {
    /// An empty message.
    pub fn new() -> Self {
        Self::default()
    }

    /// Any octets.
    pub fn raw(mut self, octets: impl AsRef<[u8]>) -> Self {
        self.0.extend_from_slice(octets.as_ref());
        self
    }

    /// A tag alone: field number and wire type.
    pub fn tag(self, field: u64, wire_type: u8) -> Self {
        self.raw(varint(field << 3 | u64::from(wire_type)))
    }

    /// A string, bytes or message field.
    pub fn bytes(self, field: u64, value: impl AsRef<[u8]>) -> Self {
        let value = value.as_ref();
        self.tag(field, BYTES).raw(varint(value.len() as u64)).raw(value)
    }

    /// A string, bytes or message field, left out when empty as proto3 writers do.
    pub fn present(self, field: u64, value: impl AsRef<[u8]>) -> Self {
        if value.as_ref().is_empty() { self } else { self.bytes(field, value) }
    }

    /// An integer field.
    pub fn integer(self, field: u64, value: u64) -> Self {
        self.tag(field, VARINT).raw(varint(value))
    }

    /// A bytes field whose length has `extra` octets that it does not need.
    pub fn overlong_length(self, field: u64, value: impl AsRef<[u8]>, extra: usize) -> Self {
        let value = value.as_ref();
        self.tag(field, BYTES).raw(overlong(value.len() as u64, extra)).raw(value)
    }

    /// A bytes field that says `length` whatever follows.
    pub fn stated_length(self, field: u64, length: u64, value: impl AsRef<[u8]>) -> Self {
        self.tag(field, BYTES).raw(varint(length)).raw(value)
    }

    /// The message without its last `octets`.
    pub fn truncated(mut self, octets: usize) -> Self {
        self.0.truncate(self.0.len().saturating_sub(octets));
        self
    }
}

/// The fields of a message in their order, unknown ones included.
///
/// # Errors
/// The first [`Fault`] met.
pub fn read(mut message: &[u8]) -> Result<Vec<(u64, Value)>, Fault> {
    let mut fields = Vec::new();
    while !message.is_empty() {
        let tag = read_varint(&mut message)?;
        let field = tag >> 3;
        if field == 0 || field > 0x1fff_ffff {
            return Err(Fault::FieldNumber);
        }
        let value = match (tag & 7) as u8 {
            VARINT => Value::Varint(read_varint(&mut message)?),
            FIXED64 => Value::Fixed64(fixed(&mut message)?),
            FIXED32 => Value::Fixed32(fixed(&mut message)?),
            BYTES => {
                let length = read_varint(&mut message)?;
                let length = usize::try_from(length).map_err(|_| Fault::Truncated)?;
                Value::Bytes(take(&mut message, length)?.to_vec())
            }
            _ => return Err(Fault::WireType),
        };
        fields.push((field, value));
    }
    Ok(fields)
}

fn take<'a>(message: &mut &'a [u8], length: usize) -> Result<&'a [u8], Fault> {
    let (head, rest) = message.split_at_checked(length).ok_or(Fault::Truncated)?;
    *message = rest;
    Ok(head)
}

fn fixed<const N: usize>(message: &mut &[u8]) -> Result<[u8; N], Fault> {
    take(message, N)?.try_into().map_err(|_| Fault::Truncated)
}

fn read_varint(message: &mut &[u8]) -> Result<u64, Fault> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let [octet] = fixed(message)?;
        let bits = u64::from(octet & 0x7f);
        if shift == 63 && bits > 1 {
            return Err(Fault::Varint);
        }
        value |= bits << shift;
        if octet & 0x80 == 0 {
            // A last octet of zero adds nothing: the shortest form is one octet shorter.
            return if octet == 0 && shift > 0 { Err(Fault::Varint) } else { Ok(value) };
        }
    }
    Err(Fault::Varint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_the_form_of_protobufs_own_examples() {
        // protobuf.dev, "Encoding": test1 = 150 and test2 = "testing".
        assert_eq!(Writer::new().integer(1, 150).0, [0x08, 0x96, 0x01]);
        assert_eq!(Writer::new().bytes(2, "testing").0, *b"\x12\x07testing");
    }

    #[test]
    fn the_reader_gives_back_what_was_written() {
        let message = Writer::new().bytes(1, "a").integer(2, u64::MAX).tag(3, FIXED32).raw([1, 2, 3, 4]);
        let fields = [
            (1, Value::Bytes(b"a".to_vec())),
            (2, Value::Varint(u64::MAX)),
            (3, Value::Fixed32([1, 2, 3, 4])),
        ];
        assert_eq!(read(&message.0).unwrap(), fields);
    }

    #[test]
    fn the_reader_refuses_every_nonsense_the_writer_can_make() {
        let message = || Writer::new().bytes(1, "abc");
        assert_eq!(read(&message().truncated(1).0), Err(Fault::Truncated));
        assert_eq!(read(&Writer::new().overlong_length(1, "abc", 1).0), Err(Fault::Varint));
        assert_eq!(read(&Writer::new().tag(1, VARINT).raw([0xff; 9]).raw([0x02]).0), Err(Fault::Varint));
        assert_eq!(read(&Writer::new().bytes(0, "abc").0), Err(Fault::FieldNumber));
        assert_eq!(read(&message().tag(2, 3).0), Err(Fault::WireType));
        assert_eq!(read(&Writer::new().stated_length(1, u64::MAX, "abc").0), Err(Fault::Truncated));
        assert_eq!(overlong(5, 2), [0x85, 0x80, 0x00]);
    }
}
