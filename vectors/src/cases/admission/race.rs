//! Joins of one machine that race each other (ADMISSION-4): what is read before the lock is compared under it.

use serde_json::json;

use crate::case::{Entry, NOW};
use crate::script::{
    Join, accepted, join, joined, reclaimed, refused, retire, retired, script_accept, script_reject, x509pop,
};
use crate::testkit::world::{Enrolled, Grant, World, enrolled, grant, machine, node};

/// Two joins one after the other: the second takes the node over.
const GOOD: &str = "admission/one-after-the-other";
/// Two joins of a known machine, one after the other.
const KNOWN: &str = "admission/known-one-after-the-other";
const RECIPE: &str = "Joins in two halves: the reading before the lock, and the rest.";

pub(super) fn entries() -> Vec<Entry> {
    vec![
        good(),
        new_machine(),
        reclaim_would_refuse(),
        loser_again(),
        loser_without_reclaim(),
        known(),
        known_machine(),
        known_loser_again(),
        two_tokens(),
        two_tenants(),
        before_the_pool(),
        retired_meanwhile(),
        certificate_meanwhile(),
        three(),
    ]
}

fn token() -> Grant {
    grant("race").uses(2).reclaims()
}

/// The machine's first request, and its second with another key.
fn first(token: &Grant) -> Join {
    join(&machine("a"), token)
}

fn second(token: &Grant) -> Join {
    join(&machine("a").rekeyed("second"), token)
}

fn good() -> Entry {
    let token = token();
    script_accept(
        GOOD,
        "ADMISSION-4",
        "A join that begins after the other's commit is no race: it takes the node over.",
    )
    .also("RECLAIM-3")
    .world(&World::usual().token(&token))
    .step("a-begins", NOW, first(&token).begin("a"), accepted(json!({})))
    .step("a-finishes", NOW, first(&token).finish("a"), joined("n1"))
    .step("b-begins", NOW, second(&token).begin("b"), accepted(json!({})))
    .step("b-finishes", NOW, second(&token).finish("b"), reclaimed("$n1", "c2"))
    .why("What b reads before its lock is what it reads under it: the node that a made.")
    .recipe(RECIPE)
}

/// Both begin, then a ends in a new node.
fn raced(entry: Entry, token: &Grant, world: &World) -> Entry {
    entry
        .world(world)
        .step("a-begins", NOW, first(token).begin("a"), accepted(json!({})))
        .step("b-begins", NOW, second(token).begin("b"), accepted(json!({})))
        .step("a-finishes", NOW, first(token).finish("a"), joined("n1"))
        .recipe(RECIPE)
}

fn new_machine() -> Entry {
    let token = token();
    let title =
        "Two joins of one new machine race: one makes the node, the other is a conflict and costs no use.";
    raced(
        script_reject("admission/race-of-a-new-machine", "ADMISSION-4", title),
        &token,
        &World::usual().token(&token),
    )
    .also("ADMISSION-3")
    .documented()
    .step("b-finishes", NOW, second(&token).finish("b"), refused("CONFLICT"))
    .twin(GOOD, &["/steps/1", "/steps/2"], "b begins before a has finished.")
    .why("A machine that sends twice at once must neither become two nodes nor take itself over at once.")
}

fn reclaim_would_refuse() -> Entry {
    let token = grant("race").uses(2);
    let title = "A lost race is a conflict also where the rules of reclaim would refuse.";
    raced(
        script_reject("admission/race-without-allow-reclaim", "ADMISSION-4", title),
        &token,
        &World::usual().token(&token),
    )
    .step("b-finishes", NOW, second(&token).finish("b"), refused("CONFLICT"))
    .twin(GOOD, &["/world/tokens/0/allowReclaim", "/steps/1", "/steps/2"], "b begins before a has finished; no reclaim is allowed.")
    .why("The comparison comes before the rules: a machine that lost to itself is no stranger and leaves no event.")
}

fn loser_again() -> Entry {
    let token = token();
    let title = "The loser of a race sends the same octets again and takes the node over.";
    raced(
        script_accept("admission/race-loser-again", "ADMISSION-4", title),
        &token,
        &World::usual().token(&token),
    )
    .also("SEAL-8")
    .step("b-finishes", NOW, second(&token).finish("b"), refused("CONFLICT"))
    .step("b-again", NOW, second(&token), reclaimed("$n1", "c2"))
    .why("The conflict took no use and stored no answer, so that the retry that it asks for succeeds.")
}

