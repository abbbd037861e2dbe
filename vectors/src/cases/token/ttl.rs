//! The argument of `--ttl`: h, m, s, each at most once and in that order, 60 to 86400 seconds together.

use serde_json::json;

use super::text_rows;
use crate::case::{Entry, accept, reject};

pub(super) fn entries() -> Vec<Entry> {
    vec![good(), short(), long(), overflow(), fraction(), sign(), blanks(), order(), units(), digits()]
}

fn good() -> Entry {
    let entry = accept(
        "token/ttl-good",
        "TOKEN-5",
        "1 minute to 24 hours, in whole seconds, are a lifetime.",
    )
    .documented()
    .why("Both ends belong to the range. The sum counts, not the single number: 0h90s and 23h60m are good.")
    .family("token.ttl")
    .recipe("The row's text as the argument of --ttl.");
    [
        ("1m", 60),
        ("60s", 60),
        ("61s", 61),
        ("90s", 90),
        ("1h", 3600),
        ("1h30m", 5400),
        ("1h30m15s", 5415),
        ("1h1s", 3601),
        ("0h90s", 90),
        ("0h0m60s", 60),
        ("001h", 3600),
        ("000060s", 60),
        ("1440m", 86400),
        ("23h60m", 86400),
        ("23h59m60s", 86400),
        ("86399s", 86399),
        ("86400s", 86400),
        ("24h", 86400),
        ("24h0m0s", 86400),
    ]
    .iter()
    .fold(entry, |entry, (text, seconds)| entry.row(text, json!({"text": text}), json!({"seconds": seconds})))
}

fn refused(id: &str, title: &str, what: &str, rows: &[(&str, &str)]) -> Entry {
    let entry = reject(id, "TOKEN-5", "invalid-argument", title)
        .family("token.ttl")
        .twin("token/ttl-good#60s", &["/in/text"], what)
        .recipe("The row's text as the argument of --ttl.");
    text_rows(entry, rows)
}

fn short() -> Entry {
    refused(
        "token/ttl-too-short",
        "Less than a minute is refused.",
        "the sum is below 60 seconds",
        &[
            ("59s", "59s"),
            ("0s", "0s"),
            ("0h", "0h"),
            ("0h0m0s", "0h0m0s"),
            ("0m59s", "0m59s"),
            ("000000s", "000000s"),
        ],
    )
    .documented()
    .why("A token that is dead before a machine has booted sends operators looking for faults elsewhere.")
}

fn long() -> Entry {
    refused(
        "token/ttl-too-long",
        "More than 24 hours is refused, by a second too.",
        "the sum is above 86400 seconds",
        &[
            ("24h1s", "24h1s"),
            ("86401s", "86401s"),
            ("1440m1s", "1440m1s"),
            ("1441m", "1441m"),
            ("25h", "25h"),
            ("23h60m1s", "23h60m1s"),
            ("999999h", "999999h"),
            ("999999h999999m999999s", "999999h999999m999999s"),
        ],
    )
    .documented()
    .why("A check of each number by itself lets the sum pass the limit.")
}

fn overflow() -> Entry {
    refused(
        "token/ttl-overflow",
        "A number that wraps round is not 60 seconds.",
        "the number is 60 more than a power of two, or close to one in hours",
        &[
            ("2-to-the-32", "4294967356s"),
            ("2-to-the-64", "18446744073709551676s"),
            ("hours-in-32-bits", "1193047h"),
            ("hours-in-64-bits", "5124095576030432h"),
        ],
    )
    .why("Arithmetic that wraps makes a short lifetime out of a huge number, or the other way round.")
}

fn fraction() -> Entry {
    refused(
        "token/ttl-fraction",
        "Only whole numbers are read.",
        "a number has a fraction or an exponent",
        &[
            ("90.5s", "90.5s"),
            ("1.5h", "1.5h"),
            ("1,5h", "1,5h"),
            ("60.0s", "60.0s"),
            ("60.s", "60.s"),
            (".5h", ".5h"),
            ("6e1s", "6e1s"),
            ("1/2h", "1/2h"),
        ],
    )
    .documented()
    .why("Whoever rounds rounds differently; a minute's token then lives 60 seconds here and 61 there.")
}

fn sign() -> Entry {
    refused(
        "token/ttl-sign",
        "There is no sign.",
        "a sign stands before or inside",
        &[
            ("plus", "+60s"),
            ("minus", "-60s"),
            ("minus-inside", "2h-60m"),
            ("unicode-minus", "\u{2212}60s"),
            ("twice", "--60s"),
        ],
    )
    .why("A negative part lets a sum in the range stand for a lifetime that nobody meant.")
}

fn blanks() -> Entry {
    refused(
        "token/ttl-blanks",
        "Nothing stands around or between, and nothing is no lifetime.",
        "a blank, a line end or a NUL is put in, or the text is empty",
        &[
            ("before", " 60s"),
            ("after", "60s "),
            ("between", "1h 30m"),
            ("before-the-unit", "60 s"),
            ("lf", "60s\n"),
            ("nul", "60s\0"),
            ("empty", ""),
            ("blank", " "),
        ],
    )
    .why("The text of a shell argument is exact; trimming it hides a quoting mistake.")
}

fn order() -> Entry {
    refused(
        "token/ttl-order",
        "Each unit stands at most once, and h before m before s.",
        "a unit stands twice or out of order",
        &[
            ("minutes-hours", "30m1h"),
            ("seconds-minutes", "60s1m"),
            ("seconds-hours", "60s1h"),
            ("hours-twice", "1h1h"),
            ("minutes-twice", "30m30m"),
            ("seconds-twice", "60s60s"),
            ("h-s-m", "1h60s1m"),
        ],
    )
    .why("A reader that keeps the last of two values and one that adds them disagree.")
}

fn units() -> Entry {
    refused(
        "token/ttl-unit",
        "The units are h, m and s, lower case, each after a number.",
        "a unit is missing, another one, in another case, or without a number",
        &[
            ("none", "60"),
            ("none-at-the-end", "1h30"),
            ("day", "1d"),
            ("week", "1w"),
            ("milliseconds", "60000ms"),
            ("microseconds", "60000000us"),
            ("upper-h", "1H"),
            ("upper-s", "60S"),
            ("word", "1hour"),
            ("iso-8601", "PT1H"),
            ("clock", "01:00:00"),
            ("unit-alone", "h"),
            ("units-alone", "hms"),
            ("unit-after-unit", "1hm"),
        ],
    )
    .why("A bare number is seconds to one tool, minutes to another and nanoseconds to a third.")
}

fn digits() -> Entry {
    refused(
        "token/ttl-digits",
        "A number is 1 to 6 ASCII digits.",
        "a number has seven digits, or digits of another kind",
        &[
            ("seven", "0000060s"),
            ("seven-hours", "0000001h"),
            ("hexadecimal", "0x3cs"),
            ("fullwidth", "\u{ff16}\u{ff10}s"),
            ("arabic-indic", "\u{666}\u{660}s"),
            ("underscore", "6_0s"),
            ("apostrophe", "3'600s"),
        ],
    )
    .why("Number parsers of programming languages take more than digits; what they take differs.")
}
