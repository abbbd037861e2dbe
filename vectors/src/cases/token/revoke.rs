//! Revoking a token: at once, twice without an error, and only through its own pool and tenant.

use serde_json::{Value, json};

use crate::case::{Entry, NOW};
use crate::script::{
    accepted, join, join_with, joined, refused, restart, revoke, revoked, script_accept, script_reject,
    token_create, token_created,
};
use crate::testkit::world::{Grant, TOKENS_EXPIRE, World, grant, machine, pool, tenant};

const ONCE: &str = "token/revoke";
const JOINS: &str = "token/revoke-after-the-join";
/// The next millisecond.
const NEXT: &str = "2026-01-01T00:00:00.001Z";

pub(super) fn entries() -> Vec<Entry> {
    [goods(), unknown(), at_once()].concat()
}

fn token() -> Grant {
    grant("revoke").uses(2)
}

fn id() -> String {
    token().bearer.id
}

/// Tenant a revokes in its pool a.
fn own(id: &str) -> Value {
    revoke(&tenant("a"), &pool("a"), id)
}

fn good(id: &str, title: &str, token: &Grant) -> Entry {
    script_accept(id, "TOKEN-8", title)
        .documented()
        .world(&World::usual().token(token))
        .recipe("A token of the pool; its owner revokes it.")
}

fn goods() -> Vec<Entry> {
    let dead = |name: &str, title: &str, token: &Grant| {
        good(&format!("token/revoke-{name}"), title, token)
            .step("revoke", NOW, own(&id()), revoked(&id()))
            .why("Who found a token somewhere revokes it without asking first whether it is alive.")
    };
    let nothing = || accepted(json!({}));
    vec![
        good(ONCE, "A token is revoked by the owner of its pool.", &token())
            .step("revoke", NOW, own(&id()), revoked(&id()))
            .why("The first thing to do after a leak."),
        good(
            "token/revoke-twice",
            "Revoking twice is no error, and the second time changes nothing.",
            &token(),
        )
        .also("TOKEN-9")
        .step("revoke", NOW, own(&id()), revoked(&id()))
        .step("again", NEXT, own(&id()), nothing())
        .why("Two operators of one alarm revoke the same token; neither may be told that it went wrong."),
        good(
            "token/revoke-revoked-before",
            "Revoking a token that was revoked long ago changes nothing.",
            &token().with("revokedAt", "2025-12-31T12:00:00.000Z"),
        )
        .also("TOKEN-9")
        .step("revoke", NOW, own(&id()), nothing())
        .why("When it ended is what an inquiry asks; a second revocation must not move it."),
        good(
            "token/revoke-twice-across-a-restart",
            "Revoking again after a restart is no error and changes nothing.",
            &token(),
        )
        .also("TOKEN-9")
        .step("revoke", NOW, own(&id()), revoked(&id()))
        .step("restart", NOW, restart(), nothing())
        .step("again", NEXT, own(&id()), nothing())
        .why("A revocation is stored with the row."),
        dead("used", "A token without a use left can be revoked.", &token().with("usesLeft", 0)),
        dead("expired", "A token that has expired can be revoked.", &token().with("expiresAt", NOW)),
        good(
            "token/revoke-of-a-site-agent",
            "A site agent's token is revoked like any other.",
            &token().with("role", "site"),
        )
        .step("revoke", NOW, own(&id()), revoked(&id()))
        .why("A token that a module minted leaks like any other."),
        script_accept("token/revoke-made", "TOKEN-8", "A token that was just made is revoked.")
            .documented()
            .world(&World::usual())
            .step(
                "create",
                NOW,
                token_create(&tenant("a"), &pool("a"), json!({"ttlSeconds": 3600})),
                token_created("t1"),
            )
            .step("revoke", NEXT, own("$t1"), revoked("$t1"))
            .why("The way out for whoever lost the answer to a create.")
            .recipe("A token made, then revoked."),
    ]
}

