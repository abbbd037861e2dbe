//! The reasons, one by one and in their order: where two hold, the earlier one is the answer (X509POP-5).

use serde_json::{Value, json};

use super::{AT, CHAIN, DER, FORM, GOOD, ISSUED, LEAF, TIME, back, bad, of, old, to, with};
use crate::case::{Entry, NOW};
use crate::cases::renewal::purposes::{live_and_expired, newest};
use crate::script::{Join, reclaimed, refused, script_accept, script_reject, x509pop};
use crate::testkit::claims::with as with_claim;
use crate::testkit::csr::{UNSTRUCTURED_NAME, honest};
use crate::testkit::der;
use crate::testkit::encode::b64u;
use crate::testkit::keys::key;
use crate::testkit::world::{Enrolled, World, cert_row, enrolled, machine};

const RULE: &str = "X509POP-5";
const AK: &str = "urn:bc:tpm-ak:sha256:62854727bebcef250a3a01b5aab872a2da174687ffeab8ee08fdbc80c86d6c04";
const ATTESTORS: &str = "/world/attestors";
const ROLE: &str = "/steps/0/request/role";
const CSR: [&str; 2] = ["/steps/0/request/csr", "/steps/0/request/x509pop/popSig/$pop/csr"];
const CLAIMS: &str = "/steps/0/request/claims";
const REVOKED: &str = "/world/certs/0/revoked";
const GENERATION: &str = "/world/nodes/0/generation";
const RETIRED: &str = "/world/nodes/0/retired";
const NEWER: &str = "/world/certs/1";
const POLICY: &str = "/world/pools/1/policy";
const AGENT: &str = "/world/pools/1/agent";
const VALID: &str = "2025-12-31T11:59:00.999Z";
const OVER: &str = "2026-01-07T11:59:01.000Z";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = vec![no_limit(), many_expired()];
    all.extend(single());
    all.extend(before());
    all.extend(proof());
    all.extend(row());
    all.extend(late());
    all.extend([clock_replay(), replay_attestation(), replay_binding()]);
    all
}

fn no_limit() -> Entry {
    let title =
        "A node with eight live certificates comes back: there is no limit, as a new generation begins.";
    script_accept("x509pop/no-limit", RULE, title)
        .also("CERTIFICATE-7")
        .world(&live_and_expired(8))
        .step("join", NOW, x509pop(&to("second"), &newest(), &newest().key), reclaimed(&old().id(), "taken"))
        .why("All nine are revoked, and an event tells of each.")
        .recipe("A node with eight live certificates and an expired newest one, and a join with that.")
}

fn many_expired() -> Entry {
    let world = (1..9).fold(World::usual().push("nodes", &old().node), |world, number| {
        let leaf = old().issue(&key(&format!("past {number}")), ISSUED, 86400, &[]);
        world.push("certs", &cert_row(&old().id(), 1, &leaf))
    });
    let title = "A node with nine expired certificates comes back with the last of them.";
    script_accept("x509pop/no-limit-expired", RULE, title)
        .also("RECLAIM-3")
        .world(&world.push("certs", &old().cert))
        .step("join", NOW, of(&old()), back())
        .why("Expired ones are revoked too: nothing of the generation before is left.")
        .recipe("A node with nine expired certificates, and a join with the last.")
}

fn reject(name: &str, title: &str, reason: &str, world: &World, request: Join, at: &str) -> Entry {
    script_reject(&format!("x509pop/{name}"), RULE, title)
        .world(world)
        .step("join", at, request, refused(reason))
        .recipe("A certificate that has expired and a join with it; then what the title says.")
}

fn single() -> Vec<Entry> {
    let row = |name: &str, title: &str, reason: &str, old: &Enrolled, at: &[&str]| {
        bad(name, RULE, title, reason, &with(old), of(old)).twin(GOOD, at, "the row")
    };
    let without = of(&old()).without("/x509pop");
    vec![
        row(
            "revoked",
            "A revoked certificate does not join.",
            "cert-revoked",
            &old().with_cert("revoked", "reclaimed"),
            &[REVOKED],
        )
        .why("A way back would undo the revocation."),
        row(
            "older-generation",
            "A certificate of an older generation does not join, revoked or not.",
            "generation",
            &old().with("generation", 2),
            &[GENERATION],
        )
        .why("After a reclaim the machine before it is out, whatever became of its certificates."),
        row(
            "retired",
            "The certificate of a retired node does not join, revoked or not.",
            "node-retired",
            &old().with("retired", true),
            &[RETIRED],
        )
        .why("Retirement ends the node."),
        bad(
            "evidence-absent",
            RULE,
            "A join without the attestor's evidence is refused as one without a chain.",
            "pop-chain",
            &with(&old()),
            without,
        )
        .also("ADMISSION-7")
        .twin(GOOD, &["/steps/0/request/x509pop"], "no evidence")
        .why("What is absent is no chain, and no crash."),
    ]
}

