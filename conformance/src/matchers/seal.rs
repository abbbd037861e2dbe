//! `$seal`: a seal is opened with the recipient's private key, and made several times it is never the same (SEAL-1..5, SEAL-9).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use vectors::testkit::encode::b64u;
use vectors::testkit::keys::hash;
use vectors::testkit::seal::open;

use super::{Mismatch, answered, octets, text};

/// What must be new in every seal.
const FRESH: [&str; 3] = ["ephemeral key", "encrypted key", "initialization vector"];

/// The random parts of the seals seen, by place in the output.
#[derive(Debug, Default)]
pub(super) struct Freshness(BTreeMap<String, Vec<[String; 3]>>);

impl Freshness {
    /// Opens one seal, compares what it says, and keeps its random parts.
    pub(super) fn open(&mut self, argument: &Value, actual: &Value, path: &str) -> Result<(), Mismatch> {
        let key = argument.get("key").ok_or_else(|| Mismatch::Suite("$seal: key is missing".into()))?;
        let token = text(argument, "token", "$seal")?;
        let csr = octets(argument, "csr", "$seal")?;
        let iat = argument.get("iat").filter(|iat| iat.is_u64());
        let iat = iat.ok_or_else(|| Mismatch::Suite("$seal: iat is missing or no integer".into()))?;
        let seal = answered(actual, path)?;
        let opened = open(key, &seal).map_err(|what| Mismatch::at(path, what))?;
        if opened.plaintext != token.as_bytes() {
            return Err(Mismatch::at(path, "what is sealed is not the token"));
        }
        if opened.header.get("iat") != Some(iat) {
            return Err(Mismatch::at(path, format!("iat is not {iat}, the call's clock in whole seconds")));
        }
        if opened.header.get("csr").and_then(Value::as_str) != Some(b64u(hash(csr)).as_str()) {
            return Err(Mismatch::at(path, "csr is not the hash of the request"));
        }
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
