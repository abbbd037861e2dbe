//! The usual effects, each from the rule that is named.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::expectation::Context;
use super::request::{Join, Request};
use crate::schema::Effects;
use crate::testkit::decode_certificate::certificate;
use crate::testkit::encode::b64u;
use crate::testkit::keys::hash;
use crate::testkit::signature::spki;
use crate::testkit::world::{instant_ms, later, seconds};

type Parts = (Option<Value>, Effects);

/// Reasons before the token's secret or the proof has verified: the root tenant hears of them (REFUSAL-2).
const TO_ROOT: [&str; 14] = [
    "request",
    "attestor",
    "role-invalid",
    "csr",
    "claims",
    "seal",
    "seal-key",
    "seal-iat",
    "seal-csr",
    "token-unknown",
    "token-secret",
    "pop-chain",
    "cert-unknown",
    "pop-signature",
];

/// Where a certificate comes from and what it says.
struct Issue<'i> {
    label: &'i str,
    node: Value,
    generation: Value,
    role: Value,
    statements: Value,
    allowed_kinds: Value,
    ttl_limit_s: Option<i64>,
    renewed_from: Value,
    key: Vec<u8>,
}

impl Issue<'_> {
    /// CERTIFICATE-1: a minute back, and the smallest of the limits; never past the issuer.
    fn validity(&self, context: &Context<'_>) -> (String, String) {
        let configured = context.model.world["certTtlS"].as_i64();
        let ramdisk = (self.role == "ramdisk").then_some(7200);
        let ttl = [configured, ramdisk, self.ttl_limit_s].into_iter().flatten().min().unwrap_or_default();
        let start = seconds(context.at) - 60;
        let end = issuer_end(&context.model.world).map_or(start + ttl, |end| end.min(start + ttl));
        (instant_ms(start), instant_ms(end))
    }

    /// CERTIFICATE-5.
    fn row(&self, context: &Context<'_>) -> Value {
        let (not_before, not_after) = self.validity(context);
        json!({
            "$new": self.label, "nodeId": self.node, "generation": self.generation, "role": self.role,
            "spkiSha256": hex::encode(hash(&self.key)), "notBefore": not_before, "notAfter": not_after,
            "statements": self.statements, "allowedKinds": self.allowed_kinds, "revoked": null,
            "renewedFrom": self.renewed_from,
        })
    }

    fn answer(&self, context: &Context<'_>, purpose: &str, attestor: &str, site: &Value) -> Value {
        let (not_before, not_after) = self.validity(context);
        let point = self.key.get(26..).unwrap_or_default();
        json!({
            "purpose": purpose, "attestor": attestor, "node": self.node, "role": self.role, "site": site,
            "key": b64u(point), "serial": format!("${}", self.label), "notBefore": not_before, "notAfter": not_after,
            "statements": self.statements,
        })
    }
}

/// notAfter of the world's issuer, in seconds.
fn issuer_end(world: &Value) -> Option<i64> {
    let der = URL_SAFE_NO_PAD.decode(world["keys"]["nodeCa"]["certificate"].as_str()?).ok()?;
    certificate(&der)["notAfter"].as_str().map(seconds)
}

/// Null stands for a member that is not there.
fn or_null(value: Option<&Value>) -> Value {
    value.cloned().unwrap_or_default()
}

fn attestor_of(join: &Join) -> &str {
    if join.attestor.is_empty() { "join-token" } else { &join.attestor }
}

fn as_join<'c>(context: &'c Context<'_>) -> Option<&'c Join> {
    match context.request {
        Request::Join(join) => Some(join),
        _ => None,
    }
}

/// The row of the join's token; a token that is made at run time is the newest one.
fn token_of(context: &Context<'_>, join: &Join) -> Value {
    let row = match &join.token_id {
        Some(id) => context.model.token(id),
        None => context.model.tokens.last(),
    };
    or_null(row)
}

