//! Eight live certificates in the node's generation (CERTIFICATE-7): which count, and when one stops to.

use serde_json::json;

use super::again::neighbour;
use super::order::certificates;
use super::{ISSUED, of, old, to, with};
use crate::case::{Entry, NOW};
use crate::script::{
    join, reclaimed, refused, renew, renewed, retire, retired, script_accept, script_reject,
};
use crate::testkit::keys::key;
use crate::testkit::world::{World, cert_row, grant, machine};

const RULE: &str = "RENEWAL-5";
const EIGHTH: &str = "renewal/limit-eighth";
const FREED: &str = "renewal/limit-freed-by-expiry";
const CERTS: &str = "/world/certs";

pub(super) fn entries() -> Vec<Entry> {
    vec![
        eighth(),
        ninth(),
        ninth_in_turn(),
        in_last_millisecond(),
        freed(),
        not_yet_valid(),
        revoked(),
        older_generation(),
        another_node(),
        after_reclaim(),
        neighbour_retired(),
    ]
}

fn good(id: &str, title: &str, world: &World) -> Entry {
    script_accept(id, RULE, title)
        .also("CERTIFICATE-7")
        .world(world)
        .recipe("A node with so many certificates, and a renewal with the first of them.")
}

fn bad(name: &str, title: &str, world: &World) -> Entry {
    script_reject(&format!("renewal/{name}"), RULE, title)
        .also("CERTIFICATE-7")
        .world(world)
        .recipe("A node with so many certificates, and a renewal with the first of them.")
}

/// The world with one more certificate of the node, issued at this time for so long.
fn more(world: World, name: &str, issued: &str, ttl_s: i64) -> World {
    world.push("certs", &cert_row(&old().id(), 1, &old().issue(&key(name), issued, ttl_s, &[])))
}

fn eighth() -> Entry {
    good(EIGHTH, "A node with seven live certificates gets an eighth.", &certificates(&old(), 7))
        .step("renew", NOW, of(&old()), renewed("second"))
        .why("The eighth is allowed: a limit that is off by one shows here first.")
}

fn ninth() -> Entry {
    bad("limit-ninth", "A node with eight live certificates gets no ninth.", &certificates(&old(), 8))
        .step("renew", NOW, of(&old()), refused("renew-limit"))
        .twin(EIGHTH, &[CERTS], "one live certificate more")
        .why("Whoever has stolen a key cannot collect certificates without end.")
}

fn ninth_in_turn() -> Entry {
    let title = "Seven renewals in a row pass, and the eighth is one too many.";
    let entry = (1..=7).fold(bad("limit-in-a-row", title, &with(&old())), |entry, number| {
        let request = renew(&to(&format!("{number}")), &old(), &old().key);
        entry.step(&format!("renew-{number}"), NOW, request, renewed(&format!("cert-{number}")))
    });
    entry
        .step("renew-8", NOW, renew(&to("8"), &old(), &old().key), refused("renew-limit"))
        .twin(
            "renewal/old-stays",
            &["/steps/0", "/steps/1", "/steps/2", "/steps/3", "/steps/4", "/steps/5", "/steps/6", "/steps/7"],
            "five renewals more",
        )
        .why("What was just issued counts as what was there before.")
}

/// Seven certificates and one that ends with 2026-01-01T00:00:00Z, that second included.
fn ending() -> World {
    more(certificates(&old(), 7), "short", "2025-12-31T23:01:00Z", 3600)
}

fn in_last_millisecond() -> Entry {
    bad("limit-in-last-millisecond", "A certificate counts through its last millisecond.", &ending())
        .also("TIME-2")
        .step("renew", "2026-01-01T00:00:00.999Z", of(&old()), refused("renew-limit"))
        .twin(
            FREED,
            &["/steps/0/at", "/steps/0/request/clientTimeMs", "/steps/0/request/popSig/$pop/clientTimeMs"],
            "one millisecond earlier",
        )
        .why("Live is what could still be used.")
}

fn freed() -> Entry {
    good(
        FREED,
        "A certificate that has expired counts no more, from its first dead millisecond on.",
        &ending(),
    )
    .also("TIME-2")
    .step("renew", "2026-01-01T00:00:01.000Z", of(&old()), renewed("second"))
    .why("With dead certificates counted a node renews eight times in its life.")
}

fn not_yet_valid() -> Entry {
    let world = more(certificates(&old(), 7), "ahead", "2026-01-01T01:00:00Z", 86400);
    bad("limit-not-yet-valid", "A certificate that is not valid yet counts.", &world)
        .step("renew", NOW, of(&old()), refused("renew-limit"))
        .twin(EIGHTH, &[CERTS], "one certificate more, which begins in an hour")
        .why("It is not revoked and not expired. Clocks that are set back leave such certificates.")
}

fn revoked() -> Entry {
    let leaf = old().issue(&key("revoked"), ISSUED, 86400, &[]);
    let mut row = cert_row(&old().id(), 1, &leaf);
    row["revoked"] = json!("reclaimed");
    let world = certificates(&old(), 7).push("certs", &row);
    good("renewal/limit-revoked", "A revoked certificate does not count.", &world)
        .step("renew", NOW, of(&old()), renewed("second"))
        .why("Nobody can use it.")
}

fn older_generation() -> Entry {
    let second = old().with("generation", 2).with_cert("generation", 2);
    let world = (0..8).fold(with(&second), |world, number| {
        let leaf = old().issue(&key(&format!("earlier {number}")), ISSUED, 86400, &[]);
        world.push("certs", &cert_row(&old().id(), 1, &leaf))
    });
    good("renewal/limit-older-generation", "Certificates of an older generation do not count.", &world)
        .step("renew", NOW, of(&second), renewed("second"))
        .why("They are out by their generation, revoked or not.")
}

fn another_node() -> Entry {
    let other = neighbour();
    let world = (1..8).fold(with(&old()).enrolled(&other), |world, number| {
        let leaf = other.issue(&key(&format!("other {number}")), ISSUED, 86400, &[]);
        world.push("certs", &cert_row(&other.id(), 1, &leaf))
    });
    good("renewal/limit-of-another-node", "The eight certificates of another node do not count.", &world)
        .step("renew", NOW, of(&old()), renewed("second"))
        .step("other", NOW, renew(&to("third"), &other, &other.key), refused("renew-limit"))
        .about("renew")
        .why("The limit is the node's: a neighbour that has reached its own stops nobody else.")
}

fn after_reclaim() -> Entry {
    let token = grant("renewal").reclaims();
    let title = "After a reclaim the node begins anew, with one certificate.";
    good("renewal/limit-after-reclaim", title, &certificates(&old(), 8).token(&token))
        .also("RECLAIM-3")
        .step("reclaim", NOW, join(&machine("a").rekeyed("second"), &token), reclaimed(&old().id(), "taken"))
        .step("renew", NOW, renew(&to("third"), "reclaim", &to("second").key), renewed("third"))
        .why("A machine that is stuck at the limit has a way out, and the limit is for each generation.")
}

fn neighbour_retired() -> Entry {
    let title = "A node that has reached its limit is not freed by another's retirement.";
    bad("limit-another-retired", title, &certificates(&old(), 8).enrolled(&neighbour()))
        .step("retire", NOW, retire(&neighbour().id()), retired(&neighbour().id()))
        .step("renew", NOW, of(&old()), refused("renew-limit"))
        .twin(
            EIGHTH,
            &[CERTS, "/world/nodes/1", "/steps/0", "/steps/1"],
            "one live certificate more, and another node that retires",
        )
        .why("Revocations count where they happen.")
}
