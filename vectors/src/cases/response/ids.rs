//! The ids in the body: rightly signed and equal in body and leaf, and not well-formed.

use serde_json::Value;

use crate::case::Entry;

use super::answer::{Answer, BODY, NODE, SITE, TRUST_DOMAIN, VERIFY};
use super::form::malformed;

pub(super) fn cases() -> Vec<Entry> {
    vec![node(), site(), trust_domain()]
}

fn rows(family: Entry, rows: &[(&str, &str)], input: impl Fn(&str) -> Value) -> Entry {
    rows.iter().fold(family, |family, (name, id)| family.bad(name, input(id)))
}

fn node() -> Entry {
    let family = malformed("node-id-form", "node_id is a node_ TypeID.", &BODY, "node_id, in body and leaf")
        .family(VERIFY)
        .why("An id goes into paths, names and queries: it is checked where it comes in.");
    let bad = [
        ("another prefix", "site_01kdvdna00e008000000000002"),
        ("upper case", "node_01KDVDNA00E008000000000002"),
        ("a letter that is not in the alphabet", "node_01kdvdna00e00800000000000l"),
        ("too short", "node_01kdvdna00e00800000000000"),
        ("too long", "node_01kdvdna00e0080000000000022"),
        ("over 128 bits", "node_81kdvdna00e008000000000002"),
        ("a blank after it", "node_01kdvdna00e008000000000002 "),
        ("a path in it", "node_01kdvdna00e0080000000/../02"),
    ];
    rows(family, &bad, |id| Answer::honest().named(TRUST_DOMAIN, SITE, id).input())
}

fn site() -> Entry {
    let family = malformed("site-id-form", "site_id is a site_ TypeID.", &BODY, "site_id, in body and leaf")
        .family(VERIFY)
        .why("The form comes before the comparison with the configured site.");
    let bad = [
        ("another prefix", "node_01kdvdna00e008000000000004"),
        ("upper case", "SITE_01kdvdna00e008000000000004"),
        ("too short", "site_01kdvdna00e00800000000000"),
        ("two dashes", "site__01kdvdna00e008000000000004"),
    ];
    rows(family, &bad, |id| Answer::honest().named(TRUST_DOMAIN, id, NODE).input())
}

fn trust_domain() -> Entry {
    let long = "a".repeat(256);
    let title = "A trust domain is 1 to 255 of a-z, 0-9, dot, dash and underscore.";
    let family =
        malformed("trust-domain-form", title, &BODY, "trust_domain, in body and leaf").family(VERIFY).why(
            "A slash in it moves the border between trust domain and path; case and ports make two names \
            of one.",
        );
    let bad = [
        ("upper case", "Compute.example.com"),
        ("a slash", "compute.example.com/site"),
        ("a port", "compute.example.com:443"),
        ("userinfo", "x@compute.example.com"),
        ("percent", "compute%2eexample.com"),
        ("the scheme", "spiffe://compute.example.com"),
        ("not ASCII", "cömpute.example.com"),
        ("256 characters", &long),
    ];
    rows(family, &bad, |domain| Answer::honest().named(domain, SITE, NODE).input())
}
