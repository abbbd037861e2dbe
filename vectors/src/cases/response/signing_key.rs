//! The signature under the pinned key: only a pin is an anchor, and only the octets that came are signed.

use p256::SecretKey;
use serde_json::Value;

use crate::case::Entry;
use crate::testkit::der::{bit_string, oid, sequence};
use crate::testkit::encode::b64;
use crate::testkit::keys::{hash, key};
use crate::testkit::response::Signed;
use crate::testkit::signature::{framed, sign_high, spki};
use crate::testkit::{p384, rsa};

use super::answer::{Answer, VERIFY, bad, bundle, node_key, pin, signing_key};
use super::envelope::with_sig;

const SIG: &[&str] = &["/in/response/sig"];
const KEY_AND_SIG: &[&str] = &["/in/response/signingKey", "/in/response/sig"];

pub(super) fn cases() -> Vec<Entry> {
    vec![
        not_pinned(),
        own_keys(),
        carried(),
        claimed(),
        hint(),
        two_pins(),
        similar_pin(),
        pinned_key_type(),
        pinned_spelling(),
        off_curve(),
        high_s(),
        range(),
        purpose(),
        one_bit(),
        reencoded(),
    ]
}

fn unverified(name: &str, title: &str, at: &[&str], what: &str) -> Entry {
    bad(name, "response-signature", title, at, what).also("RESPONSE-1")
}

/// The right body, signed by another key, which stands beside it.
fn signed_by(key: &SecretKey) -> Value {
    Answer::honest().with(|answer| answer.signer = key.clone()).input()
}

/// The right answer with another key beside it.
fn beside(spki: Vec<u8>) -> Value {
    let answer = Answer::honest();
    let signed = answer.signed();
    answer.input_of(&Signed { signing_key: spki, ..signed })
}

fn not_pinned() -> Entry {
    unverified(
        "key-not-pinned",
        "A key that is not pinned counts for nothing.",
        KEY_AND_SIG,
        "signed by another key",
    )
    .call(VERIFY, signed_by(&key("response attacker")))
    .why("Trusting the key that came with the answer has been a vulnerability more than once.")
}

fn own_keys() -> Entry {
    let title = "Keys that the client knows from elsewhere are no join-signing keys.";
    unverified("key-known-otherwise", title, KEY_AND_SIG, "signed by a key of another use")
        .family(VERIFY)
        .bad("the client's own", signed_by(&node_key()))
        .bad("the intermediate's", signed_by(&crate::testkit::x509::node_intermediate().key))
        .bad("the encryption key's", signed_by(&key("response join-encryption key")))
        .why("Each pin is for one use.")
}

fn carried() -> Entry {
    let attacker = crate::testkit::x509::Authority::named("test attacker authority");
    let answer = Answer::honest().with(|answer| {
        let certificate = attacker.certificate(&attacker).signed(&attacker.key);
        answer.body.command_trust_bundle = vec![bundle(), certificate];
        answer.signer = attacker.key.clone();
    });
    let at = ["/in/response/body:commandTrustBundle", "/in/response/signingKey", "/in/response/sig"];
    unverified(
        "key-in-body",
        "A key that the body brings cannot sign the body.",
        &at,
        "signed by a key in the bundle",
    )
    .call(VERIFY, answer.input())
    .why("Clients were fooled by a bag that held the right certificate beside the attacker's.")
}

fn claimed() -> Entry {
    let answer = Answer::honest();
    let forged = answer.clone().with(|forged| forged.signer = key("response attacker")).signed();
    let input = answer.input_of(&Signed { signing_key: spki(&signing_key()), ..forged });
    unverified(
        "key-claimed",
        "The pinned key beside another key's signature does not help.",
        SIG,
        "signed by another key",
    )
    .call(VERIFY, input)
    .why("The pin is public; only the signature shows who signed.")
}

fn hint() -> Entry {
    let title = "The key beside the answer must be there and be a key.";
    unverified("key-not-a-key", title, &["/in/response/signingKey"], "no SubjectPublicKeyInfo of the signer")
        .family(VERIFY)
        .bad("none", beside(Vec::new()))
        .bad("another key", beside(spki(&key("response attacker"))))
        .bad("the pin's text", beside(pin(spki(&signing_key())).into_bytes()))
        .bad("the pin's hash", beside(hash(spki(&signing_key())).to_vec()))
        .bad("a certificate", beside(bundle()))
        .why("The key says which pin to use. A client that goes on without it would have to guess.")
}

fn two_pins() -> Entry {
    let pins = ["response next signing key", "response last signing key"].map(|name| pin(spki(&key(name))));
    let input = Answer::honest().calling("pins", pins.to_vec()).input();
    let title = "With two pins, a third key is still not pinned.";
    unverified("key-not-of-two-pins", title, &["/in/pins"], "two pins of other keys")
        .also("CONFIG-1")
        .call(VERIFY, input)
        .why("A rotation widens the pins to two keys, not to any.")
}

fn similar_pin() -> Entry {
    let right = hash(spki(&signing_key()));
    let changed_at = |place: usize| {
        let octets = right.into_iter().enumerate();
        let other: Vec<u8> = octets.map(|(at, octet)| if at == place { !octet } else { octet }).collect();
        Answer::honest().calling("pins", vec![format!("sha256/{}", b64(other))]).input()
    };
    let title = "A pin that differs in one octet is another pin.";
    unverified("key-similar-pin", title, &["/in/pins"], "one octet of the pin is changed")
        .family(VERIFY)
        .bad("the first octet", changed_at(0))
        .bad("the tenth octet", changed_at(9))
        .bad("the last octet", changed_at(31))
        .why("A comparison that is cut short lets a key pass whose hash was searched for.")
}

