//! Requests of steps, with what an expectation needs to know of them.

use p256::SecretKey;
use serde_json::{Value, json};

use crate::testkit::csr;
use crate::testkit::encode::b64u;
use crate::testkit::keys::{hash, private_jwk, public_jwk};
use crate::testkit::request::{request, request_hash};
use crate::testkit::seal;
use crate::testkit::world::{Enrolled, Grant, Machine, encryption_key, milliseconds};

/// The `iat` of the usual seals: the clock of the cases, whatever the step's time, so that a request sent again is the same.
const IAT_S: u64 = 1_767_225_600;

/// A step's request.
#[derive(Clone, Debug)]
pub enum Request {
    /// A join, whole or in two halves.
    Join(Box<Join>),
    /// A renewal.
    Renew(Box<Renew>),
    /// Anything else, as the contract has it.
    Plain(Value),
}

/// A join by token or by an expired certificate.
#[derive(Clone, Debug)]
#[must_use]
pub struct Join {
    pub(super) machine: Machine,
    pub(super) attestor: String,
    pub(super) role: String,
    pub(super) token_id: Option<String>,
    pub(super) proof: Option<Proof>,
    csr: Option<Vec<u8>>,
    bearer: Bearer,
    fresh: String,
    iat_s: u64,
    with: Vec<(String, Option<Value>)>,
    half: Option<(&'static str, String)>,
}

#[derive(Clone, Debug)]
enum Bearer {
    None,
    /// The text is known when the case is written.
    Text(String),
    /// The answer of this token-create holds it.
    Made(String),
    /// These octets stand in place of a seal.
    Sealed(Vec<u8>),
}

/// A renewal.
#[derive(Clone, Debug)]
#[must_use]
pub struct Renew {
    pub(super) machine: Machine,
    pub(super) proof: Proof,
    csr: Option<Vec<u8>>,
    with: Vec<(String, Option<Value>)>,
}

/// Whose certificate it is: one that a step answered with, or one of the world.
#[derive(Clone, Debug)]
pub enum Holder {
    /// The leaf in the answer of this step.
    Step(String),
    /// A leaf of the world's beginning.
    World {
        /// DER.
        leaf: Vec<u8>,
        /// Its node.
        node: String,
        /// Its SPIFFE ID.
        spiffe: String,
    },
}

/// A proof of possession (RENEWAL-1, X509POP-1); honest unless changed.
#[derive(Clone, Debug)]
#[must_use]
pub struct Proof {
    pub(super) holder: Holder,
    key: SecretKey,
    purpose: String,
    client_time_ms: Option<i64>,
    form: Option<String>,
}

impl From<&str> for Holder {
    fn from(step: &str) -> Self {
        Self::Step(step.into())
    }
}

impl From<&Enrolled> for Holder {
    fn from(enrolled: &Enrolled) -> Self {
        Self::World { leaf: enrolled.leaf.clone(), node: enrolled.id(), spiffe: enrolled.spiffe() }
    }
}

impl Holder {
    fn leaf(&self) -> Value {
        match self {
            Self::Step(step) => json!({"$leaf": step}),
            Self::World { leaf, .. } => b64u(leaf).into(),
        }
    }

    pub(crate) fn node(&self) -> Value {
        match self {
            Self::Step(step) => json!({"$node": step}),
            Self::World { node, .. } => node.clone().into(),
        }
    }

    fn spiffe(&self) -> Value {
        match self {
            Self::Step(step) => json!({"$spiffe": step}),
            Self::World { spiffe, .. } => spiffe.clone().into(),
        }
    }
}

/// A join of the machine with the token: attestor empty, role node, an honest CSR and seal. The same machine, token and CSR
/// make the same octets at any time; [`Join::fresh`] makes another seal.
pub fn join(machine: &Machine, grant: &Grant) -> Join {
    Join {
        token_id: Some(grant.bearer.id.clone()),
        bearer: Bearer::Text(grant.bearer.text()),
        ..bare(machine, "")
    }
}

/// A join with the token that the token-create of an earlier step answered with.
pub fn join_with(machine: &Machine, step: &str) -> Join {
    Join { bearer: Bearer::Made(step.into()), ..bare(machine, "") }
}

/// A join with an expired certificate: `holder` is its step or its node in the world, `key` what it certifies.
pub fn x509pop(machine: &Machine, holder: impl Into<Holder>, key: &SecretKey) -> Join {
    let proof = proof("x509pop", holder.into(), key);
    Join { proof: Some(proof), token_id: Some(String::new()), ..bare(machine, "x509pop") }
}

fn bare(machine: &Machine, attestor: &str) -> Join {
    Join {
        machine: machine.clone(),
        attestor: attestor.into(),
        role: "node".into(),
        token_id: None,
        proof: None,
        csr: None,
        bearer: Bearer::None,
        fresh: String::new(),
        iat_s: IAT_S,
        with: Vec::new(),
        half: None,
    }
}

/// A renewal to the machine's key with the certificate of `holder`, which certifies `key`; its client time is the step's.
pub fn renew(machine: &Machine, holder: impl Into<Holder>, key: &SecretKey) -> Renew {
    Renew {
        machine: machine.clone(),
        proof: proof("renew-pop", holder.into(), key),
        csr: None,
        with: Vec::new(),
    }
}

fn proof(purpose: &str, holder: Holder, key: &SecretKey) -> Proof {
    Proof { holder, key: key.clone(), purpose: purpose.into(), client_time_ms: None, form: None }
}

impl Proof {
    fn time(&self, at: &str) -> i64 {
        self.client_time_ms.unwrap_or_else(|| milliseconds(at))
    }

