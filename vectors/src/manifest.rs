//! The signed manifest of the vector data: which files belong to a version, and whose signature covers them.
//!
//! `manifest.json` lists every other file with its SHA-256; `manifest.jws` is a detached compact JWS (RFC 7515 appendix F)
//! over the bytes of `manifest.json`, ES256 (RFC 7518 3.4). Nothing is parsed before the signature has verified, except
//! the header that names the key.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::ecdsa::signature::{Signer as _, Verifier as _};
use p256::ecdsa::{Signature, SigningKey, VerifyingKey};
use p256::pkcs8::{DecodePrivateKey as _, DecodePublicKey as _, EncodePublicKey as _};
use serde::{Deserialize, Serialize};

use crate::schema::Case;
use crate::testkit::encode::{b64, b64u};
use crate::testkit::keys::hash;

/// The manifest's own file name.
pub const MANIFEST: &str = "manifest.json";
/// The file name of the detached signature.
pub const SIGNATURE: &str = "manifest.jws";
/// The file name of the JSON Schema of a case.
pub const SCHEMA: &str = "schema.json";
/// The shape of case files that this crate reads.
pub const SCHEMA_VERSION: u32 = 1;
/// The oldest judge that can read these files.
pub const MIN_RUNNER: &str = "0.1.0";
/// Ids of cases that were withdrawn; they are never given to another case.
pub const TOMBSTONES: &[&str] = &[];

/// Bytes by path below the data folder, `/` between the parts.
pub type Files = BTreeMap<String, Vec<u8>>;

/// The content of `manifest.json`; the members are in sorted order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Manifest {
    /// How many there are.
    pub counts: Counts,
    /// SHA-256 in hex of every file but the manifest and its signature.
    pub files: BTreeMap<String, String>,
    /// The oldest judge that can read these files.
    pub min_runner: String,
    /// The shape of the case files.
    pub schema: u32,
    /// The spec that the cases were written from.
    pub spec: Spec,
    /// Ids of withdrawn cases.
    pub tombstones: Vec<String>,
}

/// How many cases there are; a family counts once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// All of them.
    pub cases: usize,
    /// By op.
    pub ops: BTreeMap<String, usize>,
    /// By step.
    pub steps: BTreeMap<String, usize>,
}

/// Which spec the cases were written from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// SHA-256 in hex over the pages, one after the other, in the order of their names.
    pub sha256: String,
    /// The spec's version.
    pub version: String,
}

/// The protected header of the signature: exactly these members.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    alg: String,
    kid: String,
    typ: String,
}

const ALG: &str = "ES256";
const TYP: &str = "bcvectors+jws";

/// A public key whose signature counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustKey {
    /// What reports call it.
    pub name: String,
    /// SubjectPublicKeyInfo, DER (RFC 5280 4.1).
    pub spki: Vec<u8>,
}

impl TrustKey {
    /// Reads a P-256 public key from PEM (`PUBLIC KEY`, RFC 7468 13).
    ///
    /// # Errors
    /// [`ManifestError::Key`] when the text is no such key.
    pub fn from_pem(name: &str, pem: &str) -> Result<Self, ManifestError> {
        let key = p256::PublicKey::from_public_key_pem(pem).map_err(|_| ManifestError::Key(name.into()))?;
        let spki = key.to_public_key_der().map_err(|_| ManifestError::Key(name.into()))?;
        Ok(Self { name: name.into(), spki: spki.into_vec() })
    }

    /// The keys this crate trusts by itself: `release`, and the published `development` key.
    ///
    /// # Errors
    /// [`ManifestError::Key`] when a file under `vectors/keys` is no key.
    pub fn built_in() -> Result<Vec<Self>, ManifestError> {
        Ok(vec![
            Self::from_pem("release", include_str!("../keys/release.pub.pem"))?,
            Self::from_pem("development", include_str!("../keys/development.pub.pem"))?,
        ])
    }

    /// The pin string of the key: `sha256/` and base64 of the SPKI's SHA-256.
    #[must_use]
    pub fn pin(&self) -> String {
        pin(&self.spki)
    }
}

