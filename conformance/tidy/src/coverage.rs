//! `docs/coverage.md`: the one table that joins rule, code, cases, faults and live results.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use vectors::schema::{Case, Source, Verdict};
use vectors::spec::{Checked, Rule, Spec};

use crate::source::{commented_rules, files};

const PAGE: &str = "docs/coverage.md";
const FAULTS: &str = "conformance/shims/python";

/// What is known of the rules beside the spec, by rule id.
#[derive(Debug, Default)]
struct Joined {
    code: BTreeMap<String, Vec<String>>,
    accepts: BTreeMap<String, Vec<String>>,
    rejects: BTreeMap<String, Vec<String>>,
    faults: BTreeMap<String, Vec<String>>,
}

/// Writes the table anew.
///
/// # Errors
/// When the spec cannot be read or the page cannot be written.
pub fn write(root: &Path) -> Result<(), String> {
    std::fs::write(root.join(PAGE), render(root)?).map_err(|error| format!("{PAGE}: {error}"))
}

/// A problem when the page is not what the project gives.
#[must_use]
pub fn check(root: &Path) -> Vec<String> {
    match render(root) {
        Err(error) => vec![error],
        Ok(page) if std::fs::read_to_string(root.join(PAGE)).ok().as_deref() == Some(&page) => Vec::new(),
        Ok(_) => vec![format!("{PAGE} is out of date: run `cargo tidy coverage`")],
    }
}

fn render(root: &Path) -> Result<String, String> {
    let spec = Spec::load(&root.join("docs/spec")).map_err(|error| error.to_string())?;
    let joined = join(root, &vectors::cases::all());
    let mut page = String::from(
        "# Coverage: rule, code, cases, faults\n\nMade by `cargo tidy coverage`; a test fails when it is out of date. Cases are ids below \
         `vectors/data/v1`, those of the rule's own step without the folder; faults are the twin's. A rule without code yet says why.\n",
    );
    for step in &spec.pages {
        let _ = write!(page, "\n## [{}](spec/{})\n\n", step.step, step.file);
        page.push_str("| rule | source | checked | code | accepts | rejects | faults |\n|---|---|---|---|---|---|---|\n");
        for rule in &step.rules {
            row(&mut page, &spec, &step.step, rule, &joined);
        }
    }
    Ok(page)
}

fn row(page: &mut String, spec: &Spec, step: &str, rule: &Rule, joined: &Joined) {
    let own = format!("{step}/");
    let list = |of: &BTreeMap<String, Vec<String>>| {
        let words = of.get(&rule.id).map(Vec::as_slice).unwrap_or_default();
        words.iter().map(|word| word.strip_prefix(&own).unwrap_or(word)).collect::<Vec<_>>().join(", ")
    };
    let code = match (spec.todo.get(&rule.id), list(&joined.code)) {
        (Some(reason), code) if code.is_empty() => format!("later: {reason}"),
        (_, code) => code,
    };
    let _ = writeln!(
        page,
        "| {} | {} | {} | {} | {} | {} | {} |",
        rule.id,
        source(rule),
        checked(&rule.checked),
        code,
        list(&joined.accepts),
        list(&joined.rejects),
        list(&joined.faults),
    );
}

fn source(rule: &Rule) -> &'static str {
    let has = |source| rule.clauses.iter().any(|clause| clause.source == source);
    match (has(Source::Documented), has(Source::Chosen)) {
        (true, true) => "both",
        (true, false) => "documented",
        _ => "chosen",
    }
}

fn checked(checked: &Checked) -> String {
    match checked {
        Checked::Vectors { accept: true, reject: true } => "accept+reject".into(),
        Checked::Vectors { accept: true, .. } => "accept".into(),
        Checked::Vectors { .. } => "reject".into(),
        Checked::Live => "live".into(),
        Checked::Build(test) => format!("build: {test}"),
        Checked::Cannot(why) => format!("cannot: {why}"),
    }
}

fn join(root: &Path, cases: &[Case]) -> Joined {
    let mut joined = Joined::default();
    let core = root.join("reference/core/src");
    for file in files(&core, "rs") {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let name = file.strip_prefix(&core).unwrap_or(&file).display().to_string();
        for id in commented_rules(&text) {
            joined.code.entry(id).or_default().push(name.clone());
        }
    }
    for case in cases {
        let side = if case.verdict == Verdict::Accept { &mut joined.accepts } else { &mut joined.rejects };
        for rule in &case.rules {
            side.entry(rule.clone()).or_default().push(case.id.clone());
        }
    }
    for file in
        files(&root.join(FAULTS), "py").into_iter().filter(|file| file.parent() == Some(&root.join(FAULTS)))
    {
        for (name, rule) in declared_faults(&std::fs::read_to_string(&file).unwrap_or_default()) {
            joined.faults.entry(rule).or_default().push(name);
        }
    }
    joined
}

/// The faults a Python source declares, one a line: `@fault("name", "RULE-1", "what")`.
#[must_use]
pub fn declared_faults(source: &str) -> Vec<(String, String)> {
    let texts = |line: &str| line.split('"').skip(1).step_by(2).map(String::from).collect::<Vec<_>>();
    source
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("@fault("))
        .filter_map(|line| match texts(line).as_slice() {
            [name, rule, ..] => Some((name.clone(), rule.clone())),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_up_to_date() {
        assert_eq!(check(&crate::root()), Vec::<String>::new());
    }

    #[test]
    fn a_declared_fault_is_read_with_its_rule() {
        let source = "@fault(\"iat-skipped\", \"SEAL-4\", \"no window\")\ndef f(): ...\n# @fault(\"x\")\n";
        assert_eq!(declared_faults(source), [("iat-skipped".to_owned(), "SEAL-4".to_owned())]);
    }
}
