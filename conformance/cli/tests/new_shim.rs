//! `conformance new-shim` from outside: each skeleton is written, built where it must be, and judged.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use vectors::schema::Case;

const CONFORMANCE: &str = env!("CARGO_BIN_EXE_conformance");
/// The op that is the example in each skeleton.
const EXAMPLE: &str = "token.parse";
/// The page's example token, as a call has it.
const GOOD: &str = "YmNqdF9qdF8wMWtkdmRuYTAwZTAwODAwMDAwMDAwMDAwMS5BQUVDQXdRRkJnY0lDUW9MREEwT0R4QVJFaE1VRlJZWEdCa2FHeHdkSGg4";

/// A skeleton's language, and what the tests must know of it.
struct Lang {
    name: &'static str,
    /// What it is started with, from inside its folder.
    start: &'static [&'static str],
    /// What must be there to build and start it.
    tools: &'static [&'static str],
    /// Where the example's op begins: a file, the line above, and what the tests put below.
    bug: (&'static str, &'static str, &'static str),
}

const PYTHON: Lang = Lang {
    name: "python",
    start: &["python3", "shim.py"],
    tools: &["python3"],
    bug: (
        "shim.py",
        "    parsed = parse_token(call.octets(\"token\"))\n",
        "    print('noise')\n    if call.octets('token') == b'bug':\n        raise KeyError('bug')\n",
    ),
};
const GO: Lang = Lang {
    name: "go",
    start: &["./shim"],
    tools: &["go", "gofmt"],
    bug: (
        "main.go",
        "\ttext, err := call.Octets(\"token\")\n",
        "\tos.Stdout.WriteString(\"noise\\n\")\n\tif string(text) == \"bug\" {\n\t\tpanic(\"bug\")\n\t}\n",
    ),
};
const TS: Lang = Lang {
    name: "ts",
    start: &["node", "shim.mjs"],
    tools: &["node"],
    bug: (
        "shim.mjs",
        "  const parsed = parseToken(call.octets(\"token\"));\n",
        "  console.log(\"noise\");\n  if (call.octets(\"token\").toString() === \"bug\") throw new TypeError(\"bug\");\n",
    ),
};

