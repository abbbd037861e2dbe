//! Bodies of signed answers taken apart for people and for the lint: never an error, what does not decode
//! says so.

use serde_json::{Map, Value, json};

use super::decode_certificate::certificate;
use super::encode::b64u;
use super::protobuf::{self, Value as Wire};

/// Names of the fields of JoinResponseBody, from field 1.
const RESPONSE: [&str; 9] = [
    "nodeId",
    "certificateChain",
    "commandTrustBundle",
    "csrSha256",
    "trustDomain",
    "siteId",
    "role",
    "attestor",
    "requestSha256",
];
/// Names of the fields of JoinDeferralBody, from field 1.
const DEFERRAL: [&str; 4] = ["requestId", "csrSha256", "attestor", "requestSha256"];

/// The fields of a JoinResponseBody by name, or `{"malformed": B}`. A field that stands twice is a list,
/// one that is not
/// known is named by its number.
#[must_use]
pub fn response(body: &[u8]) -> Value {
    view(body, &RESPONSE)
}

/// The fields of a JoinDeferralBody by name, as [`response`] has them.
#[must_use]
pub fn deferral(body: &[u8]) -> Value {
    view(body, &DEFERRAL)
}

fn view(body: &[u8], names: &[&str]) -> Value {
    let Ok(fields) = protobuf::read(body) else {
        return json!({"malformed": b64u(body)});
    };
    let mut view = Map::new();
    for (number, value) in fields {
        let place = usize::try_from(number).unwrap_or(usize::MAX).wrapping_sub(1);
        let name = names.get(place).map_or_else(|| number.to_string(), |name| (*name).into());
        add(&mut view, name, value);
    }
    view.into()
}

fn add(view: &mut Map<String, Value>, name: String, wire: Wire) {
    let repeated = matches!(name.as_str(), "certificateChain" | "commandTrustBundle");
    let value = shown(&name, wire);
    match view.get_mut(&name) {
        Some(Value::Array(list)) => list.push(value),
        Some(first) => *first = json!([first.take(), value]),
        None => {
            view.insert(name, if repeated { json!([value]) } else { value });
        }
    }
}

fn shown(name: &str, wire: Wire) -> Value {
    match wire {
        Wire::Varint(number) => json!({"varint": number}),
        Wire::Fixed64(octets) => json!({"fixed64": b64u(octets)}),
        Wire::Fixed32(octets) => json!({"fixed32": b64u(octets)}),
        Wire::Bytes(octets) => match name {
            "certificateChain" => certificate(&octets),
            "csrSha256" | "requestSha256" | "commandTrustBundle" => b64u(octets).into(),
            _ => String::from_utf8(octets)
                .map_or_else(|bad| json!({"bytes": b64u(bad.as_bytes())}), Value::from),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::protobuf::Writer;

    #[test]
    fn fields_have_their_names_and_doubles_show() {
        let body =
            Writer::new().bytes(7, "node").bytes(7, "site").bytes(2, "x").integer(99, 1).bytes(1, [0xff]);
        let expected = json!({
            "role": ["node", "site"],
            "certificateChain": [{"malformed": "eA"}],
            "99": {"varint": 1},
            "nodeId": {"bytes": "_w"},
        });
        assert_eq!(response(&body.0), expected);
    }

    #[test]
    fn what_does_not_decode_is_said_to_be_malformed() {
        assert_eq!(deferral(&[0x0a, 5]), json!({"malformed": "CgU"}));
        assert_eq!(deferral(&Writer::new().bytes(3, "tpm").0), json!({"attestor": "tpm"}));
    }
}
