//! The UUID of an SMBIOS table, by the table's version (DMTF DSP0134, System Information, UUID).

use serde_json::{Value, json};

use crate::case::{Entry, accept};
use crate::testkit::encode::b64u;

const RAW: [u8; 16] =
    [0x56, 0x4d, 0xa6, 0xd2, 0x17, 0x06, 0x63, 0x43, 0xdc, 0x2d, 0x99, 0x59, 0xb5, 0x33, 0xa7, 0xb3];
const IN_ORDER: &str = "564da6d2-1706-6343-dc2d-9959b533a7b3";
const SWAPPED: &str = "d2a64d56-0617-4363-dc2d-9959b533a7b3";
const RECIPE: &str =
    "A type 1 structure with these octets at offset 8, under an entry point of this version.";

pub(super) fn entries() -> Vec<Entry> {
    vec![before(), from(), untouched()]
}

fn family(id: &str, title: &str) -> Entry {
    accept(id, "CLAIMS-7", title).family("smbios.uuid").recipe(RECIPE)
}

fn table(raw: [u8; 16], major: u32, minor: u32) -> Value {
    json!({"raw": b64u(raw), "version": {"major": major, "minor": minor}})
}

fn versions(entry: Entry, uuid: &str, versions: &[(u32, u32)]) -> Entry {
    versions.iter().fold(entry, |entry, &(major, minor)| {
        entry.row(&format!("{major}.{minor}"), table(RAW, major, minor), json!({ "uuid": uuid }))
    })
}

fn before() -> Entry {
    let entry = family("claims/smbios-before-2.6", "Before 2.6 all sixteen octets stand in order.")
        .why("A library that always swaps gives old boards another UUID than their label.");
    versions(entry, IN_ORDER, &[(2, 0), (2, 4), (2, 5), (1, 9), (1, 16)])
}

fn from() -> Entry {
    let entry = family("claims/smbios-from-2.6", "From 2.6 on the first three fields are little-endian.")
        .why("Versions are pairs: 3.0 and 2.10 are later than 2.6, not so as text or fraction.");
    versions(entry, SWAPPED, &[(2, 6), (2, 7), (2, 8), (2, 10), (3, 0), (3, 1), (3, 5)])
}

fn untouched() -> Entry {
    let zero = "00000000-0000-0000-0000-000000000000";
    let ones = "ffffffff-ffff-ffff-ffff-ffffffffffff";
    let dell =
        [0x44, 0x45, 0x4c, 0x4c, 0x51, 0x00, 0x10, 0x34, 0x80, 0x51, 0xb5, 0xc0, 0x4f, 0x37, 0x59, 0x31];
    family("claims/smbios-text", "The result is the dashed lower-case text of the octets, whatever they are.")
        .why("Whether it is a placeholder is the server's question.")
        .row("zero", table([0; 16], 2, 8), json!({ "uuid": zero }))
        .row("ones", table([0xff; 16], 2, 4), json!({ "uuid": ones }))
        .row("dell", table(dell, 2, 8), json!({"uuid": "4c4c4544-0051-3410-8051-b5c04f375931"}))
        .row("dell-old", table(dell, 2, 5), json!({"uuid": "44454c4c-5100-1034-8051-b5c04f375931"}))
}
