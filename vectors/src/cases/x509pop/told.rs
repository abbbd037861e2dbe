//! What a way back tells and revokes: events and audit row of a reclaim (X509POP-1, RECLAIM-3).

use serde_json::json;

use super::{ISSUED, back, of, old, to, with};
use crate::case::{Entry, NOW};
use crate::script::{Expectation, Join, join, joined, refused, renew, script_accept, script_reject, x509pop};
use crate::testkit::keys::key;
use crate::testkit::world::{Enrolled, World, cert_row, enrolled, grant, machine, pool, tenant};

const RULE: &str = "X509POP-1";
const LATER: &str = "2026-01-01T00:00:01.000Z";
const OLD_ALONE: &str = "x509pop/revokes-every-certificate";

pub(super) fn entries() -> Vec<Entry> {
    vec![
        no_token(),
        token_used_up(),
        first_join_and_back(),
        generations(),
        every_certificate(),
        revoked_before(),
        older_generations(),
        other_node_untouched(),
        another_tenant(),
        own_key(),
        others_are_out(),
    ]
}

fn good(name: &str, title: &str, world: &World, request: Join, expected: Expectation) -> Entry {
    script_accept(&format!("x509pop/{name}"), RULE, title)
        .also("RECLAIM-3")
        .world(world)
        .step("join", NOW, request, expected)
        .recipe("A certificate that has expired and an honest join with it.")
}

/// Neither event nor audit row names a token.
fn tokenless(expected: Expectation, event: u32) -> Expectation {
    let absent = json!({"$absent": true});
    expected
        .with(&format!("/effects/events/{event}/tokenId"), absent.clone())
        .with("/effects/audit/0/tokenId", absent)
}

fn no_token() -> Entry {
    let token = grant("x509pop").with("usesLeft", 0);
    let row = old().with("tokenId", token.bearer.id.clone());
    let title = "Event and audit row name no token, though the node once joined with one.";
    good("no-token-named", title, &with(&row).token(&token), of(&row), tokenless(back(), 1))
        .also("ADMISSION-5")
        .why("No token was used; a token that is named seems to have let the machine in.")
}

fn token_used_up() -> Entry {
    let token = grant("x509pop").with("revokedAt", "2025-12-31T00:00:00.000Z");
    let row = old().with("tokenId", token.bearer.id.clone());
    let title = "The machine comes back although the token of its first join was revoked.";
    good("token-revoked-since", title, &with(&row).token(&token), of(&row), back()).also("X509POP-3").why(
        "The token let the machine in once. Its node is ended by retiring it, not by revoking the token.",
    )
}

fn first_join_and_back() -> Entry {
    let token = grant("x509pop");
    let again = x509pop(&to("second"), "first", &machine("a").key);
    let title =
        "A whole life: a join by token, an outage, and the way back with the certificate of the join.";
    script_accept("x509pop/whole-life", RULE, title)
        .documented()
        .also("ADMISSION-5")
        .world(&World::usual().token(&token))
        .step("first", NOW, join(&machine("a"), &token), joined("n1"))
        .step(
            "back",
            "2026-01-05T00:00:00.000Z",
            again,
            tokenless(crate::script::reclaimed("$n1", "taken"), 1),
        )
        .why("The node keeps its id and its token's id; its second generation begins.")
        .recipe("A join by token, and four days later a join with its certificate.")
}

fn generations() -> Entry {
    let row = old().with("generation", 41).with_cert("generation", 41);
    good(
        "generation-42",
        "The forty-second generation follows the forty-first.",
        &with(&row),
        of(&row),
        back(),
    )
    .why("One up, whatever the number; event and audit row carry both.")
}

/// The node with further certificates for keys of these names; the usual one is the last row.
fn beside(others: &[(&str, u32, &str)]) -> World {
    let world = World::usual().push("nodes", &old().with("generation", 2).node);
    let world = others.iter().fold(world, |world, &(name, generation, revoked)| {
        let leaf = old().issue(&key(name), ISSUED, 86400, &[]);
        let mut row = cert_row(&old().id(), generation, &leaf);
        if !revoked.is_empty() {
            row["revoked"] = revoked.into();
        }
        world.push("certs", &row)
    });
    world.push("certs", &second().cert)
}