/// What a good signature and good hashes prove.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The manifest.
    pub manifest: Manifest,
    /// The name of the trusted key that signed it.
    pub signer: String,
    /// SHA-256 of `manifest.json` in hex: it names this exact data.
    pub digest: String,
}

/// Why the data is not what somebody trusted signed. Each names the file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// A file differs from the manifest.
    #[error("{0}: changed (its SHA-256 is not the manifest's)")]
    Changed(String),
    /// A file of the manifest, or the manifest, is not there.
    #[error("{0}: missing")]
    Missing(String),
    /// A file is there that the manifest does not name.
    #[error("{0}: extra (not in the manifest)")]
    Extra(String),
    /// There is no signature.
    #[error("manifest.jws: missing: the data is unsigned")]
    Unsigned,
    /// The signature's form is wrong.
    #[error("manifest.jws: {0}")]
    Header(String),
    /// The key named is not trusted.
    #[error("manifest.jws: signed by another key, {0}")]
    AnotherKey(String),
    /// The signature does not verify over the manifest's bytes.
    #[error("manifest.json: changed (the signature by {0} in manifest.jws does not verify)")]
    Signature(String),
    /// Signed, but not a manifest this crate reads.
    #[error("manifest.json: {0}")]
    Malformed(String),
    /// No P-256 key in PEM.
    #[error("{0}: not a P-256 key in PEM")]
    Key(String),
    /// A file could not be read.
    #[error("{0}")]
    Io(String),
}

/// Checks that `files` are what one of `keys` signed: the signature first, then the manifest, then every file.
///
/// # Errors
/// The first thing that is wrong; the file's name is in the error.
pub fn verify(files: &Files, keys: &[TrustKey]) -> Result<Verified, ManifestError> {
    let bytes = files.get(MANIFEST).ok_or_else(|| ManifestError::Missing(MANIFEST.into()))?;
    let jws = files.get(SIGNATURE).ok_or(ManifestError::Unsigned)?;
    let signer = check_signature(jws, bytes, keys)?;
    let manifest: Manifest =
        serde_json::from_slice(bytes).map_err(|error| ManifestError::Malformed(error.to_string()))?;
    if manifest.schema != SCHEMA_VERSION {
        return Err(ManifestError::Malformed(format!("schema {} is not {SCHEMA_VERSION}", manifest.schema)));
    }
    check_files(&manifest, files)?;
    Ok(Verified { manifest, signer: signer.into(), digest: hex::encode(hash(bytes)) })
}

/// Signs the bytes of a manifest with a private key in PEM (PKCS#8); the result is the content of `manifest.jws`.
///
/// # Errors
/// [`ManifestError::Key`] when `pem` is no such key.
pub fn sign(manifest: &[u8], pem: &str) -> Result<String, ManifestError> {
    let bad = || ManifestError::Key("signing key".into());
    let key = SigningKey::from_pkcs8_pem(pem).map_err(|_| bad())?;
    let spki = key.verifying_key().to_public_key_der().map_err(|_| bad())?;
    let header = Header { alg: ALG.into(), kid: pin(spki.as_bytes()), typ: TYP.into() };
    let text = serde_json::to_string(&header).map_err(|error| ManifestError::Header(error.to_string()))?;
    let protected = b64u(text);
    let signature: Signature = key.sign(&signing_input(&protected, manifest));
    Ok(format!("{protected}..{}\n", b64u(signature.to_bytes())))
}

/// The manifest of these files.
#[must_use]
pub fn describe(files: &Files, cases: &[Case], spec_sha256: String) -> Manifest {
    let mut counts = Counts { cases: cases.len(), ..Counts::default() };
    for case in cases {
        *counts.steps.entry(case.step.clone()).or_default() += 1;
        *counts.ops.entry(case.op.clone()).or_default() += 1;
    }
    let listed = files.iter().filter(|(path, _)| is_listed(path));
    Manifest {
        counts,
        files: listed.map(|(path, bytes)| (path.clone(), hex::encode(hash(bytes)))).collect(),
        min_runner: MIN_RUNNER.into(),
        schema: SCHEMA_VERSION,
        spec: Spec { sha256: spec_sha256, version: "0.1.0".into() },
        tombstones: TOMBSTONES.iter().map(|&id| id.into()).collect(),
    }
}

