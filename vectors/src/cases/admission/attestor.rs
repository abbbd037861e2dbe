//! The attestor's name: empty is join-token, names are exact, and only what is configured counts.

use serde_json::{Value, json};

use crate::case::{Entry, accept, reject};
use crate::cases::refusal::join::{Join, good};

const RECIPE: &str =
    "A join in order; then set the request's attestor, or the attestors that are configured.";

pub(super) fn entries() -> Vec<Entry> {
    vec![token(), other_names(), not_configured()]
}

/// The good join under this attestor name.
fn named(name: &str) -> Join {
    Join { attestor: name.into(), ..good() }
}

/// The input with other attestors configured.
fn configured(name: &str, attestors: &[&str]) -> Value {
    let mut input = named(name).input();
    input["attestors"] = json!(attestors);
    input
}

fn token() -> Entry {
    let row = |family: Entry, title: &str, name: &str, attestors: &[&str]| {
        family.row(title, configured(name, attestors), named(name).output(true))
    };
    let family = accept("admission/attestor-token", "ADMISSION-7", "The empty name is join-token.")
        .documented()
        .family("join.check")
        .why("An agent of the first version sends no name; one that sends it means the same.")
        .recipe(RECIPE);
    let family = row(family, "empty", "", &["join-token"]);
    let family = row(family, "named", "join-token", &["join-token"]);
    row(family, "beside another", "", &["x509pop", "join-token"])
}

fn refused(name: &str, title: &str, at: &[&str], what: &str) -> Entry {
    reject(&format!("admission/{name}"), "ADMISSION-7", "attestor", title)
        .family("join.check")
        .twin("admission/attestor-token#named", at, what)
        .refused()
        .recipe(RECIPE)
}

fn other_names() -> Entry {
    let at = &["/in/request/attestor"];
    let family = refused("attestor-name", "Names are compared exactly.", at, "another spelling of the name")
        .why("A name that is folded before it is compared is another name in the event and in the pool's policy.");
    ["Join-Token", "JOIN-TOKEN", "join_token", " join-token", "join-token\u{0}", "join-tokens", "token"]
        .iter()
        .fold(family, |family, name| family.bad(&format!("{name:?}"), named(name).input()))
}

fn not_configured() -> Entry {
    let at = &["/in/attestors"];
    let title = "An attestor that is not configured attests nothing, join-token included.";
    refused("attestor-not-configured", title, at, "join-token is not among the configured attestors")
        .bad("another alone", configured("join-token", &["x509pop"]))
        .bad("none", configured("join-token", &[]))
        .why("An operator who turns tokens off must be able to rely on it.")
}
