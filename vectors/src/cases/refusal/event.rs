//! What the event of a refused join says: attestor, reason, role, hashes; and nothing else of the request.

use serde_json::{Value, json};

use super::flood::{claim, good, hardware_key, token, world};
use crate::case::{Entry, NOW};
use crate::script::{Expectation, Join, join, joined, refused, script_accept, script_reject};
use crate::testkit::encode::b64u;
use crate::testkit::request::claims;
use crate::testkit::world::{Machine, World, grant, machine};

const RULE: &str = "REFUSAL-2";
const GOOD: &str = "refusal/event-none";
const ROLE: &str = "/steps/0/request/role";
const ATTESTOR: &str = "/steps/0/request/attestor";
const CSR: &str = "/steps/0/request/csr";
const SEAL: &str = "/steps/0/request/seal";
const CLAIMS: &str = "/steps/0/request/claims";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = vec![none()];
    all.extend(roles());
    all.extend(names());
    all.extend(csrs());
    all.extend(keys());
    all.extend(absent());
    all.extend(few());
    all
}

fn none() -> Entry {
    script_accept(GOOD, RULE, "A join that is admitted makes no event of a refusal.")
        .documented()
        .world(&world())
        .step("join", NOW, good(), joined("n1"))
        .why("An owner is told of what went wrong, and of nothing else.")
        .recipe("A good join.")
}

fn bad(name: &str, title: &str, world: &World, request: Join, expected: Expectation) -> Entry {
    script_reject(&format!("refusal/event-{name}"), RULE, title)
        .world(world)
        .step("join", NOW, request, expected)
        .recipe("A good join; then what differs from the twin. The event is read from the store.")
}

// ---- the role ----

fn roles() -> Vec<Entry> {
    let role = |name: &str, title: &str, sent: String, shown: String| {
        let expected = refused("role-invalid").with("/effects/events/0/role", shown);
        bad(&format!("role-{name}"), title, &world(), good().role(&sent), expected)
            .twin(GOOD, &[ROLE], "the role that is asked for")
            .why("The text is the caller's: what of it reaches an owner's stream has an end, and stays text.")
    };
    let (r, e, key) = (|n: usize| "r".repeat(n), |n: usize| "é".repeat(n), |n: usize| "🔑".repeat(n));
    vec![
        role("empty", "An empty role is shown empty.", String::new(), String::new()),
        role("64-octets", "A role of 64 octets is shown whole.", r(64), r(64)),
        role("65-octets", "A role of 65 octets is cut to 64.", r(65), r(64)),
        role("long", "A role of 5000 octets is cut to 64.", r(5000), r(64)),
        role("32-of-two", "Thirty-two characters of two octets are 64 octets and shown whole.", e(32), e(32)),
        role("33-of-two", "Thirty-three characters of two octets are cut to 32: octets count.", e(33), e(32)),
        role(
            "cut-inside-two",
            "A character that the 64th octet would cut in two is left out whole.",
            format!("r{}", e(32)),
            format!("r{}", e(31)),
        ),
        role("16-of-four", "Sixteen characters of four octets are shown whole.", key(16), key(16)),
        role(
            "cut-inside-four",
            "Of a character of four octets nothing is shown where only three have room.",
            format!("r{}", key(16)),
            format!("r{}", key(15)),
        ),
        role(
            "case",
            "The role is shown as it was sent, not as it was meant.",
            "NODE ".into(),
            "NODE ".into(),
        ),
    ]
}

// ---- the attestor ----

fn names() -> Vec<Entry> {
    let name = |name: &str, title: &str, sent: &str| {
        bad(&format!("attestor-{name}"), title, &world(), good().attestor(sent), refused("attestor"))
            .twin(GOOD, &[ATTESTOR], "the attestor's name")
            .why("A name that strangers choose would be a text of theirs in the event, and a bucket of their own.")
    };
    let resolved = |name: &str, title: &str, sent: &str| {
        bad(
            &format!("attestor-{name}"),
            title,
            &world(),
            good().attestor(sent).role("NODE"),
            refused("role-invalid"),
        )
        .twin(
            GOOD,
            if sent.is_empty() { &[ROLE] } else { &[ATTESTOR, ROLE] },
            "the role, and the attestor's name as it was sent",
        )
        .why("Both spellings are one attestor, and one bucket.")
    };
    let unconfigured = bad(
        "attestor-not-configured",
        "An attestor that is not configured is unknown in the event.",
        &world().set("/attestors", json!(["x509pop"])),
        good(),
        refused("attestor"),
    )
    .twin(GOOD, &["/world/attestors"], "join-token is not configured")
    .why("The event names what the server runs, not what the caller asked for.");
    vec![
        name("unknown", "A name that no attestor has is unknown in the event.", "ghost"),
        name("case", "A name in another case is unknown in the event.", "Join-Token"),
        name("tpm", "The name of an attestor that is not configured is unknown in the event.", "tpm"),
        name("long", "A name of 5000 octets is unknown in the event.", &"join-token".repeat(500)),
        name("spelled-unknown", "The name unknown is unknown.", "unknown"),
        unconfigured,
        resolved("empty", "The empty name is join-token in the event.", ""),
        resolved("named", "The name join-token is join-token in the event.", "join-token"),
    ]
}

// ---- the CSR ----

