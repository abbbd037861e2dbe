//! Placeholders: the documented ones by hand, then every entry of the spec's list in several spellings.

use serde_json::json;
use toml::Table;

use super::{OP, RECIPE, bare, good, input, normal};
use crate::case::{Entry, accept};
use crate::testkit::claims::{swapped, with, with_list};
use crate::testkit::request::claims;

const LIST: &str = include_str!("../../../../docs/spec/placeholders.toml");

pub(super) fn entries() -> Vec<Entry> {
    vec![
        documented_texts(),
        documented_uuids(),
        twin(),
        near_repeats(),
        texts(),
        text_spellings(),
        numbers(),
        uuids(),
        uuid_prefixes(),
        macs(),
        mac_prefixes(),
        gpus(),
        hostname(),
        all_junk(),
    ]
}

/// The values of one array of the list.
#[expect(clippy::expect_used, reason = "the spec's list is part of the build; without it there is no case")]
fn listed(array: &str) -> Vec<String> {
    let list: Table = LIST.parse().expect("placeholders.toml is TOML");
    let entries = list[array].as_array().expect("an array of tables").iter();
    entries.map(|entry| entry["value"].as_str().expect("a text").to_owned()).collect()
}

fn documented_texts() -> Entry {
    let entry = good(
        "claims/placeholder-documented-texts",
        "CLAIMS-5",
        "The documented placeholder texts are dropped from every serial.",
    )
    .documented()
    .why("Two boards that were never filled in would be one machine.");
    let texts = ["To Be Filled By O.E.M.", "Default string", "System Serial Number", "0000000", "XXXXXXXXXX"];
    texts.iter().fold(entry, |entry, text| {
        let sent = claims(json!({"productSerial": text, "boardSerial": text, "chassisSerial": text}));
        entry.row(&text.replace([' ', '.'], "-").to_ascii_lowercase(), input(&sent), bare())
    })
}

