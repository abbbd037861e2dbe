//! The signature: by the key in the request, over the info as received, in one encoding (CSR-3).

use p256::SecretKey;

use super::{HONEST, good, input, ours, refused};
use crate::case::{Entry, reject};
use crate::testkit::csr::Csr;
use crate::testkit::der;
use crate::testkit::keys::{hash, key};
use crate::testkit::signature::{sign, sign_der};

pub(super) fn entries() -> Vec<Entry> {
    vec![
        another_key(),
        changed_key(),
        changed_attributes(),
        over_the_hash(),
        fixed_width(),
        unused_bits(),
        trailing(),
        missing(),
        encodings(),
    ]
}

fn other(name: &str, title: &str, csr: &[u8], at: &str, what: &str) -> Entry {
    refused(name, "CSR-3", title, csr)
        .twin(HONEST, &[at], what)
        .recipe(&format!("Make a right request but for its signature: {what}."))
}

fn another_key() -> Entry {
    let csr = Csr { signer: key("csr other node"), ..good() };
    let what = "signed by another key than the one in the request";
    other(
        "signature-by-another-key",
        "A request signed by another key is refused.",
        &csr.der(),
        "/in/csr:signature",
        what,
    )
    .why("Without proof of possession anyone has a certificate made for a key that is not its own.")
}

fn changed_key() -> Entry {
    let value = sign_der(&ours(), &good().info());
    let other_key: SecretKey = key("csr other node");
    let csr = crate::testkit::csr::honest(&other_key).signed_as(&value);
    let what = "the key is replaced by another one; the signature stays";
    other(
        "key-replaced",
        "A request whose key was replaced is refused.",
        &csr.der(),
        "/in/csr:publicKey",
        what,
    )
    .why("The classic swap: the victim's request with the attacker's key in it.")
}

fn changed_attributes() -> Entry {
    let value = sign_der(&ours(), &good().info());
    let csr = good()
        .attribute(crate::testkit::csr::UNSTRUCTURED_NAME, &[&der::tlv(der::UTF8, "x")])
        .signed_as(&value);
    let what = "an attribute is added; the signature stays";
    other(
        "attributes-changed",
        "A request whose attributes were changed is refused.",
        &csr.der(),
        "/in/csr:attributes",
        what,
    )
    .also("BINDING-2")
    .why("The attribute of BINDING lives here: a relay must be able neither to add it nor to take it away.")
}

fn over_the_hash() -> Entry {
    let csr = good().signed_as(&sign_der(&ours(), &hash(good().info())));
    let what = "signed over the SHA-256 of the info, so hashed twice";
    other(
        "signature-hashed-twice",
        "A signature over the info's hash is refused.",
        &csr.der(),
        "/in/csr:signature",
        what,
    )
    .why("Signing interfaces differ in whether they take a message or its digest.")
}

fn fixed_width() -> Entry {
    let csr = good().signed_as(&sign(&ours(), &good().info()));
    let what = "r and s as 64 octets, without DER";
    other(
        "signature-of-64-octets",
        "A signature of r and s in fixed width is refused.",
        &csr.der(),
        "/in/csr:signature",
        what,
    )
    .why("The protocol's own signatures and JOSE have this form; a CSR has not.")
}

fn unused_bits() -> Entry {
    let mut value = sign_der(&ours(), &good().info());
    if let Some(last) = value.last_mut() {
        *last &= 0xfe;
    }
    let csr = Csr { signature: Some(der::bit_string(1, value)), ..good() };
    let what = "the BIT STRING says one unused bit, and the last bit is zero";
    other(
        "signature-unused-bits",
        "A signature of bits that are no whole octets is refused.",
        &csr.der(),
        "/in/csr:signature",
        what,
    )
    .why("Readers that ignore the count see a signature.")
}

fn trailing() -> Entry {
    let csr = good().signed_as(&[sign_der(&ours(), &good().info()), vec![0]].concat());
    let what = "a zero octet behind the SEQUENCE, within the BIT STRING";
    other(
        "signature-trailing",
        "An octet behind the signature's SEQUENCE is refused.",
        &csr.der(),
        "/in/csr:signature",
        what,
    )
    .also("CSR-1")
    .why("The signature holds for readers that stop at the SEQUENCE's end, and the request has another hash.")
}

fn missing() -> Entry {
    let csr = Csr { signature: Some(Vec::new()), ..good() };
    other(
        "signature-missing",
        "A request without a signature is refused.",
        &csr.der(),
        "/in/csr:signature",
        "the BIT STRING is left out",
    )
    .also("CSR-1")
    .why("Code that takes the third element panics on it.")
}

fn encodings() -> Entry {
    let entry = reject("csr/signature-form", "CSR-3", "csr", "A signature of another shape is refused.")
        .also("CSR-1")
        .family("csr.check")
        .refused()
        .why("A SEQUENCE of exactly two INTEGERs in a BIT STRING, all in DER.")
        .twin(HONEST, &["/in/csr:signature"], "the signature is encoded as the row says")
        .recipe("Encode a right signature as the row says.");
    let value = sign_der(&ours(), &good().info());
    let (_, numbers) = value.split_at(2);
    let long = |octets| der::tlv_with(der::SEQUENCE, der::Length::Long(octets), numbers);
    let rows = [
        ("empty-bit-string", der::tlv(der::BIT_STRING, [])),
        ("no-octets", der::bit_string(0, [])),
        ("empty-sequence", der::bit_string(0, der::sequence(&[]))),
        ("one-number", der::bit_string(0, der::sequence(&[&der::unsigned(&[1])]))),
        ("three-numbers", der::bit_string(0, der::sequence(&[numbers, &der::unsigned(&[1])]))),
        ("set", der::bit_string(0, der::tlv(der::SET, numbers))),
        ("long-length", der::bit_string(0, long(1))),
        ("longer-length", der::bit_string(0, long(2))),
        (
            "indefinite-length",
            der::bit_string(0, der::tlv_with(der::SEQUENCE, der::Length::Indefinite, numbers)),
        ),
        ("octet-string", der::tlv(der::OCTET_STRING, &value)),
        ("bare-sequence", value.clone()),
        ("constructed-bit-string", der::tlv(0x23, der::bit_string(0, &value))),
        (
            "bit-string-of-long-length",
            der::tlv_with(der::BIT_STRING, der::Length::Long(1), [&[0], value.as_slice()].concat()),
        ),
    ];
    rows.iter().fold(entry, |entry, (name, signature)| {
        entry.bad(name, input(Csr { signature: Some(signature.clone()), ..good() }.der()))
    })
}
