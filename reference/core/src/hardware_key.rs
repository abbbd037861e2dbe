//! HARDWARE-KEY (docs/spec/07-hardware_key.md): one key from the identifiers.

use std::collections::BTreeSet;

use crate::choices::{HwkeyIndependence, HwkeySelection};
use crate::claims::Claims;
use crate::hash::sha256;
use crate::reason::Reason;

mod facts;

/// A machine's hardware key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Derived {
    /// The key; `None` when no identifier survived.
    pub key: Option<[u8; 32]>,
    /// Whether at least two independent identifiers survived.
    pub trusted: bool,
}

/// The four kinds of identifiers, in the order in which `stable` considers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    ProductUuid,
    Serial,
    Mac,
    GpuUuid,
}

/// Derives the key from the claims that survived.
#[must_use]
pub fn derive(claims: &Claims, selection: HwkeySelection, independence: HwkeyIndependence) -> Derived {
    // HARDWARE-KEY-1: kinds that count once stand in one group; under `kinds` each stands alone.
    let groups = match independence {
        HwkeyIndependence::Kinds => surviving(claims).into_iter().map(|kind| vec![kind]).collect(),
        HwkeyIndependence::Facts => facts::groups(claims, &surviving(claims)),
    };
    let lines = match selection {
        HwkeySelection::Stable => stable_lines(claims, &taken(&groups)),
        HwkeySelection::All => all_lines(claims),
    };
    // HARDWARE-KEY-1, HARDWARE-KEY-2: the groups alone decide on trust, never the lines.
    Derived { key: key(&lines), trusted: groups.len() >= INDEPENDENT_MIN }
}

/// Judges a token join by the machine's key. Answers whether the key is trusted.
///
/// # Errors
/// `placeholder-hardware` when the identifiers do not suffice and the token is not pinned (HARDWARE-KEY-3).
pub fn admit(claims: &Claims, pinned: bool, independence: HwkeyIndependence) -> Result<bool, Reason> {
    let trusted = derive_for_token(claims, HwkeySelection::Stable, independence).trusted;
    // HARDWARE-KEY-3: with an expect binding the node joins, its key untrusted.
    if trusted || pinned { Ok(trusted) } else { Err(Reason::PlaceholderHardware) }
}

/// Derives the key as a token join has it, also before its token is known.
#[must_use]
pub fn derive_for_token(
    claims: &Claims,
    selection: HwkeySelection,
    independence: HwkeyIndependence,
) -> Derived {
    // HARDWARE-KEY-3: a trusted key, and a product UUID or a serial in it.
    let named = claims.product_uuid.is_some() || claims.serials().next().is_some();
    let derived = derive(claims, selection, independence);
    Derived { trusted: named && derived.trusted, ..derived }
}

/// The kinds of which at least one value survived, in order.
fn surviving(claims: &Claims) -> Vec<Kind> {
    // HARDWARE-KEY-1: three serials are one kind, eight MACs are one kind; the hostname is never one.
    [
        (Kind::ProductUuid, claims.product_uuid.is_some()),
        (Kind::Serial, claims.serials().next().is_some()),
        (Kind::Mac, !claims.permanent_macs.is_empty()),
        (Kind::GpuUuid, !claims.gpu_uuids.is_empty()),
    ]
    .into_iter()
    .filter_map(|(kind, survives)| survives.then_some(kind))
    .collect()
}

/// The kinds that `stable` takes: the first of each group, in order, until two are in.
fn taken(groups: &[Vec<Kind>]) -> Vec<Kind> {
    // HARDWARE-KEY-2: a kind is taken if it is independent of those already taken.
    let firsts: BTreeSet<Kind> = groups.iter().filter_map(|group| group.iter().min().copied()).collect();
    firsts.into_iter().take(INDEPENDENT_MIN).collect()
}

fn stable_lines(claims: &Claims, taken: &[Kind]) -> BTreeSet<String> {
    taken
        .iter()
        .flat_map(|kind| match kind {
            Kind::ProductUuid => lines("product-uuid", claims.product_uuid.iter()),
            // HARDWARE-KEY-2: the first that survives of product, chassis and board.
            Kind::Serial => lines("serial", claims.serials().take(1)),
            Kind::Mac => lines("mac", claims.permanent_macs.iter()),
            Kind::GpuUuid => lines("gpu-uuid", claims.gpu_uuids.iter()),
        })
        .collect()
}

fn all_lines(claims: &Claims) -> BTreeSet<String> {
    // HARDWARE-KEY-2: every surviving identifier, whatever the independence.
    [
        lines("product-uuid", claims.product_uuid.iter()),
        lines("product-serial", claims.product_serial.iter()),
        lines("board-serial", claims.board_serial.iter()),
        lines("chassis-serial", claims.chassis_serial.iter()),
        lines("mac", claims.permanent_macs.iter()),
        lines("gpu-uuid", claims.gpu_uuids.iter()),
    ]
    .concat()
    .into_iter()
    .collect()
}

fn lines<T: std::fmt::Display>(kind: &str, values: impl Iterator<Item = T>) -> Vec<String> {
    values.map(|value| format!("{kind}={value}\n")).collect()
}

/// The key of the lines: a set of texts is sorted by octets and holds each once.
fn key(lines: &BTreeSet<String>) -> Option<[u8; 32]> {
    // HARDWARE-KEY-2: no surviving identifier, no key.
    let hashed = || lines.iter().fold(DOMAIN.to_owned(), |octets, line| octets + line);
    (!lines.is_empty()).then(|| sha256(hashed().as_bytes()))
}

const DOMAIN: &str = "bc-hardware-key-v1\n";
/// Identifiers that make a key trusted (HARDWARE-KEY-1).
const INDEPENDENT_MIN: usize = 2;

#[cfg(test)]
mod tests;
