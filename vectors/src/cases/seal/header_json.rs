//! The header as JSON: one object in UTF-8, and nothing around it.

use super::{HONEST, good, input, quoted, refused};
use crate::case::{Entry, reject};

pub(super) fn entries() -> Vec<Entry> {
    vec![byte_order_mark(), trailing(), array(), null(), not_utf8(), surrogate(), deep(), not_json()]
}

fn with(octets: impl Into<Vec<u8>>) -> String {
    good().header(octets).text()
}

fn right() -> Vec<u8> {
    good().header_octets()
}

fn header(name: &str, title: &str, octets: impl Into<Vec<u8>>, what: &str) -> Entry {
    refused(name, "SEAL-5", title, with(octets))
        .twin(HONEST, &["/in/seal:headerText"], what)
        .recipe(&format!("Make the header's text as follows, then encrypt, so that the tag holds: {what}."))
}

fn byte_order_mark() -> Entry {
    let octets = [b"\xef\xbb\xbf".as_slice(), &right()].concat();
    header("header-bom", "A header with a byte order mark is refused.", octets, "EF BB BF in front")
        .why("Some JSON readers skip it: a second spelling of one header.")
}

fn trailing() -> Entry {
    let octets = [right(), b"{}".to_vec()].concat();
    header(
        "header-trailing",
        "A second value behind the header's object is refused.",
        octets,
        "`{}` behind the object",
    )
    .why("Streaming readers stop after the first value and never see the rest.")
}

fn array() -> Entry {
    let octets = [b"[".as_slice(), &right(), b"]"].concat();
    header("header-array", "A header that is an array is refused.", octets, "the object put into an array")
        .why("Only an object has members; some readers unpack an array of one.")
}

fn null() -> Entry {
    header("header-null", "A header that is null is refused.", "null", "`null` in place of the object")
        .why("Readers with default values make an empty header of it.")
}

fn not_utf8() -> Entry {
    let mut octets = good().member("kid", "\"?\"").header_octets();
    if let Some(mark) = octets.iter_mut().rfind(|octet| **octet == b'?') {
        *mark = 0xff;
    }
    header("header-not-utf8", "A header that is no UTF-8 is refused.", octets, "a kid of the one octet FF")
        .why("Readers that replace what they cannot decode see another text than was sent.")
}

fn surrogate() -> Entry {
    let octets = good().member("kid", r#""\ud800""#).header_octets();
    header(
        "header-lone-surrogate",
        "A lone surrogate in the header is refused.",
        octets,
        r#"a kid of `"\ud800"`"#,
    )
    .why(
        "It is no Unicode scalar value. It is malformed before it is an unknown key, so the reason is \
            `seal`.",
    )
}

fn deep() -> Entry {
    let octets = good().member("kid", &("[".repeat(900) + &"]".repeat(900))).header_octets();
    header(
        "header-nesting",
        "A header with 900 arrays in each other is refused.",
        octets,
        "a kid of 900 nested arrays",
    )
    .why(
        "A reader that recurses without a bound overflows its stack. With a closed set of members no \
            right header \
             is deeper than 2, so the limit of 16 shows only here.",
    )
}

fn not_json() -> Entry {
    let entry = reject("seal/header-not-json", "SEAL-5", "seal", "A header that is nearly JSON is refused.")
        .family("seal.open")
        .refused()
        .why(
            "Readers for configuration files accept each of these, and two readers of one header must not \
            differ.",
        )
        .twin(HONEST, &["/in/seal:headerText"], "the header's text is changed as the row's name says")
        .recipe("Change the text of the header as the row's name says, then encrypt, so that the tag holds.");
    let text = String::from_utf8_lossy(&right()).into_owned();
    let rows = [
        ("empty", String::new()),
        ("not-closed", text.trim_end_matches('}').to_owned() + "}"),
        ("trailing-comma", text.trim_end_matches('}').to_owned() + "},}"),
        ("single-quotes", text.replace('"', "'")),
        ("names-without-quotes", text.replace("\"alg\"", "alg")),
        ("comment", text.replacen('{', "{/* */", 1)),
        ("no-comma", text.replacen(',', " ", 1)),
        ("form-feed", text.replacen(',', ",\u{c}", 1)),
        ("no-break-space", text.replacen(',', ",\u{a0}", 1)),
        ("control-character-in-a-string", good().member("kid", "\"\u{1}\"").text_of_header()),
        ("escape-x", good().member("kid", r#""\x41""#).text_of_header()),
        ("nul-behind", text.clone() + "\0"),
        ("capital-true", good().member("kid", "True").text_of_header()),
        ("string", quoted("header")),
        ("number", "1".into()),
    ];
    rows.into_iter().fold(entry, |entry, (name, text)| entry.bad(name, input(with(text))))
}

impl crate::testkit::seal::Seal {
    fn text_of_header(&self) -> String {
        String::from_utf8_lossy(&self.header_octets()).into_owned()
    }
}
