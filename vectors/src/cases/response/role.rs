//! The role in the body and in the leaf's subject.

use crate::case::Entry;
use crate::testkit::der::{sequence, sorted, tlv};
use crate::testkit::x509::{CN, OU, attribute, name};

use super::accepted::simple;
use super::answer::{Answer, BODY, LEAF, VERIFY, bad};

pub(super) fn cases() -> Vec<Entry> {
    vec![
        node_tenant_accepted(),
        node_tenant_refused(),
        not_asked(),
        lowered_otherwise(),
        leaf_differs(),
        body_differs(),
        subject_text(),
        subject_shape(),
        subject_other(),
    ]
}

fn misfit(name: &str, title: &str, at: &[&str], what: &str) -> Entry {
    bad(name, "response-role", title, at, what).also("CERTIFICATE-3")
}

/// The answer to a client that asked for one role and got another, in body and leaf.
fn given(asked: &str, role: &str) -> Answer {
    Answer::to("", asked).with(|answer| {
        answer.body.role = role.into();
        answer.leaf.subject = name(&[(OU, &format!("bc-role:{role}"))]);
    })
}

/// The right answer with another subject in the leaf.
fn subject(der: Vec<u8>) -> Answer {
    Answer::honest().with(|answer| answer.leaf.subject = der)
}

fn node_tenant_accepted() -> Entry {
    simple(
        "node-tenant-accepted",
        "node-tenant where node was asked is accepted and said loudly.",
        &given("node", "node-tenant"),
    )
    .also("CERTIFICATE-3")
    .choice("client.node-tenant", "accept")
    .why("A hosted token gives it, and the machine that presents the token does not know that it is one.")
}

fn node_tenant_refused() -> Entry {
    misfit(
        "node-tenant-refused",
        "node-tenant where node was asked is refused.",
        &BODY,
        "node-tenant, in body and leaf",
    )
    .choice("client.node-tenant", "refuse")
    .call(VERIFY, given("node", "node-tenant").input())
    .why("A platform machine that a hosted token was slipped to would lose the platform's secrets.")
}

fn not_asked() -> Entry {
    let title = "The role is the one asked for.";
    misfit("role-not-asked", title, &BODY, "another role, in body and leaf")
        .family(VERIFY)
        .bad("site", given("node", "site").input())
        .bad("ramdisk", given("node", "ramdisk").input())
        .bad("unknown", given("node", "admin").input())
        .bad("upper case", given("node", "NODE").input())
        .bad("blank after it", given("node", "node ").input())
        .why("Every other agent treats the machine by its role.")
}

fn lowered_otherwise() -> Entry {
    let title = "node-tenant stands for node alone.";
    misfit("node-tenant-for-site", title, &BODY, "node-tenant, in body and leaf")
        .twin("response/role-asked#site", &BODY, "node-tenant, in body and leaf")
        .call(VERIFY, given("site", "node-tenant").input())
        .why("The one exception is no rule.")
}

fn leaf_differs() -> Entry {
    let with = |role: &str| subject(name(&[(OU, &format!("bc-role:{role}"))])).input();
    let title = "The leaf's role is the body's.";
    misfit("leaf-role", title, &LEAF, "another role in the leaf")
        .family(VERIFY)
        .bad("site", with("site"))
        .bad("ramdisk", with("ramdisk"))
        .bad("node-tenant", with("node-tenant"))
        .bad("upper case", with("NODE"))
        .why("Servers look at the certificate, never at the body.")
}

fn body_differs() -> Entry {
    let answer = Answer::honest().with(|answer| answer.body.role = "site".into());
    let at = ["/in/response/body:role", "/in/response/sig"];
    misfit(
        "body-role",
        "The body's role is the one asked for, whatever the leaf says.",
        &at,
        "another role in the body",
    )
    .call(VERIFY, answer.input())
    .why("Body and leaf are checked both.")
}

fn subject_text() -> Entry {
    let ou = |text: &str| subject(name(&[(OU, text)])).input();
    let title = "The attribute's text is bc-role: and the role, nothing more.";
    misfit("subject-text", title, &LEAF, "another text in the subject")
        .family(VERIFY)
        .bad("no prefix", ou("node"))
        .bad("upper-case prefix", ou("BC-ROLE:node"))
        .bad("blank after the colon", ou("bc-role: node"))
        .bad("blank after it", ou("bc-role:node "))
        .bad("NUL after it", ou("bc-role:node\0"))
        .bad("more after it", ou("bc-role:node,site"))
        .bad("empty role", ou("bc-role:"))
        .bad("another prefix", ou("role:node"))
        .why("A prefix or substring test passes some of them.")
}

fn subject_shape() -> Entry {
    let role = attribute(OU, "bc-role:node");
    let one_rdn = |other: &[u8]| sequence(&[&tlv(0x31, sorted(&[&role, other]))]);
    let title = "The subject is that one attribute and no other.";
    misfit("subject-more", title, &LEAF, "a further attribute in the subject")
        .family(VERIFY)
        .bad(
            "two OUs, the right one first",
            subject(name(&[(OU, "bc-role:node"), (OU, "bc-role:site")])).input(),
        )
        .bad(
            "two OUs, the right one last",
            subject(name(&[(OU, "bc-role:site"), (OU, "bc-role:node")])).input(),
        )
        .bad("the same OU twice", subject(name(&[(OU, "bc-role:node"), (OU, "bc-role:node")])).input())
        .bad("a CN before it", subject(name(&[(CN, "b7-u12"), (OU, "bc-role:node")])).input())
        .bad("a CN after it", subject(name(&[(OU, "bc-role:node"), (CN, "b7-u12")])).input())
        .bad("a CN in the same RDN", subject(one_rdn(&attribute(CN, "b7-u12"))).input())
        .bad("a second OU in the same RDN", subject(one_rdn(&attribute(OU, "bc-role:site"))).input())
        .why("Verifiers that take the first or the last OU must not read two roles.")
}

fn subject_other() -> Entry {
    let title = "A subject without the OU has no role.";
    misfit("subject-without-ou", title, &LEAF, "no OU in the subject")
        .family(VERIFY)
        .bad("empty", subject(sequence(&[])).input())
        .bad("as CN", subject(name(&[(CN, "bc-role:node")])).input())
        .bad("as O", subject(name(&[("2.5.4.10", "bc-role:node")])).input())
        .why("A search for the text anywhere in the subject finds it in places that nobody else reads.")
}
