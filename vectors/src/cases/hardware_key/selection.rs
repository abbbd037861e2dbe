//! Which identifiers enter the hash: what a new card, a lost card or a new board does under each value.

use serde_json::{Value, json};

use super::{GPU, MAC, MAC_2, UUID, also, good, key, keys, machine, sets};
use crate::case::Entry;

const CHOICE: &str = "hwkey.selection";
const NIC: &str = "00:1B:21:AA:00:02";
const NEW_UUID: &str = "7F3E2A10-5A1B-4C0E-8363-0617D2A64D56";

pub(super) fn entries() -> Vec<Entry> {
    vec![
        parts_stable(),
        parts_all(),
        board_stable(),
        board_all(),
        no_serial_stable(),
        no_uuid_stable(),
        serial_place_stable(),
        serial_place_all(),
        board_serial_only(),
    ]
}

/// A row of two sets: before and after a change, both trusted.
fn change(entry: Entry, name: &str, before: Value, after: Value, same: bool) -> Entry {
    let group = if same { "a" } else { "b" };
    entry.row(name, sets(&[before, after]), keys(&[key("a", true), key(group, true)]))
}

/// The changes of parts that a machine with UUID and serial can see, all with the same outcome.
fn parts(entry: Entry, same: bool) -> Entry {
    let to = |more: Value| also(machine(), more);
    let entry = change(entry, "nic-added", machine(), to(json!({"permanentMacs": [MAC, MAC_2, NIC]})), same);
    let entry = change(entry, "nic-removed", machine(), to(json!({"permanentMacs": [MAC]})), same);
    let entry = change(entry, "every-nic-replaced", machine(), to(json!({"permanentMacs": [NIC]})), same);
    let entry = change(entry, "no-nic-left", machine(), to(json!({"permanentMacs": []})), same);
    let entry = change(entry, "gpu-lost", machine(), to(json!({"gpuUuids": [GPU]})), same);
    let entry = change(entry, "gpu-driver-missing", machine(), to(json!({"gpuUuids": []})), same);
    let entry = change(entry, "board-serial", machine(), to(json!({"boardSerial": "CN7220036H09ZZ"})), same);
    change(entry, "chassis-serial", machine(), to(json!({"chassisSerial": "CH-9909"})), same)
}

fn parts_stable() -> Entry {
    let entry = good(
        "hardware_key/parts-stable",
        "HARDWARE-KEY-2",
        "Under stable a machine with UUID and serial keeps its key when other parts change.",
    )
    .choice(CHOICE, "stable")
    .why("A card added or a driver missing after a reinstall must not strand the node.");
    parts(entry, true)
}

fn parts_all() -> Entry {
    let entry = good(
        "hardware_key/parts-all",
        "HARDWARE-KEY-2",
        "Under all any identifier that changes makes a new key.",
    )
    .choice(CHOICE, "all")
    .why("Every identifier is hashed; the price is a new node for a new card.");
    parts(entry, false)
}

fn board(entry: Entry) -> Entry {
    let to = |more: Value| also(machine(), more);
    let new = json!({"productUuid": NEW_UUID, "boardSerial": "CN7220036H09ZZ", "permanentMacs": [NIC]});
    let entry = change(entry, "new-board-same-chassis", machine(), to(new), false);
    let entry = change(entry, "uuid", machine(), to(json!({"productUuid": NEW_UUID})), false);
    let entry = change(entry, "uuid-lost", machine(), to(json!({"productUuid": ""})), false);
    change(entry, "product-serial", machine(), to(json!({"productSerial": "SN-7702"})), false)
}

fn board_stable() -> Entry {
    let entry = good(
        "hardware_key/board-stable",
        "HARDWARE-KEY-2",
        "Under stable a new UUID or product serial makes a new key.",
    )
    .choice(CHOICE, "stable")
    .why("What is soldered or printed is the machine; the chassis alone does not carry the key over.");
    board(entry)
}

fn board_all() -> Entry {
    let entry = good(
        "hardware_key/board-all",
        "HARDWARE-KEY-2",
        "Under all a new UUID or product serial makes a new key.",
    )
    .choice(CHOICE, "all")
    .why("What is soldered or printed is the machine; the chassis alone does not carry the key over.");
    board(entry)
}

fn no_serial_stable() -> Entry {
    let plain = json!({"productUuid": UUID, "permanentMacs": [MAC], "gpuUuids": [GPU]});
    let entry = good(
        "hardware_key/no-serial-stable",
        "HARDWARE-KEY-2",
        "Under stable a machine without a serial is its UUID and all its MACs.",
    )
    .choice(CHOICE, "stable")
    .why("Such a machine does change with its ports; the spec says so.");
    let entry = change(
        entry,
        "nic-added",
        plain.clone(),
        also(plain.clone(), json!({"permanentMacs": [MAC, NIC]})),
        false,
    );
    change(entry, "gpu-lost", plain.clone(), also(plain, json!({"gpuUuids": []})), true)
}

