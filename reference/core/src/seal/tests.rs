use proptest::prelude::*;
use zeroize::Zeroizing;

use super::*;
use crate::base64url;
use crate::csr::forge::hex;
use crate::pin::Pin;

const TOKEN: &str = "bcjt_jt_01kdvdna00e008000000000001.AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
const PIN: &str = "sha256/rTsie9R9NogMtMs7yhwba7LJCU2yfL7DmEuQi9M8KWM=";
const IAT_S: i64 = 1_767_225_600;
const NOW: Millis = Millis(IAT_S * 1000);

/// The header of the page's example.
const HEADER: &str = concat!(
    r#"{"alg":"ECDH-ES+A256KW","enc":"A256GCM","typ":"bcjt+jwe","iat":1767225600,"#,
    r#""csr":"9lVIvhFJ3x8gDhYc_EmrYXKZ_Pdz1xgyu3FsweV6Nuc","epk":{"kty":"EC","crv":"P-256","#,
    r#""x":"u1SZvNYA-gzk_1IhngnWbA14NkPaJAapEKYFxNHGZ1w","y":"nElDt5HBP8r9JzKesRe-bcJcIzftDk_uLwkosl2iv08"}}"#
);

/// The seal of the page's example.
const SEAL: &str = concat!(
    "eyJhbGciOiJFQ0RILUVTK0EyNTZLVyIsImVuYyI6IkEyNTZHQ00iLCJ0eXAiOiJiY2p0K2p3ZSIsImlhdCI6MTc2NzIyNTYwMCwi",
    "Y3NyIjoiOWxWSXZoRkozeDhnRGhZY19FbXJZWEtaX1BkejF4Z3l1M0Zzd2VWNk51YyIsImVwayI6eyJrdHkiOiJFQyIsImNydiI6",
    "IlAtMjU2IiwieCI6InUxU1p2TllBLWd6a18xSWhuZ25XYkExNE5rUGFKQWFwRUtZRnhOSEdaMXciLCJ5IjoibkVsRHQ1SEJQOHI5",
    "SnpLZXNSZS1iY0pjSXpmdERrX3VMd2tvc2wyaXYwOCJ9fQ.eY2VnkgvRepJZz4mCAutuvrljrBqgC8fOhio9Hst27YDnrCv22zdV",
    "A.YGFiY2RlZmdoaWpr.zktjcVj-5Pk5sBJSc-Iyaj8ciyEnBqE-Pkr7iJvyN8sQ3sNfOo6cyN-o5mp8TUlpr0khCDR24vAdV0sul",
    "MyZ9hb49wkNJD6AOn75MdMh.MttKV8CPi-odxYYMA6Axug",
);

