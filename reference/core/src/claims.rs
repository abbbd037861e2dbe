//! CLAIMS (docs/spec/06-claims.md): the machine's identifiers, normalized.
//!
//! ```text
//! Raw (octets as sent) ──normalize──▶ Claims (texts, placeholders dropped, lists as sets)
//! ```

use std::collections::BTreeSet;

use crate::limits::{CLAIMS_MAX_GPUS, CLAIMS_MAX_MACS};
use crate::reason::Reason;

mod mac;
mod placeholders;
mod text;
mod uuid;

pub use mac::Mac;
pub use uuid::{Uuid, smbios_uuid};

/// The claims as a machine sent them. Empty octets are an absent claim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Raw {
    /// SMBIOS system UUID.
    pub product_uuid: Vec<u8>,
    /// SMBIOS system serial.
    pub product_serial: Vec<u8>,
    /// SMBIOS baseboard serial.
    pub board_serial: Vec<u8>,
    /// SMBIOS chassis serial.
    pub chassis_serial: Vec<u8>,
    /// The machine's name; it identifies nothing.
    pub hostname: Vec<u8>,
    /// Permanent addresses of physical NICs.
    pub permanent_macs: Vec<Vec<u8>>,
    /// UUIDs of GPUs.
    pub gpu_uuids: Vec<Vec<u8>>,
}

/// The claims that survive: normalized, placeholders dropped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    /// Product UUID.
    pub product_uuid: Option<Uuid>,
    /// Product serial.
    pub product_serial: Option<String>,
    /// Board serial.
    pub board_serial: Option<String>,
    /// Chassis serial.
    pub chassis_serial: Option<String>,
    /// Hostname.
    pub hostname: Option<String>,
    /// MACs, a set.
    pub permanent_macs: BTreeSet<Mac>,
    /// GPU UUIDs, a set.
    pub gpu_uuids: BTreeSet<String>,
}

impl Claims {
    /// The serials that survive, in the order product, chassis, board (HARDWARE-KEY-2).
    pub fn serials(&self) -> impl Iterator<Item = &str> {
        [&self.product_serial, &self.chassis_serial, &self.board_serial]
            .into_iter()
            .filter_map(Option::as_deref)
    }
}

/// Normalizes the claims of a request.
///
/// # Errors
/// `claims` when there are too many entries, a value is too long or not UTF-8, or a control character is left
/// (CLAIMS-1).
pub fn normalize(raw: &Raw) -> Result<Claims, Reason> {
    // CLAIMS-1: entries are counted as sent.
    if raw.permanent_macs.len() > CLAIMS_MAX_MACS || raw.gpu_uuids.len() > CLAIMS_MAX_GPUS {
        return Err(Reason::Claims);
    }
    Ok(Claims {
        product_uuid: product_uuid(&raw.product_uuid)?,
        product_serial: serial(&raw.product_serial)?,
        board_serial: serial(&raw.board_serial)?,
        chassis_serial: serial(&raw.chassis_serial)?,
        // CLAIMS-5: a hostname is never a placeholder.
        hostname: text::normalize(&raw.hostname)?,
        // CLAIMS-6: lists are sets.
        permanent_macs: set(&raw.permanent_macs, mac)?,
        gpu_uuids: set(&raw.gpu_uuids, gpu_uuid)?,
    })
}

/// A product UUID; absent when it does not parse or is a placeholder.
///
/// # Errors
/// `claims` (CLAIMS-1).
pub fn product_uuid(raw: &[u8]) -> Result<Option<Uuid>, Reason> {
    let text = text::normalize(raw)?;
    // CLAIMS-2: what does not parse is absent, not an error.
    Ok(text.and_then(|text| Uuid::parse(&text)).filter(|uuid| !placeholders::is_uuid(*uuid)))
}

/// A serial; absent when it is a placeholder.
///
/// # Errors
/// `claims` (CLAIMS-1).
pub fn serial(raw: &[u8]) -> Result<Option<String>, Reason> {
    Ok(text::normalize(raw)?.filter(|text| !placeholders::is_text(text)))
}

/// A MAC; absent when it does not parse, is no permanent global address, or is a placeholder.
///
/// # Errors
/// `claims` (CLAIMS-1).
pub fn mac(raw: &[u8]) -> Result<Option<Mac>, Reason> {
    let text = text::normalize(raw)?;
    // CLAIMS-3: dropped, never an error.
    let mac = text.and_then(|text| Mac::parse(&text)).filter(|mac| mac.is_hardware());
    Ok(mac.filter(|mac| !placeholders::is_mac(*mac)))
}

/// A GPU's UUID; absent when it names a slice or is a placeholder.
///
/// # Errors
/// `claims` (CLAIMS-1).
pub fn gpu_uuid(raw: &[u8]) -> Result<Option<String>, Reason> {
    let text = text::normalize(raw)?;
    // CLAIMS-4: a slice is not hardware; any other value is kept as text.
    Ok(text.filter(|text| !text.starts_with("mig-") && !placeholders::is_gpu(text)))
}

fn set<T: Ord>(
    raw: &[Vec<u8>],
    normalize: impl Fn(&[u8]) -> Result<Option<T>, Reason>,
) -> Result<BTreeSet<T>, Reason> {
    raw.iter().filter_map(|value| normalize(value).transpose()).collect()
}

#[cfg(test)]
mod tests;
