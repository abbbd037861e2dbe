//! The builder makes what the rules describe, and the opener refuses what they refuse.

use super::*;
use crate::testkit::keys::private_jwk;

fn ours() -> SecretKey {
    key("seal recipient")
}

fn good() -> Seal {
    honest("test", &ours(), "bcjt_test", b"csr", 1_767_225_600)
}

fn open_text(text: &str) -> Result<Opened, String> {
    open(&private_jwk(&ours()), text.as_bytes())
}

#[test]
fn the_seal_of_the_specs_example_opens_and_comes_out() {
    let scalar = |name: &str| SecretKey::from_slice(&hash(name)).unwrap();
    let (server, ephemeral) = (scalar("example encryption key"), scalar("example ephemeral key"));
    let token = "bcjt_jt_01kdvdna00e008000000000001.AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
    let opened = open(&private_jwk(&server), EXAMPLE.as_bytes()).unwrap();
    assert_eq!(opened.plaintext, token.as_bytes());
    let csr = format!("\"{}\"", "9lVIvhFJ3x8gDhYc_EmrYXKZ_Pdz1xgyu3FsweV6Nuc");
    let mut seal =
        honest("", &server, token, b"", 1_767_225_600).ephemeral(&ephemeral, &server).member("csr", &csr);
    seal.cek = (0x40..0x60).collect();
    seal.iv = (0x60..0x6c).collect();
    assert_eq!(seal.text(), EXAMPLE);
}

#[test]
fn an_honest_seal_opens_and_another_key_does_not_open_it() {
    let opened = open_text(&good().text()).unwrap();
    assert_eq!(opened.plaintext, b"bcjt_test");
    assert_eq!(opened.header["iat"], 1_767_225_600);
    assert_eq!(opened.cek, good().cek);
    assert!(open(&private_jwk(&key("seal other")), good().text().as_bytes()).is_err());
    assert!(open_text(&good().member("kid", "\"sha256/:\"").text()).is_ok());
}

#[test]
fn the_opener_refuses_what_the_rules_refuse() {
    let changed = |change: fn(&mut Seal)| {
        let mut seal = good();
        change(&mut seal);
        seal.text()
    };
    for text in [
        good().and_member("csr", "\"\"").text(),
        good().and_member("\\u0063sr", &format!("\"{}\"", b64u([0; 32]))).text(),
        good().and_member("zip", "\"DEF\"").text(),
        good().member("iat", "1.0").text(),
        good().member("iat", "253402300800").text(),
        good().member("epk", &epk_text(&b64u([0; 32]), &b64u([0; 32]))).text(),
        good().member("epk", &epk_text(&b64u([0; 31]), &b64u([0; 32]))).text(),
        good().without("typ").text(),
        changed(|seal| seal.label = ENC.into()),
        changed(|seal| seal.cek = vec![7; 16]),
        changed(|seal| seal.tag = Some(vec![0; 16])),
        changed(|seal| seal.encrypted_key = Some(Vec::new())),
        good().text().replacen('.', "=.", 1),
        good().text() + ".",
        String::new(),
    ] {
        assert!(open_text(&text).is_err(), "{text}");
    }
}