/// The right answer with this SPKI beside it and pinned.
fn pinned(spki: Vec<u8>) -> Value {
    let pins = vec![pin(&spki)];
    let mut input = beside(spki);
    input["pins"] = pins.into();
    input
}

fn pinned_key_type() -> Entry {
    let title = "A pinned key that is no P-256 key verifies nothing.";
    unverified(
        "key-type-pinned",
        title,
        &["/in/pins", "/in/response/signingKey"],
        "a pinned key of another kind",
    )
    .family(VERIFY)
    .bad("P-384", pinned(p384::spki(&p384::key("response"))))
    .bad("RSA", pinned(rsa::spki()))
    .why("The pin fixes the key, and the protocol fixes the algorithm.")
}

fn pinned_spelling() -> Entry {
    let right = spki(&signing_key());
    let point = right.iter().skip(26).copied().collect::<Vec<_>>();
    let sign = point.last().map_or(2, |last| 2 | last & 1);
    let compressed: Vec<u8> = [sign].into_iter().chain(point.iter().skip(1).take(32).copied()).collect();
    let title = "A pinned key in another spelling is no key.";
    unverified(
        "key-spelling-pinned",
        title,
        &["/in/pins", "/in/response/signingKey"],
        "the same key, spelled otherwise",
    )
    .family(VERIFY)
    .bad("compressed point", pinned(key_info(&compressed)))
    .bad("an octet after it", pinned([right.as_slice(), &[0]].concat()))
    .bad("the point alone", pinned(point))
    .why("A hash over one spelling must not stand for a key read from another.")
}

fn off_curve() -> Entry {
    let mut point: Vec<u8> = spki(&signing_key()).into_iter().skip(26).collect();
    if let Some(last) = point.last_mut() {
        *last ^= 1;
    }
    let title = "A pinned point that is not on the curve is no key.";
    unverified(
        "key-off-curve-pinned",
        title,
        &["/in/pins", "/in/response/signingKey"],
        "the last bit of y changed",
    )
    .call(VERIFY, pinned(key_info(&point)))
    .why("A pin says which octets were meant, not that they are a key.")
}

fn key_info(point: &[u8]) -> Vec<u8> {
    let algorithm = sequence(&[&oid("1.2.840.10045.2.1"), &oid("1.2.840.10045.3.1.7")]);
    sequence(&[&algorithm, &bit_string(0, point)])
}

fn high_s() -> Entry {
    let message = framed("join-response", &[Answer::honest().whole().encode()]);
    unverified("sig-high-s", "A high s is refused.", SIG, "s replaced by n - s")
        .also("SIGNATURE-1")
        .call(VERIFY, with_sig(|_| sign_high(&signing_key(), &message).to_vec()))
        .why("Of the two signatures one counts.")
}

fn range() -> Entry {
    let half = |sig: &[u8], first: bool| {
        sig.iter().skip(if first { 0 } else { 32 }).take(32).copied().collect::<Vec<_>>()
    };
    unverified("sig-zero", "r and s are not zero.", SIG, "zeros in the place of r or s")
        .also("SIGNATURE-1")
        .family(VERIFY)
        .bad("r zero", with_sig(|sig| [vec![0; 32], half(&sig, false)].concat()))
        .bad("s zero", with_sig(|sig| [half(&sig, true), vec![0; 32]].concat()))
        .bad("both zero", with_sig(|_| vec![0; 64]))
        .why("A verifier without the range check accepts zeros for every message.")
}

fn purpose() -> Entry {
    let signed = |purpose: &'static str| Answer::honest().with(|answer| answer.purpose = purpose).input();
    let bare = with_sig(|_| {
        crate::testkit::signature::sign(&signing_key(), &Answer::honest().whole().encode()).to_vec()
    });
    let title = "A body signed for another purpose is not signed as an answer to a join.";
    unverified("signed-for-another-purpose", title, SIG, "signed for another purpose")
        .also("SIGNATURE-2")
        .also("RESPONSE-5")
        .family(VERIFY)
        .bad("join-deferral", signed("join-deferral"))
        .bad("renew-response", signed("renew-response"))
        .bad("the body alone", bare)
        .why("The same key signs answers, deferrals and renewals.")
}

fn one_bit() -> Entry {
    let answer = Answer::honest();
    let mut signed = answer.signed();
    if let Some(last) = signed.body.last_mut() {
        *last ^= 1;
    }
    unverified(
        "body-changed",
        "A body with one bit changed is not signed.",
        &["/in/response/body"],
        "the last bit flipped",
    )
    .call(VERIFY, answer.input_of(&signed))
    .why("The last octets are the request's hash: a client that verifies too little of the body misses it.")
}

fn reencoded() -> Entry {
    let answer = Answer::honest();
    let signed = answer.signed();
    let moved = crate::testkit::response::JoinResponseBody { request_sha256: Vec::new(), ..answer.whole() };
    let last = crate::testkit::protobuf::Writer::new().bytes(9, &answer.body.request_sha256).0;
    let body = [last, moved.encode()].concat();
    let title = "The same values in another encoding are not what was signed.";
    unverified("body-reencoded", title, &["/in/response/body"], "field 9 stands first")
        .call(VERIFY, answer.input_of(&Signed { body, ..signed }))
        .why("A client that verifies its own encoding of what it decoded accepts this.")
}
