use serde_json::json;

use super::*;
use crate::testkit::keys::key;
use crate::testkit::world::{enrolled, grant, machine, node, tenant};

const NOW: &str = "2026-01-01T00:00:00.000Z";

#[test]
fn a_join_tells_everything_that_changes() {
    let token = grant("t").uses(2);
    let case = script_accept("admission/x", "ADMISSION-1", "X.")
        .world(&World::usual().token(&token))
        .step("a", NOW, join(&machine("a"), &token), joined("n1"))
        .step("b", NOW, join(&machine("b"), &token), joined("n2"))
        .build();
    let first = &case.steps[0].expect;
    assert_eq!(first.effects.tokens, [json!({"id": token.bearer.id, "usesLeft": 1})]);
    assert_eq!(case.steps[1].expect.effects.tokens, [json!({"id": token.bearer.id, "usesLeft": 0})]);
    assert_eq!(first.effects.nodes[0]["tenant"], tenant("a"));
    assert_eq!(first.effects.certs[0]["notBefore"], "2025-12-31T23:59:00.000Z");
    assert_eq!(first.effects.certs[0]["notAfter"], "2026-01-01T23:59:00.000Z");
    assert_eq!((case.op.as_str(), case.now.as_str()), ("world.step", NOW));
}

#[test]
fn a_reclaim_revokes_what_was_issued_before() {
    let token = grant("t").reclaims();
    let old = enrolled("a", &machine("a"), "2025-12-31T12:00:00Z");
    let case = script_accept("reclaim/x", "RECLAIM-3", "X.")
        .world(&World::usual().token(&token).enrolled(&old))
        .step("renew", NOW, renew(&machine("a").rekeyed("two"), &old, &old.key), renewed("c2"))
        .step("join", NOW, join(&machine("a").rekeyed("three"), &token), reclaimed(&node("a"), "c3"))
        .build();
    let effects = &case.steps[1].expect.effects;
    assert_eq!(effects.certs.len(), 3);
    assert_eq!(effects.certs[1], json!({"id": "$c2", "revoked": "reclaimed"}));
    assert_eq!(effects.events.len(), 3);
    assert_eq!(effects.nodes[0]["generation"], 2);
    let old_key = hex::encode(crate::testkit::keys::hash(crate::testkit::signature::spki(
        &machine("a").rekeyed("two").key,
    )));
    assert_eq!(effects.audit[0]["oldSpkiSha256"], old_key);
    assert_eq!(effects.audit[0]["newGeneration"], 2);
    assert_eq!(effects.audit[0]["oldNodeKey"], "unattested");
}

#[test]
fn a_reclaim_tells_what_the_old_certificate_said_of_its_key() {
    let token = grant("t").reclaims();
    let old = enrolled("a", &machine("a"), "2025-12-31T12:00:00Z");
    let leaf = old.issue(&old.key, "2025-12-31T12:00:00Z", 86400, &["urn:bc:tpm-ak:sha256:00"]);
    let case = script_accept("reclaim/x", "RECLAIM-5", "X.")
        .world(&World::usual().token(&token).enrolled(&old.holding(leaf)))
        .step("join", NOW, join(&machine("a").rekeyed("two"), &token), reclaimed(&node("a"), "c2"))
        .build();
    let told = &case.steps[0].expect.effects.events[1];
    assert_eq!((&told["oldNodeKey"], &told["nodeKey"]), (&json!("tpm"), &json!("unattested")));
}

#[test]
fn a_refusal_goes_to_the_tenant_only_once_the_secret_verified() {
    let token = grant("t").with("usesLeft", 0);
    let entry = |reason| {
        script_reject("admission/x", "ADMISSION-3", "X.")
            .world(&World::usual().token(&token))
            .step("a", NOW, join(&machine("a"), &token), refused(reason))
            .build()
    };
    assert_eq!(entry("token-used").steps[0].expect.effects.events[0]["tenant"], tenant("a"));
    assert_eq!(entry("token-secret").steps[0].expect.effects.events[0]["tenant"], tenant("r00t"));
    assert_eq!(entry("token-used").public.as_deref(), Some(JOIN_REFUSED));
    assert!(entry("CONFLICT").steps[0].expect.effects.is_empty());
    assert_eq!(entry("CONFLICT").public, None);
}

#[test]
fn a_proof_names_what_it_signs() {
    let proof = renew(&machine("a"), "join", &key("old")).client_time(NOW).form("der");
    let case = script_accept("renewal/x", "RENEWAL-1", "X.")
        .world(&World::usual())
        .step("renew", "2026-01-01T00:00:30.000Z", proof, accepted(json!({})))
        .build();
    let request = &case.steps[0].request;
    assert_eq!(request["clientTimeMs"], 1_767_225_600_000_i64);
    assert_eq!(request["popSig"]["$pop"]["node"], json!({"$node": "join"}));
    assert_eq!(request["popSig"]["$pop"]["form"], "der");
    assert_eq!(request["caller"], json!({"$spiffe": "join"}));
}
