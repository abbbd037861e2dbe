//! Faults across steps: the first in the order of REFUSAL-3 is the reason.

use super::accepted::WINDOW;
use super::accepted::five_minutes;
use super::fault::{FAULTS, Fault};
use super::join::{NOW_S, good};
use super::single::faulty;
use crate::case::{Entry, reject};

const WHY: &str = "The order decides who is told of a refusal and what can be probed from outside; two services that differ in it \
    record different reasons for one attack.";

pub(super) fn entries() -> Vec<Entry> {
    let mut entries: Vec<Entry> = FAULTS
        .iter()
        .zip(FAULTS.iter().skip(1))
        .filter(|(first, second)| !share_a_place(first, second))
        .map(|(first, second)| pair(first, second))
        .collect();
    entries.extend(far().into_iter().flatten());
    entries.extend([everything(), plaintext_and_iat()]);
    entries
}

/// Pairs that are far apart, where an implementation that looks at the token or the machine first would show.
fn far() -> [Option<Entry>; 8] {
    [
        ("attestor", "csr"),
        ("role-invalid", "token-role"),
        ("csr", "seal-csr"),
        ("claims", "token-expired"),
        ("claims", "placeholder-hardware"),
        ("seal-csr", "token-revoked"),
        ("token-secret", "token-expired"),
        ("token-used", "placeholder-hardware"),
    ]
    .map(|(first, second)| {
        let find = |reason| FAULTS.iter().find(|fault| fault.reason == reason);
        find(first).zip(find(second)).map(|(first, second)| pair(first, second))
    })
}

/// Two faults of one place cannot both be seen.
fn share_a_place(first: &Fault, second: &Fault) -> bool {
    first.at.iter().any(|place| second.at.contains(place))
}

fn pair(first: &Fault, second: &Fault) -> Entry {
    let id = format!("refusal/order-{}-and-{}", first.reason, second.reason);
    let title = format!("With both faults the reason is {}, before {}.", first.reason, second.reason);
    faulty(&id, &title, first.reason, &[first, second]).why(WHY)
}

fn everything() -> Entry {
    let faults: Vec<&Fault> =
        FAULTS.iter().filter(|fault| !matches!(fault.reason, "csr" | "seal-iat")).collect();
    faulty(
        "refusal/order-everything",
        "With a fault in nearly every check the reason is the first.",
        "attestor",
        &faults,
    )
    .also("ADMISSION-7")
    .why("Nothing of a request is opened, parsed or looked up before its attestor is known.")
}

fn plaintext_and_iat() -> Entry {
    let mut join = good();
    (join.plaintext, join.iat, join.window) = ("no token".into(), NOW_S - 301, Some(five_minutes()));
    reject(
        "refusal/order-plaintext-and-seal-iat",
        "REFUSAL-3",
        "seal",
        "A plaintext that is no token comes before the window.",
    )
    .also("SEAL-5")
    .choice("seal.iat-window", "window")
    .refused()
    .call("join.check", join.input())
    .twin(
        WINDOW,
        &["/in/request/seal:plaintext", "/in/request/seal:header.iat"],
        "the plaintext is no token; the seal is old",
    )
    .why(WHY)
    .recipe("The twin's join with a seal of the text `no token`, 301 seconds old.")
}
