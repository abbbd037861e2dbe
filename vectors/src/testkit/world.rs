//! The usual world of scripts (conformance/SHIM.md, *Worlds*): tenants, sites, pools, published keys; machines and tokens.
//!
//! Ids are readable: `tenant("a")` is `ten_0000000000000000000000000a`. `r00t` is the root tenant's.

use p256::SecretKey;
use serde_json::{Value, json};

use super::csr;
use super::encode::b64u;
use super::keys::{hash, key, private_jwk};
use super::request::claims;
use super::signature::spki;
use super::token::Token;
use super::x509::{Authority, San, leaf, node_intermediate, node_root};

/// The world's trust domain.
pub const TRUST_DOMAIN: &str = "compute.example.com";
/// When the usual tokens expire: an hour after the clock of the cases.
pub const TOKENS_EXPIRE: &str = "2026-01-01T01:00:00.000Z";

/// The world under construction; any member can be set to anything.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct World(pub Value);

/// A token as its holder and as its row in the world have it.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Grant {
    /// What the holder has.
    pub bearer: Token,
    /// What the store has.
    pub row: Value,
}

/// A machine: what it claims, and the key for which it asks a certificate.
#[derive(Clone, Debug)]
#[must_use]
pub struct Machine {
    /// In the ops' form.
    pub claims: Value,
    /// The node key.
    pub key: SecretKey,
}

/// A node that is in the world from the beginning, with one certificate.
#[derive(Clone, Debug)]
#[must_use]
pub struct Enrolled {
    /// Its row.
    pub node: Value,
    /// The certificate's row.
    pub cert: Value,
    /// The certificate, DER.
    pub leaf: Vec<u8>,
    /// The key it certifies.
    pub key: SecretKey,
}

/// An id that ends in these characters of the alphabet of ids, after zeros.
#[must_use]
pub fn id(prefix: &str, end: &str) -> String {
    format!("{prefix}_{end:0>26}")
}

/// A tenant: `r00t`, `a` or `b`.
#[must_use]
pub fn tenant(end: &str) -> String {
    id("ten", end)
}

/// A site: `r00t` is the root tenant's, `a` is tenant a's own (custom).
#[must_use]
pub fn site(end: &str) -> String {
    id("site", end)
}

/// A pool: `a` and `b` of those tenants, and `r00t`, in site r00t; `ac` of tenant a there with acceptance checks; `aa` of
/// tenant a in its own site.
#[must_use]
pub fn pool(end: &str) -> String {
    id("pool", end)
}

/// A node of the world's beginning.
#[must_use]
pub fn node(end: &str) -> String {
    id("node", end)
}

/// The server's encryption key.
#[must_use]
pub fn encryption_key() -> SecretKey {
    key("world encryption")
}

/// The server's join-signing key.
#[must_use]
pub fn signing_key() -> SecretKey {
    key("world signing")
}

/// The issuer of node certificates.
#[must_use]
pub fn node_ca() -> Authority {
    node_intermediate()
}

impl World {
    /// Attestors join-token and x509pop, certificates of a day, the sites and pools that [`site`] and [`pool`] name, no
    /// tokens, no nodes.
    pub fn usual() -> Self {
        let root = node_root();
        let command = Authority::named("test command root");
        let sites = [("r00t", "r00t", false), ("a", "a", true)];
        let pools = [("r00t", "r00t"), ("a", "r00t"), ("b", "r00t"), ("ac", "r00t"), ("aa", "a")];
        let pool_row = |(name, at): (&str, &str)| {
            let owner = if name == "r00t" || name == "b" { name } else { "a" };
            let policy =
                if name == "r00t" { json!({"kubernetes": {"platformOperated": true}}) } else { json!({}) };
            json!({
                "id": pool(name), "siteId": site(at), "ownerTenant": tenant(owner), "agent": "bcd",
                "acceptanceChecks": name == "ac", "policy": policy,
            })
        };
        let site_row = |(name, owner, custom): (&str, &str, bool)| json!({"id": site(name), "ownerTenant": tenant(owner), "custom": custom});
        Self(json!({
            "trustDomain": TRUST_DOMAIN,
            "rootTenant": tenant("r00t"),
            "attestors": ["join-token", "x509pop"],
            "certTtlS": 86400,
            "keys": {
                "encryption": [private_jwk(&encryption_key())],
                "signing": private_jwk(&signing_key()),
                "nodeCa": {
                    "key": private_jwk(&node_ca().key),
                    "certificate": b64u(node_ca().certificate(&root).signed(&root.key)),
                },
                "trustBundle": [b64u(command.certificate(&command).signed(&command.key))],
            },
            "sites": sites.map(site_row),
            "pools": pools.map(pool_row),
            "tokens": [],
            "nodes": [],
            "certs": [],
        }))
    }

    /// With this value at a JSON pointer; the member need not be there before.
    pub fn set(mut self, pointer: &str, value: impl Into<Value>) -> Self {
        put(&mut self.0, pointer, Some(value.into()));
        self
    }

