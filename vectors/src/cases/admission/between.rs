//! What happens between the two readings of a join, and is or is not a race (ADMISSION-3, ADMISSION-4).

use serde_json::json;

use crate::case::{Entry, NOW};
use crate::script::{
    Join, accepted, answered_again, join, joined, reclaimed, refused, renew, renewed, retire, retired,
    script_accept, script_reject,
};
use crate::testkit::world::{Enrolled, Grant, World, enrolled, grant, machine, node};

const GOOD: &str = "admission/nothing-between";
const COUNT: &str = "admission/uses-around-a-race";
const RECIPE: &str = "A join in two halves, with other calls between them.";

pub(super) fn entries() -> Vec<Entry> {
    let mut entries = vec![
        nothing(),
        renewal(),
        other_machine(),
        other_node(),
        came_and_went(),
        came_and_went_refused(),
        refused_reclaim(),
        uses(),
        uses_and_one_more(),
        answers_take_no_use(),
    ];
    entries.extend(first_half_judges_nothing());
    entries
}

fn token() -> Grant {
    grant("between").uses(3).reclaims()
}

fn old() -> Enrolled {
    enrolled("a", &machine("a"), "2025-12-31T12:00:00Z")
}

fn known() -> World {
    World::usual().token(&token()).enrolled(&old())
}

fn first() -> Join {
    join(&machine("a").rekeyed("first"), &token())
}

/// The join has begun.
fn begun(entry: Entry, world: &World) -> Entry {
    entry.world(world).step("begin", NOW, first().begin("a"), accepted(json!({}))).recipe(RECIPE)
}

fn nothing() -> Entry {
    begun(
        script_accept(GOOD, "ADMISSION-4", "A join of a known machine in two halves takes its node over."),
        &known(),
    )
    .step("finish", NOW, first().finish("a"), reclaimed(&node("a"), "c1"))
    .why("The join that the others of this file differ from.")
}

fn renewal() -> Entry {
    let title = "A renewal between the halves of a join is no race: the generation is the same.";
    begun(script_accept("admission/renewal-between", "ADMISSION-4", title), &known())
        .also("RECLAIM-3")
        .step("renew", NOW, renew(&machine("a").rekeyed("renewed"), &old(), &old().key), renewed("c1"))
        .step("finish", NOW, first().finish("a"), reclaimed(&node("a"), "c2"))
        .why("Node and generation are compared, nothing else; the renewed certificate is revoked with the other.")
}

fn other_machine() -> Entry {
    let title = "A join of another machine between the halves is no race.";
    begun(script_accept("admission/other-machine-between", "ADMISSION-4", title), &known())
        .step("other", NOW, join(&machine("b"), &token()), joined("n1"))
        .step("finish", NOW, first().finish("a"), reclaimed(&node("a"), "c1"))
        .why("Only what the machine's own key belongs to is read.")
}

fn other_node() -> Entry {
    let title = "A machine whose node was retired and that became another node meanwhile has raced.";
    begun(script_reject("admission/another-node-between", "ADMISSION-4", title), &known())
        .choice("reclaim.retired", "new-node")
        .step("retire", NOW, retire(&node("a")), retired(&node("a")))
        .step("other", NOW, join(&machine("a").rekeyed("other"), &token()), joined("n1"))
        .step("finish", NOW, first().finish("a"), refused("CONFLICT"))
        .twin(
            GOOD,
            &["/steps/1", "/steps/2", "/steps/3"],
            "The node is retired and the machine joins as new before the join finishes.",
        )
        .why("Both nodes are of generation 1: who compares generations alone takes the new node over.")
}

/// A node came and went between the halves.
fn gone(entry: Entry) -> Entry {
    begun(entry, &World::usual().token(&token()))
        .step("other", NOW, join(&machine("a").rekeyed("other"), &token()), joined("n1"))
        .step("retire", NOW, retire("$n1"), retired("$n1"))
}

fn came_and_went() -> Entry {
    let title =
        "A node of the machine that came and was retired between the halves leaves both readings alike.";
    gone(script_accept("admission/came-and-went-between", "ADMISSION-4", title))
        .also("RECLAIM-4")
        .choice("reclaim.retired", "new-node")
        .step("finish", NOW, first().finish("a"), joined("n2"))
        .why("No live node before, none under the lock: what lay between is nobody's any more.")
}

