//! Which package may use which. Everything not listed here is forbidden.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The allowed arrows, `A` may use `B`.
const ARROWS: &[(&str, &[&str])] = &[
    ("reference-core", &[]),
    ("reference-shim", &["reference-core"]),
    ("vectors", &[]),
    ("conformance", &["vectors"]),
    ("conformance-cli", &["conformance", "vectors", "reference-shim"]),
    ("tidy", &["vectors"]),
    ("model", &[]),
];

/// Crates of the other side's crypto stack, which a package must not use outside its tests.
const FOREIGN: &[(&str, &[&str])] = &[
    ("reference-core", &["p256", "ecdsa", "aes-gcm", "aes-kw", "josekit", "openssl"]),
    ("reference-shim", &["p256", "ecdsa", "aes-gcm", "aes-kw", "josekit", "openssl"]),
    ("vectors", &["aws-lc-rs", "ring", "josekit", "openssl"]),
    ("conformance", &["aws-lc-rs", "ring", "josekit", "openssl"]),
];

/// The problems in the checkout at `root`.
#[must_use]
pub fn check(root: &Path) -> Vec<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--offline", "--no-deps"])
        .current_dir(root)
        .output();
    let metadata = output.ok().and_then(|output| serde_json::from_slice(&output.stdout).ok());
    metadata.map_or_else(|| vec!["cargo metadata gave no answer".into()], |metadata| judge(&metadata))
}

/// The problems in what `cargo metadata --no-deps` printed.
#[must_use]
pub fn judge(metadata: &Value) -> Vec<String> {
    let empty = Vec::new();
    let packages = metadata["packages"].as_array().unwrap_or(&empty);
    let ours: Vec<&str> = packages.iter().filter_map(|package| package["name"].as_str()).collect();
    packages.iter().flat_map(|package| judge_package(package, &ours)).collect()
}

fn judge_package(package: &Value, ours: &[&str]) -> Vec<String> {
    let name = package["name"].as_str().unwrap_or_default();
    let Some((_, allowed)) = ARROWS.iter().find(|(from, _)| *from == name) else {
        return vec![format!("{name} is a package that the architecture does not know")];
    };
    let foreign = FOREIGN.iter().find(|(from, _)| *from == name).map_or(&[][..], |(_, crates)| crates);
    let empty = Vec::new();
    let dependencies = package["dependencies"].as_array().unwrap_or(&empty);
    let mut problems = Vec::new();
    for dependency in dependencies.iter().filter(|dependency| dependency["kind"].is_null()) {
        let used = dependency["name"].as_str().unwrap_or_default();
        if ours.contains(&used) && !allowed.contains(&used) {
            problems.push(format!("{name} uses {used}: no such arrow is allowed"));
        }
        if foreign.contains(&used) {
            problems.push(format!("{name} uses {used}, which belongs to the other side's crypto"));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_arrows_hold() {
        assert_eq!(check(&crate::root()), Vec::<String>::new());
    }

    #[test]
    fn a_forbidden_arrow_is_named() {
        let uses =
            |name: &str, used: &str| json!({"name": name, "dependencies": [{"name": used, "kind": null}]});
        let metadata = json!({"packages": [
            uses("conformance", "reference-core"), uses("vectors", "aws-lc-rs"), uses("reference-core", "serde"), uses("new", "serde"),
        ]});
        let problems = judge(&metadata);
        let expected = [
            "conformance uses reference-core: no such arrow is allowed",
            "vectors uses aws-lc-rs, which belongs to the other side's crypto",
            "new is a package that the architecture does not know",
        ];
        assert_eq!(problems, expected);
    }
}
