//! Step CERTIFICATE: what a leaf carries, as the client that receives it sees it; and how it is issued, shown as scripts.

use crate::case::{Entry, accept, reject};
use crate::cases::response::answer::{Answer, LEAF, NODE, SITE, TRUST_DOMAIN, VERIFY, spiffe};
use crate::testkit::x509::San;

mod dates;
mod issuer;
mod kinds;
mod lifetime;
mod live;
mod profile;
mod rows;

const RECIPE: &str =
    "The right answer to a join by token; change the leaf's names and let the right issuer sign it.";

/// Every case of the step.
pub(super) fn cases() -> Vec<Entry> {
    let mut all = vec![roles(), second_identity()];
    for family in [
        dates::entries,
        issuer::entries,
        kinds::entries,
        lifetime::entries,
        live::entries,
        profile::entries,
        rows::entries,
    ] {
        all.extend(family());
    }
    all
}

fn roles() -> Entry {
    let title = "The subject is OU=bc-role and the role, one attribute, for every role.";
    let family = accept("certificate/subject-of-each-role", "CERTIFICATE-3", title)
        .family(VERIFY)
        .why("Role and identity stand where every stack reads them.")
        .recipe("The right answer to a join by token for each role.");
    ["node", "site", "ramdisk"].iter().fold(family, |family, role| {
        let answer = Answer::to("", role);
        family.row(role, answer.input(), answer.out())
    })
}

fn second_identity() -> Entry {
    let named = |names: &[String]| {
        let sans: Vec<San> = names.iter().map(|name| San::uri(name)).collect();
        Answer::honest().sans(&sans).input()
    };
    let own = spiffe(TRUST_DOMAIN, SITE, NODE);
    let other = spiffe("other.example", SITE, NODE);
    let title = "A leaf has exactly one SPIFFE URI, and it is the first name.";
    reject("certificate/one-identity", "CERTIFICATE-2", "response-san", title)
        .family(VERIFY)
        .bad("another after it", named(&[own.clone(), other.clone()]))
        .bad("another before it", named(&[other, own.clone()]))
        .bad("the same twice", named(&[own.clone(), own.clone()]))
        .bad("a statement before it", named(&["urn:bc:later".into(), own]))
        .twin("response/join-token", &LEAF, "the names of the leaf")
        .why("A leaf with two identities is whichever of them its verifier happens to read.")
        .recipe(RECIPE)
}
