//! Forged calls: inputs without an expected answer, for putting the same call to two subjects.
//!
//! A call is made from its op, a seed and a number alone. Its input is right at first; then edits are made, each
//! drawn from a generator of its own, so that one edit can be undone and the others stay. Whatever is signed or
//! encrypted is signed and encrypted after the edits, unless the edit is about that.

mod binding;
mod bytes;
mod certificate;
mod claims;
mod config;
mod create;
mod csr;
mod der_tree;
mod draw;
mod expect;
mod hardware_key;
mod history;
mod identifier;
mod json_text;
mod mutate;
mod pin;
mod plan;
mod protobuf;
mod refusal;
mod response;
mod seal;
mod seal_crypto;
mod seal_header;
mod signature;
mod token;
mod ttl;
mod wellknown;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

pub use self::history::history;
use self::plan::{Made, Plan};
use crate::schema::{Case, Kind};

/// The named choices with the values to draw from.
pub type Choices = BTreeMap<String, Vec<String>>;

/// One forged call.
#[derive(Clone, Debug, PartialEq)]
pub struct Forged {
    /// The op.
    pub op: String,
    /// The call's clock, RFC 3339 UTC with milliseconds.
    pub now: String,
    /// The op's input.
    pub input: Value,
    /// The value drawn of each named choice that takes part.
    pub choices: BTreeMap<String, String>,
    /// Of an output that holds randomness, what any right one satisfies: an expected output with matchers.
    pub check: Option<Value>,
    /// The edits made: any of the numbers below it can be undone.
    pub edits: usize,
}

type Maker = fn(&mut Plan<'_>) -> Made;

/// Every op that has a forge.
const MAKERS: &[(&str, Maker)] = &[
    ("token.parse", token::parse),
    ("token.read", token::read),
    ("token.ttl", ttl::ttl),
    ("token.id", token::id),
    ("token.create", create::create),
    ("token.admit", token::admit),
    ("seal.open", seal::open),
    ("seal.make", seal::make),
    ("binding.hash", binding::hash),
    ("binding.check", binding::check),
    ("csr.check", csr::check),
    ("csr.make", csr::make),
    ("claims.normalize", claims::normalize),
    ("smbios.uuid", claims::smbios),
    ("hwkey.derive", hardware_key::derive),
    ("hwkey.admit", hardware_key::admit),
    ("expect.match", expect::matching),
    ("join.check", refusal::check),
    ("signature.bytes", signature::bytes),
    ("signature.make", signature::make),
    ("signature.verify", signature::verify),
    ("join.response.sign", response::sign),
    ("join.response.verify", response::verify),
    ("deferral.verify", response::deferral),
    ("pin.parse", pin::parse),
    ("pin.match", pin::matching),
    ("keys.select", wellknown::select),
    ("config.load", config::load),
];

/// The ops that can be forged, in the order of the contract.
#[must_use]
pub fn ops() -> Vec<&'static str> {
    MAKERS.iter().map(|(op, _)| *op).collect()
}

/// Makes calls.
#[derive(Clone, Debug)]
pub struct Forge {
    inputs: BTreeMap<String, Vec<Model>>,
    choices: Choices,
}

/// A call of a case: the start of a mutation.
#[derive(Clone, Debug)]
struct Model {
    now: String,
    choices: BTreeMap<String, String>,
    input: Value,
}

impl Forge {
    /// A forge that also mutates the calls of these cases, and draws choices from these values.
    #[must_use]
    pub fn new(cases: &[Case], choices: Choices) -> Self {
        let mut inputs: BTreeMap<String, Vec<Model>> = BTreeMap::new();
        let allowed = |case: &&Case| {
            case.choice.iter().all(|(name, value)| choices.get(name).is_some_and(|them| them.contains(value)))
        };
        for case in cases.iter().filter(|case| case.kind == Kind::Function).filter(allowed) {
            let model = |input: &Value| Model {
                now: case.now.clone(),
                choices: case.choice.clone(),
                input: input.clone(),
            };
            inputs
                .entry(case.op.clone())
                .or_default()
                .extend(case.calls().iter().map(|call| model(call.input)));
        }
        Self { inputs, choices }
    }

    /// The call of this number; the edits in `undone` are left out. `None` for an op without a forge.
    #[must_use]
    pub fn make(&self, op: &str, seed: u64, number: u64, undone: &BTreeSet<usize>) -> Option<Forged> {
        let (_, maker) = MAKERS.iter().find(|(name, _)| *name == op)?;
        let mut plan = Plan::new(format!("{op} {seed} {number}"), undone, &self.choices);
        let models = self.inputs.get(op).map(Vec::as_slice).unwrap_or_default();
        let mut source = plan.draw("source");
        // A case whose output holds randomness has no check here, so its op is forged alone.
        let mutate = source.chance(10) && !models.is_empty() && maker(&mut plan.again()).check.is_none();
        let made = if mutate { mutate::call(&mut plan, &mut source, models) } else { maker(&mut plan) };
        let (choices, edits) = plan.end();
        Some(Forged { op: op.into(), now: made.now, input: made.input, choices, check: made.check, edits })
    }
}

#[cfg(test)]
mod tests;
