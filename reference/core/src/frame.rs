//! The framing of everything that is hashed or signed (SIGNATURE-1, BINDING-1).

/// `"better-compute.v1" ‖ 00 ‖ purpose ‖ 00 ‖ F(field) ‖ …`, `F(x)` being the length of x as u32 and x.
#[must_use]
pub fn message(purpose: &str, fields: &[&[u8]]) -> Vec<u8> {
    let mut octets = [PREFIX, purpose.as_bytes(), b"\0"].concat();
    for field in fields {
        octets.extend(length(field).to_be_bytes());
        octets.extend_from_slice(field);
    }
    octets
}

/// No field comes near 4 GiB: the carriers of fields are capped far below (`limits`).
fn length(field: &[u8]) -> u32 {
    u32::try_from(field.len()).unwrap_or(u32::MAX)
}

const PREFIX: &[u8] = b"better-compute.v1\0";

#[cfg(test)]
mod tests {
    #[test]
    fn the_golden_join_response_of_the_signature_page() {
        let hex: String = super::message("join-response", &[&[0x0a, 0x01, 0x78]])
            .iter()
            .map(|o| format!("{o:02x}"))
            .collect();
        let expected = "6265747465722d636f6d707574652e7631006a6f696e2d726573706f6e736500000000030a0178";
        assert_eq!(hex, expected);
    }
}