/// The canonical bytes of a manifest: sorted members, two spaces, a final line feed.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn to_bytes(manifest: &Manifest) -> serde_json::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec_pretty(manifest)?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Reads every file below a folder.
///
/// # Errors
/// [`ManifestError::Io`] with the path that could not be read.
pub fn read_dir(root: &Path) -> Result<Files, ManifestError> {
    let mut files = Files::new();
    collect(root, "", &mut files)?;
    Ok(files)
}

fn collect(dir: &Path, prefix: &str, files: &mut Files) -> Result<(), ManifestError> {
    let io = |error: std::io::Error| ManifestError::Io(format!("{}: {error}", dir.display()));
    for entry in std::fs::read_dir(dir).map_err(io)? {
        let entry = entry.map_err(io)?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type().map_err(io)?.is_dir() {
            collect(&entry.path(), &format!("{path}/"), files)?;
        } else {
            files.insert(path, std::fs::read(entry.path()).map_err(io)?);
        }
    }
    Ok(())
}

/// Checks header and signature and gives the name of the key; the payload is not parsed.
fn check_signature<'k>(jws: &[u8], payload: &[u8], keys: &'k [TrustKey]) -> Result<&'k str, ManifestError> {
    let malformed = |what: &str| ManifestError::Header(what.into());
    let text = std::str::from_utf8(jws).map_err(|_| malformed("not text"))?;
    let text = text.strip_suffix('\n').unwrap_or(text);
    let (protected, signature) =
        text.split_once("..").ok_or_else(|| malformed("not a detached compact JWS (header..signature)"))?;
    let header = URL_SAFE_NO_PAD.decode(protected).map_err(|_| malformed("header is not base64url"))?;
    let header: Header = serde_json::from_slice(&header)
        .map_err(|error| malformed(&format!("header must be exactly alg, kid, typ: {error}")))?;
    if header.alg != ALG || header.typ != TYP {
        return Err(malformed("header must have alg ES256 and typ bcvectors+jws"));
    }
    let key = keys.iter().find(|key| key.pin() == header.kid).ok_or(ManifestError::AnotherKey(header.kid))?;
    let signature = URL_SAFE_NO_PAD.decode(signature).map_err(|_| malformed("signature is not base64url"))?;
    let signature =
        Signature::from_slice(&signature).map_err(|_| malformed("signature is not 64 octets r, s"))?;
    VerifyingKey::from_public_key_der(&key.spki)
        .map_err(|_| ManifestError::Key(key.name.clone()))?
        .verify(&signing_input(protected, payload), &signature)
        .map_err(|_| ManifestError::Signature(key.name.clone()))?;
    Ok(&key.name)
}

fn check_files(manifest: &Manifest, files: &Files) -> Result<(), ManifestError> {
    for (path, sha256) in &manifest.files {
        let bytes = files.get(path).ok_or_else(|| ManifestError::Missing(path.clone()))?;
        if hex::encode(hash(bytes)) != *sha256 {
            return Err(ManifestError::Changed(path.clone()));
        }
    }
    let named: BTreeSet<&String> = manifest.files.keys().collect();
    files
        .keys()
        .find(|path| is_listed(path) && !named.contains(path))
        .map_or(Ok(()), |path| Err(ManifestError::Extra(path.clone())))
}

fn is_listed(path: &str) -> bool {
    path != MANIFEST && path != SIGNATURE
}

/// RFC 7515 5.1 step 8, with the payload encoded although it is not carried.
fn signing_input(protected: &str, payload: &[u8]) -> Vec<u8> {
    format!("{protected}.{}", b64u(payload)).into_bytes()
}

fn pin(spki: &[u8]) -> String {
    format!("sha256/{}", b64(hash(spki)))
}
