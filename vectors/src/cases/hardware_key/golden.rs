//! The key's octets under declared choices, each computed with Python's hashlib from those lines.

use serde_json::{Value, json};

use super::{GPU, GPU_2, MAC, MAC_2, UUID, good, keys, machine, sets};
use crate::case::Entry;

pub(super) fn entries() -> Vec<Entry> {
    vec![stable(), all(), dell_kinds(), dell_facts(), both_tied()]
}

fn golden(entry: Entry, name: &str, set: Value, octets: &str, trusted: bool) -> Entry {
    entry.row(name, sets(&[set]), keys(&[json!({"key": octets, "trusted": trusted})]))
}

fn family(id: &str, title: &str) -> Entry {
    good(id, "HARDWARE-KEY-2", title)
        .why("A deployment whose replicas are different implementations must find its nodes with either.")
}

/// The machine of the spec's example.
fn example() -> Value {
    json!({
        "productUuid": UUID,
        "productSerial": "SN-7701",
        "boardSerial": "CN7220036H04QB",
        "permanentMacs": [MAC],
        "gpuUuids": [GPU],
    })
}

fn board_and_gpus() -> Value {
    json!({"boardSerial": "CN7220036H04QB", "gpuUuids": [GPU, GPU_2]})
}

fn chassis_and_board() -> Value {
    json!({"chassisSerial": "CH-3301", "boardSerial": "CN7220036H04QB", "permanentMacs": [MAC]})
}

fn one_serial_thrice() -> Value {
    json!({"productSerial": "ABC1", "boardSerial": "abc1", "chassisSerial": "ABC1 ", "permanentMacs": [MAC]})
}

fn cards() -> Value {
    json!({"permanentMacs": [MAC, MAC_2], "gpuUuids": [GPU, GPU_2]})
}

fn umlauts() -> Value {
    json!({"productSerial": "ÄÖÜ-7701  K"})
}

fn stable() -> Entry {
    let entry = family("hardware_key/golden-stable", "The key's octets under stable.")
        .choice("hwkey.selection", "stable");
    // product-uuid=d2a64d56-0617-4363-9c0e-5a1b7e3f2a10, serial=sn-7701
    let two_lines = "-6bNPq03eFQg7xyHcbNGdy5O0ydlYVIZk71te8-xyMo";
    let entry = golden(entry, "example", example(), two_lines, true);
    let entry = golden(entry, "full", machine(), two_lines, true);
    // product-uuid, mac=3c:ec:ef:12:34:56, mac=94:de:80:06:f8:d5
    let set = json!({"productUuid": UUID, "permanentMacs": [MAC, MAC_2]});
    let entry = golden(entry, "uuid-and-macs", set, "t_LORXR2-sIYvYyh_J7euvP80eIWei4ylAVGYJVBKRg", true);
    // gpu-uuid twice, serial=cn7220036h04qb
    let entry = golden(
        entry,
        "board-serial-and-gpus",
        board_and_gpus(),
        "yFoCV5gVzidadRV6FvT4VKGSUUpu0SAkMSxpohIEfZQ",
        true,
    );
    // mac=94:de:80:06:f8:d5, serial=ch-3301
    let entry = golden(
        entry,
        "chassis-serial-first",
        chassis_and_board(),
        "jCOXBiZfPzeoKFkkgJscdDjBZHNNFNXp09CBpZGAehM",
        true,
    );
    // mac=94:de:80:06:f8:d5, serial=abc1
    let entry = golden(
        entry,
        "one-serial-thrice",
        one_serial_thrice(),
        "UQMCnZPWlOO_w38s2zFC9WozBBIzs8-8CLUFO_G7CgI",
        true,
    );
    // gpu-uuid twice, mac twice
    let entry = golden(entry, "cards", cards(), "5AqOLrwS-JD_igeTonmCn2NEJlSGDvIkB7nLdQsNlTY", true);
    // product-uuid alone
    let set = json!({"productUuid": UUID});
    let entry = golden(entry, "uuid-alone", set, "VMHsELkppmie0oZqRIJds7fWXG46YgYZntM60fJgiUc", false);
    // serial=ÄÖÜ-7701 k
    golden(entry, "not-ascii", umlauts(), "EeMRaBrk2zCmDyAHBz5bUqMOUWjGWGRj4BPzFl6rs-M", false)
}

