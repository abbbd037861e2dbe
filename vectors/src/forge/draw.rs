//! Drawing at random, and the same again from the same words.

use crate::testkit::keys::hash;

/// A generator: SHA-256 of its words and a counter, so that it is the same everywhere.
#[derive(Clone, Debug)]
pub(super) struct Draw {
    words: String,
    counter: u64,
    block: [u8; 32],
    used: usize,
}

impl Draw {
    /// The generator of these words.
    pub(super) fn new(words: String) -> Self {
        Self { words, counter: 0, block: [0; 32], used: 32 }
    }

    fn octet(&mut self) -> u8 {
        if self.used == self.block.len() {
            self.block = hash([self.words.as_bytes(), &self.counter.to_be_bytes()].concat());
            self.counter += 1;
            self.used = 0;
        }
        self.used += 1;
        self.block[self.used - 1]
    }

    /// Any number.
    pub(super) fn number(&mut self) -> u64 {
        u64::from_be_bytes(std::array::from_fn(|_| self.octet()))
    }

    /// A number below `end`; 0 when there is none.
    pub(super) fn below(&mut self, end: usize) -> usize {
        let drawn = u32::from_be_bytes(std::array::from_fn(|_| self.octet()));
        drawn as usize % end.max(1)
    }

    /// A number of the range, both ends included.
    pub(super) fn range(&mut self, low: i64, high: i64) -> i64 {
        low + (self.number() % (high - low + 1).max(1) as u64) as i64
    }

    /// True in so many of a hundred cases.
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of these.
    pub(super) fn pick<T, const N: usize>(&mut self, from: [T; N]) -> T {
        let mut from = from.into_iter().collect::<Vec<_>>();
        from.swap_remove(self.below(N))
    }

    /// One of a list; `None` of an empty one.
    pub(super) fn one<'t, T>(&mut self, from: &'t [T]) -> Option<&'t T> {
        from.get(self.below(from.len()))
    }

    /// Any octets.
    pub(super) fn octets(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.octet()).collect()
    }

    /// So many characters of an alphabet.
    pub(super) fn text(&mut self, alphabet: &str, count: usize) -> String {
        let alphabet: Vec<char> = alphabet.chars().collect();
        (0..count).filter_map(|_| self.one(&alphabet).copied()).collect()
    }

    /// A place in something of this length, its end included.
    pub(super) fn place(&mut self, length: usize) -> usize {
        self.below(length + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_give_the_same_numbers_and_others_give_others() {
        let numbers = |words: &str| {
            let mut draw = Draw::new(words.into());
            (0..50).map(|_| draw.number()).collect::<Vec<_>>()
        };
        assert_eq!(numbers("a"), numbers("a"));
        assert_ne!(numbers("a"), numbers("b"));
    }

    #[test]
    fn ranges_include_both_ends_and_nothing_else() {
        let mut draw = Draw::new("range".into());
        let drawn: std::collections::BTreeSet<i64> = (0..500).map(|_| draw.range(-1, 2)).collect();
        assert_eq!(drawn.into_iter().collect::<Vec<_>>(), [-1, 0, 1, 2]);
    }
}
