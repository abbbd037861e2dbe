//! A right answer to a join with every part open to change, and the call in which a client checks it.

use p256::SecretKey;
use serde_json::{Value, json};

use crate::case::{Entry, reject};
use crate::testkit::csr;
use crate::testkit::encode::{b64, b64u};
use crate::testkit::keys::{hash, key};
use crate::testkit::request::{claims, request, request_hash};
use crate::testkit::response::{JoinResponseBody, Signed};
use crate::testkit::signature::spki;
use crate::testkit::x509::{Authority, Certificate, San, leaf, node_intermediate, node_root};

/// The node of the cases.
pub(in crate::cases) const NODE: &str = "node_01kdvdna00e008000000000002";
/// Another node.
pub(in crate::cases) const OTHER_NODE: &str = "node_01kdvdna00e008000000000003";
/// The configured site.
pub(in crate::cases) const SITE: &str = "site_01kdvdna00e008000000000004";
/// Another site.
pub(in crate::cases) const OTHER_SITE: &str = "site_01kdvdna00e008000000000005";
/// The trust domain of the cases.
pub(in crate::cases) const TRUST_DOMAIN: &str = "compute.example.com";
/// The client's own AK statement.
pub(in crate::cases) const AK: &str =
    "urn:bc:tpm-ak:sha256:6b1f0c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5061728394a5b6c7d8e9";
/// Another AK statement.
pub(in crate::cases) const OTHER_AK: &str =
    "urn:bc:tpm-ak:sha256:00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
/// Places that differ when the body does: the body and, since it is signed again, the signature.
pub(in crate::cases) const BODY: [&str; 2] = ["/in/response/body", "/in/response/sig"];
/// The same, when only the leaf differs.
pub(in crate::cases) const LEAF: [&str; 2] = ["/in/response/body:certificateChain.0", "/in/response/sig"];
/// The same, when only the chain above the leaf differs or the chain as a whole.
pub(in crate::cases) const CHAIN: [&str; 2] = ["/in/response/body:certificateChain", "/in/response/sig"];

/// How every answer here is made.
const RECIPE: &str = "Issue the leaf to the client's key under the intermediate, put it into the \
    body with the client's hashes, and sign the body for join-response with the pinned key; what the \
    mutation names is changed before whatever is signed over it is signed.";

/// An answer before anything in it is signed, and what the client knows.
#[derive(Clone, Debug)]
pub(in crate::cases) struct Answer {
    /// The leaf.
    pub(in crate::cases) leaf: Certificate,
    /// Who signs the leaf.
    pub(in crate::cases) issuer: SecretKey,
    /// The chain above the leaf.
    pub(in crate::cases) above: Vec<Vec<u8>>,
    /// The body; its chain is filled in from the leaf and what is above it.
    pub(in crate::cases) body: JoinResponseBody,
    /// Who signs the body.
    pub(in crate::cases) signer: SecretKey,
    /// For what purpose.
    pub(in crate::cases) purpose: &'static str,
    /// The call's input but for `response`.
    pub(in crate::cases) call: Value,
}

/// The client's key.
pub(in crate::cases) fn node_key() -> SecretKey {
    key("response node key")
}

/// The join-signing key.
pub(in crate::cases) fn signing_key() -> SecretKey {
    key("response join-signing key")
}

/// The pin of a SubjectPublicKeyInfo.
pub(in crate::cases) fn pin(spki: impl AsRef<[u8]>) -> String {
    format!("sha256/{}", b64(hash(spki)))
}

/// The request of a client that asked this attestor for this role, in the ops' form.
pub(in crate::cases) fn asked(attestor: &str, role: &str) -> Value {
    let token = if matches!(attestor, "" | "join-token") { "jt_01kdvdna00e008000000000001" } else { "" };
    let claims = claims(json!({
        "productUuid": "4C4C4544-0051-3410-8051-B5C04F375931",
        "productSerial": "5Q4Q7Y1",
        "hostname": "b7-u12",
        "permanentMacs": ["3C:EC:EF:12:34:56"],
    }));
    request(attestor, role, token, &claims)
}

/// The client's CSR, with the request's hash in it.
pub(in crate::cases) fn own_csr(request: &Value) -> Vec<u8> {
    csr::with_binding(&node_key(), request).map(|csr| csr.der()).unwrap_or_default()
}

impl Answer {
    /// The right answer to a join by token for role `node`.
    pub(in crate::cases) fn honest() -> Self {
        Self::to("", "node")
    }

    /// The right answer to a join by this attestor for this role.
    pub(in crate::cases) fn to(attestor: &str, role: &str) -> Self {
        let request = asked(attestor, role);
        let csr = own_csr(&request);
        let issuer = node_intermediate();
        let ak = if attestor == "tpm" { json!(AK) } else { Value::Null };
        let mut sans = vec![San::Uri(spiffe(TRUST_DOMAIN, SITE, NODE))];
        sans.extend(ak.as_str().map(San::uri));
        Self {
            leaf: leaf(&issuer, spki(&node_key()), role, &sans),
            above: vec![issuer.certificate(&node_root()).signed(&node_root().key)],
            issuer: issuer.key,
            body: JoinResponseBody {
                node_id: NODE.into(),
                certificate_chain: Vec::new(),
                command_trust_bundle: vec![bundle()],
                csr_sha256: hash(&csr).to_vec(),
                trust_domain: TRUST_DOMAIN.into(),
                site_id: SITE.into(),
                role: role.into(),
                attestor: if attestor.is_empty() { "join-token" } else { attestor }.into(),
                request_sha256: request_hash(&request).map(Vec::from).unwrap_or_default(),
            },
            signer: signing_key(),
            purpose: "join-response",
            call: json!({
                "pins": [pin(spki(&signing_key()))],
                "csr": b64u(&csr),
                "request": request,
                "site": SITE,
                "nodeId": null,
                "requireRequestBinding": false,
                "ak": ak,
                "previousAk": null,
            }),
        }
    }

