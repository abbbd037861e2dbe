//! The text of `--ttl` (TOKEN-5).

use crate::limits::{TOKEN_TTL_S, TTL_DIGITS_MAX};
use crate::reason::Reason;

/// Reads a lifetime as hours, minutes and seconds, each at most once and in that order: `1h30m`, `90s`. In
/// seconds.
///
/// # Errors
/// `invalid-argument` for another form, or when the sum is not one minute to 24 hours (TOKEN-5).
pub fn ttl(text: &str) -> Result<u32, Reason> {
    sum(text)
        // TOKEN-5: the sum must be 60..=86400 seconds.
        .filter(|seconds| TOKEN_TTL_S.contains(seconds))
        .and_then(|seconds| u32::try_from(seconds).ok())
        .ok_or(Reason::InvalidArgument)
}

fn sum(text: &str) -> Option<u64> {
    // TOKEN-5: h, m, s, each at most once and in that order; nothing else.
    let mut units = [('h', 3600), ('m', 60), ('s', 1)].iter();
    let mut rest = text;
    let mut seconds = 0;
    while !rest.is_empty() {
        let length = rest.find(|c: char| !c.is_ascii_digit())?;
        let (digits, tail) = rest.split_at_checked(length)?;
        let number: u64 = (length <= TTL_DIGITS_MAX).then(|| digits.parse().ok())??;
        let unit = tail.chars().next()?;
        let (_, factor) = units.find(|(name, _)| *name == unit)?;
        seconds += number * factor;
        rest = tail.get(1..)?;
    }
    Some(seconds)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn hours_minutes_and_seconds_in_that_order() {
        let rows = [
            ("1h", 3600),
            ("1h30m", 5400),
            ("90s", 90),
            ("0h90s", 90),
            ("1m", 60),
            ("24h", 86_400),
            ("000060s", 60),
            ("086400s", 86_400),
            ("23h59m60s", 86_400),
            ("1440m", 86_400),
        ];
        for (text, seconds) in rows {
            assert_eq!(ttl(text), Ok(seconds), "{text}");
        }
    }

    #[test]
    fn any_other_form_is_refused() {
        for bad in [
            "",
            "h",
            "60",
            "1",
            "59s",
            "0s",
            "24h1s",
            "86401s",
            "1d",
            "1H",
            "1.5h",
            "+1h",
            "-1h",
            " 1h",
            "1h ",
            "1 h",
            "30m1h",
            "1h1h",
            "90s1m",
            "1h30",
            "0000060s",
            "1h30m30",
            "99999999999999999999s",
            "١h",
            "1hé",
            "60s\n",
        ] {
            assert_eq!(ttl(bad), Err(Reason::InvalidArgument), "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_never_panics(text in "[0-9hmsé. ]{0,12}|.*") {
            let _seconds = ttl(&text);
        }
    }
}
