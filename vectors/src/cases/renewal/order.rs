//! The order of the reasons: where two hold, the earlier one is the answer.

use super::live::{bound, expired};
use super::{ISSUED, bad, of, old, to, with};
use crate::case::{Entry, NOW};
use crate::script::{Renew, refused, renew, renewed, script_accept, script_reject};
use crate::testkit::encode::b64u;
use crate::testkit::keys::key;
use crate::testkit::world::{Enrolled, World, cert_row, enrolled, machine};

const RULE: &str = "RENEWAL-5";
const EDGES: &str = "renewal/at-every-edge";
/// The last millisecond of the usual certificate, and a minute off it.
const LAST: &str = "2026-01-01T11:59:00.999Z";
const LAST_LESS_60: &str = "2026-01-01T11:58:00.999Z";

pub(super) fn entries() -> Vec<Entry> {
    let mut all = vec![edges()];
    all.extend(early());
    all.extend(late());
    all.extend(at_the_end());
    all
}

/// A world in which the node has this many certificates in all, each for a key of its own.
pub(super) fn certificates(old: &Enrolled, count: usize) -> World {
    (1..count).fold(with(old), |world, number| {
        let leaf = old.issue(&key(&format!("renewal {number}")), ISSUED, 86400, &[]);
        world.push("certs", &cert_row(&old.id(), 1, &leaf))
    })
}

fn edges() -> Entry {
    let title =
        "A renewal passes that is on the good side of every check, and of each by the least there is.";
    let revoked = old().issue(&key("revoked"), ISSUED, 86400, &[]);
    let mut row = cert_row(&old().id(), 1, &revoked);
    row["revoked"] = "reclaimed".into();
    script_accept(EDGES, RULE, title)
        .world(&certificates(&old(), 7).push("certs", &row))
        .step("renew", LAST, of(&old()).client_time(LAST_LESS_60), renewed("second"))
        .why("The last millisecond of the certificate, a client time 60 s off, and the eighth live certificate.")
        .recipe("A node with seven live certificates and a revoked one; a renewal in the certificate's last second.")
}

/// Two reasons in one request; `reason` is the earlier.
fn two(name: &str, title: &str, reason: &str, old: &Enrolled, request: Renew, at: &[&str]) -> Entry {
    bad(&format!("order-{name}"), RULE, title, reason, &with(old), request)
        .twin(super::GOOD, at, "two things at once, each a reason of its own")
        .why("A reason out of its order tells the owner of the wrong thing, or the wrong one of it.")
}

const CALLER: &str = "/steps/0/request/caller";
const FORM: &str = "/steps/0/request/popSig/$pop/form";
const CHAIN: &str = "/steps/0/request/chain/0";
const DER: &str = "/world/certs/0/der";
const REVOKED: &str = "/world/certs/0/revoked";
const GENERATION: &str = "/world/nodes/0/generation";
const RETIRED: &str = "/world/nodes/0/retired";
const TIME: [&str; 2] = ["/steps/0/request/clientTimeMs", "/steps/0/request/popSig/$pop/clientTimeMs"];

fn early() -> Vec<Entry> {
    let unknown = b64u(enrolled("a", &machine("a"), "2025-12-31T12:00:01Z").leaf);
    let nobody = |request: Renew| request.with("/caller", serde_json::Value::Null);
    vec![
        two(
            "csr-unknown",
            "A bad CSR and an unknown certificate: the CSR is first.",
            "csr",
            &old(),
            of(&old()).csr(Vec::new()).with("/chain/0", unknown.clone()),
            &["/steps/0/request/csr", "/steps/0/request/popSig/$pop/csr", CHAIN],
        ),
        two(
            "unknown-signature",
            "An unknown certificate and a bad proof: the certificate is first.",
            "cert-unknown",
            &old(),
            of(&old()).with("/chain/0", unknown).form("flipped"),
            &[CHAIN, FORM],
        ),
        two(
            "signature-identity",
            "A bad proof and a foreign caller: the proof is first, and the owner hears nothing.",
            "pop-signature",
            &old(),
            nobody(of(&old()).form("flipped")),
            &[FORM, CALLER],
        ),
        two(
            "signature-revoked",
            "A bad proof with a revoked certificate: the proof is first.",
            "pop-signature",
            &old().with_cert("revoked", "reclaimed"),
            of(&old()).form("flipped"),
            &[FORM, REVOKED],
        ),
        two(
            "identity-revoked",
            "A foreign caller and a revoked certificate: the caller is first.",
            "identity",
            &old().with_cert("revoked", "reclaimed"),
            nobody(of(&old())),
            &[CALLER, REVOKED],
        ),
    ]
}

