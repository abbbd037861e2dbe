//! Identifiers computed from other identifiers: used under `facts` only, never by `kinds` (HARDWARE-KEY-1).
//!
//! Every derivation ties the product UUID to another kind, so the graph of kinds is a star around it: one
//! group holds the UUID and what is tied to it, and every other kind stands alone.

use super::Kind;
use crate::claims::{Claims, Mac, Uuid};

/// The surviving kinds in groups that count once: the connected components of the derivations.
pub(super) fn groups(claims: &Claims, surviving: &[Kind]) -> Vec<Vec<Kind>> {
    let tied = |kind: &Kind| {
        claims.product_uuid.is_some_and(|uuid| match kind {
            Kind::ProductUuid => true,
            Kind::Serial => claims.serials().any(|serial| ties_serial(uuid, serial)),
            Kind::Mac => claims.permanent_macs.iter().any(|mac| ties_mac(uuid, *mac)),
            Kind::GpuUuid => false,
        })
    };
    let (with_uuid, alone): (Vec<Kind>, Vec<Kind>) = surviving.iter().partition(|kind| tied(kind));
    let first = (!with_uuid.is_empty()).then_some(with_uuid);
    first.into_iter().chain(alone.into_iter().map(|kind| vec![kind])).collect()
}

fn ties_serial(uuid: Uuid, serial: &str) -> bool {
    is_dell(uuid, serial) || is_vmware(uuid, serial) || is_uuid_serial(uuid, serial)
}

fn ties_mac(uuid: Uuid, mac: Mac) -> bool {
    [version_1(uuid), ami(uuid)].contains(&Some(mac)) || is_zero_tail(uuid, mac)
}

/// A UUID that spells the service tag after 4c4c4544, "LLED".
fn is_dell(Uuid(b): Uuid, serial: &str) -> bool {
    // HARDWARE-KEY-1, dell: b10 AND 7f, b5, b6, b9, b13, b14, b15 as ASCII, lower-cased.
    let tag = [b[10] & 0x7f, b[5], b[6], b[9], b[13], b[14], b[15]].map(|octet| octet.to_ascii_lowercase());
    b.starts_with(&[0x4c, 0x4c, 0x45, 0x44]) && tag == *serial.as_bytes()
}

/// A serial that spells the UUID: `vmware-56 4d … -b5 33 …`.
fn is_vmware(uuid: Uuid, serial: &str) -> bool {
    // HARDWARE-KEY-1, vmware: 32 digits once blanks and dashes are removed.
    let digits = serial.strip_prefix("vmware-").map(|rest| rest.replace([' ', '-'], ""));
    digits.filter(|digits| digits.len() == 32).is_some_and(|digits| is_uuid_serial(uuid, &digits))
}

/// A serial that is the UUID, in either byte order.
fn is_uuid_serial(uuid: Uuid, serial: &str) -> bool {
    // HARDWARE-KEY-1, uuid-serial.
    Uuid::parse(serial).is_some_and(|serial| serial == uuid || serial == uuid.twin())
}

/// The node of a version-1 UUID (RFC 9562 section 5.1).
fn version_1(Uuid(b): Uuid) -> Option<Mac> {
    // HARDWARE-KEY-1, version-1: high four bits of b6 = 1, high two bits of b8 = 10.
    let [.., m0, m1, m2, m3, m4, m5] = b;
    (b[6] >> 4 == 1 && b[8] >> 6 == 0b10).then_some(Mac([m0, m1, m2, m3, m4, m5]))
}

/// The address that a firmware maker's default interleaves with 03 02 04 05 06 07 00 08 00 09.
fn ami(Uuid(b): Uuid) -> Option<Mac> {
    // HARDWARE-KEY-1, ami.
    let constants = [b[0], b[2], b[4], b[6], b[9], b[11], b[12], b[13], b[14], b[15]];
    let fits = constants == [0x03, 0x02, 0x04, 0x05, 0x06, 0x07, 0x00, 0x08, 0x00, 0x09];
    fits.then_some(Mac([b[3], b[1], b[5], b[7], b[8], b[10]]))
}

/// A UUID that is the address and ten zero octets, in either byte order.
fn is_zero_tail(uuid: Uuid, mac: Mac) -> bool {
    // HARDWARE-KEY-1, zero-tail: b6..b15 are zero; the twin reverses within b0..b5 and leaves the zeros where
    // they are.
    let tail_is_zero = uuid.0.ends_with(&[0; 10]);
    tail_is_zero && [uuid, uuid.twin()].iter().any(|Uuid(b)| b.starts_with(&mac.0))
}
