//! Seals (SEAL-1..5): a builder with every part public, and an opener as strict as the rules.
//!
//! Nothing is random: ephemeral key, content key and IV come from the seal's name.

pub mod jwe;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::elliptic_curve::sec1::FromSec1Point as _;
use p256::{PublicKey, Sec1Point, SecretKey};
use serde_json::{Map, Value};

use self::jwe::Content;
use super::encode::{b64, b64u};
use super::keys::{hash, key, public_jwk};
use super::signature::spki;

/// The protocol's `alg`, also the label of its KDF.
pub const ALG: &str = "ECDH-ES+A256KW";
/// The protocol's `enc`.
pub const ENC: &str = "A256GCM";
/// The protocol's `typ`.
pub const TYP: &str = "bcjt+jwe";
/// The example of the spec's page on SEAL, whole.
pub const EXAMPLE: &str = "eyJhbGciOiJFQ0RILUVTK0EyNTZLVyIsImVuYyI6IkEyNTZHQ00iLCJ0eXAiOiJiY2p0K2p3ZSIsImlhdCI6MTc2NzIyNTYw\
    MCwiY3NyIjoiOWxWSXZoRkozeDhnRGhZY19FbXJZWEtaX1BkejF4Z3l1M0Zzd2VWNk51YyIsImVwayI6eyJrdHkiOiJFQyIs\
    ImNydiI6IlAtMjU2IiwieCI6InUxU1p2TllBLWd6a18xSWhuZ25XYkExNE5rUGFKQWFwRUtZRnhOSEdaMXciLCJ5IjoibkVs\
    RHQ1SEJQOHI5SnpLZXNSZS1iY0pjSXpmdERrX3VMd2tvc2wyaXYwOCJ9fQ.eY2VnkgvRepJZz4mCAutuvrljrBqgC8fOhio9\
    Hst27YDnrCv22zdVA.YGFiY2RlZmdoaWpr.zktjcVj-5Pk5sBJSc-Iyaj8ciyEnBqE-Pkr7iJvyN8sQ3sNfOo6cyN-o5mp8T\
    Ulpr0khCDR24vAdV0sulMyZ9hb49wkNJD6AOn75MdMh.MttKV8CPi-odxYYMA6Axug";

/// The parts of a seal; whatever is set stands there, right or not.
#[derive(Clone, Debug)]
#[must_use]
pub struct Seal {
    /// The header's members in order: name and value as JSON text, the name without its quotes.
    pub members: Vec<(String, String)>,
    /// The header's octets, in place of `members`.
    pub header: Option<Vec<u8>>,
    /// The text of the first part, in place of the header's base64url; also the additional data.
    pub protected: Option<String>,
    /// The additional data, in place of the first part's text.
    pub aad: Option<Vec<u8>>,
    /// The shared secret Z.
    pub z: Vec<u8>,
    /// The KDF's AlgorithmID.
    pub label: String,
    /// PartyUInfo.
    pub apu: Vec<u8>,
    /// PartyVInfo.
    pub apv: Vec<u8>,
    /// How many octets of key-encryption key are derived.
    pub kek_octets: usize,
    /// The key-encryption key, in place of the derived one.
    pub kek: Option<Vec<u8>>,
    /// The content key.
    pub cek: Vec<u8>,
    /// The encrypted key, in place of the wrapped content key.
    pub encrypted_key: Option<Vec<u8>>,
    /// The initialization vector.
    pub iv: Vec<u8>,
    /// How the content is encrypted.
    pub content: Content,
    /// What is encrypted.
    pub plaintext: Vec<u8>,
    /// The tag, in place of the right one.
    pub tag: Option<Vec<u8>>,
}

/// A right seal of `plaintext` to `recipient` for the request `csr`; `name` chooses what is random elsewhere.
pub fn honest(name: &str, recipient: &SecretKey, plaintext: &str, csr: &[u8], iat: u64) -> Seal {
    let ephemeral = key(&format!("seal ephemeral: {name}"));
    let [cek, iv] = ["cek", "iv"].map(|part| hash(format!("seal {part}: {name}")));
    let quoted = |text: &str| format!("\"{text}\"");
    let epk = public_jwk(&ephemeral);
    let members = [
        ("alg", quoted(ALG)),
        ("enc", quoted(ENC)),
        ("typ", quoted(TYP)),
        ("iat", iat.to_string()),
        ("csr", quoted(&b64u(hash(csr)))),
        ("epk", epk_text(epk["x"].as_str().unwrap_or_default(), epk["y"].as_str().unwrap_or_default())),
    ];
    let (iv, _) = iv.split_at(12);
    Seal {
        members: members.map(|(name, value)| (name.to_owned(), value)).to_vec(),
        header: None,
        protected: None,
        aad: None,
        z: jwe::agree(&ephemeral, &recipient.public_key()),
        label: ALG.into(),
        apu: Vec::new(),
        apv: Vec::new(),
        kek_octets: 32,
        kek: None,
        cek: cek.to_vec(),
        encrypted_key: None,
        iv: iv.to_vec(),
        content: Content::Gcm,
        plaintext: plaintext.into(),
        tag: None,
    }
}

