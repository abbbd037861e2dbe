//! `b64u(x)` of the conventions: base64url without padding, read canonically (RFC 4648 sections 3.5 and 5).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// Writes `octets` as base64url without padding.
#[must_use]
pub fn encode(octets: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(octets)
}

/// Reads canonical base64url: only its 64 characters, no padding, unused bits zero. `None` for anything else.
#[must_use]
pub fn decode(text: &[u8]) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}

/// Reads canonical base64url of exactly `N` octets.
#[must_use]
pub fn decode_array<const N: usize>(text: &[u8]) -> Option<[u8; N]> {
    decode(text)?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octets_have_one_spelling() {
        assert_eq!(encode(&[0xfb, 0xff]), "-_8");
        assert_eq!(decode(b"-_8"), Some(vec![0xfb, 0xff]));
        assert_eq!(decode(b""), Some(vec![]));
        for bad in ["-_9", "-_8=", "+/8", " -_8", "-_8\n", "-_8AA", "-\0", "-"] {
            assert_eq!(decode(bad.as_bytes()), None, "{bad:?}");
        }
    }

    #[test]
    fn an_array_has_exactly_its_length() {
        assert_eq!(decode_array::<2>(b"-_8"), Some([0xfb, 0xff]));
        assert_eq!(decode_array::<3>(b"-_8"), None);
    }
}
