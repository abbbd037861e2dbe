//! The document as JSON: one object, in UTF-8, small, shallow, no member twice.

use crate::case::Entry;

use super::accepted::{nested, sized};
use super::document::{SELECT, document, encryption_key, malformed, octets, replaced};
use crate::testkit::keys::public_jwk;

pub(super) fn cases() -> Vec<Entry> {
    vec![not_json(), not_an_object(), twice(), twice_escaped(), encoding(), depth(), size()]
}

fn not_json() -> Entry {
    let right = document().to_string();
    malformed("not-json", "The document is JSON.", "the text is no JSON")
        .family(SELECT)
        .bad("empty", octets(""))
        .bad("the end missing", octets(right.trim_end_matches('}')))
        .bad("something after it", octets(format!("{right}x")))
        .bad("a second one after it", octets(format!("{right}{right}")))
        .bad("a comma too many", replaced("}", ",}"))
        .bad("single quotes", octets(right.replace('"', "'")))
        .bad("a comment", octets(format!("// keys\n{right}")))
        .bad("NUL after it", octets(format!("{right}\0")))
        .bad("a form feed before it", octets(format!("\u{c}{right}")))
        .why("Lenient readers differ from each other.")
}

fn not_an_object() -> Entry {
    malformed("not-an-object", "The document is one object.", "another kind of value")
        .family(SELECT)
        .bad("array", octets(format!("[{}]", document())))
        .bad("string", octets(format!("{:?}", "join")))
        .bad("null", octets("null"))
        .bad("number", octets("1"))
        .why("An error page, or a list of one, is no document.")
}

fn twice() -> Entry {
    let jwk = public_jwk(&encryption_key()).to_string();
    let again =
        |pointer: &str, name: &str, value: &str| replaced(pointer, &format!("{pointer}\"{name}\":{value},"));
    malformed("member-twice", "No member stands twice, at any depth.", "a member once more")
        .family(SELECT)
        .bad("join", again("{", "join", "null"))
        .bad("join, equal", again("{", "join", &document()["join"].to_string()))
        .bad("encryptionJwk", again("\"join\":{", "encryptionJwk", &jwk))
        .bad("x", again("\"encryptionJwk\":{", "x", "\"\""))
        .bad("a member not looked at", again("{", "name", "\"other\""))
        .bad("within a member not known", replaced("{", "{\"later\":[{\"a\":1,\"a\":1}],"))
        .why("Two readers of two equal names take two different keys from one document.")
}

fn twice_escaped() -> Entry {
    malformed(
        "member-twice-escaped",
        "Names are compared after their escapes are decoded.",
        "join once more, escaped",
    )
    .call(SELECT, replaced("{", "{\"\\u006aoin\":null,"))
    .why("A check on the text of the names misses it, and the reader does not.")
}

fn encoding() -> Entry {
    let right = document().to_string();
    let utf16: Vec<u8> = right.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let stray = [b"{\"later\":\"\xff\",".as_slice(), right.as_bytes().get(1..).unwrap_or_default()].concat();
    malformed("encoding", "The document is UTF-8 without a byte order mark.", "another encoding")
        .family(SELECT)
        .bad("byte order mark", octets(format!("\u{feff}{right}")))
        .bad("UTF-16", octets(utf16))
        .bad("a stray octet in a member not known", octets(stray))
        .bad("a lone surrogate", replaced("{", "{\"later\":\"\\ud800\","))
        .why("What one reader replaces another refuses.")
}

fn depth() -> Entry {
    malformed(
        "depth-17",
        "Nesting of 17 is refused.",
        "one level more than is allowed, in a member not known",
    )
    .twin("wellknown/depth-16", &["/in/document"], "one array more")
    .call(SELECT, nested(16))
    .why("Unbounded nesting ends in a stack overflow, in members that nobody reads.")
}

fn size() -> Entry {
    malformed("too-large", "A document of 65537 octets is refused.", "one octet more than is allowed")
        .twin("wellknown/largest", &["/in/document"], "one blank more")
        .call(SELECT, sized(65537))
        .why("A fetch without a bound reads as long as somebody sends.")
}