    /// The answer after a change.
    pub(in crate::cases) fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// With another value in the call.
    pub(in crate::cases) fn calling(self, name: &str, value: impl Into<Value>) -> Self {
        self.with(|answer| answer.call[name] = value.into())
    }

    /// With these names in the leaf.
    pub(in crate::cases) fn sans(self, sans: &[San]) -> Self {
        self.with(|answer| answer.leaf = answer.leaf.clone().with_sans(sans))
    }

    /// With the SPIFFE name and these statements in the leaf.
    pub(in crate::cases) fn statements(self, statements: &[&str]) -> Self {
        let first = San::Uri(spiffe(TRUST_DOMAIN, SITE, NODE));
        let sans: Vec<San> = [first].into_iter().chain(statements.iter().map(|uri| San::uri(uri))).collect();
        self.sans(&sans)
    }

    /// For another trust domain, site or node, in the body and in the leaf.
    pub(in crate::cases) fn named(self, trust_domain: &str, site: &str, node: &str) -> Self {
        self.sans(&[San::Uri(spiffe(trust_domain, site, node))]).with(|answer| {
            answer.body.trust_domain = trust_domain.into();
            answer.body.site_id = site.into();
            answer.body.node_id = node.into();
        })
    }

    /// The leaf, signed.
    pub(in crate::cases) fn leaf_der(&self) -> Vec<u8> {
        self.leaf.signed(&self.issuer)
    }

    /// The body with its chain.
    pub(in crate::cases) fn whole(&self) -> JoinResponseBody {
        self.whole_with(self.leaf_der())
    }

    /// The body with this leaf.
    pub(in crate::cases) fn whole_with(&self, leaf: Vec<u8>) -> JoinResponseBody {
        let certificate_chain = [leaf].into_iter().chain(self.above.iter().cloned()).collect();
        JoinResponseBody { certificate_chain, ..self.body.clone() }
    }

    /// The answer, signed.
    pub(in crate::cases) fn signed(&self) -> Signed {
        self.signed_octets(self.whole().encode())
    }

    /// Any octets as the body, signed.
    pub(in crate::cases) fn signed_octets(&self, body: Vec<u8>) -> Signed {
        Signed::new(self.purpose, body, &self.signer)
    }

    /// The input of `join.response.verify`.
    pub(in crate::cases) fn input(&self) -> Value {
        self.input_of(&self.signed())
    }

    /// The input with this answer in it.
    pub(in crate::cases) fn input_of(&self, signed: &Signed) -> Value {
        let mut input = self.call.clone();
        input["response"] = signed.json();
        input
    }

    /// The input with any octets as the body, rightly signed.
    pub(in crate::cases) fn input_with_body(&self, body: impl Into<Vec<u8>>) -> Value {
        self.input_of(&self.signed_octets(body.into()))
    }

    /// The input with these certificates as the chain.
    pub(in crate::cases) fn input_with_chain(&self, chain: Vec<Vec<u8>>) -> Value {
        let body = JoinResponseBody { certificate_chain: chain, ..self.body.clone() };
        self.input_with_body(body.encode())
    }

    /// What a client says of it.
    pub(in crate::cases) fn out(&self) -> Value {
        json!({
            "nodeId": self.body.node_id,
            "siteId": self.body.site_id,
            "trustDomain": self.body.trust_domain,
            "role": self.body.role,
            "attestor": self.body.attestor,
            "leafSha256": b64u(hash(self.leaf_der())),
        })
    }
}

/// A SPIFFE name of a node.
pub(in crate::cases) fn spiffe(trust_domain: &str, site: &str, node: &str) -> String {
    format!("spiffe://{trust_domain}/site/{site}/node/{node}")
}

/// An entry of the command trust bundle.
pub(in crate::cases) fn bundle() -> Vec<u8> {
    let authority = Authority::named("test command authority");
    authority.certificate(&authority).signed(&authority.key)
}

/// A reject of RESPONSE-4 beside the right answer to a join by token.
pub(in crate::cases) fn bad(name: &str, reason: &str, title: &str, at: &[&str], what: &str) -> Entry {
    reject(&format!("response/{name}"), "RESPONSE-4", reason, title)
        .twin("response/join-token", at, what)
        .recipe(RECIPE)
}

/// An accept with its recipe.
pub(in crate::cases) fn good(name: &str, title: &str) -> Entry {
    crate::case::accept(&format!("response/{name}"), "RESPONSE-4", title).recipe(RECIPE)
}

/// The op of the cases.
pub(in crate::cases) const VERIFY: &str = "join.response.verify";
