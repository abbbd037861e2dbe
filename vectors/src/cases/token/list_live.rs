//! Which tokens a list shows: the live ones of the pool and its owner, in the order created; and all of them where that is asked.

use serde_json::{Value, json};

use super::stateful::{list, list_of, page};
use crate::case::{Entry, NOW};
use crate::script::{
    accepted, join, join_with, joined, revoke, revoked, script_accept, token_create, token_created,
};
use crate::testkit::world::{Grant, TOKENS_EXPIRE, World, grant, machine, pool, tenant};

pub(super) fn entries() -> Vec<Entry> {
    [live(), beside(), everything(), over_time()].concat()
}

fn shows(name: &str, title: &str, tokens: &[Grant], request: Value, shown: &[&Grant]) -> Entry {
    let world = tokens.iter().fold(World::usual(), World::token);
    script_accept(&format!("token/list-{name}"), "TOKEN-8", title)
        .documented()
        .world(&world)
        .step("list", NOW, request, accepted(page(shown)))
        .recipe("A pool with these tokens, then a list.")
}

fn live() -> Vec<Entry> {
    let [first, second, third] = ["first", "second", "third"].map(grant);
    let without = |name: &str, title: &str, dead: Grant| {
        let tokens = [first.clone(), dead, third.clone()];
        shows(name, title, &tokens, list(json!({})), &[&first, &third]).why(
            "A list of live tokens answers which machines can still come in; a dead one hides the others.",
        )
    };
    vec![
        without(
            "without-revoked",
            "A list of live tokens does not show a revoked one.",
            second.clone().with("revokedAt", NOW),
        ),
        without(
            "without-expired",
            "A list of live tokens does not show an expired one.",
            second.clone().with("expiresAt", "2025-12-31T23:59:59.999Z"),
        ),
        without(
            "without-used",
            "A list of live tokens does not show one without a use left.",
            second.clone().with("usesLeft", 0),
        ),
        shows("empty", "The list of a pool without tokens is empty.", &[], list(json!({})), &[])
            .why("No tokens is an answer, not an error."),
        shows(
            "all-dead",
            "A list of live tokens is empty where all are dead.",
            &[first.clone().with("usesLeft", 0), second.clone().with("revokedAt", NOW)],
            list(json!({})),
            &[],
        )
        .why("Nothing can come in, and the list says so."),
    ]
}

/// Two tokens of one pool whose ids stand in the other order than they were created.
fn unsorted() -> [Grant; 2] {
    let mut tokens = ["first", "second"].map(grant);
    tokens.sort_by(|one, other| other.bearer.id.cmp(&one.bearer.id));
    tokens
}

fn beside() -> Vec<Entry> {
    let own = grant("own");
    let [late, early] = unsorted();
    let full = grant("full")
        .uses(3)
        .with("expect", json!({"serial": "sn-1"}))
        .with("allowReclaim", true)
        .with("hosted", "kubernetes");
    let site = grant("site agent").with("role", "site");
    let foreign = "A token that another tenant minted before the pool changed hands is that tenant's still.";
    vec![
        shows(
            "of-one-pool",
            "A list shows the tokens of its pool alone.",
            &[grant("other").of("a", "ac"), own.clone()],
            list(json!({})),
            &[&own],
        )
        .why("A pool is what a permission is given for; the tenant's other pools are others' business."),
        shows(
            "after-the-pool-changed-hands",
            foreign,
            &[grant("old").of("b", "a"), own.clone()],
            list(json!({})),
            &[&own],
        )
        .why("Such a token admits nobody any more, and what is in its row is its tenant's."),
        shows(
            "all-after-the-pool-changed-hands",
            "The list of all tokens does not show another tenant's either.",
            &[grant("old").of("b", "a").with("revokedAt", NOW), own.clone()],
            list(json!({"includeInactive": true})),
            &[&own],
        )
        .why("Inactive is another matter than another tenant's."),
        shows(
            "of-the-tenant-before",
            "The tenant that minted a token does not see it in a pool that changed hands.",
            &[grant("kept"), grant("other").of("b", "b")],
            list_of("b", "b", json!({})),
            &[&grant("other").of("b", "b")],
        )
        .why("Each tenant sees its own tokens in its own pool."),
        shows(
            "in-order",
            "A list stands in the order in which the tokens were created.",
            &[late.clone(), early.clone()],
            list(json!({})),
            &[&late, &early],
        )
        .why("Pages follow each other in that order; ids of one millisecond are not in it."),
        shows(
            "of-every-member",
            "A record shows binding, reclaim, hosted and the uses left.",
            std::slice::from_ref(&full),
            list(json!({})),
            &[&full],
        )
        .also("TOKEN-3")
        .why("What a token may do is in its record, and the secret or its hash is not."),
        shows(
            "of-a-site-agent",
            "A token for a site agent is listed with its role.",
            std::slice::from_ref(&site),
            list(json!({})),
            &[&site],
        )
        .also("TOKEN-11")
        .why("A token that a module minted is a token of the pool too; an operator must be able to find it."),
    ]
}

