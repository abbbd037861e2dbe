//! Nodes whose certificate names an attestation key: whether a token reclaims them, and what is told of it.

use super::{ISSUED, RECIPE, back, comes_back, old, token, with};
use crate::case::{Entry, NOW};
use crate::script::{
    Expectation, Join, join, joined, reclaimed, refused, retire, retired, script_accept, script_reject,
    x509pop,
};
use crate::testkit::keys::key;
use crate::testkit::world::{Enrolled, Grant, World, cert_row, enrolled, machine, node};

const RULE: &str = "RECLAIM-5";
const CHOICE: &str = "reclaim.tpm-bound";
const SAME: &str = "same-tpm";
const ANY: &str = "any";
/// Expired half a day ago.
const YESTERDAY: &str = "2025-12-30T12:00:00Z";
const LATER: &str = "2026-01-01T00:01:00.000Z";
/// Statements about an attestation key.
const AK: &str = "urn:bc:tpm-ak:sha256:62854727bebcef250a3a01b5aab872a2da174687ffeab8ee08fdbc80c86d6c04";
const AK_384: &str = "urn:bc:tpm-ak:sha384:\
    d79b8b7c0e0f8d0a0e4dbd3e4f6b0d4f8a4f0a7b3c5f2e1d0c9b8a796857463524130f1e2d3c4b5a69788796a5b4c3d2";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = Vec::new();
    for value in [SAME, ANY] {
        all.push(unbound(value));
        all.push(unbound_plain(value));
        all.push(retired_first(value));
        all.push(unbound_expired(value));
        all.extend(newest(value));
        all.push(older_generation(value));
    }
    all.extend(refused_under_same());
    all.extend(allowed_under_any());
    all.extend([any_plain(), turned_unattested()]);
    all.extend([unbound_by_certificate(), bound_by_certificate()]);
    all
}

/// Node a with one certificate, issued at `at` with these statements.
fn holding(at: &str, statements: &[&str]) -> Enrolled {
    let node = enrolled("a", &machine("a"), at);
    let leaf = node.issue(&node.key, at, 86400, statements);
    node.holding(leaf)
}

fn bound() -> Enrolled {
    holding(ISSUED, &[AK])
}

fn accept(name: &str, value: &str, title: &str, world: &World) -> Entry {
    script_accept(&format!("reclaim/{name}-{value}"), RULE, &title.replace("{}", value))
        .choice(CHOICE, value)
        .world(world)
        .step("join", NOW, comes_back(), reclaimed(&node("a"), "new"))
        .recipe(RECIPE)
}

fn reject(name: &str, value: &str, title: &str, world: &World, request: Join) -> Entry {
    script_reject(&format!("reclaim/{name}-{value}"), RULE, &title.replace("{}", value))
        .choice(CHOICE, value)
        .world(world)
        .step("join", NOW, request, refused("reclaim"))
        .recipe(RECIPE)
}

fn unbound(value: &str) -> Entry {
    let title = "Under {} a node whose certificate names no attestation key is reclaimed by a token.";
    accept("unbound", value, title, &with(&old(), &token()))
        .why("The choice is about nodes that showed a TPM, and about no others.")
}

fn unbound_plain(value: &str) -> Entry {
    let title = "Under {} a token that allows no reclaim does not reclaim a node without a TPM either.";
    reject("unbound-plain-token", value, title, &with(&old(), &plain()), comes_back())
        .also("RECLAIM-2")
        .twin(
            &format!("reclaim/unbound-{value}"),
            &["/world/tokens/0/allowReclaim"],
            "the token allows no reclaim",
        )
        .why("The choice adds to what a token must be, and takes nothing away.")
}

fn plain() -> Grant {
    token().with("allowReclaim", false)
}

fn unbound_expired(value: &str) -> Entry {
    let title = "Under {} a node whose expired certificate names no attestation key is reclaimed by a token.";
    accept("unbound-expired", value, title, &with(&holding(YESTERDAY, &[]), &token()))
        .why("A machine that was off too long comes back by a token.")
}

/// Two certificates of the present generation, with the statements of the first and of the second.
fn two(first: &[&str], second: &[&str]) -> World {
    let node = holding(ISSUED, first);
    let renewed = node.issue(&key("machine renewed"), "2025-12-31T13:00:00Z", 86400, second);
    with(&node, &token()).push("certs", &cert_row(&node.id(), 1, &renewed))
}

