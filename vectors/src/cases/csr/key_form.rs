//! The one encoding of a P-256 key: named curve, uncompressed point on the curve (CSR-2).

use super::{HONEST, good, input, ours, point, refused};
use crate::case::{Entry, reject};
use crate::testkit::csr::Csr;
use crate::testkit::der;

pub(super) fn entries() -> Vec<Entry> {
    vec![
        compressed(),
        hybrid(),
        infinity(),
        off_the_curve(),
        origin(),
        over_the_prime(),
        bare(),
        lengths(),
        null_parameters(),
        no_parameters(),
        explicit_parameters(),
        other_curve(),
        unused_bits(),
        forms(),
    ]
}

const EC_PUBLIC_KEY: &str = "1.2.840.10045.2.1";
const PRIME256V1: &str = "1.2.840.10045.3.1.7";

/// The request with this key, its parameters and point as given, signed by the machine's key.
fn with(parameters: &[u8], point: &[u8]) -> Vec<u8> {
    let algorithm = der::sequence(&[&der::oid(EC_PUBLIC_KEY), parameters]);
    Csr { spki: der::sequence(&[&algorithm, &der::bit_string(0, point)]), ..good() }.der()
}

fn named(point: &[u8]) -> Vec<u8> {
    with(&der::oid(PRIME256V1), point)
}

fn other(name: &str, title: &str, csr: &[u8], what: &str) -> Entry {
    refused(&format!("key-{name}"), "CSR-2", title, csr)
        .twin(HONEST, &["/in/csr:publicKey"], what)
        .recipe(&format!("Encode the machine's key otherwise, then sign with it: {what}."))
}

fn x_and_sign() -> (Vec<u8>, u8) {
    let point = point(&ours());
    let (x, y) = point.split_at(33);
    (x.split_at(1).1.to_vec(), y.last().copied().unwrap_or_default() & 1)
}

fn compressed() -> Entry {
    let (x, sign) = x_and_sign();
    let csr = named(&[vec![2 + sign], x].concat());
    other("compressed", "A compressed point is refused.", &csr, "the point is 02 or 03 and x")
        .why("It is the same key in another encoding: pins and lists of keys by their hash would miss it.")
}

fn hybrid() -> Entry {
    let mut octets = point(&ours());
    if let Some(first) = octets.first_mut() {
        *first = 6 + x_and_sign().1;
    }
    other("hybrid", "A hybrid point is refused.", &named(&octets), "the point begins 06 or 07, then x and y")
        .why(
            "OpenSSL reads the hybrid form, so the signature holds there: again the same key under another \
            hash.",
        )
}

fn infinity() -> Entry {
    other("infinity", "The point at infinity is refused.", &named(&[0]), "the point is the one octet 00")
        .why("SEC 1 encodes it so, and verifiers that multiply by it accept any signature.")
}

fn off_the_curve() -> Entry {
    let mut octets = point(&ours());
    if let Some(last) = octets.last_mut() {
        *last ^= 1;
    }
    other(
        "off-the-curve",
        "A point beside the curve is refused.",
        &named(&octets),
        "the last bit of y is flipped",
    )
    .why("The equation is checked when the key is read, not left to the signature.")
}

fn origin() -> Entry {
    let octets = [vec![4], vec![0; 64]].concat();
    other("origin", "The point (0, 0) is refused.", &named(&octets), "x and y are zero")
        .why("Libraries have taken (0, 0) for the point at infinity and gone on.")
}

/// The point with x = 5, its x written as p + 5.
fn over_the_prime() -> Entry {
    let text = "04ffffffff00000001000000000000000000000001000000000000000000000004\
                459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc";
    let octets = hex::decode(text).unwrap_or_default();
    other(
        "over-the-prime",
        "An x over the field's prime is refused.",
        &named(&octets),
        "a point's x is written as p + 5",
    )
    .why("Reduced it is on the curve: one key with two encodings.")
}

fn bare() -> Entry {
    let octets = point(&ours());
    let csr = named(octets.split_at(1).1);
    other("without-04", "A point without its first octet is refused.", &csr, "x and y without 04")
        .why("Tokens and smart cards hand out points like this.")
}

fn lengths() -> Entry {
    let entry = reject("csr/key-length", "CSR-2", "csr", "A point of another length is refused.")
        .family("csr.check")
        .refused()
        .why("Slices of fixed length panic on what is shorter, and drop what is longer.")
        .twin(HONEST, &["/in/csr:publicKey"], "the point has the length of the row")
        .recipe("Cut or extend the machine's point, then sign with its key.");
    let octets = point(&ours());
    let rows = [
        ("none", Vec::new()),
        ("one", vec![4]),
        ("33", octets.split_at(33).0.to_vec()),
        ("64", octets.split_at(64).0.to_vec()),
        ("66", [octets.clone(), vec![0]].concat()),
        ("97", [vec![4], vec![7; 96]].concat()),
    ];
    rows.iter().fold(entry, |entry, (name, octets)| entry.bad(name, input(named(octets))))
}

