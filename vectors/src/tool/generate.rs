//! `generate`: the data is what the cases make, byte for byte.

use std::collections::BTreeSet;
use std::path::Path;

use vectors::cases;
use vectors::manifest::{self, Files, MANIFEST, SIGNATURE, TrustKey};
use vectors::spec::{self, Spec};

use super::{Failure, io};

/// Writes every file, removes files that no case makes, and the signature if it no longer holds.
pub(super) fn write(data: &Path) -> Result<(), Failure> {
    let files = build()?;
    std::fs::create_dir_all(data).map_err(io(data))?;
    let present = manifest::read_dir(data)?;
    for (path, bytes) in &files {
        if present.get(path) != Some(bytes) {
            let path = data.join(path);
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder).map_err(io(folder))?;
            }
            std::fs::write(&path, bytes).map_err(io(&path))?;
        }
    }
    for path in present.keys().filter(|path| !files.contains_key(*path) && *path != SIGNATURE) {
        let path = data.join(path);
        std::fs::remove_file(&path).map_err(io(&path))?;
        println!("removed {}", path.display());
    }
    println!("{} files", files.len());
    if let Err(error) = manifest::verify(&manifest::read_dir(data)?, &TrustKey::built_in()?) {
        if present.contains_key(SIGNATURE) {
            let path = data.join(SIGNATURE);
            std::fs::remove_file(&path).map_err(io(&path))?;
        }
        println!("{error}\nsign it: cargo vectors sign --key FILE, or --dev");
    }
    Ok(())
}

/// Rebuilds every byte in memory and names each file that differs, is missing or is not made by a case.
pub(super) fn check(data: &Path) -> Result<(), Failure> {
    let files = build()?;
    let present = if data.exists() { manifest::read_dir(data)? } else { Files::new() };
    let lines = differences(&files, &present);
    if lines.is_empty() {
        println!("{} files are what the cases make", files.len());
        return Ok(());
    }
    Err(Failure { lines, code: 1 })
}

fn differences(files: &Files, present: &Files) -> Vec<String> {
    let paths: BTreeSet<&String> =
        files.keys().chain(present.keys()).filter(|path| *path != SIGNATURE).collect();
    paths
        .into_iter()
        .filter_map(|path| match (files.get(path), present.get(path)) {
            (Some(_), None) => Some(format!("{path}: missing")),
            (None, Some(_)) => Some(format!("{path}: extra (no case makes it)")),
            (made, there) => (made != there).then(|| format!("{path}: differs")),
        })
        .collect()
}

/// Every file but the signature, from the cases and the spec of this checkout.
fn build() -> Result<Files, Failure> {
    let cases = cases::all();
    let mut files = Files::new();
    for case in &cases {
        let bytes = case.to_file()?.into_bytes();
        let path = format!("{}.json", case.id);
        if files.insert(path.clone(), bytes).is_some() {
            return Err(Failure::new(1, &format!("{path}: two cases of one id")));
        }
    }
    files.insert(manifest::SCHEMA.into(), include_bytes!("../../schema/case.schema.json").to_vec());
    let spec = spec::folder_sha256(&Spec::folder())?;
    let bytes = manifest::to_bytes(&manifest::describe(&files, &cases, spec))?;
    files.insert(MANIFEST.into(), bytes);
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::super::sign;
    use super::*;

    #[test]
    fn what_is_generated_and_signed_verifies_and_checks() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path()).unwrap();
        check(dir.path()).unwrap();
        assert_eq!(sign::verify(dir.path(), None).unwrap_err().code, 4);
        sign::sign(dir.path(), None).unwrap();
        sign::verify(dir.path(), None).unwrap();
        write(dir.path()).unwrap();
        sign::verify(dir.path(), None).unwrap();
    }

    #[test]
    fn check_names_every_file_that_differs() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path()).unwrap();
        std::fs::write(dir.path().join("schema.json"), "{}").unwrap();
        std::fs::write(dir.path().join("stray.json"), "{}").unwrap();
        std::fs::remove_file(dir.path().join(MANIFEST)).unwrap();
        let failure = check(dir.path()).unwrap_err();
        let expected =
            ["manifest.json: missing", "schema.json: differs", "stray.json: extra (no case makes it)"];
        assert_eq!((failure.code, failure.lines.as_slice()), (1, expected.map(String::from).as_slice()));
        write(dir.path()).unwrap();
        check(dir.path()).unwrap();
    }

    #[test]
    fn a_signature_that_no_longer_holds_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path()).unwrap();
        sign::sign(dir.path(), None).unwrap();
        std::fs::write(dir.path().join(SIGNATURE), "x").unwrap();
        write(dir.path()).unwrap();
        assert!(!dir.path().join(SIGNATURE).exists());
    }
}
