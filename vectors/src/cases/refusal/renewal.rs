//! The event of a refused renewal: the bare word, the CSR's hash, and to whom it goes (REFUSAL-2).

use serde_json::{Value, json};

use super::flood::{LAST, NEXT, START, stopped};
use crate::case::{Entry, NOW};
use crate::script::{Expectation, Renew, refused, renew, renewed, restart, script_accept, script_reject};
use crate::testkit::encode::b64u;
use crate::testkit::keys::key;
use crate::testkit::world::{Enrolled, World, cert_row, enrolled, machine, pool, tenant};

const RULE: &str = "REFUSAL-2";
const LIMIT: &str = "REFUSAL-4";
const GOOD: &str = "refusal/renew-none";
const ISSUED: &str = "2025-12-31T12:00:00Z";
const CHAIN: &str = "/steps/0/request/chain/0";
const DER: &str = "/world/certs/0/der";
const AK: &str = "urn:bc:tpm-ak:sha256:62854727bebcef250a3a01b5aab872a2da174687ffeab8ee08fdbc80c86d6c04";
const TO_ROOT: &str =
    "Until the proof verified it is any stranger who shows a certificate, which is no secret.";
const TO_OWNER: &str = "The caller holds the node's key: its owner can mend what is wrong with it.";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = vec![good(), replayed(), limited(), of_the_root()];
    all.extend(to_root());
    all.extend(to_owner());
    all.extend(state());
    all.extend(floods());
    all
}

/// A node of tenant b.
fn issued(at: &str) -> Enrolled {
    enrolled("b", &machine("b"), at).with("tenant", tenant("b")).with("poolId", pool("b"))
}

fn old() -> Enrolled {
    issued(ISSUED)
}

fn of(old: &Enrolled) -> Renew {
    renew(&machine("b").rekeyed("second"), old, &old.key)
}

fn with(old: &Enrolled) -> World {
    World::usual().enrolled(old)
}

/// What a join's event says and a renewal's does not.
fn bare(reason: &str) -> Expectation {
    ["attestor", "role", "hardwareKey"].iter().fold(refused(reason), |all, name| {
        all.with(&format!("/effects/events/0/{name}"), json!({"$absent": true}))
    })
}

fn good() -> Entry {
    script_accept(GOOD, RULE, "A renewal that is answered makes no event.")
        .documented()
        .world(&with(&old()))
        .step("renew", NOW, of(&old()), renewed("second"))
        .why("The twin of the renewals that somebody hears of.")
        .recipe("A live certificate and an honest renewal with it.")
}

fn entry(reason: &str, title: &str, world: &World, request: Renew, at: &[&str], what: &str) -> Entry {
    script_reject(&format!("refusal/renew-{reason}"), RULE, title)
        .also("REFUSAL-3")
        .documented()
        .world(world)
        .step("renew", NOW, request, bare(reason))
        .twin(GOOD, at, what)
        .recipe("An honest renewal; then what differs from the twin. The event is read from the store.")
}

fn root(reason: &str, request: Renew, at: &[&str], what: &str) -> Entry {
    let title = format!("The root tenant hears of a renewal's {reason}, as the bare word.");
    entry(reason, &title, &with(&old()), request, at, what).why(TO_ROOT)
}

fn owner(reason: &str, world: &World, request: Renew, at: &[&str], what: &str) -> Entry {
    let title = format!("The node's owner hears of a renewal's {reason}, as the bare word.");
    entry(reason, &title, world, request, at, what).why(TO_OWNER)
}

fn to_root() -> Vec<Entry> {
    let unknown = b64u(old().issue(&old().key, "2025-12-31T12:00:01Z", 86400, &[]));
    vec![
        root(
            "csr",
            of(&old()).csr([machine("b").csr(), vec![5, 0]].concat()),
            &["/steps/0/request/csr", "/steps/0/request/popSig/$pop/csr"],
            "another CSR, with two octets after it",
        ),
        root(
            "cert-unknown",
            of(&old()).with("/chain/0", unknown),
            &[CHAIN],
            "a certificate that was never stored",
        ),
        root(
            "pop-signature",
            of(&old()).form("flipped"),
            &["/steps/0/request/popSig/$pop/form"],
            "one bit of the proof",
        ),
    ]
}

fn to_owner() -> Vec<Entry> {
    let stale = of(&old()).client_time("2025-12-31T23:58:59.999Z");
    vec![
        owner(
            "identity",
            &with(&old()),
            of(&old()).with("/caller", Value::Null),
            &["/steps/0/request/caller"],
            "no client certificate was forwarded",
        ),
        owner(
            "clock",
            &with(&old()),
            stale,
            &["/steps/0/request/clientTimeMs", "/steps/0/request/popSig/$pop/clientTimeMs"],
            "the client time is 60.001 s back",
        ),
    ]
}

fn state() -> Vec<Entry> {
    let row = |reason: &str, node: &Enrolled, at: &[&str], what: &str| {
        owner(reason, &with(node), of(node), at, what)
    };
    let bound = old().holding(old().issue(&old().key, ISSUED, 86400, &[AK]));
    vec![
        row(
            "cert-revoked",
            &old().with_cert("revoked", "reclaimed"),
            &["/world/certs/0/revoked"],
            "the certificate is revoked",
        ),
        row("cert-expired", &issued("2025-12-30T12:00:00Z"), &[DER, CHAIN], "the certificate has expired"),
        row(
            "generation",
            &old().with("generation", 2),
            &["/world/nodes/0/generation"],
            "the node is in its second generation",
        ),
        row("node-retired", &old().with("retired", true), &["/world/nodes/0/retired"], "the node is retired"),
        row("key-attestation-missing", &bound, &[DER, CHAIN], "the certificate names an attestation key"),
    ]
}

