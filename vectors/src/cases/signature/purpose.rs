//! Purposes apart: what was signed for one thing is nothing for another.

use serde_json::json;

use crate::case::{Entry, reject};
use crate::testkit::encode::b64u;
use crate::testkit::signature::{PURPOSES, framed, sign, spki};

use super::{RECIPE, fields, plain, signer, verify_message};

pub(super) fn cases() -> Vec<Entry> {
    vec![cross_purpose(), unknown(), smuggled(), field_sizes(), without_purpose()]
}

fn cross_purpose() -> Entry {
    let family = reject(
        "signature/cross-purpose",
        "SIGNATURE-2",
        "signature",
        "A signature for one purpose does not verify for another, whichever two.",
    )
    .family("signature.verify")
    .why("With one purpose for all, a re-join proof renews and a voucher passes as either.")
    .twin(
        "signature/verified#join-response",
        &["/in/purpose", "/in/fields", "/in/sig"],
        "signed for another purpose",
    )
    .recipe(RECIPE);
    let pairs =
        PURPOSES.iter().flat_map(|(signed, _)| PURPOSES.iter().map(move |(asked, _)| (*signed, *asked)));
    pairs.filter(|(signed, asked)| signed != asked).fold(family, |family, (signed, asked)| {
        family.bad(&format!("{signed} as {asked}"), verify_message(asked, &plain(signed)))
    })
}

fn unknown() -> Entry {
    let family =
        reject("signature/unknown-purpose", "SIGNATURE-2", "signature", "The set of purposes is closed.")
            .family("signature.verify")
            .why("A purpose that the verifier does not know may be anything the signer signs elsewhere.")
            .twin(
                "signature/verified#join-response",
                &["/in/purpose", "/in/sig"],
                "another purpose, rightly signed",
            )
            .recipe(RECIPE);
    ["join", "Join-Response", "renew", "join-response2", ""].iter().fold(family, |family, purpose| {
        let name = if purpose.is_empty() { "empty" } else { purpose };
        family.bad(name, verify_message(purpose, &framed(purpose, &[vec![0x0a, 0x01, 0x78]])))
    })
}

fn smuggled() -> Entry {
    // "join-response" NUL and the framed body, taken for a purpose: the message is that of join-response
    // with one field more.
    let purpose = "join-response\0\0\0\0\u{3}\n\u{1}x";
    reject(
        "signature/nul-in-purpose",
        "SIGNATURE-2",
        "signature",
        "A purpose has no NUL, so it cannot hold fields.",
    )
    .call("signature.verify", verify_message(purpose, &framed(purpose, &[vec![0x0a, 0x01, 0x78]])))
    .why("A purpose that may hold anything moves the border between purpose and fields.")
    .twin(
        "signature/verified#join-response",
        &["/in/purpose", "/in/sig"],
        "the framed body stands in the purpose",
    )
    .recipe(RECIPE)
}

fn field_sizes() -> Entry {
    let family = reject(
        "signature/field-size",
        "SIGNATURE-2",
        "signature",
        "Hashes have 32 octets, a MAC 6, an address 4 or 16, and nothing else is signed in their place.",
    )
    .family("signature.verify")
    .why("A field of free length can be chosen to collide with another meaning.")
    .twin(
        "signature/verified#discovery-vouch",
        &["/in/fields", "/in/sig"],
        "a field of another length, rightly signed",
    )
    .recipe(RECIPE);
    let sizes: [(&str, &str, usize); 7] = [
        ("csr_sha256 of 31 octets", "csrSha256", 31),
        ("csr_sha256 of 33 octets", "csrSha256", 33),
        ("empty csr_sha256", "csrSha256", 0),
        ("MAC of 8 octets", "mac", 8),
        ("MAC of 20 octets", "mac", 20),
        ("address of 5 octets", "ip", 5),
        ("empty address", "ip", 0),
    ];
    sizes.iter().fold(family, |family, (name, field, size)| {
        let mut fields = fields("discovery-vouch");
        fields[*field] = b64u(vec![7; *size]).into();
        let message = crate::testkit::signature::message("discovery-vouch", &fields).unwrap_or_default();
        let input = json!({
            "purpose": "discovery-vouch", "fields": fields, "key": b64u(spki(&signer())),
            "sig": b64u(sign(&signer(), &message)),
        });
        family.bad(name, input)
    })
}

fn without_purpose() -> Entry {
    let bare = [b"better-compute.v1\0".as_slice(), &[0, 0, 0, 3, 0x0a, 0x01, 0x78]].concat();
    reject(
        "signature/no-purpose",
        "SIGNATURE-2",
        "signature",
        "A signature over the fields without a purpose is none.",
    )
    .call("signature.verify", verify_message("join-response", &bare))
    .why("This is the design without purposes, in which every signature passes for every other.")
    .twin("signature/verified#join-response", &["/in/sig"], "the message has no purpose")
    .recipe(RECIPE)
}