fn documented_uuids() -> Entry {
    let entry = good(
        "claims/placeholder-documented-uuids",
        "CLAIMS-5",
        "All-zero UUIDs and those of one repeated character are dropped.",
    )
    .documented()
    .why("The SMBIOS specification itself gives zeros and ones a meaning: not present, not set.");
    let uuids = [
        ("zero", "00000000-0000-0000-0000-000000000000"),
        ("ones-upper", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"),
        ("ones-mixed", "fFfFfFfF-FFFF-ffff-FFFF-FFFFFFFFffff"),
        ("repeated-digit", "33333333-3333-3333-3333-333333333333"),
        ("repeated-letter", "BBBBBBBB-bbbb-BBBB-bbbb-BBBBBBBBBBBB"),
    ];
    uuids
        .iter()
        .fold(entry, |entry, (name, uuid)| entry.row(name, input(&with(bare(), "productUuid", uuid)), bare()))
}

fn twin() -> Entry {
    good("claims/placeholder-twins", "CLAIMS-5", "A vendor's default UUID is dropped in both byte orders.")
        .why("The same board shows its default in the other order, depending on firmware, tool and version.")
        .row("ami", input(&with(bare(), "productUuid", "03000200-0400-0500-0006-000700080009")), bare())
        .row(
            "ami-swapped",
            input(&with(bare(), "productUuid", "00020003-0004-0005-0006-000700080009")),
            bare(),
        )
        .row(
            "counting-swapped",
            input(&with(bare(), "productUuid", "03020100-0504-0706-0809-0A0B0C0D0E0F")),
            bare(),
        )
        .row(
            "ones-swapped",
            input(&with(bare(), "productUuid", "00FFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF")),
            bare(),
        )
        .row(
            "dead-beef-swapped",
            input(&with(bare(), "productUuid", "EFBEADDE-ADDE-EFBE-DEAD-BEEFDEADBEEF")),
            bare(),
        )
        .row(
            "vendor-swapped",
            input(&with(bare(), "productUuid", "00B3B56A-8D53-1410-9FB5-B0684D007B53")),
            bare(),
        )
        .row(
            "board-swapped",
            input(&with(bare(), "productUuid", "98D1958A-467F-E511-BF8B-08002704D48E")),
            bare(),
        )
}

fn near_repeats() -> Entry {
    let entry = good(
        "claims/placeholder-near-repeats",
        "CLAIMS-5",
        "Default UUIDs that miss the repetition rule are dropped by the list.",
    )
    .why("The rule about one repeated character alone lets all of these through.");
    let uuids = [
        "FFFFFF00-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
        "FEFEFEFE-FEFE-FEFE-FEFE-FEFEFEFEFEFE",
        "01010101-0101-0101-0101-010101010101",
        "00010203-0405-0607-0809-0A0B0C0D0E0F",
        "DEADBEEF-DEAD-BEEF-DEAD-BEEFDEADBEEF",
        "01234567-89AB-CDEF-0123-456789ABCDEF",
        "8a95d198-7f46-11e5-bf8b-08002704d48e",
        "6AB5B300-538D-1014-9FB5-B0684D007B53",
    ];
    uuids.iter().fold(entry, |entry, uuid| {
        entry.row(&uuid.to_ascii_lowercase(), input(&with(bare(), "productUuid", uuid)), bare())
    })
}

fn texts() -> Entry {
    let entry = good(
        "claims/placeholder-texts",
        "CLAIMS-5",
        "Every text of the list is dropped from serials and GPUs, in any case and padding.",
    )
    .why("Each was reported by many unrelated machines.");
    listed("text").iter().fold(entry, |entry, text| {
        let sent = claims(json!({
            "productSerial": text,
            "boardSerial": format!("  {}\0", text.to_ascii_uppercase()),
            "chassisSerial": text.replace(' ', " \t "),
            "gpuUuids": [text, format!("GPU-{text}"), format!("gpu-{}", text.to_ascii_uppercase())],
        }));
        entry.row(text, input(&sent), bare())
    })
}

fn text_spellings() -> Entry {
    let entry =
        good("claims/placeholder-text-spellings", "CLAIMS-5", "Dots, underscores and blanks do not matter.")
            .why("Vendors write the same phrase with dots or underscores or without blanks.");
    listed("text").iter().fold(entry, |entry, text| {
        let sent = claims(json!({
            "productSerial": text.replace(['.', '_', ' '], ""),
            "boardSerial": text.replace(' ', "_"),
            "chassisSerial": format!("{}.", text.replace(' ', ". ")),
        }));
        entry.row(text, input(&sent), bare())
    })
}

fn numbers() -> Entry {
    let entry = good(
        "claims/placeholder-numbers",
        "CLAIMS-5",
        "Every number of the list is dropped from serials and GPUs.",
    )
    .why("Counting up from 1 is what is typed where a serial must not be empty.");
    listed("number").iter().fold(entry, |entry, number| {
        let sent = claims(json!({
            "productSerial": number,
            "boardSerial": format!(" {number}\0"),
            "chassisSerial": format!("\t{number} "),
            "gpuUuids": [number, format!("GPU-{number}")],
        }));
        entry.row(number, input(&sent), bare())
    })
}

fn uuids() -> Entry {
    let entry = good(
        "claims/placeholder-uuids",
        "CLAIMS-5",
        "Every UUID of the list and its byte-swapped twin is dropped, dashed and bare.",
    )
    .why("Each was reported by many unrelated machines.");
    listed("uuid").iter().fold(entry, |entry, uuid| {
        let twin = swapped(uuid);
        let spellings = [
            ("dashed", uuid.to_ascii_uppercase()),
            ("bare", uuid.replace('-', "")),
            ("twin-dashed", twin.clone()),
            ("twin-bare", twin.replace('-', "").to_ascii_uppercase()),
        ];
        spellings.iter().fold(entry, |entry, (name, raw)| {
            entry.row(&format!("{uuid}-{name}"), input(&with(bare(), "productUuid", raw)), bare())
        })
    })
}

fn uuid_prefixes() -> Entry {
    let entry = good(
        "claims/placeholder-uuid-prefixes",
        "CLAIMS-5",
        "A UUID that begins with a listed prefix is dropped.",
    )
    .why("Some firmware fills the last field alone, with a counter or a part of something else.");
    listed("uuid_prefix").iter().fold(entry, |entry, prefix| {
        ["000000000001", "3CECEF123456", "ffffffffffff"].iter().fold(entry, |entry, tail| {
            let uuid = format!("{prefix}{tail}");
            let entry =
                entry.row(&uuid.to_ascii_lowercase(), input(&with(bare(), "productUuid", &uuid)), bare());
            let bare_digits = uuid.replace('-', "");
            entry.row(
                &bare_digits.to_ascii_lowercase(),
                input(&with(bare(), "productUuid", &bare_digits)),
                bare(),
            )
        })
    })
}

/// Every spelling of a MAC that is read.
fn spellings(colons: &str) -> [String; 4] {
    let digits = colons.replace(':', "");
    let quads = format!("{}.{}.{}", &digits[..4], &digits[4..8], &digits[8..]);
    [colons.to_owned(), colons.replace(':', "-").to_ascii_uppercase(), quads, digits.to_ascii_uppercase()]
}

fn macs() -> Entry {
    let entry =
        good("claims/placeholder-macs", "CLAIMS-5", "Every MAC of the list is dropped, in every spelling.")
            .also("CLAIMS-3")
            .why("Virtual adapters and dongles carry the same global-looking address on every machine.");
    listed("mac").iter().fold(entry, |entry, mac| {
        entry.row(mac, input(&with_list(bare(), "permanentMacs", &spellings(mac))), bare())
    })
}

fn mac_prefixes() -> Entry {
    let entry = good(
        "claims/placeholder-mac-prefixes",
        "CLAIMS-5",
        "A MAC that begins with a listed prefix is dropped, in every spelling.",
    )
    .also("CLAIMS-3")
    .why("VMware gives the host's own networks addresses from one block, the same on every host.");
    listed("mac_prefix").iter().fold(entry, |entry, prefix| {
        // Fills the prefix up to six octets.
        ["12:34:56:78:9a", "ff:fe:fd:fc:fb"].iter().fold(entry, |entry, tail| {
            let mac: String = format!("{prefix}{tail}").chars().take(17).collect();
            entry.row(&mac, input(&with_list(bare(), "permanentMacs", &spellings(&mac))), bare())
        })
    })
}

fn gpus() -> Entry {
    let row =
        |entry: Entry, name: &str, raw: &str| entry.row(name, input(&with(bare(), "gpuUuids", raw)), bare());
    let entry = good(
        "claims/placeholder-gpus",
        "CLAIMS-5",
        "A GPU's value is tested without one leading gpu-, as a UUID and as a text.",
    )
    .why("A card whose memory was never written shows a default; it says nothing about the machine.");
    let entry = row(entry, "zero", "GPU-00000000-0000-0000-0000-000000000000");
    let entry = row(entry, "zero-no-prefix", "00000000-0000-0000-0000-000000000000");
    let entry = row(entry, "ones-bare", "GPU-FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF");
    let entry = row(entry, "listed-twin", "GPU-00020003-0004-0005-0006-000700080009");
    let entry = row(entry, "listed-prefix", "GPU-00000000-0000-0000-0000-3CECEF123456");
    let entry = row(entry, "text", "GPU-N/A");
    let entry = row(entry, "text-no-prefix", "Unknown");
    let entry = row(entry, "repeated", "GPU-xxxxxxxx");
    row(entry, "prefix-alone", "GPU-")
}

fn hostname() -> Entry {
    let entry = good("claims/placeholder-hostname-kept", "CLAIMS-5", "The hostname is never a placeholder.")
        .why("It identifies nothing; operators read it, so it stays as it is.");
    let names = ["Default string", "None", "Unknown", "0", "xxxx", "00000000-0000-0000-0000-000000000000"];
    let entry = names.iter().fold(entry, |entry, name| {
        let out = normal(json!({"hostname": name.to_ascii_lowercase()}));
        entry.row(&name.replace(' ', "-").to_ascii_lowercase(), input(&with(bare(), "hostname", name)), out)
    });
    entry.row(
        "looks-like-a-slice",
        input(&with(bare(), "hostname", "MIG-7")),
        normal(json!({"hostname": "mig-7"})),
    )
}

/// One call with every kind of junk at once.
fn all_junk() -> Entry {
    let sent = claims(json!({
        "productUuid": "00000000-0000-0000-0000-000000000000",
        "productSerial": "Default string",
        "boardSerial": "To be filled by O.E.M.",
        "chassisSerial": "0123456789",
        "hostname": "localhost",
        "permanentMacs": ["02:00:00:00:00:01", "00:50:56:C0:00:08"],
        "gpuUuids": ["MIG-a65afc88"],
    }));
    accept(
        "claims/placeholder-all-junk",
        "CLAIMS-5",
        "A machine of nothing but junk keeps its hostname and refuses nothing.",
    )
    .why("Whether such a machine may join is decided later, and may be decided by a pin.")
    .call(OP, input(&sent))
    .out(normal(json!({"hostname": "localhost"})))
    .recipe(RECIPE)
}
