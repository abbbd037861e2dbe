//! Claims in the ops' form with any octets in them, and the byte-swapped twin of a UUID.

use serde_json::{Value, json};

use super::encode::b64u;
use super::request::claims;

/// A machine that claims everything, spelled as firmware does; nothing is a placeholder or tied to another.
#[must_use]
pub fn full() -> Value {
    claims(json!({
        "productUuid": "D2A64D56-0617-4363-9C0E-5A1B7E3F2A10",
        "productSerial": "SN-7701",
        "boardSerial": "CN7220036H04QB",
        "chassisSerial": "CH-3301",
        "hostname": "Node-17",
        "permanentMacs": ["94:DE:80:06:F8:D5", "3C-EC-EF-12-34-56"],
        "gpuUuids": [
            "GPU-41255406-c9af-f94b-4ebf-9d57ad1853da",
            "GPU-2E4159A0-1B3C-47D8-8E6F-70A1B2C3D4E5",
        ],
    }))
}

/// The claims with these octets in a text or, where the member is a list, in its first entry.
#[must_use]
pub fn with(mut claims: Value, member: &str, raw: impl AsRef<[u8]>) -> Value {
    let value = Value::from(b64u(raw));
    match claims.get_mut(member).and_then(Value::as_array_mut) {
        Some(list) => match list.first_mut() {
            Some(first) => *first = value,
            None => list.push(value),
        },
        None => claims[member] = value,
    }
    claims
}

/// The claims with this list in place of a member.
#[must_use]
pub fn with_list<T: AsRef<[u8]>>(mut claims: Value, member: &str, raw: &[T]) -> Value {
    claims[member] = raw.iter().map(b64u).collect();
    claims
}

/// The claims without a member.
#[must_use]
pub fn without(mut claims: Value, member: &str) -> Value {
    if let Some(members) = claims.as_object_mut() {
        members.remove(member);
    }
    claims
}

/// A dashed UUID with the octets of each of its first three fields reversed (CLAIMS-5).
#[must_use]
pub fn swapped(dashed: &str) -> String {
    let field = |(place, digits): (usize, &str)| {
        if place > 2 {
            return digits.to_owned();
        }
        digits.as_bytes().rchunks(2).map(String::from_utf8_lossy).collect()
    };
    dashed.split('-').enumerate().map(field).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_twin_of_the_specs_example_is_its_other_reading() {
        let twin = "d2a64d56-0617-4363-dc2d-9959b533a7b3";
        assert_eq!(swapped("564da6d2-1706-6343-dc2d-9959b533a7b3"), twin);
    }

    #[test]
    fn octets_replace_a_text_and_the_first_entry_of_a_list() {
        let changed = with(with(full(), "hostname", b"\xff"), "permanentMacs", b"\x00");
        assert_eq!(changed["hostname"], "_w");
        assert_eq!(changed["permanentMacs"][0], "AA");
        assert_eq!(changed["permanentMacs"][1], full()["permanentMacs"][1]);
        assert_eq!(without(changed, "hostname").get("hostname"), None);
    }
}
