//! The order of the checks of a token join (ADMISSION-1): two things wrong at once, and the earlier is the reason.

use serde_json::{Value, json};

use super::refused::{claiming, placeholder_machine};
use crate::case::{Entry, NOW};
use crate::script::{Expectation, Join, answered_again, join, joined, refused, script_accept, script_reject};
use crate::testkit::world::{Grant, World, enrolled, grant, machine, serial};

/// A bound join with a pinned token: everything that can be wrong is there.
const GOOD: &str = "admission/bound-pinned-join";
/// The bound join, sent once more.
const AGAIN: &str = "admission/bound-join-again";
const RECIPE: &str =
    "A bound join with a token that expects the machine's serial, with two things wrong at once.";
const CLAIMS: &str = "/steps/0/request/claims";
const ROLE: &str = "/steps/0/request/role";

pub(super) fn entries() -> Vec<Entry> {
    let mut entries = vec![good(), again(), seal_before_binding(), secret_before_replay()];
    entries.extend(binding_first());
    entries.extend(token_first());
    entries.extend([expect_before_placeholder(), placeholder_before_reclaim(), placeholder_before_pool()]);
    entries.extend([used_before_pool(), last_of_all()]);
    entries
}

fn token() -> Grant {
    grant("order").with("expect", json!({"serial": serial("a")}))
}

fn bound() -> Join {
    join(&machine("a"), &token()).bound()
}

fn good() -> Entry {
    script_accept(
        GOOD,
        "ADMISSION-1",
        "A bound join with a token that expects its machine passes every check.",
    )
    .also("BINDING-2")
    .world(&World::usual().token(&token()))
    .step("join", NOW, bound(), joined("n1"))
    .why("The join that the cases of the order differ from.")
    .recipe("A CSR that carries the request's hash, and a token bound to the machine's serial.")
}

fn again() -> Entry {
    script_accept(AGAIN, "ADMISSION-1", "A bound join that is sent again is answered from the store.")
        .also("SEAL-8")
        .world(&World::usual().token(&token()))
        .step("join", NOW, bound(), joined("n1"))
        .step("again", NOW, bound(), answered_again("join"))
        .choice("seal.resend", "stored-answer")
        .why("The stored answer comes before every check of the token's state: no use is left, and it is given all the same.")
        .recipe("The same octets twice.")
}

/// The bound join, then the same seal and CSR beside other claims.
fn seal_before_binding() -> Entry {
    let title =
        "A seal that has admitted a join is refused as replayed before the request binding is compared.";
    script_reject("admission/seal-replayed-before-binding", "ADMISSION-1", title)
        .also("SEAL-8")
        .world(&World::usual().token(&token()))
        .step("join", NOW, bound(), joined("n1"))
        .step("again", NOW, bound().with("/claims/hostname", hostname()), refused("seal-replayed"))
        .twin(AGAIN, &["/steps/1/request/claims/hostname"], "The second request claims another host name.")
        .why("The stored answer is looked up right after the secret; both checks fail, and the first one is recorded.")
        .recipe("The same seal and bound CSR twice, with another host name in the second request.")
}

fn hostname() -> Value {
    machine("b").claims["hostname"].clone()
}

fn secret_before_replay() -> Entry {
    let title = "A wrong secret is the reason although the token is revoked and the binding is another's.";
    let mut wrong = token();
    wrong.row["secretSha256"] = grant("another").row["secretSha256"].clone();
    wrong = wrong.with("revokedAt", "2025-12-31T23:00:00.000Z");
    script_reject("admission/secret-before-binding", "ADMISSION-1", title)
        .world(&World::usual().token(&wrong))
        .step("join", NOW, bound().with("/claims/hostname", hostname()), refused("token-secret"))
        .twin(
            GOOD,
            &["/world/tokens/0/secretSha256", "/world/tokens/0/revokedAt", "/steps/0/request/claims/hostname"],
            "The row has the hash of another secret and is revoked, and the request is not the one that is bound.",
        )
        .why("Until the secret has verified, the root tenant hears of the refusal, and nothing about the token is told.")
        .recipe(RECIPE)
}