/// The pin of a public key (CONFIG-1) in SubjectPublicKeyInfo, DER.
#[must_use]
pub fn pin(spki: &[u8]) -> String {
    format!("sha256/{}", b64(hash(spki)))
}

/// The JSON text of an `epk` with these coordinates.
#[must_use]
pub fn epk_text(x: &str, y: &str) -> String {
    format!(r#"{{"kty":"EC","crv":"P-256","x":"{x}","y":"{y}"}}"#)
}

impl Seal {
    /// With this value, as JSON text, for the header's member `name`; a member that is not there comes last.
    pub fn member(mut self, name: &str, value: &str) -> Self {
        match self.members.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value.into(),
            None => self.members.push((name.into(), value.into())),
        }
        self
    }

    /// With one more member, whether or not one of that name is there.
    pub fn and_member(mut self, name: &str, value: &str) -> Self {
        self.members.push((name.into(), value.into()));
        self
    }

    /// Without the header's member `name`.
    pub fn without(mut self, name: &str) -> Self {
        self.members.retain(|(known, _)| known != name);
        self
    }

    /// With these octets as header.
    pub fn header(mut self, octets: impl Into<Vec<u8>>) -> Self {
        self.header = Some(octets.into());
        self
    }

    /// With another ephemeral key, honestly used.
    pub fn ephemeral(mut self, ephemeral: &SecretKey, recipient: &SecretKey) -> Self {
        let jwk = public_jwk(ephemeral);
        self.z = jwe::agree(ephemeral, &recipient.public_key());
        let epk = epk_text(jwk["x"].as_str().unwrap_or_default(), jwk["y"].as_str().unwrap_or_default());
        self.member("epk", &epk)
    }

    /// The header's octets.
    #[must_use]
    pub fn header_octets(&self) -> Vec<u8> {
        let member = |(name, value): &(String, String)| format!("\"{name}\":{value}");
        let text = || format!("{{{}}}", self.members.iter().map(member).collect::<Vec<_>>().join(","));
        self.header.clone().unwrap_or_else(|| text().into_bytes())
    }

    /// The key-encryption key.
    #[must_use]
    pub fn kek(&self) -> Vec<u8> {
        let derived = || jwe::concat_kdf(&self.z, &self.label, &self.apu, &self.apv, self.kek_octets);
        self.kek.clone().unwrap_or_else(derived)
    }

    /// The texts of the five parts.
    #[must_use]
    pub fn parts(&self) -> [String; 5] {
        let header = self.protected.clone().unwrap_or_else(|| b64u(self.header_octets()));
        let encrypted_key = self.encrypted_key.clone().unwrap_or_else(|| jwe::wrap(&self.kek(), &self.cek));
        let aad = self.aad.as_deref().unwrap_or(header.as_bytes());
        let (ciphertext, tag) = jwe::encrypt(self.content, &self.cek, &self.iv, aad, &self.plaintext);
        let tag = self.tag.clone().unwrap_or(tag);
        [header, b64u(encrypted_key), b64u(&self.iv), b64u(ciphertext), b64u(tag)]
    }

    /// The compact form.
    #[must_use]
    pub fn text(&self) -> String {
        self.parts().join(".")
    }
}

/// What a seal holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    /// The header's members.
    pub header: Map<String, Value>,
    /// The plaintext; the caller compares it with its token.
    pub plaintext: Vec<u8>,
    /// The content key.
    pub cek: Vec<u8>,
    /// The initialization vector.
    pub iv: Vec<u8>,
}

/// Opens a seal with a private JWK, by SEAL-1, SEAL-2, SEAL-4 and SEAL-5; `kid` is left to the caller.
///
/// # Errors
/// A sentence: what is wrong with the seal.
pub fn open(jwk: &Value, seal: &[u8]) -> Result<Opened, String> {
    if seal.len() > 4096 {
        return Err(format!("{} octets, over 4096", seal.len()));
    }
    let text = std::str::from_utf8(seal).map_err(|_| "no text")?;
    let parts = text.split('.').map(decode).collect::<Result<Vec<_>, _>>()?;
    let [header, encrypted_key, iv, ciphertext, tag] =
        <[Vec<u8>; 5]>::try_from(parts).map_err(|parts| format!("{} parts, not five", parts.len()))?;
    let header_text = String::from_utf8(header).map_err(|_| "the header is no UTF-8")?;
    let header = check_header(&header_text)?;
    let public = epk(header.get("epk"))?;
    let lengths = [encrypted_key.len(), iv.len(), tag.len()];
    if lengths != [40, 12, 16] || ciphertext.is_empty() {
        return Err(format!("key, IV and tag of {lengths:?} octets, ciphertext of {}", ciphertext.len()));
    }
    let z = jwe::agree(&private_key(jwk)?, &public);
    let kek = jwe::concat_kdf(&z, ALG, &[], &[], 32);
    let cek = jwe::unwrap(&kek, &encrypted_key).ok_or("the encrypted key does not unwrap")?;
    let aad = text.split('.').next().unwrap_or_default();
    let plaintext = jwe::decrypt(&cek, &iv, aad.as_bytes(), &ciphertext, &tag).ok_or("the tag is wrong")?;
    Ok(Opened { header, plaintext, cek, iv })
}