fn second() -> Enrolled {
    old().with_cert("generation", 2)
}

fn every_certificate() -> Entry {
    let live = old().issue(&key("alive"), "2025-12-31T18:00:00Z", 86400, &[]);
    let world = World::usual()
        .push("nodes", &old().node)
        .push("certs", &cert_row(&old().id(), 1, &live))
        .push("certs", &cert_row(&old().id(), 1, &old().issue(&key("expired"), ISSUED, 86400, &[])))
        .push("certs", &old().cert);
    let title = "Every certificate of the node is revoked, alive or expired, and an event tells of each.";
    script_accept(OLD_ALONE, RULE, title)
        .also("RECLAIM-3")
        .world(&world)
        .step("join", NOW, of(&old()), back())
        .why("Whoever else holds a certificate of the node is out.")
        .recipe("A node with a live certificate, an expired one, and an expired newest one, and a join with that.")
}

fn revoked_before() -> Entry {
    let world = beside(&[("revoked", 2, "reclaimed"), ("expired", 2, "")]);
    let title = "A certificate that was revoked before keeps its reason, and no event tells of it again.";
    good("revoked-before", title, &world, of(&second()), back())
        .why("One event for each certificate that was not revoked before.")
}

fn older_generations() -> Entry {
    let world = beside(&[("first", 1, ""), ("first revoked", 1, "reclaimed")]);
    let title = "Certificates of older generations that nobody revoked are revoked too.";
    good("revokes-older-generations", title, &world, of(&second()), back())
        .why("Every older certificate, and not only those of the generation before.")
}

fn other_node_untouched() -> Entry {
    let other = enrolled("b", &machine("b"), ISSUED);
    let request = x509pop(&machine("b").rekeyed("third"), &other, &other.key);
    let title = "The certificates of another node stay, and it comes back by its own.";
    good("another-node-untouched", title, &with(&old()).enrolled(&other), of(&old()), back())
        .step("other", LATER, request, crate::script::reclaimed(&other.id(), "others"))
        .why("After a power cut a whole rack comes back within a second.")
}

fn another_tenant() -> Entry {
    let row = old().with("tenant", tenant("b")).with("poolId", pool("b"));
    let leaf = row.issue(&row.key, ISSUED, 86400, &[]);
    let row = row.holding(leaf);
    good("tenant-told", "Events and audit row are those of the node's tenant.", &with(&row), of(&row), back())
        .why("There is no token whose tenant they could go to.")
}

fn own_key() -> Entry {
    let request = x509pop(&machine("a"), &old(), &old().key);
    let title = "A machine comes back to the key that it had.";
    good("same-key", title, &with(&old()), request, back())
        .also("RECLAIM-1")
        .why("Old and new hash are equal then, and both are told.")
}

fn others_are_out() -> Entry {
    let live = old().issue(&key("alive"), "2025-12-31T18:00:00Z", 86400, &[]);
    let holder = Enrolled { key: key("alive"), ..old() }.holding(live.clone());
    let world = World::usual()
        .push("nodes", &old().node)
        .push("certs", &cert_row(&old().id(), 1, &live))
        .push("certs", &old().cert);
    let title = "After a way back no other certificate of the node renews.";
    script_reject("x509pop/others-are-out", RULE, title)
        .also("RENEWAL-2")
        .world(&world)
        .step("join", NOW, of(&old()), back())
        .step("renew", LATER, renew(&to("third"), &holder, &holder.key), refused("cert-revoked"))
        .twin(
            OLD_ALONE,
            &["/world/certs", "/steps/1"],
            "without the expired certificate between; then a renewal with the live one",
        )
        .why("Of two machines that hold certificates of one node, the way back leaves one.")
        .recipe("A node with a live certificate and an expired newest one: a join with that, a renewal with the other.")
}
