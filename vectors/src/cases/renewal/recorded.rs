//! What is recorded: a proof that reached the step `replay`, whatever came of it, and no other.

use super::again::{FIRST, used};
use super::live::bound;
use super::order::certificates;
use super::{GOOD, of, old, to, with};
use crate::case::{Entry, NOW};
use crate::script::{
    Expectation, Renew, accepted, refused, renew, renewed, restart, script_accept, script_reject,
};
use crate::testkit::keys::hash;
use crate::testkit::world::{World, instant_ms, seconds};

const RULE: &str = "RENEWAL-3";
const SECOND: &str = "2026-01-01T00:00:01.000Z";
const CERTS: &str = "/world/certs";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = vec![limit_uses(), limit_restarted(), attestation_uses()];
    all.extend(not_recorded());
    all.extend([expired_not_recorded(), late_not_recorded(), flood(), flood_passes()]);
    all
}

/// A renewal with a fixed client time, which is the same whenever it is sent.
fn proof() -> Renew {
    of(&old()).client_time(NOW)
}

fn limit_uses() -> Entry {
    let title = "A proof that was refused for the limit of certificates is a replay when it comes again.";
    script_reject("renewal/limit-uses-the-proof", RULE, title)
        .world(&certificates(&old(), 8))
        .step("limit", NOW, proof(), refused("renew-limit"))
        .step("again", SECOND, proof(), refused("replay"))
        .twin(GOOD, &[CERTS, "/steps/1"], "the node has eight live certificates, and the request comes twice")
        .why("Otherwise a relay keeps what was refused, and uses it once there is room.")
        .recipe("A node with eight live certificates, a renewal, and its request once more.")
}

fn limit_restarted() -> Entry {
    let title = "A proof whose renewal was refused is a replay after a restart too.";
    script_reject("renewal/limit-uses-the-proof-for-good", RULE, title)
        .world(&certificates(&old(), 8))
        .step("limit", NOW, proof(), refused("renew-limit"))
        .step("restart", NOW, restart(), accepted(serde_json::json!({})))
        .step("again", SECOND, proof(), refused("replay"))
        .twin(GOOD, &[CERTS, "/steps/1", "/steps/2"], "as above, with a restart between the two")
        .why("It is committed at that step, and not with the certificate that never came.")
        .recipe(
            "A node with eight live certificates, a renewal, a restart, and the renewal's request once more.",
        )
}

fn attestation_uses() -> Entry {
    let proof = || of(&bound()).client_time(NOW);
    let title = "A proof that was refused for its missing attestation is a replay when it comes again.";
    script_reject("renewal/attestation-uses-the-proof", RULE, title)
        .world(&with(&bound()))
        .step("missing", NOW, proof(), refused("key-attestation-missing"))
        .step("again", SECOND, proof(), refused("replay"))
        .twin(
            GOOD,
            &["/world/certs/0/der", "/steps/0/request/chain/0", "/steps/1"],
            "the leaf names an attestation key, and the request comes twice",
        )
        .why("The attestation stands after the step `replay`, and an attacker may try several beside one proof.")
        .recipe("A certificate that names an attestation key, a renewal without one, and its request once more.")
}

/// A renewal that is refused before the step `replay`, then the honest one with the same signed fields.
fn spared(name: &str, title: &str, request: Renew, expected: Expectation) -> Entry {
    script_accept(&format!("renewal/{name}"), RULE, title)
        .world(&with(&old()))
        .step("refused", NOW, request, expected)
        .step("renew", NOW, proof(), renewed("second"))
        .recipe("A refused renewal, and an honest one with the same CSR, node and client time.")
}

