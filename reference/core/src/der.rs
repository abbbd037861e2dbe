//! A strict reader of DER (X.690 section 10) for octets that anyone may have sent (CSR-1).
//!
//! Only what the distinguished rules allow is read: one identifier octet, a definite and minimal length,
//! exactly that many octets. So the canonical encoding of what was read equals the octets received.

/// INTEGER
pub const INTEGER: u8 = 0x02;
/// BIT STRING
pub const BIT_STRING: u8 = 0x03;
/// OBJECT IDENTIFIER
pub const OID: u8 = 0x06;
/// UTF8String
pub const UTF8_STRING: u8 = 0x0c;
/// SEQUENCE, SEQUENCE OF
pub const SEQUENCE: u8 = 0x30;
/// SET, SET OF
pub const SET: u8 = 0x31;
/// \[0\], constructed
pub const CONTEXT_0: u8 = 0xa0;

/// One element: identifier octet, content octets, and the whole encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element<'a> {
    /// The identifier octet: class, constructed bit, tag number.
    pub tag: u8,
    /// The content octets.
    pub content: &'a [u8],
    /// The whole element as received.
    pub raw: &'a [u8],
}

/// Elements that stand one after the other.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Reads from the beginning of `octets`.
    #[must_use]
    pub fn new(octets: &'a [u8]) -> Self {
        Self { rest: octets }
    }

    /// Whether all has been read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next element, whatever it is. `None` when it is not well-formed.
    pub fn read_any(&mut self) -> Option<Element<'a>> {
        let (&tag, after_tag) = self.rest.split_first()?;
        // CSR-1: one identifier octet with a tag number of at most 30.
        if tag & TAG_NUMBER == TAG_NUMBER {
            return None;
        }
        let (length, after_length) = read_length(after_tag)?;
        let (content, rest) = after_length.split_at_checked(length)?;
        let raw = self.rest.get(..self.rest.len() - rest.len())?;
        self.rest = rest;
        Some(Element { tag, content, raw })
    }

    /// The content of the next element, which must have this identifier octet.
    pub fn read(&mut self, tag: u8) -> Option<&'a [u8]> {
        self.read_any().filter(|element| element.tag == tag).map(|element| element.content)
    }

    /// Says that nothing may follow.
    pub fn finish(&self) -> Option<()> {
        self.rest.is_empty().then_some(())
    }
}

/// The elements of a constructed element's content, all of them.
#[must_use]
pub fn elements(content: &[u8]) -> Option<Vec<Element<'_>>> {
    let mut reader = Reader::new(content);
    let mut elements = Vec::new();
    while !reader.is_empty() {
        elements.push(reader.read_any()?);
    }
    Some(elements)
}

/// One element with nothing after it, made of well-formed elements down to the leaves, at most `depth_max`
/// levels deep.
#[must_use]
pub fn single(octets: &[u8], depth_max: usize) -> Option<Element<'_>> {
    let mut reader = Reader::new(octets);
    let element = reader.read_any()?;
    reader.finish()?;
    is_well_formed(element, depth_max).then_some(element)
}

/// Whether encodings stand in ascending order as DER wants in a SET OF (X.690 section 11.6); equals may be
/// neighbours.
#[must_use]
pub fn is_ascending(elements: &[Element<'_>]) -> bool {
    // X.690 pads the shorter with zero octets; two different well-formed elements differ before either ends.
    elements.is_sorted_by(|one, next| one.raw <= next.raw)
}

/// Whether the content of an OBJECT IDENTIFIER is one: not empty, each subidentifier minimal and ended (X.690
/// 8.19).
#[must_use]
pub fn is_oid(content: &[u8]) -> bool {
    let ended = content.last().is_some_and(|last| last & 0x80 == 0);
    let mut at_start = true;
    let minimal = content.iter().all(|&octet| {
        let padded = at_start && octet == 0x80;
        at_start = octet & 0x80 == 0;
        !padded
    });
    ended && minimal
}

/// The octets of a minimal INTEGER greater than zero, without the sign octet (X.690 section 8.3).
#[must_use]
pub fn positive(content: &[u8]) -> Option<&[u8]> {
    match content {
        [0, rest @ ..] => rest.first().is_some_and(|second| second & 0x80 != 0).then_some(rest),
        [first, ..] => (first & 0x80 == 0).then_some(content),
        [] => None,
    }
}

/// Writes one element.
#[must_use]
pub fn write(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut octets = vec![tag];
    let length = content.len().to_be_bytes();
    let leading = length.iter().take_while(|&&octet| octet == 0).count();
    let minimal = length.get(leading..).unwrap_or_default();
    match minimal {
        [] => octets.push(0),
        [short] if *short < 0x80 => octets.push(*short),
        _ => {
            octets.push(0x80 | u8::try_from(minimal.len()).unwrap_or(0x7f));
            octets.extend_from_slice(minimal);
        }
    }
    octets.extend_from_slice(content);
    octets
}

/// Writes a positive INTEGER from its big-endian octets, made minimal.
#[must_use]
pub fn write_positive(octets: &[u8]) -> Vec<u8> {
    let leading = octets.iter().take_while(|&&octet| octet == 0).count();
    let minimal = octets.get(leading..).unwrap_or_default();
    match minimal {
        [first, ..] if *first < 0x80 => write(INTEGER, minimal),
        _ => write(INTEGER, &[&[0], minimal].concat()),
    }
}

fn is_well_formed(element: Element<'_>, depth_max: usize) -> bool {
    if depth_max == 0 {
        return false;
    }
    if element.tag & CONSTRUCTED == 0 {
        return true;
    }
    let mut reader = Reader::new(element.content);
    while !reader.is_empty() {
        let Some(inner) = reader.read_any() else { return false };
        if !is_well_formed(inner, depth_max - 1) {
            return false;
        }
    }
    true
}

/// A definite, minimal length (X.690 sections 8.1.3 and 10.1) of at most 3 octets, and what follows it.
fn read_length(octets: &[u8]) -> Option<(usize, &[u8])> {
    match octets {
        [short, rest @ ..] if *short < 0x80 => Some((usize::from(*short), rest)),
        [0x81, one, rest @ ..] if *one >= 0x80 => Some((usize::from(*one), rest)),
        [0x82, high, low, rest @ ..] if *high != 0 => {
            Some((usize::from(u16::from_be_bytes([*high, *low])), rest))
        }
        [0x83, high, middle, low, rest @ ..] if *high != 0 => {
            let length = u32::from_be_bytes([0, *high, *middle, *low]);
            Some((usize::try_from(length).ok()?, rest))
        }
        _ => None,
    }
}

const TAG_NUMBER: u8 = 0x1f;
const CONSTRUCTED: u8 = 0x20;

#[cfg(test)]
mod tests;
