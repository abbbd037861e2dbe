//! `conformance diff` from outside: two subjects that agree, subjects that differ, and how it exits.

#![expect(clippy::unwrap_used, reason = "a test fails where something is missing")]

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use vectors::schema::{Case, Status};

/// The twin's program.
fn twin() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shims/python/shim.py");
    path.canonicalize().unwrap().to_string_lossy().into_owned()
}

/// The exit status and both outputs.
fn said(arguments: &[&str]) -> (i32, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_conformance")).arg("diff").args(arguments).output().unwrap();
    let text = [output.stdout, output.stderr].map(|octets| String::from_utf8(octets).unwrap()).concat();
    (output.status.code().unwrap(), text)
}

/// A faulty twin must be found within 500 calls of an op of the step that the fault breaks.
fn finds(op: &str, fault: &str) {
    let twin = twin();
    let (exit, text) = said(&["--ops", op, "--", "reference", "--", "python3", &twin, "--fault", fault]);
    assert_eq!(exit, 1, "{fault}: {text}");
    assert!(text.contains(&format!("{op} differs: --ops {op} --seed 1 --number ")), "{fault}: {text}");
}

#[test]
fn a_fault_of_the_token_is_found() {
    finds("token.parse", "token-secret-unused-bits");
    finds("token.ttl", "ttl-any-order");
    finds("token.create", "expect-empty-object");
    finds("token.admit", "expired-before-revoked");
}

#[test]
fn a_fault_of_the_seal_is_found() {
    finds("seal.open", "seal-last-duplicate");
    finds("seal.make", "seal-to-any-key");
}

#[test]
fn a_fault_of_the_request_is_found() {
    finds("csr.check", "csr-null-parameters");
    finds("binding.check", "binding-any-tag");
}

#[test]
fn a_fault_of_the_machines_identifiers_is_found() {
    finds("claims.normalize", "uuid-braces");
    finds("hwkey.derive", "vmware-not-tied");
    finds("expect.match", "expect-first-mac");
}

#[test]
fn a_fault_of_the_order_of_a_join_is_found() {
    finds("join.check", "csr-before-role");
}

#[test]
fn a_fault_of_the_answer_is_found() {
    finds("join.response.verify", "answer-long-varints");
    finds("signature.verify", "high-s-accepted");
}

#[test]
fn a_fault_of_the_files_is_found() {
    finds("keys.select", "document-duplicates");
    finds("config.load", "config-equal-pins");
    finds("pin.parse", "pin-unpadded");
}

#[test]
fn a_subject_agrees_with_itself_on_every_op() {
    let (exit, text) = said(&["--", "reference", "--", "reference", "--runs", "60", "--seed", "7"]);
    assert_eq!(exit, 0, "{text}");
    assert!(text.contains("answered alike"), "{text}");
    assert!(text.contains("seed 7"), "{text}");
}

#[test]
fn the_calls_of_every_op_are_a_healthy_mix() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let file = path.to_string_lossy();
    let (exit, text) = said(&["--json", &file, "--", "reference", "--", "reference", "--runs", "300"]);
    assert_eq!(exit, 0, "{text}");
    assert!(!text.contains("DEFECT"), "{text}");
    let report: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    for op in report["ops"].as_array().unwrap() {
        let (accepted, calls) = (op["accepted"].as_u64().unwrap(), op["calls"].as_u64().unwrap());
        assert_eq!(calls, 300, "{op}");
        assert!(accepted * 10 >= calls, "{op}");
        // A call that is no call shows nothing.
        assert!(op["otherwise"]["error"].as_u64().unwrap_or_default() * 50 <= calls, "{op}");
    }
}