/// Whether a seal is what `{"jwk", "token", "csr", "iat"}` asks for: opened by that private JWK, holding that token,
/// with the hash of those octets (base64url) and that time; a `kid`, if there is one, is the key's pin.
///
/// # Errors
/// A sentence: what is wrong with the seal.
pub fn matches(expected: &Value, seal: &[u8]) -> Result<Opened, String> {
    let opened = open(&expected["jwk"], seal)?;
    if opened.plaintext != expected["token"].as_str().unwrap_or_default().as_bytes() {
        return Err("the plaintext is not the token".into());
    }
    let csr = decode(expected["csr"].as_str().unwrap_or_default())?;
    if opened.header.get("csr").and_then(Value::as_str) != Some(&b64u(hash(csr))) {
        return Err("header: csr is not the request's hash".into());
    }
    if opened.header.get("iat") != expected.get("iat") {
        return Err(format!("header: iat is not {}", expected["iat"]));
    }
    let own = pin(&spki(&private_key(&expected["jwk"])?));
    if opened.header.get("kid").is_some_and(|kid| *kid != own.as_str()) {
        return Err("header: kid is not the key's pin".into());
    }
    Ok(opened)
}

/// The header's members after the rules about them.
fn check_header(text: &str) -> Result<Map<String, Value>, String> {
    let header: Map<String, Value> =
        serde_json::from_str(text).map_err(|error| format!("header: {error}"))?;
    for (name, value) in [("alg", ALG), ("enc", ENC), ("typ", TYP)] {
        if header.get(name).and_then(Value::as_str) != Some(value) {
            return Err(format!("header: {name} is not {value}"));
        }
    }
    let known = ["alg", "enc", "typ", "iat", "csr", "epk", "kid"];
    if let Some(other) = header.keys().find(|name| !known.contains(&name.as_str())) {
        return Err(format!("header: {other} is no member of a seal"));
    }
    if header.get("kid").is_some_and(|kid| !kid.is_string()) {
        return Err("header: kid is no string".into());
    }
    // serde_json folds a member that occurs twice. Names and values of a right header hold no colon but
    // for kid's value; so colons count the members of both objects.
    let kid_colons = header.get("kid").and_then(Value::as_str).unwrap_or_default().matches(':').count();
    if text.matches(':').count() != header.len() + 4 + kid_colons {
        return Err("header: a member occurs twice".into());
    }
    let iat = header.get("iat").and_then(Value::as_u64).filter(|&iat| iat <= 253_402_300_799);
    iat.ok_or("header: iat is no integer 0..=253402300799")?;
    let csr = decode(header.get("csr").and_then(Value::as_str).unwrap_or_default())?;
    if csr.len() != 32 {
        return Err("header: csr is not 32 octets".into());
    }
    Ok(header)
}

fn epk(value: Option<&Value>) -> Result<PublicKey, String> {
    let members = value.and_then(Value::as_object).ok_or("header: epk is no object")?;
    let text = |name: &str| members.get(name).and_then(Value::as_str).unwrap_or_default();
    if members.len() != 4 || text("kty") != "EC" || text("crv") != "P-256" {
        return Err("header: epk is not exactly kty EC, crv P-256, x and y".into());
    }
    let coordinate = |name| -> Result<[u8; 32], String> {
        decode(text(name))?.try_into().map_err(|_| format!("header: epk.{name} is not 32 octets"))
    };
    let point = Sec1Point::from_affine_coordinates(&coordinate("x")?.into(), &coordinate("y")?.into(), false);
    Option::from(PublicKey::from_sec1_point(&point)).ok_or_else(|| "header: epk is not on the curve".into())
}

fn private_key(jwk: &Value) -> Result<SecretKey, String> {
    let scalar = decode(jwk["d"].as_str().unwrap_or_default())?;
    SecretKey::from_slice(&scalar).map_err(|_| "the JWK holds no private key".into())
}

fn decode(text: &str) -> Result<Vec<u8>, String> {
    URL_SAFE_NO_PAD.decode(text).map_err(|error| format!("base64url: {error}"))
}

#[cfg(test)]
mod tests;
