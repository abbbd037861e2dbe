//! A strict reader of JSON (RFC 8259) for octets that anyone may have sent (SEAL-5, WELLKNOWN-1).
//!
//! Stricter than the RFC where readers differ: a member name that occurs twice in one object is refused,
//! names compared after their escapes are decoded; nesting is bounded; lone surrogates and a byte order mark
//! are refused. Numbers are kept as they were written, because rules look at their text.

use crate::limits::JSON_DEPTH_MAX;

mod text;

/// A JSON value as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number's text, as sent.
    Number(String),
    /// A string, its escapes decoded.
    String(String),
    /// An array.
    Array(Vec<Self>),
    /// An object's members in the order sent; no name occurs twice.
    Object(Vec<(String, Self)>),
}

impl Value {
    /// The object's members; `None` when it is no object.
    #[must_use]
    pub fn as_object(&self) -> Option<&[(String, Self)]> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The string's text; `None` when it is no string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The boolean; `None` when it is none.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The integer whose text is digits only: no sign, fraction or exponent. `None` for anything else or over
    /// 64 bits.
    #[must_use]
    pub fn as_digits(&self) -> Option<u64> {
        match self {
            Self::Number(text) if text.bytes().all(|octet| octet.is_ascii_digit()) => text.parse().ok(),
            _ => None,
        }
    }

    /// The member of that name; `None` when there is none or the value is no object.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.as_object()?.iter().find(|(member, _)| member == name).map(|(_, value)| value)
    }
}

/// Reads one JSON value with nothing around it but white space. `None` for anything that is not exactly that.
#[must_use]
pub fn read(octets: &[u8]) -> Option<Value> {
    // The conventions: UTF-8 without a byte order mark (the mark is no white space, so the value does not
    // begin with it).
    let text = std::str::from_utf8(octets).ok()?;
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(1)?;
    reader.skip_white_space();
    (reader.at == text.len()).then_some(value)
}

/// A place in the text. Every method reads what its name says and moves past it.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, octet: u8) -> Option<()> {
        (self.peek() == Some(octet)).then(|| self.at += 1)
    }

    fn take_word(&mut self, word: &str, value: Value) -> Option<Value> {
        self.text.get(self.at..)?.starts_with(word).then(|| {
            self.at += word.len();
            value
        })
    }

    fn skip_white_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    /// White space, then a value at nesting level `depth`.
    fn value(&mut self, depth: usize) -> Option<Value> {
        // SEAL-5, WELLKNOWN-1: nesting deeper than 16 is malformed; the outermost value has depth 1.
        if depth > JSON_DEPTH_MAX {
            return None;
        }
        self.skip_white_space();
        match self.peek()? {
            b'{' => self.object(depth),
            b'[' => self.array(depth),
            b'"' => self.string().map(Value::String),
            b't' => self.take_word("true", Value::Bool(true)),
            b'f' => self.take_word("false", Value::Bool(false)),
            b'n' => self.take_word("null", Value::Null),
            _ => self.number(),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        self.take(b'{')?;
        let mut members: Vec<(String, Value)> = Vec::new();
        let mut names = std::collections::HashSet::new();
        self.skip_white_space();
        if self.take(b'}').is_some() {
            return Some(Value::Object(members));
        }
        loop {
            self.skip_white_space();
            let name = self.string()?;
            // SEAL-5, WELLKNOWN-1: no member name occurs twice, compared decoded.
            if !names.insert(name.clone()) {
                return None;
            }
            self.skip_white_space();
            self.take(b':')?;
            let value = self.value(depth + 1)?;
            members.push((name, value));
            self.skip_white_space();
            if self.take(b'}').is_some() {
                return Some(Value::Object(members));
            }
            self.take(b',')?;
        }
    }

    fn array(&mut self, depth: usize) -> Option<Value> {
        self.take(b'[')?;
        let mut items = Vec::new();
        self.skip_white_space();
        if self.take(b']').is_some() {
            return Some(Value::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.skip_white_space();
            if self.take(b']').is_some() {
                return Some(Value::Array(items));
            }
            self.take(b',')?;
        }
    }
}

#[cfg(test)]
mod tests;
