//! Who hears of a refused renewal: cases of the step REFUSAL that need a renewal.

use super::live::expired;
use super::{GOOD, ISSUED, of, old, with};
use crate::case::{Entry, NOW};
use crate::script::{refused, script_reject};
use crate::testkit::world::{Enrolled, tenant};

/// Tenant b's node and certificate: what its owner hears is not what the root tenant hears.
fn of_b() -> Enrolled {
    let row = old().with("tenant", tenant("b")).with("poolId", crate::testkit::world::pool("b"));
    let leaf = row.issue(&row.key, ISSUED, 86400, &[]);
    row.holding(leaf)
}

pub(super) fn entries() -> Vec<Entry> {
    let nobody = |old: &Enrolled| of(old).with("/caller", serde_json::Value::Null);
    let entry = |name: &str, title: &str| {
        script_reject(&format!("refusal/renewal-{name}"), "REFUSAL-2", title)
            .documented()
            .recipe("A live certificate and a renewal with it that is refused.")
    };
    vec![
        entry(
            "heard-by-root",
            "Of a renewal whose proof does not verify the root tenant hears, and not the owner.",
        )
        .also("RENEWAL-5")
        .world(&with(&of_b()))
        .step("renew", NOW, of(&of_b()).form("flipped"), refused("pop-signature"))
        .twin(
            GOOD,
            &["/world/nodes/0", "/steps/0/request/popSig/$pop/form"],
            "another tenant's node; one bit of the proof",
        )
        .why("Certificates are public: with one in hand anybody could write into its owner's events."),
        entry("heard-by-owner", "Of a renewal by another caller, with a good proof, the node's owner hears.")
            .also("RENEWAL-5")
            .world(&with(&of_b()))
            .step("renew", NOW, nobody(&of_b()), refused("identity"))
            .twin(GOOD, &["/world/nodes/0", "/steps/0/request/caller"], "another tenant's node; no caller")
            .why("Somebody holds the node's key: that is the owner's to know."),
        entry("heard-of-expired", "The reason of a refused renewal is the bare word, without an attestor.")
            .also("RENEWAL-5")
            .world(&with(&expired()))
            .step("renew", NOW, of(&expired()), refused("cert-expired"))
            .twin(
                GOOD,
                &["/world/certs/0/der", "/steps/0/request/chain/0"],
                "the certificate was issued a day earlier",
            )
            .why("A renewal has no attestor; a prefix would make it look like a join."),
        entry("heard-of-unknown", "Of a renewal with an unknown certificate the root tenant hears.")
            .also("RENEWAL-5")
            .world(&with(&of_b()))
            .step("renew", NOW, of(&of_b()).with("/chain", serde_json::json!([])), refused("cert-unknown"))
            .twin(
                GOOD,
                &["/world/nodes/0", "/steps/0/request/chain"],
                "another tenant's node; no certificate",
            )
            .why("Nobody owns what is not stored."),
    ]
}
