//! A join and everything that it leaves behind; a refused one leaves its event alone.

use serde_json::json;

use crate::case::{Entry, NOW};
use crate::script::{join, joined, refused, script_accept, script_reject};
use crate::testkit::world::{Grant, World, grant, machine, serial};

/// The plain join, the twin of the refused ones.
const GOOD: &str = "admission/token-join";

pub(super) fn entries() -> Vec<Entry> {
    vec![good(), expect_keeps_the_use()]
}

/// A token bound to the product serial of a machine.
fn token_for(name: &str) -> Grant {
    grant("admission").with("expect", json!({"serial": serial(name)}))
}

fn good() -> Entry {
    let token = token_for("a");
    script_accept(
        GOOD,
        "ADMISSION-1",
        "A token join takes one use and leaves a node, a certificate, an event and an audit row.",
    )
    .also("ADMISSION-5")
    .also("CERTIFICATE-5")
    .documented()
    .world(&World::usual().token(&token))
    .step("join", NOW, join(&machine("a"), &token), joined("n1"))
    .why("Every row, event and member of a plain join: what is missing here is missing from every join.")
    .recipe("An honest CSR and seal of a machine whose serial is the one that the token expects.")
}

fn expect_keeps_the_use() -> Entry {
    let token = token_for("another");
    script_reject(
        "admission/expect-keeps-the-use",
        "ADMISSION-2",
        "A join that does not match the token's expect binding is refused, and the token keeps its use.",
    )
    .documented()
    .world(&World::usual().token(&token))
    .step("join", NOW, join(&machine("a"), &token), refused("expect"))
    .twin(GOOD, &["/world/tokens/0/expect/serial"], "The token expects the serial of another machine.")
    .why("A token that is consumed by the wrong machine leaves the right one outside.")
    .recipe("As the twin, with a token bound to another serial.")
}