    fn json(&self, csr: &[u8], at: &str) -> Value {
        let mut pop = json!({
            "purpose": self.purpose, "key": private_jwk(&self.key), "csr": b64u(csr), "node": self.holder.node(),
            "clientTimeMs": self.time(at),
        });
        if let Some(form) = &self.form {
            pop["form"] = form.clone().into();
        }
        json!({"$pop": pop})
    }

    fn change(
        &mut self,
        client_time: Option<&str>,
        form: Option<&str>,
        purpose: Option<&str>,
        key: Option<&SecretKey>,
    ) {
        if let Some(at) = client_time {
            self.client_time_ms = Some(milliseconds(at));
        }
        if let Some(form) = form {
            self.form = Some(form.into());
        }
        if let Some(purpose) = purpose {
            self.purpose = purpose.into();
        }
        if let Some(key) = key {
            self.key = key.clone();
        }
    }
}

/// The ways to change a proof; joins and renewals share them.
macro_rules! proof_changes {
    ($of:ident, $proof:ident => $body:expr) => {
        impl $of {
            /// The client's time, RFC 3339.
            pub fn client_time(mut self, at: &str) -> Self {
                self.change_proof(|proof| proof.change(Some(at), None, None, None));
                self
            }

            /// The form of the signature: `high-s`, `der`, `flipped` (one bit differs), `short` (63 octets), `empty`.
            pub fn form(mut self, form: &str) -> Self {
                self.change_proof(|proof| proof.change(None, Some(form), None, None));
                self
            }

            /// The purpose that is signed.
            pub fn purpose(mut self, purpose: &str) -> Self {
                self.change_proof(|proof| proof.change(None, None, Some(purpose), None));
                self
            }

            /// The key that signs.
            pub fn signed_by(mut self, key: &SecretKey) -> Self {
                self.change_proof(|proof| proof.change(None, None, None, Some(key)));
                self
            }

            /// With this CSR.
            pub fn csr(mut self, der: impl Into<Vec<u8>>) -> Self {
                self.csr = Some(der.into());
                self
            }

            /// With this member of the request at last, whatever it would have been: `.with("/chain", json!([]))`.
            pub fn with(mut self, pointer: &str, value: impl Into<Value>) -> Self {
                self.with.push((pointer.into(), Some(value.into())));
                self
            }

            /// Without this member of the request.
            pub fn without(mut self, pointer: &str) -> Self {
                self.with.push((pointer.into(), None));
                self
            }

            fn change_proof(&mut self, change: impl FnOnce(&mut Proof)) {
                let $proof = self;
                if let Some(proof) = $body {
                    change(proof);
                }
            }

            pub(super) fn csr_octets(&self) -> Vec<u8> {
                self.csr.clone().unwrap_or_else(|| self.machine.csr())
            }
        }
    };
}

proof_changes!(Join, join => join.proof.as_mut());
proof_changes!(Renew, renew => Some(&mut renew.proof));

impl Join {
    /// With this name of the attestor.
    pub fn attestor(mut self, name: &str) -> Self {
        self.attestor = name.into();
        self
    }

    /// Asking for this role.
    pub fn role(mut self, role: &str) -> Self {
        self.role = role.into();
        self
    }

    /// With a CSR that carries the request's hash (BINDING-2). Last, since it binds what was set before.
    pub fn bound(mut self) -> Self {
        // A token that is made at run time has no hash yet; the case then fails with an unbound CSR.
        self.csr = csr::with_binding(&self.machine.key, &self.hashed()).ok().map(|csr| csr.der());
        self
    }

    /// With another seal of the same token and CSR; `name` tells seals apart.
    pub fn fresh(mut self, name: &str) -> Self {
        self.fresh = name.into();
        self
    }

    /// With this `iat` in the seal.
    pub fn iat(mut self, at_s: u64) -> Self {
        self.iat_s = at_s;
        self
    }

    /// With these octets as seal.
    pub fn sealed(mut self, octets: impl Into<Vec<u8>>) -> Self {
        self.bearer = Bearer::Sealed(octets.into());
        self
    }