/// It is the newest certificate of the generation that counts.
fn newest(value: &str) -> Vec<Entry> {
    let id = format!("reclaim/older-names-{value}");
    let title = "Under {} a node whose older certificate alone names an attestation key is reclaimed.";
    let older = accept("older-names", value, title, &two(&[AK], &[])).why(
        "A statement that was once made and is not kept up binds no longer; the audit row says unattested.",
    );
    let title = "Under {} a node whose newest certificate alone names an attestation key is TPM-bound.";
    let world = two(&[], &[AK]);
    let newer = if value == ANY {
        accept("newest-names", value, title, &world)
            .why("Bound or not, a token reclaims it there; the audit row tells that it was bound.")
    } else {
        reject("newest-names", value, title, &world, comes_back())
            .twin(&id, &["/world/certs"], "it is the newest certificate that names the key")
            .why("The newest certificate is the node's present state.")
    };
    vec![older, newer]
}

fn older_generation(value: &str) -> Entry {
    let node = old().with("generation", 2).with_cert("generation", 2);
    let mut before = cert_row(&node.id(), 1, &holding(YESTERDAY, &[AK]).leaf);
    before["revoked"] = "reclaimed".into();
    let mut world = with(&node, &token());
    if let Some(rows) = world.0["certs"].as_array_mut() {
        rows.insert(0, before);
    }
    let title = "Under {} a node whose older generation alone named an attestation key is reclaimed.";
    accept("older-generation-names", value, title, &world)
        .also("RECLAIM-3")
        .why("The generation before is another machine's, or the same one's before its TPM was replaced.")
}

/// Bound in one way or another: refused under same-tpm. The twins differ in the statement alone.
fn refused_under_same() -> Vec<Entry> {
    let row = |name: &str, title: &str, bound: &Enrolled, twin: &str| {
        reject(name, SAME, title, &with(bound, &token()), comes_back()).twin(
            &format!("reclaim/{twin}-{SAME}"),
            &["/world/certs/0/der"],
            "the certificate names an attestation key",
        )
    };
    let revoked = bound().with_cert("revoked", "reclaimed");
    let own_key = join(&machine("a"), &token());
    let same_key = script_accept(
        "reclaim/unbound-same-key-same-tpm",
        RULE,
        "Under same-tpm a node without a TPM is reclaimed with its old node key too.",
    )
    .choice(CHOICE, SAME)
    .world(&with(&old(), &token()))
    .step("join", NOW, own_key.clone(), reclaimed(&node("a"), "new"))
    .why("The node key makes no difference.")
    .recipe(RECIPE);
    let same_key_bound = reject(
        "bound-same-key",
        SAME,
        "Under {} a TPM-bound node is not reclaimed by a token, even with its own node key.",
        &with(&bound(), &token()),
        own_key,
    )
    .twin(
        "reclaim/unbound-same-key-same-tpm",
        &["/world/certs/0/der"],
        "the certificate names an attestation key",
    )
    .why("A token join proves nothing about the TPM, whatever key it asks a certificate for.");
    vec![
        row(
            "bound",
            "Under {} a token does not reclaim a node whose certificate names an attestation key.",
            &bound(),
            "unbound",
        )
        .why("If a token could drop the statement, it would be worth only as much as the weakest token."),
        row(
            "bound-sha384",
            "Under {} an attestation key named by another hash binds as well.",
            &holding(ISSUED, &[AK_384]),
            "unbound",
        )
        .why("What counts is that an attestation key is named, not how."),
        row(
            "bound-expired",
            "Under {} a node is TPM-bound though its certificate has expired.",
            &holding(YESTERDAY, &[AK]),
            "unbound-expired",
        )
        .why("Otherwise a thief waits a day: a machine that is off loses its binding by lying there."),
        row_revoked(&revoked),
        same_key,
        same_key_bound,
    ]
}

fn row_revoked(revoked: &Enrolled) -> Entry {
    let title = "Under {} a node is TPM-bound though its newest certificate is revoked.";
    reject("bound-revoked", SAME, title, &with(revoked, &token()), comes_back())
        .twin(
            &format!("reclaim/unbound-{SAME}"),
            &["/world/certs/0/der", "/world/certs/0/revoked"],
            "the certificate names an attestation key, and is revoked",
        )
        .why("Revoking a certificate says nothing about the machine's TPM; retiring the node does.")
}

