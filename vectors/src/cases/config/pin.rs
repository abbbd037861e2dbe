//! Pins by themselves: one spelling, and what it is the hash of.

use serde_json::{Value, json};

use crate::case::{Entry, accept, reject};
use crate::cases::wellknown::document::{pin, pin_of, signer, stranger};
use crate::testkit::encode::{b64, b64u};
use crate::testkit::keys::hash;
use crate::testkit::signature::spki;

/// The pin of the test key of RFC 6979 appendix A.2.5, as the page has it.
const PIN: &str = "sha256/Wnp4zKSg9CDZvGK7Zpw8J1njn3I9OuENy+DwgVoH7NQ=";
/// The hash in it.
const SHA256: &str = "5a7a78cca4a0f420d9bc62bb669c3c2759e39f723d3ae10dcbe0f0815a07ecd4";

const RECIPE: &str = "Write the SHA-256 of a SubjectPublicKeyInfo as a pin; then do what the mutation says.";

pub(super) fn cases() -> Vec<Entry> {
    vec![
        parsed(),
        prefix(),
        alphabet(),
        padding(),
        length(),
        blanks(),
        matched(),
        match_malformed(),
        not_matched(),
        hash_of_something_else(),
    ]
}

fn parsed() -> Entry {
    let row = |family: Entry, name: &str, octets: Vec<u8>| {
        let text = format!("sha256/{}", b64(&octets));
        family.row(name, json!({"pin": text}), json!({"sha256": b64u(octets)}))
    };
    let family = accept("config/pin", "CONFIG-1", "A pin is sha256/ and 44 characters of base64.")
        .family("pin.parse")
        .row(
            "the page's",
            json!({"pin": PIN}),
            json!({"sha256": b64u(hex::decode(SHA256).unwrap_or_default())}),
        )
        .why("The twin of every malformed pin.")
        .recipe(RECIPE);
    let family = row(family, "zeros", vec![0; 32]);
    row(family, "the other end of the alphabet", vec![0xff; 32])
}

/// Pins that differ from the page's.
fn malformed(name: &str, title: &str, what: &str, rows: &[(&str, String)]) -> Entry {
    let family = reject(&format!("config/{name}"), "CONFIG-1", "pin-malformed", title)
        .family("pin.parse")
        .twin("config/pin#the page's", &["/in/pin"], what)
        .recipe(RECIPE);
    rows.iter().fold(family, |family, (name, pin)| family.bad(name, json!({"pin": pin})))
}

fn prefix() -> Entry {
    let with = |prefix: &str| PIN.replace("sha256/", prefix);
    malformed(
        "pin-prefix",
        "A pin begins sha256/.",
        "another prefix",
        &[
            ("none", with("")),
            ("upper case", with("SHA256/")),
            ("a dash", with("sha-256/")),
            ("a colon", with("sha256:")),
            ("a double slash", with("sha256//")),
            ("another algorithm", with("sha512/")),
            ("the name alone", "sha256/".into()),
            ("empty", String::new()),
        ],
    )
    .why("curl, HPKP and others each have a prefix of their own.")
}

fn alphabet() -> Entry {
    let digits = SHA256.to_owned();
    malformed(
        "pin-alphabet",
        "A pin is standard base64.",
        "the same hash in another alphabet",
        &[
            ("base64url", PIN.replace('+', "-")),
            ("base64url of another hash", format!("sha256/{}", b64([0xff; 32]).replace('/', "_"))),
            ("hexadecimal", format!("sha256/{digits}")),
            ("hexadecimal after a colon", format!("sha256:{digits}")),
            ("hexadecimal alone", digits),
            ("a character of no alphabet", PIN.replace('W', "*")),
            ("not ASCII", PIN.replace('W', "Ẁ")),
        ],
    )
    .why("Two spellings of one hash look like two pins, and a rotation then keeps the old key.")
}

fn padding() -> Entry {
    malformed(
        "pin-padding",
        "A pin has its padding and no unused bits.",
        "the same hash with another end",
        &[
            ("no padding", PIN.trim_end_matches('=').into()),
            ("two", format!("{PIN}=")),
            ("three", format!("{PIN}==")),
            ("percent-encoded", PIN.replace('=', "%3D")),
            // The last character before the padding holds four bits of the hash and two that must be zero.
            ("unused bits 01", PIN.replace("NQ=", "NR=")),
            ("unused bits 11", PIN.replace("NQ=", "NT=")),
        ],
    )
    .why("A decoder that drops the unused bits reads four spellings of one hash.")
}

fn length() -> Entry {
    let of = |octets: usize| format!("sha256/{}", b64(vec![7; octets]));
    malformed(
        "pin-length",
        "A pin holds 32 octets.",
        "a hash of another length",
        &[("0", of(0)), ("20", of(20)), ("31", of(31)), ("33", of(33)), ("48", of(48)), ("64", of(64))],
    )
    .why("A hash that was cut matches more than it should, where the comparison is cut too.")
}