fn came_and_went_refused() -> Entry {
    let title =
        "Where a retired node's key is refused, so it is after a node came and went between the halves.";
    gone(script_reject("admission/came-and-went-refused", "ADMISSION-4", title))
        .also("RECLAIM-4")
        .choice("reclaim.retired", "refuse")
        .step("finish", NOW, first().finish("a"), refused("reclaim"))
        .twin(
            GOOD,
            &["/world/nodes", "/world/certs", "/steps/1", "/steps/2", "/steps/3"],
            "The machine's node came and went between the halves.",
        )
        .why("The readings agree, so it is no conflict, and the rules of reclaim are asked.")
}

fn refused_reclaim() -> Entry {
    let other = grant("no reclaim");
    let title = "A refused join of the same machine between the halves is no race.";
    begun(script_accept("admission/refused-between", "ADMISSION-4", title), &known().token(&other))
        .also("ADMISSION-2")
        .step("other", NOW, join(&machine("a").rekeyed("other"), &other), refused("reclaim"))
        .step("finish", NOW, first().finish("a"), reclaimed(&node("a"), "c1"))
        .why("A refusal changes nothing, so there is nothing to notice.")
}

/// Two joins of one machine race by a token of two uses; another machine takes the use that the loser got back.
fn counted(entry: Entry) -> Entry {
    let token = grant("count").uses(2);
    let (a, b) = (join(&machine("a"), &token), join(&machine("a").rekeyed("second"), &token));
    entry
        .world(&World::usual().token(&token))
        .step("a-begins", NOW, a.clone().begin("a"), accepted(json!({})))
        .step("b-begins", NOW, b.clone().begin("b"), accepted(json!({})))
        .step("a-finishes", NOW, a.finish("a"), joined("n1"))
        .step("b-finishes", NOW, b.finish("b"), refused("CONFLICT"))
        .step("c", NOW, join(&machine("c"), &token), joined("n2"))
        .recipe(RECIPE)
}

fn uses() -> Entry {
    let title = "The use that the loser of a race got back admits another machine.";
    counted(script_accept(COUNT, "ADMISSION-3", title))
        .also("ADMISSION-4")
        .why("Two admissions by a token of two uses, whatever was tried between them.")
}

fn uses_and_one_more() -> Entry {
    let token = grant("count").uses(2);
    let title = "After a race and another machine's join a token of two uses is used up.";
    counted(script_reject("admission/uses-around-a-race-one-more", "ADMISSION-3", title))
        .also("ADMISSION-4")
        .step("d", NOW, join(&machine("d"), &token), refused("token-used"))
        .twin(COUNT, &["/steps/5"], "One more machine joins.")
        .why("The conflict gave back one use and not two: a fix for lost uses must not oversell.")
}

fn answers_take_no_use() -> Entry {
    let token = grant("answers").uses(2);
    let title = "A stored answer takes no use: a token of two uses still admits a second machine after it.";
    script_accept("admission/stored-answer-takes-no-use", "ADMISSION-3", title)
        .also("SEAL-8")
        .choice("seal.resend", "stored-answer")
        .world(&World::usual().token(&token))
        .step("join", NOW, join(&machine("a"), &token), joined("n1"))
        .step("again", NOW, join(&machine("a"), &token), answered_again("join"))
        .step("second", NOW, join(&machine("b"), &token), joined("n2"))
        .why("Answers get lost on the way; a use for each resend strands the rest of the batch.")
        .recipe("The same octets twice, then another machine.")
}

/// What is bad in a request is told by the second half.
fn first_half_judges_nothing() -> Vec<Entry> {
    let bad: [(&str, Join, &str, &str); 5] = [
        ("attestor", first().attestor("none"), "attestor", "/steps/0/request/attestor"),
        ("role", first().role("admin"), "role-invalid", "/steps/0/request/role"),
        ("csr", first().with("/csr", ""), "csr", "/steps/0/request/csr"),
        (
            "claims",
            first().with("/claims/productUuid", "_w"),
            "claims",
            "/steps/0/request/claims/productUuid",
        ),
        ("seal", first().with("/seal", ""), "seal", "/steps/0/request/seal"),
    ];
    bad.map(|(name, join, reason, at)| {
        let finish = if name == "csr" { first().csr(Vec::new()) } else { join.clone() };
        let title = format!("A request that is refused as {reason} is refused in its second half, after the reading.");
        script_reject(&format!("admission/second-half-refuses-{name}"), "ADMISSION-1", &title)
            .world(&known())
            .step("begin", NOW, join.begin("a"), accepted(json!({})))
            .step("finish", NOW, finish.finish("a"), refused(reason))
            .twin(GOOD, &[at], "One member of the request is bad.")
            .why("The reading before the lock decides nothing: its failure must not be another answer than the refusal.")
            .recipe(RECIPE)
    })
    .into()
}
