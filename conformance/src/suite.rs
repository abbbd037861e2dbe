//! The case set: authentic first, then read.

use std::collections::BTreeMap;
use std::path::Path;

use sha2::{Digest as _, Sha256};
use vectors::manifest::{self, Files, ManifestError, TrustKey};
use vectors::schema::Case;

/// Whose signature covers the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signed {
    /// The release key.
    Release,
    /// The published development key: it proves nothing about who made the data.
    Development,
    /// A key that the user named.
    Own(String),
    /// Nobody's: the run proves nothing.
    Unsigned,
}

impl Signed {
    /// The word in machine-readable reports.
    #[must_use]
    pub fn word(&self) -> String {
        match self {
            Self::Release => "release".into(),
            Self::Development => "development".into(),
            Self::Own(name) => format!("own key {name}"),
            Self::Unsigned => "unsigned".into(),
        }
    }

    /// The words in reports for people.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Release => "release vectors".into(),
            Self::Development => {
                "development vectors (the key is published: this proves nothing about who made them)".into()
            }
            Self::Own(name) => format!("vectors signed by the key {name}"),
            Self::Unsigned => "UNSIGNED VECTORS: THIS RUN PROVES NOTHING".into(),
        }
    }
}

/// The cases, and what is known of where they come from.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The cases by id, in that order.
    pub cases: Vec<Case>,
    /// The manifest's SHA-256 in hex; of unsigned data the hash over all files.
    pub digest: String,
    /// Whose signature.
    pub signed: Signed,
}

/// Why there is no case set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SuiteError {
    /// The data is not what somebody trusted signed.
    #[error("the vectors are not authentic: {0}")]
    NotAuthentic(ManifestError),
    /// Authentic, or unsigned and allowed to be, but not a case set.
    #[error("{0}")]
    Malformed(String),
}

impl Suite {
    /// The embedded data.
    ///
    /// # Errors
    /// As [`Self::from_files`].
    pub fn embedded(keys: &[TrustKey], unsigned: bool) -> Result<Self, SuiteError> {
        let files =
            crate::EMBEDDED.iter().map(|&(path, bytes)| (String::from(path), bytes.to_vec())).collect();
        Self::from_files(&files, keys, unsigned)
    }

    /// The data in a folder.
    ///
    /// # Errors
    /// As [`Self::from_files`], and when a file cannot be read.
    pub fn folder(path: &Path, keys: &[TrustKey], unsigned: bool) -> Result<Self, SuiteError> {
        let files = manifest::read_dir(path).map_err(|error| SuiteError::Malformed(error.to_string()))?;
        Self::from_files(&files, keys, unsigned)
    }

    /// Verifies, then reads. With `unsigned` nothing is verified, and every report says so.
    ///
    /// # Errors
    /// [`SuiteError`], which names the file.
    pub fn from_files(files: &Files, keys: &[TrustKey], unsigned: bool) -> Result<Self, SuiteError> {
        let (digest, signed) = if unsigned {
            (hash_of(files), Signed::Unsigned)
        } else {
            let verified = manifest::verify(files, keys).map_err(SuiteError::NotAuthentic)?;
            let signed = match verified.signer.as_str() {
                "release" => Signed::Release,
                "development" => Signed::Development,
                name => Signed::Own(name.into()),
            };
            (verified.digest, signed)
        };
        Ok(Self { cases: read_cases(files)?, digest, signed })
    }

    /// A case by its id.
    #[must_use]
    pub fn case(&self, id: &str) -> Option<&Case> {
        self.cases.binary_search_by(|case| case.id.as_str().cmp(id)).ok().and_then(|at| self.cases.get(at))
    }
}

/// Cases are the JSON files in a step's folder; the path is the id.
fn read_cases(files: &Files) -> Result<Vec<Case>, SuiteError> {
    let mut cases = BTreeMap::new();
    for (path, bytes) in files {
        let Some(id) = path.strip_suffix(".json").filter(|id| id.contains('/')) else { continue };
        let case: Case = serde_json::from_slice(bytes)
            .map_err(|error| SuiteError::Malformed(format!("{path}: not a case: {error}")))?;
        if case.id != id {
            return Err(SuiteError::Malformed(format!("{path}: holds the case {}", case.id)));
        }
        cases.insert(case.id.clone(), case);
    }
    if cases.is_empty() {
        return Err(SuiteError::Malformed("the vectors hold no case".into()));
    }
    Ok(cases.into_values().collect())
}

fn hash_of(files: &Files) -> String {
    let mut hasher = Sha256::new();
    for (path, bytes) in files {
        hasher.update(path.as_bytes());
        hasher.update([0]);
        hasher.update(Sha256::digest(bytes));
    }
    hasher.finalize().iter().map(|octet| format!("{octet:02x}")).collect()
}
