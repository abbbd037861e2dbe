//! `sign` and `verify`: the manifest's signature.

use std::path::Path;

use vectors::manifest::{self, ManifestError, TrustKey};

use super::{Failure, io};

const DEVELOPMENT: &str = include_str!("../../keys/development.pem");

/// Signs the manifest of `data` with the key in a file, or with the published development key.
pub(super) fn sign(data: &Path, key: Option<&Path>) -> Result<(), Failure> {
    let path = data.join(manifest::MANIFEST);
    let bytes = std::fs::read(&path).map_err(io(&path))?;
    let pem = match key {
        Some(key) => std::fs::read_to_string(key).map_err(io(key))?,
        None => DEVELOPMENT.into(),
    };
    let jws = manifest::sign(&bytes, &pem)?;
    let path = data.join(manifest::SIGNATURE);
    std::fs::write(&path, jws).map_err(io(&path))
}

/// Verifies `data` under the built-in keys, or under the one key in a file.
pub(super) fn verify(data: &Path, trust_key: Option<&Path>) -> Result<(), Failure> {
    let keys = match trust_key {
        Some(path) => {
            let pem = std::fs::read_to_string(path).map_err(io(path))?;
            vec![TrustKey::from_pem(&path.display().to_string(), &pem)?]
        }
        None => TrustKey::built_in()?,
    };
    if !data.exists() {
        return Err(ManifestError::Missing(manifest::MANIFEST.into()).into());
    }
    let verified = manifest::verify(&manifest::read_dir(data)?, &keys)?;
    let (cases, files) = (verified.manifest.counts.cases, verified.manifest.files.len());
    println!("{cases} cases in {files} files, signed by {}, digest {}", verified.signer, verified.digest);
    Ok(())
}
