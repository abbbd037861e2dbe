//! Bodies of answers as they lie on the wire, field by field, and edits of the fields.

use super::bytes;
use super::draw::Draw;
use crate::testkit::protobuf::{self, Writer, overlong, varint};

/// One field: its number, its octets, and what stands there instead if it is odd.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) number: u64,
    pub(super) value: Vec<u8>,
    pub(super) raw: Option<Vec<u8>>,
}

impl Field {
    pub(super) fn new(number: u64, value: impl Into<Vec<u8>>) -> Self {
        Self { number, value: value.into(), raw: None }
    }

    fn raw(octets: Vec<u8>) -> Self {
        Self { number: 0, value: Vec::new(), raw: Some(octets) }
    }
}

/// The octets of the fields in this order.
pub(super) fn encode(fields: &[Field]) -> Vec<u8> {
    let one = |field: &Field| match &field.raw {
        Some(raw) => raw.clone(),
        None => Writer::new().bytes(field.number, &field.value).0,
    };
    fields.iter().flat_map(one).collect()
}

/// One edit of the form.
pub(super) fn edit(draw: &mut Draw, fields: &mut Vec<Field>) {
    let at = draw.below(fields.len());
    let Some(field) = fields.get(at).cloned() else { return };
    match draw.below(16) {
        0 | 14 | 15 => drop(fields.remove(at)),
        1 => fields.insert(draw.place(fields.len()), field),
        2 => fields.reverse(),
        3 => fields.swap(at, 0),
        4 | 5 => fields.insert(draw.place(fields.len()), unknown(draw)),
        6 | 7 => fields[at].raw = Some(oddly(draw, &field)),
        8 => fields[at].value = Vec::new(),
        9 => fields.push(Field::new(field.number, Vec::new())),
        10 => fields[at].value.extend(draw.pick([
            &b"\xff"[..],
            b"\xc0\x80",
            b"\xed\xa0\x80",
            b"\0",
            b" ",
            b"\n",
        ])),
        11 => fields[at].number = draw.pick([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 536_870_911]),
        12 => {
            let length = draw.pick([0, 1, 31, 33, 64]);
            fields[at].value.resize(length, 7);
        }
        _ => bytes::edit(draw, &mut fields[at].value),
    }
}

/// A field of a number that nobody knows, or a field that is none.
fn unknown(draw: &mut Draw) -> Field {
    let number = draw.pick([10, 11, 15, 16, 100, 2047, 536_870_911, 536_870_912, 0, 1 << 40]);
    let writer = Writer::new();
    let writer = match draw.below(10) {
        0 => writer.integer(number, draw.number()),
        1 => writer.tag(number, protobuf::FIXED64).raw(draw.octets(8)),
        2 => writer.tag(number, protobuf::FIXED32).raw(draw.octets(4)),
        3 => writer.bytes(number, draw.octets(3)),
        4 => writer.tag(number, 3).tag(number, 4),
        5 => writer.tag(number, draw.pick([4, 6, 7])),
        6 => writer.tag(number, protobuf::VARINT).raw(draw.pick([
            vec![0x80, 0x00],
            [vec![0xff; 9], vec![0x01]].concat(),
            [vec![0xff; 9], vec![0x02]].concat(),
            [vec![0x80; 10], vec![0x01]].concat(),
            vec![0x80],
        ])),
        7 => writer.raw(overlong(number << 3 | 2, 1)).raw([1, 7]),
        8 => writer.overlong_length(number, [7], draw.pick([1, 4, 9])),
        _ => writer.tag(number, protobuf::FIXED64).raw(draw.octets(7)),
    };
    Field::raw(writer.0)
}

/// A known field that is written oddly.
fn oddly(draw: &mut Draw, field: &Field) -> Vec<u8> {
    let (number, value) = (field.number, &field.value);
    let writer = Writer::new();
    match draw.below(9) {
        0 => writer.overlong_length(number, value, draw.pick([1, 2, 8])).0,
        1 => writer.stated_length(number, value.len() as u64 + draw.pick([1, 1000, u64::MAX / 2]), value).0,
        2 => writer.integer(number, draw.below(300) as u64).0,
        3 => writer.tag(number, protobuf::FIXED64).raw(draw.octets(8)).0,
        4 => writer.tag(number, protobuf::FIXED32).raw(draw.octets(4)).0,
        5 => [overlong(number << 3 | 2, 1), varint(value.len() as u64), value.clone()].concat(),
        6 => writer.bytes(number, value).truncated(draw.pick([1, 2, value.len()])).0,
        7 => writer.tag(number, 3).raw(value).tag(number, 4).0,
        // The field's number in more than 29 bits, of which a lax reader keeps 29 or 32.
        _ => [varint(number << 3 | 2 | 1 << 35), varint(value.len() as u64), value.clone()].concat(),
    }
}
