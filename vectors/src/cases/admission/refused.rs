//! What a refused token join leaves behind: its event alone (ADMISSION-2).

use serde_json::{Value, json};

use crate::case::{Entry, NOW};
use crate::script::{join, joined, refused, script_accept, script_reject};
use crate::testkit::request::claims;
use crate::testkit::world::{Grant, Machine, World, enrolled, grant, machine, tenant};

/// The join that the refused ones differ from.
const GOOD: &str = "admission/unpinned-join";
const RECIPE: &str = "An honest join with a token of one use, in a world in which one thing is wrong.";
const POOL: &str = "/world/pools/1";

pub(super) fn entries() -> Vec<Entry> {
    vec![
        good(),
        placeholders(),
        nothing_left(),
        macs_and_gpus(),
        reclaim(),
        pool_agent(),
        pool_tenant(),
        pool_attestor(),
        revoked(),
        expired(),
        after_a_pool_refusal(),
        after_a_reclaim_refusal(),
        after_placeholders(),
    ]
}

fn token() -> Grant {
    grant("refused")
}

/// The machine that claims nothing but these.
pub(super) fn claiming(members: Value) -> Machine {
    machine("a").claiming(claims(members))
}

/// A machine whose identifiers are those of a thousand others.
pub(super) fn placeholder_machine() -> Machine {
    claiming(json!({
        "productUuid": "00000000-0000-0000-0000-000000000000", "productSerial": "Default string",
        "hostname": "host-a", "permanentMacs": ["94:de:80:01:02:03"],
    }))
}

fn good() -> Entry {
    script_accept(GOOD, "ADMISSION-2", "A machine joins with the only use of a token without a binding.")
        .also("ADMISSION-1")
        .documented()
        .world(&World::usual().token(&token()))
        .step("join", NOW, join(&machine("a"), &token()), joined("n1"))
        .why("Every refused join of this file is this one with one thing wrong.")
        .recipe(RECIPE)
}

/// The good join in another world, refused.
fn refusal(name: &str, title: &str, world: &World, reason: &str, at: &[&str], what: &str) -> Entry {
    script_reject(&format!("admission/{name}"), "ADMISSION-2", title)
        .world(world)
        .step("join", NOW, join(&machine("a"), &token()), refused(reason))
        .twin(GOOD, at, what)
        .recipe(RECIPE)
}

/// The good join by a machine with other claims, refused for its placeholders.
fn by(name: &str, title: &str, machine: &Machine, what: &str) -> Entry {
    script_reject(&format!("admission/{name}"), "ADMISSION-2", title)
        .also("HARDWARE-KEY-3")
        .world(&World::usual().token(&token()))
        .step("join", NOW, join(machine, &token()), refused("placeholder-hardware"))
        .twin(GOOD, &["/steps/0/request/claims"], what)
        .recipe(RECIPE)
}

fn placeholders() -> Entry {
    let title = "A machine with placeholder identifiers is refused, and the token keeps its use.";
    by("placeholders-keep-the-use", title, &placeholder_machine(), "UUID and serial are placeholders.")
        .why("The board vendor's default is no fault of the operator: the token must still serve the right machine.")
}

fn nothing_left() -> Entry {
    let title = "A machine that claims nothing is refused, and the token keeps its use.";
    by("no-claims-keep-the-use", title, &claiming(json!({})), "The machine claims nothing.")
        .why("Without any identifier there is no key at all; the use must not be taken on the way to that finding.")
}

fn macs_and_gpus() -> Entry {
    let claims = claiming(json!({
        "permanentMacs": ["94:de:80:01:02:03"], "gpuUuids": ["GPU-41255406-c9af-f94b-4ebf-9d57ad1853da"],
    }));
    let title = "A machine with MACs and GPUs only is refused, and the token keeps its use.";
    by("macs-and-gpus-keep-the-use", title, &claims, "Neither a product UUID nor a serial is claimed.")
        .why("Two kinds survive, yet network cards and GPUs move between machines; a token without a binding needs a board.")
}

fn reclaim() -> Entry {
    let old = enrolled("a", &machine("a"), "2025-12-31T12:00:00Z");
    let title = "A join of a known machine without allowReclaim is refused, and the token keeps its use.";
    let at = &["/world/nodes", "/world/certs"];
    let world = World::usual().token(&token()).enrolled(&old);
    refusal("reclaim-keeps-the-use", title, &world, "reclaim", at, "The machine is a node already.").why(
        "The token is for another machine; whoever spells the identifiers of a known one must not use it up.",
    )
}

