//! Speaks jc/1 with the program: every line that a judge may send gets one answer, and none ends the process.

#![expect(clippy::unwrap_used, reason = "what the tests share fails as the tests do")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

mod world;

/// The token of the token page's example.
const TOKEN: &str = "bcjt_jt_01kdvdna00e008000000000001.AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
/// `b64u` of that token and of the hash of its secret, by another base64 writer.
const TOKEN_B64U: &str = "YmNqdF9qdF8wMWtkdmRuYTAwZTAwODAwMDAwMDAwMDAwMS5BQUVDQXdRRkJnY0lDUW9MREEwT0R4QVJFaE1VRlJZWEdCa2FHeHdkSGg4";
const SECRET_SHA256_B64U: &str = "Yw3NKWbEM2aRElRIu7JbT_QSpJxzLbLIq8G4WBvXEN0";

struct Shim {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Shim {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_reference-shim"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, input, output }
    }

    fn write(&mut self, line: &[u8]) {
        self.input.write_all(line).unwrap();
        self.input.write_all(b"\n").unwrap();
    }

    fn read(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn ask(&mut self, message: &Value) -> Value {
        self.write(message.to_string().as_bytes());
        self.read()
    }

    /// A call and its answer, of which the id is checked.
    fn call(&mut self, op: &str, input: &Value) -> Value {
        let answer = self.ask(&call(op, input));
        assert_eq!((&answer["jc"], &answer["id"]), (&json!(1), &json!(7)), "{answer}");
        answer
    }

    fn ends_well(mut self) {
        drop(self.input);
        assert!(self.child.wait().unwrap().success());
    }
}

fn call(op: &str, input: &Value) -> Value {
    json!({"jc": 1, "id": 7, "m": "call", "op": op, "now": "2026-01-01T00:00:00.000Z", "in": input, "limit_ms": 2000})
}

fn hello(min: u64, max: u64) -> Value {
    let protocol = json!({"min": min, "max": max});
    json!({"jc": 1, "id": 0, "m": "hello", "protocol": protocol, "suite": "x", "vectors": "x", "ops": [], "critical": []})
}

#[test]
fn hello_says_what_the_shim_is() {
    let mut shim = Shim::start();
    let answer = shim.ask(&hello(1, 3));
    for (member, expected) in [
        ("jc", json!(1)),
        ("id", json!(0)),
        ("r", json!("accept")),
        ("protocol", json!(1)),
        ("roles", json!(["server", "client"])),
        ("clock", json!("injected")),
        ("categories", json!("exact")),
        ("parallel", json!(16)),
        ("world", json!(true)),
    ] {
        assert_eq!(answer[member], expected, "{member}");
    }
    assert_eq!(answer["choices"]["seal.iat-window"], json!(["none", "window"]));
    assert_eq!(answer["choices"].as_object().unwrap().len(), 11);
    assert_eq!(shim.ask(&hello(2, 3))["r"], "unsupported");
    shim.ends_well();
}

#[test]
fn every_op_is_there_and_answers_error_to_an_empty_input() {
    let contract = include_str!("../../../../conformance/SHIM.md");
    let ops: Vec<&str> = contract
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
        .filter(|(op, _)| op.contains('.'))
        .map(|(op, _)| op)
        .collect();
    let mut shim = Shim::start();
    let declared = shim.ask(&hello(1, 1))["ops"].clone();
    let declared: Vec<&str> = declared.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(declared.len(), ops.len());
    for op in ops {
        assert!(declared.contains(&op), "{op}");
        assert_eq!(shim.call(op, &json!({}))["r"], "error", "{op}");
        assert_eq!(shim.call(op, &json!([]))["r"], "error", "{op}");
    }
    shim.ends_well();
}

#[test]
fn a_call_is_accepted_or_rejected_with_its_reason() {
    let mut shim = Shim::start();
    let good = shim.call("token.parse", &json!({"token": TOKEN_B64U, "unknown": 1}));
    let out = json!({"id": "jt_01kdvdna00e008000000000001", "secretSha256": SECRET_SHA256_B64U});
    assert_eq!(good, json!({"jc": 1, "id": 7, "r": "accept", "out": out}));
    let bad = shim.call("token.parse", &json!({"token": ""}));
    assert_eq!(bad, json!({"jc": 1, "id": 7, "r": "reject", "cat": "token-malformed"}));
    shim.ends_well();
}

#[test]
fn the_clock_and_the_choices_are_the_calls() {
    let mut shim = Shim::start();
    let row = json!({
        "id": "jt_01kdvdna00e008000000000001", "secretSha256": SECRET_SHA256_B64U, "role": "node",
        "expiresAt": "2026-01-01T00:00:00.001Z", "revokedAt": null, "usesLeft": 3,
    });
    let mut message = call("token.admit", &json!({"row": row, "token": TOKEN, "role": "node"}));
    assert_eq!(shim.ask(&message)["out"], json!({"usesLeft": 2}));
    message["now"] = json!("2026-01-01T00:00:00.001Z");
    assert_eq!(shim.ask(&message)["cat"], "token-expired");
    message["choices"] = json!({"hwkey.selection": "all"});
    assert_eq!(shim.ask(&message)["cat"], "token-expired");
    for unknown in [json!({"hwkey.selection": "most"}), json!({"unknown": "all"})] {
        message["choices"] = unknown;
        assert_eq!(shim.ask(&message)["r"], "unsupported");
    }
    shim.ends_well();
}

#[test]
fn what_is_missing_or_of_another_type_is_an_error_and_no_rejection() {
    let mut shim = Shim::start();
    for input in [json!({}), json!({"token": 7}), json!({"token": "not base64!"}), json!(null), json!("x")] {
        assert_eq!(shim.call("token.parse", &input)["r"], "error", "{input}");
    }
    // A member that may be null must still be there.
    let without_row = shim.call("token.admit", &json!({"token": TOKEN, "role": "node"}));
    assert_eq!(without_row["r"], "error");
    let null_row = shim.call("token.admit", &json!({"row": null, "token": TOKEN, "role": "node"}));
    assert_eq!(null_row["cat"], "token-unknown");
    for member in ["op", "now", "in"] {
        let mut message = call("token.parse", &json!({"token": TOKEN_B64U}));
        message.as_object_mut().unwrap().remove(member);
        assert_eq!(shim.ask(&message)["r"], "error", "{member}");
    }
    shim.ends_well();
}

#[test]
fn unknown_ops_messages_and_critical_members_are_unsupported() {
    let mut shim = Shim::start();
    assert_eq!(shim.call("token.forge", &json!({}))["r"], "unsupported");
    assert_eq!(shim.ask(&json!({"jc": 1, "id": 1, "m": "sing"}))["r"], "unsupported");
    let mut message = call("token.parse", &json!({"token": TOKEN_B64U}));
    message["critical"] = json!(["choices", "limit_ms"]);
    assert_eq!(shim.ask(&message)["r"], "accept");
    message["critical"] = json!(["mood"]);
    assert_eq!(shim.ask(&message)["r"], "unsupported");
    shim.ends_well();
}

#[test]
fn garbage_is_passed_over() {
    let mut shim = Shim::start();
    for line in
        [&b""[..], b"{", b"garbage", b"[]", b"{}", b"null", b"\xff\xfe", b"{\"jc\":1}", &[b'{'; 100_000]]
    {
        shim.write(line);
    }
    assert_eq!(shim.call("token.parse", &json!({"token": ""}))["cat"], "token-malformed");
    shim.ends_well();
}

#[test]
fn what_one_op_makes_another_accepts() {
    // RFC 6979 appendix A.2.5.
    let public = json!({
        "kty": "EC", "crv": "P-256",
        "x": "YP7UuiVanTHJYet0xjVtaMBJuJI7Yfps5mliLmDyn7Y",
        "y": "eQP-EAi4vJmkGunpVii8ZPLxsgwtfp9Rd6PClNRGIpk",
    });
    let mut private = public.clone();
    private["d"] = json!("ya-p2EW6dRZrXCFXZ7HWk05Qw9s26JsSe4piKxIPZyE");
    let claims = json!({"permanentMacs": [], "gpuUuids": []});
    let request =
        json!({"attestor": "", "role": "node", "tokenId": "jt_01kdvdna00e008000000000001", "claims": claims});
    let mut shim = Shim::start();

    let made = shim.call("csr.make", &json!({"key": private, "request": request}));
    let csr = made["out"]["csr"].clone();
    let bound = shim.call("binding.check", &json!({"csr": csr, "request": request, "required": true}));
    assert_eq!(bound["out"]["bound"], true, "{made} {bound}");

    let pins = ["sha256/Wnp4zKSg9CDZvGK7Zpw8J1njn3I9OuENy+DwgVoH7NQ="];
    let sealed = shim.call("seal.make", &json!({"token": TOKEN, "csr": csr, "jwk": public, "pins": pins}));
    let opened =
        shim.call("seal.open", &json!({"seal": sealed["out"]["seal"], "csr": csr, "keys": [private]}));
    assert_eq!(opened["out"], json!({"token": TOKEN, "iat": 1_767_225_600}));
    shim.ends_well();
}

#[test]
fn bye_and_the_end_of_input_end_it() {
    let mut shim = Shim::start();
    shim.write(json!({"jc": 1, "m": "bye"}).to_string().as_bytes());
    assert!(shim.child.wait().unwrap().success());
    Shim::start().ends_well();
}
