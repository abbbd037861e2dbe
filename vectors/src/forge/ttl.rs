//! TOKEN-5: texts of `--ttl` from a grammar.

use serde_json::json;

use super::bytes;
use super::draw::Draw;
use super::plan::{Made, Plan};

pub(super) fn ttl(plan: &mut Plan<'_>) -> Made {
    let mut draw = plan.draw("ttl");
    let mut text = good(&mut draw);
    for mut draw in plan.edits("ttl") {
        match draw.below(9) {
            0 => text = terms(&mut draw),
            1 => text.insert_str(0, draw.pick(["+", "-", "0", "00000", " ", "PT", "0h", "0h0m", "1d"])),
            2 => text.push_str(draw.pick(["0s", "1s", "s", "m", " ", "\n", "ms", "0", ".5s", "1d", "1h"])),
            3 => text = text.to_ascii_uppercase(),
            4 => text = text.replace(['h', 'm', 's'], ""),
            5 => {
                text = draw
                    .pick(["", "0", "h", "60", "24h1s", "1440m", "86400s", "86401s", "59s", "1m0s"])
                    .into()
            }
            6 => {
                text = draw
                    .pick(["999999s", "1000000s", "23h60m", "0h0m60s", "4294967356s", "٦٠s", "60ｓ"])
                    .into()
            }
            _ => bytes::edit_text(&mut draw, &mut text),
        }
    }
    Made::new(json!({"text": text}))
}

/// A text within the bounds.
fn good(draw: &mut Draw) -> String {
    let total = match draw.below(4) {
        0 => draw.pick([60, 61, 3600, 86_399, 86_400]),
        _ => draw.range(60, 86_400),
    };
    let width = draw.pick([1, 1, 2, 3, 6]);
    let padded = |number: i64| format!("{number:0width$}");
    match draw.below(6) {
        0 => format!("{}s", padded(total)),
        1 => format!("{}m", padded((total / 60).max(1))),
        2 => format!("{}h", padded((total / 3600).max(1))),
        3 => format!("{}h{}m", padded(total / 3600), padded(total % 3600 / 60 + 1)),
        4 => format!("{}m{}s", padded(total / 60), padded(total % 60)),
        _ => format!("{}h{}m{}s", padded(total / 3600), padded(total % 3600 / 60), padded(total % 60)),
    }
}

/// Terms in any order and number.
fn terms(draw: &mut Draw) -> String {
    (0..draw.range(1, 4))
        .map(|_| {
            let digits = draw.range(1, 7);
            let number = draw.text("0123456789", digits as usize);
            format!("{number}{}", draw.pick(["h", "m", "s", "", "d", "H"]))
        })
        .collect()
}