    /// With this value for a member of a pool: `.pool("a", "policy", json!({"joinAttestors": []}))`.
    pub fn pool(self, name: &str, member: &str, value: impl Into<Value>) -> Self {
        let wanted = pool(name);
        let place =
            self.0["pools"].as_array().and_then(|pools| pools.iter().position(|pool| pool["id"] == wanted));
        match place {
            Some(place) => self.set(&format!("/pools/{place}/{member}"), value),
            None => self,
        }
    }

    /// With this token.
    pub fn token(self, grant: &Grant) -> Self {
        self.push("tokens", &grant.row)
    }

    /// With this node and its certificate.
    pub fn enrolled(self, enrolled: &Enrolled) -> Self {
        self.push("nodes", &enrolled.node).push("certs", &enrolled.cert)
    }

    /// With one more row in a list.
    pub fn push(mut self, list: &str, row: &Value) -> Self {
        if let Some(rows) = self.0[list].as_array_mut() {
            rows.push(row.clone());
        }
        self
    }
}

/// A token of pool a for one machine: role node, alive, no binding, no reclaim.
pub fn grant(name: &str) -> Grant {
    let bearer = super::token::token(name);
    let row = json!({
        "id": bearer.id, "tenant": tenant("a"), "poolId": pool("a"), "secretSha256": b64u(bearer.secret_sha256()),
        "role": "node", "usesLeft": 1, "maxUses": 1, "expiresAt": TOKENS_EXPIRE, "revokedAt": null, "expect": null,
        "allowReclaim": false, "hosted": null,
    });
    Grant { bearer, row }
}

impl Grant {
    /// With this value for a member of the row.
    pub fn with(mut self, member: &str, value: impl Into<Value>) -> Self {
        self.row[member] = value.into();
        self
    }

    /// For so many machines.
    pub fn uses(self, uses: u32) -> Self {
        self.with("usesLeft", uses).with("maxUses", uses)
    }

    /// For a pool and the tenant that owns it.
    pub fn of(self, owner: &str, name: &str) -> Self {
        self.with("tenant", tenant(owner)).with("poolId", pool(name))
    }

    /// One that allows a reclaim.
    pub fn reclaims(self) -> Self {
        self.with("allowReclaim", true)
    }
}

/// The machine of that name: product UUID, product serial and one MAC address, each made from the name.
pub fn machine(name: &str) -> Machine {
    let made = hex::encode(hash(format!("published test machine: {name}")));
    let part = |from: usize, to: usize| made.get(from..to).unwrap_or_default().to_owned();
    let claims = claims(json!({
        "productUuid": format!("{}-{}-4{}-8{}-{}", part(0, 8), part(8, 12), part(13, 16), part(17, 20), part(20, 32)),
        "productSerial": serial(name).to_ascii_uppercase(),
        "hostname": format!("host-{name}"),
        "permanentMacs": [format!("94:de:80:{}:{}:{}", part(40, 42), part(42, 44), part(44, 46))],
    }));
    Machine { claims, key: key(&format!("machine {name}")) }
}

/// The product serial of a machine, normalized.
#[must_use]
pub fn serial(name: &str) -> String {
    let made = hex::encode(hash(format!("published test machine: {name}")));
    format!("sn-{}", made.get(32..40).unwrap_or_default())
}

impl Machine {
    /// The same machine with another node key.
    pub fn rekeyed(mut self, name: &str) -> Self {
        self.key = key(&format!("machine key {name}"));
        self
    }

    /// The same key with other claims (in the ops' form).
    pub fn claiming(mut self, claims: Value) -> Self {
        self.claims = claims;
        self
    }

    /// Its certificate request, without a binding.
    #[must_use]
    pub fn csr(&self) -> Vec<u8> {
        csr::honest(&self.key).der()
    }
}

/// The machine as node `end` of pool a, with a certificate of generation 1 that was issued at `at` (whole seconds, `Z`) for a
/// day. Kind and role are `node`; its token is not known.
pub fn enrolled(end: &str, machine: &Machine, at: &str) -> Enrolled {
    let node_id = node(end);
    let row = json!({
        "id": node_id, "tenant": tenant("a"), "poolId": pool("a"), "siteId": site("r00t"), "kind": "node",
        "certificateRole": "node", "generation": 1, "retired": false, "claims": machine.claims, "tokenId": null,
    });
    let mut enrolled = Enrolled { node: row, cert: Value::Null, leaf: Vec::new(), key: machine.key.clone() };
    enrolled.leaf = enrolled.issue(&machine.key, at, 86400, &[]);
    enrolled.cert = cert_row(&node_id, 1, &enrolled.leaf);
    enrolled
}

/// A certificate's row.
#[must_use]
pub fn cert_row(node_id: &str, generation: u32, leaf: &[u8]) -> Value {
    json!({"nodeId": node_id, "generation": generation, "der": b64u(leaf), "revoked": null})
}

impl Enrolled {
    /// With this value for a member of the node's row.
    pub fn with(mut self, member: &str, value: impl Into<Value>) -> Self {
        self.node[member] = value.into();
        self
    }