/// Two reasons in one request; `reason` is the earlier.
fn two(name: &str, title: &str, reason: &str, world: &World, request: Join, at: &[&str]) -> Entry {
    let place = if at.contains(&AT[0]) { if reason == "grace" { OVER } else { VALID } } else { NOW };
    reject(&format!("order-{name}"), title, reason, world, request, place)
        .twin(GOOD, at, "two things at once, each a reason of its own")
        .why("A reason out of its order tells the owner of the wrong thing, or the wrong one of it.")
}

/// The machine's claims with a character that claims must not have.
fn claims() -> Value {
    with_claim(machine("a").claims, "hostname", b"host\x07a")
}

fn before() -> Vec<Entry> {
    let usual = with(&old());
    let five = json!([b64u(old().leaf), "", "", "", ""]);
    let claiming = || x509pop(&to("second").claiming(claims()), &old(), &old().key);
    vec![
        two(
            "attestor-role",
            "An attestor that is not configured and a role that is none: the attestor is first.",
            "attestor",
            &usual.clone().set("/attestors", json!(["join-token"])),
            of(&old()).role("king"),
            &[ATTESTORS, ROLE],
        )
        .also("ADMISSION-7"),
        two(
            "role-csr",
            "A role that is none and a bad CSR: the role is first.",
            "role-invalid",
            &usual,
            of(&old()).role("king").csr(Vec::new()),
            &[ROLE, CSR[0], CSR[1]],
        )
        .also("ADMISSION-7"),
        two(
            "csr-claims",
            "A bad CSR and bad claims: the CSR is first.",
            "csr",
            &usual,
            claiming().csr(Vec::new()),
            &[CLAIMS, CSR[0], CSR[1]],
        )
        .also("ADMISSION-7"),
        two(
            "claims-chain",
            "Bad claims and a bad chain: the claims are first.",
            "claims",
            &usual,
            claiming().with("/x509pop/chain", five),
            &[CLAIMS, CHAIN],
        )
        .also("ADMISSION-7"),
    ]
}

fn unknown() -> String {
    b64u(enrolled("a", &machine("a"), "2025-12-30T12:00:01Z").leaf)
}

fn proof() -> Vec<Entry> {
    let usual = with(&old());
    vec![
        two(
            "chain-unknown",
            "Five certificates, the first of which is unknown: the chain is first.",
            "pop-chain",
            &usual,
            of(&old()).with("/x509pop/chain", json!([unknown(), unknown(), unknown(), unknown(), unknown()])),
            &[CHAIN],
        ),
        two(
            "chain-form-unknown",
            "An unknown certificate before an entry that is none: the chain is first.",
            "pop-chain",
            &usual,
            of(&old()).with("/x509pop/chain", json!([unknown(), "MAA"])),
            &[CHAIN],
        ),
        two(
            "unknown-signature",
            "An unknown certificate and a bad proof: the certificate is first.",
            "cert-unknown",
            &usual,
            of(&old()).with("/x509pop/chain/0", unknown()).form("flipped"),
            &[LEAF, FORM],
        ),
        two(
            "signature-revoked",
            "A bad proof with a revoked certificate: the proof is first, and the owner hears nothing.",
            "pop-signature",
            &with(&old().with_cert("revoked", "reclaimed")),
            of(&old()).form("flipped"),
            &[FORM, REVOKED],
        ),
        two(
            "signature-clock",
            "A bad proof with a client time too old: the proof is first.",
            "pop-signature",
            &usual,
            of(&old()).form("flipped").client_time("2025-12-31T23:58:59.999Z"),
            &[FORM, TIME[0], TIME[1]],
        ),
    ]
}

/// The node with a certificate that was issued later.
fn superseded(old: &Enrolled) -> World {
    let leaf = old.issue(&key("later"), "2025-12-30T18:00:00Z", 86400, &[]);
    with(old).push("certs", &cert_row(&old.id(), 1, &leaf))
}

fn row() -> Vec<Entry> {
    let revoked = || old().with_cert("revoked", "reclaimed");
    let older = || old().with("generation", 2);
    let retired = || old().with("retired", true);
    let [at, sent, signed] = AT;
    vec![
        two(
            "revoked-not-expired",
            "A certificate that is revoked and alive is revoked.",
            "cert-revoked",
            &with(&revoked()),
            of(&old()),
            &[REVOKED, at, sent, signed],
        ),
        reject(
            "order-revoked-grace",
            "A certificate that is revoked and out of grace is revoked.",
            "cert-revoked",
            &with(&revoked()),
            of(&old()),
            OVER,
        )
        .twin(GOOD, &[REVOKED, at, sent, signed], "two things at once, each a reason of its own")
        .why("A certificate that was taken away is that for ever, and not only for a week."),
        two(
            "not-expired-generation",
            "A certificate that is alive and of an older generation is alive.",
            "cert-not-expired",
            &with(&older()),
            of(&old()),
            &[GENERATION, at, sent, signed],
        ),
        two(
            "grace-generation",
            "A certificate that is out of grace and of an older generation is out of grace.",
            "grace",
            &with(&older()),
            of(&old()),
            &[GENERATION, at, sent, signed],
        ),
        two(
            "generation-retired",
            "A certificate of an older generation of a retired node is of an older generation.",
            "generation",
            &with(&older().with("retired", true)),
            of(&old()),
            &[GENERATION, RETIRED],
        ),
        two(
            "retired-superseded",
            "An older certificate of a retired node is that of a retired node.",
            "node-retired",
            &superseded(&retired()),
            of(&old()),
            &[RETIRED, NEWER],
        ),
        two(
            "superseded-clock",
            "An older certificate and a client time too old: the certificate is first.",
            "pop-superseded",
            &superseded(&old()),
            of(&old()).client_time("2025-12-31T23:58:59.999Z"),
            &[NEWER, TIME[0], TIME[1]],
        ),
    ]
}

