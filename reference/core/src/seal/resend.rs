//! A seal that has admitted a join, sent again (SEAL-8).

use crate::certificate::Row;
use crate::choices::SealResend;
use crate::claims::Claims;
use crate::decision::Answer;
use crate::reason::Reason;
use crate::rows::Node;
use crate::time::Millis;
use crate::token::Role;

/// What is stored in the admission's transaction: the seal's hash, the request, and the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// SHA-256 of the seal's compact text.
    pub seal_sha256: [u8; 32],
    /// The request that was answered.
    pub request: Sent,
    /// The answer, as it was sent.
    pub answer: Answer,
    /// The node that was admitted.
    pub node_id: String,
    /// The serial of the certificate in the answer.
    pub serial: Vec<u8>,
}

/// A request, as far as equal ones get the stored answer. The attestor is `join-token`: no other has a seal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// SHA-256 of the CSR's octets.
    pub csr_sha256: [u8; 32],
    /// The role asked for.
    pub role: Role,
    /// The claims after CLAIMS.
    pub claims: Claims,
}

/// A stored answer with what it certified.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The stored answer.
    pub answered: &'a Answered,
    /// The certificate in it.
    pub certificate: &'a Row,
    /// Its node.
    pub node: &'a Node,
}

/// Judges a request whose seal has admitted a join, under the token row's lock.
///
/// # Errors
/// `seal-replayed`
pub fn resend<'a>(
    found: &Found<'a>,
    sent: &Sent,
    token_revoked: bool,
    choice: SealResend,
    now: Millis,
) -> Result<&'a Answer, Reason> {
    // SEAL-8: under `refuse` every such request.
    let stored_answer = choice == SealResend::StoredAnswer;
    // SEAL-8: not once the token was revoked, nor for a certificate that is revoked, expired or of an older generation.
    let worth = !token_revoked
        && found.certificate.is_live(now)
        && found.certificate.generation == found.node.generation;
    // SEAL-8: equal is the same CSR octets, attestor, role, and claims after CLAIMS.
    let equal = found.answered.request == *sent;
    if stored_answer && worth && equal { Ok(&found.answered.answer) } else { Err(Reason::SealReplayed) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certificate::Revoked;
    use crate::hardware_key::Derived;
    use crate::x509::fixture::certificate;

    /// The leaf's last second begins here.
    const LAST_S: i64 = 1_767_311_940;

    struct Resend {
        node: Node,
        row: Row,
        sent: Sent,
        token_revoked: bool,
        choice: SealResend,
        now: Millis,
    }

    fn sent() -> Sent {
        Sent { csr_sha256: [1; 32], role: Role::Node, claims: Claims::default() }
    }

    impl Resend {
        fn good() -> Self {
            let row = Row::of_leaf("node_n", 1, &certificate("leaf")).unwrap();
            let node = Node {
                id: "node_n".into(),
                tenant: "ten_t".into(),
                pool_id: "pool_p".into(),
                site_id: "site_s".into(),
                kind: Role::Node,
                certificate_role: row.role,
                generation: 1,
                retired: false,
                claims: Claims::default(),
                hardware_key: Derived { key: None, trusted: false },
                tenant_owned: false,
                queued: false,
                token_id: None,
            };
            let now = Millis(LAST_S * 1000 + 999);
            Self { node, row, sent: sent(), token_revoked: false, choice: SealResend::StoredAnswer, now }
        }

        fn judge(&self) -> Result<Vec<u8>, Reason> {
            let answered = Answered {
                seal_sha256: [2; 32],
                request: sent(),
                answer: Answer { body: vec![7], sig: vec![8], signing_key: vec![9] },
                node_id: "node_n".into(),
                serial: self.row.serial.clone(),
            };
            let found = Found { answered: &answered, certificate: &self.row, node: &self.node };
            let answer = resend(&found, &self.sent, self.token_revoked, self.choice, self.now)?;
            assert_eq!((answer.sig.as_slice(), answer.signing_key.as_slice()), (&[8][..], &[9][..]));
            Ok(answer.body.clone())
        }
    }

    #[test]
    fn an_equal_request_gets_the_stored_answer_to_the_last_millisecond_of_its_certificate() {
        assert_eq!(Resend::good().judge(), Ok(vec![7]));
        let late = Resend { now: Millis((LAST_S + 1) * 1000), ..Resend::good() };
        assert_eq!(late.judge(), Err(Reason::SealReplayed));
    }

    #[test]
    fn anything_else_is_replayed() {
        let revoked = Some(Revoked { at: Millis(0), reason: "retired".into() });
        let hostname = Claims { hostname: Some("x".into()), ..Claims::default() };
        let good = Resend::good;
        for (what, changed) in [
            ("choice", Resend { choice: SealResend::Refuse, ..good() }),
            ("token", Resend { token_revoked: true, ..good() }),
            ("certificate", Resend { row: Row { revoked, ..good().row }, ..good() }),
            ("generation", Resend { node: Node { generation: 2, ..good().node }, ..good() }),
            ("csr", Resend { sent: Sent { csr_sha256: [3; 32], ..sent() }, ..good() }),
            ("role", Resend { sent: Sent { role: Role::Site, ..sent() }, ..good() }),
            ("claims", Resend { sent: Sent { claims: hostname.clone(), ..sent() }, ..good() }),
        ] {
            assert_eq!(changed.judge(), Err(Reason::SealReplayed), "{what}");
        }
    }
}
