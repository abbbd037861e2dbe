//! Reads the spec's pages: the rules with their clauses and checks, the named choices, the closed tables of reasons,
//! and the list of what has no case yet.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::schema::Source;
use crate::testkit::keys::hash;

mod page;

pub use page::{parse_page, rule_prefix};

/// The page with the tables of reasons.
const REFUSAL_PAGE: &str = "13-refusal.md";

/// The whole spec.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spec {
    /// The pages of the steps, in the order of their names.
    pub pages: Vec<Page>,
    /// The closed tables of reasons, by word.
    pub reasons: BTreeSet<String>,
    /// Rules without (all) their cases, by rule id, each with its reason.
    pub todo: BTreeMap<String, String>,
    /// SHA-256 in hex over the pages, one after the other, in the order of their names.
    pub sha256: String,
}

/// One page: one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// `02-token.md`.
    pub file: String,
    /// `token`.
    pub step: String,
    /// What the page's H1 says after the step's capitals.
    pub title: String,
    /// The rules, in the page's order.
    pub rules: Vec<Rule>,
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// `TOKEN-3`.
    pub id: String,
    /// Its clauses.
    pub clauses: Vec<Clause>,
    /// How it is checked.
    pub checked: Checked,
    /// The line of its heading, from 1.
    pub line: usize,
}

/// One bullet of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Documented or chosen.
    pub source: Source,
    /// The text after the mark, on one line.
    pub text: String,
    /// The named choice that it states.
    pub choice: Option<Choice>,
}

/// A named choice; the first value is the default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// `seal.resend`.
    pub name: String,
    /// The values.
    pub values: Vec<String>,
}

/// How a rule is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checked {
    /// By vectors, on these sides.
    Vectors {
        /// A case that accepts is due.
        accept: bool,
        /// A case that rejects is due.
        reject: bool,
    },
    /// Only a live program shows it.
    Live,
    /// By a test of the code's structure, of this name.
    Build(String),
    /// No test can show it, and why.
    Cannot(String),
}

/// Why the spec cannot be read. The file and line are in the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SpecError(pub String);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TodoFile {
    #[serde(default)]
    todo: Vec<Todo>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Todo {
    rule: String,
    reason: String,
}

impl Spec {
    /// Where this checkout keeps the spec.
    #[must_use]
    pub fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/spec")
    }

    /// Reads every page of a folder, and its `todo.toml`.
    ///
    /// # Errors
    /// When a file cannot be read or breaks the page format.
    pub fn load(folder: &Path) -> Result<Self, SpecError> {
        let texts = read_pages(folder)?;
        let mut spec = Self { sha256: sha256(texts.values()), ..Self::default() };
        for (file, text) in &texts {
            if !file.starts_with("00-") {
                spec.pages.push(parse_page(file, text)?);
            }
            if file == REFUSAL_PAGE {
                spec.reasons = page::reasons(text);
            }
        }
        let todo = folder.join("todo.toml");
        if todo.exists() {
            spec.todo = parse_todo(&read(&todo)?)?;
        }
        Ok(spec)
    }

    /// Every rule, in the order of the pages.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.pages.iter().flat_map(|page| &page.rules)
    }

    /// Every named choice.
    pub fn choices(&self) -> impl Iterator<Item = &Choice> {
        self.rules().flat_map(|rule| &rule.clauses).filter_map(|clause| clause.choice.as_ref())
    }
}

/// SHA-256 in hex over the pages of a folder in the order of their names.
///
/// # Errors
/// When a page cannot be read.
pub fn folder_sha256(folder: &Path) -> Result<String, SpecError> {
    Ok(sha256(read_pages(folder)?.values()))
}

fn sha256<'t>(texts: impl Iterator<Item = &'t String>) -> String {
    hex::encode(hash(texts.cloned().collect::<String>()))
}

fn parse_todo(text: &str) -> Result<BTreeMap<String, String>, SpecError> {
    let file: TodoFile = toml::from_str(text).map_err(|error| SpecError(format!("todo.toml: {error}")))?;
    let mut todo = BTreeMap::new();
    for entry in file.todo {
        if todo.insert(entry.rule.clone(), entry.reason).is_some() {
            return Err(SpecError(format!("todo.toml: {} stands there twice", entry.rule)));
        }
    }
    Ok(todo)
}

fn read_pages(folder: &Path) -> Result<BTreeMap<String, String>, SpecError> {
    let io = |error: std::io::Error| SpecError(format!("{}: {error}", folder.display()));
    let mut texts = BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        if path.extension().is_some_and(|extension| extension == "md") {
            let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            texts.insert(file, read(&path)?);
        }
    }
    Ok(texts)
}

fn read(path: &Path) -> Result<String, SpecError> {
    std::fs::read_to_string(path).map_err(|error| SpecError(format!("{}: {error}", path.display())))
}
