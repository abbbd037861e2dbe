//! Which sets of claims have the same key, whatever the choices: spellings, order, junk; and which never do.

use serde_json::{Value, json};

use super::{GPU, GPU_2, MAC, MAC_2, UUID, also, good, key, keys, kinds, machine, sets};
use crate::case::Entry;

pub(super) fn entries() -> Vec<Entry> {
    vec![kinds::full_set(), spellings(), order(), junk(), hostname(), constant_board(), dongle(), others()]
}

/// A row whose sets all have one trusted key.
fn alike(entry: Entry, name: &str, plain: &[Value]) -> Entry {
    entry.row(name, sets(plain), keys(&vec![key("a", true); plain.len()]))
}

/// A row of two sets with two trusted keys.
fn apart(entry: Entry, name: &str, one: Value, other: Value) -> Entry {
    entry.row(name, sets(&[one, other]), keys(&[key("a", true), key("b", true)]))
}

fn spellings() -> Entry {
    let entry = good(
        "hardware_key/spellings-alike",
        "HARDWARE-KEY-1",
        "Case, separators and padding do not change the key.",
    )
    .why("The tool that reads a value may change with the operating system; the machine does not.");
    let entry = alike(
        entry,
        "uuid",
        &[
            machine(),
            also(machine(), json!({"productUuid": UUID.to_ascii_lowercase()})),
            also(machine(), json!({"productUuid": UUID.replace('-', "")})),
        ],
    );
    let entry = alike(
        entry,
        "serial",
        &[
            machine(),
            also(machine(), json!({"productSerial": " sn-7701\0", "boardSerial": "cn7220036h04qb"})),
        ],
    );
    let macs = json!({"permanentMacs": ["94-de-80-06-f8-d5", "3cec.ef12.3456"]});
    let entry = alike(entry, "mac", &[machine(), also(machine(), macs)]);
    let gpus = json!({"gpuUuids": [GPU.to_ascii_uppercase(), GPU_2.to_ascii_lowercase()]});
    alike(entry, "gpu", &[machine(), also(machine(), gpus)])
}

fn order() -> Entry {
    let entry = good(
        "hardware_key/order-alike",
        "HARDWARE-KEY-1",
        "Order and duplicates in lists do not change the key.",
    )
    .also("CLAIMS-6")
    .why("Ports and cards are numbered anew at each boot.");
    // Without UUID and serial, so that both lists are hashed under every choice.
    let lists = |macs: &[&str], gpus: &[&str]| json!({"permanentMacs": macs, "gpuUuids": gpus});
    alike(
        entry,
        "lists",
        &[
            lists(&[MAC, MAC_2], &[GPU, GPU_2]),
            lists(&[MAC_2, MAC], &[GPU, GPU_2]),
            lists(&[MAC, MAC_2], &[GPU_2, GPU]),
            lists(&[MAC, MAC_2, MAC, "3CECEF123456"], &[GPU, GPU_2]),
            lists(&[MAC, MAC_2], &[GPU_2, GPU_2, GPU, "gpu-41255406-c9af-f94b-4ebf-9d57ad1853da"]),
        ],
    )
}

fn junk() -> Entry {
    let entry = good("hardware_key/junk-alike", "HARDWARE-KEY-1", "Placeholders do not change the key.")
        .documented()
        .why("An update fills a field with a default, a driver adds a local address: one machine.");
    let plain = json!({"productUuid": UUID, "permanentMacs": [MAC], "gpuUuids": [GPU]});
    let serials = json!({
        "productSerial": "Default string",
        "boardSerial": "To Be Filled By O.E.M.",
        "chassisSerial": "00000",
    });
    let macs = json!({"permanentMacs": [MAC, "02:00:00:00:00:01", "00:00:00:00:00:00"]});
    let entry = alike(
        entry,
        "with-a-uuid",
        &[plain.clone(), also(plain.clone(), serials), also(plain, macs.clone())],
    );
    let plain = json!({"productSerial": "SN-7701", "permanentMacs": [MAC]});
    let zero = json!({"productUuid": "00000000-0000-0000-0000-000000000000"});
    alike(entry, "with-a-serial", &[plain.clone(), also(plain.clone(), zero), also(plain, macs)])
}

fn hostname() -> Entry {
    let entry =
        good("hardware_key/hostname-alike", "HARDWARE-KEY-1", "The hostname does not change the key.")
            .why("A reinstalled machine has another name.");
    let named = |name: &str| also(machine(), json!({ "hostname": name }));
    alike(entry, "names", &[named("node-17"), named("localhost"), named("SN-7701"), named("")])
}

fn constant_board() -> Entry {
    let board = |serial: &str, mac: &str| {
        json!({
            "productUuid": "8A95D198-7F46-11E5-BF8B-08002704D48E",
            "productSerial": serial,
            "permanentMacs": [mac],
        })
    };
    let entry = good(
        "hardware_key/constant-board-uuid",
        "HARDWARE-KEY-1",
        "Two boards with a vendor's constant UUID are two machines.",
    )
    .also("CLAIMS-5")
    .why("A whole product line shares the value; serial and MAC tell the boards apart.");
    apart(entry, "serial-and-mac-differ", board("LX-0001", MAC), board("LX-0002", MAC_2))
}

fn dongle() -> Entry {
    let set = |serial: &str| json!({"productSerial": serial, "permanentMacs": ["00:1B:21:AA:00:02"]});
    good(
        "hardware_key/shared-dongle",
        "HARDWARE-KEY-1",
        "Machines of placeholders behind one network adapter are never trusted.",
    )
    .documented()
    .why("A bench adapter that many machines join through must not make them one.")
    .row(
        "two-machines",
        sets(&[set("Default string"), set("To Be Filled By O.E.M.")]),
        keys(&[key("a", false), key("a", false)]),
    )
}

fn others() -> Entry {
    let entry = good(
        "hardware_key/others-apart",
        "HARDWARE-KEY-1",
        "Machines that differ in what is hashed have different keys.",
    )
    .why("A key that leaves an identifier out, or runs two together, makes two machines one.");
    let pair = |uuid: &str, serial: &str| json!({"productUuid": uuid, "productSerial": serial});
    let other = "D2A64D56-0617-4363-9C0E-5A1B7E3F2A11";
    let entry = apart(entry, "uuid", pair(UUID, "SN-7701"), pair(other, "SN-7701"));
    let entry = apart(entry, "serial", pair(UUID, "SN-7701"), pair(UUID, "SN-77010"));
    let swapped = "564DA6D2-1706-6343-9C0E-5A1B7E3F2A10";
    let entry = apart(entry, "swapped-uuid", pair(UUID, "SN-7701"), pair(swapped, "SN-7701"));
    let macs = |macs: &[&str]| json!({"productUuid": UUID, "permanentMacs": macs});
    let entry = apart(entry, "mac", macs(&[MAC]), macs(&[MAC_2]));
    let gpus = |gpus: &[&str]| json!({"productUuid": UUID, "gpuUuids": gpus});
    let entry = apart(entry, "gpu", gpus(&[GPU]), gpus(&[GPU_2]));
    // The same text as a serial and as a GPU.
    let as_serial = json!({"productUuid": UUID, "productSerial": "X-77"});
    let as_gpu = json!({"productUuid": UUID, "gpuUuids": ["X-77"]});
    apart(entry, "kind", as_serial, as_gpu)
}
