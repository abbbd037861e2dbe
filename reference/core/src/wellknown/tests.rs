use proptest::prelude::*;

use super::*;
use crate::x509::fixture::{certificate, key};

/// The page's encryption key: RFC 6979 A.2.5.
const ENCRYPTION_JWK: &str = r#"{"kty":"EC","crv":"P-256","x":"YP7UuiVanTHJYet0xjVtaMBJuJI7Yfps5mliLmDyn7Y","y":"eQP-EAi4vJmkGunpVii8ZPLxsgwtfp9Rd6PClNRGIpk"}"#;
const ENCRYPTION_PIN: &str = "sha256/Wnp4zKSg9CDZvGK7Zpw8J1njn3I9OuENy+DwgVoH7NQ=";
const CA_PIN: &str = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

/// The signing key of the document is the one that the fixture's leaf certifies.
fn signing_pin() -> Pin {
    key("example node key").public().pin()
}

fn document() -> String {
    let certificate = standard_base64::encode(&certificate("leaf"));
    let signing_pin = signing_pin();
    format!(
        r#"{{"name":7,"join":{{"encryptionJwk":{ENCRYPTION_JWK},"encryptionKeyPin":"{ENCRYPTION_PIN}",
        "signingCertificate":"{certificate}","signingKeyPin":"{signing_pin}","more":[]}},
        "gateway":{{"url":"https://gw.example.com","serverName":"gw","servingCaPin":"{CA_PIN}"}}}}"#
    )
}

fn judge(key_file: Option<&str>, document: Option<&str>, serving_ca: Option<&[Pin]>) -> Result<Keys, Reason> {
    let (encryption, signing) = ([Pin::parse(ENCRYPTION_PIN).unwrap()], [signing_pin()]);
    let pins = Pins { encryption: &encryption, signing: &signing, serving_ca };
    select(key_file.map(str::as_bytes), document.map(str::as_bytes), pins)
}

fn refused(document: &str) {
    assert_eq!(judge(None, Some(document), None), Err(Reason::Document), "{document}");
}

#[test]
fn a_document_with_pinned_keys_is_used() {
    let keys = judge(None, Some(&document()), Some(&[Pin([0; 32])])).unwrap();
    let Keys::Document { encryption_key, signing_key, gateway } = keys else {
        panic!("not from the document")
    };
    assert_eq!(encryption_key.pin().to_string(), ENCRYPTION_PIN);
    assert_eq!(signing_key.pin(), signing_pin());
    let expected = Gateway {
        url: "https://gw.example.com".into(),
        server_name: Some("gw".into()),
        serving_ca_pin: Pin([0; 32]),
    };
    assert_eq!(gateway, Some(expected));
}

#[test]
fn a_key_file_is_used_if_pinned_and_the_document_is_not_asked() {
    let keys = judge(Some(ENCRYPTION_JWK), Some("junk"), None).unwrap();
    assert!(
        matches!(keys, Keys::File { encryption_key } if encryption_key.pin().to_string() == ENCRYPTION_PIN)
    );
    for bad in [
        "",
        "[]",
        "{}",
        &format!("{ENCRYPTION_JWK} x"),
        &ENCRYPTION_JWK.replace("\"kty\"", "\"d\":\"x\",\"kty\""),
    ] {
        assert_eq!(judge(Some(bad), Some(&document()), None), Err(Reason::Document), "{bad}");
    }
    let pins = Pins { encryption: &[Pin([7; 32])], signing: &[signing_pin()], serving_ca: None };
    let verdict = select(Some(ENCRYPTION_JWK.as_bytes()), Some(document().as_bytes()), pins);
    assert_eq!(verdict, Err(Reason::PinMismatch));
}

#[test]
fn without_config_toml_the_document_alone_counts() {
    let keys = judge(Some("junk"), Some(&document()), Some(&[Pin([0; 32])])).unwrap();
    assert!(matches!(keys, Keys::Document { .. }));
    assert_eq!(judge(None, None, None), Err(Reason::Document));
    let other = judge(None, Some(&document()), Some(&[Pin([7; 32])]));
    assert_eq!(other, Err(Reason::PinMismatch));
    let document = document();
    let (without, _) = document.split_once(",\n        \"gateway\"").unwrap();
    let without = format!("{without}}}");
    assert!(judge(None, Some(&without), None).is_ok());
    assert_eq!(judge(None, Some(&without), Some(&[Pin([0; 32])])), Err(Reason::Document));
}

#[test]
fn each_key_is_compared_with_its_own_pins() {
    let (encryption, signing) = ([Pin::parse(ENCRYPTION_PIN).unwrap()], [signing_pin()]);
    for (encryption, signing) in [(&encryption, &encryption), (&signing, &signing), (&signing, &encryption)] {
        let pins = Pins { encryption, signing, serving_ca: None };
        assert_eq!(select(None, Some(document().as_bytes()), pins), Err(Reason::PinMismatch));
    }
}

#[test]
fn the_whole_document_is_judged_before_the_pins() {
    let stated = document().replace(ENCRYPTION_PIN, CA_PIN);
    refused(&stated);
    let pins = Pins { encryption: &[], signing: &[], serving_ca: None };
    assert_eq!(select(None, Some(stated.as_bytes()), pins), Err(Reason::Document));
}

#[test]
fn what_is_malformed_is_refused() {
    let good = document();
    assert!(judge(None, Some(&good), None).is_ok());
    for (from, to) in [
        ("\"join\"", "\"Join\""),
        ("\"encryptionJwk\"", "\"x\""),
        ("\"encryptionKeyPin\"", "\"x\""),
        ("\"signingCertificate\"", "\"x\""),
        ("\"signingKeyPin\"", "\"x\""),
        ("\"kty\":\"EC\"", "\"kty\":\"EC\",\"d\":null"),
        ("\"crv\":\"P-256\"", "\"crv\":\"P-384\""),
        ("\"kty\":\"EC\"", "\"kty\":\"ec\""),
        ("Rd6PClNRGIpk", "Rd6PClNRGIpl"),
        ("YP7U", "AP7U"),
        ("\"signingCertificate\":\"", "\"signingCertificate\":\" "),
        ("https://gw", "http://gw"),
        ("\"serverName\":\"gw\"", "\"serverName\":\"\""),
        ("\"serverName\":\"gw\"", "\"serverName\":null"),
        ("\"servingCaPin\":\"sha256/", "\"servingCaPin\":\"sha1/"),
        ("\"name\":7", "\"name\":7,\"name\":7"),
        ("\"name\":7", "\"name\":{\"a\":1,\"a\":1}"),
        ("{\"name\"", "[{\"name\""),
    ] {
        let changed = good.replacen(from, to, 1);
        assert_ne!(changed, good, "{from}");
        refused(&changed);
    }
    refused("");
    refused("null");
    refused(&good.replace(&signing_pin().to_string(), ENCRYPTION_PIN));
}

#[test]
fn a_document_is_at_most_65536_octets() {
    let good = document();
    let full = format!("{good}{}", " ".repeat(DOCUMENT_MAX_BYTES - good.len()));
    assert!(judge(None, Some(&full), None).is_ok());
    refused(&format!("{full} "));
}

proptest! {
    #[test]
    fn arbitrary_octets_never_panic(octets: Vec<u8>) {
        let _document = Document::read(&octets);
    }
}
