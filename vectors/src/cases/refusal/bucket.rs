//! What has sixty of its own: each attestor and reason, and each receiving tenant where that is chosen.

use serde_json::json;

use super::flood::{
    LAST, NEXT, START, admitted, dropped, good, pending, roleless, stopped, stranger, token, told,
};
use crate::case::Entry;
use crate::script::{Join, join, refused, renew, restart, script_reject, x509pop};
use crate::testkit::token::token as bearer;
use crate::testkit::world::{Enrolled, Grant, World, enrolled, grant, machine, pool, tenant};

const RULE: &str = "REFUSAL-4";
const CHOICE: &str = "refusal.bucket";

pub(super) fn entries() -> Vec<Entry> {
    let mut all =
        vec![reasons(), names(), not_configured(), spellings(), attestors(), roots(), joins_and_renewals()];
    all.extend(tenants());
    all.extend(tenants_counts());
    all.extend(tenants_stop());
    all.extend(owners());
    all
}

/// An expired token of that tenant.
fn expired(owner: &str) -> Grant {
    grant(&format!("expired {owner}")).of(owner, owner).with("expiresAt", "2025-12-31T23:00:00.000Z")
}

/// A join with it: `token-expired`, to its tenant.
fn late(owner: &str) -> Join {
    join(&machine("late"), &expired(owner))
}

/// A node of that tenant.
fn node(owner: &str) -> Enrolled {
    enrolled(owner, &machine(&format!("of {owner}")), "2025-12-31T12:00:00Z")
        .with("tenant", tenant(owner))
        .with("poolId", pool(owner))
}

fn world() -> World {
    let all = World::usual().token(&token());
    all.token(&expired("a")).token(&expired("b")).enrolled(&node("a")).enrolled(&node("b"))
}

/// A script that begins with the good join, which is its twin.
fn begun(id: &str, title: &str) -> Entry {
    script_reject(id, RULE, title)
        .world(&world())
        .step("join", START, good(), admitted())
        .recipe("A good join, then joins or renewals that are refused, so many as the steps say.")
}

/// As many steps after the good join.
fn ended(entry: Entry, what: &str) -> Entry {
    let places: Vec<String> = (1..entry.0.steps.len()).map(|place| format!("/steps/{place}")).collect();
    let places: Vec<&str> = places.iter().map(String::as_str).collect();
    let twin = format!("{}@join", entry.0.id);
    entry.twin(&twin, &places, what)
}

fn reasons() -> Entry {
    let title = "Each reason has its own sixty.";
    let entry = begun("refusal/bucket-reasons", title)
        .repeated(61, "flood", START, roleless(), told("role-invalid", 60, 0))
        .step("other", START, stranger("stranger").attestor("").csr(Vec::new()), refused("csr"));
    ended(entry, "61 refusals for one reason, and one for another")
        .documented()
        .why("A flood of one kind must not hide what is rare.")
}

fn names() -> Entry {
    let title = "All unknown names share one bucket.";
    let entry = begun("refusal/bucket-unknown-names", title)
        .repeated(30, "ghost", START, stranger("ghost"), told("attestor", 30, 0))
        .repeated(30, "phantom", START, stranger("phantom"), told("attestor", 30, 0))
        .step("spectre", START, stranger("spectre"), dropped("attestor"));
    ended(entry, "refusals under three unknown names")
        .step("next", NEXT, stranger("shade"), told("attestor", 1, 1))
        .about("spectre")
        .why(
            "A bucket for each name that a stranger makes up is memory and writes that the stranger chooses.",
        )
}

fn not_configured() -> Entry {
    let title = "An attestor that is not configured shares the bucket of the unknown names.";
    let entry = begun("refusal/bucket-not-configured", title)
        .repeated(60, "ghost", START, stranger("ghost"), told("attestor", 60, 0))
        .step("tpm", START, stranger("tpm"), dropped("attestor"));
    ended(
        entry,
        "sixty refusals under an unknown name, and one under that of an attestor that is not configured",
    )
    .why("Both are unknown in the event, so they are one bucket.")
}

fn spellings() -> Entry {
    let title = "The empty name and join-token are one bucket.";
    let entry = begun("refusal/bucket-two-spellings", title)
        .repeated(60, "empty", START, roleless(), told("role-invalid", 60, 0))
        .step("named", START, roleless().attestor("join-token"), dropped("role-invalid"));
    ended(entry, "sixty refusals under the empty name, and one under the full one")
        .why("The bucket goes by the resolved name; else the limit is twice what it says.")
}

fn attestors() -> Entry {
    let title = "The same reason under another attestor has its own sixty.";
    let machine = machine("of a");
    let entry = begun("refusal/bucket-attestors", title)
        .repeated(61, "token", START, roleless(), told("role-invalid", 60, 0))
        .step(
            "x509pop",
            START,
            x509pop(&machine, &node("a"), &machine.key).role(""),
            refused("role-invalid"),
        );
    ended(entry, "61 refusals of token joins, and one of an x509pop join for the same reason")
        .documented()
        .why("A flood at one door leaves the other's report alone.")
}

fn roots() -> Entry {
    let title = "Refusals before the secret are the root tenant's, so tokens of all tenants share its sixty.";
    let guess = |owner: &str| {
        let mut wrong = expired(owner);
        wrong.bearer.secret = bearer("a guess").secret;
        join(&machine("late"), &wrong)
    };
    let entry = begun("refusal/bucket-of-the-root", title)
        .repeated(60, "a", START, guess("a"), told("token-secret", 60, 0))
        .step("b", START, guess("b"), dropped("token-secret"));
    ended(entry, "sixty wrong secrets for a token of one tenant, and one for another's").why(
        "It is one receiving tenant under both choices; whose token was guessed at is not known to be true.",
    )
}

