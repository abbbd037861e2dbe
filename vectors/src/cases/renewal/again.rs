//! A proof that is sent again: how long the memory holds, what makes two proofs the same, and what a restart changes.

use super::{of, old, to, with};
use crate::case::{Entry, NOW};
use crate::script::{Renew, accepted, refused, renew, renewed, restart, script_accept, script_reject};
use crate::testkit::world::{Enrolled, enrolled, machine};

const RULE: &str = "RENEWAL-3";
/// The renewal that comes first in every case here, alone: its client time is the latest that passes at [`NOW`].
pub(super) const FIRST: &str = "renewal/clock-60s-ahead";
/// The client time of that renewal.
pub(super) const TIME: &str = "2026-01-01T00:01:00.000Z";
const AT_ONCE: &str = "2026-01-01T00:00:00.000Z";
/// 120 s after the use: the last instant of the memory, and of the window around the client time.
pub(super) const LATEST: &str = "2026-01-01T00:02:00.000Z";
/// One millisecond later the memory has gone, and the window too.
pub(super) const PAST: &str = "2026-01-01T00:02:00.001Z";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = vec![other_csr(), other_csr_late(), other_time(), new_time_after(), other_node()];
    all.extend(edges());
    all.extend(faces());
    all.extend([other_key(), restarted(), restarted_and_new(), not_refreshed()]);
    all
}

/// The proof that is used at [`NOW`].
pub(super) fn used() -> Renew {
    of(&old()).client_time(TIME)
}

/// A proof with the same client time over another CSR.
pub(super) fn other() -> Renew {
    renew(&to("third"), &old(), &old().key).client_time(TIME)
}

/// The case up to the first renewal.
pub(super) fn first(entry: Entry) -> Entry {
    entry.world(&with(&old())).step("renew", NOW, used(), renewed("second")).recipe(
        "A renewal with a client time 60 s ahead, the earliest at which it passes; then what follows.",
    )
}

fn good(name: &str, title: &str) -> Entry {
    first(script_accept(&format!("renewal/{name}"), RULE, title))
}

fn bad(name: &str, title: &str) -> Entry {
    first(script_reject(&format!("renewal/{name}"), RULE, title))
}

fn again(name: &str, title: &str, at: &str, reason: &str) -> Entry {
    bad(name, title).step("again", at, used(), refused(reason)).twin(
        FIRST,
        &["/steps/1"],
        "the same request once more",
    )
}

fn edges() -> Vec<Entry> {
    vec![
        again("replay-at-once", "The same proof in the same millisecond is a replay.", AT_ONCE, "replay")
            .documented()
            .why("A relay that doubles a request must not double the certificates."),
        again(
            "replay-119999ms",
            "The same proof 119.999 s after its use is a replay.",
            "2026-01-01T00:01:59.999Z",
            "replay",
        )
        .documented()
        .why("The memory is as long as the window is wide: half of that, 60 s, lets a relay wait."),
        again("replay-120000ms", "The same proof exactly 120 s after its use is a replay.", LATEST, "replay")
            .why("The client time still counts in this millisecond, so the memory must hold through it."),
        again(
            "replay-120001ms",
            "The same proof 120.001 s after its use is out of its window, and refused for that.",
            PAST,
            "clock",
        )
        .why("Memory and window end together: no proof is ever both forgotten and in time."),
    ]
}

fn other_csr() -> Entry {
    good("memory-another-csr", "A proof with a used client time over another CSR is another proof.")
        .step("other", NOW, other(), renewed("third"))
        .why("Two renewals in one millisecond are two renewals.")
}

fn other_csr_late() -> Entry {
    good(
        "memory-another-csr-120000ms",
        "A proof with a used client time over another CSR passes up to 120 s after the first use.",
    )
    .step("other", LATEST, other(), renewed("third"))
    .why("The first use leaves after these 120 s and not at them, so its client time is no floor yet.")
}

