//! A token lets so many machines join, and no join that fails takes a use (ADMISSION-2, ADMISSION-3).

use serde_json::json;

use crate::case::{Entry, NOW};
use crate::script::{join, joined, refused, script_accept, script_reject};
use crate::testkit::world::{Grant, World, grant, machine, pool, serial};

/// A token of two uses, used up.
const LAST: &str = "admission/last-use";
/// One use, one join.
const ONE: &str = "admission/one-use-left";

pub(super) fn entries() -> Vec<Entry> {
    vec![
        last(),
        one_more(),
        one_left(),
        none_left(),
        one_left_then_one_more(),
        same_machine_again(),
        refused_in_between(),
        another_token(),
    ]
}

/// Two machines by a token of two uses.
fn both(entry: Entry) -> Entry {
    let token = grant("uses").uses(2);
    entry
        .world(&World::usual().token(&token))
        .step("first", NOW, join(&machine("a"), &token), joined("n1"))
        .step("second", NOW, join(&machine("b"), &token), joined("n2"))
        .recipe("A token of two uses; each machine sends its own CSR and seal.")
}

fn last() -> Entry {
    both(script_accept(
        LAST,
        "ADMISSION-3",
        "A token of two uses lets two machines join, the second with its last use.",
    ))
    .documented()
    .why("One use for each join: a token that runs out early strands a machine of the batch.")
}

fn one_more() -> Entry {
    let title = "The third machine of a token of two uses is refused, and the token stays at none.";
    let token = grant("uses").uses(2);
    both(script_reject("admission/one-join-too-many", "ADMISSION-3", title))
        .documented()
        .step("third", NOW, join(&machine("c"), &token), refused("token-used"))
        .twin(LAST, &["/steps/2"], "A third machine joins with the same token.")
        .why("A join system that checks the count outside the transaction that counts oversells the token.")
}

/// One join of a token of three uses with so many left.
fn left(uses: u32) -> Grant {
    grant("uses left").uses(3).with("usesLeft", uses)
}

fn one_left() -> Entry {
    let token = left(1);
    script_accept(ONE, "ADMISSION-3", "A token of three uses with one left lets one machine join.")
        .documented()
        .world(&World::usual().token(&token))
        .step("join", NOW, join(&machine("a"), &token), joined("n1"))
        .why("What counts is what is left, whatever the token began with.")
        .recipe("A token whose row has maxUses 3 and one use left.")
}

fn none_left() -> Entry {
    let token = left(0);
    script_reject("admission/no-use-left", "ADMISSION-3", "A token of three uses with none left is refused.")
        .documented()
        .world(&World::usual().token(&token))
        .step("join", NOW, join(&machine("a"), &token), refused("token-used"))
        .twin(ONE, &["/world/tokens/0/usesLeft"], "No use is left.")
        .why("A server that compares with maxUses lets a used token in for ever.")
        .recipe("A token whose row has maxUses 3 and no use left.")
}

fn one_left_then_one_more() -> Entry {
    let token = left(1);
    let title = "After the last use the next machine is refused, although maxUses is three.";
    script_reject("admission/after-the-last-use", "ADMISSION-3", title)
        .documented()
        .world(&World::usual().token(&token))
        .step("join", NOW, join(&machine("a"), &token), joined("n1"))
        .step("next", NOW, join(&machine("b"), &token), refused("token-used"))
        .twin(ONE, &["/steps/1"], "A second machine joins with the same token.")
        .why("Uses left plus committed admissions is maxUses at every moment.")
        .recipe("A token whose row has maxUses 3 and one use left.")
}

fn same_machine_again() -> Entry {
    let token = left(1);
    let title = "The machine that took the last use is refused too when it comes with another seal.";
    script_reject("admission/last-use-same-machine", "ADMISSION-3", title)
        .world(&World::usual().token(&token))
        .step("join", NOW, join(&machine("a"), &token), joined("n1"))
        .step("again", NOW, join(&machine("a"), &token).fresh("again"), refused("token-used"))
        .twin(ONE, &["/steps/1"], "The same machine joins again with a new seal.")
        .why("Only a stored answer takes no use; a new seal is a new join and is counted before it is looked up.")
        .recipe("A token whose row has maxUses 3 and one use left.")
}

fn refused_in_between() -> Entry {
    let token = grant("uses").uses(1).with("expect", json!({"serial": serial("a")}));
    let title = "A token of one use still lets its machine join after others were refused.";
    script_accept("admission/use-left-after-refusals", "ADMISSION-2", title)
        .also("ADMISSION-3")
        .documented()
        .world(&World::usual().token(&token))
        .step("wrong", NOW, join(&machine("b"), &token), refused("expect"))
        .step("wrong-role", NOW, join(&machine("a"), &token).role("site"), refused("token-role"))
        .step("right", NOW, join(&machine("a"), &token), joined("n1"))
        .why("A stranger that holds the token of another machine could otherwise use it up.")
        .recipe("A token bound to a machine's serial; another machine first, then this one in another role, then in its own.")
}

fn another_token() -> Entry {
    let (first, second) = (grant("first"), grant("second"));
    let title = "Two tokens of one pool are counted each for itself.";
    script_accept("admission/two-tokens-of-a-pool", "ADMISSION-3", title)
        .world(&World::usual().token(&first).token(&second))
        .step("first", NOW, join(&machine("a"), &first), joined("n1"))
        .step("used", NOW, join(&machine("b"), &first), refused("token-used"))
        .step(
            "second",
            NOW,
            join(&machine("b"), &second),
            joined("n2").with("/effects/nodes/0/poolId", pool("a")),
        )
        .why(
            "The use belongs to the token's row; a counter of the pool would let one token use up the other.",
        )
        .recipe("Two tokens of one use; the second machine tries the used one first.")
}
