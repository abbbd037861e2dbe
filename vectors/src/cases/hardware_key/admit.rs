//! What a join-token join needs of the hardware key, with and without a pin (HARDWARE-KEY-3).

use serde_json::{Value, json};

use super::{GPU, MAC, UUID, also, machine};
use crate::case::{Entry, accept, reject};
use crate::testkit::claims::{full, with};
use crate::testkit::request::claims;

const OP: &str = "hwkey.admit";
const TRUSTED: &str = "hardware_key/admit-trusted";
const TWIN: &str = "hardware_key/admit-full-set";
const RECIPE: &str =
    "A join-token join with these claims; pinned: its token has an expect that one of the claims matches.";
const DELL: &str = "4C4C4544-0051-3410-8051-B5C04F375931";

pub(super) fn entries() -> Vec<Entry> {
    vec![
        trusted(),
        full_set(),
        pinned_trusted(),
        pinned_untrusted(),
        pinned_cards(),
        no_key(),
        untrusted(),
        cards(),
        junk(),
        tied_kinds(),
        tied_facts(),
        tied_facts_third(),
        tied_facts_pinned(),
        bad_claims(),
    ]
}

fn input(set: &Value, pinned: bool) -> Value {
    json!({"claims": claims(set.clone()), "pinned": pinned})
}

fn good(id: &str, title: &str) -> Entry {
    accept(id, "HARDWARE-KEY-3", title).family(OP).recipe(RECIPE)
}

fn yes(entry: Entry, name: &str, set: &Value, pinned: bool, trusted: bool) -> Entry {
    entry.row(name, input(set, pinned), json!({ "trusted": trusted }))
}

/// A family of refusals; its twin is a row of [`trusted`] or a case by itself.
fn bad(id: &str, title: &str, twin: &str, at: &[&str], what: &str) -> Entry {
    reject(id, "HARDWARE-KEY-3", "placeholder-hardware", title)
        .family(OP)
        .twin(twin, at, what)
        .refused()
        .recipe(RECIPE)
}

/// Junk in every field: nothing survives but the hostname.
fn all_junk() -> Value {
    json!({
        "productUuid": "00000000-0000-0000-0000-000000000000",
        "productSerial": "Default string",
        "boardSerial": "To Be Filled By O.E.M.",
        "chassisSerial": "System Serial Number",
        "hostname": "node-17",
        "permanentMacs": ["02:00:00:00:00:01"],
        "gpuUuids": ["MIG-a65afc88"],
    })
}

fn trusted() -> Entry {
    let entry = good(TRUSTED, "Without a pin a machine with a trusted key and a UUID or serial is admitted.")
        .documented()
        .why("Every pair of kinds with a UUID or a serial in it is enough.");
    let entry = yes(entry, "all", &machine(), false, true);
    let entry =
        yes(entry, "uuid-serial", &json!({"productUuid": UUID, "productSerial": "SN-7701"}), false, true);
    let entry = yes(entry, "uuid-mac", &json!({"productUuid": UUID, "permanentMacs": [MAC]}), false, true);
    let entry = yes(entry, "uuid-gpu", &json!({"productUuid": UUID, "gpuUuids": [GPU]}), false, true);
    let entry = yes(
        entry,
        "board-serial-mac",
        &json!({"boardSerial": "CN7220036H04QB", "permanentMacs": [MAC]}),
        false,
        true,
    );
    yes(entry, "chassis-serial-gpu", &json!({"chassisSerial": "CH-3301", "gpuUuids": [GPU]}), false, true)
}

/// The one accepted call that refusals by a single change start from.
fn full_set() -> Entry {
    accept(TWIN, "HARDWARE-KEY-3", "A machine that claims everything is admitted without a pin.")
        .documented()
        .why("The accepted twin of refusals for placeholder hardware.")
        .call(OP, json!({"claims": full(), "pinned": false}))
        .out(json!({"trusted": true}))
        .recipe(RECIPE)
}

fn pinned_trusted() -> Entry {
    let entry = good(
        "hardware_key/admit-pinned-trusted",
        "With a pin a machine with a trusted key and a UUID or serial keeps its trust.",
    )
    .why("A pin lifts the refusal; it does not lower what is trusted anyway.");
    let entry = yes(entry, "all", &machine(), true, true);
    yes(entry, "uuid-serial", &json!({"productUuid": UUID, "productSerial": "SN-7701"}), true, true)
}

fn pinned_untrusted() -> Entry {
    let entry = good(
        "hardware_key/admit-pinned-untrusted",
        "With a pin a machine with a missing or untrusted key joins, untrusted.",
    )
    .documented()
    .why("An operator has looked at this machine; that says nothing about the next one with the same junk.");
    let entry = yes(entry, "nothing", &json!({}), true, false);
    let entry = yes(entry, "hostname-only", &json!({"hostname": "node-17"}), true, false);
    let entry = yes(entry, "uuid-only", &json!({"productUuid": UUID}), true, false);
    let entry = yes(entry, "serial-only", &json!({"productSerial": "SN-7701"}), true, false);
    let entry = yes(entry, "mac-only", &json!({"permanentMacs": [MAC]}), true, false);
    let entry = yes(entry, "junk", &all_junk(), true, false);
    let junk_and_mac = also(all_junk(), json!({"permanentMacs": ["02:00:00:00:00:01", MAC]}));
    yes(entry, "junk-and-the-pinned-mac", &junk_and_mac, true, false)
}

fn pinned_cards() -> Entry {
    let entry = good(
        "hardware_key/admit-pinned-cards",
        "With a pin a machine of MACs and GPUs alone joins with an untrusted key.",
    )
    .why("Two kinds, but nothing soldered or printed: cards move between machines, so it never reclaims.");
    yes(entry, "mac-gpu", &json!({"permanentMacs": [MAC], "gpuUuids": [GPU]}), true, false)
}

