//! The ops with state: what a world is made of, and what stays of it when a call is no good.

use serde_json::{Value, json};

use super::{SECRET_SHA256_B64U, Shim};

const POOL: &str = "pool_01kdvdna00e008000000000001";
const TENANT: &str = "ten_01kdvdna00e008000000000001";
const NODE: &str = "node_01kdvdna00e008000000000001";
const TOKEN: &str = "jt_01kdvdna00e008000000000001";

/// A world of one pool, one token and one node, without a join configuration.
fn world() -> Value {
    let claims =
        json!({"productSerial": "U04tNzcwMQ", "permanentMacs": ["M2M6ZWM6ZWY6MTI6MzQ6NTY"], "gpuUuids": []});
    json!({
        "trustDomain": "example.com", "rootTenant": null, "attestors": ["join-token"], "certTtlS": 86400, "keys": null,
        "sites": [{"id": "site_s", "ownerTenant": TENANT, "custom": false}],
        "pools": [{"id": POOL, "siteId": "site_s", "ownerTenant": TENANT, "agent": "bcd", "acceptanceChecks": false, "policy": {}}],
        "tokens": [{
            "id": TOKEN, "tenant": TENANT, "poolId": POOL, "secretSha256": SECRET_SHA256_B64U, "role": "node",
            "usesLeft": 2, "maxUses": 3, "expiresAt": "2026-01-01T01:00:00.000Z", "revokedAt": null, "expect": null,
            "allowReclaim": false, "hosted": null,
        }],
        "nodes": [{
            "id": NODE, "tenant": TENANT, "poolId": POOL, "siteId": "site_s", "kind": "node", "certificateRole": "node",
            "generation": 4, "retired": false, "claims": claims, "tokenId": TOKEN,
        }],
        "certs": [],
    })
}

/// The world with one member changed; null takes a required member's value, not the member.
fn changed(pointer: &str, value: Value) -> Value {
    let mut world = world();
    *world.pointer_mut(pointer).unwrap() = value;
    world
}

fn load(shim: &mut Shim, world: &Value) -> Value {
    shim.call("world.load", &json!({"world": world}))
}

fn step(shim: &mut Shim, request: &Value) -> Value {
    shim.call("world.step", &json!({"at": "2026-01-01T00:00:00.000Z", "request": request}))
}

fn dump(shim: &mut Shim) -> Value {
    shim.call("world.dump", &json!({}))
}

#[test]
fn without_a_world_there_is_nothing_to_step_or_dump() {
    let mut shim = Shim::start();
    assert_eq!(step(&mut shim, &json!({"do": "restart"}))["r"], "error");
    assert_eq!(dump(&mut shim)["r"], "error");
    assert_eq!(load(&mut shim, &world())["r"], "accept");
    assert_eq!(step(&mut shim, &json!({"do": "restart"}))["r"], "accept");
    shim.ends_well();
}

#[test]
fn a_dump_shows_the_rows_of_the_world() {
    let mut shim = Shim::start();
    load(&mut shim, &world());
    let expected = json!({
        "tokens": [{"id": TOKEN, "tenant": TENANT, "poolId": POOL, "role": "node", "usesLeft": 2, "revoked": false}],
        "nodes": [{
            "id": NODE, "tenant": TENANT, "poolId": POOL, "siteId": "site_s", "kind": "node", "certificateRole": "node",
            "generation": 4, "retired": false, "hardwareKeyTrusted": true, "tenantOwned": false, "queued": true,
            "tokenId": TOKEN,
        }],
        "certs": [], "events": [], "audit": [],
    });
    assert_eq!(dump(&mut shim)["out"], expected);
    shim.ends_well();
}

#[test]
fn a_world_with_a_fault_leaves_the_one_before() {
    let mut shim = Shim::start();
    load(&mut shim, &world());
    let before = dump(&mut shim);
    assert_eq!(before["r"], "accept");
    let twice = |list: &str| {
        let mut world = world();
        let rows = world[list].as_array_mut().unwrap();
        rows.push(rows[0].clone());
        world
    };
    for (what, faulty) in [
        ("a tenant that is a number", changed("/rootTenant", json!(7))),
        ("a lifetime that is a text", changed("/certTtlS", json!("86400"))),
        ("a pool without its site", changed("/pools/0/siteId", json!("site_t"))),
        ("a node without its pool", changed("/nodes/0/poolId", json!("pool_t"))),
        ("a node without its site", changed("/nodes/0/siteId", json!("site_t"))),
        ("a node without its token", changed("/nodes/0/tokenId", json!("jt_t"))),
        ("a node of no kind", changed("/nodes/0/kind", json!("Node"))),
        ("a node of no role", changed("/nodes/0/certificateRole", json!("tenant"))),
        ("claims that are refused", changed("/nodes/0/claims/productSerial", json!("_w"))),
        ("a token of no role", changed("/tokens/0/role", json!("admin"))),
        ("a token hosted by nobody", changed("/tokens/0/hosted", json!("nomad"))),
        (
            "no certificate",
            changed("/certs", json!([{"nodeId": NODE, "generation": 4, "der": "", "revoked": null}])),
        ),
        ("two sites of one id", twice("sites")),
        ("two pools of one id", twice("pools")),
        ("two tokens of one id", twice("tokens")),
        ("two nodes of one id", twice("nodes")),
    ] {
        assert_eq!(load(&mut shim, &faulty)["r"], "error", "{what}");
        assert_eq!(dump(&mut shim), before, "{what}");
    }
    shim.ends_well();
}

