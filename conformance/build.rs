//! Packs the vector data and the spec's pages into the binary, so that one file judges and explains anywhere.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    pack(&here.join("../vectors/data/v1"), "embedded.rs", |_| true)?;
    pack(&here.join("../docs/spec"), "spec.rs", |name| name.ends_with(".md") || name == "todo.toml")
}

/// Writes a list of (path below `folder`, bytes) as Rust.
fn pack(folder: &Path, to: &str, wanted: fn(&str) -> bool) -> io::Result<()> {
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    if folder.is_dir() {
        collect(folder, folder, &mut files)?;
    }
    files.sort();
    let mut code = String::from("&[\n");
    for (name, path) in files.iter().filter(|(name, _)| wanted(name)) {
        println!("cargo:rerun-if-changed={path}");
        code.push_str(&format!("    ({name:?}, include_bytes!({path:?})),\n"));
    }
    code.push(']');
    fs::write(PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join(to), code)
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
