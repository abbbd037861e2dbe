//! What can be wrong with a join, in the order of REFUSAL-3.

use serde_json::json;

use super::accepted::five_minutes;
use super::join::{Join, NOW_S, hash_of_another_csr};
use crate::case::NOW;
use crate::testkit::encode::b64u;

/// One fault.
pub(super) struct Fault {
    /// The reason it gives by itself.
    pub(super) reason: &'static str,
    /// The rule it breaks.
    pub(super) rule: &'static str,
    /// The places it changes.
    pub(super) at: &'static [&'static str],
    /// The change in words.
    pub(super) what: &'static str,
    /// The change.
    pub(super) make: fn(&mut Join),
}

/// Every reason that `join.check` can show; `seal-replayed`, `reclaim` and the pool's need a store.
pub(super) const FAULTS: [Fault; 17] = [
    Fault {
        reason: "attestor",
        rule: "ADMISSION-7",
        at: &["/in/request/attestor"],
        what: "the attestor has a name that is not configured",
        make: |join| join.attestor = "tpm2".into(),
    },
    Fault {
        reason: "role-invalid",
        rule: "TOKEN-11",
        at: &["/in/request/role"],
        what: "the role is NODE",
        make: |join| join.role = "NODE".into(),
    },
    Fault {
        reason: "csr",
        rule: "CSR-1",
        at: &["/in/request/csr:trailing", "/in/request/seal:header.csr"],
        what: "two octets follow the CSR, and the seal is made for that",
        make: |join| join.csr_trailing = vec![5, 0],
    },
    Fault {
        reason: "claims",
        rule: "CLAIMS-1",
        at: &["/in/request/claims/hostname"],
        what: "the hostname holds an escape character",
        make: |join| join.claims["hostname"] = b64u("b7\u{1b}u12").into(),
    },
    Fault {
        reason: "seal",
        rule: "SEAL-5",
        at: &["/in/request/seal:header.typ"],
        what: "the seal's typ is JWE",
        make: |join| join.header.push(("typ", "\"JWE\"".into())),
    },
    Fault {
        reason: "seal-key",
        rule: "SEAL-5",
        at: &["/in/request/seal:header.kid"],
        what: "the seal's kid names a key that the server does not hold",
        make: |join| join.header.push(("kid", format!("\"sha256/{}=\"", "A".repeat(43)))),
    },
    Fault {
        reason: "seal-iat",
        rule: "SEAL-4",
        at: &["/in/request/seal:header.iat"],
        what: "the seal is 301 seconds old where 300 are allowed",
        make: |join| (join.iat, join.window) = (NOW_S - 301, Some(five_minutes())),
    },
    Fault {
        reason: "seal-csr",
        rule: "SEAL-3",
        at: &["/in/request/seal:header.csr"],
        what: "the seal is for another CSR",
        make: |join| join.header.push(("csr", hash_of_another_csr())),
    },
    Fault {
        reason: "token-unknown",
        rule: "TOKEN-11",
        at: &["/in/row/id"],
        what: "the row is another token's",
        make: |join| join.row["id"] = "jt_01kdvdna00e008000000000001".into(),
    },
    Fault {
        reason: "token-secret",
        rule: "TOKEN-11",
        at: &["/in/row/secretSha256"],
        what: "the row's hash is another secret's",
        make: |join| join.row["secretSha256"] = b64u([7; 32]).into(),
    },
    Fault {
        reason: "request-binding",
        rule: "BINDING-2",
        at: &["/in/requestBinding"],
        what: "the pool demands a binding, and the CSR has none",
        make: |join| join.request_binding = "required",
    },
    Fault {
        reason: "token-revoked",
        rule: "TOKEN-8",
        at: &["/in/row/revokedAt"],
        what: "the token is revoked",
        make: |join| join.row["revokedAt"] = NOW.into(),
    },
    Fault {
        reason: "token-expired",
        rule: "TIME-2",
        at: &["/in/row/expiresAt"],
        what: "the token has expired, this millisecond",
        make: |join| join.row["expiresAt"] = NOW.into(),
    },
    Fault {
        reason: "token-used",
        rule: "ADMISSION-3",
        at: &["/in/row/usesLeft"],
        what: "the token has no uses left",
        make: |join| join.row["usesLeft"] = 0.into(),
    },
    Fault {
        reason: "token-role",
        rule: "TOKEN-11",
        at: &["/in/row/role"],
        what: "the token is for the role site",
        make: |join| join.row["role"] = "site".into(),
    },
    Fault {
        reason: "expect",
        rule: "EXPECT-3",
        at: &["/in/expect"],
        what: "the token is pinned to another serial",
        make: |join| join.expect = json!({"serial": "cn7220036h04qc"}),
    },
    Fault {
        reason: "placeholder-hardware",
        rule: "HARDWARE-KEY-3",
        at: &["/in/request/claims/productUuid", "/in/request/claims/permanentMacs"],
        what: "the product UUID is all zeros and the MAC is local: one identifier is left",
        make: |join| {
            join.claims["productUuid"] = b64u("00000000-0000-0000-0000-000000000000").into();
            join.claims["permanentMacs"] = json!([b64u("02:00:00:00:00:01")]);
        },
    },
];

impl Fault {
    /// The named choice without which the fault is none.
    pub(super) fn choice(&self) -> Option<(&'static str, &'static str)> {
        match self.reason {
            "seal-iat" => Some(("seal.iat-window", "window")),
            "request-binding" => Some(("request-binding", "checked")),
            _ => None,
        }
    }
}
