//! Keys and values: all there, none more, each of its type and form.

use crate::case::Entry;

use super::load::{KEYS, SITE, and, refused, right, with};

pub(super) fn cases() -> Vec<Entry> {
    vec![
        missing(),
        empty(),
        unknown(),
        key_case(),
        types(),
        optional_types(),
        scheme(),
        host(),
        userinfo(),
        query(),
        site(),
    ]
}

fn missing() -> Entry {
    let without = |key: &str| -> String {
        let begins = format!("{key} = ");
        right().lines().filter(|line| !line.starts_with(&begins)).map(|line| format!("{line}\n")).collect()
    };
    refused(
        "load-key-missing",
        "All five keys are required.",
        "a key is missing",
        &KEYS.map(|key| (key, without(key))),
    )
    .why("A pin that is not there would be a check that is not made.")
}

fn empty() -> Entry {
    refused(
        "load-empty",
        "An empty file is no configuration.",
        "nothing in the file",
        &[
            ("no octets", String::new()),
            ("a line feed", "\n".into()),
            ("comments alone", "# gateway_url =\n".into()),
        ],
    )
    .why("A file that a full disk left empty is not the absence of one.")
}

fn unknown() -> Entry {
    refused(
        "load-key-unknown",
        "There are no other keys.",
        "a further key",
        &[
            ("a key", and("pool = \"pool_01k5w3v7x8e4n9q2r6t0b1c5d7\"")),
            ("a token", and("join_token = \"bcjt_\"")),
            ("a spelling mistake", and("require_request_bindings = true")),
            ("a table", and("[gateway]\nurl = \"https://gw.eu.example.com\"")),
            ("an empty table", and("[later]")),
            ("a dotted key", and("later.x = 1")),
        ],
    )
    .why("A mistyped key that is ignored is a setting that is not in force.")
}

fn key_case() -> Entry {
    let renamed = |from: &str, to: &str| right().replacen(from, to, 1);
    refused(
        "load-key-spelling",
        "Keys are written in one way.",
        "a key spelled otherwise",
        &[
            ("upper case", renamed("site = ", "Site = ")),
            ("camel case", renamed("gateway_url", "gatewayUrl")),
            ("dashes", renamed("gateway_url", "gateway-url")),
            ("the plural", renamed("join_signing_key_pin", "join_signing_key_pins")),
        ],
    )
    .why("Readers that fold case or dashes accept what others refuse.")
}

fn types() -> Entry {
    let rows = [
        ("gateway_url an array", with("gateway_url", "[\"https://gw.eu.example.com\"]")),
        ("gateway_url a table", with("gateway_url", "{ url = \"https://gw.eu.example.com\" }")),
        ("site an integer", with("site", "1")),
        ("site a boolean", with("site", "true")),
        ("site a date", with("site", "2026-01-01")),
        ("serving_ca_spki_pin an integer", with("serving_ca_spki_pin", "0")),
        ("join_signing_key_pin a boolean", with("join_signing_key_pin", "false")),
        ("join_encryption_key_pin a table", with("join_encryption_key_pin", "{}")),
        ("join_encryption_key_pin an array of integers", with("join_encryption_key_pin", "[1]")),
    ];
    refused("load-type", "Each key has its type.", "a value of another type", &rows)
        .why("What a lenient reader turns into text is not what was meant.")
}

fn optional_types() -> Entry {
    refused(
        "load-optional-type",
        "The optional keys have their types too.",
        "an optional key of another type",
        &[
            ("require_request_binding a string", and("require_request_binding = \"true\"")),
            ("require_request_binding an integer", and("require_request_binding = 1")),
            ("server_name empty", and("server_name = \"\"")),
            ("server_name a boolean", and("server_name = false")),
            ("server_name an array", and("server_name = [\"gw.internal\"]")),
        ],
    )
    .also("BINDING-3")
    .why("A string \"false\" that counts as true, or the reverse, turns a protection off.")
}

fn urls(name: &str, title: &str, what: &str, rows: &[(&str, &str)]) -> Entry {
    let rows: Vec<(&str, String)> =
        rows.iter().map(|(name, url)| (*name, with("gateway_url", &format!("\"{url}\"")))).collect();
    refused(name, title, what, &rows)
}

