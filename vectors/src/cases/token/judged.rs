//! A token judged in a join: its role, its row, the order of the reasons, and who hears of a refusal.

use serde_json::Value;

use crate::case::{Entry, NOW};
use crate::script::{join, joined, refused, script_accept, script_reject};
use crate::testkit::encode::b64u;
use crate::testkit::token::token as bearer;
use crate::testkit::world::{Grant, TOKENS_EXPIRE, World, grant, machine, tenant};

const NODE: &str = "token/join-as-node";
const RECIPE: &str = "A join with this token for this role.";
/// Where the refusals differ from their twin.
const ROLE: &str = "/steps/0/request/role";

pub(super) fn entries() -> Vec<Entry> {
    [roles(), other_roles(), no_roles(), rows(), order()].concat()
}

fn token(role: &str) -> Grant {
    grant("judged").with("role", role)
}

fn accepted_as(role: &str) -> Entry {
    let id = format!("token/join-as-{role}");
    script_accept(&id, "TOKEN-11", &format!("A token of role {role} admits a machine that asks for {role}."))
        .documented()
        .world(&World::usual().token(&token(role)))
        .step("join", NOW, join(&machine("a"), &token(role)).role(role), joined("n1"))
        .why("Each of the three roles is one that is admitted, as what its token says.")
        .recipe(RECIPE)
}

fn roles() -> Vec<Entry> {
    let last = script_accept(
        "token/join-in-the-last-millisecond",
        "TOKEN-11",
        "A token admits in its last millisecond.",
    )
    .world(&World::usual().token(&token("node")))
    .step("join", "2026-01-01T00:59:59.999Z", join(&machine("a"), &token("node")), joined("n1"))
    .why("expiresAt is the first instant at which the token is dead.")
    .recipe(RECIPE);
    let many = grant("judged").uses(10000);
    let use_of_many =
        script_accept("token/join-takes-one-of-many", "TOKEN-11", "A join takes one of 10000 uses.")
            .world(&World::usual().token(&many))
            .step("join", NOW, join(&machine("a"), &many), joined("n1"))
            .why("usesLeft goes down by one, whatever it is.")
            .recipe(RECIPE);
    vec![accepted_as("node"), accepted_as("site"), accepted_as("ramdisk"), last, use_of_many]
}

/// A refused join with the row changed and a role asked for.
fn bad(name: &str, title: &str, token: &Grant, role: &str, reason: &str) -> Entry {
    script_reject(&format!("token/{name}"), "TOKEN-11", title)
        .world(&World::usual().token(token))
        .step("join", NOW, join(&machine("a"), token).role(role), refused(reason))
        .recipe(RECIPE)
}

fn other_roles() -> Vec<Entry> {
    let all = ["node", "site", "ramdisk"];
    let pairs = all.iter().flat_map(|row| all.iter().map(move |asked| (*row, *asked)));
    pairs
        .filter(|(row, asked)| row != asked)
        .map(|(row, asked)| {
            let title = format!("A token of role {row} does not admit a machine that asks for {asked}.");
            bad(&format!("join-{row}-as-{asked}"), &title, &token(row), asked, "token-role")
                .documented()
                .twin(&format!("token/join-as-{row}"), &[ROLE], "The role that is asked for.")
                .why("A token for one kind of machine that lets in another gives a thief the role that he wants.")
        })
        .collect()
}

fn no_roles() -> Vec<Entry> {
    let rows = [
        ("capital", "Node"),
        ("capitals", "SITE"),
        ("blank", "node "),
        ("none", ""),
        ("tenant", "node-tenant"),
        ("plural", "nodes"),
        ("nul", "node\u{0}"),
    ];
    let no_role = |(name, role): (&str, &str)| {
        let title = format!("A join that asks for the role {role:?} is refused: it is none.");
        bad(&format!("join-role-{name}"), &title, &token("node"), role, "role-invalid")
            .twin(NODE, &[ROLE], "The role that is asked for.")
            .why("Roles are compared exactly. node-tenant is a certificate's role and nobody asks for it.")
    };
    rows.map(no_role).into()
}