fn joins_and_renewals() -> Entry {
    let title = "Renewals are counted apart from joins.";
    let node = node("a");
    let entry = begun("refusal/bucket-joins-and-renewals", title)
        .repeated(61, "joins", START, stranger("").csr(Vec::new()), told("csr", 60, 0))
        .step("renewal", START, renew(&machine("of a"), &node, &node.key).csr(Vec::new()), refused("csr"));
    ended(entry, "61 joins and one renewal that are refused for the same reason")
        .why("Joins come from strangers, renewals from machines that are in: the first must not silence the second.")
}

/// Sixty of tenant a, then one of tenant b.
fn tenants() -> Vec<Entry> {
    let two = |value: &str, title: &str, b: crate::script::Expectation, why: &str| {
        let entry = begun(&format!("refusal/bucket-tenants-{value}"), title)
            .choice(CHOICE, value)
            .repeated(60, "a", START, late("a"), told("token-expired", 60, 0))
            .step("b", LAST, late("b"), b);
        ended(entry, "sixty refusals of one tenant's token, and one of another's").why(why)
    };
    vec![
        two(
            "audience",
            "Under audience each receiving tenant has its own sixty.",
            refused("token-expired"),
            "One tenant's broken automation must not cost another its reports.",
        ),
        two(
            "global",
            "Under global all tenants share one sixty.",
            dropped("token-expired"),
            "The documented words name attestor and reason and no tenant: sixty in all.",
        ),
    ]
}

/// What was dropped of both, and who hears of it in the next minute.
fn tenants_counts() -> Vec<Entry> {
    let begun = |value: &str, title: &str| {
        begun(&format!("refusal/bucket-counts-{value}"), title).choice(CHOICE, value).repeated(
            62,
            "a",
            START,
            late("a"),
            told("token-expired", 60, 0),
        )
    };
    let audience = begun("audience", "Under audience each tenant's event tells of its own count.")
        .repeated(63, "b", START, late("b"), told("token-expired", 60, 0))
        .step("b-again", NEXT, late("b"), told("token-expired", 1, 3))
        .step("a-again", NEXT, late("a"), told("token-expired", 1, 2));
    let global = begun("global", "Under global the next event tells of everybody's count, whoever gets it.")
        .repeated(3, "b", START, late("b"), told("token-expired", 0, 0))
        .step("b-again", NEXT, late("b"), told("token-expired", 1, 5))
        .step("a-again", NEXT, late("a"), refused("token-expired"));
    let what = "floods of two tenants' tokens, and one refusal of each in the next minute";
    vec![
        ended(audience, what).why("The count of another tenant is another tenant's business."),
        ended(global, what).why("One bucket, one count: it is told once."),
    ]
}

fn tenants_stop() -> Vec<Entry> {
    let flooded = |value: &str, title: &str, a: usize, b: usize| {
        script_reject(&format!("refusal/bucket-stop-{value}"), RULE, title)
            .choice(CHOICE, value)
            .recipe("A good join, refused joins with tokens of two tenants, a clean stop, and a refusal after it.")
            .world(&world())
            .step("join", START, good(), admitted())
            .repeated(61, "a", START, late("a"), told("token-expired", a, 0))
            .repeated(62, "b", START, late("b"), told("token-expired", b, 0))
    };
    let of = |end: &str, count: u32| pending(end, "join-token", "token-expired", count);
    let audience =
        flooded("audience", "Under audience a clean stop tells each tenant of its own count.", 60, 60)
            .step("stop", LAST, restart(), stopped(json!([of("a", 1), of("b", 2)])))
            .step("more", LAST, late("b"), dropped("token-expired"));
    let title =
        "Under global a clean stop tells one tenant of all: that of the last refusal that was dropped.";
    let global = flooded("global", title, 60, 0)
        .step("stop", LAST, restart(), stopped(json!([of("b", 63)])))
        .step("more", LAST, late("a"), dropped("token-expired"));
    let what = "floods of two tenants' tokens, a clean stop, and one more refusal";
    vec![
        ended(audience, what).why("Nobody hears of another tenant's flood."),
        ended(global, what).why("One bucket ends in one event; somebody has to get it."),
    ]
}

/// Renewals of nodes of two tenants.
fn owners() -> Vec<Entry> {
    let renewal = |owner: &str| {
        let node = node(owner);
        renew(&machine(&format!("of {owner}")).rekeyed("second"), &node, &node.key)
            .with("/caller", serde_json::Value::Null)
    };
    let two = |value: &str, title: &str, b: crate::script::Expectation| {
        let entry = begun(&format!("refusal/bucket-owners-{value}"), title)
            .choice(CHOICE, value)
            .repeated(60, "a", START, renewal("a"), told("identity", 60, 0))
            .step("b", LAST, renewal("b"), b);
        ended(entry, "sixty refused renewals of one tenant's node, and one of another's")
            .why("What holds of joins holds of renewals, in buckets of their own.")
    };
    vec![
        two("audience", "Under audience each owner has its own sixty refused renewals.", refused("identity")),
        two("global", "Under global the renewals of all owners share one sixty.", dropped("identity")),
    ]
}
