//! `choice: seal.iat-window`, value window: both ends are inside, and the clock is cut to whole seconds.

use serde_json::{Value, json};

use super::{NOW_S, good, input, out};
use crate::case::{Entry, accept, reject};

pub(super) fn entries() -> Vec<Entry> {
    vec![ends(), last_millisecond(), too_old(), too_new(), too_new_by_rounding()]
}

/// 300 s back, 60 s ahead.
fn windowed(iat: u64) -> Value {
    let mut call = input(good().member("iat", &iat.to_string()).text());
    call["iatWindow"] = json!({"pastS": 300, "aheadS": 60});
    call
}

fn ends() -> Entry {
    let entry = accept("seal/window-ends", "SEAL-4", "Both ends of the window are inside.")
        .choice("seal.iat-window", "window")
        .family("seal.open")
        .why("Off by one at either end refuses a client whose clock is within the stated bounds.")
        .recipe("Seal with iat = now - 300, now, now + 60; the window is 300 s back and 60 s ahead.");
    let rows = [("oldest", NOW_S - 300), ("now", NOW_S), ("newest", NOW_S + 60)];
    rows.iter().fold(entry, |entry, (name, iat)| entry.row(name, windowed(*iat), out(*iat)))
}

fn last_millisecond() -> Entry {
    accept(
        "seal/window-last-millisecond",
        "SEAL-4",
        "The oldest second stays inside until the clock's second is over.",
    )
    .choice("seal.iat-window", "window")
    .why("now is cut to whole seconds, not rounded: at .999 the second is still the same.")
    .at("2026-01-01T00:00:00.999Z")
    .call("seal.open", windowed(NOW_S - 300))
    .out(out(NOW_S - 300))
    .recipe("Seal with iat = now - 300 s; open 999 ms into the second.")
}

fn outside(case: &str, title: &str, iat: u64, twin: &str, what: &str) -> Entry {
    reject(&format!("seal/{case}"), "SEAL-4", "seal-iat", title)
        .choice("seal.iat-window", "window")
        .call("seal.open", windowed(iat))
        .twin(twin, &["/in/seal:header.iat"], what)
        .refused()
        .recipe(&format!("Seal with iat {iat}; the window is 300 s back and 60 s ahead of the clock."))
}

fn too_old() -> Entry {
    let title = "One second before the window is refused.";
    outside("window-too-old", title, NOW_S - 301, "seal/window-ends#oldest", "iat is one second less")
        .why("The reason is its own, so that an operator can tell a clock from an attack.")
}

fn too_new() -> Entry {
    let title = "One second behind the window is refused.";
    outside("window-too-new", title, NOW_S + 61, "seal/window-ends#newest", "iat is one second more")
        .why("A seal of the future would be good for longer than the operator allows.")
}

fn too_new_by_rounding() -> Entry {
    outside(
        "window-not-rounded",
        "A clock at .999 is not rounded up.",
        NOW_S + 61,
        "seal/window-last-millisecond",
        "iat is one second behind the window",
    )
    .at("2026-01-01T00:00:00.999Z")
    .why("A clock that is rounded to the nearest second, or compared in milliseconds, lets this one pass.")
}