/// The CSR of the page's example.
fn csr() -> Vec<u8> {
    hex("
    30820109 3081b1 020100 3000 3059301306072a8648ce3d020106082a8648ce3d030107034200 04
    43b9cf987898cde50e2b3aa25bae1d1f865443c82cc430926bd5de8ff9367246
    a82f386dd019248aa1cd74a6521a730aa19c0508e4d771eb939308633f917041
    a04f 304d 06092a864886f70d010902 3140 0c3e 62632d6a6f696e2d726571756573742d76313a
    6c31576670484b4731446533756b43646b427276394a61326b62384e7858344d6c44386d6d6e65626e7977
    300a06082a8648ce3d040302 0347 003044
    0220 631d34b38dfab3c7138789ec08897bff825afc78aa9f77c9a46c4a5b7e7c7528
    0220 30a001f788ded8f414f04973a0526f9db7b7768d6762db1543a85c734d330efb")
}

fn key(name: &str) -> PrivateKey {
    PrivateKey::from_scalar(&sha256(name.as_bytes())).unwrap_or_else(|| panic!("a scalar"))
}

fn held() -> Vec<PrivateKey> {
    vec![key("example encryption key")]
}

fn ascending<const N: usize>(first: u8) -> [u8; N] {
    let mut octets = [first; N];
    for (octet, offset) in octets.iter_mut().zip(0..) {
        *octet += offset;
    }
    octets
}

fn fresh() -> Fresh {
    Fresh {
        ephemeral: key("example ephemeral key"),
        content_key: Zeroizing::new(ascending(0x40)),
        iv: ascending(0x60),
    }
}

/// The example with another header and another plaintext, encrypted rightly.
fn sealed(header: &[u8], plaintext: &[u8]) -> String {
    let header = base64url::encode(header);
    let Fresh { ephemeral, content_key, iv } = fresh();
    let encrypted =
        crypto::encrypt(&ephemeral, held()[0].public(), &content_key, iv, &header, plaintext).unwrap();
    let parts =
        [&encrypted.encrypted_key[..], &iv, &encrypted.ciphertext, &encrypted.tag].map(base64url::encode);
    [header, parts.join(".")].join(".")
}

fn with_header(header: &str) -> Result<u64, Reason> {
    judged(&sealed(header.as_bytes(), TOKEN.as_bytes()))
}

fn judged(seal: &str) -> Result<u64, Reason> {
    judge(seal.as_bytes(), &csr(), &held(), None, NOW).map(|opened| opened.iat_s)
}

/// The example with one of its parts replaced.
fn with_part(index: usize, part: &str) -> String {
    let mut parts: Vec<&str> = SEAL.split('.').collect();
    parts[index] = part;
    parts.join(".")
}

#[test]
fn the_pages_example_opens() {
    let opened =
        judge(SEAL.as_bytes(), &csr(), &held(), None, NOW).unwrap_or_else(|reason| panic!("{reason:?}"));
    assert_eq!((*opened.token.text()).as_str(), TOKEN);
    assert_eq!(opened.iat_s, 1_767_225_600);
}

#[test]
fn the_pages_example_is_what_a_client_makes() {
    let token = token::parse(TOKEN.as_bytes()).unwrap_or_else(|reason| panic!("{reason:?}"));
    let recipient = *held()[0].public();
    let pins = [Pin([7; 32]), Pin::parse(PIN).unwrap()];
    assert_eq!(make(&token, &csr(), &recipient, &pins, 1_767_225_600, &fresh()).as_deref(), Ok(SEAL));
    let other = make(&token, &csr(), &recipient, &pins[..1], 1_767_225_600, &fresh());
    assert_eq!(other, Err(Reason::PinMismatch));
    assert_eq!(make(&token, &csr(), &recipient, &[], 1_767_225_600, &fresh()), Err(Reason::PinMismatch));
}

#[test]
fn header_members_may_stand_in_any_order_with_blanks_and_escapes() {
    for good in [
        HEADER.to_owned(),
        format!("\t{}\r\n ", HEADER.replace(':', " : ").replace("\"csr\"", "\"\\u0063sr\"")),
        HEADER.replace("A256GCM", "\\u0041256GCM"),
        HEADER.replace("\"iat\":1767225600,", "").replacen('{', "{\"iat\":1767225600,", 1),
        HEADER.replacen('{', &format!("{{\"kid\":\"{PIN}\","), 1),
    ] {
        assert_eq!(with_header(&good), Ok(1_767_225_600), "{good}");
    }
}

#[test]
fn any_other_header_is_refused() {
    let with = |members: &str| HEADER.replacen('{', &format!("{{{members},"), 1);
    for bad in [
        HEADER.replace("ECDH-ES+A256KW", "ECDH-ES"),
        HEADER.replace("ECDH-ES+A256KW", "ecdh-es+a256kw"),
        HEADER.replace("A256GCM", "A128GCM"),
        HEADER.replace("bcjt+jwe", "JWE"),
        HEADER.replace("\"typ\":\"bcjt+jwe\",", ""),
        HEADER.replace("\"typ\":\"bcjt+jwe\"", "\"typ\":[\"bcjt+jwe\"]"),
        with("\"zip\":\"DEF\""),
        with("\"crit\":[]"),
        with("\"apu\":\"\""),
        with("\"alg\":\"ECDH-ES+A256KW\""),
        with("\"\\u0063sr\":\"9lVIvhFJ3x8gDhYc_EmrYXKZ_Pdz1xgyu3FsweV6Nuc\""),
        with("\"kid\":null"),
        with("\"kid\":7"),
        HEADER.replace("Nuc\"", "Nud\""),
        HEADER.replace("Nuc\"", "Nuc=\""),
        HEADER.replace("Nuc\"", "Nu\""),
        HEADER.replace("\"kty\":\"EC\"", "\"kty\":\"EC\",\"kid\":\"x\""),
        HEADER.replace("\"kty\":\"EC\"", "\"kty\":\"EC\",\"d\":\"x\""),
        HEADER.replace("\"kty\":\"EC\",", ""),
        HEADER.replace("P-256", "P-384"),
        // Off the curve, and a coordinate short of its octets.
        HEADER.replace("iv08", "iv09"),
        HEADER.replace("iv08", "iv04"),
        HEADER.replace("iv08\"", "iv0\""),
        format!("{HEADER}x"),
        format!("{HEADER}{{}}"),
        format!("\u{feff}{HEADER}"),
        format!("[{HEADER}]"),
        String::new(),
        "{}".to_owned(),
    ] {
        assert_ne!(bad, HEADER);
        assert_eq!(with_header(&bad), Err(Reason::Seal), "{bad}");
    }
}

#[test]
fn iat_is_digits_through_the_year_9999() {
    let with = |iat: &str| with_header(&HEADER.replace("1767225600", iat));
    assert_eq!(with("0"), Ok(0));
    assert_eq!(with("253402300799"), Ok(253_402_300_799));
    for bad in ["253402300800", "-1", "-0", "1.0", "1e3", "007", "\"1\"", "null", "99999999999999999999"] {
        assert_eq!(with(bad), Err(Reason::Seal), "{bad}");
    }
}

#[test]
fn parts_are_five_and_canonical() {
    for bad in [
        String::new(),
        "....".to_owned(),
        SEAL.replacen('.', "", 1),
        format!("{SEAL}."),
        format!("{SEAL}\n"),
        format!(" {SEAL}"),
        format!("{SEAL}="),
        // The tag's last character has four unused bits.
        format!("{}h", &SEAL[..SEAL.len() - 1]),
        with_part(1, ""),
        with_part(1, &base64url::encode(&[0; 24])),
        with_part(1, &base64url::encode(&[0; 40])),
        with_part(1, &base64url::encode(&[0; 48])),
        with_part(2, &base64url::encode(&[0; 16])),
        with_part(3, ""),
        with_part(4, &base64url::encode(&[0; 12])),
        with_part(4, &base64url::encode(&[0; 16])),
        "{\"protected\":\"\",\"ciphertext\":\"\"}".to_owned(),
    ] {
        assert_eq!(judged(&bad), Err(Reason::Seal), "{bad}");
    }
}

#[test]
fn the_size_comes_first() {
    let padded =
        |blanks: usize| sealed(format!("{HEADER}{}", " ".repeat(blanks)).as_bytes(), TOKEN.as_bytes());
    let fits = (0..).map(|blanks| padded(2655 + blanks)).find(|seal| seal.len() >= 4095).unwrap();
    assert!(fits.len() <= 4096, "{}", fits.len());
    assert!(judged(&fits).is_ok());
    assert_eq!(judged(&padded(2665)), Err(Reason::Seal));
}

#[test]
fn the_plaintext_is_a_token_and_nothing_else() {
    for bad in ["", "bcjt_", &TOKEN[1..], &format!("{TOKEN}\n"), &format!("\"{TOKEN}\"")] {
        let seal = sealed(HEADER.as_bytes(), bad.as_bytes());
        assert_eq!(judged(&seal), Err(Reason::Seal), "{bad:?}");
    }
}

#[test]
fn kid_chooses_the_key_and_without_it_each_is_tried() {
    let kid = sealed(HEADER.replacen('{', &format!("{{\"kid\":\"{PIN}\","), 1).as_bytes(), TOKEN.as_bytes());
    let several = || vec![key("another"), key("example encryption key")];
    let open_with = |seal: &str, keys: Vec<PrivateKey>| {
        judge(seal.as_bytes(), &csr(), &keys, None, NOW).map(|opened| opened.iat_s)
    };
    assert_eq!(open_with(SEAL, several()), Ok(1_767_225_600));
    assert_eq!(open_with(&kid, several()), Ok(1_767_225_600));
    assert_eq!(open_with(SEAL, vec![key("another")]), Err(Reason::Seal));
    assert_eq!(open_with(SEAL, vec![]), Err(Reason::Seal));
    assert_eq!(open_with(&kid, vec![key("another")]), Err(Reason::SealKey));
    let other_pin = key("another").public().pin().to_string();
    let wrong =
        sealed(HEADER.replacen('{', &format!("{{\"kid\":\"{other_pin}\","), 1).as_bytes(), TOKEN.as_bytes());
    assert_eq!(open_with(&wrong, several()), Err(Reason::Seal));
    let unpadded = sealed(
        HEADER.replacen('{', &format!("{{\"kid\":\"{}\",", PIN.trim_end_matches('=')), 1).as_bytes(),
        TOKEN.as_bytes(),
    );
    assert_eq!(open_with(&unpadded, several()), Err(Reason::SealKey));
}

#[test]
fn the_window_includes_both_ends() {
    let window = Window { past_s: 300, ahead_s: 60 };
    let at = |seconds: i64, millis: i64| {
        check_iat(1_767_225_600, Some(window), Millis((IAT_S + seconds) * 1000 + millis))
    };
    assert_eq!(at(300, 999), Ok(()));
    assert_eq!(at(301, 0), Err(Reason::SealIat));
    assert_eq!(at(-60, 0), Ok(()));
    assert_eq!(at(-60, -1), Err(Reason::SealIat));
    assert_eq!(check_iat(0, None, NOW), Ok(()));
    let widest = Window { past_s: u64::MAX, ahead_s: u64::MAX };
    assert_eq!(check_iat(0, Some(widest), Millis(i64::MAX)), Ok(()));
}

#[test]
fn with_several_faults_the_order_decides() {
    let window = Some(Window { past_s: 0, ahead_s: 0 });
    let late = Millis(NOW.0 + 1000);
    let reason = |seal: &str, csr: &[u8]| judge(seal.as_bytes(), csr, &held(), window, late).err();
    let bad_kid = HEADER.replacen('{', "{\"kid\":\"x\",", 1);
    let bad_kid_and_typ = bad_kid.replace("bcjt+jwe", "x");
    assert_eq!(reason(&sealed(bad_kid_and_typ.as_bytes(), b"x"), b"x"), Some(Reason::Seal));
    assert_eq!(reason(&sealed(bad_kid.as_bytes(), b"x"), b"x"), Some(Reason::SealKey));
    assert_eq!(reason(&sealed(HEADER.as_bytes(), b"x"), b"x"), Some(Reason::Seal));
    assert_eq!(reason(SEAL, b"x"), Some(Reason::SealIat));
    assert_eq!(judge(SEAL.as_bytes(), b"x", &held(), None, late).err(), Some(Reason::SealCsr));
}

#[test]
fn every_flipped_bit_of_a_seal_is_refused() {
    for at in 0..SEAL.len() * 8 {
        let mut flipped = SEAL.as_bytes().to_vec();
        flipped[at / 8] ^= 1 << (at % 8);
        let refusal = judge(&flipped, &csr(), &held(), None, NOW).err();
        assert_eq!(refusal, Some(Reason::Seal), "bit {at}");
    }
}

#[test]
fn another_ephemeral_key_derives_another_key() {
    let another = key("another");
    let (x, y) = another.public().coordinates();
    let other = HEADER
        .replace("u1SZvNYA-gzk_1IhngnWbA14NkPaJAapEKYFxNHGZ1w", &base64url::encode(x))
        .replace("nElDt5HBP8r9JzKesRe-bcJcIzftDk_uLwkosl2iv08", &base64url::encode(y));
    assert_eq!(with_header(&other), Err(Reason::Seal));
}

proptest! {
    #[test]
    fn arbitrary_octets_never_panic(octets: Vec<u8>) {
        prop_assert!(open(&octets, &held()).is_err());
    }

    #[test]
    fn an_arbitrary_header_never_panics(header: Vec<u8>) {
        prop_assert!(open(sealed(&header, TOKEN.as_bytes()).as_bytes(), &held()).is_err());
    }
}
