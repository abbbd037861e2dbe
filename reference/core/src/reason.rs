//! The closed tables of reasons (docs/spec/13-refusal.md): refusals of the service, and the words of a
//! library.
//!
//! A reason is recorded where it belongs and never written to the caller of the service; nothing here encodes
//! one for the wire.

macro_rules! reasons {
    ($($(#[$group:meta])* $variant:ident $word:literal $step:literal $table:ident;)*) => {
        /// Why an input was refused: the word of the first check that failed (REFUSAL-3).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Reason {
            $(#[doc = concat!("`", $word, "`, decided by step ", $step, ".")] $variant,)*
        }

        impl Reason {
            /// Every reason, in the order of the tables.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The reason's word.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// The step that decides it.
            #[must_use]
            pub const fn step(self) -> &'static str {
                match self { $(Self::$variant => $step,)* }
            }

            /// Which of the two tables it stands in.
            #[must_use]
            pub const fn table(self) -> Table {
                match self { $(Self::$variant => Table::$table,)* }
            }
        }
    };
}

/// The two closed tables of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// The service refuses a Join or a Renew; the caller sees one refusal whatever the reason.
    Refusal,
    /// A client or a library that judges by itself says no.
    Library,
}

reasons! {
    // Join, in order.
    Request "request" "refusal" Refusal;
    Attestor "attestor" "admission" Refusal;
    RoleInvalid "role-invalid" "token" Refusal;
    Csr "csr" "csr" Refusal;
    Claims "claims" "claims" Refusal;
    Seal "seal" "seal" Refusal;
    SealKey "seal-key" "seal" Refusal;
    SealIat "seal-iat" "seal" Refusal;
    SealCsr "seal-csr" "seal" Refusal;
    TokenUnknown "token-unknown" "token" Refusal;
    TokenSecret "token-secret" "token" Refusal;
    SealReplayed "seal-replayed" "seal" Refusal;
    RequestBinding "request-binding" "binding" Refusal;
    TokenRevoked "token-revoked" "token" Refusal;
    TokenExpired "token-expired" "token" Refusal;
    TokenUsed "token-used" "token" Refusal;
    TokenRole "token-role" "token" Refusal;
    Expect "expect" "expect" Refusal;
    PlaceholderHardware "placeholder-hardware" "hardware_key" Refusal;
    Reclaim "reclaim" "reclaim" Refusal;
    PoolAgent "pool-agent" "destination" Refusal;
    PoolTenant "pool-tenant" "destination" Refusal;
    PoolAttestor "pool-attestor" "destination" Refusal;
    // Renew, in order; the node-key reasons are shared with a tpm join.
    CertUnknown "cert-unknown" "renewal" Refusal;
    PopSignature "pop-signature" "renewal" Refusal;
    Identity "identity" "renewal" Refusal;
    CertRevoked "cert-revoked" "renewal" Refusal;
    CertExpired "cert-expired" "renewal" Refusal;
    Generation "generation" "renewal" Refusal;
    NodeRetired "node-retired" "renewal" Refusal;
    Clock "clock" "renewal" Refusal;
    Replay "replay" "renewal" Refusal;
    RenewLimit "renew-limit" "renewal" Refusal;
    KeyAttestationMissing "key-attestation-missing" "renewal" Refusal;
    KeyAttestationAk "key-attestation-ak" "renewal" Refusal;
    NodeKeyEncoding "node-key-encoding" "tpm" Refusal;
    NodeKeySignature "node-key-signature" "tpm" Refusal;
    NodeKeyMagic "node-key-magic" "tpm" Refusal;
    NodeKeyType "node-key-type" "tpm" Refusal;
    NodeKeyExtraData "node-key-extra-data" "tpm" Refusal;
    NodeKeyPublic "node-key-public" "tpm" Refusal;
    NodeKeyName "node-key-name" "tpm" Refusal;
    NodeKeyAttributes "node-key-attributes" "tpm" Refusal;
    // A join with an expired certificate.
    CertNotExpired "cert-not-expired" "x509pop" Refusal;
    Grace "grace" "x509pop" Refusal;
    PopSuperseded "pop-superseded" "x509pop" Refusal;
    PopChain "pop-chain" "x509pop" Refusal;
    // A join with a TPM.
    Ek "ek" "tpm" Refusal;
    AkAttributes "ak-attributes" "tpm" Refusal;
    ChallengeUnknown "challenge-unknown" "tpm" Refusal;
    ChallengeExpired "challenge-expired" "tpm" Refusal;
    ChallengeUsed "challenge-used" "tpm" Refusal;
    ChallengeSecret "challenge-secret" "tpm" Refusal;
    // A join that a person decides, and one that a site agent vouches for.
    RequestRejected "request-rejected" "approval" Refusal;
    ApprovalExpired "approval-expired" "approval" Refusal;
    RequestsFull "requests-full" "approval" Refusal;
    Voucher "voucher" "discovery" Refusal;
    Epoch "epoch" "discovery" Refusal;
    // Words of a library.
    TokenMalformed "token-malformed" "token" Library;
    InvalidArgument "invalid-argument" "token" Library;
    Signature "signature" "signature" Library;
    ResponseMalformed "response-malformed" "response" Library;
    ResponseSignature "response-signature" "response" Library;
    ResponseCsr "response-csr" "response" Library;
    ResponseRequest "response-request" "response" Library;
    ResponseLeafKey "response-leaf-key" "response" Library;
    ResponseSan "response-san" "response" Library;
    ResponseRole "response-role" "response" Library;
    ResponseAttestor "response-attestor" "response" Library;
    ResponseChain "response-chain" "response" Library;
    ResponseValidity "response-validity" "response" Library;
    Document "document" "wellknown" Library;
    PinMalformed "pin-malformed" "config" Library;
    PinMismatch "pin-mismatch" "config" Library;
    Config "config" "config" Library;
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The rows of a table of the page: word, step, last cell, from the table whose head begins so.
    fn page(head: &str) -> BTreeSet<(String, String)> {
        let page = include_str!("../../../docs/spec/13-refusal.md");
        let (_, table) = page.split_once(head).unwrap();
        let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
        rows.map(|row| {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            (cells[1].trim_matches('`').to_owned(), cells[2].to_owned())
        })
        .collect()
    }

    fn ours(table: Table) -> BTreeSet<(String, String)> {
        let reasons = Reason::ALL.iter().filter(|reason| reason.table() == table);
        reasons.map(|reason| (reason.as_str().to_owned(), reason.step().to_owned())).collect()
    }

    #[test]
    fn words_and_steps_are_those_of_the_refusal_page() {
        assert_eq!(ours(Table::Refusal), page("| reason | step |"));
        assert_eq!(ours(Table::Library), page("| word | step |"));
    }

    #[test]
    fn words_are_unique_lower_case_and_dashed() {
        let words: BTreeSet<&str> = Reason::ALL.iter().map(|reason| reason.as_str()).collect();
        assert_eq!(words.len(), Reason::ALL.len());
        for word in words {
            assert!(word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'), "{word}");
        }
    }
}
