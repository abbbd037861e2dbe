//! The spec as packed by the build: rules with their clauses, and the step of every reason.

use std::collections::BTreeMap;

use vectors::spec::{Checked, Page, Rule, parse_page};

/// The pages as packed by the build: file name and text; and `todo.toml`.
static PAGES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/spec.rs"));

/// The page with the tables of reasons.
const REFUSAL_PAGE: &str = "13-refusal.md";

/// The spec's rules and words.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The pages in order.
    pub pages: Vec<Page>,
    /// The step of each reason.
    pub steps: BTreeMap<String, String>,
    /// Rules without all their cases, each with its reason.
    pub todo: BTreeMap<String, String>,
}

impl Spec {
    /// The embedded spec.
    ///
    /// # Errors
    /// The file and line that break the page format: the build packed a broken page.
    pub fn embedded() -> Result<Self, String> {
        let texts: Vec<(&str, &str)> = PAGES
            .iter()
            .map(|(file, bytes)| (*file, std::str::from_utf8(bytes).unwrap_or_default()))
            .collect();
        Self::parse(&texts)
    }

    /// A spec from its files: name and text.
    ///
    /// # Errors
    /// As [`Self::embedded`].
    pub fn parse(texts: &[(&str, &str)]) -> Result<Self, String> {
        let text_of = |name: &str| texts.iter().find(|(file, _)| *file == name).map(|(_, text)| *text);
        let pages = texts
            .iter()
            .filter(|(file, _)| file.ends_with(".md") && !file.starts_with("00-"))
            .map(|(file, text)| parse_page(file, text).map_err(|error| error.to_string()))
            .collect::<Result<_, _>>()?;
        let todo = text_of("todo.toml").map(read_todo).transpose()?.unwrap_or_default();
        Ok(Self { pages, steps: reason_steps(text_of(REFUSAL_PAGE).unwrap_or_default()), todo })
    }

    /// Every rule, in the order of the pages.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.pages.iter().flat_map(|page| &page.rules)
    }

    /// A rule by its id.
    #[must_use]
    pub fn rule(&self, id: &str) -> Option<&Rule> {
        self.rules().find(|rule| rule.id == id)
    }
}

/// The sides that a rule's cases must show; none when it is not checked by vectors.
#[must_use]
pub const fn sides(rule: &Rule) -> Option<(bool, bool)> {
    match rule.checked {
        Checked::Vectors { accept, reject } => Some((accept, reject)),
        Checked::Live | Checked::Build(_) | Checked::Cannot(_) => None,
    }
}

/// The first two columns of the tables headed `reason` or `word`.
fn reason_steps(page: &str) -> BTreeMap<String, String> {
    page.lines()
        .filter_map(|line| {
            let mut cells = line.trim().strip_prefix('|')?.split('|').map(str::trim);
            let word = cells.next()?.strip_prefix('`')?.strip_suffix('`')?;
            let step = cells.next()?;
            let is_step = step
                .bytes()
                .all(|octet| octet.is_ascii_lowercase() || octet == b'_' || octet.is_ascii_digit());
            is_step.then(|| (word.into(), step.into()))
        })
        .collect()
}

fn read_todo(text: &str) -> Result<BTreeMap<String, String>, String> {
    #[derive(serde::Deserialize)]
    struct File {
        #[serde(default)]
        todo: Vec<Entry>,
    }
    #[derive(serde::Deserialize)]
    struct Entry {
        rule: String,
        reason: String,
    }
    let file: File = toml::from_str(text).map_err(|error| format!("todo.toml: {error}"))?;
    Ok(file.todo.into_iter().map(|entry| (entry.rule, entry.reason)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_step_of_a_reason_is_the_one_of_the_closed_tables() {
        let spec = Spec::embedded().unwrap();
        for (reason, step) in [
            ("seal-csr", "seal"),
            ("role-invalid", "token"),
            ("placeholder-hardware", "hardware_key"),
            ("pin-mismatch", "config"),
            ("document", "wellknown"),
            ("response-san", "response"),
        ] {
            assert_eq!(spec.steps.get(reason).map(String::as_str), Some(step), "{reason}");
        }
    }

    #[test]
    fn rules_are_found_by_id_with_their_sides() {
        let spec = Spec::embedded().unwrap();
        assert_eq!(spec.rule("SEAL-6").and_then(sides), Some((false, true)));
        assert_eq!(spec.rule("SEAL-10").map(sides), Some(None));
        assert!(spec.rule("SEAL-99").is_none());
    }
}
