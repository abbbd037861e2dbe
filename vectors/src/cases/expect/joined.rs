//! The token's binding in whole joins: a mismatch takes no use (EXPECT-3).

use serde_json::json;

use crate::case::{Entry, NOW};
use crate::script::{join, joined, refused, script_accept, script_reject};
use crate::testkit::world::{Grant, World, grant, machine, serial};

const EXPECTED: &str = "expect/expected-machine-joins";
const RECIPE: &str = "A token bound to a serial, and machines that have it or not.";

pub(super) fn entries() -> Vec<Entry> {
    vec![expected(), unexpected(), after_another()]
}

fn token() -> Grant {
    grant("pinned").with("expect", json!({"serial": serial("a")}))
}

fn expected() -> Entry {
    script_accept(EXPECTED, "EXPECT-3", "The machine that a token expects joins by it.")
        .world(&World::usual().token(&token()))
        .step("join", NOW, join(&machine("a"), &token()), joined("n1"))
        .why("The join that the others differ from.")
        .recipe(RECIPE)
}

fn unexpected() -> Entry {
    let token = token().with("expect", json!({"serial": serial("b")}));
    let title = "A machine that a token does not expect is refused, and the token keeps its use.";
    script_reject("expect/unexpected-machine-keeps-the-use", "EXPECT-3", title)
        .documented()
        .world(&World::usual().token(&token))
        .step("join", NOW, join(&machine("a"), &token), refused("expect"))
        .twin(EXPECTED, &["/world/tokens/0/expect/serial"], "The token expects another machine.")
        .why("A mismatch refuses without consuming the token: the expected machine may still come.")
        .recipe(RECIPE)
}

fn after_another() -> Entry {
    script_accept(
        "expect/expected-machine-after-another",
        "EXPECT-3",
        "The expected machine joins by the only use after another was refused.",
    )
    .documented()
    .world(&World::usual().token(&token()))
    .step("another", NOW, join(&machine("b"), &token()), refused("expect"))
    .step("expected", NOW, join(&machine("a"), &token()), joined("n1"))
    .why("The use that the other join took under the lock is undone.")
    .recipe(RECIPE)
}
