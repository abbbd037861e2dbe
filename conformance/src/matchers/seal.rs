//! `$seal`: a seal is opened with the recipient's private key, and made several times it is never the same (SEAL-1..5, SEAL-9).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use vectors::testkit::encode::b64u;
use vectors::testkit::seal::matches;

use super::{Mismatch, answered, octets, text};

/// What must be new in every seal.
const FRESH: [&str; 3] = ["ephemeral key", "encrypted key", "initialization vector"];

/// The random parts of the seals seen, by place in the output.
#[derive(Debug, Default)]
pub(super) struct Freshness(BTreeMap<String, Vec<[String; 3]>>);

impl Freshness {
    /// Opens one seal, compares what it says, and keeps its random parts.
    pub(super) fn open(&mut self, argument: &Value, actual: &Value, path: &str) -> Result<(), Mismatch> {
        let key = argument.get("key").or_else(|| argument.get("jwk"));
        let key = key.ok_or_else(|| Mismatch::Suite("$seal: the private key is missing".into()))?;
        let token = text(argument, "token", "$seal")?;
        let csr = octets(argument, "csr", "$seal")?;
        let iat = argument.get("iat").filter(|iat| iat.is_u64());
        let iat = iat.ok_or_else(|| Mismatch::Suite("$seal: iat is missing or no integer".into()))?;
        let expected = json!({"jwk": key, "token": token, "csr": b64u(csr), "iat": iat});
        let seal = answered(actual, path)?;
        let opened = matches(&expected, &seal).map_err(|what| Mismatch::at(path, what))?;
        let epk = opened.header.get("epk").map(Value::to_string).unwrap_or_default();
        let part =
            |at| String::from_utf8_lossy(seal.split(|&octet| octet == b'.').nth(at).unwrap_or_default());
        self.0.entry(path.into()).or_default().push([epk, part(1).into_owned(), part(2).into_owned()]);
        Ok(())
    }

    /// Every random part of every seal must be another one.
    pub(super) fn check(&self) -> Result<(), Mismatch> {
        for (path, seals) in &self.0 {
            for (at, name) in FRESH.iter().enumerate() {
                let different: BTreeSet<_> = seals.iter().filter_map(|parts| parts.get(at)).collect();
                if different.len() != seals.len() {
                    let what = format!("{} seals have {} different {name}s", seals.len(), different.len());
                    return Err(Mismatch::at(path, what));
                }
            }
        }
        Ok(())
    }
}
