use proptest::prelude::*;

use super::*;

const TOKEN: &str = "bcjt_jt_01kdvdna00e008000000000001.AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
const ID: &str = "jt_01kdvdna00e008000000000001";
/// SHA-256 of the octets 00 to 1f, as the page has it.
const SECRET_SHA256: [u8; 32] = [
    0x63, 0x0d, 0xcd, 0x29, 0x66, 0xc4, 0x33, 0x66, 0x91, 0x12, 0x54, 0x48, 0xbb, 0xb2, 0x5b, 0x4f, 0xf4,
    0x12, 0xa4, 0x9c, 0x73, 0x2d, 0xb2, 0xc8, 0xab, 0xc1, 0xb8, 0x58, 0x1b, 0xd7, 0x10, 0xdd,
];

fn row() -> Row {
    Row {
        id: ID.to_owned(),
        tenant: "ten_t".into(),
        secret_sha256: SECRET_SHA256,
        role: Role::Node,
        expires_at: Millis(1000),
        revoked_at: None,
        uses_left: 2,
    }
}

fn refusal(row: Option<&Row>, token: &str, role: &str, now: i64) -> Reason {
    admit(row, token.as_bytes(), role, Millis(now)).unwrap_err()
}

#[test]
fn the_pages_example_parses() {
    let token = parse(TOKEN.as_bytes()).unwrap_or_else(|reason| panic!("{reason:?}"));
    assert_eq!(token.id().as_str(), ID);
    assert_eq!(token.secret_sha256(), SECRET_SHA256);
    assert_eq!(*token.text(), TOKEN);
}

#[test]
fn parsing_is_exact() {
    let bad = [
        String::new(),
        TOKEN.replace("bcjt_", "BCJT_"),
        TOKEN.replace("bcjt_", ""),
        format!("{}9", &TOKEN[..TOKEN.len() - 1]),
        format!("{TOKEN}="),
        format!("{TOKEN}\n"),
        format!(" {TOKEN}"),
        format!("{TOKEN}\0"),
        format!("\u{feff}{TOKEN}"),
        TOKEN.replace('.', ".."),
        TOKEN.replace('.', "_"),
        TOKEN.replace("jt_01", "jt_81"),
        TOKEN.replace("kdvd", "KDVD"),
        TOKEN.replace("kdvd", "idvd"),
        TOKEN.replace("kdvd", "udvd"),
        TOKEN.replace("kdvd", "dvd"),
        TOKEN.replace("jt_01", "jr_01"),
    ];
    for text in &bad {
        assert_ne!(text, TOKEN);
        assert_eq!(parse(text.as_bytes()).err(), Some(Reason::TokenMalformed), "{text:?}");
    }
}

#[test]
fn one_line_end_is_stripped_and_nothing_else() {
    for good in ["", "\n", "\r\n"] {
        assert!(read(format!("{TOKEN}{good}").as_bytes()).is_ok(), "{good:?}");
    }
    for bad in ["\n\n", "\r", "\r\n\n", "\r\r\n", " \n", "\n "] {
        let octets = format!("{TOKEN}{bad}");
        assert_eq!(read(octets.as_bytes()).err(), Some(Reason::TokenMalformed), "{bad:?}");
    }
}

#[test]
fn an_id_is_exactly_an_id() {
    assert_eq!(id(ID).unwrap().to_string(), ID);
    for bad in
        [TOKEN, "", "jt_", " jt_01kdvdna00e008000000000001", "jt_01kdvdna00e008000000000001\n", "jt_01KDVDNA"]
    {
        assert_eq!(id(bad), Err(Reason::InvalidArgument), "{bad:?}");
    }
}

#[test]
fn a_good_token_loses_one_use() {
    assert_eq!(admit(Some(&row()), TOKEN.as_bytes(), "node", Millis(999)), Ok(1));
}

#[test]
fn each_fault_has_its_reason() {
    let row = row();
    assert_eq!(refusal(Some(&row), TOKEN, "Node", 0), Reason::RoleInvalid);
    assert_eq!(refusal(Some(&row), "x", "node", 0), Reason::TokenMalformed);
    assert_eq!(refusal(None, TOKEN, "node", 0), Reason::TokenUnknown);
    let other = Row { id: ID.replace("kdvd", "kdvc"), ..row.clone() };
    assert_eq!(refusal(Some(&other), TOKEN, "node", 0), Reason::TokenUnknown);
    let secret = Row { secret_sha256: sha256(b"other"), ..row.clone() };
    assert_eq!(refusal(Some(&secret), TOKEN, "node", 0), Reason::TokenSecret);
    let revoked = Row { revoked_at: Some(Millis(0)), ..row.clone() };
    assert_eq!(refusal(Some(&revoked), TOKEN, "node", 0), Reason::TokenRevoked);
    assert_eq!(refusal(Some(&row), TOKEN, "node", 1000), Reason::TokenExpired);
    let used = Row { uses_left: 0, ..row.clone() };
    assert_eq!(refusal(Some(&used), TOKEN, "node", 0), Reason::TokenUsed);
    assert_eq!(refusal(Some(&row), TOKEN, "site", 0), Reason::TokenRole);
}

#[test]
fn with_every_fault_at_once_the_order_decides() {
    let mut bad = Row {
        id: "jt_other".to_owned(),
        tenant: "ten_t".into(),
        secret_sha256: [1; 32],
        role: Role::Site,
        expires_at: Millis(0),
        revoked_at: Some(Millis(0)),
        uses_left: 0,
    };
    assert_eq!(refusal(Some(&bad), "x", "admin", 0), Reason::RoleInvalid);
    assert_eq!(refusal(Some(&bad), "x", "node", 0), Reason::TokenMalformed);
    assert_eq!(refusal(Some(&bad), TOKEN, "node", 0), Reason::TokenUnknown);
    bad.id = ID.to_owned();
    assert_eq!(refusal(Some(&bad), TOKEN, "node", 0), Reason::TokenSecret);
    bad.secret_sha256 = SECRET_SHA256;
    assert_eq!(refusal(Some(&bad), TOKEN, "node", 0), Reason::TokenRevoked);
    bad.revoked_at = None;
    assert_eq!(refusal(Some(&bad), TOKEN, "node", 0), Reason::TokenExpired);
    bad.expires_at = Millis(1);
    assert_eq!(refusal(Some(&bad), TOKEN, "node", 0), Reason::TokenUsed);
    bad.uses_left = 1;
    assert_eq!(refusal(Some(&bad), TOKEN, "node", 0), Reason::TokenRole);
}

proptest! {
    #[test]
    fn arbitrary_octets_never_panic(octets: Vec<u8>) {
        let _token = parse(&octets);
        let _read = read(&octets);
    }

    #[test]
    fn a_changed_octet_is_another_token_or_none(at in 0..TOKEN.len(), octet: u8) {
        let mut octets = TOKEN.as_bytes().to_vec();
        octets[at] = octet;
        if let Ok(token) = parse(&octets) {
            let text = token.text();
            prop_assert_eq!(text.as_bytes(), &octets[..]);
        }
    }
}
