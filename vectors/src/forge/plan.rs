//! What a call is made by: its generators, which of its edits stand, and the choices drawn.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Choices;
use super::draw::Draw;
use crate::case::NOW;

/// The plan of one call.
#[derive(Debug)]
pub(super) struct Plan<'a> {
    words: String,
    undone: &'a BTreeSet<usize>,
    allowed: &'a Choices,
    edits: usize,
    choices: BTreeMap<String, String>,
}

/// What a maker gives.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) now: String,
    pub(super) input: Value,
    pub(super) check: Option<Value>,
}

impl Made {
    /// A call at the usual clock.
    pub(super) fn new(input: Value) -> Self {
        Self { now: NOW.into(), input, check: None }
    }
}

impl<'a> Plan<'a> {
    pub(super) fn new(words: String, undone: &'a BTreeSet<usize>, allowed: &'a Choices) -> Self {
        Self { words, undone, allowed, edits: 0, choices: BTreeMap::new() }
    }

    /// The same plan from its beginning.
    pub(super) fn again(&self) -> Self {
        Self::new(self.words.clone(), self.undone, self.allowed)
    }

    /// The generator of a part.
    pub(super) fn draw(&self, part: &str) -> Draw {
        Draw::new(format!("{} {part}", self.words))
    }

    /// The generators of the edits of a part: none in two of five calls, else one to three.
    pub(super) fn edits(&mut self, part: &str) -> Vec<Draw> {
        let mut draw = self.draw(&format!("{part}: how many edits"));
        let count = match draw.below(100) {
            0..42 => 0,
            42..78 => 1,
            78..92 => 2,
            _ => 3,
        };
        self.exactly(part, count)
    }

    /// So many generators of edits, less those that are undone.
    pub(super) fn exactly(&mut self, part: &str, count: usize) -> Vec<Draw> {
        let from = self.edits;
        self.edits += count;
        (from..self.edits)
            .filter(|slot| !self.undone.contains(slot))
            .map(|slot| self.draw(&format!("{part}: edit {slot}")))
            .collect()
    }

    /// Draws a value of a named choice; nothing where there is no value to draw from.
    pub(super) fn choose(&mut self, name: &str) -> Option<String> {
        let value = self.draw(name).one(self.allowed.get(name)?)?.clone();
        self.choices.insert(name.into(), value.clone());
        Some(value)
    }

    /// Takes over the choices of a case.
    pub(super) fn choices(&mut self, choices: &BTreeMap<String, String>) {
        self.choices.extend(choices.clone());
    }

    /// The choices drawn, and the number of edits.
    pub(super) fn end(self) -> (BTreeMap<String, String>, usize) {
        (self.choices, self.edits)
    }
}