    /// Only the first half, up to the first lock (ADMISSION-4).
    pub fn begin(mut self, ticket: &str) -> Self {
        self.half = Some(("join-begin", ticket.into()));
        self
    }

    /// Only the second half of the join that began under this ticket.
    pub fn finish(mut self, ticket: &str) -> Self {
        self.half = Some(("join-finish", ticket.into()));
        self
    }

    /// The request as BINDING-1 hashes it.
    #[must_use]
    pub fn hashed(&self) -> Value {
        request(
            &self.attestor,
            &self.role,
            self.token_id.as_deref().unwrap_or_default(),
            &self.machine.claims,
        )
    }

    /// The request's hash; none where the token is made at run time.
    pub(super) fn sha256(&self) -> Option<String> {
        self.token_id.as_ref()?;
        request_hash(&self.hashed()).ok().map(b64u)
    }

    fn seal(&self, text: &str, csr: &[u8]) -> String {
        let name = format!("{}{}{text}{}", self.fresh, self.iat_s, hex::encode(hash(csr)));
        b64u(seal::honest(&name, &encryption_key(), text, csr, self.iat_s).text())
    }

    fn json(&self, at: &str) -> Value {
        if let Some(("join-finish", ticket)) = &self.half {
            return json!({"do": "join-finish", "ticket": ticket});
        }
        let csr = self.csr_octets();
        let mut json = json!({
            "do": "join", "attestor": self.attestor, "role": self.role, "csr": b64u(&csr), "claims": self.machine.claims,
        });
        match &self.bearer {
            Bearer::None => {}
            Bearer::Text(text) => json["seal"] = self.seal(text, &csr).into(),
            Bearer::Sealed(octets) => json["seal"] = b64u(octets).into(),
            Bearer::Made(step) => {
                let key = public_jwk(&encryption_key());
                json["seal"] = json!({"$seal": {"token": {"$token": step}, "csr": b64u(&csr), "key": key, "iat": self.iat_s}});
            }
        }
        if let Some(proof) = &self.proof {
            json["x509pop"] = json!({
                "chain": [proof.holder.leaf()], "clientTimeMs": proof.time(at), "popSig": proof.json(&csr, at),
            });
        }
        if let Some((half, ticket)) = &self.half {
            (json["do"], json["ticket"]) = ((*half).into(), ticket.clone().into());
        }
        changed(json, &self.with)
    }
}

impl Renew {
    fn json(&self, at: &str) -> Value {
        let (csr, proof) = (self.csr_octets(), &self.proof);
        let json = json!({
            "do": "renew", "csr": b64u(&csr), "chain": [proof.holder.leaf()], "clientTimeMs": proof.time(at),
            "popSig": proof.json(&csr, at), "caller": proof.holder.spiffe(),
        });
        changed(json, &self.with)
    }
}

fn changed(mut json: Value, with: &[(String, Option<Value>)]) -> Value {
    for (pointer, value) in with {
        crate::testkit::world::put(&mut json, pointer, value.clone());
    }
    json
}

impl Request {
    pub(crate) fn json(&self, at: &str) -> Value {
        match self {
            Self::Join(join) => join.json(at),
            Self::Renew(renew) => renew.json(at),
            Self::Plain(json) => json.clone(),
        }
    }
}

impl From<Value> for Request {
    fn from(json: Value) -> Self {
        Self::Plain(json)
    }
}

impl From<Join> for Request {
    fn from(join: Join) -> Self {
        Self::Join(Box::new(join))
    }
}

impl From<&Join> for Request {
    fn from(join: &Join) -> Self {
        join.clone().into()
    }
}

impl From<Renew> for Request {
    fn from(renew: Renew) -> Self {
        Self::Renew(Box::new(renew))
    }
}

impl From<&Renew> for Request {
    fn from(renew: &Renew) -> Self {
        renew.clone().into()
    }
}

/// Retires a node: an id, or `$n1`.
#[must_use]
pub fn retire(node: &str) -> Value {
    json!({"do": "retire", "nodeId": node})
}

/// Revokes a token of a tenant's pool: an id, or `$t1`.
#[must_use]
pub fn revoke(tenant: &str, pool: &str, id: &str) -> Value {
    json!({"do": "token-revoke", "tenant": tenant, "poolId": pool, "id": id})
}

/// Creates a token; `request` is as in `token.create`.
#[must_use]
#[expect(clippy::needless_pass_by_value, reason = "called with a json! literal")]
pub fn token_create(tenant: &str, pool: &str, request: Value) -> Value {
    json!({"do": "token-create", "tenant": tenant, "poolId": pool, "request": request})
}

/// Puts a command for a node into its queue.
#[must_use]
pub fn enqueue(node: &str, kind: &str) -> Value {
    json!({"do": "enqueue", "nodeId": node, "kind": kind})
}

/// A clean stop and start.
#[must_use]
pub fn restart() -> Value {
    json!({"do": "restart"})
}