    /// With this value for a member of the certificate's row.
    pub fn with_cert(mut self, member: &str, value: impl Into<Value>) -> Self {
        self.cert[member] = value.into();
        self
    }

    /// With another certificate in place of the first, as [`Self::issue`] makes it.
    pub fn holding(mut self, leaf: Vec<u8>) -> Self {
        self.cert["der"] = b64u(&leaf).into();
        self.leaf = leaf;
        self
    }

    /// The node's id.
    #[must_use]
    pub fn id(&self) -> String {
        self.node["id"].as_str().unwrap_or_default().into()
    }

    /// The node's SPIFFE ID.
    #[must_use]
    pub fn spiffe(&self) -> String {
        let site = self.node["siteId"].as_str().unwrap_or_default();
        format!("spiffe://{TRUST_DOMAIN}/site/{site}/node/{}", self.id())
    }

    /// A certificate of this node for a key, issued at `at` (whole seconds) for `ttl_s` seconds (CERTIFICATE-1), with
    /// statements.
    #[must_use]
    pub fn issue(&self, key: &SecretKey, at: &str, ttl_s: i64, statements: &[&str]) -> Vec<u8> {
        let role = self.node["certificateRole"].as_str().unwrap_or_default();
        let spiffe = self.spiffe();
        let sans: Vec<San> = [spiffe.as_str()].iter().chain(statements).map(|text| San::uri(text)).collect();
        let start = seconds(at) - 60;
        let mut certificate =
            leaf(&node_ca(), spki(key), role, &sans).valid(&instant(start), &instant(start + ttl_s));
        // A key can have several certificates, and no two have one serial.
        let mut serial =
            hash([spki(key), start.to_be_bytes().to_vec()].concat()).get(..16).unwrap_or_default().to_vec();
        if let Some(first) = serial.first_mut() {
            *first = *first & 0x3f | 0x40;
        }
        certificate.serial = serial;
        certificate.signed(&node_ca().key)
    }
}

/// The whole seconds since 1970 of an RFC 3339 time; 0 for nonsense.
#[must_use]
pub fn seconds(at: &str) -> i64 {
    milliseconds(at).div_euclid(1000)
}

/// The milliseconds since 1970 of an RFC 3339 time; 0 for nonsense.
#[must_use]
pub fn milliseconds(at: &str) -> i64 {
    at.parse::<jiff::Timestamp>().map_or(0, |instant| instant.as_millisecond())
}

/// Whole seconds as RFC 3339 with milliseconds, as worlds and dumps write times.
#[must_use]
pub fn instant_ms(seconds: i64) -> String {
    instant(seconds).replace('Z', ".000Z")
}

/// The time so many seconds later, to the millisecond.
#[must_use]
pub fn later(at: &str, seconds: i64) -> String {
    let ms = milliseconds(at).saturating_add(seconds.saturating_mul(1000));
    jiff::Timestamp::from_millisecond(ms).map(|instant| format!("{instant:.3}")).unwrap_or_default()
}

fn instant(seconds: i64) -> String {
    jiff::Timestamp::from_second(seconds).map(|instant| instant.to_string()).unwrap_or_default()
}

/// Sets or removes what stands at a JSON pointer; the last member need not be there, an index one past the end appends.
pub fn put(value: &mut Value, pointer: &str, new: Option<Value>) {
    let Some((owner, name)) = pointer.rsplit_once('/') else { return };
    match (value.pointer_mut(owner), new) {
        (Some(Value::Object(members)), Some(new)) => {
            members.insert(name.into(), new);
        }
        (Some(Value::Object(members)), None) => {
            members.remove(name);
        }
        (Some(Value::Array(list)), new) => {
            let place = name.parse().unwrap_or(usize::MAX);
            match new {
                Some(new) if place < list.len() => list[place] = new,
                Some(new) => list.push(new),
                None if place < list.len() => drop(list.remove(place)),
                None => {}
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::decode_certificate::certificate;

    #[test]
    fn ids_are_ids() {
        for id in [tenant("r00t"), site("a"), pool("ac"), node("a")] {
            let (_, end) = id.split_once('_').unwrap();
            assert_eq!(end.len(), 26);
            assert!(end.chars().all(|c| "0123456789abcdefghjkmnpqrstvwxyz".contains(c)), "{id}");
        }
    }

    #[test]
    fn a_certificate_lasts_a_day_from_a_minute_before_its_issue() {
        let enrolled = enrolled("a", &machine("a"), "2025-12-30T12:00:00Z");
        let view = certificate(&enrolled.leaf);
        assert_eq!(view["notBefore"], "2025-12-30T11:59:00Z");
        assert_eq!(view["notAfter"], "2025-12-31T11:59:00Z");
        assert_eq!(view["sans"][0]["uri"], enrolled.spiffe());
    }

    #[test]
    fn values_are_set_removed_and_appended() {
        let mut value = json!({"a": [1]});
        put(&mut value, "/a/1", Some(json!(2)));
        put(&mut value, "/b", Some(json!(3)));
        put(&mut value, "/a/0", None);
        assert_eq!(value, json!({"a": [2], "b": 3}));
    }
}
