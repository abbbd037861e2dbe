//! One golden octet string a purpose, spelled out from the layout.

use serde_json::{Value, json};

use crate::case::{Entry, accept};
use crate::testkit::encode::b64u;
use crate::testkit::keys::key;
use crate::testkit::signature::{sign, spki, with_s};

use super::{RECIPE, fields, plain, signer, verify, verify_message};

/// SHA-256 of `csr`.
pub(super) const CSR_SHA256: &str = "c27338c453067b437471afbce792704d816112c6031bb996b62c698ea599ef80";
/// The node of the cases.
pub(super) const NODE_ID: &str = "node_01k5w3v7x8e4n9q2r6t0b1c5d7";

/// Purpose and message, hexadecimal: prefix NUL, purpose NUL, then u32 length and content of each field.
pub(super) const GOLDEN: [(&str, &str); 6] = [
    (
        "join-response",
        concat!(
            "6265747465722d636f6d707574652e763100", // better-compute.v1 NUL
            "6a6f696e2d726573706f6e736500",         // join-response NUL
            "00000003",
            "0a0178",
        ),
    ),
    (
        "join-deferral",
        concat!(
            "6265747465722d636f6d707574652e763100",
            "6a6f696e2d646566657272616c00", // join-deferral NUL
            "00000003",
            "0a0178",
        ),
    ),
    (
        "renew-response",
        concat!(
            "6265747465722d636f6d707574652e763100",
            "72656e65772d726573706f6e736500", // renew-response NUL
            "00000003",
            "0a0178",
        ),
    ),
    (
        "renew-pop",
        concat!(
            "6265747465722d636f6d707574652e763100",
            "72656e65772d706f7000", // renew-pop NUL
            "00000020",
            "c27338c453067b437471afbce792704d816112c6031bb996b62c698ea599ef80",
            "0000001f",
            "6e6f64655f",                                         // node_
            "30316b3577337637783865346e397132723674306231633564", // 01k5w3v7x8e4n9q2r6t0b1c5d
            "37",
            "00000008",
            "00000199c82cc000", // 1760000000000
        ),
    ),
    (
        "x509pop",
        concat!(
            "6265747465722d636f6d707574652e763100",
            "78353039706f7000", // x509pop NUL
            "00000020",
            "c27338c453067b437471afbce792704d816112c6031bb996b62c698ea599ef80",
            "0000001f",
            "6e6f64655f",
            "30316b3577337637783865346e397132723674306231633564",
            "37",
            "00000008",
            "00000199c82cc000",
        ),
    ),
    (
        "discovery-vouch",
        concat!(
            "6265747465722d636f6d707574652e763100",
            "646973636f766572792d766f75636800", // discovery-vouch NUL
            "00000020",
            "c27338c453067b437471afbce792704d816112c6031bb996b62c698ea599ef80",
            "00000006",
            "94de8006f8d5",
            "00000004",
            "c0000211",
            "00000004",
            "77662d37", // wf-7
            "00000008",
            "0000000000000003",
        ),
    ),
];

pub(super) fn cases() -> Vec<Entry> {
    vec![bytes(), edges(), verified(), edge_of_s(), small_s()]
}

fn bytes() -> Entry {
    let family = accept("signature/bytes", "SIGNATURE-2", "Each purpose has one golden octet string.")
        .also("SIGNATURE-1")
        .family("signature.bytes")
        .why(
            "Two implementations that frame differently never understand each other's signatures; this \
            shows where.",
        )
        .recipe("Frame the fields by the layout; compare with the octets of the page.");
    GOLDEN.iter().fold(family, |family, (purpose, golden)| {
        let input = json!({"purpose": purpose, "fields": fields(purpose)});
        family.row(purpose, input, json!({"bytes": b64u(hex::decode(golden).unwrap_or_default())}))
    })
}

fn edges() -> Entry {
    let body =
        |octets: usize| json!({"purpose": "join-response", "fields": {"body": b64u(vec![0x41; octets])}});
    let framed = |length: &str, octets: usize| {
        let hex = format!("6265747465722d636f6d707574652e7631006a6f696e2d726573706f6e736500{length}");
        json!({"bytes": b64u([hex::decode(hex).unwrap_or_default(), vec![0x41; octets]].concat())})
    };
    let (time, time_out) = client_time(-1, "ffffffffffffffff");
    let (epoch, epoch_out) = client_time(9_007_199_254_740_992, "0020000000000000");
    accept(
        "signature/bytes-edges",
        "SIGNATURE-1",
        "Lengths are u32 big-endian, integers i64 two's complement.",
    )
    .family("signature.bytes")
    .row("body of no octets", body(0), framed("00000000", 0))
    .row("body of 255 octets", body(255), framed("000000ff", 255))
    .row("body of 256 octets", body(256), framed("00000100", 256))
    .row("time -1", time, time_out)
    .row("time 2^53", epoch, epoch_out)
    .row("IPv6 address", ipv6(), ipv6_out())
    .why(
        "A length of one octet, or an unsigned or floating integer, agrees on small values and differs here.",
    )
    .recipe("Frame the fields by the layout.")
}