fn csrs() -> Vec<Entry> {
    let csr = |name: &str, title: &str, octets: Vec<u8>, reason: &str| {
        bad(&format!("csr-{name}"), title, &world(), good().csr(octets), refused(reason))
            .twin(GOOD, &[CSR, SEAL], "the CSR, and the seal that is made for it")
            .why("The hash is how an operator finds the machine's own log line: it is of what came, read or not.")
    };
    let longer = [machine("a").csr(), vec![5, 0]].concat();
    vec![
        csr("trailing", "csrSha256 is of the CSR as received, what follows it included.", longer, "csr"),
        csr("empty", "csrSha256 of an absent CSR is the hash of nothing.", Vec::new(), "csr"),
        csr("garbage", "csrSha256 is of octets that are no CSR at all.", vec![0xff; 300], "csr"),
    ]
}

// ---- the hardware key ----

/// A machine other than that of the good join.
fn other() -> Machine {
    machine("b")
}

fn stable() -> String {
    hardware_key(&[
        format!("product-uuid={}", claim(&other(), "productUuid")),
        format!("serial={}", claim(&other(), "productSerial")),
    ])
}

fn all() -> String {
    hardware_key(&[
        format!("product-uuid={}", claim(&other(), "productUuid")),
        format!("product-serial={}", claim(&other(), "productSerial")),
        format!("mac={}", claim(&other(), "permanentMacs")),
    ])
}

fn with_key(reason: &str, key: impl Into<Value>) -> Expectation {
    refused(reason).with("/effects/events/0/hardwareKey", key)
}

/// The expectation of an event without a hardware key.
fn keyless(reason: &str) -> Expectation {
    with_key(reason, json!({"$absent": true}))
}

fn keys() -> Vec<Entry> {
    let key = |name: &str, selection: &str, reason: &str, world: &World, at: &[&str], request: Join| {
        let shown = if selection == "all" { all() } else { stable() };
        let title = format!("The event of {reason} carries the hardware key, under {selection}.");
        bad(&format!("key-{name}-{selection}"), &title, world, request, with_key(reason, shown))
            .choice("hwkey.selection", selection)
            .twin(GOOD, at, "another machine, and what is wrong with its join")
            .why("An owner who sees the key of a refused machine finds its other joins, without its serial.")
    };
    let request = || join(&other(), &token());
    let expired = World::usual().token(&token().with("expiresAt", NOW));
    let both = |selection: &str| {
        vec![
            key("early", selection, "seal", &world(), &[CLAIMS, CSR, SEAL], request().sealed(*b"no seal")),
            key(
                "late",
                selection,
                "token-expired",
                &expired,
                &[CLAIMS, CSR, SEAL, "/world/tokens/0/expiresAt"],
                request(),
            ),
        ]
    };
    [both("stable"), both("all")].concat()
}

fn absent() -> Vec<Entry> {
    let row = |name: &str, reason: &str, at: &[&str], request: Join| {
        let title = format!("The event of {reason} carries no hardware key: the claims were not read yet.");
        bad(&format!("no-key-{name}"), &title, &world(), request, keyless(reason))
            .twin(GOOD, at, "what is wrong with the join")
            .why("A key in this event would show that claims are read before they are asked for.")
    };
    let escape = b64u("b7\u{1b}u12");
    vec![
        row("attestor", "attestor", &[ATTESTOR], good().attestor("ghost")),
        row("role", "role-invalid", &[ROLE], good().role("NODE")),
        row("csr", "csr", &[CSR, SEAL], good().csr(Vec::new())),
        row(
            "claims",
            "claims",
            &["/steps/0/request/claims/hostname"],
            good().with("/claims/hostname", escape),
        ),
    ]
}

fn few() -> Vec<Entry> {
    let row = |name: &str, title: &str, plain: Value, expected: Expectation| {
        let poor = machine("a").claiming(claims(plain));
        bad(name, title, &world(), join(&poor, &token()), expected)
            .also("HARDWARE-KEY-2")
            .twin(GOOD, &[CLAIMS], "the claims")
            .why("The key in the event is the one the claims give, trusted or not.")
    };
    let uuid = "d2a64d56-0617-4363-9c0e-5a1b7e3f2a10";
    let untrusted = hardware_key(&[format!("product-uuid={uuid}")]);
    vec![
        row(
            "key-untrusted",
            "A key that is not trusted is in the event all the same.",
            json!({"productUuid": uuid, "hostname": "b7-u12-of-this-row"}),
            with_key("placeholder-hardware", untrusted),
        ),
        row(
            "no-key-at-all",
            "Claims that give no key leave none in the event.",
            json!({"productUuid": "00000000-0000-0000-0000-000000000000", "hostname": "b7-u12-of-this-row"}),
            keyless("placeholder-hardware"),
        ),
        nothing_of_it(),
    ]
}

fn nothing_of_it() -> Entry {
    let telling = machine("b").claiming(claims(json!({
        "productUuid": "d2a64d56-0617-4363-9c0e-5a1b7e3f2a10",
        "productSerial": "SN-7701-OF-THE-REFUSED",
        "boardSerial": "BOARD-OF-THE-REFUSED",
        "chassisSerial": "CHASSIS-OF-THE-REFUSED",
        "hostname": "host-of-the-refused",
        "permanentMacs": ["94:DE:80:06:F8:D5"],
        "gpuUuids": ["GPU-41255406-c9af-f94b-4ebf-9d57ad1853da"],
    })));
    let pinned = grant("refusal").with("expect", json!({"serial": "sn-of-another"}));
    let title = "The event holds no claim, whichever of the seven it is, no seal, no CSR and no token.";
    bad(
        "nothing-of-the-request",
        title,
        &World::usual().token(&pinned),
        join(&telling, &pinned),
        refused("expect"),
    )
    .twin(
        GOOD,
        &[CLAIMS, CSR, SEAL, "/world/tokens/0/expect"],
        "a machine with every claim, and a token that is pinned to another",
    )
    .why("Events are read by more people than may know an inventory, and are kept for longer.")
}
