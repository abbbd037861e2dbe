//! Near misses of placeholders: real values that a loose filter would eat.

use super::{good, singles, texts};
use crate::case::Entry;

pub(super) fn entries() -> Vec<Entry> {
    vec![serials(), numbers(), uuids(), macs(), gpus()]
}

/// Rows in which the value is already in its normal form and stays.
fn stay<'a>(values: &[&'a str]) -> Vec<(&'a str, &'a [u8], Option<&'a str>)> {
    values.iter().map(|value| (*value, value.as_bytes(), Some(*value))).collect()
}

fn serials() -> Entry {
    let entry = good(
        "claims/survivor-serials",
        "CLAIMS-5",
        "A serial that contains or begins with a placeholder is kept.",
    )
    .why("A published blacklist with unanchored patterns throws real serials away.");
    texts(
        entry,
        "productSerial",
        &stay(&[
            "cn1234.5",
            "eval7",
            "nonex01",
            "none-1",
            "xnone",
            "default string 2",
            "default-string",
            "my default string",
            "system serial number 7701",
            "to be filled by o.e.m. 1",
            "to-be-filled-by-oem",
            "sn-123456",
            "sn-12345-6",
            "sn12345",
            "sys-12345678901",
            "5ekpm18320000398",
            "na",
            "n/a/n",
            "pcie22",
            "empty1",
            "unknown7",
            "(null string",
            "serial number xxxxxxx",
            "03000200-0400-0500-0006-000700080009",
            "00000000-0000-0000-0000-000000000000",
        ]),
    )
}

fn numbers() -> Entry {
    let entry = good(
        "claims/survivor-numbers",
        "CLAIMS-5",
        "A number that is not on the list, digit for digit, is kept.",
    )
    .why("Dots and blanks are folded for texts only; folded in numbers they would eat serials of digits.");
    texts(
        entry,
        "chassisSerial",
        &stay(&[
            "1234.5",
            "1.2345",
            "12345.",
            "123 45",
            "12_345",
            "1234",
            "012345",
            "123450",
            "12345-6",
            "01234567890",
            "12345678901",
            "1234567891",
            "000000001",
            "10000000",
            "20",
            "-2",
        ]),
    )
}

fn uuids() -> Entry {
    let entry = good("claims/survivor-uuids", "CLAIMS-5", "A UUID one digit off a placeholder is kept.")
        .why("Some boards write their MAC into the default UUID: those are unique and must stay.");
    texts(
        entry,
        "productUuid",
        &stay(&[
            "03000200-0400-0500-0006-000700080008",
            "13000200-0400-0500-0006-000700080009",
            "00020003-0004-0005-0006-000700080019",
            "03de0294-0480-0506-f806-d50700080009",
            "03d40274-0435-05dc-8506-010700080009",
            "9c6b0076-9cc4-0000-0000-000000000000",
            "4c4c4544-0051-3410-8051-b5c04f375931",
            "ffffff01-ffff-ffff-ffff-ffffffffffff",
            "00000000-0000-0000-0001-000000000000",
            "00000001-0000-0000-0000-000000000000",
            "12345678-1234-5678-90ab-cddeefaabbcd",
            "00010203-0405-0607-0809-0a0b0c0d0e10",
            "deadbeef-dead-beef-dead-beefdeadbeee",
            "8a95d198-7f46-11e5-bf8b-08002704d48f",
            "09000800-0700-0600-0005-000400020003",
        ]),
    )
}

fn macs() -> Entry {
    let entry = good("claims/survivor-macs", "CLAIMS-5", "A MAC one bit or octet off a listed one is kept.")
        .why("The vendors of listed addresses make real ports too.");
    singles(
        entry,
        "permanentMacs",
        &stay(&[
            "00:50:56:c1:00:01",
            "00:50:56:bf:00:01",
            "00:50:57:c0:00:01",
            "20:41:53:59:4e:fe",
            "50:50:54:50:30:31",
            "24:b6:20:52:41:54",
            "00:a0:c6:00:00:01",
            "00:0b:ca:fe:00:01",
            "00:1a:7d:da:71:0b",
        ]),
    )
}

fn gpus() -> Entry {
    let entry = good(
        "claims/survivor-gpus",
        "CLAIMS-5",
        "A GPU value one digit off a placeholder, or with gpu- twice, is kept.",
    )
    .why("Only one leading gpu- is left out, and only for the test.");
    singles(
        entry,
        "gpuUuids",
        &stay(&[
            "gpu-03000200-0400-0500-0006-000700080008",
            "gpu-gpu-00000000-0000-0000-0000-000000000000",
            "gpu-none-1",
            "gpu-12345.",
            "gpu-00000000-0000-0000-0001-000000000000",
            "gpu",
        ]),
    )
}