#[test]
fn a_difference_is_made_again_by_its_seed_and_number_and_drafted_as_a_case() {
    let folder = tempfile::tempdir().unwrap();
    let drafts = folder.path().to_string_lossy();
    let twin = twin();
    let subjects = ["--", "reference", "--", "python3", &twin, "--fault", "uuid-braces"];
    let flags = ["--ops", "claims.normalize", "--drafts", &drafts];
    let (exit, text) = said(&[flags.as_slice(), &subjects].concat());
    assert_eq!(exit, 1, "{text}");
    let number = text.split("--number ").nth(1).unwrap().lines().next().unwrap();
    let (exit, again) =
        said(&[&["--ops", "claims.normalize", "--number", number], subjects.as_slice()].concat());
    assert_eq!(exit, 1, "{again}");
    let case = case(&folder.path().join(format!("claims/draft-claims-normalize-1-{number}.json")));
    assert_eq!((case.op.as_str(), case.status), ("claims.normalize", Status::Advisory));
    assert!(case.comment.contains("reference: accept"), "{}", case.comment);
    // Nothing is left that the difference does not need.
    let claims = case.input.unwrap()["claims"].clone();
    assert_eq!(claims.as_object().unwrap().len(), 3, "{claims}");
    assert!(claims["productUuid"].is_string(), "{claims}");
}

#[test]
fn histories_find_faults_of_answers_and_of_effects_and_draft_what_is_left_of_them() {
    let twin = twin();
    for (fault, of) in [("world-use-never-taken", "the dump"), ("renew-revoked-unchecked", "the answer")] {
        let folder = tempfile::tempdir().unwrap();
        let drafts = folder.path().to_string_lossy();
        let subjects = ["--", "reference", "--", "python3", &twin, "--fault", fault];
        let flags = ["--ops", "history", "--histories", "200", "--drafts", &drafts];
        let (exit, text) = said(&[flags.as_slice(), &subjects].concat());
        assert_eq!(exit, 1, "{fault}: {text}");
        assert!(text.contains(&format!(", {of}\n")), "{fault}: {text}");
        let number = text.split("--number ").nth(1).unwrap().lines().next().unwrap();
        let (exit, again) = said(&[&["--ops", "history", "--number", number], subjects.as_slice()].concat());
        assert_eq!(exit, 1, "{again}");
        let case = case(&folder.path().join(format!("admission/draft-history-1-{number}.json")));
        assert_eq!(case.status, Status::Advisory);
        // A use that is not taken shows at one join; a revoked certificate needs what revoked it.
        assert!(case.steps.len() <= 3, "{fault}: {} steps", case.steps.len());
    }
}

#[test]
fn healthy_subjects_play_histories_alike() {
    let (exit, text) = said(&[
        "--ops",
        "history",
        "--seed",
        "2",
        "--histories",
        "40",
        "--",
        "reference",
        "--",
        "python3",
        &twin(),
    ]);
    assert_eq!(exit, 0, "{text}");
    assert!(text.contains("40 histories of"), "{text}");
}

#[test]
fn histories_need_two_subjects_that_play_worlds() {
    let good = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/zoo/good.py");
    let good = good.to_string_lossy();
    let subjects = ["--", "reference", "--", "python3", "-B", &good];
    let (exit, text) = said(&[&["--ops", "history"], subjects.as_slice()].concat());
    assert_eq!(exit, 3, "{text}");
    let (_, text) = said(&[&["--runs", "1", "--histories", "1"], subjects.as_slice()].concat());
    assert!(text.contains("warning: no histories: not both subjects play worlds"), "{text}");
}

fn case(path: &PathBuf) -> Case {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn a_wrong_command_line_and_a_subject_that_is_not_there_are_told_apart() {
    for (exit, arguments) in [
        (64, ["--", "reference"].as_slice()),
        (64, &["--ops", "seal.close", "--", "reference", "--", "reference"]),
        (64, &["--runs", "many", "--", "reference", "--", "reference"]),
        (3, &["--", "reference", "--", "/nowhere/shim"]),
        (3, &["--", "true", "--", "reference"]),
    ] {
        let (seen, text) = said(arguments);
        assert_eq!(seen, exit, "{arguments:?}: {text}");
    }
}