fn loser_without_reclaim() -> Entry {
    let token = grant("race").uses(2);
    let title = "The loser of a race that sends again without allowReclaim is refused.";
    raced(
        script_reject("admission/race-loser-again-without-allow-reclaim", "ADMISSION-4", title),
        &token,
        &World::usual().token(&token),
    )
    .also("RECLAIM-2")
    .step("b-finishes", NOW, second(&token).finish("b"), refused("CONFLICT"))
    .step("b-again", NOW, second(&token), refused("reclaim"))
    .twin("admission/race-loser-again", &["/world/tokens/0/allowReclaim"], "The token allows no reclaim.")
    .why("The second time nothing changes between the two readings: it is no race, and the rules of reclaim decide.")
}

fn old() -> Enrolled {
    enrolled("a", &machine("a"), "2025-12-31T12:00:00Z")
}

fn known() -> Entry {
    let token = token();
    script_accept(
        KNOWN,
        "ADMISSION-4",
        "Two joins of a known machine one after the other take it over twice.",
    )
    .also("RECLAIM-3")
    .world(&World::usual().token(&token).enrolled(&old()))
    .step("a-begins", NOW, first(&token).begin("a"), accepted(json!({})))
    .step("a-finishes", NOW, first(&token).finish("a"), reclaimed(&node("a"), "c1"))
    .step("b-begins", NOW, second(&token).begin("b"), accepted(json!({})))
    .step("b-finishes", NOW, second(&token).finish("b"), reclaimed(&node("a"), "c2"))
    .why("The generation that b reads is the one that a made.")
    .recipe(RECIPE)
}

/// Both begin, then a takes the known node over.
fn raced_for_known(entry: Entry, world: &World, a: &Grant, b: &Grant) -> Entry {
    entry
        .world(world)
        .step("a-begins", NOW, first(a).begin("a"), accepted(json!({})))
        .step("b-begins", NOW, second(b).begin("b"), accepted(json!({})))
        .step("a-finishes", NOW, first(a).finish("a"), reclaimed(&node("a"), "c1"))
        .recipe(RECIPE)
}

fn known_machine() -> Entry {
    let (token, title) = (
        token(),
        "Two joins that race to take one node over: the generation tells, and the second is a conflict.",
    );
    let world = World::usual().token(&token).enrolled(&old());
    raced_for_known(script_reject("admission/race-of-a-known-machine", "ADMISSION-4", title), &world, &token, &token)
        .step("b-finishes", NOW, second(&token).finish("b"), refused("CONFLICT"))
        .twin(KNOWN, &["/steps/1", "/steps/2"], "b begins before a has finished.")
        .why("The node is the same in both readings; a server that compares node ids alone revokes the winner's certificate.")
}

fn known_loser_again() -> Entry {
    let (token, title) = (
        token(),
        "The loser of a race for a known node sends again and takes it over in the next generation.",
    );
    let world = World::usual().token(&token).enrolled(&old());
    raced_for_known(
        script_accept("admission/race-of-a-known-machine-again", "ADMISSION-4", title),
        &world,
        &token,
        &token,
    )
    .also("RECLAIM-3")
    .step("b-finishes", NOW, second(&token).finish("b"), refused("CONFLICT"))
    .step("b-again", NOW, second(&token), reclaimed(&node("a"), "c2"))
    .why("One generation for each commit: the conflict raised none.")
}

fn two_tokens() -> Entry {
    let (a, b) = (grant("race one").reclaims(), grant("race two").reclaims());
    let title = "Two tokens of one pool race to take one node over: the second is a conflict.";
    let world = World::usual().token(&a).token(&b).enrolled(&old());
    raced_for_known(script_reject("admission/race-of-two-tokens", "ADMISSION-4", title), &world, &a, &b)
        .step("b-finishes", NOW, second(&b).finish("b"), refused("CONFLICT"))
        .twin(
            KNOWN,
            &["/world/tokens", "/steps/0", "/steps/1", "/steps/2"],
            "Each join has its own token, and b begins before a has finished.",
        )
        .why("Two tokens are two row locks, so the token's lock does not order them: the node's row must.")
}

