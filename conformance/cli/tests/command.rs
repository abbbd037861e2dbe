//! The command from outside: what it prints and how it exits.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use vectors::manifest::{self, Files};
use vectors::schema::Case;

fn conformance(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_conformance")).args(arguments).output().unwrap()
}

/// The exit status, and both outputs as one text.
fn said(arguments: &[&str]) -> (i32, String) {
    let output = conformance(arguments);
    let text = [output.stdout, output.stderr].map(|octets| String::from_utf8(octets).unwrap()).concat();
    (output.status.code().unwrap(), text)
}

fn exits(code: i32, words: &str, arguments: &[&str]) {
    let (seen, text) = said(arguments);
    assert_eq!(seen, code, "{arguments:?}: {text}");
    assert!(text.contains(words), "{arguments:?}: {text}");
}

/// A folder with the embedded vectors.
fn data() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, bytes) in conformance::EMBEDDED {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

/// A folder with the cases of one op alone, signed with the development key.
fn small_data(op: &str) -> tempfile::TempDir {
    let case = |bytes: &[u8]| serde_json::from_slice::<Case>(bytes).ok().filter(|case| case.op == op);
    let cases: Vec<Case> = conformance::EMBEDDED.iter().filter_map(|(_, bytes)| case(bytes)).collect();
    let mut files: Files = conformance::EMBEDDED
        .iter()
        .filter(|(_, bytes)| case(bytes).is_some())
        .map(|(path, bytes)| ((*path).into(), bytes.to_vec()))
        .collect();
    let manifest = manifest::to_bytes(&manifest::describe(&files, &cases, "00".into())).unwrap();
    let pem = include_str!("../../../vectors/keys/development.pem");
    files.insert(manifest::SIGNATURE.into(), manifest::sign(&manifest, pem).unwrap().into_bytes());
    files.insert(manifest::MANIFEST.into(), manifest);
    let folder = tempfile::tempdir().unwrap();
    for (path, bytes) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

fn zoo(script: &str) -> String {
    format!("{}/../tests/zoo/{script}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_wrong_command_line_exits_64_with_one_clear_sentence() {
    exits(64, "similar subcommands exist: 'run', 'rules'", &["rule"]);
    exits(64, "unexpected argument '--olny'", &["run", "--olny", "x"]);
    exits(64, "there is no such case; did you mean", &["explain", "token/ttl-goood"]);
    exits(64, "there is no selector", &["run", "--only", "stpe:token"]);
    exits(64, "no case matches", &["run", "--only", "rule:NOTHING-1"]);
    exits(64, "a shard is i/n", &["run", "--shard", "5/2"]);
    exits(64, "/no/such/file.toml: ", &["run", "--expect", "/no/such/file.toml"]);
    exits(64, "there is no such folder", &["verify", "--vectors", "/no/such/folder"]);
    exits(0, "Judges implementations", &["--help"]);
}

#[test]
fn what_cannot_be_run_exits_3() {
    exits(3, "cannot be started", &["run", "--", "/no/such/shim"]);
    exits(3, "ended its output before it answered hello", &["run", "--", "true"]);
    exits(3, "no case is left", &["run", "--only", "step:token", "--not", "step:token"]);
}

#[test]
fn the_embedded_vectors_are_authentic() {
    exits(0, " vectors", &["verify"]);
}

#[test]
fn vectors_that_were_changed_exit_4_and_the_file_is_named() {
    let folder = data();
    let path = folder.path().to_str().unwrap();
    exits(0, "cases", &["verify", "--vectors", path]);
    let (file, _) = conformance::EMBEDDED.iter().find(|(file, _)| file.starts_with("token/")).unwrap();
    let mut text = fs::read(folder.path().join(file)).unwrap();
    text.push(b' ');
    fs::write(folder.path().join(file), text).unwrap();
    exits(4, file, &["verify", "--vectors", path]);
    exits(4, file, &["run", "--vectors", path]);
    exits(0, "THIS RUN PROVES NOTHING", &["run", "--vectors", path, "--unsigned", "--only", "step:token"]);
    fs::remove_file(folder.path().join("manifest.jws")).unwrap();
    exits(4, "manifest.jws: missing", &["verify", "--vectors", path]);
}

#[test]
fn vectors_of_another_key_need_that_key() {
    let folder = data();
    let path = folder.path().to_str().unwrap();
    let (private, public) = own_key();
    let manifest = fs::read(folder.path().join("manifest.json")).unwrap();
    let signature = manifest::sign(&manifest, &private).unwrap();
    fs::write(folder.path().join("manifest.jws"), signature).unwrap();
    exits(4, "signed by another key", &["verify", "--vectors", path]);
    let key = tempfile::NamedTempFile::new().unwrap();
    fs::write(key.path(), public).unwrap();
    exits(
        0,
        "signed by the key",
        &["verify", "--vectors", path, "--trust-key", key.path().to_str().unwrap()],
    );
}

/// A key made by another program.
fn own_key() -> (String, String) {
    let openssl = |arguments: &[&str], input: &[u8]| {
        let mut child = Command::new("openssl")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
    };
    let private = openssl(&["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"], b"");
    let public = openssl(&["pkey", "-pubout"], private.as_bytes());
    (private, public)
}

#[test]
fn a_run_writes_every_report() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (json, junit, markdown, wire) = (path("a.json"), path("a.xml"), path("a.md"), path("wire"));
    let mut arguments = vec!["run", "--only", "op:token.ttl", "--json", &json, "--junit", &junit];
    arguments.extend(["--markdown", &markdown, "--wire", &wire]);
    exits(0, "No claim:", &arguments);
    let report: Value = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!(report["totals"].as_object().unwrap().len(), 13);
    assert_eq!(report["complete"], false);
    assert_eq!(report["manifest"].as_str().unwrap().len(), 64);
    assert!(report["cases"].as_array().unwrap().iter().all(|case| case["outcome"] == "pass"));
    assert!(fs::read_to_string(&junit).unwrap().contains("<testsuites"));
    assert!(fs::read_to_string(&markdown).unwrap().starts_with("# Conformance of reference"));
    let wire = fs::read_to_string(&wire).unwrap();
    assert!(wire.starts_with("> {") && wire.contains("\n< {"));
    assert!(!wire.contains("token/ttl"), "no call names its case");
    exits(64, "no case matches", &["run", "--only", &format!("failed-in:{json}")]);
}

#[test]
fn several_processes_give_the_verdicts_of_one() {
    let folder = tempfile::tempdir().unwrap();
    let cases = |processes: &str| {
        let file = folder.path().join(processes);
        let file = file.to_str().unwrap();
        exits(0, "No claim:", &["run", "--only", "step:time", "--processes", processes, "--json", file]);
        let report: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        report["cases"].clone()
    };
    let one = cases("1");
    assert!(one.as_array().unwrap().iter().any(|case| case["id"] == "time/one-clock"), "{one}");
    assert_eq!(cases("3"), one);
    exits(64, "--processes", &["run", "--processes", "0"]);
    exits(64, "--wire", &["run", "--processes", "2", "--wire", "nowhere"]);
}

#[test]
fn ids_are_revealed_only_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let wire = folder.path().join("wire");
    exits(
        0,
        "No claim",
        &["run", "--only", "op:token.ttl", "--reveal-ids", "--wire", wire.to_str().unwrap()],
    );
    assert!(fs::read_to_string(&wire).unwrap().contains("\"case\":\"token/ttl"));
}

#[test]
fn a_shim_that_fails_exits_1_until_it_is_expected_and_2_when_that_is_stale() {
    let (data, folder) = (small_data("token.ttl"), tempfile::tempdir().unwrap());
    let data = data.path().to_str().unwrap();
    let file = folder.path().join("expect.toml");
    let file = file.to_str().unwrap();
    let shim = zoo("one_fault.py");
    let run = |more: &[&str], fault: &str| {
        let begin = ["run", "--vectors", data];
        let end = ["--", "python3", "-B", &shim, fault];
        said(&begin.iter().chain(more).chain(&end).copied().collect::<Vec<_>>())
    };
    let (code, text) = run(&[], "");
    assert_eq!(code, 0, "{text}");
    let (code, text) = run(&[], "accepts");
    assert_eq!(code, 1, "{text}");
    let mut update = vec!["expect", "update", "--vectors", data, "--expect", file, "--reason", "known"];
    update.extend(["--link", "https://x/1", "--expires", "2999-12-31"]);
    update.extend(["--", "python3", "-B", &shim, "accepts"]);
    exits(0, "1 entries", &update);
    let (code, text) = run(&["--expect", file], "accepts");
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("[expected: known]"), "{text}");
    let (code, text) = run(&["--expect", file], "");
    assert_eq!(code, 2, "{text}");
    assert!(text.contains("token/ttl-too-long: is pass (invalid-argument) now, not fail"), "{text}");
}

