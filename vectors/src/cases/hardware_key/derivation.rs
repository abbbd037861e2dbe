//! Identifiers computed from one another: counted once under `facts`, twice under `kinds`; and near misses.

use serde_json::{Value, json};

use super::{GPU, MAC, MAC_2, also, good, key, keys, one, sets};
use crate::case::Entry;

const CHOICE: &str = "hwkey.independence";
const DELL: &str = "4C4C4544-0051-3410-8051-B5C04F375931";
const TAG: &str = "5Q4Q7Y1";
const VERSION_1: &str = "6BA7B810-9DAD-11D1-80B4-00C04FD430C8";
const NODE: &str = "00:C0:4F:D4:30:C8";

pub(super) fn entries() -> Vec<Entry> {
    let families = [dell(), vmware(), uuid_serial(), version_1(), ami(), zero_tail()];
    let mut entries: Vec<Entry> = families.into_iter().flatten().collect();
    entries.extend([third_kind(), both_ties(), no_uuid(), taken_stable(), taken_kinds_stable(), taken_all()]);
    entries
}

/// Two kinds and whether one is computed from the other.
struct Pair(&'static str, Value, bool);

fn serial(name: &'static str, uuid: &str, serial: &str, tied: bool) -> Pair {
    Pair(name, json!({"productUuid": uuid, "productSerial": serial}), tied)
}

fn macs(name: &'static str, uuid: &str, macs: &[&str], tied: bool) -> Pair {
    Pair(name, json!({"productUuid": uuid, "permanentMacs": macs}), tied)
}

/// The same pairs under both values: `facts` trusts those that are not tied, `kinds` all of them.
fn both(name: &str, what: &str, why: &str, pairs: &[Pair]) -> [Entry; 2] {
    let facts = good(
        &format!("hardware_key/{name}-facts"),
        "HARDWARE-KEY-1",
        &format!("Under facts {what} counts once with it, a near miss twice."),
    );
    let kinds = good(
        &format!("hardware_key/{name}-kinds"),
        "HARDWARE-KEY-1",
        &format!("Under kinds {what} counts like any other."),
    );
    let facts = facts.choice(CHOICE, "facts").why(why);
    let kinds = kinds.choice(CHOICE, "kinds").why(why);
    [
        pairs.iter().fold(facts, |entry, Pair(name, set, tied)| one(entry, name, set.clone(), !tied)),
        pairs.iter().fold(kinds, |entry, Pair(name, set, _)| one(entry, name, set.clone(), true)),
    ]
}

fn dell() -> [Entry; 2] {
    both(
        "dell",
        "a serial that a Dell UUID spells",
        "A Dell UUID is 4c4c4544 and the service tag in a fixed pattern: one fact twice.",
        &[
            serial("product-serial", DELL, TAG, true),
            Pair("board-serial", json!({"productUuid": DELL, "boardSerial": TAG}), true),
            Pair("chassis-serial", json!({"productUuid": DELL, "chassisSerial": "5q4q7y1 "}), true),
            Pair(
                "chassis-serial-beside-others",
                json!({
                    "productUuid": DELL,
                    "productSerial": "SN-7701",
                    "boardSerial": "CN7220036H04QB",
                    "chassisSerial": TAG,
                }),
                true,
            ),
            // b10 without its high bit: the tag is what is left of it.
            serial("high-bit-clear", "4C4C4544-0051-3410-8051-35C04F375931", TAG, true),
            serial("last-character-off", DELL, "5Q4Q7Y2", false),
            serial("first-character-off", DELL, "6Q4Q7Y1", false),
            serial("longer", DELL, "5Q4Q7Y10", false),
            serial("shorter", DELL, "5Q4Q7Y", false),
            serial("wrapped-in-slashes", DELL, "/5Q4Q7Y1/CN7220036H04QB/", false),
            serial("prefix-off", "4C4C4545-0051-3410-8051-B5C04F375931", TAG, false),
            serial("swapped-uuid", "44454C4C-5100-1034-8051-B5C04F375931", TAG, false),
            serial("tag-octet-off", "4C4C4544-0052-3410-8051-B5C04F375931", TAG, false),
            // b4, b7, b8, b11 and b12 carry no character of the tag.
            serial("other-octets-do-not-matter", "4C4C4544-FF51-34FF-FF51-B5FFFF375931", TAG, true),
        ],
    )
}

fn vmware() -> [Entry; 2] {
    let uuid = "564DA6D2-1706-6343-DC2D-9959B533A7B3";
    let twin = "D2A64D56-0617-4363-DC2D-9959B533A7B3";
    let spelled = "VMware-56 4d a6 d2 17 06 63 43-dc 2d 99 59 b5 33 a7 b3";
    both(
        "vmware",
        "a VMware serial that spells the UUID",
        "The hypervisor writes one random value into both fields.",
        &[
            serial("as-shown", uuid, spelled, true),
            serial("twin", twin, spelled, true),
            serial("no-blanks", uuid, "vmware-564da6d217066343dc2d9959b533a7b3", true),
            Pair("chassis-serial", json!({"productUuid": uuid, "chassisSerial": spelled}), true),
            serial("digit-off", uuid, "VMware-56 4d a6 d2 17 06 63 43-dc 2d 99 59 b5 33 a7 b4", false),
            serial("octet-missing", uuid, "VMware-56 4d a6 d2 17 06 63 43-dc 2d 99 59 b5 33 a7", false),
            serial("octet-more", uuid, "VMware-56 4d a6 d2 17 06 63 43-dc 2d 99 59 b5 33 a7 b3 00", false),
            serial("no-prefix", uuid, "56 4d a6 d2 17 06 63 43-dc 2d 99 59 b5 33 a7 b3", false),
            serial(
                "no-dash-after-the-prefix",
                uuid,
                "VMware 56 4d a6 d2 17 06 63 43-dc 2d 99 59 b5 33 a7 b3",
                false,
            ),
            serial("other-uuid", "564DA6D2-1706-6343-DC2D-9959B533A7B4", spelled, false),
        ],
    )
}

fn uuid_serial() -> [Entry; 2] {
    let uuid = "BD5ED715-08B7-3A4B-9C1D-2F6E8A90B1C7";
    both(
        "uuid-serial",
        "a serial that is the UUID or its twin",
        "Clouds put the instance's UUID into the serial, some in the other byte order.",
        &[
            serial("equal", uuid, uuid, true),
            serial("equal-other-case", uuid, "bd5ed715-08b7-3a4b-9c1d-2f6e8a90b1c7", true),
            serial("bare", uuid, "BD5ED71508B73A4B9C1D2F6E8A90B1C7", true),
            serial("twin", uuid, "15d75ebd-b708-4b3a-9c1d-2f6e8a90b1c7", true),
            serial("twin-bare", uuid, "15d75ebdb7084b3a9c1d2f6e8a90b1c7", true),
            Pair(
                "board-serial-beside-another",
                json!({"productUuid": uuid, "productSerial": "SN-7701", "boardSerial": uuid}),
                true,
            ),
            serial("digit-off", uuid, "bd5ed715-08b7-3a4b-9c1d-2f6e8a90b1c8", false),
            serial("half-swapped", uuid, "15d75ebd-08b7-3a4b-9c1d-2f6e8a90b1c7", false),
            serial("all-reversed", uuid, "c7b1908a-6e2f-1d9c-4b3a-b70815d75ebd", false),
            serial("braces", uuid, "{bd5ed715-08b7-3a4b-9c1d-2f6e8a90b1c7}", false),
            serial("with-a-prefix", uuid, "ec2-bd5ed715-08b7-3a4b-9c1d-2f6e8a90b1c7", false),
            serial("part", uuid, "bd5ed715", false),
        ],
    )
}

fn version_1() -> [Entry; 2] {
    both(
        "version-1",
        "a MAC that is the node of a version-1 UUID",
        "A version-1 UUID is a clock and a MAC (RFC 9562 section 5.1).",
        &[
            macs("node", VERSION_1, &[NODE], true),
            macs("node-among-others", VERSION_1, &[MAC, NODE, MAC_2], true),
            macs("node-dashes", VERSION_1, &["00-c0-4f-d4-30-c8"], true),
            macs("variant-b", "6BA7B810-9DAD-11D1-BFB4-00C04FD430C8", &[NODE], true),
            macs("mac-off", VERSION_1, &["00:C0:4F:D4:30:C9"], false),
            macs("mac-reversed", VERSION_1, &["C8:30:D4:4F:C0:00"], false),
            macs("version-4", "6BA7B810-9DAD-41D1-80B4-00C04FD430C8", &[NODE], false),
            macs("version-digit-in-the-other-order", "10B8A76B-AD9D-D111-80B4-00C04FD430C8", &[NODE], false),
            macs("variant-0", "6BA7B810-9DAD-11D1-70B4-00C04FD430C8", &[NODE], false),
            macs("variant-c", "6BA7B810-9DAD-11D1-C0B4-00C04FD430C8", &[NODE], false),
        ],
    )
}

fn ami() -> [Entry; 2] {
    let board = "03DE0294-0480-0506-F806-D50700080009";
    both(
        "ami",
        "a MAC that the board's default UUID interleaves",
        "Some boards write their MAC between the octets 02 to 09 of the firmware vendor's default.",
        &[
            macs("seen", board, &["94:DE:80:06:F8:D5"], true),
            macs("seen-elsewhere", "03D40274-0435-05DC-8506-010700080009", &["74:D4:35:DC:85:01"], true),
            macs("among-others", board, &[MAC_2, "94-de-80-06-f8-d5"], true),
            macs("mac-off", board, &["94:DE:80:06:F8:D6"], false),
            macs("mac-of-the-other-board", board, &["74:D4:35:DC:85:01"], false),
            macs(
                "mac-in-reading-order",
                "033C02EC-04EF-0512-3406-560700080009",
                &["3C:EC:EF:12:34:56"],
                false,
            ),
            macs("first-octet-off", "04DE0294-0480-0506-F806-D50700080009", &["94:DE:80:06:F8:D5"], false),
            macs("last-octet-off", "03DE0294-0480-0506-F806-D50700080008", &["94:DE:80:06:F8:D5"], false),
            macs("middle-octet-off", "03DE0294-0480-0506-F805-D50700080009", &["94:DE:80:06:F8:D5"], false),
            macs("zero-octet-off", "03DE0294-0480-0506-F806-D50701080009", &["94:DE:80:06:F8:D5"], false),
            macs("swapped", "9402DE03-8004-0605-F806-D50700080009", &["94:DE:80:06:F8:D5"], false),
        ],
    )
}

fn zero_tail() -> [Entry; 2] {
    let mac = "9C:6B:00:76:9C:C4";
    both(
        "zero-tail",
        "a MAC that begins a UUID of zeros",
        "Some boards write their MAC into the UUID and leave the rest zero, in either byte order.",
        &[
            macs("in-order", "9C6B0076-9CC4-0000-0000-000000000000", &[mac], true),
            macs("swapped", "76006B9C-C49C-0000-0000-000000000000", &[mac], true),
            macs("among-others", "9C6B0076-9CC4-0000-0000-000000000000", &[MAC, "9c6b.0076.9cc4"], true),
            macs("mac-off", "9C6B0076-9CC4-0000-0000-000000000000", &["9C:6B:00:76:9C:C5"], false),
            macs("half-swapped", "76006B9C-9CC4-0000-0000-000000000000", &[mac], false),
            macs("last-octet-not-zero", "9C6B0076-9CC4-0000-0000-000000000001", &[mac], false),
            macs("seventh-octet-not-zero", "9C6B0076-9CC4-0100-0000-000000000000", &[mac], false),
            macs("mac-at-the-end", "12345678-0000-0000-0000-9C6B00769CC4", &[mac], false),
        ],
    )
}

fn third_kind() -> Entry {
    let dell = json!({"productUuid": DELL, "productSerial": TAG});
    let node = json!({"productUuid": VERSION_1, "permanentMacs": [NODE]});
    let entry = good(
        "hardware_key/third-kind-facts",
        "HARDWARE-KEY-1",
        "Under facts two tied kinds and an independent one are trusted.",
    )
    .choice(CHOICE, "facts")
    .why("Tied kinds count once, not zero times.");
    let entry = one(entry, "dell-and-mac", also(dell.clone(), json!({"permanentMacs": [MAC]})), true);
    let entry = one(entry, "dell-and-gpu", also(dell.clone(), json!({"gpuUuids": [GPU]})), true);
    let entry =
        one(entry, "version-1-and-serial", also(node.clone(), json!({"productSerial": "SN-7701"})), true);
    let entry = one(entry, "version-1-and-gpu", also(node, json!({"gpuUuids": [GPU]})), true);
    // The serial kind is tied as a whole: another serial beside the tag adds no fact.
    let entry = one(
        entry,
        "dell-and-another-serial",
        also(dell.clone(), json!({"boardSerial": "CN7220036H04QB"})),
        false,
    );
    one(entry, "dell-and-hostname", also(dell, json!({"hostname": "node-17"})), false)
}

fn both_ties() -> Entry {
    let all = json!({"productUuid": VERSION_1, "productSerial": VERSION_1, "permanentMacs": [NODE, MAC]});
    let entry = good(
        "hardware_key/both-ties-facts",
        "HARDWARE-KEY-1",
        "Under facts a UUID that ties serial and MACs makes the three one.",
    )
    .choice(CHOICE, "facts")
    .why("Serial and MAC are tied through the UUID: components are counted, not pairs.");
    let entry = one(entry, "three-are-one", all.clone(), false);
    let entry = one(entry, "a-gpu-is-the-second", also(all.clone(), json!({"gpuUuids": [GPU]})), true);
    let entry = one(entry, "mac-not-tied", also(all.clone(), json!({"permanentMacs": [MAC]})), true);
    one(entry, "serial-not-tied", also(all, json!({"productSerial": "SN-7701"})), true)
}

fn no_uuid() -> Entry {
    let entry = good(
        "hardware_key/no-uuid-facts",
        "HARDWARE-KEY-1",
        "Under facts no kinds are tied where no product UUID survives.",
    )
    .choice(CHOICE, "facts")
    .why("Every derivation ties the product UUID to something.");
    let spelled = "VMware-56 4d a6 d2 17 06 63 43-dc 2d 99 59 b5 33 a7 b3";
    let entry =
        one(entry, "vmware-serial-and-mac", json!({"productSerial": spelled, "permanentMacs": [MAC]}), true);
    let entry = one(
        entry,
        "version-1-serial-and-its-node",
        json!({"productSerial": VERSION_1, "permanentMacs": [NODE]}),
        true,
    );
    one(
        entry,
        "placeholder-uuid",
        json!({
            "productUuid": "00000000-0000-0000-0000-3CECEF123456",
            "productSerial": TAG,
            "permanentMacs": [MAC_2],
        }),
        true,
    )
}

/// A Dell machine with its tag, and what is added or left out.
fn dell_sets() -> Value {
    let dell = json!({"productUuid": DELL, "productSerial": TAG});
    let mac = json!({"permanentMacs": [MAC]});
    sets(&[
        also(dell.clone(), mac.clone()),
        also(json!({"productUuid": DELL}), mac.clone()),
        also(also(dell.clone(), mac), json!({"gpuUuids": [GPU]})),
        also(dell.clone(), json!({"permanentMacs": [MAC_2]})),
        dell,
        json!({"productUuid": DELL}),
    ])
}

fn taken_stable() -> Entry {
    good(
        "hardware_key/taken-facts-stable",
        "HARDWARE-KEY-2",
        "Under facts and stable a tied serial is passed over: UUID and MACs are hashed.",
    )
    .choice(CHOICE, "facts")
    .choice("hwkey.selection", "stable")
    .why("The second line must be the second fact, or the key would be trusted for what it does not hold.")
    .row(
        "dell",
        dell_sets(),
        keys(&[
            key("uuid-mac", true),
            key("uuid-mac", true),
            key("uuid-mac", true),
            key("uuid-other-mac", true),
            key("uuid", false),
            key("uuid", false),
        ]),
    )
}

fn taken_kinds_stable() -> Entry {
    good(
        "hardware_key/taken-kinds-stable",
        "HARDWARE-KEY-2",
        "Under kinds and stable a tied serial is taken: a Dell keeps its key with any card.",
    )
    .choice(CHOICE, "kinds")
    .choice("hwkey.selection", "stable")
    .why("The key is kept still; the price is that it is trusted on one fact.")
    .row(
        "dell",
        dell_sets(),
        keys(&[
            key("uuid-serial", true),
            key("uuid-mac", true),
            key("uuid-serial", true),
            key("uuid-serial", true),
            key("uuid-serial", true),
            key("uuid", false),
        ]),
    )
}

fn taken_all() -> Entry {
    good(
        "hardware_key/taken-facts-all",
        "HARDWARE-KEY-2",
        "Under all every identifier is hashed, tied or not; ties decide trust alone.",
    )
    .choice(CHOICE, "facts")
    .choice("hwkey.selection", "all")
    .why("Whether the key is trusted is never decided by how many lines were hashed.")
    .row(
        "dell",
        dell_sets(),
        keys(&[
            key("uuid-serial-mac", true),
            key("uuid-mac", true),
            key("uuid-serial-mac-gpu", true),
            key("uuid-serial-other-mac", true),
            key("uuid-serial", false),
            key("uuid", false),
        ]),
    )
}