fn two_tenants() -> Entry {
    let (a, b) = (token(), grant("race of b").of("b", "b"));
    let title =
        "A machine that races to join the pools of two tenants joins one and is a conflict in the other.";
    let world = World::usual().token(&a).token(&b);
    raced(script_reject("admission/race-of-two-tenants", "ADMISSION-4", title), &a, &world)
        .step("b-finishes", NOW, second(&b).finish("b"), refused("CONFLICT"))
        .twin(GOOD, &["/world/tokens/1", "/steps/1", "/steps/2"], "b has a token of another tenant and begins before a has finished.")
        .why("The lookup is over all live nodes of the deployment, and no event tells one tenant of the other's machine.")
}

fn before_the_pool() -> Entry {
    let (a, b) = (token(), grant("race elsewhere").of("b", "b"));
    let title = "A lost race is a conflict also where the pool would refuse.";
    let world = World::usual().token(&a).token(&b).pool("b", "agent", "kubeadm");
    raced(script_reject("admission/race-before-pool", "ADMISSION-4", title), &a, &world)
        .also("DESTINATION-2")
        .step("b-finishes", NOW, second(&b).finish("b"), refused("CONFLICT"))
        .twin(
            GOOD,
            &["/world/tokens/1", "/world/pools/2/agent", "/steps/1", "/steps/2"],
            "b has a token of a pool that does not run the daemon, and begins before a has finished.",
        )
        .why("The pool is judged last of all.")
}

fn retired_meanwhile() -> Entry {
    let token = token();
    let title = "A node that is retired between the two readings makes the join a conflict.";
    script_reject("admission/race-with-retire", "ADMISSION-4", title)
        .also("RECLAIM-4")
        .world(&World::usual().token(&token).enrolled(&old()))
        .step("a-begins", NOW, first(&token).begin("a"), accepted(json!({})))
        .step("retire", NOW, retire(&node("a")), retired(&node("a")))
        .step("a-finishes", NOW, first(&token).finish("a"), refused("CONFLICT"))
        .twin(KNOWN, &["/steps/1", "/steps/2", "/steps/3"], "The node is retired after the join has begun.")
        .why("The first reading found a node, the second none: to join as new now would be decided on an outdated view.")
        .recipe(RECIPE)
}

fn certificate_meanwhile() -> Entry {
    let token = token();
    let expired = enrolled("a", &machine("a"), "2025-12-30T12:00:00Z");
    let title = "A token join that was overtaken by the node's own expired certificate is a conflict.";
    script_reject("admission/race-with-x509pop", "ADMISSION-4", title)
        .also("X509POP-1")
        .world(&World::usual().token(&token).enrolled(&expired))
        .step("b-begins", NOW, second(&token).begin("b"), accepted(json!({})))
        .step(
            "back",
            NOW,
            x509pop(&machine("a").rekeyed("back"), &expired, &expired.key),
            reclaimed(&node("a"), "c1"),
        )
        .step("b-finishes", NOW, second(&token).finish("b"), refused("CONFLICT"))
        .twin(
            KNOWN,
            &["/world/certs", "/steps/0", "/steps/1", "/steps/2", "/steps/3"],
            "The certificate has expired, and the node comes back by it after b has begun.",
        )
        .why("Whatever raised the generation, the token join was decided for the one before.")
        .recipe(RECIPE)
}

fn three() -> Entry {
    let token = grant("race").uses(3).reclaims();
    let third = || join(&machine("a").rekeyed("third"), &token);
    let title = "Of three joins that race, one is admitted, and two are conflicts.";
    raced(
        script_reject("admission/race-of-three", "ADMISSION-4", title),
        &token,
        &World::usual().token(&token),
    )
    .also("ADMISSION-3")
    .step("b-finishes", NOW, second(&token).finish("b"), refused("CONFLICT"))
    .step("c-begins", NOW, third().begin("c"), accepted(json!({})))
    .step("b-again", NOW, second(&token).fresh("again"), reclaimed("$n1", "c2"))
    .step("c-finishes", NOW, third().finish("c"), refused("CONFLICT"))
    .twin(
        GOOD,
        &["/world/tokens/0", "/steps/1", "/steps/2", "/steps/4", "/steps/5", "/steps/6"],
        "Each join is overtaken by another before it finishes.",
    )
    .why("After two conflicts and two admissions one use of three is left.")
}
