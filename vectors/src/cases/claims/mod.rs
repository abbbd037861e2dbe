//! CLAIMS: the machine's identifiers, normalized.

mod caps;
mod character;
mod gpu;
mod list;
mod mac;
mod placeholder;
mod repeated;
mod smbios;
mod survivor;
mod text;
mod uuid;

use serde_json::{Value, json};

use crate::case::{Entry, accept, reject};
use crate::testkit::claims::{full, with};

const OP: &str = "claims.normalize";
const FULL: &str = "claims/full-set";
const RECIPE: &str =
    "A Join whose claims carry these octets; the request hash in the CSR is made over the same octets.";

/// The cases of this step.
pub(crate) fn cases() -> Vec<Entry> {
    [
        text::entries(),
        character::entries(),
        caps::entries(),
        uuid::entries(),
        mac::entries(),
        gpu::entries(),
        placeholder::entries(),
        repeated::entries(),
        survivor::entries(),
        list::entries(),
        smbios::entries(),
    ]
    .concat()
}

/// A family of claims that are accepted; a row may still normalize to nothing.
fn good(id: &str, rule: &str, title: &str) -> Entry {
    accept(id, rule, title).family(OP).recipe(RECIPE)
}

/// A family of claims that refuse the request; each row is the full set with the octets at `at` replaced.
fn refused(id: &str, title: &str, at: &[&str], what: &str) -> Entry {
    reject(id, "CLAIMS-1", "claims", title).family(OP).twin(FULL, at, what).refused().recipe(RECIPE)
}

fn input(claims: &Value) -> Value {
    json!({"claims": claims})
}

/// The claims of a machine that sends nothing.
fn bare() -> Value {
    json!({"permanentMacs": [], "gpuUuids": []})
}

/// Expected output: the members given, empty lists for the lists that are not.
#[expect(clippy::needless_pass_by_value, reason = "called with a json! literal")]
fn normal(members: Value) -> Value {
    let mut out = bare();
    for (name, value) in members.as_object().into_iter().flatten() {
        out[name] = value.clone();
    }
    out
}

/// One row for each spelling of a text member: its name, the octets, and what is left of them.
fn texts(entry: Entry, member: &str, rows: &[(&str, &[u8], Option<&str>)]) -> Entry {
    rows.iter().fold(entry, |entry, (name, raw, left)| {
        let out = left.map_or_else(bare, |left| normal(json!({ member: left })));
        entry.row(name, input(&with(bare(), member, raw)), out)
    })
}

/// One row for each spelling of a list's only entry: its name, the octets, and what is left of them.
fn singles(entry: Entry, member: &str, rows: &[(&str, &[u8], Option<&str>)]) -> Entry {
    rows.iter().fold(entry, |entry, (name, raw, left)| {
        let out = left.map_or_else(bare, |left| normal(json!({ member: [left] })));
        entry.row(name, input(&with(bare(), member, raw)), out)
    })
}

/// One refused row for each replacement of a member of the full set.
fn spoiled(entry: Entry, member: &str, rows: &[(&str, &[u8])]) -> Entry {
    rows.iter().fold(entry, |entry, (name, raw)| entry.bad(name, input(&with(full(), member, raw))))
}
