//! Strings and numbers: the leaves of JSON (RFC 8259 sections 6 and 7).

use super::{Reader, Value};

impl Reader<'_> {
    /// A string with its escapes decoded.
    pub(super) fn string(&mut self) -> Option<String> {
        self.take(b'"')?;
        let mut decoded = String::new();
        loop {
            let rest = self.text.get(self.at..)?;
            let plain = rest.find(|c: char| c == '"' || c == '\\' || c < ' ')?;
            decoded.push_str(rest.get(..plain)?);
            self.at += plain;
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    return Some(decoded);
                }
                b'\\' => decoded.push(self.escape()?),
                // A control character must be escaped.
                _ => return None,
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        self.take(b'\\')?;
        let kind = self.peek()?;
        self.at += 1;
        Some(match kind {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode_escape(),
            _ => return None,
        })
    }

    /// What follows `\u`: four hexadecimal digits, or a surrogate pair. A lone surrogate is no character.
    fn unicode_escape(&mut self) -> Option<char> {
        let first = self.hex4()?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first);
        }
        self.take(b'\\')?;
        self.take(b'u')?;
        let second = self.hex4()?;
        if !(0xdc00..0xe000).contains(&second) {
            return None;
        }
        char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00))
    }

    fn hex4(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at.checked_add(4)?)?;
        // `from_str_radix` would take a sign.
        if !digits.bytes().all(|octet| octet.is_ascii_hexdigit()) {
            return None;
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }

    /// A number, kept as its text: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`.
    pub(super) fn number(&mut self) -> Option<Value> {
        let start = self.at;
        let _sign = self.take(b'-');
        if self.take(b'0').is_none() {
            self.digits()?;
        }
        if self.take(b'.').is_some() {
            self.digits()?;
        }
        if self.take(b'e').or_else(|| self.take(b'E')).is_some() {
            let _sign = self.take(b'+').or_else(|| self.take(b'-'));
            self.digits()?;
        }
        Some(Value::Number(self.text.get(start..self.at)?.to_owned()))
    }

    /// One digit or more.
    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_some_and(|octet| octet.is_ascii_digit()) {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }
}