fn other_time() -> Entry {
    good("memory-another-time", "A proof over the same CSR a millisecond earlier is another proof.")
        .also("RENEWAL-7")
        .step("other", NOW, of(&old()).client_time("2026-01-01T00:00:59.999Z"), renewed("third"))
        .why("An attempt that failed is repeated with a new client time; the CSR may stay.")
}

fn new_time_after() -> Entry {
    good(
        "memory-left",
        "When the first use has left, a client time a millisecond above its own passes for the same CSR.",
    )
    .step(
        "next",
        PAST,
        of(&old()).client_time("2026-01-01T00:01:00.001Z"),
        renewed("third"),
    )
    .why("The floor is the highest client time that has left, and the earliest in the window lies just above it.")
}

/// Another node of the pool.
pub(super) fn neighbour() -> Enrolled {
    enrolled("b", &machine("b"), super::ISSUED)
}

fn other_node() -> Entry {
    let request = renew(&to("second"), &neighbour(), &neighbour().key).client_time(TIME);
    let title = "Another node's proof over the same CSR and client time is another proof.";
    script_accept("renewal/memory-another-node", RULE, title)
        .world(&with(&old()).enrolled(&neighbour()))
        .step("renew", NOW, used(), renewed("second"))
        .step("other", NOW, request, renewed("third"))
        .why("The node id is one of the fields signed: nobody may use up a proof in another node's name.")
        .recipe("Two nodes that renew with one CSR and one client time.")
}

/// The used proof in other octets.
fn faces() -> Vec<Entry> {
    let face = |name: &str, form: &str, title: &str, why: &str| {
        bad(name, title)
            .step("again", NOW, used().form(form), refused("pop-signature"))
            .twin(FIRST, &["/steps/1"], "the same request once more, its signature in another form")
            .why(why)
    };
    vec![
        face(
            "replay-high-s",
            "high-s",
            "A used proof with n - s for s is refused as a signature, and never counts as a new proof.",
            "ECDSA gives two signatures for one proof, and anyone makes the second from the first.",
        ),
        face(
            "replay-der",
            "der",
            "A used proof whose signature is written in DER is refused as a signature.",
            "Whoever takes several encodings gives one proof several lives.",
        ),
    ]
}

fn other_key() -> Entry {
    let title = "The same fields signed by another key of the node are the same proof.";
    bad("replay-another-key", title)
        .step(
            "again",
            NOW,
            renew(&to("second"), "renew", &to("second").key).client_time(TIME),
            refused("replay"),
        )
        .twin(
            "renewal/memory-another-csr",
            &["/steps/1"],
            "over the first CSR again, with the new certificate and its key",
        )
        .why("What was signed makes the proof, never the signature's octets: those differ here, and both verify.")
}

fn restarted() -> Entry {
    bad("replay-after-restart", "The service restarts between a proof and its second use, which is a replay.")
        .step("restart", NOW, restart(), accepted(serde_json::json!({})))
        .step("again", "2026-01-01T00:00:01.000Z", used(), refused("replay"))
        .twin("renewal/restart-between", &["/steps/2/request"], "the proof is the one used before")
        .why("A memory that is lost with the process opens a door whenever someone can make it restart.")
}

fn restarted_and_new() -> Entry {
    good("restart-between", "After a restart a new proof passes as before.")
        .step("restart", NOW, restart(), accepted(serde_json::json!({})))
        .step("other", "2026-01-01T00:00:01.000Z", other(), renewed("third"))
        .why("Safe after a restart must not mean closed after a restart.")
}

fn not_refreshed() -> Entry {
    let title =
        "A replay that was refused does not renew the memory: the first use leaves 120 s after itself.";
    bad("replay-not-refreshed", title)
        .step("again", "2026-01-01T00:01:00.000Z", used(), refused("replay"))
        .step("next", PAST, of(&old()).client_time(PAST), renewed("third"))
        .step("back", LATEST, other(), refused("replay"))
        .twin("renewal/memory-another-csr-120000ms", &["/steps/1", "/steps/2", "/steps/3"], "two steps before the last")
        .why("The use is at the first time. That the entry has left, and left its floor, shows once the clock is back.")
}