fn no_key() -> Entry {
    bad(
        "hardware_key/admit-no-key",
        "Without a pin a machine without a key is refused.",
        "hardware_key/admit-pinned-untrusted#nothing",
        &["/in/pinned"],
        "no pin",
    )
    .documented()
    .why("Every machine without identifiers would otherwise be a new node each time it joins.")
    .bad("nothing", input(&json!({}), false))
}

fn untrusted() -> Entry {
    let entry = bad(
        "hardware_key/admit-untrusted",
        "Without a pin a machine with one kind of identifier is refused.",
        TWIN,
        &["/in/claims"],
        "only one kind of identifier survives",
    )
    .documented()
    .why("One value may be a placeholder that no list has yet.");
    let rows = [
        ("uuid", json!({"productUuid": UUID})),
        ("product-serial", json!({"productSerial": "SN-7701"})),
        (
            "three-serials",
            json!({"productSerial": "SN-7701", "boardSerial": "CN7220036H04QB", "chassisSerial": "CH-3301"}),
        ),
        (
            "one-value-thrice",
            json!({"productSerial": "ABC1", "boardSerial": "ABC1", "chassisSerial": "ABC1"}),
        ),
        ("two-macs", json!({"permanentMacs": [MAC, super::MAC_2]})),
        ("uuid-hostname", json!({"productUuid": UUID, "hostname": "node-17"})),
        ("uuid-default-string", json!({"productUuid": UUID, "productSerial": "Default string"})),
        (
            "zero-uuid-serial",
            json!({"productUuid": "00000000-0000-0000-0000-000000000000", "productSerial": "SN-7701"}),
        ),
        ("serial-local-mac", json!({"productSerial": "SN-7701", "permanentMacs": ["02:00:00:00:00:01"]})),
    ];
    rows.iter().fold(entry, |entry, (name, set)| entry.bad(name, input(set, false)))
}

fn cards() -> Entry {
    bad(
        "hardware_key/admit-cards",
        "Without a pin a machine of MACs and GPUs alone is refused, although its key is trusted.",
        "hardware_key/admit-pinned-cards#mac-gpu",
        &["/in/pinned"],
        "no pin",
    )
    .documented()
    .why("Neither a product UUID nor a serial survived: cards alone are not a machine.")
    .bad("mac-gpu", input(&json!({"permanentMacs": [MAC], "gpuUuids": [GPU]}), false))
}

fn junk() -> Entry {
    bad(
        "hardware_key/admit-junk",
        "Without a pin a machine of nothing but junk is refused.",
        "hardware_key/admit-pinned-untrusted#junk",
        &["/in/pinned"],
        "no pin",
    )
    .documented()
    .why("Zero UUID, default strings and local MACs are what a whole product line reports.")
    .bad("junk", input(&all_junk(), false))
}

fn dell() -> Value {
    json!({"productUuid": DELL, "productSerial": "5Q4Q7Y1"})
}

fn tied_kinds() -> Entry {
    let entry = good(
        "hardware_key/admit-dell-kinds",
        "Under kinds a Dell with its tag alone is admitted without a pin.",
    )
    .choice("hwkey.independence", "kinds")
    .why("Two kinds, one fact: what this value gives up.");
    yes(entry, "uuid-tag", &dell(), false, true)
}

fn tied_facts() -> Entry {
    bad(
        "hardware_key/admit-dell-facts",
        "Under facts a Dell with its tag alone is refused without a pin.",
        "hardware_key/admit-dell-pinned-facts#uuid-tag",
        &["/in/pinned"],
        "no pin",
    )
    .choice("hwkey.independence", "facts")
    .why("The UUID is computed from the tag: one fact is not enough.")
    .bad("uuid-tag", input(&dell(), false))
}

fn tied_facts_third() -> Entry {
    let entry = good(
        "hardware_key/admit-dell-mac-facts",
        "Under facts a Dell with its tag and a MAC is admitted without a pin.",
    )
    .choice("hwkey.independence", "facts")
    .why("The MAC is a second fact.");
    yes(entry, "uuid-tag-mac", &also(dell(), json!({"permanentMacs": [MAC]})), false, true)
}

fn tied_facts_pinned() -> Entry {
    let entry = good(
        "hardware_key/admit-dell-pinned-facts",
        "Under facts a Dell with its tag alone joins by a pin, untrusted.",
    )
    .choice("hwkey.independence", "facts")
    .why("The way in for machines that show one fact twice.");
    yes(entry, "uuid-tag", &dell(), true, false)
}

fn bad_claims() -> Entry {
    let row = |member: &str, raw: &[u8], pinned: bool| {
        let claims = with(full(), member, raw);
        json!({ "claims": claims, "pinned": pinned })
    };
    reject(
        "hardware_key/admit-bad-claims",
        "HARDWARE-KEY-3",
        "claims",
        "Claims that refuse are refused before the key is looked at, pin or not.",
    )
    .also("CLAIMS-1")
    .why("A pin lifts the placeholder rule alone.")
    .family(OP)
    .twin(
        TWIN,
        &["/in/claims/productSerial", "/in/claims/hostname", "/in/pinned"],
        "one value has a control character or is no UTF-8",
    )
    .refused()
    .recipe(RECIPE)
    .bad("control", row("productSerial", b"SN-77\x0101", false))
    .bad("control-pinned", row("productSerial", b"SN-77\x0101", true))
    .bad("utf8-in-the-hostname", row("hostname", b"node\xff17", false))
}