fn everything() -> Vec<Entry> {
    let tokens = [
        grant("revoked").with("revokedAt", NOW),
        grant("live"),
        grant("expired").with("expiresAt", "2025-12-31T23:00:00.000Z"),
        grant("used").with("usesLeft", 0),
    ];
    let shown: Vec<&Grant> = tokens.iter().collect();
    vec![
        shows(
            "all",
            "A list with includeInactive shows the revoked, the expired and the used ones too.",
            &tokens,
            list(json!({"includeInactive": true})),
            &shown,
        )
        .why("After a leak the question is what the token did; by then it is revoked."),
    ]
}

/// A list after something has happened.
fn over_time() -> Vec<Entry> {
    let token = grant("time").uses(2);
    let over = |name: &str, title: &str| {
        script_accept(&format!("token/list-{name}"), "TOKEN-8", title)
            .documented()
            .world(&World::usual().token(&token))
            .recipe("A pool with one token of two uses; what happens to it; a list.")
    };
    let (id, no_one) = (token.bearer.id.clone(), page(&[]));
    let one = |uses: u32| page(&[&token.clone().with("usesLeft", uses)]);
    let made = json!({
        "records": [{
            "id": "$t1", "poolId": pool("a"), "siteId": crate::testkit::world::site("r00t"), "role": "node",
            "usesLeft": 1, "expect": null, "allowReclaim": false, "hosted": null, "expiresAt": TOKENS_EXPIRE,
        }],
        "next": null,
    });
    vec![
        over("last-millisecond", "A token is listed as live in its last millisecond.")
            .step("list", "2026-01-01T00:59:59.999Z", list(json!({})), accepted(one(2)))
            .why("A list says live of what a join would still take."),
        over("at-expiry", "A token is not listed as live at its expiresAt.")
            .step("list", TOKENS_EXPIRE, list(json!({})), accepted(no_one.clone()))
            .why("A list says live of what a join would take, and at expiresAt none does."),
        over("after-uses", "A list follows the uses, and with the last one the token is gone from it.")
            .step("join", NOW, join(&machine("a"), &token), joined("n1"))
            .step("one-left", NOW, list(json!({})), accepted(one(1)))
            .step("last", NOW, join(&machine("b"), &token), joined("n2"))
            .step("list", NOW, list(json!({})), accepted(no_one.clone()))
            .why("usesLeft is the row's at the time of the list."),
        over("after-revocation", "A token that is revoked is gone from the list at once.")
            .step("revoke", NOW, revoke(&tenant("a"), &pool("a"), &id), revoked(&id))
            .step("list", NOW, list(json!({})), accepted(no_one))
            .step("all", NOW, list(json!({"includeInactive": true})), accepted(one(2)))
            .why("Whoever revokes looks at the list next, and must not find the token there."),
        script_accept(
            "token/list-after-create",
            "TOKEN-8",
            "A token is listed once it was made, without its secret.",
        )
        .documented()
        .also("TOKEN-3")
        .world(&World::usual())
        .step(
            "create",
            NOW,
            token_create(&tenant("a"), &pool("a"), json!({"ttlSeconds": 3600})),
            token_created("t1"),
        )
        .step("list", NOW, list(json!({})), accepted(made))
        .step("join", NOW, join_with(&machine("a"), "create"), joined("n1"))
        .why("The secret is in the answer to the create and nowhere else.")
        .recipe("A token made; a list; a join with it."),
    ]
}
