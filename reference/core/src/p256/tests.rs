use proptest::prelude::*;

use super::*;
use crate::csr::forge::hex;
use crate::json;

/// The test key of RFC 6979 appendix A.2.5.
const D: &str = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721";
const X: &str = "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6";
const Y: &str = "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299";

fn point() -> Vec<u8> {
    hex(&["04", X, Y].concat())
}

fn jwk(members: &str) -> Value {
    json::read(members.replace('\'', "\"").as_bytes()).unwrap()
}

fn coordinate(text: &str) -> String {
    base64url::encode(&hex(text))
}

#[test]
fn a_scalar_has_the_point_of_rfc_6979_and_the_pin_of_the_config_page() {
    let key = PrivateKey::from_scalar(&hex(D)).unwrap_or_else(|| panic!("a scalar"));
    assert_eq!(key.public().point()[..], point()[..]);
    assert_eq!(key.public().pin().to_string(), "sha256/Wnp4zKSg9CDZvGK7Zpw8J1njn3I9OuENy+DwgVoH7NQ=");
    assert_eq!(PublicKey::from_spki(&key.public().spki()), Some(*key.public()));
    assert_eq!(key.public().spki().len(), 91);
}

#[test]
fn a_scalar_is_in_one_to_n_minus_one() {
    let mut order_minus_one = ORDER;
    order_minus_one[31] -= 1;
    assert!(PrivateKey::from_scalar(&order_minus_one).is_some());
    for bad in [&[0; 32][..], &ORDER, &[0xff; 32], &[1; 31], &[1; 33], &[]] {
        assert!(PrivateKey::from_scalar(bad).is_none(), "{bad:02x?}");
    }
}

#[test]
fn a_point_is_uncompressed_in_range_and_on_the_curve() {
    let good = point();
    assert!(PublicKey::from_point(&good).is_some());
    let mut off_curve = good.clone();
    off_curve[64] ^= 1;
    // x = 5 has a point; x = p + 5 names the same residue and must not be taken for it.
    let on_curve = hex(concat!(
        "04",
        "0000000000000000000000000000000000000000000000000000000000000005",
        "459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc"
    ));
    assert!(PublicKey::from_point(&on_curve).is_some());
    let out_of_range = hex(concat!(
        "04",
        "ffffffff00000001000000000000000000000001000000000000000000000004",
        "459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc"
    ));
    let compressed = [&[0x03], &good[1..33]].concat();
    let hybrid = [&[0x07], &good[1..]].concat();
    let long = [&good[..], &[0]].concat();
    for bad in [
        &off_curve,
        &out_of_range,
        &compressed,
        &hybrid,
        &long,
        &vec![0],
        &vec![],
        &vec![4; 65],
        &vec![0; 65],
    ] {
        assert!(PublicKey::from_point(bad).is_none(), "{bad:02x?}");
    }
}

#[test]
fn a_public_jwk_has_its_members_and_no_private_one() {
    let (x, y, d) = (coordinate(X), coordinate(Y), coordinate(D));
    let good = format!("{{'kty':'EC','crv':'P-256','x':'{x}','y':'{y}','use':'enc'}}");
    assert!(PublicKey::from_jwk(&jwk(&good)).is_some());
    for bad in [
        good.replace("'EC'", "'ec'"),
        good.replace("P-256", "P-384"),
        good.replace("'use':'enc'", &format!("'d':'{d}'")),
        good.replace("'use':'enc'", "'d':null"),
        good.replace(&x, &y),
        good.replace(&x, &format!("{x}=")),
        good.replace(&x, &x[..42]),
        good.replace("'y'", "'Y'"),
        format!("[{good}]"),
        good.replace(&format!("'{x}'"), "7"),
    ] {
        assert_ne!(bad, good);
        assert!(PublicKey::from_jwk(&jwk(&bad)).is_none(), "{bad}");
    }
}

#[test]
fn a_private_jwk_agrees_with_itself() {
    let (x, y, d) = (coordinate(X), coordinate(Y), coordinate(D));
    let good = format!("{{'kty':'EC','crv':'P-256','x':'{x}','y':'{y}','d':'{d}'}}");
    assert!(PrivateKey::from_jwk(&jwk(&good)).is_some_and(|key| key.scalar()[..] == hex(D)[..]));
    let other = base64url::encode(&[7; 32]);
    for bad in [good.replace(&d, &other), good.replace("'d'", "'e'"), good.replace("'EC'", "'OKP'")] {
        assert!(PrivateKey::from_jwk(&jwk(&bad)).is_none(), "{bad}");
    }
}

#[test]
fn a_signature_is_padded_from_minimal_numbers() {
    let signature = signature_from_der(&hex("3007 0201 7f 0202 0080")).unwrap();
    let mut expected = [0; 64];
    (expected[31], expected[63]) = (0x7f, 0x80);
    assert_eq!(signature, expected);
    assert_eq!(signature_to_der(&expected), hex("3007 0201 7f 0202 0080"));
    for bad in
        ["3006 0201 00 0201 01", "3006 0201 01 0201 00", "3006 0201 81 0201 01", "3003 0201 01", "3000", ""]
    {
        assert_eq!(signature_from_der(&hex(bad)), None, "{bad}");
    }
}

proptest! {
    #[test]
    fn arbitrary_octets_never_panic(octets: Vec<u8>, x in ".*", y in "[A-Za-z0-9_-]{43}") {
        prop_assert!(PublicKey::from_spki(&octets).is_none());
        let _point = PublicKey::from_point(&octets);
        let _signature = signature_from_der(&octets);
        let members = [("kty", "EC"), ("crv", "P-256"), ("x", x.as_str()), ("y", y.as_str())];
        let members = members.map(|(name, value)| (name.to_owned(), Value::String(value.to_owned())));
        prop_assert!(PublicKey::from_jwk(&Value::Object(members.to_vec())).is_none());
    }
}
