//! Ethernet addresses (CLAIMS-3).

use std::fmt;

use super::uuid::hex_octets;

/// A 48-bit address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mac(pub [u8; 6]);

impl Mac {
    /// Reads six octets with `:` or with `-` between all, `aabb.ccdd.eeff`, or 12 bare digits (CLAIMS-3).
    /// Either case.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        // CLAIMS-3: one kind of separator, two digits an octet; 20 octets do not parse, so nothing is
        // truncated.
        let (separator, count, width) = match text.len() {
            12 => return hex_octets(text).map(Self),
            14 => ('.', 3, 4),
            17 if text.contains(':') => (':', 6, 2),
            17 => ('-', 6, 2),
            _ => return None,
        };
        let parts: Vec<&str> = text.split(separator).collect();
        let fits = parts.len() == count && parts.iter().all(|part| part.len() == width);
        fits.then(|| hex_octets(&parts.concat()).map(Self)).flatten()
    }

    /// Whether the address may be a NIC's own: neither group nor local, not all zero, not six equal octets.
    #[must_use]
    pub fn is_hardware(self) -> bool {
        // CLAIMS-3: the bits of IEEE 802 in the first octet; all zero is six equal octets too.
        let [first, rest @ ..] = self.0;
        first & (GROUP | LOCAL) == 0 && rest.iter().any(|octet| *octet != first)
    }
}

/// Lower case with colons.
impl fmt::Display for Mac {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e, f] = self.0;
        write!(formatter, "{a:02x}:{b:02x}:{c:02x}:{d:02x}:{e:02x}:{f:02x}")
    }
}

const GROUP: u8 = 0x01;
const LOCAL: u8 = 0x02;