fn no_uuid_stable() -> Entry {
    let plain = json!({"boardSerial": "CN7220036H04QB", "permanentMacs": [MAC], "gpuUuids": [GPU]});
    let cards = json!({"permanentMacs": [MAC], "gpuUuids": [GPU]});
    let entry = good(
        "hardware_key/no-uuid-stable",
        "HARDWARE-KEY-2",
        "Under stable the first two surviving kinds are hashed, in the order of the rule.",
    )
    .choice(CHOICE, "stable")
    .why("The order favours what is soldered or printed on the machine.");
    let entry =
        change(entry, "serial-and-macs", plain.clone(), also(plain.clone(), json!({"gpuUuids": []})), true);
    let entry = change(
        entry,
        "serial-and-macs-nic-added",
        plain.clone(),
        also(plain, json!({"permanentMacs": [MAC, NIC]})),
        false,
    );
    let other_card = also(cards.clone(), json!({"gpuUuids": [super::GPU_2]}));
    let entry = change(entry, "macs-and-gpus", cards.clone(), other_card, false);
    let with_serial = also(cards.clone(), json!({"productSerial": "SN-7701"}));
    change(entry, "serial-appears", cards, with_serial, false)
}

/// One serial in each of its three fields.
fn places() -> Value {
    let at = |member: &str| also(json!({"productUuid": UUID}), json!({ member: "ABC1" }));
    sets(&[at("productSerial"), at("boardSerial"), at("chassisSerial")])
}

fn serial_place_stable() -> Entry {
    let set = |product: &str, chassis: &str, board: &str| {
        json!({
            "productUuid": UUID,
            "productSerial": product,
            "chassisSerial": chassis,
            "boardSerial": board,
        })
    };
    let entry = good(
        "hardware_key/serial-place-stable",
        "HARDWARE-KEY-2",
        "Under stable the serial is the first that survives of product, chassis, board.",
    )
    .choice(CHOICE, "stable")
    .why("One line serial= whatever the field: a vendor moves the same tag between fields.")
    .row("one-value-in-each-field", places(), keys(&vec![key("a", true); 3]));
    let entry =
        change(entry, "product-first", set("S1-A", "S2-B", "S3-C"), set("S1-A", "X2-B", "X3-C"), true);
    let entry = change(entry, "then-chassis", set("", "S2-B", "S3-C"), set("", "S2-B", "X3-C"), true);
    let entry =
        change(entry, "not-board-before-chassis", set("", "S2-B", "S3-C"), set("", "X2-B", "S3-C"), false);
    let entry = change(entry, "then-board", set("", "", "S3-C"), set("None", "Default string", "S3-C"), true);
    let entry = change(
        entry,
        "placeholder-is-skipped",
        set("Default string", "S2-B", "S3-C"),
        set("", "S2-B", ""),
        true,
    );
    change(entry, "three-times-is-once", set("ABC1", "ABC1", "ABC1"), set("ABC1", "", ""), true)
}

fn serial_place_all() -> Entry {
    good("hardware_key/serial-place-all", "HARDWARE-KEY-2", "Under all each serial has its field's name.")
        .choice(CHOICE, "all")
        .why("The same text in another field is another identifier.")
        .row("one-value-in-each-field", places(), keys(&[key("a", true), key("b", true), key("c", true)]))
        .row(
            "three-times-is-not-once",
            sets(&[
                json!({"productUuid": UUID, "productSerial": "ABC1"}),
                json!({
                    "productUuid": UUID,
                    "productSerial": "ABC1",
                    "boardSerial": "ABC1",
                    "chassisSerial": "ABC1",
                }),
            ]),
            keys(&[key("a", true), key("b", true)]),
        )
}

fn board_serial_only() -> Entry {
    let plain = json!({"productUuid": UUID, "boardSerial": "CN7220036H04QB", "permanentMacs": [MAC]});
    let entry = good(
        "hardware_key/board-serial-first-stable",
        "HARDWARE-KEY-2",
        "Under stable a new board serial makes a new key where it is the first that survives.",
    )
    .choice(CHOICE, "stable")
    .why("The exception in the table of changes.");
    change(entry, "replaced", plain.clone(), also(plain, json!({"boardSerial": "CN7220036H09ZZ"})), false)
}
