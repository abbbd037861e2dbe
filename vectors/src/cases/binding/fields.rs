//! Every field of the request is held by the binding, each alone (BINDING-2).

use serde_json::Value;

use super::{BOUND, CHOICE, call, csr, right, sent};
use crate::case::{Entry, reject};
use crate::testkit::encode::b64u;

pub(super) fn entries() -> Vec<Entry> {
    vec![texts(), lists()]
}

fn family(name: &str, title: &str) -> Entry {
    reject(&format!("binding/{name}"), "BINDING-2", "request-binding", title)
        .also("BINDING-1")
        .choice(CHOICE, "checked")
        .family("binding.check")
        .refused()
        .twin(BOUND, &["/in/request/claims"], "the claim of the row is changed after the CSR is signed")
        .recipe("Change one claim after the CSR is signed.")
}

/// A row whose request has one claim changed.
fn changed(entry: Entry, row: &str, change: impl Fn(&mut Value)) -> Entry {
    let mut request = sent();
    change(&mut request["claims"]);
    entry.bad(row, call(&csr(&[&right()]), &request, false))
}

fn texts() -> Entry {
    let entry = family("claim-changed", "A claim that was changed, added to or taken away is refused.")
        .why("A hash that leaves one field out leaves that one to the gateway.");
    let names = ["productUuid", "productSerial", "boardSerial", "chassisSerial", "hostname"];
    let entry = names.iter().fold(entry, |entry, name| {
        let entry = changed(entry, &format!("{name}-changed"), |claims| claims[*name] = b64u("x").into());
        changed(entry, &format!("{name}-absent"), |claims| {
            claims.as_object_mut().map(|members| members.remove(*name));
        })
    });
    let entry = changed(entry, "in-another-case", |claims| claims["hostname"] = b64u("b7-u12").into());
    changed(entry, "two-swapped", |claims| {
        let board = claims["boardSerial"].take();
        claims["boardSerial"] = claims["chassisSerial"].take();
        claims["chassisSerial"] = board;
    })
}

fn lists() -> Entry {
    let entry = family("list-changed", "A MAC or GPU that was added, dropped or moved is refused.")
        .why("As sets some of these are the same claims; as a request they are not what the machine signed.");
    let list = |claims: &mut Value, name: &str, change: fn(&mut Vec<Value>)| {
        claims[name].as_array_mut().map(change);
    };
    let entry = changed(entry, "mac-added", |claims| {
        list(claims, "permanentMacs", |macs| macs.push(b64u("x").into()))
    });
    let entry =
        changed(entry, "mac-dropped", |claims| list(claims, "permanentMacs", |macs| macs.truncate(2)));
    let entry =
        changed(entry, "macs-reversed", |claims| list(claims, "permanentMacs", |macs| macs.swap(0, 1)));
    let entry = changed(entry, "macs-none", |claims| list(claims, "permanentMacs", Vec::clear));
    let entry =
        changed(entry, "gpu-added", |claims| list(claims, "gpuUuids", |gpus| gpus.push(b64u("x").into())));
    let entry = changed(entry, "gpu-dropped", |claims| list(claims, "gpuUuids", Vec::clear));
    changed(entry, "mac-became-gpu", |claims| {
        let moved = claims["permanentMacs"].as_array_mut().and_then(Vec::pop).unwrap_or_default();
        if let Some(gpus) = claims["gpuUuids"].as_array_mut() {
            gpus.insert(0, moved);
        }
    })
}
