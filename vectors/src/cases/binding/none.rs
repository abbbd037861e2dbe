//! `choice: request-binding`, value none: the attribute is ignored entirely (BINDING-2).

use super::{CHOICE, call, csr, node, out, right, sent};
use crate::case::{Entry, accept};
use crate::testkit::csr::binding_text;
use crate::testkit::der;

pub(super) fn entries() -> Vec<Entry> {
    vec![ignored(), policy()]
}

fn ignored() -> Entry {
    let entry = accept(
        "binding/none-ignored",
        "BINDING-2",
        "A server that does not check admits whatever \
        the attribute says.",
    )
    .choice(CHOICE, "none")
    .family("binding.check")
    .why(
        "Half a check is worse than none: a server that refuses malformed values only promises what it \
            does not keep.",
    )
    .recipe(
        "Send CSRs with a right, a wrong, a doubled and a malformed binding to a server that does \
            not check.",
    );
    let wrong = der::tlv(der::UTF8, binding_text(&[7; 32]));
    let malformed = der::tlv(der::PRINTABLE, "bc-join-request-v1:");
    let rows = [
        ("right", csr(&[&right()])),
        ("wrong", csr(&[&wrong])),
        ("twice", csr(&[&right(), &right()])),
        ("malformed", csr(&[&malformed])),
        ("absent", node().der()),
    ];
    rows.iter()
        .fold(entry, |entry, (name, csr)| entry.row(name, call(csr, &sent(), false), out(false, &sent())))
}

fn policy() -> Entry {
    let entry = accept("binding/none-required", "BINDING-2", "Under none the pool's policy has no effect.")
        .choice(CHOICE, "none")
        .family("binding.check")
        .why("A policy that asks for presence alone would be met by any value.")
        .recipe(
            "Send CSRs with and without a binding to a pool that requires it, on a server that does not \
            check.",
        );
    let rows = [("absent", node().der()), ("right", csr(&[&right()]))];
    rows.iter()
        .fold(entry, |entry, (name, csr)| entry.row(name, call(csr, &sent(), true), out(false, &sent())))
}
