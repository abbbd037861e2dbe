//! UTCTime and GeneralizedTime as certificates have them (RFC 5280 section 4.1.2.5): to the second, in UTC, with `Z`.

use crate::der::{self, Element};

/// Whole seconds since 1970. `None` for another form, or a date or time of day that does not exist.
pub(super) fn instant_s(element: Element<'_>) -> Option<i64> {
    let digits = element.content.strip_suffix(b"Z")?;
    let (year, rest) = match element.tag {
        UTC_TIME => {
            let (year, rest) = digits.split_at_checked(2)?;
            // RFC 5280: 50 to 99 are of the 20th century.
            let year = number(year)?;
            (if year >= 50 { 1900 + year } else { 2000 + year }, rest)
        }
        GENERALIZED_TIME => {
            let (year, rest) = digits.split_at_checked(4)?;
            (number(year)?, rest)
        }
        _ => return None,
    };
    let mut pairs = rest.chunks(2).map(|pair| (pair.len() == 2).then_some(pair).and_then(number));
    let [month, day, hour, minute, second] = std::array::from_fn(|_| pairs.next().flatten());
    let (month, day) = (month?, day?);
    let (hour, minute, second) = (hour?, minute?, second?);
    // Year 0 is left out: not every calendar has it.
    let exists = pairs.next().is_none()
        && year > 0
        && (1..=days_in_month(year, month)?).contains(&day)
        && hour < 24
        && minute < 60
        && second < 60;
    exists.then(|| ((days_since_1970(year, month, day) * 24 + hour) * 60 + minute) * 60 + second)
}

/// Writes an instant: UTCTime through 2049, GeneralizedTime from 2050.
pub(crate) fn write_instant(instant_s: i64) -> Vec<u8> {
    let (year, month, day) = civil(instant_s.div_euclid(SECONDS_PER_DAY));
    let second_of_day = instant_s.rem_euclid(SECONDS_PER_DAY);
    let (hour, minute, second) = (second_of_day / 3600, second_of_day / 60 % 60, second_of_day % 60);
    // CERTIFICATE-1: UTCTime holds the years 1950 to 2049 (RFC 5280 section 4.1.2.5).
    let (tag, year) = match year {
        1950..2050 => (UTC_TIME, format!("{:02}", year % 100)),
        _ => (GENERALIZED_TIME, format!("{year:04}")),
    };
    let text = format!("{year}{month:02}{day:02}{hour:02}{minute:02}{second:02}Z");
    der::write(tag, text.as_bytes())
}

/// Year, month and day of a number of days since 1970, a year being counted from March.
fn civil(days_since_1970: i64) -> (i64, i64, i64) {
    let days = days_since_1970 + DAYS_TO_1970;
    let (era, day_of_era) = (days.div_euclid(DAYS_PER_ERA), days.rem_euclid(DAYS_PER_ERA));
    let leap_days = day_of_era / 1_460 - day_of_era / 36_524 + day_of_era / (DAYS_PER_ERA - 1);
    let year_of_era = (day_of_era - leap_days) / 365;
    let day_of_year = day_of_era - (year_of_era * 365 + year_of_era / 4 - year_of_era / 100);
    let months_since_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * months_since_march + 2) / 5 + 1;
    let month = (months_since_march + 2) % 12 + 1;
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

fn number(digits: &[u8]) -> Option<i64> {
    digits.iter().try_fold(0, |sum, digit| digit.is_ascii_digit().then(|| sum * 10 + i64::from(digit - b'0')))
}

fn days_in_month(year: i64, month: i64) -> Option<i64> {
    Some(match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    })
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Days of the proleptic Gregorian calendar; a year is counted from March so that the leap day is its last.
fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let years = if month <= 2 { year - 1 } else { year };
    let months_since_march = (month + 9) % 12;
    let leap_days = years.div_euclid(4) - years.div_euclid(100) + years.div_euclid(400);
    years * 365 + leap_days + (months_since_march * 153 + 2) / 5 + day - 1 - DAYS_TO_1970
}

/// From 0000-03-01 to 1970-01-01.
const DAYS_TO_1970: i64 = 719_468;
/// 400 years.
const DAYS_PER_ERA: i64 = 146_097;
const SECONDS_PER_DAY: i64 = 86_400;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;

#[cfg(test)]
mod tests {
    use super::*;

    fn read(tag: u8, text: &str) -> Option<i64> {
        instant_s(Element { tag, content: text.as_bytes(), raw: &[] })
    }

    #[test]
    fn instants_are_those_of_another_calendar() {
        // Computed with GNU date.
        for (tag, text, seconds) in [
            (UTC_TIME, "700101000000Z", 0),
            (UTC_TIME, "260101235900Z", 1_767_311_940),
            (UTC_TIME, "491231235959Z", 2_524_607_999),
            (UTC_TIME, "500101000000Z", -631_152_000),
            (UTC_TIME, "240229120000Z", 1_709_208_000),
            (GENERALIZED_TIME, "20500101000000Z", 2_524_608_000),
            (GENERALIZED_TIME, "99991231235959Z", 253_402_300_799),
            (GENERALIZED_TIME, "20000301000000Z", 951_868_800),
            (GENERALIZED_TIME, "19000301000000Z", -2_203_891_200),
        ] {
            assert_eq!(read(tag, text), Some(seconds), "{text}");
            if text != "19000301000000Z" && text != "20000301000000Z" {
                assert_eq!(write_instant(seconds), der::write(tag, text.as_bytes()), "{text}");
            }
        }
        assert_eq!(write_instant(951_868_800), der::write(UTC_TIME, b"000301000000Z"));
    }

    #[test]
    fn other_forms_and_days_that_do_not_exist_are_refused() {
        for text in [
            "2601012359Z",
            "260101235900",
            "260101235900+0000",
            "260101235900.0Z",
            "260229000000Z",
            "261301000000Z",
            "260001000000Z",
            "260100000000Z",
            "260101240000Z",
            "260101006000Z",
            "260101000060Z",
            "26010100000 Z",
            "Z",
            "2601010000000Z",
            "26010100000000Z",
            "",
        ] {
            assert_eq!(read(UTC_TIME, text), None, "{text}");
        }
        assert_eq!(read(GENERALIZED_TIME, "21000229000000Z"), None);
        assert_eq!(read(GENERALIZED_TIME, "20260101000000.5Z"), None);
        assert_eq!(read(0x0c, "260101235900Z"), None);
    }
}
