//! The answers to a Join (RESPONSE, Layout): bodies with every field public, their signing, and a strict
//! decoder.

use p256::SecretKey;
use serde_json::{Value, json};

use super::encode::b64u;
use super::protobuf::{self, Writer};
use super::signature::{framed, sign, spki};

/// A JoinResponseBody; an empty field is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JoinResponseBody {
    /// Field 1.
    pub node_id: String,
    /// Field 2, DER each, leaf first.
    pub certificate_chain: Vec<Vec<u8>>,
    /// Field 3.
    pub command_trust_bundle: Vec<Vec<u8>>,
    /// Field 4.
    pub csr_sha256: Vec<u8>,
    /// Field 5.
    pub trust_domain: String,
    /// Field 6.
    pub site_id: String,
    /// Field 7.
    pub role: String,
    /// Field 8.
    pub attestor: String,
    /// Field 9, optional.
    pub request_sha256: Vec<u8>,
}

/// A JoinDeferralBody; an empty field is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JoinDeferralBody {
    /// Field 1.
    pub request_id: String,
    /// Field 2.
    pub csr_sha256: Vec<u8>,
    /// Field 3.
    pub attestor: String,
    /// Field 4, optional.
    pub request_sha256: Vec<u8>,
}

/// The three fields of a signed answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signed {
    /// What was signed, as received.
    pub body: Vec<u8>,
    /// r ‖ s.
    pub sig: Vec<u8>,
    /// SPKI, a hint.
    pub signing_key: Vec<u8>,
}

impl JoinResponseBody {
    /// The body's octets, fields in the order of their numbers.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut body = Writer::new().present(1, &self.node_id);
        for certificate in &self.certificate_chain {
            body = body.bytes(2, certificate);
        }
        for entry in &self.command_trust_bundle {
            body = body.bytes(3, entry);
        }
        body.present(4, &self.csr_sha256)
            .present(5, &self.trust_domain)
            .present(6, &self.site_id)
            .present(7, &self.role)
            .present(8, &self.attestor)
            .present(9, &self.request_sha256)
            .0
    }

    /// The body as the op `join.response.sign` takes it.
    #[must_use]
    pub fn json(&self) -> Value {
        let list = |entries: &[Vec<u8>]| entries.iter().map(b64u).collect::<Vec<_>>();
        json!({
            "nodeId": self.node_id,
            "certificateChain": list(&self.certificate_chain),
            "commandTrustBundle": list(&self.command_trust_bundle),
            "csrSha256": b64u(&self.csr_sha256),
            "trustDomain": self.trust_domain,
            "siteId": self.site_id,
            "role": self.role,
            "attestor": self.attestor,
            "requestSha256": b64u(&self.request_sha256),
        })
    }
}

impl JoinDeferralBody {
    /// The body's octets, fields in the order of their numbers.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        Writer::new()
            .present(1, &self.request_id)
            .present(2, &self.csr_sha256)
            .present(3, &self.attestor)
            .present(4, &self.request_sha256)
            .0
    }
}

impl Signed {
    /// Signs any octets as the body of an answer.
    #[must_use]
    pub fn new(purpose: &str, body: Vec<u8>, key: &SecretKey) -> Self {
        let sig = sign(key, &framed(purpose, std::slice::from_ref(&body))).to_vec();
        Self { body, sig, signing_key: spki(key) }
    }

    /// The `signed` of the ops.
    #[must_use]
    pub fn json(&self) -> Value {
        json!({"body": b64u(&self.body), "sig": b64u(&self.sig), "signingKey": b64u(&self.signing_key)})
    }
}

/// Decodes a JoinResponseBody by the rules of the layout: wire, types, doubles, required fields and
/// lengths. It does not look
/// into ids or certificates.
///
/// # Errors
/// A sentence that names what is wrong.
pub fn decode(body: &[u8]) -> Result<JoinResponseBody, String> {
    let mut decoded = JoinResponseBody::default();
    for (number, value) in known(body, 9, &[2, 3])? {
        match number {
            1 => decoded.node_id = text(value)?,
            2 => decoded.certificate_chain.push(value),
            3 => decoded.command_trust_bundle.push(value),
            4 => decoded.csr_sha256 = value,
            5 => decoded.trust_domain = text(value)?,
            6 => decoded.site_id = text(value)?,
            7 => decoded.role = text(value)?,
            8 => decoded.attestor = text(value)?,
            _ => decoded.request_sha256 = value,
        }
    }
    let texts = [&decoded.node_id, &decoded.trust_domain, &decoded.site_id, &decoded.role, &decoded.attestor];
    if texts.iter().any(|text| text.is_empty())
        || decoded.certificate_chain.is_empty()
        || decoded.command_trust_bundle.is_empty()
    {
        return Err("a required field is missing".into());
    }
    hashes(&decoded.csr_sha256, &decoded.request_sha256)?;
    Ok(decoded)
}

