//! The leaf's names: one SPIFFE URI, first, the body's; then only urn:bc: statements.

use crate::case::Entry;
use crate::testkit::der::{UTF8, oid, tlv};
use crate::testkit::x509::{SAN, San};

use super::accepted::row;
use super::answer::{
    Answer, BODY, LEAF, NODE, OTHER_NODE, OTHER_SITE, SITE, TRUST_DOMAIN, VERIFY, bad, good, spiffe,
};

pub(super) fn cases() -> Vec<Entry> {
    vec![
        statements(),
        other_names(),
        spelling(),
        suffixed(),
        none(),
        two_spiffe(),
        spiffe_second(),
        other_uris(),
        other_kinds(),
        common_name(),
        configured_site(),
        node_id(),
    ]
}

fn misnamed(name: &str, title: &str, at: &[&str], what: &str) -> Entry {
    bad(name, "response-san", title, at, what).also("CERTIFICATE-2")
}

fn own() -> San {
    San::Uri(spiffe(TRUST_DOMAIN, SITE, NODE))
}

fn leaf_with(family: Entry, rows: &[(&str, Vec<San>)]) -> Entry {
    rows.iter().fold(family, |family, (name, sans)| family.bad(name, Answer::honest().sans(sans).input()))
}

fn statements() -> Entry {
    let family = good("statements", "Statements that begin urn:bc: may follow the SPIFFE name.")
        .also("CERTIFICATE-2")
        .family(VERIFY)
        .why("Today there is one; a client that refuses the next cannot be given it.");
    let family = row(family, "one", &Answer::honest().statements(&["urn:bc:later:1"]));
    row(family, "two", &Answer::honest().statements(&["urn:bc:later:1", "urn:bc:later:2"]))
}

fn other_names() -> Entry {
    let name = |domain: &str, site: &str, node: &str| vec![San::Uri(spiffe(domain, site, node))];
    let title = "The SPIFFE name is made of the body's trust domain, site and node.";
    let family = misnamed("san-of-another", title, &LEAF, "another name in the leaf")
        .family(VERIFY)
        .why("A certificate with another name is another identity, whatever the body says.");
    leaf_with(
        family,
        &[
            ("another trust domain", name("other.example.com", SITE, NODE)),
            ("a trust domain that begins alike", name("compute.example.com.evil", SITE, NODE)),
            ("another site", name(TRUST_DOMAIN, OTHER_SITE, NODE)),
            ("another node", name(TRUST_DOMAIN, SITE, OTHER_NODE)),
            ("site and node exchanged", name(TRUST_DOMAIN, NODE, SITE)),
            ("no node", vec![San::Uri(format!("spiffe://{TRUST_DOMAIN}/site/{SITE}"))]),
            ("more path", vec![San::Uri(format!("{}/x", spiffe(TRUST_DOMAIN, SITE, NODE)))]),
        ],
    )
}

fn spelling() -> Entry {
    let right = spiffe(TRUST_DOMAIN, SITE, NODE);
    let uri = |text: String| vec![San::Uri(text)];
    let title = "The SPIFFE name is compared octet for octet.";
    let family = misnamed("san-spelling", title, &LEAF, "the same name spelled otherwise")
        .family(VERIFY)
        .why("URIs that a library calls equal are different names to the next verifier.");
    leaf_with(
        family,
        &[
            ("upper-case scheme", uri(right.replace("spiffe", "SPIFFE"))),
            ("upper-case trust domain", uri(right.replace(TRUST_DOMAIN, "COMPUTE.example.com"))),
            ("upper-case node", uri(right.replace(NODE, &NODE.to_ascii_uppercase()))),
            ("double slash", uri(right.replace("/site/", "//site/"))),
            ("dot segment", uri(right.replace("/site/", "/./site/"))),
            ("percent-encoded", uri(right.replace("/site/", "/%73ite/"))),
            ("port", uri(right.replace(TRUST_DOMAIN, "compute.example.com:443"))),
        ],
    )
}

fn suffixed() -> Entry {
    let right = spiffe(TRUST_DOMAIN, SITE, NODE);
    let title = "Nothing follows the node in the SPIFFE name.";
    let family = misnamed("san-suffix", title, &LEAF, "characters after the right name")
        .family(VERIFY)
        .why("A comparison that stops at the expected length, at a NUL or after parsing passes.");
    let ends = [
        ("slash", "/"),
        ("query", "?"),
        ("fragment", "#"),
        ("blank", " "),
        ("NUL", "\0"),
        ("another node", "/node/x"),
    ];
    ends.iter().fold(family, |family, (name, end)| {
        family.bad(name, Answer::honest().sans(&[San::Uri(format!("{right}{end}"))]).input())
    })
}

fn none() -> Entry {
    let without =
        Answer::honest().with(|answer| answer.leaf.extensions.retain(|extension| extension.oid != SAN));
    let title = "A leaf without a SPIFFE name is no identity.";
    misnamed("san-none", title, &LEAF, "no names")
        .family(VERIFY)
        .bad("no extension", without.input())
        .bad("a statement alone", Answer::honest().sans(&[San::uri("urn:bc:later:1")]).input())
        .why("All of none are right: a loop over the names passes.")
}

