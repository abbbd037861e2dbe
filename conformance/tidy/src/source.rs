//! Reads source files as text: which rules their comments name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Every file below `folder` with that extension, in order, leaving out build and package folders.
#[must_use]
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return found };
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !matches!(name.as_str(), "target" | "node_modules" | "__pycache__" | ".git") {
                found.extend(files(&path, extension));
            }
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The rule ids in a text: capitals and dashes, a dash, a number (`HARDWARE-KEY-1`).
#[must_use]
pub fn rule_ids(text: &str) -> BTreeSet<String> {
    text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-' || letter == '_'))
        .filter(|word| is_rule_id(word))
        .map(String::from)
        .collect()
}

/// The rule ids that the comments of a Rust source name.
#[must_use]
pub fn commented_rules(source: &str) -> BTreeSet<String> {
    source
        .lines()
        .filter_map(|line| line.split_once("//"))
        .flat_map(|(_, comment)| rule_ids(comment))
        .collect()
}

fn is_rule_id(word: &str) -> bool {
    word.rsplit_once('-').is_some_and(|(step, number)| {
        !number.is_empty()
            && number.bytes().all(|digit| digit.is_ascii_digit())
            && step.starts_with(|letter: char| letter.is_ascii_uppercase())
            && step
                .bytes()
                .all(|letter| letter.is_ascii_uppercase() || letter == b'-' || letter.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_ids_are_found_in_comments_only() {
        let source = "// SEAL-3, HARDWARE-KEY-1: the hash\nlet x = \"TOKEN-4\"; /// X509POP-2.\n// SHA-256 is a name too\n";
        let expected = ["HARDWARE-KEY-1", "SEAL-3", "SHA-256", "X509POP-2"].map(String::from);
        assert_eq!(commented_rules(source), expected.into());
    }

    #[test]
    fn words_that_only_look_alike_are_no_rule_ids() {
        assert!(rule_ids("seal-3 SEAL- -3 SEAL_3 SEAL-3a Seal-3").is_empty());
    }
}