#[test]
fn a_case_is_repeated_through_a_pipe() {
    let output = conformance(&["repro", "token/ttl-good"]);
    let comments = String::from_utf8(output.stderr).unwrap();
    assert!(comments.lines().all(|line| line.starts_with('#')), "{comments}");
    let mut shim = Command::new(env!("CARGO_BIN_EXE_conformance"))
        .arg("serve-reference")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    shim.stdin.take().unwrap().write_all(&output.stdout).unwrap();
    let answers = String::from_utf8(shim.wait_with_output().unwrap().stdout).unwrap();
    let sent = String::from_utf8(output.stdout).unwrap();
    // Every line but bye is answered.
    assert_eq!(answers.lines().count(), sent.lines().count() - 1, "{answers}");
}

#[test]
fn doctor_finds_nothing_in_the_reference_and_says_what_to_mend_elsewhere() {
    exits(0, "The shim is ready", &["doctor"]);
    let shim = zoo("always_accepts.py");
    exits(1, "must be answered unsupported", &["doctor", "--", "python3", "-B", &shim]);
    exits(1, "answer it with one JSON line", &["doctor", "--", "true"]);
}

#[test]
fn rules_are_listed_for_people_and_machines() {
    exits(0, "rules are shown by cases", &["rules"]);
    let output = conformance(&["rules", "--json"]);
    let rules: Value = serde_json::from_slice(&output.stdout).unwrap();
    let seal = rules.as_array().unwrap().iter().find(|rule| rule["id"] == "SEAL-3").unwrap();
    assert_eq!(seal["source"], "documented");
    assert_eq!(seal["shown"], true);
}