/// One case of the order: the world's token, the join, and the reason.
fn both(name: &str, title: &str, token: &Grant, join: Join, reason: &str) -> Entry {
    let expected: Expectation = refused(reason);
    script_reject(&format!("admission/{name}"), "ADMISSION-1", title)
        .world(&World::usual().token(token))
        .step("join", NOW, join, expected)
        .recipe(RECIPE)
}

/// The binding is wrong, and something about the token.
fn binding_first() -> Vec<Entry> {
    let tampered = || bound().with("/claims/hostname", hostname());
    [
        ("revoked", "revokedAt", json!("2025-12-31T23:00:00.000Z"), "revoked"),
        ("expired", "expiresAt", json!("2025-12-31T23:00:00.000Z"), "expired"),
        ("used", "usesLeft", json!(0), "used up"),
        ("expect", "expect", json!({"serial": serial("b")}), "bound to another machine"),
    ]
    .map(|(name, member, value, words)| {
        let title =
            format!("A request that is not the bound one is refused as such although the token is {words}.");
        both(
            &format!("binding-before-{name}"),
            &title,
            &token().with(member, value),
            tampered(),
            "request-binding",
        )
        .also("BINDING-2")
        .choice("request-binding", "checked")
        .twin(
            GOOD,
            &[&*format!("/world/tokens/0/{member}"), "/steps/0/request/claims/hostname"],
            "The host name is not the one that is bound, and the token's row is no longer good.",
        )
        .why(
            "A tampered request must show as such in the owner's events, whatever became of the token since.",
        )
    })
    .into()
}

/// Two things of the token's row, or of the row and the role.
fn token_first() -> Vec<Entry> {
    let gone = json!("2025-12-31T23:00:00.000Z");
    let site = || join(&machine("a"), &token()).role("site").bound();
    let plain = || bound();
    let (revoked, expired, used) =
        ("/world/tokens/0/revokedAt", "/world/tokens/0/expiresAt", "/world/tokens/0/usesLeft");
    vec![
        both(
            "revoked-before-expired",
            "A token that is revoked and expired is refused as revoked.",
            &token().with("revokedAt", gone.clone()).with("expiresAt", gone.clone()),
            plain(),
            "token-revoked",
        )
        .twin(GOOD, &[revoked, expired], "The token is revoked and has expired.")
        .why("Revocation is the owner's act and the more telling reason."),
        both(
            "expired-before-used",
            "A token that has expired and is used up is refused as expired.",
            &token().with("usesLeft", 0).with("expiresAt", gone),
            plain(),
            "token-expired",
        )
        .twin(GOOD, &[expired, used], "The token has expired and has no use left.")
        .why("The order of the table is the order in which the row is judged."),
        both(
            "used-before-role",
            "A token that is used up and for another role is refused as used.",
            &token().with("usesLeft", 0),
            site(),
            "token-used",
        )
        .twin(
            GOOD,
            &[used, ROLE, "/steps/0/request/csr", "/steps/0/request/seal"],
            "No use is left, and the role is another.",
        )
        .why("The last check before a use is taken is the role's."),
        both(
            "role-before-expect",
            "A join of another role by another machine is refused for its role.",
            &token().with("expect", json!({"serial": serial("b")})),
            site(),
            "token-role",
        )
        .twin(
            GOOD,
            &["/world/tokens/0/expect/serial", ROLE, "/steps/0/request/csr", "/steps/0/request/seal"],
            "The token expects another machine, and the role is another.",
        )
        .why("The role is judged before a use is taken, expect after it."),
    ]
}