fn client_time(time: i64, octets: &str) -> (Value, Value) {
    let mut fields = fields("x509pop");
    fields["clientTimeMs"] = time.into();
    let hex = GOLDEN[4].1.replace("00000199c82cc000", octets);
    let out = json!({"bytes": b64u(hex::decode(hex).unwrap_or_default())});
    (json!({"purpose": "x509pop", "fields": fields}), out)
}

fn ipv6() -> Value {
    let mut fields = fields("discovery-vouch");
    fields["ip"] = b64u(hex::decode("20010db8000000000000000000000011").unwrap_or_default()).into();
    json!({"purpose": "discovery-vouch", "fields": fields})
}

fn ipv6_out() -> Value {
    let hex = GOLDEN[5].1.replace("00000004c0000211", "0000001020010db8000000000000000000000011");
    json!({"bytes": b64u(hex::decode(hex).unwrap_or_default())})
}

fn verified() -> Entry {
    let family = accept("signature/verified", "SIGNATURE-1", "A right signature of each purpose verifies.")
        .also("SIGNATURE-2")
        .family("signature.verify")
        .why("The twin of every refused signature.")
        .recipe(RECIPE);
    GOLDEN.iter().fold(family, |family, (purpose, _)| {
        family.row(purpose, verify_message(purpose, &plain(purpose)), json!({}))
    })
}

fn edge_of_s() -> Entry {
    let (key, sig) = highest_low_s();
    let input = json!({
        "purpose": "join-response", "fields": fields("join-response"), "key": b64u(key), "sig": b64u(sig),
    });
    accept("signature/highest-low-s", "SIGNATURE-1", "s = (n - 1) / 2 is the highest low s.")
        .call("signature.verify", input)
        .out(json!({}))
        .why("A comparison that is off by one refuses it or accepts its counterpart.")
        .recipe("Choose s and the nonce k; the key is (s·k - H(message)) / r modulo n.")
}

/// SPKI and signature over the message of `join-response` with s = (n - 1) / 2.
pub(super) fn highest_low_s() -> (Vec<u8>, [u8; 64]) {
    let half = "7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8";
    made_for(half)
}

fn small_s() -> Entry {
    let (key, sig) = made_for(&format!("{:064x}", 1));
    let input = json!({
        "purpose": "join-response", "fields": fields("join-response"), "key": b64u(key), "sig": b64u(sig),
    });
    accept("signature/smallest-s", "SIGNATURE-1", "s = 1 stands in 32 octets like any other.")
        .call("signature.verify", input)
        .out(json!({}))
        .why(
            "Numbers have a fixed width here; a big-number library that drops leading zeros writes 33 \
            octets.",
        )
        .recipe("Choose s = 1 and the nonce k; the key is (k - H(message)) / r modulo n.")
}

fn made_for(s: &str) -> (Vec<u8>, [u8; 64]) {
    let mut wanted = [0; 32];
    let _ = hex::decode_to_slice(s, &mut wanted);
    let made = with_s(&plain("join-response"), &key("signature nonce"), &wanted);
    made.map_or_else(|| (Vec::new(), [0; 64]), |(key, sig)| (spki(&key), sig))
}

/// Input of `signature.verify` for `join-response` with the signer's own signature after a change.
pub(super) fn changed(change: impl FnOnce([u8; 64]) -> Vec<u8>) -> Value {
    verify("join-response", change(sign(&signer(), &plain("join-response"))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::signature::{PURPOSES, verify};

    #[test]
    fn the_testkit_makes_the_octets_that_were_spelled_by_hand() {
        assert_eq!(GOLDEN.map(|(purpose, _)| purpose), PURPOSES.map(|(purpose, _)| purpose));
        for (purpose, golden) in GOLDEN {
            assert_eq!(hex::encode(plain(purpose)), golden, "{purpose}");
        }
    }

    #[test]
    fn the_keys_for_the_edges_of_s_verify() {
        for (key, sig) in [highest_low_s(), made_for(&format!("{:064x}", 1))] {
            assert!(verify(&key, &plain("join-response"), &sig));
        }
    }
}
