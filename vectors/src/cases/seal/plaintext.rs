//! The plaintext is the token and nothing else (SEAL-2).

use super::{HONEST, good, input, inside, refused};
use crate::case::{Entry, reject};
use crate::testkit::encode::b64u;
use crate::testkit::seal::Seal;

pub(super) fn entries() -> Vec<Entry> {
    vec![empty(), line_feed(), id_alone(), two(), json(), shapes()]
}

fn holding(plaintext: impl AsRef<[u8]>) -> String {
    Seal { plaintext: plaintext.as_ref().to_vec(), ..good() }.text()
}

fn other(case: &str, title: &str, plaintext: impl AsRef<[u8]>, what: &str) -> Entry {
    refused(&format!("plaintext-{case}"), "SEAL-2", title, holding(plaintext))
        .also("TOKEN-2")
        .twin(HONEST, &["/in/seal:ciphertext"], what)
        .recipe(&format!("Seal another plaintext: {what}."))
}

fn empty() -> Entry {
    other("empty", "A seal of nothing is refused.", "", "no octets are encrypted; the tag holds")
        .also("SEAL-5")
        .why("The ciphertext must not be empty: code that indexes into the token panics.")
}

fn line_feed() -> Entry {
    other(
        "line-feed",
        "A token with a line feed behind it is refused.",
        inside().text() + "\n",
        "a line feed behind the token",
    )
    .why(
        "A client that does not strip the line end of its token file makes these. The server is exact: \
            one token, one text.",
    )
}

fn id_alone() -> Entry {
    other(
        "id-alone",
        "A seal of the token's id alone is refused.",
        inside().id,
        "the id without prefix and secret",
    )
    .why("The id is no secret.")
}

fn two() -> Entry {
    let both = format!("{} {}", inside().text(), inside().text());
    other("two-tokens", "A seal of two tokens is refused.", both, "the token twice, with a blank between")
        .why("A parser that stops at the blank accepts it.")
}

fn json() -> Entry {
    let text = format!("{{\"token\":\"{}\"}}", inside().text());
    other("json", "A token wrapped in JSON is refused.", text, "an object with the token in it")
        .why("The plaintext is the token and nothing else, not a claims set.")
}

fn shapes() -> Entry {
    let entry = reject(
        "seal/plaintext-shape",
        "SEAL-2",
        "seal",
        "A plaintext that is no token is refused, \
        as `seal`.",
    )
    .also("TOKEN-2")
    .family("seal.open")
    .refused()
    .why(
        "The text inside the seal is parsed as exactly as one that is judged by itself, but the reason \
            is the seal's.",
    )
    .twin(HONEST, &["/in/seal:ciphertext"], "the token is changed as the row says; the tag holds")
    .recipe("Change the token as the row says, then seal it.");
    let text = inside().text();
    let (id, secret) = (inside().id, b64u(inside().secret));
    let rows = [
        ("capital-prefix", text.replace("bcjt_", "BCJT_").into_bytes()),
        ("blank-in-front", format!(" {text}").into_bytes()),
        ("nul-behind", format!("{text}\0").into_bytes()),
        ("byte-order-mark", format!("\u{feff}{text}").into_bytes()),
        ("other-prefix", text.replace("bcjt_", "bcjx_").into_bytes()),
        ("id-of-a-request", format!("bcjt_{}.{secret}", id.replace("jt_", "jreq_")).into_bytes()),
        ("id-in-capitals", format!("bcjt_{}.{secret}", id.to_ascii_uppercase()).into_bytes()),
        ("no-dot", format!("bcjt_{id}{secret}").into_bytes()),
        ("short-secret", format!("bcjt_{id}.{}", b64u([7; 31])).into_bytes()),
        ("long-secret", format!("bcjt_{id}.{}", b64u([7; 33])).into_bytes()),
        ("padded-secret", format!("{text}=").into_bytes()),
        ("unused-bits", format!("bcjt_{id}.{}B", "A".repeat(42)).into_bytes()),
        ("not-utf8", vec![0xff; 78]),
        ("utf16", text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
    ];
    rows.iter().fold(entry, |entry, (name, plaintext)| entry.bad(name, input(holding(plaintext))))
}