fn use_taken(token: &Value) -> Vec<Value> {
    let left = token["usesLeft"].as_i64().unwrap_or_default();
    vec![json!({"id": token["id"], "usesLeft": left - 1})]
}

/// ADMISSION-1, ADMISSION-5, ADMISSION-6, HOSTED-2.
pub(super) fn joined(context: &Context<'_>, label: &str, cert: &str, role: Option<&str>) -> Parts {
    let Some(join) = as_join(context) else { return (None, Effects::default()) };
    let token = token_of(context, join);
    let pool = context.model.pool(&token["poolId"]);
    let site = context.model.site(&pool["siteId"]);
    let role: Value = role.map_or_else(|| token["role"].clone(), Value::from);
    let node: Value = format!("${label}").into();
    let issue = issue(join, (cert, &node, json!(1), &role), &token);
    let attestor = attestor_of(join);
    let owner = &pool["ownerTenant"];
    let row = json!({
        "$new": label, "tenant": owner, "poolId": pool["id"], "siteId": pool["siteId"], "kind": token["role"],
        "certificateRole": role, "generation": 1, "retired": false, "hardwareKeyTrusted": true,
        "tenantOwned": is_tenant_owned(context, owner, &site),
        "queued": pool["acceptanceChecks"] != true || token["role"] == "site", "tokenId": token["id"],
    });
    let told = json!({
        "tenant": owner, "nodeId": node, "tokenId": token["id"], "attestor": attestor, "reclaim": false,
        "hardwareKeyTrusted": true, "serial": format!("${cert}"), "nodeKey": "unattested", "generation": 1,
    });
    let effects = Effects {
        tokens: use_taken(&token),
        nodes: vec![row],
        certs: vec![issue.row(context)],
        events: vec![named("name", "node.joined", &told)],
        audit: vec![named("action", "node.joined", &told)],
    };
    (Some(signed(issue.answer(context, "join-response", attestor, &pool["siteId"]), join.sha256())), effects)
}

/// RECLAIM-3; under x509pop also X509POP-1.
pub(super) fn reclaimed(context: &Context<'_>, node_id: &str, cert: &str, role: Option<&str>) -> Parts {
    let Some(join) = as_join(context) else { return (None, Effects::default()) };
    let node = or_null(context.model.node(node_id));
    let token = token_of(context, join);
    let attestor = attestor_of(join);
    let old = or_null(context.model.newest_cert(node_id));
    let generation = json!(node["generation"].as_i64().unwrap_or_default() + 1);
    let role: Value = role.map_or_else(|| node["certificateRole"].clone(), Value::from);
    let mut limits = token.clone();
    if join.proof.is_some() {
        // X509POP-3, CERTIFICATE-6: kinds and limit of the stored leaf.
        limits = old.clone();
    }
    let issue = issue(join, (cert, &json!(node_id), generation.clone(), &role), &limits);
    let mut change = json!({"id": node_id, "generation": generation});
    let mut told = json!({
        "tenant": node["tenant"], "nodeId": node_id, "attestor": attestor, "reclaim": true,
        "hardwareKeyTrusted": true, "serial": format!("${cert}"), "nodeKey": "unattested", "generation": generation,
        "oldGeneration": node["generation"], "oldSpkiSha256": old["spkiSha256"],
        "newSpkiSha256": hex::encode(hash(&issue.key)), "oldNodeKey": "unattested",
    });
    let pool = context.model.pool(&node["poolId"]);
    let mut change_to = |name: &str, value: Value| {
        if node[name] != value {
            change[name] = value;
        }
    };
    change_to("certificateRole", role);
    // Acceptance runs again (ADMISSION-6).
    let queued = pool["acceptanceChecks"] != true || node["kind"] == "site";
    change_to("queued", queued.into());
    if !token.is_null() {
        change_to("tokenId", token["id"].clone());
        told["tokenId"] = token["id"].clone();
    }
    let (mut certs, mut events) = revocations(context, node_id, "reclaimed");
    certs.push(issue.row(context));
    events.push(named("name", "node.joined", &told));
    let effects = Effects {
        tokens: if token.is_null() { Vec::new() } else { use_taken(&token) },
        nodes: vec![change],
        certs,
        events,
        audit: vec![named("action", "node.reclaimed", &told)],
    };
    (Some(signed(issue.answer(context, "join-response", attestor, &node["siteId"]), join.sha256())), effects)
}

