//! Who hears of a refused x509pop join: the root tenant before the proof verified, the node's owner after (REFUSAL-2).

use serde_json::{Value, json};

use super::flood::{claim, hardware_key};
use crate::case::{Entry, NOW};
use crate::script::{Expectation, Join, reclaimed, refused, script_accept, script_reject, x509pop};
use crate::testkit::encode::b64u;
use crate::testkit::keys::key;
use crate::testkit::world::{Enrolled, Machine, World, cert_row, enrolled, machine, pool, tenant};

const RULE: &str = "REFUSAL-2";
const GOOD: &str = "refusal/pop-none";
const ISSUED: &str = "2025-12-30T12:00:00Z";
const CHAIN: &str = "/steps/0/request/x509pop/chain/0";
const FORM: &str = "/steps/0/request/x509pop/popSig/$pop/form";
const SIGNED_CSR: &str = "/steps/0/request/x509pop/popSig/$pop/csr";
const TIMES: [&str; 2] =
    ["/steps/0/request/x509pop/clientTimeMs", "/steps/0/request/x509pop/popSig/$pop/clientTimeMs"];
const DER: &str = "/world/certs/0/der";
const AK: &str = "urn:bc:tpm-ak:sha256:62854727bebcef250a3a01b5aab872a2da174687ffeab8ee08fdbc80c86d6c04";
const TO_ROOT: &str =
    "Until the proof verified it is any stranger who shows a certificate, which is no secret.";
const TO_OWNER: &str = "The machine proved its key: its owner can mend what is wrong with it.";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = vec![good(), replayed(), keyed(), flooded(), flooded_owner()];
    all.extend(before());
    all.extend(shown());
    all.extend(of_the_row());
    all.extend(of_the_node());
    all.extend(later());
    all
}

/// A node of tenant b whose certificate was issued then.
fn issued(at: &str) -> Enrolled {
    enrolled("b", &machine("b"), at).with("tenant", tenant("b")).with("poolId", pool("b"))
}

/// One whose certificate has expired.
fn old() -> Enrolled {
    issued(ISSUED)
}

fn fresh() -> Machine {
    machine("b").rekeyed("second")
}

fn of(old: &Enrolled) -> Join {
    x509pop(&fresh(), old, &old.key)
}

fn with(old: &Enrolled) -> World {
    World::usual().enrolled(old)
}

fn good() -> Entry {
    let title = "A machine that is back within the grace is admitted, and nobody hears of a refusal.";
    script_accept(GOOD, RULE, title)
        .also("X509POP-1")
        .world(&with(&old()))
        .step("join", NOW, of(&old()), reclaimed(&old().id(), "second"))
        .why("The twin of the joins that somebody hears of.")
        .recipe("An expired certificate of a node, and an honest x509pop join with it.")
}

fn entry(
    name: &str,
    title: &str,
    world: &World,
    request: Join,
    expected: Expectation,
    twin: (&[&str], &str),
) -> Entry {
    script_reject(&format!("refusal/pop-{name}"), RULE, title)
        .world(world)
        .step("join", NOW, request, expected)
        .twin(GOOD, twin.0, twin.1)
        .recipe("An honest x509pop join; then what differs from the twin. The event is read from the store.")
}

fn root(reason: &str, request: Join, at: &[&str], what: &str) -> Entry {
    let title = format!("The root tenant hears of an x509pop join's {reason}.");
    entry(reason, &title, &with(&old()), request, refused(reason), (at, what)).also("X509POP-5").why(TO_ROOT)
}

fn owner(reason: &str, world: &World, request: Join, at: &[&str], what: &str) -> Entry {
    let title = format!("The node's owner hears of an x509pop join's {reason}.");
    entry(reason, &title, world, request, refused(reason), (at, what)).also("X509POP-5").why(TO_OWNER)
}

/// The reason of the node as it is.
fn state(reason: &str, node: &Enrolled, at: &[&str], what: &str) -> Entry {
    owner(reason, &with(node), of(node), at, what)
}

fn before() -> Vec<Entry> {
    vec![
        root("role-invalid", of(&old()).role("NODE"), &["/steps/0/request/role"], "the role is NODE"),
        root("csr", of(&old()).csr(Vec::new()), &["/steps/0/request/csr", SIGNED_CSR], "there is no CSR"),
        root(
            "claims",
            of(&old()).with("/claims/hostname", b64u("b7\u{1b}u12")),
            &["/steps/0/request/claims/hostname"],
            "an escape character in the hostname",
        ),
    ]
}

fn shown() -> Vec<Entry> {
    let unknown = b64u(old().issue(&old().key, "2025-12-30T12:00:01Z", 86400, &[]));
    vec![
        root(
            "pop-chain",
            of(&old()).with("/x509pop/chain", json!([])),
            &["/steps/0/request/x509pop/chain"],
            "no certificate",
        ),
        root(
            "cert-unknown",
            of(&old()).with("/x509pop/chain/0", unknown),
            &[CHAIN],
            "a certificate that was never stored",
        ),
        root("pop-signature", of(&old()).form("flipped"), &[FORM], "one bit of the proof"),
    ]
}