fn pool_agent() -> Entry {
    let world = World::usual().token(&token()).pool("a", "agent", "kubeadm");
    let title = "A join into a pool that does not run the daemon is refused, and the token keeps its use.";
    let at = &[&*format!("{POOL}/agent")];
    refusal("pool-agent-keeps-the-use", title, &world, "pool-agent", at, "The pool runs another agent.")
        .why("The pool is judged after the use is taken; a server that does not undo it loses a use to every such join.")
}

fn pool_tenant() -> Entry {
    let world = World::usual().token(&token()).pool("a", "ownerTenant", tenant("b"));
    let title = "A join into a pool that has changed hands is refused, and the token keeps its use.";
    let at = &[&*format!("{POOL}/ownerTenant")];
    refusal(
        "pool-tenant-keeps-the-use",
        title,
        &world,
        "pool-tenant",
        at,
        "Another tenant owns the pool now.",
    )
    .why("The pool may be given back; the token that was made for it must then still count as it did.")
}

fn pool_attestor() -> Entry {
    let world = World::usual().token(&token()).pool("a", "policy", json!({"joinAttestors": ["tpm"]}));
    let title =
        "A token join into a pool that wants another attestor is refused, and the token keeps its use.";
    let at = &[&*format!("{POOL}/policy")];
    refusal("pool-attestor-keeps-the-use", title, &world, "pool-attestor", at, "The pool takes tpm alone.")
        .documented()
        .why(
            "Policies change; a join that was refused by yesterday's must not be missing from today's count.",
        )
}

fn revoked() -> Entry {
    let world = World::usual().token(&token().with("revokedAt", "2025-12-31T23:59:59.999Z"));
    let title = "A join with a revoked token is refused and changes nothing.";
    refusal(
        "revoked-changes-nothing",
        title,
        &world,
        "token-revoked",
        &["/world/tokens/0/revokedAt"],
        "The token was revoked.",
    )
    .why("What is left of the token is what its owner sees in the listing: it must be what was left at revocation.")
}

fn expired() -> Entry {
    let world = World::usual().token(&token().with("expiresAt", NOW));
    let title = "A join with an expired token is refused and changes nothing.";
    let at = &["/world/tokens/0/expiresAt"];
    refusal(
        "expired-changes-nothing",
        title,
        &world,
        "token-expired",
        at,
        "The token expires in this very millisecond.",
    )
    .why("An expired token stays what it was when it expired.")
}

fn after_a_pool_refusal() -> Entry {
    let (other, here) = (grant("other"), token());
    let world = World::usual().token(&here).token(&other.clone().of("b", "b")).pool("b", "agent", "kubeadm");
    script_accept("admission/joins-after-a-pool-refusal", "ADMISSION-2", "A machine that a pool refused joins elsewhere as new.")
        .world(&world)
        .step("wrong-pool", NOW, join(&machine("a"), &other), refused("pool-agent"))
        .step("right-pool", NOW, join(&machine("a"), &here), joined("n1"))
        .why("The pool refuses after everything else has passed: no node may stay behind that blocks the machine's key.")
        .recipe("Two tokens of two tenants' pools, one of which does not run the daemon.")
}

fn after_a_reclaim_refusal() -> Entry {
    let old = enrolled("a", &machine("a"), "2025-12-31T12:00:00Z");
    script_accept("admission/joins-after-a-reclaim-refusal", "ADMISSION-2", "A token still serves a new machine after a known one was refused.")
        .also("ADMISSION-3")
        .world(&World::usual().token(&token()).enrolled(&old))
        .step("known", NOW, join(&machine("a").rekeyed("new"), &token()), refused("reclaim"))
        .step("new", NOW, join(&machine("b"), &token()), joined("n1"))
        .why("The refusal undoes its use, and the known node keeps generation and certificate.")
        .recipe("A node in the world; its machine tries a token without allowReclaim, then a new machine takes the one use.")
}

fn after_placeholders() -> Entry {
    script_accept("admission/joins-after-placeholders", "ADMISSION-2", "A machine whose serial was set after a refusal joins with the same token.")
        .also("HARDWARE-KEY-3")
        .world(&World::usual().token(&token()))
        .step("placeholders", NOW, join(&placeholder_machine(), &token()), refused("placeholder-hardware"))
        .step("again", NOW, join(&machine("a"), &token()), joined("n1"))
        .why("The operator sets UUID and serial in the firmware and tries again; the seal and CSR may even be the same octets.")
        .recipe("The same machine key, CSR and seal twice; the second request carries real identifiers.")
}