/// RENEWAL-4, RENEWAL-6.
pub(super) fn renewed(context: &Context<'_>, cert: &str) -> Parts {
    let Request::Renew(renew) = context.request else { return (None, Effects::default()) };
    let (serial, node_id) = context.held(&renew.proof.holder);
    let old = or_null(context.model.certs.iter().find(|row| row["id"] == serial.as_str()));
    let node = or_null(context.model.node(&node_id));
    let issue = Issue {
        label: cert,
        node: node_id.into(),
        generation: node["generation"].clone(),
        role: old["role"].clone(),
        statements: old["statements"].clone(),
        allowed_kinds: old["allowedKinds"].clone(),
        ttl_limit_s: old["ttlLimitS"].as_i64(),
        renewed_from: serial.into(),
        key: spki(&renew.machine.key),
    };
    let mut answer = issue.answer(context, "renew-response", "renew", &node["siteId"]);
    answer["requestSha256"] = json!({"$absent": true});
    (Some(signed(answer, None)), Effects { certs: vec![issue.row(context)], ..Effects::default() })
}

fn issue<'i>(
    join: &Join,
    (label, node, generation, role): (&'i str, &Value, Value, &Value),
    limits: &Value,
) -> Issue<'i> {
    Issue {
        label,
        node: node.clone(),
        generation,
        role: role.clone(),
        statements: json!([]),
        allowed_kinds: or_null(limits.get("allowedKinds")),
        ttl_limit_s: limits.get("ttlLimitS").and_then(Value::as_i64),
        renewed_from: Value::Null,
        key: spki(&join.machine.key),
    }
}

fn signed(mut answer: Value, request_sha256: Option<String>) -> Value {
    if let Some(sha256) = request_sha256 {
        answer["requestSha256"] = sha256.into();
    }
    json!({"response": {"$answer": answer}})
}

/// HOSTED-2: the site is its tenant's, and the platform does not own the pool in the sense of HOSTED-1.
fn is_tenant_owned(context: &Context<'_>, owner: &Value, site: &Value) -> bool {
    let root = &context.model.world["rootTenant"];
    let same = site["ownerTenant"] == *owner;
    let platform = same && site["custom"] != true && (root.is_null() || root == owner);
    same && !platform
}

/// Every certificate of a node that is not revoked, and the event of each.
fn revocations(context: &Context<'_>, node_id: &str, reason: &str) -> (Vec<Value>, Vec<Value>) {
    let tenant = context.model.node(node_id).map(|node| node["tenant"].clone()).unwrap_or_default();
    let event = |cert: &Value| {
        json!({
            "name": "security.certificate-revoked", "tenant": tenant, "serial": cert["id"], "nodeId": node_id,
            "reason": reason,
        })
    };
    let change = |cert: &Value| json!({"id": cert["id"], "revoked": reason});
    let certs: Vec<&Value> = context.model.unrevoked(node_id).collect();
    (certs.iter().map(|cert| change(cert)).collect(), certs.iter().map(|cert| event(cert)).collect())
}

/// RECLAIM-4.
pub(super) fn retired(context: &Context<'_>, node_id: &str) -> Effects {
    let (certs, events) = revocations(context, node_id, "retired");
    let tenant = context.model.node(node_id).map(|node| node["tenant"].clone());
    Effects {
        nodes: vec![json!({"id": node_id, "retired": true})],
        certs,
        events,
        audit: vec![json!({"action": "node.retired", "tenant": tenant, "nodeId": node_id})],
        ..Effects::default()
    }
}

