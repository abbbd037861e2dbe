//! The proof that a caller holds a node's current key, for renewals and for joins with an expired certificate.

use super::memory::{Proof, Purpose};
use crate::certificate::Row;
use crate::limits::RENEW_SKEW_MS;
use crate::reason::Reason;
use crate::rows::Node;
use crate::signature::{self, RenewPop, X509Pop};
use crate::time::Millis;

/// Witness: the caller holds the key of this node's certificate. Only [`prove_key`] makes one.
#[derive(Clone, Copy, Debug)]
pub struct CurrentKeyProven<'r> {
    row: &'r Row,
    node: &'r Node,
    proof: Proof,
}

impl<'r> CurrentKeyProven<'r> {
    /// The certificate.
    #[must_use]
    pub fn row(&self) -> &'r Row {
        self.row
    }

    /// The node.
    #[must_use]
    pub fn node(&self) -> &'r Node {
        self.node
    }

    /// What was signed.
    #[must_use]
    pub fn proof(&self) -> Proof {
        self.proof
    }
}

/// Verifies the proof of a presented leaf.
///
/// # Errors
/// In this order: `cert-unknown`, `pop-signature`.
pub fn prove_key<'r>(
    leaf: Option<&[u8]>,
    row: Option<&'r Row>,
    node: Option<&'r Node>,
    proof: Proof,
    pop_sig: &[u8],
) -> Result<CurrentKeyProven<'r>, Reason> {
    // RENEWAL-2, X509POP-4: byte for byte a row; an empty chain is no row.
    let row = row.filter(|row| leaf == Some(&row.der)).ok_or(Reason::CertUnknown)?;
    let node = node.filter(|node| node.id == row.node_id).ok_or(Reason::CertUnknown)?;
    let Proof { purpose, csr_sha256, client_time_ms } = proof;
    // RENEWAL-1, X509POP-1: over the CSR's hash, the node id of the leaf's row, and the client time.
    let (csr_sha256, node_id) = (&csr_sha256, row.node_id.as_str());
    let message = match purpose {
        Purpose::Renew => RenewPop { csr_sha256, node_id, client_time_ms }.to_be_signed(),
        Purpose::X509Pop => X509Pop { csr_sha256, node_id, client_time_ms }.to_be_signed(),
    };
    let key = row.public_key().ok_or(Reason::PopSignature)?;
    signature::verify(&key, &message, pop_sig).map_err(|_| Reason::PopSignature)?;
    Ok(CurrentKeyProven { row, node, proof })
}

/// Compares the client's clock with the server's.
///
/// # Errors
/// `clock`
pub fn check_clock(client_time_ms: i64, now: Millis) -> Result<(), Reason> {
    // RENEWAL-3: |now − client_time| ≤ 60000 ms, both ends included.
    if now.0.abs_diff(client_time_ms) <= RENEW_SKEW_MS { Ok(()) } else { Err(Reason::Clock) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_the_clocks_window_are_inside() {
        for (client, now, verdict) in [
            (100_000, 40_000, Ok(())),
            (100_000, 39_999, Err(Reason::Clock)),
            (100_000, 160_000, Ok(())),
            (100_000, 160_001, Err(Reason::Clock)),
            (i64::MIN, i64::MAX, Err(Reason::Clock)),
            (i64::MAX, i64::MIN, Err(Reason::Clock)),
        ] {
            assert_eq!(check_clock(client, Millis(now)), verdict, "{client} {now}");
        }
    }
}