#[test]
fn a_lifetime_out_of_bounds_leaves_no_world() {
    let mut shim = Shim::start();
    for bad in [json!(0), json!(86401), json!(-1), json!(60.5), json!(60.0), json!(1e30)] {
        load(&mut shim, &world());
        assert_eq!(load(&mut shim, &changed("/certTtlS", bad.clone()))["cat"], "INVALID_CONFIG", "{bad}");
        assert_eq!(dump(&mut shim)["r"], "error", "{bad}");
    }
    for good in [1, 86400] {
        assert_eq!(load(&mut shim, &changed("/certTtlS", json!(good)))["r"], "accept", "{good}");
    }
    shim.ends_well();
}

#[test]
fn a_token_whose_pool_is_gone_is_no_fault() {
    let mut shim = Shim::start();
    assert_eq!(load(&mut shim, &changed("/tokens/0/poolId", json!("pool_t")))["r"], "accept");
    shim.ends_well();
}

#[test]
fn what_is_no_step_changes_nothing() {
    let mut shim = Shim::start();
    load(&mut shim, &world());
    let before = dump(&mut shim);
    assert_eq!(before["r"], "accept");
    for (request, answer) in [
        (json!({"do": "sing"}), "unsupported"),
        (json!({}), "error"),
        (json!({"do": 7}), "error"),
        (json!({"do": "retire"}), "error"),
        (json!({"do": "join", "attestor": "", "role": "node", "csr": ""}), "error"),
        (json!({"do": "join-finish", "ticket": "never begun"}), "error"),
        (json!({"do": "renew", "csr": "", "chain": [], "clientTimeMs": 0, "popSig": ""}), "error"),
    ] {
        assert_eq!(step(&mut shim, &request)["r"], answer, "{request}");
    }
    assert_eq!(dump(&mut shim), before);
    shim.ends_well();
}

#[test]
fn a_ticket_is_open_once_and_gone_after_a_restart() {
    let claims = json!({"permanentMacs": [], "gpuUuids": []});
    let begin = json!({"do": "join-begin", "ticket": "t", "attestor": "", "role": "node", "csr": "", "claims": claims});
    let finish = json!({"do": "join-finish", "ticket": "t"});
    let mut shim = Shim::start();
    load(&mut shim, &world());
    assert_eq!(step(&mut shim, &begin)["out"], json!({}));
    assert_eq!(step(&mut shim, &begin)["r"], "error");
    // There is no join configuration; the ticket is used all the same.
    assert_eq!(step(&mut shim, &finish)["cat"], "INVALID_CONFIG");
    assert_eq!(step(&mut shim, &finish)["r"], "error");
    step(&mut shim, &begin);
    step(&mut shim, &json!({"do": "restart"}));
    assert_eq!(step(&mut shim, &finish)["r"], "error");
    shim.ends_well();
}

#[test]
fn a_token_that_is_made_is_listed_and_revoked() {
    let mut shim = Shim::start();
    load(&mut shim, &world());
    let of_pool = |what: &str, members: Value| {
        let mut request = json!({"do": what, "tenant": TENANT, "poolId": POOL});
        request.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        request
    };
    let made = step(&mut shim, &of_pool("token-create", json!({"request": {"ttlSeconds": 60}})));
    let record = made["out"]["record"].clone();
    assert_eq!(record["expiresAt"], "2026-01-01T00:01:00.000Z", "{made}");
    assert!(
        made["out"]["token"]
            .as_str()
            .unwrap()
            .starts_with(&format!("bcjt_{}.", record["id"].as_str().unwrap()))
    );

    let list = of_pool("token-list", json!({"includeInactive": false, "after": TOKEN}));
    let listed = step(&mut shim, &list);
    assert_eq!(listed["out"], json!({"records": [record], "next": null}), "{listed}");
    for bad in [json!(0), json!(201), json!(1.5), json!(-1)] {
        let list = of_pool("token-list", json!({"includeInactive": false, "limit": bad}));
        assert_eq!(step(&mut shim, &list)["cat"], "INVALID_ARGUMENT", "{bad}");
    }
    assert_eq!(step(&mut shim, &of_pool("token-revoke", json!({"id": "jt_unknown"})))["cat"], "NOT_FOUND");
    assert_eq!(step(&mut shim, &of_pool("token-revoke", json!({"id": record["id"]})))["out"], json!({}));
    assert_eq!(step(&mut shim, &list)["out"]["records"], json!([]));
    shim.ends_well();
}
