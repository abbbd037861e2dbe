//! TypeIDs of the conventions: a prefix, `_`, and 26 characters of lower-case Crockford base32.

/// Whether `text` is a TypeID with exactly that prefix, given with its `_` (docs/spec/00-conventions.md).
#[must_use]
pub fn is_type_id(text: &str, prefix: &str) -> bool {
    let Some(suffix) = text.strip_prefix(prefix) else { return false };
    // 26 characters hold 130 bits and a UUID has 128, so the first is at most 7.
    suffix.len() == SUFFIX_LENGTH
        && suffix.starts_with(|first| ('0'..='7').contains(&first))
        && suffix.bytes().all(|octet| ALPHABET.contains(&octet))
}

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
