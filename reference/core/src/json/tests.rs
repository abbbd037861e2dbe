use proptest::prelude::*;

use super::*;

fn string(text: &str) -> Value {
    Value::String(text.to_owned())
}

#[test]
fn members_keep_their_order_and_numbers_their_text() {
    let value = read(b" { \"b\" : [ 1.50 , -0, 2E+3 ] ,\t\"a\":{\"n\":null,\"t\":true}}\r\n").unwrap();
    let numbers = ["1.50", "-0", "2E+3"].map(|text| Value::Number(text.to_owned()));
    let inner = vec![("n".to_owned(), Value::Null), ("t".to_owned(), Value::Bool(true))];
    let expected =
        vec![("b".to_owned(), Value::Array(numbers.to_vec())), ("a".to_owned(), Value::Object(inner))];
    assert_eq!(value, Value::Object(expected));
}

#[test]
fn escapes_are_decoded() {
    let value = read(br#""\u0063sr \"\\\/\b\f\n\r\t \ud83d\ude00 \u00e9""#).unwrap();
    assert_eq!(value, string("csr \"\\/\u{8}\u{c}\n\r\t \u{1f600} \u{e9}"));
}

#[test]
fn what_is_not_json_is_refused() {
    let bad: &[&[u8]] = &[
        b"",
        b" ",
        b"{",
        b"}",
        b"{}x",
        b"{} {}",
        b"[1,]",
        b"{\"a\":1,}",
        b"{,}",
        b"[,]",
        b"{a:1}",
        b"{\"a\" 1}",
        b"'a'",
        b"01",
        b"-",
        b"+1",
        b".5",
        b"1.",
        b"1e",
        b"1e+",
        b"0x1",
        b"NaN",
        b"Infinity",
        b"True",
        b"nul",
        b"\"a",
        b"\"\n\"",
        b"\"\\x\"",
        b"\"\\u12\"",
        b"\"\\u+123\"",
        b"\"\\u00g0\"",
        b"// c\n1",
        b"1 /**/",
        b"\xef\xbb\xbf{}",
        b"\"\xff\"",
        b"\"\xc0\xaf\"",
        b"\"\xed\xa0\x80\"",
        b"\x0b1",
        b"\xc2\xa01",
    ];
    for octets in bad {
        assert_eq!(read(octets), None, "{:?}", String::from_utf8_lossy(octets));
    }
}

#[test]
fn a_lone_surrogate_is_refused() {
    for bad in [r#""\ud800""#, r#""\udc00""#, r#""\ud800\ud800""#, r#""\ud800x""#, r#""\ud800\n""#] {
        assert_eq!(read(bad.as_bytes()), None, "{bad}");
    }
}

#[test]
fn a_member_twice_is_refused_at_any_depth_whatever_its_spelling() {
    for bad in [r#"{"a":1,"a":1}"#, r#"{"csr":1,"\u0063sr":1}"#, r#"[{"x":{"a":1,"b":2,"a":3}}]"#] {
        assert_eq!(read(bad.as_bytes()), None, "{bad}");
    }
    assert!(read(br#"{"a":{"a":1},"A":1}"#).is_some());
}

#[test]
fn nesting_is_sixteen_levels_the_outermost_value_being_the_first() {
    let nested = |arrays: usize| format!("{}1{}", "[".repeat(arrays), "]".repeat(arrays));
    assert!(read(nested(15).as_bytes()).is_some());
    assert_eq!(read(nested(16).as_bytes()), None);
    assert_eq!(read("[".repeat(1_000_000).as_bytes()), None);
    let objects = |levels: usize| format!("{}{{}}{}", "{\"a\":".repeat(levels), "}".repeat(levels));
    assert!(read(objects(15).as_bytes()).is_some());
    assert_eq!(read(objects(16).as_bytes()), None);
}

#[test]
fn digits_are_digits_only() {
    let digits = |text: &str| read(text.as_bytes()).and_then(|value| value.as_digits());
    assert_eq!(digits("0"), Some(0));
    assert_eq!(digits("18446744073709551615"), Some(u64::MAX));
    for bad in ["18446744073709551616", "-0", "1.0", "1e2", "\"1\"", "true", "00"] {
        assert_eq!(digits(bad), None, "{bad}");
    }
}

proptest! {
    #[test]
    fn arbitrary_octets_never_panic(octets: Vec<u8>) {
        let _value = read(&octets);
    }

    #[test]
    fn what_is_accepted_another_reader_accepts(text in "[\\[\\]{}:,\"\\\\u0-9a-f.eE+\\- tnl]{0,40}") {
        if read(text.as_bytes()).is_some() {
            // The other reader turns numbers into 64-bit floats and refuses those that are too large.
            let other = serde_json::from_str::<serde_json::Value>(&text);
            let agrees = other.map_or_else(|error| error.to_string().contains("out of range"), |_| true);
            prop_assert!(agrees);
        }
    }

    #[test]
    fn a_string_survives_another_writer(text: String) {
        let written = serde_json::to_vec(&text).unwrap();
        prop_assert_eq!(read(&written), Some(Value::String(text)));
    }
}
