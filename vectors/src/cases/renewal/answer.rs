//! The answer, signed or not, and the old certificate beside it.

use super::{of, old, to, with};
use crate::case::{Entry, NOW};
use crate::script::{refused, renew, renewed, script_accept, script_reject};

const RULE: &str = "RENEWAL-6";
const CHOICE: &str = "renewal.signed-answer";
const AFTER: &str = "2026-01-01T00:00:01.000Z";
/// The old certificate is dead from here on.
const DEAD: &str = "2026-01-01T11:59:01.000Z";

pub(super) fn entries() -> Vec<Entry> {
    vec![
        signed(
            "answer-signed",
            "yes",
            "The answer to a renewal is signed by the signing key, under its own purpose.",
        ),
        signed(
            "answer-not-signed",
            "no",
            "Where renewals are not signed, signature and key of the answer are empty.",
        ),
        old_stays(),
        old_until_its_end(),
        old_dead(),
        new_alive(),
        refused_alike("yes"),
        refused_alike("no"),
    ]
}

fn signed(name: &str, value: &str, title: &str) -> Entry {
    let why = if value == "yes" {
        "A relay that answers in the service's place is caught by the signature. Attestor is `renew`, and no hash of a \
         join request is there."
    } else {
        "A signature that nobody asked for is one that somebody comes to rely on."
    };
    script_accept(&format!("renewal/{name}"), RULE, title)
        .choice(CHOICE, value)
        .world(&with(&old()))
        .step("renew", NOW, of(&old()), renewed("second"))
        .why(why)
        .recipe("A live certificate and an honest renewal with it.")
}

fn old_stays() -> Entry {
    let title = "The old certificate stays as it was, and renews again beside the new one.";
    script_accept("renewal/old-stays", RULE, title)
        .also("RENEWAL-2")
        .world(&with(&old()))
        .step("renew", NOW, of(&old()), renewed("second"))
        .step("by-new", AFTER, renew(&to("third"), "renew", &to("second").key), renewed("third"))
        .step("by-old", AFTER, renew(&to("fourth"), &old(), &old().key), renewed("fourth"))
        .why("Until the new certificate is safely on the disk, the old one is the machine's only way in.")
        .recipe("A renewal, then one with the new certificate and one with the old.")
}

fn old_until_its_end() -> Entry {
    let title = "A certificate that was renewed renews once more in its last millisecond.";
    script_accept("renewal/old-until-its-end", RULE, title)
        .also("TIME-2")
        .world(&with(&old()))
        .step("renew", NOW, of(&old()), renewed("second"))
        .step("by-old", "2026-01-01T11:59:00.999Z", renew(&to("third"), &old(), &old().key), renewed("third"))
        .why("It is valid until it expires, whatever came after it.")
        .recipe("A renewal, and a second one with the old certificate at its very end.")
}

fn old_dead() -> Entry {
    let title = "A certificate that was renewed expires when it says, although its successor is alive.";
    script_reject("renewal/old-dead", RULE, title)
        .also("RENEWAL-7")
        .world(&with(&old()))
        .step("renew", NOW, of(&old()), renewed("second"))
        .step("by-old", DEAD, renew(&to("third"), &old(), &old().key), refused("cert-expired"))
        .twin(
            "renewal/old-until-its-end",
            &["/steps/1/at", "/steps/1/request/clientTimeMs", "/steps/1/request/popSig/$pop/clientTimeMs"],
            "two milliseconds later",
        )
        .why("The life of the new certificate is the new key's; the old key ends with its own.")
        .recipe("A renewal, and a second one with the old certificate just after its end.")
}

fn new_alive() -> Entry {
    let title = "After the old certificate has expired the new one renews.";
    script_accept("renewal/new-after-old", "RENEWAL-7", title)
        .also(RULE)
        .world(&with(&old()))
        .step("renew", NOW, of(&old()), renewed("second"))
        .step("by-new", DEAD, renew(&to("third"), "renew", &to("second").key), renewed("third"))
        .why("A node that renews in time never runs out.")
        .recipe("A renewal, and after the first certificate's end one with the second.")
}

fn refused_alike(value: &str) -> Entry {
    let title = format!("Under {CHOICE} {value} a renewal with a bad proof is refused as ever.");
    let twin = if value == "yes" { "renewal/answer-signed" } else { "renewal/answer-not-signed" };
    script_reject(&format!("renewal/refused-under-{value}"), RULE, &title)
        .also("RENEWAL-1")
        .choice(CHOICE, value)
        .world(&with(&old()))
        .step("renew", NOW, of(&old()).form("flipped"), refused("pop-signature"))
        .twin(twin, &["/steps/0/request/popSig/$pop/form"], "one bit of the proof")
        .why("Whether the answer is signed says nothing about the proof of the request.")
        .recipe("A live certificate and a renewal whose proof has one bit changed.")
}
