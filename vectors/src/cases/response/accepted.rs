//! Right answers: the twins of everything refused.

use serde_json::Value;

use crate::case::Entry;
use crate::testkit::protobuf::{FIXED32, FIXED64, Writer};

use super::answer::{Answer, NODE, SITE, VERIFY, good, pin, signing_key};
use crate::testkit::keys::key;
use crate::testkit::signature::spki;

pub(super) fn cases() -> Vec<Entry> {
    vec![
        simple("join-token", "The right answer to a join by token.", &Answer::honest())
            .also("RESPONSE-1")
            .also("RESPONSE-2")
            .also("RESPONSE-3")
            .also("BINDING-3")
            .why("The twin of most refused answers."),
        attestors(),
        roles(),
        node_id(),
        request_hash(),
        pins(),
        trust_domains(),
        unknown_fields(),
        field_order(),
        bundle(),
        largest(),
    ]
}

/// An accept of one call.
pub(super) fn simple(name: &str, title: &str, answer: &Answer) -> Entry {
    good(name, title).call(VERIFY, answer.input()).out(answer.out())
}

/// An accepted row.
pub(super) fn row(family: Entry, name: &str, answer: &Answer) -> Entry {
    family.row(name, answer.input(), answer.out())
}

fn attestors() -> Entry {
    let family = good("attestor-asked", "The body names the attestor asked; the empty name is join-token.")
        .also("RESPONSE-3")
        .family(VERIFY)
        .why("A client that compares with the empty name refuses every join by token.");
    ["join-token", "tpm", "discovery", "x509pop"]
        .iter()
        .fold(family, |family, attestor| row(family, attestor, &Answer::to(attestor, "node")))
}

fn roles() -> Entry {
    let family = good("role-asked", "Each role that can be asked.")
        .family(VERIFY)
        .why("Site agents and ramdisks join through the same client checks.");
    ["node", "site", "ramdisk"].iter().fold(family, |family, role| row(family, role, &Answer::to("", role)))
}

fn node_id() -> Entry {
    simple(
        "node-id-given",
        "The node is the one given with --node-id.",
        &Answer::honest().calling("nodeId", NODE),
    )
    .why("A machine that was deployed as a certain node must become that node.")
}

fn request_hash() -> Entry {
    let absent = Answer::honest().with(|answer| answer.body.request_sha256.clear());
    let family = good("request-hash", "The request's hash may be absent unless it is required.")
        .also("BINDING-3")
        .also("RESPONSE-3")
        .family(VERIFY)
        .why("Servers without the extension send none; a client that insists says so in its configuration.");
    let family = row(family, "present, required", &Answer::honest().calling("requireRequestBinding", true));
    row(family, "absent, not required", &absent)
}

fn pins() -> Entry {
    let (own, other) = (pin(spki(&signing_key())), pin(spki(&key("response next signing key"))));
    let family = good("two-pins", "During a rotation the key is one of two that are pinned.")
        .also("RESPONSE-1")
        .family(VERIFY)
        .why("A client that only tries its first pin fails in the middle of a rotation.");
    let family =
        row(family, "the first", &Answer::honest().calling("pins", vec![own.clone(), other.clone()]));
    row(family, "the second", &Answer::honest().calling("pins", vec![other, own]))
}

fn trust_domains() -> Entry {
    let longest = "a".repeat(255);
    let family = good("trust-domain", "What a trust domain may be made of.")
        .family(VERIFY)
        .why("A SPIFFE trust domain is no host name: underscores and single labels are right.");
    [("one letter", "x"), ("digits, dots, dashes and underscores", "a_b-1.2"), ("255 characters", &longest)]
        .iter()
        .fold(family, |family, (name, domain)| row(family, name, &Answer::honest().named(domain, SITE, NODE)))
}

/// The right body with something more in it.
fn more(octets: Writer) -> Value {
    Answer::honest().input_with_body([Answer::honest().whole().encode(), octets.0].concat())
}

fn unknown_fields() -> Entry {
    let out = Answer::honest().out();
    good("unknown-field", "A field of an unknown number is skipped.")
        .family(VERIFY)
        .row("varint", more(Writer::new().integer(10, 7)), out.clone())
        .row("eight octets", more(Writer::new().tag(11, FIXED64).raw([7; 8])), out.clone())
        .row("bytes", more(Writer::new().bytes(99, "later")), out.clone())
        .row("four octets", more(Writer::new().tag(12, FIXED32).raw([7; 4])), out.clone())
        .row("twice", more(Writer::new().integer(10, 7).integer(10, 8)), out.clone())
        .row("highest number", more(Writer::new().bytes(0x1fff_ffff, "")), out)
        .why("A later server may say more; the signature covers it as it stands.")
}

fn field_order() -> Entry {
    let answer = Answer::honest();
    let whole = answer.whole();
    let [leaf, above] = [0, 1].map(|at| whole.certificate_chain.get(at).cloned().unwrap_or_default());
    let bundle = whole.command_trust_bundle.concat();
    let body = Writer::new()
        .bytes(9, &whole.request_sha256)
        .bytes(2, leaf)
        .bytes(8, &whole.attestor)
        .bytes(7, &whole.role)
        .bytes(3, bundle)
        .bytes(6, &whole.site_id)
        .bytes(5, &whole.trust_domain)
        .bytes(2, above)
        .bytes(4, &whole.csr_sha256)
        .bytes(1, &whole.node_id);
    good("any-field-order", "Fields may stand in any order; the signature is over them as they stand.")
        .showing("RESPONSE-1")
        .call(VERIFY, answer.input_with_body(body.0))
        .out(answer.out())
        .why(
            "A client that decodes, encodes again and verifies that refuses this, and can be fooled \
            elsewhere.",
        )
}

fn bundle() -> Entry {
    let entries =
        |bundle: Vec<Vec<u8>>| Answer::honest().with(|answer| answer.body.command_trust_bundle = bundle);
    let family = good("bundle-not-looked-into", "Entries of the trust bundle are kept as they are.")
        .also("RESPONSE-2")
        .family(VERIFY)
        .why("They concern commands; a client that judges them here refuses what a later version brings.");
    let family = row(family, "no certificate", &entries(vec![b"later".to_vec()]));
    row(family, "two of one", &entries(vec![super::answer::bundle(), super::answer::bundle()]))
}

fn largest() -> Entry {
    let answer = padded(65536);
    simple("largest-body", "A body has at most 65536 octets.", &answer)
        .why("A bound that is off by one, or a reader that grows without one.")
}

/// The right answer with a bundle that fills the body to this many octets.
pub(super) fn padded(octets: usize) -> Answer {
    let mut answer = Answer::honest();
    answer.body.command_trust_bundle = vec![vec![0x41; 60_000]];
    let rest = octets.saturating_sub(answer.whole().encode().len());
    answer.body.command_trust_bundle = vec![vec![0x41; 60_000 + rest]];
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::response::answer::{TRUST_DOMAIN, node_key};
    use crate::testkit::response::decode;

    #[test]
    fn the_right_answer_decodes_to_what_was_put_in() {
        let body = decode(&Answer::honest().whole().encode()).unwrap();
        assert_eq!(body, Answer::honest().whole());
        assert_eq!(body.trust_domain, TRUST_DOMAIN);
        assert_ne!(spki(&node_key()), spki(&signing_key()));
    }

    #[test]
    fn the_padded_body_has_the_octets_it_should_have() {
        assert_eq!(padded(65536).whole().encode().len(), 65536);
        assert_eq!(padded(65537).whole().encode().len(), 65537);
    }
}
