//! How many kinds of identifier survive, and whether the key is trusted for it.

use serde_json::{Value, json};

use super::{GPU, GPU_2, MAC, MAC_2, RECIPE, UUID, also, good, keys, machine, no_key, one, sets};
use crate::case::{Entry, reject};
use crate::testkit::claims::{full, with};

pub(super) fn entries() -> Vec<Entry> {
    vec![two_kinds(), one_kind(), many_of_one_kind(), hostname(), nothing(), junk(), in_line(), bad_claims()]
}

fn two_kinds() -> Entry {
    let entry = good(
        "hardware_key/two-kinds-trusted",
        "HARDWARE-KEY-1",
        "Two kinds of identifier make a trusted key.",
    )
    .documented()
    .why("Each pair of kinds counts, and so do three and four.");
    let entry = one(entry, "uuid-serial", json!({"productUuid": UUID, "productSerial": "SN-7701"}), true);
    let entry =
        one(entry, "uuid-board-serial", json!({"productUuid": UUID, "boardSerial": "CN7220036H04QB"}), true);
    let entry =
        one(entry, "uuid-chassis-serial", json!({"productUuid": UUID, "chassisSerial": "CH-3301"}), true);
    let entry = one(entry, "uuid-mac", json!({"productUuid": UUID, "permanentMacs": [MAC]}), true);
    let entry = one(entry, "uuid-gpu", json!({"productUuid": UUID, "gpuUuids": [GPU]}), true);
    let entry = one(entry, "serial-mac", json!({"productSerial": "SN-7701", "permanentMacs": [MAC]}), true);
    let entry = one(entry, "serial-gpu", json!({"chassisSerial": "CH-3301", "gpuUuids": [GPU]}), true);
    let entry = one(entry, "mac-gpu", json!({"permanentMacs": [MAC], "gpuUuids": [GPU]}), true);
    let three = json!({"productUuid": UUID, "boardSerial": "CN7220036H04QB", "permanentMacs": [MAC]});
    let entry = one(entry, "three", three, true);
    one(entry, "all", machine(), true)
}

fn one_kind() -> Entry {
    let entry = good(
        "hardware_key/one-kind-untrusted",
        "HARDWARE-KEY-1",
        "One identifier alone makes an untrusted key.",
    )
    .documented()
    .why("One value may be a placeholder that no list has yet.");
    let entry = one(entry, "uuid", json!({"productUuid": UUID}), false);
    let entry = one(entry, "product-serial", json!({"productSerial": "SN-7701"}), false);
    let entry = one(entry, "board-serial", json!({"boardSerial": "CN7220036H04QB"}), false);
    let entry = one(entry, "chassis-serial", json!({"chassisSerial": "CH-3301"}), false);
    let entry = one(entry, "mac", json!({"permanentMacs": [MAC]}), false);
    one(entry, "gpu", json!({"gpuUuids": [GPU]}), false)
}

fn many_of_one_kind() -> Entry {
    let macs: Vec<String> = (0..8).map(|port| format!("3c:ec:ef:12:34:{port:02x}")).collect();
    let gpus: Vec<String> =
        (0..8).map(|card| format!("GPU-41255406-c9af-f94b-4ebf-9d57ad18530{card}")).collect();
    let entry =
        good("hardware_key/many-of-one-kind", "HARDWARE-KEY-1", "Several values of one kind are one kind.")
            .why("The fields of one label and the ports of one card come and go together.");
    let two = json!({"productSerial": "SN-7701", "boardSerial": "CN7220036H04QB"});
    let entry = one(entry, "two-serials", two.clone(), false);
    let entry = one(entry, "three-serials", also(two, json!({"chassisSerial": "CH-3301"})), false);
    let same = json!({"productSerial": "ABC1", "boardSerial": "ABC1", "chassisSerial": "ABC1"});
    let entry = one(entry, "one-value-in-three-fields", same, false);
    let entry = one(entry, "eight-macs", json!({ "permanentMacs": macs }), false);
    one(entry, "eight-gpus", json!({ "gpuUuids": gpus }), false)
}

fn hostname() -> Entry {
    let named = |set: Value| also(set, json!({"hostname": "node-17"}));
    let entry = good("hardware_key/hostname-never", "HARDWARE-KEY-1", "The hostname is never an identifier.")
        .why("Anyone sets it, and images share it.")
        .row("alone", sets(&[json!({"hostname": "node-17"})]), keys(&[no_key()]));
    let entry = one(entry, "with-a-uuid", named(json!({"productUuid": UUID})), false);
    let entry = one(entry, "with-a-serial", named(json!({"productSerial": "SN-7701"})), false);
    let entry = one(entry, "with-a-mac", named(json!({"permanentMacs": [MAC]})), false);
    one(entry, "with-a-gpu", named(json!({"gpuUuids": [GPU]})), false)
}

