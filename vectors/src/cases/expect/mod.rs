//! EXPECT: a token pinned to a machine.

mod equality;
mod identifier;
mod joined;
mod placeholder;
mod several;
mod wrong_claims;

use serde_json::{Value, json};

use crate::case::{Entry, accept, reject};
use crate::testkit::claims::full;
use crate::testkit::request::claims;

const OP: &str = "expect.match";
const FULL: &str = "expect/all-four";
const RECIPE: &str = "A join-token join with these claims by a token whose row holds this expect.";

/// The cases of this step.
pub(crate) fn cases() -> Vec<Entry> {
    [
        identifier::entries(),
        several::entries(),
        equality::entries(),
        placeholder::entries(),
        wrong_claims::entries(),
        joined::entries(),
    ]
    .concat()
}

fn good(id: &str, rule: &str, title: &str) -> Entry {
    accept(id, rule, title).family(OP).recipe(RECIPE)
}

fn bad(id: &str, rule: &str, title: &str) -> Entry {
    reject(id, rule, "expect", title).family(OP).refused().recipe(RECIPE)
}

/// The op's input; the claims in plain text.
#[expect(clippy::needless_pass_by_value, reason = "called with json! literals")]
fn input(expect: Value, plain: Value) -> Value {
    json!({"expect": expect, "claims": claims(plain)})
}

/// The op's input for the machine that claims everything.
#[expect(clippy::needless_pass_by_value, reason = "called with a json! literal")]
fn of_full(expect: Value) -> Value {
    json!({"expect": expect, "claims": full()})
}

/// A row that matches.
fn yes(entry: Entry, name: &str, input: Value) -> Entry {
    entry.row(name, input, json!({}))
}