fn all() -> Entry {
    let entry =
        family("hardware_key/golden-all", "The key's octets under all.").choice("hwkey.selection", "all");
    // board-serial, gpu-uuid, mac, product-serial, product-uuid
    let entry = golden(entry, "example", example(), "N1in81nWwWhUUpIjjbQUcfjp3hRum15xPjYr3kPSiA8", true);
    // the same, chassis-serial=ch-3301 and the second MAC and GPU
    let entry = golden(entry, "full", machine(), "2h9nx3FUeSp1dUlOfjrmI6FbvPMi84cn7G9U85RI1M8", true);
    // board-serial=cn7220036h04qb, gpu-uuid twice
    let entry = golden(
        entry,
        "board-serial-and-gpus",
        board_and_gpus(),
        "v4w22faCgwO2iO_yuKUqPW4p1tG9Xfht20wuXsRxwpk",
        true,
    );
    // board-serial=cn7220036h04qb, chassis-serial=ch-3301, mac
    let entry = golden(
        entry,
        "chassis-and-board-serial",
        chassis_and_board(),
        "SNcrWV_EAZsEqCxBNGYZc2YchW6vTf9zlbpZBzt333Y",
        true,
    );
    // board-serial=abc1, chassis-serial=abc1, mac, product-serial=abc1
    let entry = golden(
        entry,
        "one-serial-thrice",
        one_serial_thrice(),
        "0acdgzjhy1QAo_sAYhUIWU2VQb95Tucz6z0i8-CP0Ts",
        true,
    );
    // gpu-uuid twice, mac twice
    let entry = golden(entry, "cards", cards(), "5AqOLrwS-JD_igeTonmCn2NEJlSGDvIkB7nLdQsNlTY", true);
    // product-serial=ÄÖÜ-7701 k
    golden(entry, "not-ascii", umlauts(), "ZaCkyqIcc0UKE_9umvr6trD-iD3DDvJTJBKIFEoSQNw", false)
}

fn dell() -> Value {
    json!({"productUuid": "4C4C4544-0051-3410-8051-B5C04F375931", "productSerial": "5Q4Q7Y1"})
}

fn dell_kinds() -> Entry {
    let entry =
        family("hardware_key/golden-dell-kinds", "The key's octets of a Dell under kinds and stable.")
            .choice("hwkey.independence", "kinds")
            .choice("hwkey.selection", "stable");
    // product-uuid, serial=5q4q7y1
    golden(entry, "uuid-and-tag", dell(), "p-MgzInCvtnlm-ukc0ODKL3WWpuTspi05soWQkKZcjQ", true)
}

fn dell_facts() -> Entry {
    let entry =
        family("hardware_key/golden-dell-facts", "The key's octets of a Dell under facts and stable.")
            .choice("hwkey.independence", "facts")
            .choice("hwkey.selection", "stable");
    // product-uuid
    let entry = golden(entry, "uuid-and-tag", dell(), "ug067OBkPQ2alKUrZb0O4us4ZzB0ScrHscKGfgrcSR4", false);
    // mac=94:de:80:06:f8:d5, product-uuid
    let set = super::also(dell(), json!({"permanentMacs": [MAC]}));
    golden(entry, "uuid-tag-and-mac", set, "n2AceNP8mhyEnvPOuKySftPjRw6ZoYD6OlTKgD42cuY", true)
}

fn both_tied() -> Entry {
    let uuid = "6BA7B810-9DAD-11D1-80B4-00C04FD430C8";
    let entry = family(
        "hardware_key/golden-both-tied-facts",
        "The key's octets where serial and MAC are passed over.",
    )
    .choice("hwkey.independence", "facts")
    .choice("hwkey.selection", "stable");
    // gpu-uuid=gpu-41255406-c9af-f94b-4ebf-9d57ad1853da, product-uuid
    let set = json!({
        "productUuid": uuid,
        "productSerial": uuid,
        "permanentMacs": ["00:C0:4F:D4:30:C8"],
        "gpuUuids": [GPU],
    });
    golden(entry, "version-1", set, "G0Hr7Ng1FtrymvU3DrgoKPeEBT09wd6wPJPImTWQWIg", true)
}
