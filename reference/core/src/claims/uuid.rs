//! UUIDs as machines show them (CLAIMS-2, CLAIMS-7).

use std::fmt;

/// The octets of a UUID in the order of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Uuid(pub [u8; 16]);

impl Uuid {
    /// Reads 32 hexadecimal digits, bare or dashed 8-4-4-4-12, and nothing else (CLAIMS-2). Either case.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let bare = match text.len() {
            32 => text.to_owned(),
            36 => {
                let parts: Vec<&str> = text.split('-').collect();
                // CLAIMS-2: the dashes stand where they belong.
                parts.iter().map(|part| part.len()).eq(FIELDS).then(|| parts.concat())?
            }
            _ => return None,
        };
        hex_octets(&bare).map(Self)
    }

    /// The UUID with the octets of its first three fields (4, 2, 2) reversed: how the other byte order shows
    /// it.
    #[must_use]
    pub fn twin(self) -> Self {
        let [a, b, c, d, e, f, g, h, rest @ ..] = self.0;
        let [i, j, k, l, m, n, o, p] = rest;
        Self([d, c, b, a, f, e, h, g, i, j, k, l, m, n, o, p])
    }
}

/// Dashed, lower case.
impl fmt::Display for Uuid {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, octet) in self.0.iter().enumerate() {
            if matches!(index, 4 | 6 | 8 | 10) {
                formatter.write_str("-")?;
            }
            write!(formatter, "{octet:02x}")?;
        }
        Ok(())
    }
}

/// Reads the UUID of an SMBIOS table by the table's version (DMTF DSP0134, System Information).
#[must_use]
pub fn smbios_uuid(raw: [u8; 16], major: u64, minor: u64) -> Uuid {
    // CLAIMS-7: from 2.6 on the first three fields are little-endian; versions are compared as (major,
    // minor).
    if (major, minor) >= (2, 6) { Uuid(raw).twin() } else { Uuid(raw) }
}

/// Exactly `N` octets of two hexadecimal digits each.
pub(super) fn hex_octets<const N: usize>(digits: &str) -> Option<[u8; N]> {
    let digits = digits.as_bytes();
    let mut octets = [0; N];
    if digits.len() != 2 * N {
        return None;
    }
    for (octet, pair) in octets.iter_mut().zip(digits.chunks_exact(2)) {
        *octet = pair.iter().try_fold(0, |value, digit| Some(value << 4 | nibble(*digit)?))?;
    }
    Some(octets)
}

fn nibble(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

const FIELDS: [usize; 5] = [8, 4, 4, 4, 12];