fn expect_before_placeholder() -> Entry {
    let machine = placeholder_machine();
    both(
        "expect-before-placeholders",
        "A machine of placeholders that is not the expected one is refused for the binding.",
        &token(),
        join(&machine, &token()).bound(),
        "expect",
    )
    .also("EXPECT-2")
    .twin(
        GOOD,
        &[CLAIMS, "/steps/0/request/csr", "/steps/0/request/seal"],
        "UUID and serial are placeholders.",
    )
    .why("A pinned token lifts the placeholder rule, so its own check has to come first.")
}

fn placeholder_before_reclaim() -> Entry {
    let known = claiming(json!({
        "permanentMacs": ["94:de:80:01:02:03"], "gpuUuids": ["GPU-41255406-c9af-f94b-4ebf-9d57ad1853da"],
    }));
    let free = token().with("expect", Value::Null);
    let old = enrolled("a", &known, "2025-12-31T12:00:00Z");
    script_reject(
        "admission/placeholders-before-reclaim",
        "ADMISSION-1",
        "A known machine with MACs and GPUs only is refused for its hardware before the reclaim is judged.",
    )
    .also("HARDWARE-KEY-3")
    .world(&World::usual().token(&free).enrolled(&old))
    .step("join", NOW, join(&known, &free).bound(), refused("placeholder-hardware"))
    .twin(
        GOOD,
        &["/world/tokens/0/expect", "/world/nodes", "/world/certs", CLAIMS, "/steps/0/request/csr", "/steps/0/request/seal"],
        "The token is not pinned, and the machine is a node without a product UUID and a serial.",
    )
    .why("Such a machine may have come by another attestor, which takes its key as trusted; a token join never gets as far.")
    .recipe("A node in the world whose claims are MACs and GPUs only; its machine joins with a token without allowReclaim.")
}

fn placeholder_before_pool() -> Entry {
    let (free, machine) = (token().with("expect", Value::Null), placeholder_machine());
    script_reject(
        "admission/placeholders-before-pool",
        "ADMISSION-1",
        "A machine of placeholders is refused as such before its pool is looked at.",
    )
    .world(&World::usual().token(&free).pool("a", "agent", "kubeadm"))
    .step("join", NOW, join(&machine, &free).bound(), refused("placeholder-hardware"))
    .twin(
        GOOD,
        &[
            "/world/tokens/0/expect",
            "/world/pools/1/agent",
            CLAIMS,
            "/steps/0/request/csr",
            "/steps/0/request/seal",
        ],
        "The token is not pinned, the machine has placeholders, and the pool runs another agent.",
    )
    .why("The pool is the last to be asked: a join that is wrong by itself tells nothing about it.")
    .recipe(RECIPE)
}

fn used_before_pool() -> Entry {
    let used = token().with("usesLeft", 0);
    script_reject("admission/used-before-pool", "ADMISSION-1", "A used token is refused as used before its pool is looked at.")
        .world(&World::usual().token(&used).pool("a", "agent", "kubeadm"))
        .step("join", NOW, bound(), refused("token-used"))
        .twin(
            GOOD,
            &["/world/tokens/0/usesLeft", "/world/pools/1/agent"],
            "No use is left, and the pool runs another agent.",
        )
        .why("A server that checks the pool when it reads the token tells an old holder of the token how its pool fares.")
        .recipe(RECIPE)
}

fn last_of_all() -> Entry {
    let title = "A machine that the token does not expect is refused as such before its pool is looked at.";
    let other = token().with("expect", json!({"serial": serial("b")}));
    script_reject("admission/expect-before-pool", "ADMISSION-1", title)
        .world(&World::usual().token(&other).pool("a", "policy", json!({"joinAttestors": []})))
        .step("join", NOW, bound(), refused("expect"))
        .twin(
            GOOD,
            &["/world/tokens/0/expect/serial", "/world/pools/1/policy"],
            "The token expects another machine, and the pool takes no attestor.",
        )
        .why("Whoever holds a token of another machine learns nothing of the pool's policy.")
        .recipe(RECIPE)
}
