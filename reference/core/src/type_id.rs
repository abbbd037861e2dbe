//! TypeIDs of the conventions: a prefix, `_`, and 26 characters of lower-case Crockford base32.

use crate::time::Millis;

/// Whether `text` is a TypeID with exactly that prefix, given with its `_` (docs/spec/00-conventions.md).
#[must_use]
pub fn is_type_id(text: &str, prefix: &str) -> bool {
    let Some(suffix) = text.strip_prefix(prefix) else { return false };
    // 26 characters hold 130 bits and a UUID has 128, so the first is at most 7.
    suffix.len() == SUFFIX_LENGTH
        && suffix.starts_with(|first| ('0'..='7').contains(&first))
        && suffix.bytes().all(|octet| ALPHABET.contains(&octet))
}

/// The TypeID of a UUID: 128 bits, most significant first, two zero bits before them.
#[must_use]
pub fn encode(prefix: &str, uuid: [u8; 16]) -> String {
    let number = u128::from_be_bytes(uuid);
    let digits = (0..SUFFIX_LENGTH).rev().map(|place| {
        let five_bits = (number >> (place * 5)) & 0x1f;
        usize::try_from(five_bits).ok().and_then(|digit| ALPHABET.get(digit)).copied().map_or('0', char::from)
    });
    prefix.chars().chain(digits).collect()
}

/// A UUID of version 7 (RFC 9562 section 5.7): 48 bits of milliseconds since 1970, then random bits. Only 74 of the
/// random bits are used.
#[must_use]
pub fn uuid_v7(now: Millis, random: [u8; 10]) -> [u8; 16] {
    let mut uuid = [0; 16];
    let (time, rest) = uuid.split_at_mut(6);
    let [_, _, milliseconds @ ..] = now.0.to_be_bytes();
    time.copy_from_slice(&milliseconds);
    rest.copy_from_slice(&random);
    uuid[6] = (uuid[6] & 0x0f) | 0x70;
    uuid[8] = (uuid[8] & 0x3f) | 0x80;
    uuid
}

/// The prefix of a token's id.
pub const TOKEN: &str = "jt_";
/// The prefix of a node's id.
pub const NODE: &str = "node_";
/// The prefix of a site's id.
pub const SITE: &str = "site_";
/// The prefix of a join request's id.
pub const JOIN_REQUEST: &str = "jreq_";

const SUFFIX_LENGTH: usize = 26;
const ALPHABET: &[u8] = b"0123456789abcdefghjkmnpqrstvwxyz";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_made_of_a_uuid_as_the_token_page_shows() {
        let uuid = 0x019b_76da_a800_7000_8000_0000_0000_0001_u128.to_be_bytes();
        assert_eq!(encode(TOKEN, uuid), "jt_01kdvdna00e008000000000001");
        assert_eq!(uuid_v7(Millis(1_767_225_600_000), [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]), uuid);
        assert_eq!(uuid_v7(Millis(1_767_225_600_000), [0xff; 10])[6..9], [0x7f, 0xff, 0xbf]);
        assert_eq!(encode(NODE, [0xff; 16]), "node_7zzzzzzzzzzzzzzzzzzzzzzzzz");
    }

    #[test]
    fn an_id_has_its_prefix_and_26_characters_of_the_alphabet() {
        assert!(is_type_id("node_01k5w3v7x8e4n9q2r6t0b1c5d7", NODE));
        assert!(is_type_id("node_7zzzzzzzzzzzzzzzzzzzzzzzzz", NODE));
        for bad in [
            "site_01k5w3v7x8e4n9q2r6t0b1c5d7",
            "node_81k5w3v7x8e4n9q2r6t0b1c5d7",
            "node_01k5w3v7x8e4n9q2r6t0b1c5dl",
            "node_01k5w3v7x8e4n9q2r6t0b1c5D7",
            "node_01k5w3v7x8e4n9q2r6t0b1c5d",
            "node_01k5w3v7x8e4n9q2r6t0b1c5d77",
            "node_",
            "",
        ] {
            assert!(!is_type_id(bad, NODE), "{bad}");
        }
    }
}
