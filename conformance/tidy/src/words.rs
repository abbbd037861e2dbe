//! One word a step: the same word names the spec page, the core's module, the folder of cases and the beginning of the rule ids.

use std::collections::BTreeSet;
use std::path::Path;

use vectors::spec::{Checked, Page, Spec};

use crate::source::{commented_rules, files};

/// The problems in the checkout at `root`.
#[must_use]
pub fn check(root: &Path) -> Vec<String> {
    let spec = match Spec::load(&root.join("docs/spec")) {
        Ok(spec) => spec,
        Err(error) => return vec![error.to_string()],
    };
    let modules = modules(&root.join("reference/core/src"));
    let folders = folders(&root.join("vectors/data/v1"));
    let mut problems = steps(&spec, &modules, &folders);
    problems.extend(rules(root, &spec));
    problems
}

/// A step with a rule that is not put off has a module and a folder; a folder is always a step.
#[must_use]
pub fn steps(spec: &Spec, modules: &BTreeSet<String>, folders: &BTreeSet<String>) -> Vec<String> {
    let mut problems = Vec::new();
    for page in &spec.pages {
        if !is_due(page, spec) {
            continue;
        }
        if !modules.contains(&page.step) {
            problems
                .push(format!("docs/spec/{} has no module reference/core/src/{}.rs", page.file, page.step));
        }
        if !folders.contains(&page.step) {
            problems.push(format!("docs/spec/{} has no folder vectors/data/v1/{}", page.file, page.step));
        }
    }
    let known: BTreeSet<&str> = spec.pages.iter().map(|page| page.step.as_str()).collect();
    for folder in folders.iter().filter(|folder| !known.contains(folder.as_str())) {
        problems.push(format!("vectors/data/v1/{folder} is no step of the spec"));
    }
    problems
}

fn is_due(page: &Page, spec: &Spec) -> bool {
    page.rules
        .iter()
        .any(|rule| matches!(rule.checked, Checked::Vectors { .. }) && !spec.todo.contains_key(&rule.id))
}

/// Every rule that vectors check and that is not put off stands above code; every rule that code names is in the spec.
fn rules(root: &Path, spec: &Spec) -> Vec<String> {
    let known: BTreeSet<&str> = spec.rules().map(|rule| rule.id.as_str()).collect();
    let prefixes: BTreeSet<&str> =
        known.iter().filter_map(|id| id.rsplit_once('-')).map(|(step, _)| step).collect();
    let mut named = BTreeSet::new();
    let mut problems = Vec::new();
    for file in
        ["reference", "vectors/src", "conformance"].iter().flat_map(|folder| files(&root.join(folder), "rs"))
    {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let name = file.strip_prefix(root).unwrap_or(&file).display().to_string();
        for id in commented_rules(&text) {
            let is_step = id.rsplit_once('-').is_some_and(|(step, _)| prefixes.contains(step));
            if is_step && !known.contains(id.as_str()) && !name.starts_with("conformance/tidy") {
                problems.push(format!("{name} names {id}, which the spec does not have"));
            }
            if name.starts_with("reference/core/src") {
                named.insert(id);
            }
        }
    }
    for rule in spec.rules().filter(|rule| matches!(rule.checked, Checked::Vectors { .. })) {
        if !named.contains(&rule.id) && !spec.todo.contains_key(&rule.id) {
            problems.push(format!("{} has no code: its id stands above no check in reference/core", rule.id));
        }
    }
    problems
}

fn modules(folder: &Path) -> BTreeSet<String> {
    files(folder, "rs")
        .iter()
        .filter_map(|path| path.file_stem())
        .map(|name| name.to_string_lossy().into_owned())
        .collect()
}

fn folders(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_hold() {
        assert_eq!(check(&crate::root()), Vec::<String>::new());
    }

    #[test]
    fn a_missing_module_a_missing_folder_and_a_foreign_folder_are_named() {
        let spec = Spec::load(&crate::root().join("docs/spec")).unwrap();
        let all: BTreeSet<String> = spec.pages.iter().map(|page| page.step.clone()).collect();
        let without = |word: &str| all.iter().filter(|step| *step != word).cloned().collect::<BTreeSet<_>>();
        assert!(steps(&spec, &all, &all).is_empty());
        assert_eq!(
            steps(&spec, &without("seal"), &all),
            ["docs/spec/03-seal.md has no module reference/core/src/seal.rs"]
        );
        assert_eq!(
            steps(&spec, &all, &without("csr")),
            ["docs/spec/05-csr.md has no folder vectors/data/v1/csr"]
        );
        let foreign = all.iter().cloned().chain(["sealing".to_owned()]).collect();
        assert_eq!(steps(&spec, &all, &foreign), ["vectors/data/v1/sealing is no step of the spec"]);
    }
}