fn replayed() -> Entry {
    let title = "The node's owner hears of a renewal's replay, as the bare word.";
    script_reject("refusal/renew-replay", RULE, title)
        .also("REFUSAL-3")
        .documented()
        .world(&with(&old()))
        .step("renew", NOW, of(&old()), renewed("second"))
        .step("again", NOW, of(&old()), bare("replay"))
        .twin(GOOD, &["/steps/1"], "the same request once more")
        .why("Somebody sends what the machine sent: its owner should know.")
        .recipe("A renewal, and its request once more.")
}

fn limited() -> Entry {
    let full = (1..8).fold(with(&old()), |world, number| {
        let leaf = old().issue(&key(&format!("refusal {number}")), ISSUED, 86400, &[]);
        world.push("certs", &cert_row(&old().id(), 1, &leaf))
    });
    let places: Vec<String> = (1..8).map(|place| format!("/world/certs/{place}")).collect();
    let places: Vec<&str> = places.iter().map(String::as_str).collect();
    owner("renew-limit", &full, of(&old()), &places, "the node has eight live certificates")
}

/// The root tenant owns nodes too.
fn of_the_root() -> Entry {
    let own = old().with("tenant", tenant("r00t")).with("poolId", pool("r00t"));
    let title = "The owner of a node of the root tenant is the root tenant.";
    script_reject("refusal/renew-node-of-the-root", RULE, title)
        .world(&with(&own))
        .step("renew", NOW, of(&own).with("/caller", Value::Null), bare("identity"))
        .twin(
            GOOD,
            &["/world/nodes/0/tenant", "/world/nodes/0/poolId", "/steps/0/request/caller"],
            "the node is of the root tenant, and no client certificate was forwarded",
        )
        .why("One rule for every tenant.")
        .recipe("A node of the root tenant; a renewal without a client certificate.")
}

// ---- the limit ----

fn anonymous() -> Renew {
    of(&old()).with("/caller", Value::Null)
}

fn flooded(name: &str, title: &str, times: u32) -> Entry {
    script_reject(&format!("refusal/{name}"), LIMIT, title)
        .recipe("A renewal, then as many renewals without a client certificate as the steps say.")
        .world(&with(&old()))
        .step("renew", START, of(&old()), renewed("second"))
        .repeated(times, "flood", START, anonymous(), refused("identity"))
}

fn told(suppressed: u32) -> Expectation {
    refused("identity").with("/effects/events/0/suppressed", suppressed)
}

fn untold() -> Expectation {
    refused("identity").with("/effects/events", json!([]))
}

fn floods() -> Vec<Entry> {
    let after = "refusals after the renewal";
    let event = |count: u32| {
        let absent = json!({"$absent": true});
        json!([{
            "name": "security.renew.refused", "tenant": tenant("b"), "reason": "identity", "attestor": absent,
            "role": absent, "csrSha256": absent, "suppressed": count,
        }])
    };
    let third = renew(&machine("b").rekeyed("third"), &old(), &old().key);
    let owned = script_accept(
        "refusal/renew-among-a-flood",
        LIMIT,
        "A good renewal is answered among 200 refused ones of the same node.",
    )
    .recipe("200 renewals without a client certificate, and a good one, in one minute.")
    .world(&with(&old()))
    .repeated(200, "flood", START, anonymous(), refused("identity"))
    .step("renew", START, third, renewed("third"))
    .why("The limit drops reports, never requests.");
    vec![
        owned,
        flooded(
            "renew-limit-of-events",
            "Of a minute's refused renewals of one reason sixty are told of.",
            60,
        )
        .step("sixty-first", LAST, anonymous(), untold())
        .twin("refusal/renew-limit-of-events@renew", &["/steps/1", "/steps/2"], after)
        .why("A machine that is stuck renews as fast as it can."),
        flooded("renew-suppressed", "A renewal's event tells how many were dropped, once.", 63)
            .step("next", NEXT, anonymous(), told(3))
            .step("second", NEXT, anonymous(), told(0))
            .twin("refusal/renew-suppressed@renew", &["/steps/1", "/steps/2", "/steps/3"], after)
            .why("What holds of joins holds of renewals."),
        flooded("renew-reasons", "Each reason of a renewal has its own sixty.", 61)
            .step("other", START, of(&old()).form("flipped"), bare("pop-signature"))
            .twin("refusal/renew-reasons@renew", &["/steps/1", "/steps/2"], after)
            .why("A flood of one kind must not hide what is rare."),
        flooded(
            "renew-stop",
            "A clean stop tells of renewals what it still knows: the reason and the count.",
            62,
        )
        .step("stop", LAST, restart(), stopped(event(2)))
        .step("more", LAST, anonymous(), untold())
        .twin("refusal/renew-stop@renew", &["/steps/1", "/steps/2", "/steps/3"], after)
        .why("The count of renewals outlives the process as that of joins does."),
    ]
}