fn nothing() -> Entry {
    let row = |entry: Entry, name: &str, set: Value| entry.row(name, sets(&[set]), keys(&[no_key()]));
    let entry = good(
        "hardware_key/nothing-no-key",
        "HARDWARE-KEY-2",
        "No surviving identifier is no key, not the key of nothing.",
    )
    .why("The hash of an empty list would be one key that all such machines share.");
    let entry = row(entry, "no-claims", json!({}));
    let entry =
        row(entry, "empty-texts", json!({"productUuid": "", "productSerial": "   ", "permanentMacs": [""]}));
    let entry =
        row(entry, "uuid-in-braces", json!({"productUuid": "{D2A64D56-0617-4363-9C0E-5A1B7E3F2A10}"}));
    let entry = row(entry, "slices-only", json!({"gpuUuids": ["MIG-a65afc88", "MIG-GPU-2e4159a0/7/0"]}));
    let entry =
        row(entry, "local-macs-only", json!({"permanentMacs": ["02:00:00:00:00:01", "AA-BB-CC-DD-EE-FF"]}));
    entry.row("two-such-machines", sets(&[json!({}), json!({"hostname": "b"})]), keys(&[no_key(), no_key()]))
}

fn junk() -> Entry {
    let zero = "00000000-0000-0000-0000-000000000000";
    let entry = good(
        "hardware_key/placeholders-do-not-count",
        "HARDWARE-KEY-1",
        "A placeholder is no identifier: it is dropped before counting.",
    )
    .documented()
    .why("Counted, two defaults of a board vendor would be a trusted key that a product line shares.");
    let entry =
        one(entry, "zero-uuid-and-serial", json!({"productUuid": zero, "productSerial": "SN-7701"}), false);
    let entry = one(
        entry,
        "uuid-and-default-string",
        json!({
            "productUuid": UUID,
            "productSerial": "Default string",
            "boardSerial": "To Be Filled By O.E.M.",
        }),
        false,
    );
    let entry = one(
        entry,
        "uuid-and-zero-mac",
        json!({"productUuid": UUID, "permanentMacs": ["00:00:00:00:00:00"]}),
        false,
    );
    let entry = one(
        entry,
        "serial-and-local-mac",
        json!({"productSerial": "SN-7701", "permanentMacs": ["02:00:00:00:00:01"]}),
        false,
    );
    let entry = one(entry, "gpu-and-slice", json!({"gpuUuids": [GPU, "MIG-a65afc88"]}), false);
    entry.row(
        "all",
        sets(&[json!({
            "productUuid": zero,
            "productSerial": "Default string",
            "boardSerial": "System Serial Number",
            "chassisSerial": "0000000",
            "hostname": "node-17",
            "permanentMacs": ["02:00:00:00:00:01"],
            "gpuUuids": ["MIG-a65afc88"],
        })]),
        keys(&[no_key()]),
    )
}

fn in_line() -> Entry {
    let entry = good(
        "hardware_key/no-line-injected",
        "HARDWARE-KEY-1",
        "A value cannot bring a line of its own into the hash.",
    )
    .also("CLAIMS-1")
    .why("A serial with a line feed and mac= after it would count as two kinds where lines are counted.");
    let entry = one(entry, "line-feed", json!({"productSerial": format!("SN-7701\nmac={MAC}")}), false);
    let entry = one(entry, "gpu", json!({"gpuUuids": [format!("{GPU}\nproduct-uuid={UUID}"), GPU_2]}), false);
    one(entry, "equals", json!({"chassisSerial": format!("mac={MAC_2}")}), false)
}

fn bad_claims() -> Entry {
    let set = |member: &str, raw: &[u8]| json!({"sets": [with(full(), member, raw)]});
    let entry = reject(
        "hardware_key/bad-claims",
        "HARDWARE-KEY-1",
        "claims",
        "Claims that refuse have no key: the request is refused, not the value dropped.",
    )
    .also("CLAIMS-1")
    .why("A key from what is left would be a second identity of the machine.")
    .family("hwkey.derive")
    .twin(
        "hardware_key/full-set",
        &["/in/sets/0/productSerial", "/in/sets/0/hostname", "/in/sets/0/permanentMacs/0"],
        "one value has a control character or is no UTF-8",
    )
    .refused()
    .recipe(RECIPE)
    .bad("control-in-a-serial", set("productSerial", b"SN-77\x0101"))
    .bad("utf8-in-the-hostname", set("hostname", b"node\xff17"));
    entry.bad("control-in-a-mac", set("permanentMacs", b"02:00:00:00:00\x01:01"))
}

/// The accepted twin of refused claims.
pub(super) fn full_set() -> Entry {
    good("hardware_key/full-set", "HARDWARE-KEY-1", "A machine that claims everything has a trusted key.")
        .documented()
        .why("The accepted twin of refused claims.")
        .call("hwkey.derive", json!({"sets": [full()]}))
        .out(keys(&[super::key("a", true)]))
}