fn blanks() -> Entry {
    malformed(
        "pin-blanks",
        "Nothing stands before, in or after a pin.",
        "a blank more",
        &[
            ("before", format!(" {PIN}")),
            ("after", format!("{PIN} ")),
            ("line feed after", format!("{PIN}\n")),
            ("CRLF after", format!("{PIN}\r\n")),
            ("after the slash", PIN.replace('/', "/ ")),
            ("in it", PIN.replace("vGK", "vG K")),
            ("NUL after", format!("{PIN}\0")),
            ("two pins", format!("{PIN},{PIN}")),
        ],
    )
    .why("What a shell variable brings along shows here and not in the middle of a join.")
}

fn matching(pins: &[String], spki: &[u8]) -> Value {
    json!({"pins": pins, "spki": b64u(spki)})
}

fn matched() -> Entry {
    let (own, other, key) = (pin_of(&signer().key), pin_of(&stranger()), spki(&signer().key));
    accept("config/pin-match", "CONFIG-1", "A key matches when the hash of its SPKI is one of the pins.")
        .documented()
        .family("pin.match")
        .row("one pin", matching(std::slice::from_ref(&own), &key), json!({}))
        .row("the first of two", matching(&[own.clone(), other.clone()], &key), json!({}))
        .row("the second of two", matching(&[other, own], &key), json!({}))
        .why("The twin of what does not match.")
        .recipe(RECIPE)
}

fn match_malformed() -> Entry {
    let (own, key) = (pin_of(&signer().key), spki(&signer().key));
    reject(
        "config/pin-match-malformed",
        "CONFIG-1",
        "pin-malformed",
        "A pin that is malformed matches nothing.",
    )
    .family("pin.match")
    .bad("no padding", matching(&[own.trim_end_matches('=').into()], &key))
    .bad("upper-case prefix", matching(&[own.replace("sha256", "SHA256")], &key))
    .bad("hexadecimal", matching(&[format!("sha256/{}", hex::encode(hash(&key)))], &key))
    .bad("beside the right one", matching(&[own.clone(), own.trim_end_matches('=').into()], &key))
    .bad("before the right one", matching(&["sha256/".into(), own.clone()], &key))
    .twin("config/pin-match#one pin", &["/in/pins"], "the right pin spelled otherwise")
    .why("It is told apart from a pin of another key: the one is a typing error, the other may be an attack.")
    .recipe(RECIPE)
}

fn unmatched(name: &str, title: &str, at: &str, what: &str) -> Entry {
    reject(&format!("config/{name}"), "CONFIG-1", "pin-mismatch", title)
        .documented()
        .family("pin.match")
        .twin("config/pin-match#one pin", &[at], what)
        .recipe(RECIPE)
}

fn not_matched() -> Entry {
    let key = spki(&signer().key);
    let changed_at = |place: usize| {
        let octets = hash(&key).into_iter().enumerate();
        let other: Vec<u8> = octets.map(|(at, octet)| if at == place { !octet } else { octet }).collect();
        format!("sha256/{}", b64(other))
    };
    let flipped: String = pin(&key).chars().take(7).chain(['A']).chain(pin(&key).chars().skip(8)).collect();
    unmatched(
        "pin-mismatch",
        "A key whose hash is none of the pins does not match.",
        "/in/pins",
        "other pins",
    )
    .bad("another key's", matching(&[pin_of(&stranger())], &key))
    .bad("two others'", matching(&[pin_of(&stranger()), pin(b"old")], &key))
    .bad("the first character changed", matching(&[flipped], &key))
    .bad("the last octet changed", matching(&[changed_at(31)], &key))
    .bad("the ninth octet changed", matching(&[changed_at(8)], &key))
    .why("The whole hash is compared.")
}

fn hash_of_something_else() -> Entry {
    let key = spki(&signer().key);
    let certificate = signer().certificate(&signer()).signed(&signer().key);
    let point: Vec<u8> = key.iter().skip(26).copied().collect();
    let x: Vec<u8> = point.iter().skip(1).take(32).copied().collect();
    let of = |octets: &[u8]| matching(&[pin(octets)], &key);
    unmatched(
        "pin-of-something-else",
        "A pin is the hash of the SubjectPublicKeyInfo.",
        "/in/pins",
        "another hash",
    )
    .bad("the certificate", of(&certificate))
    .bad("the point", of(&point))
    .bad("x", of(&x))
    .bad("the PEM's base64", of(b64(&key).as_bytes()))
    .bad("hashed twice", of(&hash(&key)))
    .why("Every one of these has been called the key's fingerprint.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_changed_pin_differs_in_one_character() {
        let key = spki(&signer().key);
        let right = pin(&key);
        let made: String = right.chars().take(7).chain(['A']).chain(right.chars().skip(8)).collect();
        assert_ne!(made, right, "the pin begins with another character than A");
        assert_eq!(made.len(), 51);
    }

    #[test]
    fn the_pin_of_the_page_ends_with_unused_bits_of_zero() {
        assert!(PIN.ends_with("NQ=") && PIN.matches('/').count() == 1);
        assert_eq!(format!("sha256/{}", b64(hex::decode(SHA256).unwrap())), PIN);
    }
}