/// Bound in one way or another: reclaimed under any, and the audit row tells what was lost.
fn allowed_under_any() -> Vec<Entry> {
    let row = |name: &str, title: &str, bound: &Enrolled| accept(name, ANY, title, &with(bound, &token()));
    vec![
        row("bound", "Under {} a token reclaims a TPM-bound node, and the audit row tells it.", &bound())
            .documented()
            .also("ADMISSION-5")
            .why("oldNodeKey tpm beside nodeKey unattested, and a leaf without the key, show the loss."),
        row(
            "bound-sha384",
            "Under {} a node whose attestation key has another hash was of key tpm too.",
            &holding(ISSUED, &[AK_384]),
        )
        .why("The audit must not miss a binding for its spelling."),
        row(
            "bound-expired",
            "Under {} a TPM-bound node whose certificate expired is reclaimed.",
            &holding(YESTERDAY, &[AK]),
        )
        .why("The old certificate's statement is told whether it still lives or not."),
        row(
            "bound-revoked",
            "Under {} a TPM-bound node whose certificate is revoked is reclaimed.",
            &bound().with_cert("revoked", "reclaimed"),
        )
        .also("RECLAIM-3")
        .why("The certificate is revoked once and told of as the node's newest."),
    ]
}

fn any_plain() -> Entry {
    let title = "Under {} a token that allows no reclaim does not reclaim a TPM-bound node.";
    reject("bound-plain-token", ANY, title, &with(&bound(), &plain()), comes_back())
        .documented()
        .also("RECLAIM-2")
        .twin("reclaim/bound-any", &["/world/tokens/0/allowReclaim"], "the token allows no reclaim")
        .why("Any is any token that allows a reclaim.")
}

fn turned_unattested() -> Entry {
    let token = token().uses(2);
    let title =
        "Under any the second reclaim of a node that was TPM-bound tells both node keys as unattested.";
    script_accept("reclaim/bound-twice-any", RULE, title)
        .also("RECLAIM-3")
        .choice(CHOICE, ANY)
        .world(&with(&bound(), &token))
        .step("join", NOW, join(&back(), &token), reclaimed(&node("a"), "new"))
        .step("again", LATER, join(&machine("a").rekeyed("newer"), &token), reclaimed(&node("a"), "newer"))
        .why("The binding was lost at the first; the second loses nothing more.")
        .recipe("A TPM-bound node is reclaimed twice by a token.")
}

/// "If the TPM is really gone, the operator retires the node first."
fn retired_first(value: &str) -> Entry {
    let title = format!(
        "Under {value} the machine of a TPM-bound node joins as a new node once the node is retired."
    );
    script_accept(&format!("reclaim/bound-retired-{value}"), RULE, &title)
        .also("RECLAIM-4")
        .choice(CHOICE, value)
        .choice("reclaim.retired", "new-node")
        .world(&with(&bound(), &token()))
        .step("retire", NOW, retire(&node("a")), retired(&node("a")))
        .step("join", LATER, comes_back(), joined("n1"))
        .why("A dead TPM does not lock its board out for ever; an operator says so by name.")
        .recipe("Retire a TPM-bound node, then its machine joins by a token.")
}

/// A return by certificate, whose half-day-old leaf has these statements.
fn by_certificate(entry: Entry, statements: &[&str], expected: impl Into<Expectation>) -> Entry {
    let node = holding(YESTERDAY, statements);
    entry
        .also("X509POP-3")
        .world(&World::usual().enrolled(&node))
        .step("join", NOW, x509pop(&back(), &node, &node.key), expected)
        .recipe("A node whose certificate expired half a day ago joins with attestor x509pop.")
}

fn unbound_by_certificate() -> Entry {
    let title = "A node without a TPM comes back by its certificate, its key unattested before and after.";
    by_certificate(
        script_accept("reclaim/unbound-by-certificate", RULE, title),
        &[],
        reclaimed(&node("a"), "new"),
    )
    .why("The choice is not asked there.")
}

fn bound_by_certificate() -> Entry {
    let title = "A TPM-bound node comes back by its certificate only with key_attestation.";
    let entry = script_reject("reclaim/bound-by-certificate", RULE, title);
    by_certificate(entry, &[AK], refused("key-attestation-missing"))
        .twin(
            "reclaim/unbound-by-certificate",
            &["/world/certs/0/der", "/steps/0/request/x509pop/chain/0"],
            "the certificate names an attestation key",
        )
        .why("x509pop has its own rule under either choice, and so its own word: no refused reclaim.")
}
