//! The signing certificate: base64 of one strict-DER certificate with a P-256 key.

use serde_json::{Value, json};

use crate::case::Entry;
use crate::testkit::encode::{b64, b64u};
use crate::testkit::x509::Certificate;
use crate::testkit::{p384, rsa};

use super::document::{SELECT, changed, malformed, pin, select, signer, signing_certificate};

pub(super) fn cases() -> Vec<Entry> {
    vec![spelling(), form(), key()]
}

/// The right document with this text as its certificate.
fn with(text: impl Into<Value>) -> Value {
    select(&changed(|document| document["join"]["signingCertificate"] = text.into()))
}

fn spelling() -> Entry {
    let der = signing_certificate();
    let right = b64(&der);
    let lines: Vec<String> =
        right.as_bytes().chunks(64).map(|line| String::from_utf8_lossy(line).into_owned()).collect();
    let (body, padding) = right.split_at(right.trim_end_matches('=').len());
    let url = b64u(&der);
    let unused = super::jwk::unused_bits(&body.replace('+', "-").replace('/', "_"))
        .replace('-', "+")
        .replace('_', "/");
    malformed(
        "certificate-spelling",
        "The certificate is canonical standard base64 with padding.",
        "another spelling",
    )
    .family(SELECT)
    .bad("no padding", with(body))
    .bad("base64url", with(format!("{url}{padding}")))
    .bad("lines", with(lines.join("\n")))
    .bad(
        "PEM",
        with(format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", lines.join("\n"))),
    )
    .bad("a blank before it", with(format!(" {right}")))
    .bad("unused bits set", with(format!("{unused}{padding}")))
    .bad("hexadecimal", with(hex::encode(&der)))
    .why("The document is written by programs; the one spelling is theirs.")
}

fn form() -> Entry {
    let der = signing_certificate();
    let long = [&[0x30, 0x83, 0x00], der.get(2..).unwrap_or_default()].concat();
    let bare = crate::testkit::signature::spki(&signer().key);
    malformed(
        "certificate-form",
        "The certificate is one strict-DER certificate.",
        "something else in base64",
    )
    .family(SELECT)
    .bad("empty", with(""))
    .bad("garbage", with(b64("certificate")))
    .bad("an octet after it", with(b64([der.as_slice(), &[0]].concat())))
    .bad("two certificates", with(b64(der.repeat(2))))
    .bad("a BER length", with(b64(long)))
    .bad("the key alone", with(b64(bare)))
    .why("What is parsed leniently is pinned loosely.")
}

fn key() -> Entry {
    let holding = |spki: Vec<u8>| {
        let certificate = Certificate { spki: spki.clone(), ..signer().certificate(&signer()) };
        let mut input = select(&changed(|document| {
            document["join"]["signingCertificate"] = b64(certificate.signed(&signer().key)).into();
            document["join"]["signingKeyPin"] = pin(&spki).into();
        }));
        input["pins"]["signing"] = json!([pin(spki)]);
        input
    };
    let title = "The certificate's key is a P-256 key.";
    malformed("certificate-key", title, "another kind of key, stated and pinned")
        .twin(
            "wellknown/document",
            &["/in/document", "/in/pins/signing"],
            "another kind of key, stated and pinned",
        )
        .family(SELECT)
        .bad("P-384", holding(p384::spki(&p384::key("wellknown signing"))))
        .bad("RSA", holding(rsa::spki()))
        .why("It would verify nothing, and that would be found out after the token is spent.")
}
