use super::*;
use crate::csr::forge::{Parts, attribute, hex, request};
use crate::csr::{self};
use crate::der::{UTF8_STRING, write};

const HASH: &str = "97559fa47286d437b7ba409d901aeff496b691bf0dc57e0c943f269a779b9f2c";
const VALUE: &str = "bc-join-request-v1:l1WfpHKG1De3ukCdkBrv9Ja2kb8NxX4MlD8mmnebnyw";

fn claims() -> Raw {
    Raw {
        product_uuid: b"4C4C4544-0051-3410-8051-B5C04F375931".to_vec(),
        product_serial: b"5Q4Q7Y1".to_vec(),
        hostname: b"b7-u12".to_vec(),
        permanent_macs: vec![b"3C:EC:EF:12:34:56".to_vec()],
        ..Raw::default()
    }
}

fn example(claims: &Raw) -> Request<'_> {
    Request { attestor: "", role: "node", token_id: "jt_01kdvdna00e008000000000001", claims }
}

fn hash_of(text: &str) -> [u8; 32] {
    hex(text).try_into().unwrap()
}

fn judged(octets: &[u8], choice: RequestBinding, required: bool) -> Result<bool, Reason> {
    check(&csr::check(octets).unwrap(), &hash_of(HASH), choice, required)
}

/// The verdict over a request whose attributes are of unstructuredName with these values each.
fn with_values(attributes: &[&[Vec<u8>]]) -> Result<bool, Reason> {
    let attributes: Vec<Vec<u8>> =
        attributes.iter().map(|values| attribute(UNSTRUCTURED_NAME, values)).collect();
    judged(&Parts::with_attributes(&attributes).signed(), RequestBinding::Checked, false)
}

#[test]
fn the_pages_example() {
    let claims = claims();
    assert_eq!(hash(&example(&claims)), hash_of(HASH));
    assert_eq!(hash(&Request { attestor: "join-token", ..example(&claims) }), hash_of(HASH));
    assert_eq!(value(&hash_of(HASH)), VALUE);
}

#[test]
fn every_field_counts_as_it_was_sent() {
    let original = claims();
    let base = hash(&example(&original));
    let variants = [
        Raw { product_uuid: b"4c4c4544-0051-3410-8051-b5c04f375931".to_vec(), ..original.clone() },
        Raw { product_serial: b"5Q4Q7Y1 ".to_vec(), ..original.clone() },
        Raw { board_serial: b"x".to_vec(), ..original.clone() },
        Raw { chassis_serial: b"x".to_vec(), ..original.clone() },
        Raw { hostname: Vec::new(), ..original.clone() },
        Raw { permanent_macs: vec![b"3C:EC:EF:12:34:56".to_vec(); 2], ..original.clone() },
        Raw { gpu_uuids: vec![Vec::new()], ..original.clone() },
        // The same octets in the neighbouring claim.
        Raw { product_serial: Vec::new(), board_serial: b"5Q4Q7Y1".to_vec(), ..original.clone() },
    ];
    for claims in variants {
        assert_ne!(hash(&example(&claims)), base, "{claims:?}");
    }
    assert_ne!(hash(&Request { attestor: "tpm", ..example(&original) }), base);
    assert_ne!(hash(&Request { role: "site", ..example(&original) }), base);
    assert_ne!(hash(&Request { token_id: "", ..example(&original) }), base);
}

#[test]
fn a_right_hash_binds_and_a_wrong_one_refuses() {
    assert_eq!(judged(&request(Some(&hash_of(HASH))), RequestBinding::Checked, true), Ok(true));
    let wrong = request(Some(&[0; 32]));
    assert_eq!(judged(&wrong, RequestBinding::Checked, false), Err(Reason::RequestBinding));
}

#[test]
fn absence_is_refused_only_where_it_is_required() {
    let without = request(None);
    assert_eq!(judged(&without, RequestBinding::Checked, false), Ok(false));
    assert_eq!(judged(&without, RequestBinding::Checked, true), Err(Reason::RequestBinding));
}

#[test]
fn under_none_nothing_is_looked_at() {
    for octets in [request(None), request(Some(&[0; 32])), request(Some(&hash_of(HASH)))] {
        assert_eq!(judged(&octets, RequestBinding::None, true), Ok(false));
    }
}

#[test]
fn a_malformed_binding_is_refused() {
    let text = |text: &str| write(UTF8_STRING, text.as_bytes());
    let printable = write(0x13, VALUE.as_bytes());
    for bad in [
        text("bc-join-request-v1:"),
        text(&format!("{VALUE}=")),
        text(&format!("{VALUE}\n")),
        // The last character's unused bits are not zero.
        text(&VALUE.replace("nyw", "nyx")),
        printable,
    ] {
        assert_eq!(with_values(&[std::slice::from_ref(&bad)]), Err(Reason::RequestBinding), "{bad:02x?}");
    }
}

#[test]
fn two_bindings_are_refused_even_if_equal() {
    let good = write(UTF8_STRING, VALUE.as_bytes());
    assert_eq!(with_values(&[std::slice::from_ref(&good)]), Ok(true));
    assert_eq!(with_values(&[&[good.clone(), good.clone()]]), Err(Reason::RequestBinding));
    let one = std::slice::from_ref(&good);
    assert_eq!(with_values(&[one, one]), Err(Reason::RequestBinding));
}

#[test]
fn other_values_are_nobodys_business() {
    let good = write(UTF8_STRING, VALUE.as_bytes());
    let other = write(UTF8_STRING, b"web-01");
    assert_eq!(with_values(&[std::slice::from_ref(&other)]), Ok(false));
    assert_eq!(with_values(&[&[other.clone(), good]]), Ok(true));
    assert_eq!(with_values(&[&[write(UTF8_STRING, b"bc-join-request-v2:x")]]), Ok(false));
    let elsewhere = attribute(&[0x2a, 0x03], &[write(UTF8_STRING, b"bc-join-request-v1:x")]);
    let octets = Parts::with_attributes(&[elsewhere]).signed();
    assert_eq!(judged(&octets, RequestBinding::Checked, false), Ok(false));
}