/// REFUSAL-2: the event and its audience. Hashes of hardware keys are left free. With several reasons the event's is free.
pub(super) fn refused(context: &Context<'_>, reason: &str, exact: bool) -> Effects {
    let root = || context.model.world["rootTenant"].clone();
    let text_tenant = |value: Option<&Value>| value.map(|row| row["tenant"].clone()).unwrap_or_default();
    let mut event = match context.request {
        Request::Join(join) => {
            let attestor = if reason == "attestor" { "unknown" } else { attestor_of(join) };
            let owner = match &join.proof {
                Some(proof) => text_tenant(context.model.node(&context.held(&proof.holder).1)),
                None => token_of(context, join)["tenant"].clone(),
            };
            json!({
                "name": "security.join.refused", "tenant": if TO_ROOT.contains(&reason) { root() } else { owner },
                "attestor": attestor, "reason": format!("{attestor}:{reason}"), "role": join.role,
                "csrSha256": hex::encode(hash(join.csr_octets())), "suppressed": 0,
            })
        }
        Request::Renew(renew) => {
            let early = TO_ROOT.contains(&reason);
            let owner = text_tenant(context.model.node(&context.held(&renew.proof.holder).1));
            json!({
                "name": "security.renew.refused", "tenant": if early { root() } else { owner }, "reason": reason,
                "csrSha256": hex::encode(hash(&renew.csr_octets())), "suppressed": 0,
            })
        }
        Request::Plain(_) => return Effects::default(),
    };
    if let Some(members) = event.as_object_mut().filter(|_| !exact) {
        members.remove("reason");
    }
    // REFUSAL-4: sixty in a minute.
    let times = usize::try_from(context.repeat.min(60)).unwrap_or(60);
    Effects { events: vec![event; times], ..Effects::default() }
}

/// TOKEN-7, TOKEN-9.
pub(super) fn token_created(context: &Context<'_>, label: &str) -> Parts {
    let Request::Plain(asked) = context.request else { return (None, Effects::default()) };
    let pool = context.model.pool(&asked["poolId"]);
    let (request, id) = (&asked["request"], format!("${label}"));
    let uses = request.get("maxUses").cloned().unwrap_or_else(|| json!(1));
    let expires = later(context.at, request["ttlSeconds"].as_i64().unwrap_or_default());
    let hosted = or_null(request.get("hosted"));
    let record = json!({
        "id": id, "poolId": asked["poolId"], "siteId": pool["siteId"], "role": "node", "usesLeft": uses,
        "expect": or_null(request.get("expect")), "allowReclaim": request.get("allowReclaim") == Some(&json!(true)),
        "hosted": hosted, "expiresAt": expires,
    });
    let mut event = json!({
        "name": "security.join-token.created", "tenant": asked["tenant"], "tokenId": id,
        "pinned": request.get("expect").is_some(), "hosted": hosted,
    });
    if hosted.is_null() {
        event["hosted"] = json!({"$absent": true});
    }
    let row = json!({
        "$new": label, "tenant": asked["tenant"], "poolId": asked["poolId"], "role": "node", "usesLeft": uses,
        "revoked": false,
    });
    let effects = Effects { tokens: vec![row], events: vec![event], ..Effects::default() };
    (Some(json!({"record": record, "token": {"$any": true}})), effects)
}

/// TOKEN-8, TOKEN-9.
pub(super) fn revoked(context: &Context<'_>, token: &str) -> Effects {
    let tenant = context.model.token(token).map(|row| row["tenant"].clone());
    Effects {
        tokens: vec![json!({"id": token, "revoked": true})],
        events: vec![json!({"name": "security.join-token.revoked", "tenant": tenant, "tokenId": token})],
        ..Effects::default()
    }
}

fn named(member: &str, name: &str, told: &Value) -> Value {
    let mut entry = told.clone();
    entry[member] = name.into();
    entry
}
