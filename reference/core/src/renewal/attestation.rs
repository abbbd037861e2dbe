//! What a TPM says of a new key (RENEWAL-2, X509POP-3), as far as the leaf asks for it.

use crate::certificate::Row;
use crate::hash::sha256;
use crate::reason::Reason;

/// A key attestation. What the step TPM found in it comes in as a value.
#[derive(Clone, Copy, Debug)]
pub struct KeyAttestation<'a> {
    /// The AK's public area, octets of TPMT_PUBLIC.
    pub ak_public: &'a [u8],
    /// The verdict of TPM-3 on the certification of the CSR's key by that AK.
    pub certified: Result<(), Reason>,
}

/// Judges the attestation that the leaf asks for.
///
/// # Errors
/// In this order: `key-attestation-missing`, `key-attestation-ak`, the `node-key-*` reason of TPM-3.
pub fn check(leaf: &Row, attestation: Option<&KeyAttestation<'_>>) -> Result<(), Reason> {
    // RENEWAL-5: where the leaf has no statement, the attestation is ignored.
    let Some(statement) = leaf.ak_statement() else { return Ok(()) };
    // RENEWAL-5, X509POP-3: a missing or failing attestation is refused, never downgraded.
    let attestation = attestation.ok_or(Reason::KeyAttestationMissing)?;
    // RENEWAL-5: SHA-256 of ak_public is the digest of the leaf's statement.
    let digest: String = sha256(attestation.ak_public).iter().map(|octet| format!("{octet:02x}")).collect();
    if statement.strip_prefix(AK_SHA256) != Some(&digest) {
        return Err(Reason::KeyAttestationAk);
    }
    attestation.certified
}

const AK_SHA256: &str = "urn:bc:tpm-ak:sha256:";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::x509::fixture::certificate;

    fn leaf(statement: Option<&str>) -> Row {
        let row = Row::of_leaf("node_n", 1, &certificate("leaf")).unwrap();
        Row { statements: statement.map(str::to_owned).into_iter().collect(), ..row }
    }

    #[test]
    fn a_leaf_that_names_an_ak_wants_that_ak() {
        // The SHA-256 of "abc", FIPS 180-4.
        let named = leaf(Some(
            "urn:bc:tpm-ak:sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        ));
        let with = |ak_public, certified| check(&named, Some(&KeyAttestation { ak_public, certified }));
        assert_eq!(check(&named, None), Err(Reason::KeyAttestationMissing));
        assert_eq!(with(b"abd", Err(Reason::NodeKeyMagic)), Err(Reason::KeyAttestationAk));
        assert_eq!(with(b"abc", Err(Reason::NodeKeyMagic)), Err(Reason::NodeKeyMagic));
        assert_eq!(with(b"abc", Ok(())), Ok(()));
    }

    #[test]
    fn a_leaf_that_names_none_ignores_it() {
        let failing = KeyAttestation { ak_public: b"x", certified: Err(Reason::NodeKeyMagic) };
        assert_eq!(check(&leaf(None), Some(&failing)), Ok(()));
        assert_eq!(check(&leaf(Some("urn:bc:some:statement")), None), Ok(()));
    }
}