#[test]
fn a_survivor_exits_1_and_stands_in_the_matrix() {
    let (data, folder) = (small_data("token.ttl"), tempfile::tempdir().unwrap());
    let file = folder.path().join("kill.json");
    let (data, file) = (data.path().to_str().unwrap(), file.to_str().unwrap());
    let shim = zoo("one_fault.py");
    let kill = |fault: &str| {
        let begin = ["kill", "--vectors", data, "--json", file, "--fault", fault];
        let (code, text) = said(&[&begin[..], &["--", "python3", "-B", &shim]].concat());
        let matrix: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
        (code, text, matrix)
    };
    let (code, text, matrix) = kill("accepts");
    assert_eq!(code, 0, "{text}");
    assert_eq!(matrix["faults"][0]["caught_by"], serde_json::json!(["token/ttl-too-long"]));
    assert_eq!(matrix["survivors"], serde_json::json!([]));
    let (code, text, matrix) = kill("*");
    assert_eq!(code, 1, "{text}");
    assert_eq!(matrix["survivors"], serde_json::json!(["rejects", "undeclared", "word"]));
    assert!(text.contains("word breaks CONFIG-1 and survives: no case notices it"), "{text}");
    let dirty = ["kill", "--vectors", data, "--", "python3", "-B", &shim, "accepts"];
    exits(3, "--list-faults", &dirty);
}
