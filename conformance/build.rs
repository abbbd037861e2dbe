//! Packs the vector data into the binary, so that one file judges anywhere.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let data = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../vectors/data/v1");
    println!("cargo:rerun-if-changed={}", data.display());
    let mut files = Vec::new();
    if data.is_dir() {
        collect(&data, &data, &mut files)?;
    }
    files.sort();
    let mut code = String::from("&[\n");
    for (name, path) in &files {
        println!("cargo:rerun-if-changed={path}");
        code.push_str(&format!("    ({name:?}, include_bytes!({path:?})),\n"));
    }
    code.push(']');
    fs::write(PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("embedded.rs"), code)
}

fn collect(root: &Path, folder: &Path, files: &mut Vec<(String, String)>) -> io::Result<()> {
    println!("cargo:rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(root, &path, files)?;
        } else if let Ok(name) = path.strip_prefix(root) {
            files.push((name.to_string_lossy().into_owned(), path.to_string_lossy().into_owned()));
        }
    }
    Ok(())
}
