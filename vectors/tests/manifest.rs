//! The manifest's verification names the file that is not what was signed.

#![expect(clippy::unwrap_used, reason = "a test ends where its material is broken")]

use p256::pkcs8::{EncodePrivateKey as _, EncodePublicKey as _, LineEnding};
use vectors::manifest::{self, Files, MANIFEST, SIGNATURE, TrustKey};
use vectors::testkit::encode::b64u;
use vectors::testkit::keys::key;

const DEVELOPMENT: &str = include_str!("../keys/development.pem");

fn signed() -> Files {
    let mut files =
        Files::from([("token/a.json".into(), b"{}\n".to_vec()), ("schema.json".into(), b"{}".to_vec())]);
    let described = manifest::describe(&files, &[], "00".into());
    files.insert(MANIFEST.into(), manifest::to_bytes(&described).unwrap());
    let jws = manifest::sign(&files[MANIFEST], DEVELOPMENT).unwrap();
    files.insert(SIGNATURE.into(), jws.into_bytes());
    files
}

/// What verification says after a change of signed files.
fn after(change: impl FnOnce(&mut Files)) -> String {
    let mut files = signed();
    change(&mut files);
    match manifest::verify(&files, &TrustKey::built_in().unwrap()) {
        Ok(verified) => format!("good, by {}", verified.signer),
        Err(error) => error.to_string(),
    }
}

/// Replaces the protected header, and signs nothing anew.
fn with_header(header: &str) -> String {
    after(|files| {
        let jws = String::from_utf8(files[SIGNATURE].clone()).unwrap();
        let signature = jws.split_once("..").unwrap().1;
        files.insert(SIGNATURE.into(), format!("{}..{signature}", b64u(header)).into_bytes());
    })
}

#[test]
fn signed_files_verify() {
    assert_eq!(after(|_| {}), "good, by development");
}

#[test]
fn every_fault_names_its_file() {
    let change = |path: &str| after(|files| files.get_mut(path).unwrap().push(b' '));
    assert!(change("token/a.json").starts_with("token/a.json: changed"));
    assert!(change(MANIFEST).starts_with("manifest.json: changed"));
    let remove = |path: &str| after(|files| drop(files.remove(path)));
    assert!(remove("token/a.json").starts_with("token/a.json: missing"));
    assert!(remove(MANIFEST).starts_with("manifest.json: missing"));
    assert!(remove(SIGNATURE).starts_with("manifest.jws: missing"));
    let add = after(|files| drop(files.insert("token/b.json".into(), Vec::new())));
    assert!(add.starts_with("token/b.json: extra"));
}

#[test]
fn a_signature_by_another_key_is_named() {
    let other = key("another signer").to_pkcs8_pem(LineEnding::LF).unwrap();
    let jws = |files: &mut Files| manifest::sign(&files[MANIFEST], &other).unwrap().into_bytes();
    let said = after(|files| {
        let jws = jws(files);
        files.insert(SIGNATURE.into(), jws);
    });
    assert!(said.starts_with("manifest.jws: signed by another key, sha256/"), "{said}");
}

#[test]
fn only_the_one_header_is_read() {
    let kid = TrustKey::from_pem("d", include_str!("../keys/development.pub.pem")).unwrap().pin();
    for header in [
        format!(r#"{{"alg":"ES384","kid":"{kid}","typ":"bcvectors+jws"}}"#),
        format!(r#"{{"alg":"none","kid":"{kid}","typ":"bcvectors+jws"}}"#),
        format!(r#"{{"alg":"ES256","kid":"{kid}","typ":"JWT"}}"#),
        format!(r#"{{"alg":"ES256","kid":"{kid}"}}"#),
        format!(r#"{{"alg":"ES256","alg":"ES256","kid":"{kid}","typ":"bcvectors+jws"}}"#),
        format!(r#"{{"alg":"ES256","crit":["b64"],"b64":false,"kid":"{kid}","typ":"bcvectors+jws"}}"#),
    ] {
        let said = with_header(&header);
        assert!(said.starts_with("manifest.jws: header must"), "{header}: {said}");
    }
    let spaced = with_header(&format!(r#"{{"alg": "ES256","kid":"{kid}","typ":"bcvectors+jws"}}"#));
    assert!(spaced.starts_with("manifest.json: changed (the signature by development"), "{spaced}");
}

#[test]
fn the_signature_is_checked_before_the_manifest_is_parsed() {
    let broken = after(|files| drop(files.insert(MANIFEST.into(), b"not JSON".to_vec())));
    assert!(broken.starts_with("manifest.json: changed"), "{broken}");
}

#[test]
fn the_published_development_key_is_the_built_in_one() {
    let key = <p256::SecretKey as p256::pkcs8::DecodePrivateKey>::from_pkcs8_pem(DEVELOPMENT).unwrap();
    let spki = key.public_key().to_public_key_der().unwrap().into_vec();
    let built_in = TrustKey::built_in().unwrap();
    assert_eq!(built_in.iter().find(|key| key.name == "development").unwrap().spki, spki);
}