/// The node's certificate names an attestation key.
fn bound() -> Enrolled {
    let leaf = old().issue(&old().key, ISSUED, 86400, &[AK]);
    old().holding(leaf)
}

/// A CSR with a binding of nonsense.
fn nonsense() -> Vec<u8> {
    let value = der::tlv(der::UTF8, "bc-join-request-v1:none");
    honest(&to("second").key).attribute(UNSTRUCTURED_NAME, &[&value]).der()
}

fn late() -> Vec<Entry> {
    let closed = json!({"joinAttestors": ["join-token"]});
    vec![
        two(
            "clock-attestation",
            "A client time too old and an attestation that is missing: the client time is first.",
            "clock",
            &with(&bound()),
            of(&bound()).client_time("2025-12-31T23:58:59.999Z"),
            &[DER, LEAF, TIME[0], TIME[1]],
        ),
        two(
            "attestation-binding",
            "An attestation that is missing and a wrong binding: the attestation is first.",
            "key-attestation-missing",
            &with(&bound()),
            of(&bound()).csr(nonsense()),
            &[DER, LEAF, CSR[0], CSR[1]],
        ),
        two(
            "binding-agent",
            "A wrong binding and a pool of another agent: the binding is first.",
            "request-binding",
            &with(&old()).pool("a", "agent", "kubelet"),
            of(&old()).csr(nonsense()),
            &[CSR[0], CSR[1], AGENT],
        ),
        two(
            "binding-attestor",
            "A wrong binding and a pool that takes no x509pop: the binding is first.",
            "request-binding",
            &with(&old()).pool("a", "policy", closed.clone()),
            of(&old()).csr(nonsense()),
            &[CSR[0], CSR[1], POLICY],
        ),
        two(
            "agent-attestor",
            "A pool of another agent that takes no x509pop: the agent is first.",
            "pool-agent",
            &with(&old()).pool("a", "agent", "kubelet").pool("a", "policy", closed),
            of(&old()),
            &[AGENT, POLICY],
        )
        .also("DESTINATION-2"),
    ]
}

/// A request that is refused at first, and then sent again.
fn again(
    name: &str,
    title: &str,
    world: &World,
    request: &Join,
    first: &str,
    at: &str,
    reason: &str,
) -> Entry {
    script_reject(&format!("x509pop/order-{name}"), RULE, title)
        .also("RENEWAL-3")
        .world(world)
        .step("join", NOW, request, refused(first))
        .step("again", at, request, refused(reason))
        .recipe("A join that is refused with its proof used, and its request once more.")
}

fn clock_replay() -> Entry {
    let request = of(&old()).csr(nonsense()).client_time(NOW);
    let title = "A used proof that is too old by now is too old.";
    again(
        "clock-replay",
        title,
        &with(&old()),
        &request,
        "request-binding",
        "2026-01-01T00:01:00.001Z",
        "clock",
    )
    .twin(
        GOOD,
        &[CSR[0], CSR[1], "/steps/1"],
        "a wrong binding, and the same request once more, 60.001 s later",
    )
    .why("What the window turns away needs no memory.")
}

fn replay_attestation() -> Entry {
    let request = of(&bound()).client_time(NOW);
    let title = "A used proof without the attestation that it needs is a replay.";
    again("replay-attestation", title, &with(&bound()), &request, "key-attestation-missing", NOW, "replay")
        .twin(
            GOOD,
            &[DER, LEAF, "/steps/1"],
            "the leaf names an attestation key, and the request comes twice",
        )
        .why("The attestation costs most and is verified last.")
}

fn replay_binding() -> Entry {
    let request = of(&old()).csr(nonsense()).client_time(NOW);
    let title = "A used proof with a wrong binding is a replay.";
    again("replay-binding", title, &with(&old()), &request, "request-binding", NOW, "replay")
        .twin(GOOD, &[CSR[0], CSR[1], "/steps/1"], "a wrong binding, and the same request once more")
        .why("The evidence's own reasons come before the binding.")
}
