//! What the rows must be before a step: the world's, and every change that the steps before expect.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use crate::schema::Case;
use crate::testkit::decode_certificate::certificate;
use crate::testkit::keys::hash;

/// Rows as a dump has them; a row of a step has its label, `$n1`, as id.
#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    pub(super) world: Value,
    pub(super) tokens: Vec<Value>,
    pub(super) nodes: Vec<Value>,
    pub(super) certs: Vec<Value>,
}

impl Model {
    pub(super) fn before_next_step(case: &Case) -> Self {
        let world = case.world.clone().unwrap_or_default();
        let rows = |name: &str| world[name].as_array().cloned().unwrap_or_default();
        let mut tokens = rows("tokens");
        for row in &mut tokens {
            row["revoked"] = (!row["revokedAt"].is_null()).into();
        }
        let mut nodes = rows("nodes");
        for row in &mut nodes {
            // A loaded node is queued.
            row["queued"] = true.into();
        }
        let mut model = Self { tokens, nodes, certs: rows("certs").iter().map(cert).collect(), world };
        for step in &case.steps {
            let effects = &step.expect.effects;
            for (rows, changes) in [
                (&mut model.tokens, &effects.tokens),
                (&mut model.nodes, &effects.nodes),
                (&mut model.certs, &effects.certs),
            ] {
                changes.iter().for_each(|change| apply(rows, change));
            }
        }
        model
    }

    pub(super) fn token(&self, id: &str) -> Option<&Value> {
        self.tokens.iter().find(|row| row["id"] == id)
    }

    pub(super) fn node(&self, id: &str) -> Option<&Value> {
        self.nodes.iter().find(|row| row["id"] == id)
    }

    pub(super) fn pool(&self, id: &Value) -> Value {
        self.find("pools", id)
    }

    pub(super) fn site(&self, id: &Value) -> Value {
        self.find("sites", id)
    }

    fn find(&self, list: &str, id: &Value) -> Value {
        let rows = self.world[list].as_array();
        rows.into_iter().flatten().find(|row| row["id"] == *id).cloned().unwrap_or_default()
    }

    /// The certificates of a node that are not revoked, in the order issued.
    pub(super) fn unrevoked<'m>(&'m self, node: &'m str) -> impl Iterator<Item = &'m Value> {
        self.certs.iter().filter(move |row| row["nodeId"] == node && row["revoked"].is_null())
    }

    pub(super) fn newest_cert(&self, node: &str) -> Option<&Value> {
        self.certs.iter().rfind(|row| row["nodeId"] == node)
    }
}

/// A certificate's row of the world as a dump has it.
fn cert(row: &Value) -> Value {
    let der = row["der"].as_str().and_then(|text| URL_SAFE_NO_PAD.decode(text).ok()).unwrap_or_default();
    let view = certificate(&der);
    let spki = view["spki"].as_str().and_then(|text| URL_SAFE_NO_PAD.decode(text).ok()).unwrap_or_default();
    let role = view["subject"][0][0]["value"].as_str().unwrap_or_default().trim_start_matches("bc-role:");
    let statements: Vec<&Value> =
        view["sans"].as_array().into_iter().flatten().skip(1).map(|name| &name["uri"]).collect();
    json!({
        "id": view["serial"], "nodeId": row["nodeId"], "generation": row["generation"], "role": role,
        "spkiSha256": hex::encode(hash(spki)), "statements": statements, "allowedKinds": row.get("allowedKinds"),
        "ttlLimitS": row.get("ttlLimitS"), "revoked": row.get("revoked"),
    })
}

fn apply(rows: &mut Vec<Value>, change: &Value) {
    if let Some(label) = change["$new"].as_str() {
        let mut row = change.clone();
        row["id"] = format!("${label}").into();
        rows.push(row);
        return;
    }
    let Some(row) = rows.iter_mut().find(|row| row["id"] == change["id"]) else { return };
    for (name, value) in change.as_object().into_iter().flatten() {
        row[name.as_str()] = value.clone();
    }
}