/// Decodes a JoinDeferralBody as [`decode`] does the other.
///
/// # Errors
/// A sentence that names what is wrong.
pub fn decode_deferral(body: &[u8]) -> Result<JoinDeferralBody, String> {
    let mut decoded = JoinDeferralBody::default();
    for (number, value) in known(body, 4, &[])? {
        match number {
            1 => decoded.request_id = text(value)?,
            2 => decoded.csr_sha256 = value,
            3 => decoded.attestor = text(value)?,
            _ => decoded.request_sha256 = value,
        }
    }
    if decoded.request_id.is_empty() || decoded.attestor.is_empty() {
        return Err("a required field is missing".into());
    }
    hashes(&decoded.csr_sha256, &decoded.request_sha256)?;
    Ok(decoded)
}

/// The fields 1 to `last`, all of wire type 2, none twice but the repeated ones; others are skipped.
fn known(body: &[u8], last: u64, repeated: &[u64]) -> Result<Vec<(u64, Vec<u8>)>, String> {
    let mut known: Vec<(u64, Vec<u8>)> = Vec::new();
    for (number, value) in protobuf::read(body).map_err(|fault| fault.to_string())? {
        if number > last {
            continue;
        }
        let protobuf::Value::Bytes(octets) = value else {
            return Err(format!("field {number}: wrong wire type"));
        };
        if !repeated.contains(&number) && known.iter().any(|(seen, _)| *seen == number) {
            return Err(format!("field {number}: twice"));
        }
        known.push((number, octets));
    }
    Ok(known)
}

fn text(octets: Vec<u8>) -> Result<String, String> {
    String::from_utf8(octets).map_err(|_| "a string is not UTF-8".into())
}

fn hashes(csr: &[u8], request: &[u8]) -> Result<(), String> {
    if csr.len() == 32 && matches!(request.len(), 0 | 32) {
        Ok(())
    } else {
        Err("a hash is not 32 octets".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::keys::hash;

    fn body() -> JoinResponseBody {
        JoinResponseBody {
            node_id: "node".into(),
            certificate_chain: vec![b"leaf".to_vec(), b"ca".to_vec()],
            command_trust_bundle: vec![b"bundle".to_vec()],
            csr_sha256: hash("csr").to_vec(),
            trust_domain: "td".into(),
            site_id: "site".into(),
            role: "node".into(),
            attestor: "join-token".into(),
            request_sha256: Vec::new(),
        }
    }

    #[test]
    fn what_is_encoded_is_decoded() {
        assert_eq!(decode(&body().encode()).unwrap(), body());
    }

    #[test]
    fn the_deferral_of_the_page_has_these_octets() {
        let deferral = JoinDeferralBody {
            request_id: "jreq_01k5w3v7x8e4n9q2r6t0b1c5d7".into(),
            csr_sha256: hash("csr").to_vec(),
            attestor: "tpm".into(),
            request_sha256: hash("request").to_vec(),
        };
        let page = "0a1f6a7265715f30316b3577337637783865346e397132723674306231633564371220c27338c453067b437\
            471afbce792704d816112c6031bb996b62c698ea599ef801a0374706d22201f58b9145b24d108d7ac38887338b3ea\
            3229833b9c1e418250343f907bfd1047";
        assert_eq!(hex::encode(deferral.encode()), page);
        assert_eq!(decode_deferral(&deferral.encode()).unwrap(), deferral);
    }

    #[test]
    fn a_body_that_is_not_whole_does_not_decode() {
        let without_chain = JoinResponseBody { certificate_chain: Vec::new(), ..body() };
        let twice = [body().encode(), Writer::new().bytes(7, "node").0].concat();
        let wrong_type = [body().encode(), Writer::new().integer(9, 1).0].concat();
        let short_hash = JoinResponseBody { csr_sha256: vec![1; 31], ..body() };
        for bad in [without_chain.encode(), twice, wrong_type, short_hash.encode()] {
            assert!(decode(&bad).is_err());
        }
        assert!(decode(&[body().encode(), Writer::new().integer(99, 1).0].concat()).is_ok());
    }
}