fn not_recorded() -> Vec<Entry> {
    vec![
        spared(
            "signature-uses-nothing",
            "A proof whose signature does not verify leaves the honest proof unused.",
            proof().form("flipped"),
            refused("pop-signature"),
        )
        .why("Otherwise whoever sees a request spoils it by being first."),
        spared(
            "high-s-uses-nothing",
            "A proof with n - s for s leaves the honest proof unused.",
            proof().form("high-s"),
            refused("pop-signature"),
        )
        .why("What does not count as a signature uses nothing up, though one check of it would hold."),
        spared(
            "identity-uses-nothing",
            "A proof that came through another caller is not recorded.",
            proof().with("/caller", serde_json::Value::Null),
            refused("identity"),
        )
        .why("The caller is judged before the step `replay`; the node's own call, a moment later, is the first."),
        spared(
            "csr-uses-nothing",
            "A request that is refused for its CSR leaves the honest proof unused.",
            proof().with("/csr", ""),
            refused("csr").with("/effects/events/0/csrSha256", hex::encode(hash(""))),
        )
        .why("Nothing is looked up before the CSR holds."),
    ]
}

fn expired_not_recorded() -> Entry {
    let time = "2026-01-01T11:59:00.500Z";
    let request = || of(&old()).client_time(time);
    let title = "A proof that was refused as its certificate had expired is not recorded.";
    script_accept("renewal/expired-uses-nothing", RULE, title)
        .also("TIME-2")
        .world(&with(&old()))
        .step("expired", "2026-01-01T11:59:01.000Z", request(), refused("cert-expired"))
        .step("renew", "2026-01-01T11:59:00.999Z", request(), renewed("second"))
        .why("Expiry is judged before the step `replay`; with the clock set right by a millisecond the proof is new.")
        .recipe("A renewal a millisecond after the certificate's end, and again with the clock set back by one.")
}

fn late_not_recorded() -> Entry {
    let request = || of(&old()).client_time("2026-01-01T00:01:00.001Z");
    let title =
        "A proof that came a millisecond too early for its window passes when it comes again in time.";
    script_accept("renewal/clock-uses-nothing", RULE, title)
        .world(&with(&old()))
        .step("early", NOW, request(), refused("clock"))
        .step("renew", "2026-01-01T00:00:00.001Z", request(), renewed("second"))
        .why("A proof counts as used once its time has verified, and not before.")
        .recipe("A renewal whose client time is 60.001 s ahead, and the same request a millisecond later.")
}

/// So many renewals of a node that has eight live certificates, each with its own client time.
const FLOOD: u32 = 40;

fn flooded(entry: Entry) -> Entry {
    let start = seconds(NOW);
    (1..=FLOOD).fold(entry, |entry, number| {
        let time = instant_ms(start).replace(".000Z", &format!(".{number:03}Z"));
        let request = renew(&to("third"), &old(), &old().key).client_time(&time);
        entry.step(&format!("flood-{number}"), NOW, request, refused("renew-limit"))
    })
}

fn flood() -> Entry {
    let title = "After a flood of other proofs of the node, the first is still a replay.";
    let places: Vec<String> = (1..FLOOD + 2).map(|number| format!("/steps/{number}")).collect();
    let at: Vec<&str> = std::iter::once(CERTS).chain(places.iter().map(String::as_str)).collect();
    let entry = script_reject("renewal/replay-after-flood", RULE, title).world(&world()).step(
        "renew",
        NOW,
        used(),
        renewed("second"),
    );
    flooded(entry)
        .step("again", SECOND, used(), refused("replay"))
        .twin(FIRST, &at, "a flood, and the first request once more")
        .why("A memory with a number of places is emptied by whoever fills it; entries leave by age only.")
        .recipe("A node with seven live certificates, a renewal, forty that the limit refuses, and the first again.")
}

fn world() -> World {
    certificates(&old(), 7)
}

fn flood_passes() -> Entry {
    let title =
        "After many refused proofs a new one of the node passes as soon as a certificate has expired.";
    let short = old().issue(&old().key, "2025-12-31T23:01:00Z", 3600, &[]);
    let row = crate::testkit::world::cert_row(&old().id(), 1, &short);
    let entry =
        script_accept("renewal/flood-locks-nobody-out", RULE, title).world(&world().push("certs", &row));
    flooded(entry)
        .step("renew", "2026-01-01T00:00:01.000Z", of(&old()), renewed("second"))
        .also("CERTIFICATE-7")
        .why("A memory that refuses when it is full lets a flood lock the node out.")
        .recipe("A node with eight live certificates, forty renewals, and one when the shortest has expired.")
}