macro_rules! for_each_language {
    ($($test:ident),+ $(,)?) => {
        mod python { $(#[test] fn $test() { super::$test(&super::PYTHON); })+ }
        mod go { $(#[test] fn $test() { super::$test(&super::GO); })+ }
        mod ts { $(#[test] fn $test() { super::$test(&super::TS); })+ }
    };
}

for_each_language! {
    the_commands_that_are_printed_run,
    the_commands_of_its_readme_run,
    the_example_passes_and_nothing_else_does,
    it_keeps_the_contract_line_by_line,
    a_bug_is_an_error_and_prints_stay_out_of_the_answers,
    it_takes_no_arguments_and_says_so_to_kill,
    every_template_is_written_as_it_is,
}

/// A skeleton that was just written; its folder's name is one that a careless shell takes apart.
struct Skeleton {
    lang: &'static Lang,
    _folder: tempfile::TempDir,
    dir: PathBuf,
    printed: String,
}

fn skeleton(lang: &'static Lang) -> Skeleton {
    for tool in lang.tools {
        assert!(has(tool), "{tool} is missing: run .ci/deps");
    }
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("it's a $SHIM");
    let output = new_shim(lang.name, &dir);
    assert!(output.status.success(), "{}", text(&output));
    Skeleton { lang, _folder: folder, printed: text(&output), dir }
}

impl Skeleton {
    /// Builds it where its language builds.
    fn build(&self) {
        if self.lang.name == "go" {
            good(Command::new("go").args(["build", "-o", "shim", "."]).current_dir(&self.dir));
        }
    }

    /// The judge with this skeleton as its shim; the exit status and what it says.
    fn judged(&self, arguments: &[&str]) -> (i32, String) {
        let mut command = Command::new(CONFORMANCE);
        command.args(arguments).arg("--").args(self.lang.start).current_dir(&self.dir);
        let output = command.output().unwrap();
        (output.status.code().unwrap(), text(&output))
    }

    /// What the shim answers to these lines; it must end well by itself.
    fn answers(&self, lines: &[u8]) -> Vec<Value> {
        let (program, arguments) = self.lang.start.split_first().unwrap();
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.dir).stderr(Stdio::null());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        // After bye nobody need read on.
        let _gone = child.stdin.take().unwrap().write_all(lines);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        let lines = String::from_utf8(output.stdout).unwrap();
        lines.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"))).collect()
    }
}

fn new_shim(lang: &str, dir: &Path) -> Output {
    Command::new(CONFORMANCE).args(["new-shim", "--lang", lang]).arg(dir).output().unwrap()
}

fn has(tool: &str) -> bool {
    let found = Command::new("sh").args(["-c", r#"command -v "$0""#, tool]).output().unwrap();
    found.status.success()
}

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|octets| String::from_utf8_lossy(octets).into_owned()).concat()
}

/// Runs a command without a network; what it says, if it ends well.
fn good(command: &mut Command) -> String {
    let output = command.env("GOPROXY", "off").env("GOFLAGS", "-mod=mod").output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", text(&output));
    text(&output)
}

/// Runs lines that call `cargo conformance`, in a shell, one by one.
fn shell(before: &str, lines: &[String]) -> String {
    let cargo = r#"set -euo pipefail; cargo() { shift; "$CONFORMANCE" "$@"; }; "#;
    let run = |line: &String| {
        let script = format!("{cargo}{before}\n{line}");
        good(Command::new("bash").args(["-c", &script]).env("CONFORMANCE", CONFORMANCE))
    };
    lines.iter().map(run).collect()
}

fn the_commands_that_are_printed_run(lang: &'static Lang) {
    let skeleton = skeleton(lang);
    let lines: Vec<String> =
        skeleton.printed.lines().filter_map(|line| line.strip_prefix("    ")).map(String::from).collect();
    let judge: Vec<&String> = lines.iter().filter(|line| line.contains("cargo conformance")).collect();
    assert!(judge[0].contains(" doctor -- ") && judge[1].contains(" run -- "), "{}", skeleton.printed);
    assert_eq!(judge.len(), 2, "{}", skeleton.printed);
    let said = shell("", &lines);
    assert!(said.contains("The shim is ready to be judged"), "{said}");
    assert!(said.contains("the op seal.open is not declared"), "{said}");
}

fn the_commands_of_its_readme_run(lang: &'static Lang) {
    let skeleton = skeleton(lang);
    let readme = fs::read_to_string(skeleton.dir.join("README.md")).unwrap();
    let blocks = readme.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let lines: Vec<String> = blocks.flat_map(str::lines).map(String::from).collect();
    let (named, lines) = lines.split_first().unwrap();
    assert_eq!(named, "DIR=path/to/this/folder");
    let conformance = lines.iter().filter(|line| line.contains("cargo conformance ")).count();
    assert_eq!(conformance, 7, "{lines:?}");
    let said = shell(&format!("DIR=\"{}\"", skeleton.dir.display().to_string().replace('$', r"\$")), lines);
    assert!(said.contains("calls, answered alike"), "{said}");
}

fn the_example_passes_and_nothing_else_does(lang: &'static Lang) {
    let skeleton = skeleton(lang);
    skeleton.build();
    let report =
        || -> Value { serde_json::from_slice(&fs::read(skeleton.dir.join("report.json")).unwrap()).unwrap() };
    let (exit, said) = skeleton.judged(&["run", "--json", "report.json"]);
    assert_eq!(exit, 0, "{said}");
    let whole = report();
    let ops: BTreeMap<String, String> = conformance::EMBEDDED
        .iter()
        .filter_map(|(_, bytes)| serde_json::from_slice::<Case>(bytes).ok())
        .map(|case| (case.id, case.op))
        .collect();
    let mut passed = 0;
    for case in whole["cases"].as_array().unwrap() {
        let op = &ops[case["id"].as_str().unwrap()];
        let expected: &[&str] = match op.as_str() {
            EXAMPLE => &["pass"],
            // A script of several calls has no op of its own.
            "" => &["not-run"],
            _ => &["unsupported", "not-run"],
        };
        assert!(expected.contains(&case["outcome"].as_str().unwrap()), "{op}: {case}");
        passed += usize::from(op == EXAMPLE);
    }
    assert_eq!(whole["subject"]["name"], "skeleton");
    assert_eq!(passed, ops.values().filter(|op| *op == EXAMPLE).count());
    let (exit, said) = skeleton.judged(&["run", "--only", &format!("op:{EXAMPLE}")]);
    assert_eq!(exit, 0, "{said}");
    assert!(said.contains(&format!("{passed} cases: {passed} pass\n")), "{said}");
    let (exit, said) = skeleton.judged(&["run", "--only", "op:token.ttl", "--json", "report.json"]);
    assert_eq!(exit, 3, "nothing was judged: {said}");
    assert!(said.contains("the op token.ttl is not declared"), "{said}");
    let totals = &report()["totals"];
    assert!(totals["pass"] == 0 && totals["unsupported"].as_u64() > Some(0), "{totals}");
}

/// Lines, and how each is answered: `r` of the answer with the line's id, or nothing.
fn it_keeps_the_contract_line_by_line(lang: &'static Lang) {
    let skeleton = skeleton(lang);
    skeleton.build();
    let hello = |min: u64, max: u64| json!({"jc": 1, "m": "hello", "protocol": {"min": min, "max": max}});
    let call = json!({"jc": 1, "m": "call", "op": EXAMPLE, "now": "2026-01-01T00:00:00.000Z", "in": {"token": GOOD}});
    let with = |name: &str, value: Value| {
        let mut call = call.clone();
        call[name] = value;
        call
    };
    let given = |value: Value| with("in", json!({"token": value}));
    let mut critical_hello = hello(1, 1);
    critical_hello["critical"] = json!(["x-made-up"]);
    let answered: Vec<(Value, &str)> = vec![
        (hello(1, 9), "accept"),
        (hello(2, 3), "unsupported"),
        (json!({"jc": 1, "m": "hello"}), "error"),
        (json!({"jc": 1, "m": "dance"}), "unsupported"),
        (json!({"jc": 1}), "unsupported or error"),
        (critical_hello, "unsupported"),
        (call.clone(), "accept"),
        (with("x-made-up", json!(1)), "accept"),
        (with("choices", json!({})), "accept"),
        (with("in", json!({"token": GOOD, "x": "\u{2028}"})), "accept"),
        (with("in", json!({"token": GOOD, "x": "long ".repeat(150_000)})), "accept"),
        (with("critical", json!(["now", "token", "choices"])), "accept"),
        (with("critical", json!(["x-made-up"])), "unsupported"),
        (with("critical", json!(["toString"])), "unsupported"),
        (with("critical", Value::Null), "error"),
        (with("choices", json!("none")), "error"),
        (with("choices", json!([])), "error"),
        (with("op", json!("seal.open")), "unsupported"),
        (with("op", json!("world.load")), "unsupported"),
        (with("op", json!("constructor")), "unsupported"),
        (with("op", json!(1)), "error"),
        (with("now", Value::Null), "error"),
        (with("in", Value::Null), "error"),
        (with("in", json!([])), "error"),
        (with("in", json!({})), "error"),
        (with("in", json!({"TOKEN": GOOD})), "error"),
        (given(Value::Null), "error"),
        (given(json!(1)), "error"),
        (given(json!(format!("{GOOD}\n"))), "error"),
        (given(json!(format!("{GOOD}="))), "error"),
        (given(json!("ab+/")), "error"),
        (given(json!("YR")), "error"),
        (given(json!("YQ")), "reject"),
        (given(json!("")), "reject"),
    ];
    let mut lines = Vec::new();
    for (id, (message, _)) in answered.iter().enumerate() {
        let mut message = message.clone();
        message["id"] = json!(id);
        lines.extend(format!("{message}\n").into_bytes());
        // What is no message is passed over, and does no harm.
        let junk = [
            "",
            "junk",
            "{",
            "[]",
            "1",
            "{\"id\":1}",
            "{\"JC\":1,\"id\":1}",
            "\u{feff}{\"jc\":1,\"id\":98}",
            "{\"jc\":1}",
        ];
        lines.extend(format!("{}\n", junk[id % junk.len()]).into_bytes());
        lines.extend(b"{\"jc\":1,\"id\":7,\"m\":\"\xff\"}\n");
    }
    let bye = b"{\"jc\":1,\"m\":\"bye\"}\n{\"jc\":1,\"id\":99,\"m\":\"late\"}\n";
    // The end of standard input means the same as bye, even inside a line.
    for (end, more) in [(&bye[..], 0), (b"", 0), (b"{\"jc\":1,\"id\":99,\"m\":\"last\"}", 1)] {
        let answers = skeleton.answers(&[&lines[..], end].concat());
        assert_eq!(answers.len(), answered.len() + more);
        for (id, (answer, (message, expected))) in answers.iter().zip(&answered).enumerate() {
            assert_eq!((&answer["jc"], &answer["id"]), (&json!(1), &json!(id)), "{answer}");
            let said = answer["r"].as_str().unwrap();
            assert!(expected.split(" or ").any(|one| one == said), "{message} is {answer}, not {expected}");
        }
        assert_eq!(answers[0]["ops"], json!([EXAMPLE]));
        let hash = "Yw3NKWbEM2aRElRIu7JbT_QSpJxzLbLIq8G4WBvXEN0";
        assert_eq!(answers[6]["out"], json!({"id": "jt_01kdvdna00e008000000000001", "secretSha256": hash}));
        assert_eq!(answers.get(answered.len() - 1).unwrap()["cat"], "token-malformed");
    }
}

fn a_bug_is_an_error_and_prints_stay_out_of_the_answers(lang: &'static Lang) {
    let skeleton = skeleton(lang);
    let (file, line, bug) = lang.bug;
    let file = skeleton.dir.join(file);
    let whole = fs::read_to_string(&file).unwrap();
    assert_eq!(whole.matches(line).count(), 1, "the op of {} has changed: mend this test", lang.name);
    fs::write(&file, whole.replace(line, &format!("{line}{bug}"))).unwrap();
    skeleton.build();
    let call = |id: u64, token: &str| {
        let call = json!({"jc": 1, "id": id, "m": "call", "op": EXAMPLE, "now": "", "in": {"token": token}});
        format!("{call}\n")
    };
    // YnVn is `bug`.
    let lines = [call(1, GOOD), call(2, "YnVn"), call(3, GOOD)].concat();
    let answers = skeleton.answers(lines.as_bytes());
    let words: Vec<&Value> = answers.iter().map(|answer| &answer["r"]).collect();
    assert_eq!(words, ["accept", "error", "accept"]);
    assert!(answers[1]["detail"].as_str().unwrap().starts_with("bug: "), "{}", answers[1]);
    let (exit, said) = skeleton.judged(&["doctor"]);
    assert_eq!(exit, 0, "{said}");
}

fn it_takes_no_arguments_and_says_so_to_kill(lang: &'static Lang) {
    let skeleton = skeleton(lang);
    skeleton.build();
    let (exit, said) = skeleton.judged(&["kill"]);
    assert_eq!(exit, 3, "{said}");
    assert!(said.contains("--list-faults: ") && said.contains("this shim takes no arguments"), "{said}");
}

fn every_template_is_written_as_it_is(lang: &'static Lang) {
    let skeleton = skeleton(lang);
    let templates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shims/templates").join(lang.name);
    let files = |folder: &Path| -> BTreeMap<String, String> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let read = |path: PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            path.is_file().then(|| (name, fs::read_to_string(&path).unwrap()))
        };
        entries.filter_map(read).collect()
    };
    let written = files(&skeleton.dir);
    assert_eq!(written, files(&templates));
    assert!(written.values().any(|text| text.contains("PLUG IN: this is the example")));
    let named: BTreeSet<&str> =
        written.keys().map(String::as_str).filter(|name| skeleton.printed.contains(name)).collect();
    assert_eq!(named.len(), written.len(), "{}", skeleton.printed);
}

#[test]
fn the_go_skeleton_is_formatted_and_vetted() {
    let skeleton = skeleton(&GO);
    assert_eq!(good(Command::new("gofmt").args(["-l", "-s", "."]).current_dir(&skeleton.dir)), "");
    good(Command::new("go").args(["vet", "."]).current_dir(&skeleton.dir));
}

#[test]
fn the_types_of_the_ts_skeleton_hold() {
    let skeleton = skeleton(&TS);
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/node_modules");
    let checker = packages.join("typescript/bin/tsc");
    assert!(checker.is_file(), "typescript is missing: run .ci/deps");
    let check = || {
        let mut command = Command::new("node");
        command.arg(&checker).arg("--typeRoots").arg(packages.join("@types"));
        command.arg("-p").arg(&skeleton.dir).output().unwrap()
    };
    let output = check();
    assert!(output.status.success(), "{}", text(&output));
    // The types are looked at: a wrong one is told of.
    let file = skeleton.dir.join("shim.mjs");
    let wrong =
        fs::read_to_string(&file).unwrap().replace("return { id: parsed.id,", "return { id: parsed.ident,");
    fs::write(&file, wrong).unwrap();
    let output = check();
    assert!(text(&output).contains("Property 'ident' does not exist"), "{}", text(&output));
}

#[test]
fn only_a_new_or_an_empty_folder_is_written_into() {
    let folder = tempfile::tempdir().unwrap();
    assert!(new_shim("python", folder.path()).status.success(), "an empty folder");
    assert!(new_shim("python", &folder.path().join("a/b")).status.success(), "a new folder in a new one");
    let full = folder.path().join("full");
    fs::create_dir(&full).unwrap();
    fs::write(full.join(".keep"), "mine").unwrap();
    for (place, why) in
        [(full.clone(), "is not empty, .keep is in it"), (full.join(".keep"), "Not a directory")]
    {
        let output = new_shim("python", &place);
        assert_eq!(output.status.code(), Some(64));
        let said = text(&output);
        assert!(said.contains(place.to_str().unwrap()) && said.contains(why), "{said}");
        assert!(said.contains("name a new or an empty folder"), "{said}");
    }
    let left: Vec<_> = fs::read_dir(&full).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, [".keep"]);
    assert_eq!(fs::read_to_string(full.join(".keep")).unwrap(), "mine");
}

#[test]
fn an_unknown_language_is_told_the_three() {
    let folder = tempfile::tempdir().unwrap();
    let output = new_shim("cobol", &folder.path().join("new"));
    assert_eq!(output.status.code(), Some(64));
    assert!(text(&output).contains("[possible values: python, go, ts]"), "{}", text(&output));
    assert!(!folder.path().join("new").exists());
}