fn null_parameters() -> Entry {
    let csr = with(&der::tlv(der::NULL, []), &point(&ours()));
    other(
        "null-parameters",
        "A key whose curve is NULL is refused.",
        &csr,
        "the parameters are NULL (implicitlyCA)",
    )
    .why("The curve is then anybody's guess. Verdicts on parameters have changed with library upgrades.")
}

fn no_parameters() -> Entry {
    other(
        "no-parameters",
        "A key without a curve is refused.",
        &with(&[], &point(&ours())),
        "the parameters are left out",
    )
    .why("As with NULL, but other libraries accept this one.")
}

/// SEC 1 C.2: the whole curve written out in place of its name.
fn explicit_parameters() -> Entry {
    let number = |text: &str| hex::decode(text).unwrap_or_default();
    let prime = number("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff");
    let a = number("ffffffff00000001000000000000000000000000fffffffffffffffffffffffc");
    let b = number("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b");
    let base = number(
        "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296\
         4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
    );
    let order = number("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
    let field = der::sequence(&[&der::oid("1.2.840.10045.1.1"), &der::unsigned(&prime)]);
    let curve = der::sequence(&[&der::tlv(der::OCTET_STRING, a), &der::tlv(der::OCTET_STRING, b)]);
    let parameters = der::sequence(&[
        &der::unsigned(&[1]),
        &field,
        &curve,
        &der::tlv(der::OCTET_STRING, base),
        &der::unsigned(&order),
        &der::unsigned(&[1]),
    ]);
    let what = "the parameters spell P-256 out (SEC 1 appendix C.2)";
    other(
        "explicit-parameters",
        "A curve written out is refused, though it is P-256.",
        &with(&parameters, &point(&ours())),
        what,
    )
    .why("Whoever takes the base point from the message lets the sender choose one that makes a key its own.")
}

fn other_curve() -> Entry {
    let csr = with(&der::oid("1.3.132.0.10"), &point(&ours()));
    other(
        "named-secp256k1",
        "A P-256 point under the name of secp256k1 is refused.",
        &csr,
        "the curve's name is secp256k1",
    )
    .why("The point and the signature are right; the name decides.")
}

fn unused_bits() -> Entry {
    let algorithm = der::sequence(&[&der::oid(EC_PUBLIC_KEY), &der::oid(PRIME256V1)]);
    let mut octets = point(&ours());
    if let Some(last) = octets.last_mut() {
        *last &= 0xfe;
    }
    let spki = der::sequence(&[&algorithm, &der::bit_string(1, octets)]);
    let csr = Csr { spki, ..good() }.der();
    other(
        "unused-bits",
        "A key of 519 bits is refused.",
        &csr,
        "the BIT STRING says one unused bit, which is zero",
    )
    .why("Readers that drop the count see a point; the key must be whole octets.")
}

fn forms() -> Entry {
    let entry = reject("csr/key-form", "CSR-2", "csr", "A SubjectPublicKeyInfo of another shape is refused.")
        .also("CSR-1")
        .family("csr.check")
        .refused()
        .why("The structure is exactly two elements: the algorithm with its curve, and the key.")
        .twin(
            HONEST,
            &["/in/csr:publicKey"],
            "the key is encoded as the row says; signed by the machine's key",
        )
        .recipe("Encode the key as the row says, then sign.");
    let algorithm = der::sequence(&[&der::oid(EC_PUBLIC_KEY), &der::oid(PRIME256V1)]);
    let three = der::sequence(&[&der::oid(EC_PUBLIC_KEY), &der::oid(PRIME256V1), &der::tlv(der::NULL, [])]);
    let key = der::bit_string(0, point(&ours()));
    let rows = [
        ("third-element", der::sequence(&[&algorithm, &key, &der::tlv(der::NULL, [])])),
        ("third-in-the-algorithm", der::sequence(&[&three, &key])),
        ("octet-string", der::sequence(&[&algorithm, &der::tlv(der::OCTET_STRING, point(&ours()))])),
        ("no-key", der::sequence(&[&algorithm])),
        ("no-algorithm", der::sequence(&[&key])),
        ("empty-bit-string", der::sequence(&[&algorithm, &der::tlv(der::BIT_STRING, [])])),
        ("eight-unused-bits", der::sequence(&[&algorithm, &der::bit_string(8, point(&ours()))])),
        ("constructed-bit-string", der::sequence(&[&algorithm, &der::tlv(0x23, &key)])),
        ("point-alone", key.clone()),
        ("empty", der::sequence(&[])),
    ];
    rows.iter()
        .fold(entry, |entry, (name, spki)| entry.bad(name, input(Csr { spki: spki.clone(), ..good() }.der())))
}
