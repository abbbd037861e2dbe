//! The client's pins: they decide, and after the document has been judged.

use serde_json::{Value, json};

use crate::case::Entry;
use crate::testkit::encode::b64;
use crate::testkit::keys::{hash, public_jwk};
use crate::testkit::x509::Authority;

use super::document::{
    DOCUMENT, SELECT, bad, changed, document, encryption_key, pin, pin_of, select, signer,
    signing_certificate, stranger,
};

pub(super) fn cases() -> Vec<Entry> {
    vec![
        encryption(),
        signing(),
        replaced_keys(),
        exchanged(),
        not_of_the_key(),
        two_pins(),
        stated_before_pins(),
        form_before_pins(),
    ]
}

/// The right document for a client with other pins.
fn pinning(encryption: &[String], signing: &[String]) -> Value {
    let mut input = select(&document());
    input["pins"] = json!({"encryption": encryption, "signing": signing});
    input
}

fn right() -> [String; 2] {
    [pin_of(&encryption_key()), pin_of(&signer().key)]
}

fn encryption() -> Entry {
    let title = "An encryption key that is not pinned is refused.";
    bad("encryption-not-pinned", "pin-mismatch", title, &["/in/pins/encryption"], "another key is pinned")
        .documented()
        .also("CONFIG-1")
        .call(SELECT, pinning(&[pin_of(&stranger())], &[pin_of(&signer().key)]))
        .why("A client that seals to a key that somebody handed it hands over its token.")
}

fn signing() -> Entry {
    let title = "A signing key that is not pinned is refused.";
    bad("signing-not-pinned", "pin-mismatch", title, &["/in/pins/signing"], "another key is pinned")
        .documented()
        .also("CONFIG-1")
        .call(SELECT, pinning(&[pin_of(&encryption_key())], &[pin_of(&stranger())]))
        .why("The mismatch is found before the token is sent, not when the answer does not verify.")
}

/// The right document with a stranger's encryption key, and the stranger's pin of it.
fn with_strange_key() -> Value {
    changed(|document| {
        document["join"]["encryptionJwk"] = public_jwk(&stranger());
        document["join"]["encryptionKeyPin"] = pin_of(&stranger()).into();
    })
}

fn replaced_keys() -> Entry {
    let strange = Authority::named("wellknown stranger");
    let certificate = strange.certificate(&strange).signed(&strange.key);
    let signing = changed(|document| {
        document["join"]["signingCertificate"] = b64(certificate).into();
        document["join"]["signingKeyPin"] = pin_of(&strange.key).into();
    });
    let mut both = with_strange_key();
    both["join"]["signingCertificate"] = signing["join"]["signingCertificate"].clone();
    both["join"]["signingKeyPin"] = signing["join"]["signingKeyPin"].clone();
    let title = "Keys that bring their own pins are refused.";
    bad("keys-replaced", "pin-mismatch", title, &DOCUMENT, "a stranger's keys with their right pins")
        .documented()
        .family(SELECT)
        .bad("encryption", select(&with_strange_key()))
        .bad("signing", select(&signing))
        .bad("both", select(&both))
        .why("The stated pins are for people; a client that believes them believes the transport.")
}

fn exchanged() -> Entry {
    let [encryption, signing] = right();
    let title = "Each pin is for one use.";
    bad("pins-exchanged", "pin-mismatch", title, &["/in/pins"], "the two pins exchanged")
        .documented()
        .call(SELECT, pinning(&[signing], &[encryption]))
        .why("Pins in one bag let the signing key's holder read tokens.")
}

fn not_of_the_key() -> Entry {
    let [encryption, signing] = right();
    let jwk = public_jwk(&encryption_key()).to_string();
    let title = "A pin is over the SubjectPublicKeyInfo, not over what carries the key.";
    let mut of_jwk = pinning(&[pin(jwk)], std::slice::from_ref(&signing));
    let thumbprint = {
        let jwk = public_jwk(&encryption_key());
        // RFC 7638: the required members in the order of their names.
        let text = format!(r#"{{"crv":"P-256","kty":"EC","x":{},"y":{}}}"#, jwk["x"], jwk["y"]);
        pinning(&[format!("sha256/{}", b64(hash(text)))], std::slice::from_ref(&signing))
    };
    of_jwk["pins"]["signing"] = json!([signing]);
    bad(
        "pin-of-something-else",
        "pin-mismatch",
        title,
        &["/in/pins"],
        "the pin of another encoding of the key",
    )
    .also("CONFIG-1")
    .documented()
    .family(SELECT)
    .bad("the JWK's text", of_jwk)
    .bad("the JWK's thumbprint", thumbprint)
    .bad("the certificate", pinning(&[encryption], &[pin(signing_certificate())]))
    .why("Certificate pins break with every renewal, and thumbprints are another system's names.")
}

fn two_pins() -> Entry {
    let strangers = [pin_of(&stranger()), pin(b"old")];
    let title = "With two pins a third key is still not pinned.";
    bad("not-of-two-pins", "pin-mismatch", title, &["/in/pins/encryption"], "two other keys are pinned")
        .also("CONFIG-1")
        .call(SELECT, pinning(&strangers, &[pin_of(&signer().key)]))
        .why("A rotation widens the pins to two keys, not to any.")
}

fn stated_before_pins() -> Entry {
    let at_odds = changed(|document| document["join"]["encryptionJwk"] = public_jwk(&stranger()));
    let title = "A stated pin that is wrong comes before a key that is not pinned.";
    bad("order-document-before-pins", "document", title, &DOCUMENT, "a stranger's key beside the right pin")
        .call(SELECT, select(&at_odds))
        .why("The whole document is judged first.")
}

fn form_before_pins() -> Entry {
    let mut document = with_strange_key();
    document["gateway"] = json!({"url": "http://gw.eu.example.com"});
    let mut signing = with_strange_key();
    signing["join"]["signingCertificate"] = "MIIB".into();
    let title = "A malformed part comes before a key that is not pinned, wherever it stands.";
    bad("order-form-before-pins", "document", title, &DOCUMENT, "a stranger's keys, and a malformed part")
        .family(SELECT)
        .bad("the gateway", select(&document))
        .bad("the certificate", select(&signing))
        .why("A client that compares as it reads answers pin-mismatch here.")
}