fn two_spiffe() -> Entry {
    let other = |text: String| vec![own(), San::Uri(text)];
    let title = "There is no second SPIFFE name.";
    let family = misnamed("san-two-spiffe", title, &LEAF, "a second SPIFFE name after the right one")
        .family(VERIFY)
        .why("Verifiers differ in which of two they take.");
    leaf_with(
        family,
        &[
            ("another node", other(spiffe(TRUST_DOMAIN, SITE, OTHER_NODE))),
            ("the same again", other(spiffe(TRUST_DOMAIN, SITE, NODE))),
            ("another trust domain", other("spiffe://other.example.com/x".into())),
            ("upper-case scheme", other("SPIFFE://other.example.com/x".into())),
        ],
    )
}

fn spiffe_second() -> Entry {
    let title = "The SPIFFE name stands first.";
    misnamed("san-spiffe-second", title, &LEAF, "a statement before the SPIFFE name")
        .call(VERIFY, Answer::honest().sans(&[San::uri("urn:bc:later:1"), own()]).input())
        .why("Verifiers that read the first URI must all read the same.")
}

fn other_uris() -> Entry {
    let beside = |text: &str| vec![own(), San::uri(text)];
    let title = "A further URI begins urn:bc:, exactly.";
    let family = misnamed("san-other-uri", title, &LEAF, "a further URI of another kind")
        .family(VERIFY)
        .why("A leaf is used against servers that look at their own kinds of names.");
    leaf_with(
        family,
        &[
            ("https", beside("https://compute.example.com/")),
            ("another urn", beside("urn:uuid:4c4c4544-0051-3410-8051-b5c04f375931")),
            ("urn:bcx", beside("urn:bcx:later")),
            ("upper-case urn", beside("URN:BC:later")),
            ("blank before", beside(" urn:bc:later")),
            ("empty", beside("")),
            ("a letter beyond ASCII", beside("urn:bc:\u{e9}")),
            ("an octet that is no text", vec![own(), San::Raw(tlv(0x86, b"urn:bc:\xff"))]),
        ],
    )
}

fn other_kinds() -> Entry {
    let beside = |san: San| vec![own(), san];
    // otherName with a user principal name, which some directories log in with.
    let upn = tlv(0xa0, [oid("1.3.6.1.4.1.311.20.2.3"), tlv(0xa0, tlv(UTF8, "root@example.com"))].concat());
    let title = "There are no names of other kinds.";
    let family = misnamed("san-other-kind", title, &LEAF, "a name of another kind after the right one")
        .family(VERIFY)
        .why("A leaf with a DNS name is a server certificate to whoever trusts the CA.");
    leaf_with(
        family,
        &[
            ("DNS", beside(San::Dns("compute.example.com".into()))),
            ("IPv4", beside(San::Ip(vec![192, 0, 2, 17]))),
            ("IPv6", beside(San::Ip(vec![0; 16]))),
            ("e-mail", beside(San::Email("root@example.com".into()))),
            ("directory name", beside(San::Directory("root".into()))),
            ("other name", beside(San::Raw(upn))),
            ("DNS before it", vec![San::Dns("compute.example.com".into()), own()]),
        ],
    )
}

fn common_name() -> Entry {
    let as_dns = Answer::honest().sans(&[San::Dns(spiffe(TRUST_DOMAIN, SITE, NODE))]);
    let as_text = Answer::honest().sans(&[San::Email(spiffe(TRUST_DOMAIN, SITE, NODE))]);
    let title = "The SPIFFE name is a URI, not the same text in another kind.";
    misnamed("san-wrong-kind", title, &LEAF, "the right text as a name of another kind")
        .family(VERIFY)
        .bad("as DNS name", as_dns.input())
        .bad("as e-mail", as_text.input())
        .why("Code that flattens names to texts loses their kind.")
}

fn configured_site() -> Entry {
    let answer = Answer::honest().named(TRUST_DOMAIN, OTHER_SITE, NODE);
    let title = "The body's site is the configured one.";
    misnamed("other-site", title, &BODY, "another site, in body and leaf").call(VERIFY, answer.input()).why(
        "The documented checks accept a correct answer of a wrong site: a gateway with a token of \
            its own gets that far.",
    )
}

fn node_id() -> Entry {
    let given = |node: &str| Answer::honest().calling("nodeId", node);
    let title = "The node is the one given with --node-id.";
    bad("other-node", "response-san", title, &["/in/nodeId"], "another node was given")
        .twin("response/node-id-given", &["/in/nodeId"], "another node was given")
        .family(VERIFY)
        .bad("another", given(OTHER_NODE).input())
        .bad("upper case", given(&NODE.to_ascii_uppercase()).input())
        .why("A deployment that wrote a node's id into user data must not get another node's identity.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_right_name_is_what_the_page_says() {
        let right = "spiffe://compute.example.com/site/site_01kdvdna00e008000000000004\
            /node/node_01kdvdna00e008000000000002";
        assert_eq!(own(), San::uri(right));
    }
}