/// What is answered like an id that is not there.
fn unknown() -> Vec<Entry> {
    let bad = |name: &str, title: &str, world: World, request: Value, at: &[&str], what: &str| {
        script_reject(&format!("token/revoke-{name}"), "TOKEN-8", title)
            .world(&world)
            .step("revoke", NOW, request, refused("NOT_FOUND"))
            .twin(ONCE, at, what)
            .recipe("A revocation of what is not the pool's and its owner's.")
    };
    let usual = || World::usual().token(&token());
    let of = |owner: &str, name: &str| World::usual().token(&token().of(owner, name));
    let other = grant("nowhere").bearer.id;
    let (id_at, pool_at) = (&["/steps/0/request/id"], &["/steps/0/request/poolId"]);
    let row = "/world/tokens/0";
    let tenant_at = &["/world/tokens/0/tenant"];
    let both = &["/world/tokens/0/tenant", "/world/tokens/0/poolId"];
    let hands = "Before the pool changed hands another tenant minted the token.";
    let text = token().bearer.text();
    vec![
        bad("unknown", "An id that is not there is NOT_FOUND.", usual(), own(&other), id_at, "The id.")
            .why("An id mistyped must not be taken for a token ended."),
        bad(
            "in-capitals",
            "An id in capitals is not there.",
            usual(),
            own(&id().to_uppercase()),
            id_at,
            "The id.",
        )
        .why("Ids are compared exactly."),
        bad(
            "whole-token",
            "A whole token in place of an id is not there.",
            usual(),
            own(&text),
            id_at,
            "The id.",
        )
        .also("TOKEN-3")
        .why("A secret that was sent by mistake must not work, nor stand in an event."),
        bad("empty-id", "An empty id is not there.", usual(), own(""), id_at, "The id.")
            .why("Nothing is not everything."),
        bad(
            "in-another-pool",
            "A token is not revoked through another pool of its tenant.",
            usual(),
            revoke(&tenant("a"), &pool("ac"), &id()),
            pool_at,
            "Another pool of the tenant.",
        )
        .why("The permission is one for a pool; a right to one pool must not end another's tokens."),
        bad(
            "anothers-token",
            "A token of another tenant and pool is NOT_FOUND.",
            of("b", "b"),
            own(&id()),
            both,
            "The token is another tenant's.",
        )
        .why("The same answer as for an id that is not there, so that ids cannot be tried out."),
        bad(
            "after-the-pool-changed-hands",
            "The new owner of a pool cannot revoke what the old one minted.",
            of("b", "a"),
            own(&id()),
            tenant_at,
            hands,
        )
        .why("Such a token is the old tenant's, and it admits nobody any more."),
        bad(
            "revoked-after-the-pool-changed-hands",
            "A revoked token of the old owner is NOT_FOUND too.",
            World::usual().token(&token().of("b", "a").with("revokedAt", NOW)),
            own(&id()),
            &[row],
            hands,
        )
        .why("A second revocation is no error for the token's own tenant; for another there is no token."),
    ]
}

fn joining(entry: Entry) -> Entry {
    entry
        .documented()
        .also("TOKEN-11")
        .world(&World::usual().token(&token()))
        .recipe("A token of two uses; a revocation and joins.")
}

fn at_once() -> Vec<Entry> {
    let refused_join =
        |name: &str, title: &str| joining(script_reject(&format!("token/{name}"), "TOKEN-8", title));
    let a_join = |name: &str| join(&machine(name), &token());
    vec![
        joining(
            script_accept(JOINS, "TOKEN-8", "A machine that joined before the revocation stays.")
                .documented(),
        )
        .step("join", NOW, a_join("a"), joined("n1"))
        .step("revoke", NOW, own(&id()), revoked(&id()))
        .why("Revoking a token ends the token, not the nodes it admitted; the node is retired by itself."),
        refused_join("revoked-at-once", "A join in the millisecond of the revocation is refused.")
            .step("revoke", NOW, own(&id()), revoked(&id()))
            .step("join", NOW, a_join("a"), refused("token-revoked"))
            .twin(
                &format!("{JOINS}@join"),
                &["/steps/0/request", "/steps/1"],
                "The token was revoked before.",
            )
            .why("At once means the next request, not the next look into a cache."),
        refused_join(
            "revoked-between-joins",
            "A token that admitted one machine admits no second after its revocation.",
        )
        .step("join", NOW, a_join("a"), joined("n1"))
        .step("revoke", NOW, own(&id()), revoked(&id()))
        .step("second", NEXT, a_join("b"), refused("token-revoked"))
        .twin(JOINS, &["/steps/2"], "One more join.")
        .why("The uses that are left are worth nothing any more."),
        refused_join("revoked-for-good", "A token stays revoked after a restart, until it expires.")
            .step("join", NOW, a_join("a"), joined("n1"))
            .step("revoke", NOW, own(&id()), revoked(&id()))
            .step("restart", NOW, restart(), accepted(json!({})))
            .step("second", "2026-01-01T00:59:59.999Z", a_join("b"), refused("token-revoked"))
            .twin(JOINS, &["/steps/2", "/steps/3"], "A restart, and one more join.")
            .why("A revocation that is in memory only lets the thief wait for the next deployment."),
        refused_join("revoked-and-expired", "A token that was revoked and has expired is revoked.")
            .step("join", NOW, a_join("a"), joined("n1"))
            .step("revoke", NOW, own(&id()), revoked(&id()))
            .step("second", TOKENS_EXPIRE, a_join("b"), refused("token-revoked"))
            .twin(JOINS, &["/steps/2"], "One more join.")
            .why("A use after the leak is what the owner wants to hear of, not that a token is old."),
        script_reject("token/revoked-made", "TOKEN-8", "A token that was made and revoked admits nobody.")
            .documented()
            .world(&World::usual())
            .step(
                "create",
                NOW,
                token_create(&tenant("a"), &pool("a"), json!({"ttlSeconds": 3600})),
                token_created("t1"),
            )
            .step("revoke", NEXT, own("$t1"), revoked("$t1"))
            .step("join", NEXT, join_with(&machine("a"), "create"), refused("token-revoked"))
            .twin("token/revoke-made", &["/steps/2"], "A join.")
            .why("The way out for whoever lost the answer to a create works.")
            .recipe("A token made, then revoked; a join with it."),
    ]
}
