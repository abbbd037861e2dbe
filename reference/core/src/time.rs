//! TIME (docs/spec/01-time.md): when things are over.
//!
//! The one `now` of a request is an argument of every function that needs it (TIME-1); nothing here reads a
//! clock.

use crate::limits::X509POP_GRACE_S;

/// An instant: milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Millis(pub i64);

impl Millis {
    /// Whole seconds since 1970, rounded down (TIME-2).
    #[must_use]
    pub fn seconds(self) -> i64 {
        // TIME-2: a rule that compares whole seconds uses the floor.
        self.0.div_euclid(MILLIS_PER_SECOND)
    }

    /// The first instant of a second; the far ends of time saturate.
    #[must_use]
    pub fn from_seconds(seconds: i64) -> Self {
        Self(seconds.saturating_mul(MILLIS_PER_SECOND))
    }
}

/// Whether a token, approval or challenge is dead (TIME-2).
#[must_use]
pub fn is_dead(expires_at: Millis, now: Millis) -> bool {
    // TIME-2: dead when now ≥ expiresAt.
    now >= expires_at
}

/// Whether a certificate is not valid yet; `not_before_s` in whole seconds since 1970 (TIME-2).
#[must_use]
pub fn is_not_yet_valid(not_before_s: i64, now: Millis) -> bool {
    // TIME-2: valid from the beginning of notBefore's second.
    now < Millis::from_seconds(not_before_s)
}

/// Whether a certificate is dead; `not_after_s` in whole seconds since 1970 (TIME-2, RFC 5280 section
/// 4.1.2.5).
#[must_use]
pub fn is_expired(not_after_s: i64, now: Millis) -> bool {
    // TIME-2: valid through the end of notAfter's second.
    now >= Millis::from_seconds(not_after_s.saturating_add(1))
}

/// Whether the grace after a certificate's end is alive: the certificate is dead, and not for longer than the
/// grace.
#[must_use]
pub fn is_in_grace(not_after_s: i64, now: Millis) -> bool {
    // TIME-2: alive while now < (notAfter + 1 + grace); begins when the certificate is dead.
    let end_s = not_after_s.saturating_add(1).saturating_add(X509POP_GRACE_S);
    is_expired(not_after_s, now) && now < Millis::from_seconds(end_s)
}

const MILLIS_PER_SECOND: i64 = 1000;

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-01-01T12:00:00Z, the example of the page.
    const NOON_S: i64 = 1_767_268_800;

    #[test]
    fn the_edges_of_the_pages_example_hold_to_the_millisecond() {
        let rows = [
            (1_767_268_799_999, false, false, false),
            (1_767_268_800_000, true, false, false),
            (1_767_268_800_999, true, false, false),
            (1_767_268_801_000, true, true, true),
            (1_767_873_600_999, true, true, true),
            (1_767_873_601_000, true, true, false),
        ];
        for (now, token_dead, certificate_dead, grace) in rows {
            let now = Millis(now);
            assert_eq!(is_dead(Millis(1_767_268_800_000), now), token_dead, "{now:?}");
            assert_eq!(is_expired(NOON_S, now), certificate_dead, "{now:?}");
            assert_eq!(is_in_grace(NOON_S, now), grace, "{now:?}");
        }
    }

    #[test]
    fn a_certificate_is_valid_from_the_first_millisecond_of_not_before() {
        assert!(is_not_yet_valid(NOON_S, Millis(1_767_268_799_999)));
        assert!(!is_not_yet_valid(NOON_S, Millis(1_767_268_800_000)));
    }

    #[test]
    fn seconds_round_down_on_both_sides_of_1970() {
        assert_eq!(Millis(1999).seconds(), 1);
        assert_eq!(Millis(-1).seconds(), -1);
        assert_eq!(Millis(-1000).seconds(), -1);
    }

    #[test]
    fn the_far_ends_of_time_do_not_overflow() {
        assert!(!is_expired(i64::MAX, Millis(0)));
        assert!(is_not_yet_valid(i64::MAX, Millis(0)));
        assert!(!is_not_yet_valid(i64::MIN, Millis(0)));
    }
}
