//! Only configured attestors attest, and only the named one's evidence is looked at (ADMISSION-7).

use serde_json::json;

use crate::case::{Entry, NOW};
use crate::script::{Join, join, joined, reclaimed, refused, script_accept, script_reject, x509pop};
use crate::testkit::encode::b64u;
use crate::testkit::world::{Enrolled, Grant, World, enrolled, grant, machine, node};

const TOKEN: &str = "admission/token-beside-other-evidence";
const BACK: &str = "admission/x509pop-beside-a-seal";
const RECIPE: &str =
    "A world with the attestors join-token and x509pop, a token, and a node with an expired certificate.";

pub(super) fn entries() -> Vec<Entry> {
    vec![
        token_beside(),
        back_beside(),
        back_beside_a_good_seal(),
        token_without_evidence(),
        token_with_the_others_evidence(),
        back_without_evidence(),
        back_with_the_others_evidence(),
        token_not_configured(),
        back_not_configured(),
        back_alone(),
    ]
}

fn token() -> Grant {
    grant("evidence")
}

fn expired() -> Enrolled {
    enrolled("a", &machine("a"), "2025-12-30T12:00:00Z")
}

fn world() -> World {
    World::usual().token(&token()).enrolled(&expired())
}

/// Another machine by the token, with evidence of x509pop that is none.
fn by_token() -> Join {
    join(&machine("b"), &token()).with("/x509pop", json!({"chain": [], "clientTimeMs": 0, "popSig": ""}))
}

/// The node's machine by its certificate, with a seal that is none.
fn by_certificate() -> Join {
    x509pop(&machine("a").rekeyed("back"), &expired(), &expired().key).with("/seal", b64u("no seal"))
}

fn token_beside() -> Entry {
    script_accept(TOKEN, "ADMISSION-7", "A token join ignores evidence of x509pop beside its seal.")
        .world(&world())
        .step("join", NOW, by_token(), joined("n1"))
        .why("What another attestor would say of it is no business of the one that is named.")
        .recipe(RECIPE)
}

fn back_beside() -> Entry {
    script_accept(
        BACK,
        "ADMISSION-7",
        "An x509pop join ignores a seal beside its evidence, though it opens to nothing.",
    )
    .also("X509POP-1")
    .world(&world())
    .step("join", NOW, by_certificate(), reclaimed(&node("a"), "c1"))
    .why("A relay can add a member; it must not be able to refuse the machine by it.")
    .recipe(RECIPE)
}

fn back_beside_a_good_seal() -> Entry {
    let seal = |join: Join| {
        let machine = machine("a").rekeyed("back");
        let json = crate::script::Request::from(crate::script::join(&machine, &token())).json(NOW);
        join.with("/seal", json["seal"].clone())
    };
    let title = "An x509pop join takes no use of a token whose good seal lies beside its evidence.";
    script_accept("admission/x509pop-beside-a-good-seal", "ADMISSION-7", title)
        .also("ADMISSION-3")
        .world(&world())
        .step("back", NOW, seal(by_certificate()), reclaimed(&node("a"), "c1"))
        .step("join", NOW, join(&machine("b"), &token()), joined("n1"))
        .why("The token is still good afterwards: nothing of the seal was looked at.")
        .recipe(RECIPE)
}

fn token_case(name: &str, title: &str, join: Join, reason: &str, at: &[&str], what: &str) -> Entry {
    script_reject(&format!("admission/{name}"), "ADMISSION-7", title)
        .world(&world())
        .step("join", NOW, join, refused(reason))
        .twin(TOKEN, at, what)
        .recipe(RECIPE)
}

fn token_without_evidence() -> Entry {
    let title = "A token join without a seal is refused as a bad seal.";
    let join = by_token().without("/seal");
    token_case("no-seal", title, join, "seal", &["/steps/0/request/seal"], "There is no seal.")
        .why("Absent evidence has the attestor's own word, so that the event says what is missing.")
}

fn token_with_the_others_evidence() -> Entry {
    let title = "Under the name join-token a good proof of x509pop is no evidence.";
    let join = by_certificate().attestor("").without("/seal");
    token_case(
        "proof-under-join-token",
        title,
        join,
        "seal",
        &["/steps/0/request"],
        "The evidence is that of x509pop.",
    )
    .why("An implementation that takes whichever evidence is there lets the sender choose the policy.")
}

fn back_case(name: &str, title: &str, join: Join, reason: &str, at: &[&str], what: &str) -> Entry {
    script_reject(&format!("admission/{name}"), "ADMISSION-7", title)
        .world(&world())
        .step("join", NOW, join, refused(reason))
        .twin(BACK, at, what)
        .recipe(RECIPE)
}

fn back_without_evidence() -> Entry {
    let title = "An x509pop join without evidence is refused for its chain.";
    let join = by_certificate().without("/x509pop");
    back_case("no-proof", title, join, "pop-chain", &["/steps/0/request/x509pop"], "There is no evidence.")
        .why("Absent evidence has the attestor's own word, so that the event says what is missing.")
}

fn back_with_the_others_evidence() -> Entry {
    let title = "Under the name x509pop a good seal is no evidence, and the token keeps its use.";
    let join = join(&machine("b"), &token()).attestor("x509pop");
    back_case(
        "seal-under-x509pop",
        title,
        join,
        "pop-chain",
        &["/steps/0/request"],
        "The evidence is a good seal.",
    )
    .why("The name decides what is looked at.")
}

fn token_not_configured() -> Entry {
    let title =
        "A token join on a server that has x509pop alone is refused, and the event's attestor is unknown.";
    script_reject("admission/token-not-configured", "ADMISSION-7", title)
        .also("REFUSAL-2")
        .documented()
        .world(&world().set("/attestors", json!(["x509pop"])))
        .step("join", NOW, by_token(), refused("attestor"))
        .twin(TOKEN, &["/world/attestors"], "join-token is not configured.")
        .why("An operator who turns tokens off must be able to rely on it; the token keeps its use.")
        .recipe(RECIPE)
}

fn back_not_configured() -> Entry {
    let title =
        "An x509pop join on a server that has join-token alone is refused, and the node stays as it is.";
    script_reject("admission/x509pop-unconfigured", "ADMISSION-7", title)
        .also("X509POP-1")
        .documented()
        .world(&world().set("/attestors", json!(["join-token"])))
        .step("join", NOW, by_certificate(), refused("attestor"))
        .twin(BACK, &["/world/attestors"], "x509pop is not configured.")
        .why("Without the attestor an expired certificate is worth nothing, however good the proof.")
        .recipe(RECIPE)
}

fn back_alone() -> Entry {
    let title = "An x509pop join is admitted on a server that has x509pop alone.";
    script_accept("admission/x509pop-alone", "ADMISSION-7", title)
        .world(&world().set("/attestors", json!(["x509pop"])))
        .step("join", NOW, by_certificate(), reclaimed(&node("a"), "c1"))
        .why("Each attestor is configured for itself; x509pop needs no tokens.")
        .recipe(RECIPE)
}