fn rows() -> Vec<Entry> {
    let place = |member: &str| format!("/world/tokens/0/{member}");
    let row = |name: &str, title: &str, member: &str, value: Value, reason: &str| {
        bad(name, title, &token("node").with(member, value), "node", reason)
            .twin(NODE, &[&place(member)], "The token's row.")
            .why("Each reason has its own word for the owner; the machine sees one refusal for all.")
    };
    let other_secret = b64u(bearer("another secret").secret_sha256());
    vec![
        script_reject(
            "token/join-unknown",
            "TOKEN-11",
            "A token that has no row admits nobody; the root tenant hears of it.",
        )
        .world(&World::usual())
        .step("join", NOW, join(&machine("a"), &token("node")), refused("token-unknown"))
        .twin(NODE, &["/world/tokens/0"], "There is no such token.")
        .why("Nobody owns a token that is not there.")
        .recipe(RECIPE),
        row(
            "join-secret",
            "A token with another secret admits nobody; the root tenant hears of it.",
            "secretSha256",
            other_secret.into(),
            "token-secret",
        )
        .also("TOKEN-4")
        .also("REFUSAL-2"),
        row(
            "join-revoked",
            "A revoked token admits nobody; its tenant hears of it.",
            "revokedAt",
            NOW.into(),
            "token-revoked",
        )
        .also("TOKEN-8"),
        row(
            "join-expired",
            "A token admits nobody at its expiresAt.",
            "expiresAt",
            NOW.into(),
            "token-expired",
        )
        .also("TIME-1"),
        row("join-used", "A token without a use left admits nobody.", "usesLeft", 0.into(), "token-used"),
        script_reject(
            "token/join-expired-by-time",
            "TOKEN-11",
            "A token admits nobody in the millisecond after its last.",
        )
        .world(&World::usual().token(&token("node")))
        .step("join", TOKENS_EXPIRE, join(&machine("a"), &token("node")), refused("token-expired"))
        .twin("token/join-in-the-last-millisecond", &["/steps/0/at"], "One millisecond later.")
        .why("The same token; only the clock has gone on.")
        .recipe(RECIPE),
        script_reject(
            "token/join-expired-of-another",
            "TOKEN-11",
            "What is wrong with tenant b's token tenant b hears of.",
        )
        .also("REFUSAL-2")
        .world(&World::usual().token(&token("node").of("b", "b").with("usesLeft", 0)))
        .step(
            "join",
            NOW,
            join(&machine("a"), &token("node").of("b", "b")),
            refused("token-used").with("/effects/events/0/tenant", tenant("b")),
        )
        .twin(
            NODE,
            &["/world/tokens/0/tenant", "/world/tokens/0/poolId", "/world/tokens/0/usesLeft"],
            "Another tenant's token, which is used up.",
        )
        .why("The secret has verified, so the owner of the token is the one to hear.")
        .recipe(RECIPE),
    ]
}

/// Two things are wrong: the earlier one is the reason.
fn order() -> Vec<Entry> {
    let secret = |token: Grant| token.with("secretSha256", b64u(bearer("another secret").secret_sha256()));
    let revoked = |token: Grant| token.with("revokedAt", NOW);
    let expired = |token: Grant| token.with("expiresAt", NOW);
    let used = |token: Grant| token.with("usesLeft", 0);
    let row = |name: &str, first: &str, then: &str, token: Grant, role: &str, reason: &str, at: &[&str]| {
        let places: Vec<String> = at
            .iter()
            .map(|at| if *at == "role" { ROLE.into() } else { format!("/world/tokens/0/{at}") })
            .collect();
        let places: Vec<&str> = places.iter().map(String::as_str).collect();
        bad(&format!("order-{name}"), &format!("{first} comes before {then}."), &token, role, reason)
            .also("REFUSAL-2")
            .twin(NODE, &places, "Two things are wrong.")
            .why("The reason decides who hears of it and what an owner does next; every server must give the same.")
    };
    let node = || token("node");
    vec![
        row(
            "role-secret",
            "A role that is none",
            "the secret",
            secret(node()),
            "Node",
            "role-invalid",
            &["role", "secretSha256"],
        ),
        row(
            "secret-revoked",
            "The secret",
            "the revocation",
            revoked(secret(node())),
            "node",
            "token-secret",
            &["secretSha256", "revokedAt"],
        ),
        row(
            "secret-expired",
            "The secret",
            "the expiry",
            expired(secret(node())),
            "node",
            "token-secret",
            &["secretSha256", "expiresAt"],
        ),
        row(
            "secret-used",
            "The secret",
            "the uses",
            used(secret(node())),
            "node",
            "token-secret",
            &["secretSha256", "usesLeft"],
        ),
        row(
            "secret-role",
            "The secret",
            "the token's role",
            secret(node()),
            "site",
            "token-secret",
            &["secretSha256", "role"],
        ),
        row(
            "revoked-expired",
            "The revocation",
            "the expiry",
            expired(revoked(node())),
            "node",
            "token-revoked",
            &["revokedAt", "expiresAt"],
        ),
        row(
            "revoked-used",
            "The revocation",
            "the uses",
            used(revoked(node())),
            "node",
            "token-revoked",
            &["revokedAt", "usesLeft"],
        ),
        row(
            "revoked-role",
            "The revocation",
            "the token's role",
            revoked(node()),
            "site",
            "token-revoked",
            &["revokedAt", "role"],
        ),
        row(
            "expired-used",
            "The expiry",
            "the uses",
            used(expired(node())),
            "node",
            "token-expired",
            &["expiresAt", "usesLeft"],
        ),
        row(
            "expired-role",
            "The expiry",
            "the token's role",
            expired(node()),
            "site",
            "token-expired",
            &["expiresAt", "role"],
        ),
        row(
            "used-role",
            "The uses",
            "the token's role",
            used(node()),
            "site",
            "token-used",
            &["usesLeft", "role"],
        ),
    ]
}
