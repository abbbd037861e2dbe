//! A strict reader of DER (X.690), independent of the ones that subjects use: the minimum that a request needs.

/// One element: tag, content, and the whole of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element<'a> {
    /// The identifier octet; tags over 30 are refused.
    pub tag: u8,
    /// The content octets.
    pub content: &'a [u8],
    /// Identifier, length and content.
    pub whole: &'a [u8],
}

/// INTEGER.
pub const INTEGER: u8 = 0x02;
/// BIT STRING.
pub const BIT_STRING: u8 = 0x03;
/// OBJECT IDENTIFIER.
pub const OID: u8 = 0x06;
/// UTF8String.
pub const UTF8: u8 = 0x0c;
/// SEQUENCE.
pub const SEQUENCE: u8 = 0x30;
/// SET.
pub const SET: u8 = 0x31;

/// Takes the next element off the front of `input`.
///
/// # Errors
/// What is not DER about it.
pub fn next<'a>(input: &mut &'a [u8]) -> Result<Element<'a>, String> {
    let all = *input;
    let (&tag, rest) = all.split_first().ok_or("an element is missing")?;
    if tag & 0x1f == 0x1f {
        return Err("a tag over 30".into());
    }
    let (&first, mut rest) = rest.split_first().ok_or("a length is missing")?;
    let length = if first < 0x80 {
        usize::from(first)
    } else {
        let octets = usize::from(first & 0x7f);
        let (digits, after) = rest.split_at_checked(octets).ok_or("a length is cut off")?;
        rest = after;
        long_length(digits)?
    };
    let (content, rest) = rest.split_at_checked(length).ok_or("an element is cut off")?;
    let whole = all.get(..all.len() - rest.len()).unwrap_or_default();
    *input = rest;
    Ok(Element { tag, content, whole })
}

/// X.690 10.1: definite, and as short as possible.
fn long_length(digits: &[u8]) -> Result<usize, String> {
    if digits.is_empty() || digits.len() > 4 || digits.first() == Some(&0) {
        return Err("a length that is indefinite or too long".into());
    }
    let length = digits.iter().fold(0usize, |sum, &digit| sum << 8 | usize::from(digit));
    if length < 0x80 { Err("a length that is longer than it need be".into()) } else { Ok(length) }
}

/// Reads exactly one element.
///
/// # Errors
/// As [`next`], and when something follows it.
pub fn only(mut input: &[u8]) -> Result<Element<'_>, String> {
    let element = next(&mut input)?;
    if input.is_empty() { Ok(element) } else { Err("something follows the element".into()) }
}

impl<'a> Element<'a> {
    /// The element when it has this tag.
    ///
    /// # Errors
    /// Names `what` was expected.
    pub fn expect(self, tag: u8, what: &str) -> Result<Self, String> {
        if self.tag == tag { Ok(self) } else { Err(format!("{what}: tag {:#04x}, not {tag:#04x}", self.tag)) }
    }

    /// The elements inside.
    ///
    /// # Errors
    /// As [`next`].
    pub fn children(self) -> Result<Vec<Self>, String> {
        let mut content = self.content;
        let mut children = Vec::new();
        while !content.is_empty() {
            children.push(next(&mut content)?);
        }
        Ok(children)
    }

    /// Whether everything below, to depth 16, is elements as well.
    ///
    /// # Errors
    /// As [`next`].
    pub fn check_below(self, depth: usize) -> Result<(), String> {
        if depth > 16 {
            return Err("nested deeper than 16".into());
        }
        if self.tag & 0x20 == 0 {
            return Ok(());
        }
        self.children()?.into_iter().try_for_each(|child| child.check_below(depth + 1))
    }
}

/// Whether elements stand in the order of a SET OF (X.690 11.6).
#[must_use]
pub fn in_order(elements: &[Element<'_>]) -> bool {
    elements.windows(2).all(|pair| match pair {
        [first, second] => first.whole <= second.whole,
        _ => true,
    })
}

/// An object identifier in dots; `?` when it is cut off.
#[must_use]
pub fn dotted(content: &[u8]) -> String {
    let mut arcs: Vec<u64> = Vec::new();
    let mut value = 0u64;
    for octet in content {
        value = value << 7 | u64::from(octet & 0x7f);
        if octet & 0x80 == 0 {
            arcs.push(value);
            value = 0;
        }
    }
    let Some((&first, rest)) = arcs.split_first() else { return "?".into() };
    let top = (first / 40).min(2);
    let mut text = format!("{top}.{}", first - top * 40);
    for arc in rest {
        text.push_str(&format!(".{arc}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_definite_and_shortest() {
        assert_eq!(only(b"\x04\x01a").unwrap().content, b"a");
        let long = [&[0x04, 0x81, 0x80][..], &[7; 128]].concat();
        assert_eq!(only(&long).unwrap().content.len(), 128);
        for bad in [
            &b"\x04\x81\x01a"[..],
            b"\x04\x80",
            b"\x04\x82\x00\x80",
            b"\x04\x02a",
            b"\x04\x01ab",
            b"\x1f\x01a",
        ] {
            assert!(only(bad).is_err(), "{bad:02x?}");
        }
    }

    #[test]
    fn identifiers_are_written_in_dots() {
        // RFC 2985 5.4.1 and RFC 5758 3.2.
        assert_eq!(dotted(&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x02]), "1.2.840.113549.1.9.2");
        assert_eq!(dotted(&[0x55, 0x1d, 0x11]), "2.5.29.17");
    }
}
