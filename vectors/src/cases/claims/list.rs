//! Lists are sets: order and duplicates do not matter.

use serde_json::json;

use super::{bare, good, input, normal};
use crate::case::Entry;
use crate::testkit::claims::{with, with_list};

pub(super) fn entries() -> Vec<Entry> {
    vec![macs(), gpus(), serials()]
}

fn macs() -> Entry {
    let kept = ["00:1b:21:aa:00:02", "3c:ec:ef:12:34:56", "94:de:80:06:f8:d5"];
    let orders: [(&str, &[&str]); 5] = [
        ("sorted", &["00:1b:21:aa:00:02", "3c:ec:ef:12:34:56", "94:de:80:06:f8:d5"]),
        ("reversed", &["94:de:80:06:f8:d5", "3c:ec:ef:12:34:56", "00:1b:21:aa:00:02"]),
        ("case-would-sort-otherwise", &["94:DE:80:06:F8:D5", "00-1B-21-AA-00-02", "3CECEF123456"]),
        (
            "duplicates",
            &[
                "3c:ec:ef:12:34:56",
                "94:de:80:06:f8:d5",
                "3C-EC-EF-12-34-56",
                "00:1b:21:aa:00:02",
                "3cec.ef12.3456",
            ],
        ),
        (
            "dropped-between",
            &["94:de:80:06:f8:d5", "", "3c:ec:ef:12:34:56", "02:00:00:00:00:01", "00:1b:21:aa:00:02"],
        ),
    ];
    let entry = good("claims/list-macs", "CLAIMS-6", "A list of MACs is sorted and has each address once.")
        .why("The kernel numbers ports differently at each boot; bond members report one address twice.");
    orders.iter().fold(entry, |entry, (name, sent)| {
        entry.row(
            name,
            input(&with_list(bare(), "permanentMacs", sent)),
            normal(json!({ "permanentMacs": kept })),
        )
    })
}

fn gpus() -> Entry {
    let kept = ["0x9", "gpu-2e4159a0", "gpu-41255406", "\u{c4}-1"];
    let orders: [(&str, &[&str]); 3] = [
        ("sorted", &["0x9", "gpu-2e4159a0", "gpu-41255406", "\u{c4}-1"]),
        ("reversed", &["\u{c4}-1", "GPU-41255406", "gpu-2e4159a0", "0X9"]),
        (
            "duplicates",
            &["GPU-41255406", "0x9", "gpu-41255406", "\u{c4}-1", "GPU-2E4159A0", "0X9 ", "\u{c4}-1"],
        ),
    ];
    let entry =
        good("claims/list-gpus", "CLAIMS-6", "A list of GPUs is sorted by octets and has each value once.")
            .why("A sort by locale puts values outside ASCII elsewhere.");
    orders.iter().fold(entry, |entry, (name, sent)| {
        entry.row(name, input(&with_list(bare(), "gpuUuids", sent)), normal(json!({ "gpuUuids": kept })))
    })
}

fn serials() -> Entry {
    let same = ["productSerial", "boardSerial", "chassisSerial"]
        .iter()
        .fold(bare(), |claims, member| with(claims, member, "ABC1"));
    good(
        "claims/serials-keep-their-places",
        "CLAIMS-1",
        "Equal serials stay in their three places: they are no list.",
    )
    .why("Which field a serial came from matters later; that they are equal does too.")
    .row(
        "one-value-in-three",
        input(&same),
        normal(json!({"productSerial": "abc1", "boardSerial": "abc1", "chassisSerial": "abc1"})),
    )
    .row(
        "one-dropped",
        input(&with(same, "boardSerial", "Default string")),
        normal(json!({"productSerial": "abc1", "chassisSerial": "abc1"})),
    )
}
