//! Base64 of the standard alphabet with padding, read canonically (RFC 4648 sections 3.5 and 4): pins,
//! certificates.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Writes `octets` as padded base64.
#[must_use]
pub fn encode(octets: &[u8]) -> String {
    STANDARD.encode(octets)
}

/// Reads canonical padded base64: the padding is there and unused bits are zero. `None` for anything else.
#[must_use]
pub fn decode(text: &[u8]) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octets_have_one_spelling() {
        assert_eq!(encode(&[0xfb, 0xff]), "+/8=");
        assert_eq!(decode(b"+/8="), Some(vec![0xfb, 0xff]));
        for bad in ["+/8", "+/9=", "-_8=", "+/8==", "+/8=\n", " +/8="] {
            assert_eq!(decode(bad.as_bytes()), None, "{bad:?}");
        }
    }
}