fn of_the_row() -> Vec<Entry> {
    vec![
        state(
            "cert-revoked",
            &old().with_cert("revoked", "reclaimed"),
            &["/world/certs/0/revoked"],
            "the certificate is revoked",
        ),
        state("cert-not-expired", &issued("2025-12-31T12:00:00Z"), &[DER, CHAIN], "the certificate is alive"),
        state(
            "grace",
            &issued("2025-12-20T12:00:00Z"),
            &[DER, CHAIN],
            "the certificate expired ten days ago",
        ),
    ]
}

fn of_the_node() -> Vec<Entry> {
    let newer = old().issue(&key("newer"), "2025-12-30T13:00:00Z", 86400, &[]);
    let superseded = with(&old()).push("certs", &cert_row(&old().id(), 1, &newer));
    vec![
        state(
            "generation",
            &old().with("generation", 2),
            &["/world/nodes/0/generation"],
            "the node is in its second generation",
        ),
        state(
            "node-retired",
            &old().with("retired", true),
            &["/world/nodes/0/retired"],
            "the node is retired",
        ),
        owner(
            "pop-superseded",
            &superseded,
            of(&old()),
            &["/world/certs/1"],
            "a later certificate was issued to the node",
        ),
    ]
}

fn later() -> Vec<Entry> {
    let bound = old().holding(old().issue(&old().key, ISSUED, 86400, &[AK]));
    let policy = |policy: Value| with(&old()).pool("b", "policy", policy);
    let agent = with(&old()).pool("b", "agent", "ssh");
    vec![
        owner(
            "clock",
            &with(&old()),
            of(&old()).client_time("2025-12-31T23:58:59.999Z"),
            &TIMES,
            "the client time is 60.001 s back",
        ),
        owner(
            "key-attestation-missing",
            &with(&bound),
            of(&bound),
            &[DER, CHAIN],
            "the certificate names an attestation key",
        ),
        owner(
            "request-binding",
            &policy(json!({"requestBinding": "required"})),
            of(&old()),
            &["/world/pools/2/policy"],
            "the pool demands a binding, and the CSR has none",
        )
        .choice("request-binding", "checked"),
        owner(
            "pool-agent",
            &agent,
            of(&old()),
            &["/world/pools/2/agent"],
            "the pool does not run the daemon",
        ),
        owner(
            "pool-attestor",
            &policy(json!({"joinAttestors": ["join-token"]})),
            of(&old()),
            &["/world/pools/2/policy"],
            "the pool's policy lists join-token alone",
        ),
    ]
}

fn replayed() -> Entry {
    let closed = with(&old()).pool("b", "agent", "ssh");
    let title = "The node's owner hears of an x509pop join's replay.";
    script_reject("refusal/pop-replay", RULE, title)
        .also("X509POP-5")
        .world(&closed)
        .step("join", NOW, of(&old()), refused("pool-agent"))
        .step("again", NOW, of(&old()), refused("replay"))
        .twin(
            GOOD,
            &["/world/pools/2/agent", "/steps/1"],
            "the pool does not run the daemon; the same join once more",
        )
        .why("The first refusal used the proof up; the owner hears of each.")
        .recipe("An x509pop join that the pool refuses, sent twice.")
}

fn keyed() -> Entry {
    let lines = [("product-uuid", "productUuid"), ("serial", "productSerial")]
        .map(|(kind, name)| format!("{kind}={}", claim(&machine("b"), name)));
    let expected = refused("pop-signature").with("/effects/events/0/hardwareKey", hardware_key(&lines));
    let title = "The event of an x509pop join carries the hardware key that its claims give.";
    entry("key", title, &with(&old()), of(&old()).form("flipped"), expected, (&[FORM], "one bit of the proof"))
        .choice("hwkey.selection", "stable")
        .why("The claims select nothing under x509pop, but they were read, and the key is how machines are told apart.")
}

fn flooded() -> Entry {
    let title =
        "A machine that is back is admitted among 200 joins with its own certificate and a bad proof.";
    script_accept("refusal/pop-among-a-flood", "REFUSAL-4", title)
        .world(&with(&old()))
        .repeated(200, "flood", NOW, of(&old()).form("flipped"), refused("pop-signature"))
        .step("join", NOW, of(&old()), reclaimed(&old().id(), "second"))
        .why("Whoever has seen a certificate could otherwise keep its machine out.")
        .recipe("200 x509pop joins with a bad proof and an honest one, in one minute.")
}

fn flooded_owner() -> Entry {
    let title = "The sixty-first x509pop refusal that an owner would hear of in a minute makes no event.";
    let request = || of(&old()).client_time("2025-12-31T23:58:59.999Z");
    script_reject("refusal/pop-limit", "REFUSAL-4", title)
        .world(&with(&old()))
        .step("join", NOW, of(&old()).role("NODE"), refused("role-invalid"))
        .repeated(60, "flood", NOW, request(), refused("clock"))
        .step("more", NOW, request(), refused("clock").with("/effects/events", json!([])))
        .twin(
            GOOD,
            &["/steps/0/request/role", "/steps/1", "/steps/2"],
            "refused joins in place of the good one",
        )
        .why("What holds of tokens holds of every attestor.")
        .recipe("One x509pop join for an unknown role, then 61 with a client time too old.")
}
