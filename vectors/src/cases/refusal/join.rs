//! A whole join in parts, so that a fault changes one part and everything that depends on it stays right.

use p256::SecretKey;
use serde_json::{Value, json};

use crate::testkit::csr::{self, Csr};
use crate::testkit::encode::b64u;
use crate::testkit::keys::{hash, key, private_jwk};
use crate::testkit::request::{claims, request, request_hash};
use crate::testkit::seal;
use crate::testkit::token::{Token, token};

/// The clock of the cases in whole seconds: 2026-01-01T00:00:00Z.
pub(in crate::cases) const NOW_S: u64 = 1_767_225_600;

/// The parts of a join.
#[derive(Clone)]
pub(in crate::cases) struct Join {
    pub(in crate::cases) attestor: String,
    pub(in crate::cases) role: String,
    pub(in crate::cases) csr: Csr,
    /// Octets after the CSR.
    pub(in crate::cases) csr_trailing: Vec<u8>,
    pub(in crate::cases) claims: Value,
    /// Members put into the seal's header, as JSON text.
    pub(in crate::cases) header: Vec<(&'static str, String)>,
    /// The seal's plaintext.
    pub(in crate::cases) plaintext: String,
    pub(in crate::cases) iat: u64,
    /// The seal's tag, in place of the right one.
    pub(in crate::cases) tag: Option<Vec<u8>>,
    pub(in crate::cases) row: Value,
    pub(in crate::cases) expect: Value,
    pub(in crate::cases) request_binding: &'static str,
    pub(in crate::cases) window: Option<Value>,
}

/// A join that is admitted: seal, CSR, token, row and machine are in order.
pub(in crate::cases) fn good() -> Join {
    let Token { id, .. } = bearer();
    Join {
        attestor: String::new(),
        role: "node".into(),
        csr: csr::honest(&node()),
        csr_trailing: Vec::new(),
        claims: claims(json!({
            "productUuid": "8f0e3a52-6c1d-4b7f-9a34-2d5c8be01f67",
            "productSerial": "CN7220036H04QB",
            "hostname": "b7-u12",
            "permanentMacs": ["3C:EC:EF:12:34:56"],
        })),
        header: Vec::new(),
        plaintext: bearer().text(),
        iat: NOW_S,
        tag: None,
        row: json!({
            "id": id,
            "secretSha256": b64u(bearer().secret_sha256()),
            "role": "node",
            "expiresAt": "2026-01-01T01:00:00.000Z",
            "revokedAt": null,
            "usesLeft": 1,
        }),
        expect: Value::Null,
        request_binding: "optional",
        window: None,
    }
}

/// The token of these joins.
pub(in crate::cases) fn bearer() -> Token {
    token("refusal")
}

/// The machine's key.
pub(in crate::cases) fn node() -> SecretKey {
    key("refusal node")
}

impl Join {
    /// The request that the machine made, as BINDING-1 hashes it.
    pub(in crate::cases) fn request(&self) -> Value {
        request(&self.attestor, &self.role, &bearer().id, &self.claims)
    }

    /// The input of `join.check`.
    pub(in crate::cases) fn input(&self) -> Value {
        let mut csr = self.csr.der();
        csr.extend(&self.csr_trailing);
        let mut input = json!({
            "request": {
                "attestor": self.attestor,
                "role": self.role,
                "csr": b64u(&csr),
                "seal": b64u(self.seal(&csr)),
                "claims": self.claims,
            },
            "attestors": ["join-token"],
            "keys": [private_jwk(&server())],
            "row": self.row,
            "expect": self.expect,
            "requestBinding": self.request_binding,
        });
        if let Some(window) = &self.window {
            input["iatWindow"] = window.clone();
        }
        input
    }

    /// The output of `join.check` on accept.
    pub(in crate::cases) fn output(&self, trusted: bool) -> Value {
        let left = self.row["usesLeft"].as_i64().unwrap_or_default() - 1;
        let hash = request_hash(&self.request()).map(b64u).unwrap_or_default();
        json!({"tokenId": bearer().id, "usesLeft": left, "trusted": trusted, "requestSha256": hash})
    }

    fn seal(&self, csr: &[u8]) -> String {
        let mut seal = seal::honest("refusal", &server(), &self.plaintext, csr, self.iat);
        for (name, value) in &self.header {
            seal = seal.member(name, value);
        }
        seal.tag.clone_from(&self.tag);
        seal.text()
    }
}

/// The JSON text of the seal's member `csr` for another request.
pub(in crate::cases) fn hash_of_another_csr() -> String {
    format!("\"{}\"", b64u(hash(csr::honest(&key("another node")).der())))
}

/// The server's encryption key.
fn server() -> SecretKey {
    key("refusal server")
}
