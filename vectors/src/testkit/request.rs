//! A join request's claims as the ops carry them, and the request hash (BINDING-1).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::encode::b64u;
use super::keys::hash;

/// The claims whose value is one text, in the order in which they are hashed.
pub const TEXTS: [&str; 5] = ["productUuid", "productSerial", "boardSerial", "chassisSerial", "hostname"];
/// The claims whose value is a list, in the order in which they are hashed.
pub const LISTS: [&str; 2] = ["permanentMacs", "gpuUuids"];

/// Claims in the ops' form from claims in plain text: texts become base64url, a missing list becomes empty.
///
/// `claims(json!({"productSerial": "5Q4Q7Y1", "permanentMacs": ["3C:EC:EF:12:34:56"]}))`
#[must_use]
#[expect(clippy::needless_pass_by_value, reason = "called with a json! literal")]
pub fn claims(plain: Value) -> Value {
    let mut out = json!({"permanentMacs": [], "gpuUuids": []});
    for (name, value) in plain.as_object().into_iter().flatten() {
        out[name] = match value {
            Value::Array(texts) => texts.iter().map(encoded).collect(),
            text => encoded(text),
        };
    }
    out
}

/// A request in the ops' form; `claims` is in the ops' form already.
#[must_use]
pub fn request(attestor: &str, role: &str, token_id: &str, claims: &Value) -> Value {
    json!({"attestor": attestor, "role": role, "tokenId": token_id, "claims": claims})
}

/// The request hash: SHA-256 of [`octets`].
///
/// # Errors
/// A sentence: what of the request is missing or of the wrong type.
pub fn request_hash(request: &Value) -> Result<[u8; 32], String> {
    octets(request).map(hash)
}

/// What BINDING-1 hashes: the prefix, then each field after its length as u32 big-endian.
///
/// # Errors
/// A sentence: what of the request is missing or of the wrong type.
pub fn octets(request: &Value) -> Result<Vec<u8>, String> {
    let attestor = match text(request, "attestor")? {
        "" => "join-token",
        named => named,
    };
    let mut fields = vec![attestor.as_bytes().to_vec()];
    for name in ["role", "tokenId"] {
        fields.push(text(request, name)?.as_bytes().to_vec());
    }
    let claims = &request["claims"];
    for name in TEXTS {
        fields.push(claims.get(name).map_or_else(|| Ok(Vec::new()), |value| decoded(name, value))?);
    }
    for name in LISTS {
        let list = claims[name].as_array().ok_or_else(|| format!("{name}: no list"))?;
        fields.push((list.len() as i64).to_be_bytes().to_vec());
        for value in list {
            fields.push(decoded(name, value)?);
        }
    }
    let mut out = b"better-compute.v1\0join-request\0".to_vec();
    for field in fields {
        out.extend((field.len() as u32).to_be_bytes());
        out.extend(field);
    }
    Ok(out)
}

fn encoded(text: &Value) -> Value {
    text.as_str().map_or_else(|| text.clone(), |text| b64u(text).into())
}

fn text<'a>(request: &'a Value, name: &str) -> Result<&'a str, String> {
    request[name].as_str().ok_or_else(|| format!("{name}: no text"))
}

fn decoded(name: &str, value: &Value) -> Result<Vec<u8>, String> {
    let text = value.as_str().ok_or_else(|| format!("{name}: no text"))?;
    URL_SAFE_NO_PAD.decode(text).map_err(|_| format!("{name}: no base64url"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the spec's page on BINDING.
    fn example() -> Value {
        let claims = claims(json!({
            "productUuid": "4C4C4544-0051-3410-8051-B5C04F375931",
            "productSerial": "5Q4Q7Y1",
            "hostname": "b7-u12",
            "permanentMacs": ["3C:EC:EF:12:34:56"],
        }));
        request("", "node", "jt_01kdvdna00e008000000000001", &claims)
    }

    #[test]
    fn the_hash_of_the_specs_example_is_the_one_python_gives() {
        // Made with Python's hashlib and struct from the layout of BINDING-1.
        let golden = "97559fa47286d437b7ba409d901aeff496b691bf0dc57e0c943f269a779b9f2c";
        assert_eq!(hex::encode(request_hash(&example()).unwrap()), golden);
        assert_eq!(octets(&example()).unwrap().len(), 200);
    }

    #[test]
    fn an_absent_claim_is_an_empty_field_and_no_attestor_is_join_token() {
        let bare = request("", "node", "", &claims(json!({})));
        let mut named = bare.clone();
        named["attestor"] = "join-token".into();
        named["claims"]["hostname"] = "".into();
        assert_eq!(octets(&bare), octets(&named));
        let golden = "df2e0c31aa1fe68970956e034f5b47b2687bd37bba21bd84efcc1d996e9e9e6c";
        assert_eq!(hex::encode(request_hash(&bare).unwrap()), golden);
    }

    #[test]
    fn a_list_that_is_missing_is_an_error() {
        assert!(octets(&json!({"attestor": "", "role": "node", "tokenId": "", "claims": {}})).is_err());
    }
}
