//! Which nodes a token admitted: event, audit row and node row carry its id.

use serde_json::json;

use crate::case::{Entry, NOW};
use crate::script::{
    join, join_with, joined, reclaimed, renew, renewed, revoke, revoked, script_accept, token_create,
    token_created, x509pop,
};
use crate::testkit::world::{World, enrolled, grant, machine, node, pool, tenant};

pub(super) fn entries() -> Vec<Entry> {
    [joins(), reclaims(), others()].concat()
}

fn good(id: &str, title: &str, world: &World) -> Entry {
    script_accept(&format!("token/{id}"), "TOKEN-12", title)
        .world(world)
        .recipe("Joins with these tokens; the id of the token in event, audit row and node row.")
}

fn joins() -> Vec<Entry> {
    let [one, two] = ["one", "two"].map(|name| grant(name).uses(2));
    let site = grant("site agent").with("role", "site");
    let create = || token_create(&tenant("a"), &pool("a"), json!({"ttlSeconds": 3600}));
    vec![
        good(
            "admitted-by",
            "Event, audit row and node row of a join carry the token's id.",
            &World::usual().token(&one),
        )
        .also("ADMISSION-5")
        .step("join", NOW, join(&machine("a"), &one), joined("n1"))
        .why("The first question after a leak is which machines came with the token."),
        good("admitted-two", "Each node that a token admitted carries its id.", &World::usual().token(&one))
            .step("first", NOW, join(&machine("a"), &one), joined("n1"))
            .step("second", NOW, join(&machine("b"), &one), joined("n2"))
            .why("One token, several nodes: all of them must be found."),
        good(
            "admitted-by-each",
            "Nodes of two tokens each carry the id of their own.",
            &World::usual().token(&one).token(&two),
        )
        .step("first", NOW, join(&machine("a"), &two), joined("n1"))
        .step("second", NOW, join(&machine("b"), &one), joined("n2"))
        .why("The token that was presented, not the first or the newest of the pool."),
        good(
            "admitted-a-site-agent",
            "A site agent's node carries its token's id.",
            &World::usual().token(&site),
        )
        .step("join", NOW, join(&machine("a"), &site).role("site"), joined("n1"))
        .why("A token that a module minted leaks like any other."),
        good("admitted-by-made", "A node carries the id that the create answered with.", &World::usual())
            .also("TOKEN-7")
            .step("create", NOW, create(), token_created("t1"))
            .step("join", NOW, join_with(&machine("a"), "create"), joined("n1"))
            .why("The id in the record is the one by which the nodes are found."),
    ]
}

fn reclaims() -> Vec<Entry> {
    let first = grant("first").reclaims();
    let again = grant("again").reclaims();
    let old = enrolled("a", &machine("a"), "2025-12-31T12:00:00Z");
    let nameless = World::usual().token(&again).enrolled(&old);
    let twice = grant("twice").uses(2).reclaims();
    let second = || machine("a").rekeyed("second");
    vec![
        good("admitted-again", "A node that another token reclaims carries the id of that token.", &World::usual().token(&first).token(&again))
            .also("RECLAIM-3")
            .step("join", NOW, join(&machine("a"), &first), joined("n1"))
            .step("reclaim", NOW, join(&second(), &again), reclaimed("$n1", "c2"))
            .why("The key that the node has now came in with the second token; after its leak the node must be found."),
        good("admitted-again-by-the-same", "A node that its own token reclaims goes on carrying its id.", &World::usual().token(&twice))
            .also("RECLAIM-3")
            .step("join", NOW, join(&machine("a"), &twice), joined("n1"))
            .step("reclaim", NOW, join(&second(), &twice), reclaimed("$n1", "c2"))
            .why("The row does not change; event and audit row name the token again."),
        good("admitted-for-the-first-time", "A node without a token that a token reclaims carries its id.", &nameless)
            .also("RECLAIM-3")
            .step("reclaim", NOW, join(&second(), &again), reclaimed(&node("a"), "c2"))
            .why("A node that came without a token, or before ids were kept, is found from now on."),
    ]
}

/// What leaves a node's token as it is.
fn others() -> Vec<Entry> {
    let token = grant("kept");
    let world = World::usual().token(&token);
    let came = enrolled("a", &machine("a"), "2025-12-30T12:00:00Z").with("tokenId", token.bearer.id.clone());
    let second = || machine("a").rekeyed("second");
    let absent = json!({"$absent": true});
    vec![
        good("admitted-then-renewed", "A renewal leaves the node its token's id.", &world)
            .also("RENEWAL-4")
            .step("join", NOW, join(&machine("a"), &token), joined("n1"))
            .step("renew", "2026-01-01T08:00:00.000Z", renew(&second(), "join", &machine("a").key), renewed("c2"))
            .why("Months of renewals later the question is still which token let the node in."),
        good("admitted-then-revoked", "Revoking a token leaves its id on the nodes that it admitted.", &world)
            .also("TOKEN-8")
            .step("join", NOW, join(&machine("a"), &token), joined("n1"))
            .step("revoke", NOW, revoke(&tenant("a"), &pool("a"), &token.bearer.id), revoked(&token.bearer.id))
            .why("The token is revoked first and its nodes are looked for next."),
        good("admitted-then-x509pop", "A node that comes back with its expired certificate keeps its token's id, and the event names none.", &world.clone().enrolled(&came))
            .also("X509POP-1")
            .step(
                "come-back",
                NOW,
                x509pop(&second(), &came, &came.key),
                reclaimed(&node("a"), "c2")
                    .with("/effects/events/1/tokenId", absent.clone())
                    .with("/effects/audit/0/tokenId", absent),
            )
            .why("No token was presented; the node is still one that its token let in."),
    ]
}
