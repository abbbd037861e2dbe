//! `H(x)` of the conventions: SHA-256 (FIPS 180-4).

use aws_lc_rs::digest;

/// SHA-256 of `octets`.
#[must_use]
pub fn sha256(octets: &[u8]) -> [u8; 32] {
    let mut hash = [0; 32];
    hash.copy_from_slice(digest::digest(&digest::SHA256, octets).as_ref());
    hash
}

#[cfg(test)]
mod tests {
    #[test]
    fn abc_has_the_hash_of_fips_180_4() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let hex: String = super::sha256(b"abc").iter().map(|octet| format!("{octet:02x}")).collect();
        assert_eq!(hex, expected);
    }
}
