use proptest::prelude::*;

use super::*;

const PIN: &str = "sha256/Wnp4zKSg9CDZvGK7Zpw8J1njn3I9OuENy+DwgVoH7NQ=";
const OTHER: &str = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

/// The page's example.
fn example() -> String {
    let page = include_str!("../../../../docs/spec/25-config.md");
    let (_, example) = page.split_once("## Example\n\n").unwrap();
    example.lines().map_while(|line| line.strip_prefix("    ")).collect::<Vec<_>>().join("\n")
}

fn refuses(text: &str) {
    assert_eq!(load(text.as_bytes()), Err(Reason::Config), "{text}");
}

#[test]
fn the_pages_example_loads() {
    let pin = Pin::parse(PIN).unwrap();
    let expected = Config {
        gateway_url: "https://gw.eu.example.com".into(),
        site: "site_01k5w3v7x8e4n9q2r6t0b1c5d7".into(),
        serving_ca_pins: vec![pin],
        join_signing_pins: vec![pin],
        join_encryption_pins: vec![pin],
        server_name: None,
        require_request_binding: false,
    };
    assert_eq!(load(example().as_bytes()), Ok(expected));
}

#[test]
fn the_optional_keys_and_a_second_pin_are_read() {
    let two = format!("[\"{PIN}\"]");
    let text = example().replace(&two, &format!("[\"{PIN}\", \"{OTHER}\"]"));
    let config =
        load(format!("{text}\nserver_name = \"gw\"\nrequire_request_binding = true\n").as_bytes()).unwrap();
    assert_eq!(config.join_encryption_pins, [Pin::parse(PIN).unwrap(), Pin([0; 32])]);
    assert_eq!(config.server_name.as_deref(), Some("gw"));
    assert!(config.require_request_binding);
}

#[test]
fn each_key_is_required() {
    let text = example();
    assert_eq!(text.lines().count(), 5);
    for left_out in text.lines() {
        refuses(&text.replace(left_out, ""));
    }
}

#[test]
fn unknown_keys_wrong_types_and_bad_values_are_refused() {
    for added in [
        "require_request_binding = \"true\"",
        "require_request_binding = 1",
        "server_name = \"\"",
        "server_name = 7",
        "gateway = \"x\"",
        "[table]",
        "gateway_url = \"https://twice.example.com\"",
    ] {
        refuses(&format!("{}\n{added}\n", example()));
    }
    let one = format!("[\"{PIN}\"]");
    for pins in [
        "[]".to_owned(),
        format!("[\"{PIN}\", \"{PIN}\"]"),
        format!("[\"{PIN}\", \"{OTHER}\", \"{PIN}\"]"),
        "\"sha256/\"".to_owned(),
        format!("\"{}\"", PIN.trim_end_matches('=')),
        "7".to_owned(),
        "[7]".to_owned(),
    ] {
        refuses(&example().replace(&one, &pins));
    }
    refuses(&example().replace("site_01", "node_01"));
    refuses(&example().replace("https:", "http:"));
}

#[test]
fn the_file_is_utf_8_and_at_most_65536_octets() {
    let room = DOCUMENT_MAX_BYTES - example().len() - 2;
    let full = format!("{}\n#{}", example(), "x".repeat(room));
    assert!(load(full.as_bytes()).is_ok());
    refuses(&format!("{full}x"));
    let latin = [example().as_bytes(), b"\n# \xe9"].concat();
    assert_eq!(load(&latin), Err(Reason::Config));
    assert_eq!(load(b""), Err(Reason::Config));
}

#[test]
fn a_gateway_url_is_https_with_a_host_and_no_more_than_a_port_and_a_path() {
    for good in [
        "https://gw.example.com",
        "https://gw.example.com/",
        "https://gw.example.com:8443/path",
        "https://192.0.2.1",
        "https://[2001:db8::1]:443",
        "https://gw.example.com/a@b",
    ] {
        assert!(is_gateway_url(good), "{good}");
    }
    for bad in [
        "",
        "https://",
        "https:///path",
        "https://:443",
        "http://gw.example.com",
        "HTTPS://gw.example.com",
        "gw.example.com",
        "https:gw.example.com",
        "https://user@gw.example.com",
        "https://user:pw@gw.example.com",
        "https://@gw.example.com",
        "https://gw.example.com?",
        "https://gw.example.com/?q",
        "https://gw.example.com/#",
        "https://gw.example.com:99999",
        "https://gw.example.com:port",
        " https://gw.example.com",
        "https://gw.example.com ",
        "https://gw.example .com",
        "https://gw.example.com\\x",
        "https://gw\t.example.com",
    ] {
        assert!(!is_gateway_url(bad), "{bad}");
    }
}

#[test]
fn a_pin_matches_the_hash_of_the_whole_spki() {
    let spki = b"any octets";
    assert_eq!(match_pin(&[Pin([0; 32]), Pin::of_spki(spki)], spki), Ok(Pin::of_spki(spki)));
    assert_eq!(match_pin(&[Pin([0; 32])], spki), Err(Reason::PinMismatch));
    assert_eq!(match_pin(&[], spki), Err(Reason::PinMismatch));
}

proptest! {
    #[test]
    fn arbitrary_octets_never_panic(octets: Vec<u8>, text: String) {
        let _config = load(&octets);
        let _config = load(text.as_bytes());
        let _url = is_gateway_url(&text);
    }
}
