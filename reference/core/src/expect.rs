//! EXPECT (docs/spec/08-expect.md): a token pinned to a machine.

use crate::claims::{self, Claims};
use crate::reason::Reason;

/// The identifiers that a token names. An absent one is not looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expect {
    /// Product UUID.
    pub product_uuid: Option<String>,
    /// Product, board or chassis serial.
    pub serial: Option<String>,
    /// A MAC.
    pub mac: Option<String>,
    /// A GPU's UUID.
    pub gpu_uuid: Option<String>,
}

impl Expect {
    /// The binding with normalized values. `None` when it names nothing, or when a value that it names
    /// normalizes to nothing (TOKEN-9).
    #[must_use]
    pub fn normalized(&self) -> Option<Self> {
        let normalized = Self {
            product_uuid: named(self.product_uuid.as_ref(), claims::product_uuid)?,
            serial: named(self.serial.as_ref(), claims::serial)?,
            mac: named(self.mac.as_ref(), claims::mac)?,
            gpu_uuid: named(self.gpu_uuid.as_ref(), claims::gpu_uuid)?,
        };
        (normalized != Self::default()).then_some(normalized)
    }
}

/// Compares a token's binding with the machine's claims. Nothing is consumed here, so a mismatch consumes
/// nothing.
///
/// # Errors
/// `expect` when an identifier named is not among the claims (EXPECT-1, EXPECT-3).
pub fn check(expect: &Expect, claims: &Claims) -> Result<(), Reason> {
    // EXPECT-1: a binding without a member is none, and every machine matches.
    if *expect == Expect::default() {
        return Ok(());
    }
    // EXPECT-2: no placeholder of any kind ever matches, also when a row holds one.
    let expect = expect.normalized().ok_or(Reason::Expect)?;
    let product_uuid = claims.product_uuid.map(|uuid| uuid.to_string());
    // EXPECT-1, EXPECT-2: all that are named match, each by equality of the whole normalized value.
    let matches = is_among(expect.product_uuid.as_deref(), |named| product_uuid.as_deref() == Some(named))
        && is_among(expect.serial.as_deref(), |named| claims.serials().any(|serial| serial == named))
        && is_among(expect.mac.as_deref(), |named| {
            claims.permanent_macs.iter().any(|mac| mac.to_string() == named)
        })
        && is_among(expect.gpu_uuid.as_deref(), |named| claims.gpu_uuids.contains(named));
    // EXPECT-3: the reason.
    matches.then_some(()).ok_or(Reason::Expect)
}

fn is_among(named: Option<&str>, claimed: impl Fn(&str) -> bool) -> bool {
    named.is_none_or(claimed)
}

/// A value that is not named stays so; one that is named must survive.
fn named<T: ToString>(
    value: Option<&String>,
    normalize: impl Fn(&[u8]) -> Result<Option<T>, Reason>,
) -> Option<Option<String>> {
    value.map_or(Some(None), |value| normalize(value.as_bytes()).ok()?.map(|kept| Some(kept.to_string())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::{Raw, normalize};

    fn serial(text: &str) -> Expect {
        Expect { serial: Some(text.to_owned()), ..Expect::default() }
    }

    fn machine() -> Claims {
        normalize(&Raw {
            product_uuid: b"B69D3A64-898C-11E1-BBA0-8CCB39332B00".to_vec(),
            product_serial: b"P-1".to_vec(),
            board_serial: b"SN-7701 ".to_vec(),
            chassis_serial: b"To Be Filled By O.E.M.".to_vec(),
            permanent_macs: vec![b"3c:ec:ef:12:34:56".to_vec(), b"3c:ec:ef:12:34:57".to_vec()],
            gpu_uuids: vec![b"GPU-41255406-C9AF-F94B-4EBF-9D57AD1853DA".to_vec()],
            ..Raw::default()
        })
        .unwrap()
    }

    #[test]
    fn every_identifier_named_must_be_claimed() {
        let all = Expect {
            product_uuid: Some("b69d3a64898c11e1bba08ccb39332b00".to_owned()),
            serial: Some("sn-7701".to_owned()),
            mac: Some("3C-EC-EF-12-34-57".to_owned()),
            gpu_uuid: Some("GPU-41255406-c9af-f94b-4ebf-9d57ad1853da".to_owned()),
        };
        assert_eq!(check(&all, &machine()), Ok(()));
        let one_wrong = [
            Expect { product_uuid: Some("643a9db6-8c89-e111-bba0-8ccb39332b00".to_owned()), ..all.clone() },
            Expect { serial: Some("sn-7702".to_owned()), ..all.clone() },
            Expect { mac: Some("3c:ec:ef:12:34:58".to_owned()), ..all.clone() },
            Expect { gpu_uuid: Some("41255406-c9af-f94b-4ebf-9d57ad1853da".to_owned()), ..all },
        ];
        for expect in one_wrong {
            assert_eq!(check(&expect, &machine()), Err(Reason::Expect), "{expect:?}");
        }
    }

    #[test]
    fn a_serial_matches_whole_and_in_any_of_the_three() {
        assert_eq!(check(&serial("P-1"), &machine()), Ok(()));
        assert_eq!(check(&serial(" SN-7701"), &machine()), Ok(()));
        for bad in ["SN-770", "SN-77010", "/SN-7701/", "7701"] {
            assert_eq!(check(&serial(bad), &machine()), Err(Reason::Expect), "{bad}");
        }
    }

    #[test]
    fn a_placeholder_matches_nothing_on_either_side() {
        for bad in ["To Be Filled By O.E.M.", "", "\u{0}", "a\u{1}b"] {
            assert_eq!(check(&serial(bad), &machine()), Err(Reason::Expect), "{bad:?}");
        }
        assert_eq!(check(&serial("sn-7701"), &Claims::default()), Err(Reason::Expect));
    }

    #[test]
    fn without_a_binding_every_machine_matches() {
        assert_eq!(check(&Expect::default(), &Claims::default()), Ok(()));
    }
}