fn late() -> Vec<Entry> {
    let stale = |request: Renew| request.client_time("2025-12-31T23:58:59.999Z");
    vec![
        two(
            "revoked-expired",
            "A certificate that is revoked and expired is revoked.",
            "cert-revoked",
            &expired().with_cert("revoked", "reclaimed"),
            of(&expired()),
            &[REVOKED, DER, CHAIN],
        ),
        two(
            "expired-generation",
            "A certificate that is expired and of an older generation is expired.",
            "cert-expired",
            &expired().with("generation", 2),
            of(&expired()),
            &[GENERATION, DER, CHAIN],
        ),
        two(
            "generation-retired",
            "A certificate of an older generation of a retired node is of an older generation.",
            "generation",
            &old().with("generation", 2).with("retired", true),
            of(&old()),
            &[GENERATION, RETIRED],
        ),
        two(
            "retired-clock",
            "A retired node and a client time too old: the node is first.",
            "node-retired",
            &old().with("retired", true),
            stale(of(&old())),
            &[RETIRED, TIME[0], TIME[1]],
        ),
        two(
            "clock-attestation",
            "A client time too old and an attestation that is missing: the client time is first.",
            "clock",
            &bound(),
            stale(of(&bound())),
            &[DER, CHAIN, TIME[0], TIME[1]],
        ),
    ]
}

fn at_the_end() -> Vec<Entry> {
    let entry = |name: &str, title: &str| script_reject(&format!("renewal/order-{name}"), RULE, title);
    let again = || of(&old()).client_time(NOW);
    vec![
        entry("clock-replay", "A proof used before and by now too old is too old.")
            .world(&with(&old()))
            .step("renew", NOW, again(), renewed("second"))
            .step("again", "2026-01-01T00:01:00.001Z", again(), refused("clock"))
            .twin(super::GOOD, &["/steps/1"], "the same request once more, 60.001 s later")
            .why("What the window turns away needs no memory.")
            .recipe("A renewal, and its request once more."),
        entry(
            "replay-limit",
            "A proof used before, of a node that has eight certificates by now, is a replay.",
        )
        .also("CERTIFICATE-7")
        .world(&certificates(&old(), 7))
        .step("renew", NOW, again(), renewed("second"))
        .step("again", NOW, again(), refused("replay"))
        .twin(
            EDGES,
            &[
                "/world/certs/7",
                "/steps/0/at",
                "/steps/0/request/clientTimeMs",
                "/steps/0/request/popSig/$pop/clientTimeMs",
                "/steps/1",
            ],
            "the same request once more",
        )
        .why("A limit that is asked first lets the owner take a replay for a busy machine.")
        .recipe("A node with seven live certificates, a renewal, and its request once more."),
        entry("limit-attestation", "The limit of certificates comes before the missing attestation.")
            .also("CERTIFICATE-7")
            .world(&certificates(&bound(), 8))
            .step("renew", NOW, renew(&to("second"), &bound(), &bound().key), refused("renew-limit"))
            .twin(
                super::GOOD,
                &[DER, CHAIN, "/world/certs"],
                "the leaf names an attestation key, and the node has eight certificates",
            )
            .why("The attestation is verified last, since it costs most.")
            .recipe("A node with eight live certificates, one of which names an attestation key."),
    ]
}