fn scheme() -> Entry {
    urls(
        "load-url-scheme",
        "The gateway is reached over https.",
        "another scheme",
        &[
            ("http", "http://gw.eu.example.com"),
            ("none", "gw.eu.example.com"),
            ("relative", "//gw.eu.example.com"),
            ("grpc", "grpc://gw.eu.example.com"),
            ("one slash", "https:/gw.eu.example.com"),
            ("no slash", "https:gw.eu.example.com"),
            ("upper case", "HTTPS://gw.eu.example.com"),
            ("a blank before it", " https://gw.eu.example.com"),
            ("empty", ""),
        ],
    )
    .why(
        "URL libraries mend most of these; the file is wrong all the same, and another library mends it \
        otherwise.",
    )
}

fn host() -> Entry {
    urls(
        "load-url-host",
        "The URL has a host, and a port that is one.",
        "no host, or no port",
        &[
            ("no host", "https://"),
            ("no host, a path", "https:///x"),
            ("no host, a port", "https://:443"),
            ("a port that is too high", "https://gw.eu.example.com:65536"),
            ("a port that is no number", "https://gw.eu.example.com:https"),
            ("a blank in it", "https://gw eu.example.com"),
            ("a port of zero", "https://gw.eu.example.com:0"),
            ("a port with a zero in front", "https://gw.eu.example.com:0443"),
            ("an empty port", "https://gw.eu.example.com:"),
            ("an open bracket", "https://[2001:db8::11"),
            ("a short IPv6 address", "https://[2001:db8]"),
            ("a group of five digits", "https://[20001:db8::1]"),
            ("a zone", "https://[fe80::1%25eth0]"),
            ("IPv6 without brackets", "https://2001:db8::1"),
            ("an IPv4 number over 255", "https://256.1.1.1"),
            ("an IPv4 number with a zero in front", "https://192.0.02.1"),
            ("three IPv4 numbers", "https://10.0.1"),
            ("an empty label", "https://gw..example.com"),
            ("a dot at the end", "https://gw.eu.example.com."),
            ("an escape", "https://gw%2eexample.com"),
            ("a letter beyond ASCII", "https://b\u{fc}cher.example"),
            ("a blank in the path", "https://gw.eu.example.com/a b"),
            ("a backslash in the path", "https://gw.eu.example.com/a\\\\b"),
            ("a letter beyond ASCII in the path", "https://gw.eu.example.com/\u{e9}"),
        ],
    )
    .why("It fails at load, where somebody is looking, and not at the join.")
}

fn userinfo() -> Entry {
    urls(
        "load-url-userinfo",
        "The URL has no userinfo.",
        "userinfo before the host",
        &[
            ("a name", "https://user@gw.eu.example.com"),
            ("name and password", "https://user:secret@gw.eu.example.com"),
            ("another host's name", "https://gw.eu.example.com@evil.example"),
            ("empty", "https://@gw.eu.example.com"),
            ("a colon alone", "https://:@gw.eu.example.com"),
        ],
    )
    .why("Secrets in URLs end in logs, and a name before the @ looks like a host.")
}

fn query() -> Entry {
    urls(
        "load-url-query",
        "The URL has no query and no fragment.",
        "a query or a fragment",
        &[
            ("query", "https://gw.eu.example.com?x=1"),
            ("empty query", "https://gw.eu.example.com?"),
            ("fragment", "https://gw.eu.example.com#x"),
            ("empty fragment", "https://gw.eu.example.com/#"),
        ],
    )
    .why("A gateway has none; what was put there was meant to do something that it does not do.")
}

fn site() -> Entry {
    let text = |site: &str| with("site", &format!("\"{site}\""));
    let bare = SITE.trim_start_matches("site_");
    refused(
        "load-site",
        "site is a site_ TypeID.",
        "another form of id",
        &[
            ("another prefix", text(&format!("node_{bare}"))),
            ("no prefix", text(bare)),
            ("upper case", text(&SITE.to_ascii_uppercase())),
            ("too short", text(&SITE[..SITE.len() - 1])),
            ("too long", text(&format!("{SITE}7"))),
            ("over 128 bits", text(&SITE.replace("site_0", "site_8"))),
            ("a letter that is not in the alphabet", text(&SITE.replace("b1c", "l1c"))),
            ("a name", text("eu-1")),
            ("the placeholder of the manual", text("site_…")),
            ("a blank after it", text(&format!("{SITE} "))),
            ("empty", text("")),
        ],
    )
    .why("It is compared with the answer's: what cannot be equal is found at load.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::config::load::{input, value};

    #[test]
    fn every_row_of_missing_has_four_lines() {
        for call in missing().build().calls() {
            assert_ne!(*call.input, input(right()));
        }
        assert_eq!(right().lines().count(), 5);
        assert!(value("site").contains(SITE));
    }
}
