//! `expect.toml`: failures that are known, each bound to what was seen, why, where it is tracked, and until when.
//!
//! An entry that no longer tells the truth is stale, and a stale entry fails the run: it passes now, fails in another
//! way, was not run, matches nothing, has expired, or was written for other vectors.

use serde::{Deserialize, Serialize};

use crate::outcome::{CaseResult, Outcome};
use crate::select::glob;
use crate::suite::Suite;

/// The most cases that one glob may excuse.
pub const GLOB_MOST: usize = 20;

/// The whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectations {
    /// The entries.
    #[serde(default)]
    pub expect: Vec<Entry>,
}

/// One entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// A case's id, or a glob that hits at most 20.
    pub case: String,
    /// The outcome that was seen.
    pub outcome: Outcome,
    /// The reason that the subject gave, when it rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cat: Option<String>,
    /// Why it is so.
    pub reason: String,
    /// Where it is tracked.
    pub link: String,
    /// The last day of the excuse, `YYYY-MM-DD`.
    pub expires: String,
    /// The digest of the manifest for which it was written.
    pub manifest: String,
}

/// What the expectations say of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// The failing cases that are excused, each with the entry's reason.
    pub excused: Vec<(String, String)>,
    /// What is stale, in words.
    pub stale: Vec<String>,
}

impl Expectations {
    /// Reads the file.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        for entry in &file.expect {
            let blank = [&entry.reason, &entry.link].into_iter().any(|text| text.trim().is_empty());
            if blank || entry.outcome == Outcome::Pass || !is_day(&entry.expires) {
                return Err(format!(
                    "{}: an entry has a reason, a link, a day YYYY-MM-DD, and an outcome other than pass",
                    entry.case
                ));
            }
        }
        Ok(file)
    }

    /// Compares the entries with the results. `today` is `YYYY-MM-DD`.
    #[must_use]
    pub fn check(&self, suite: &Suite, results: &[CaseResult], today: &str) -> Checked {
        let mut checked = Checked::default();
        for entry in &self.expect {
            match entry.whole(suite, today) {
                Ok(ids) => entry.compare(&ids, results, &mut checked),
                Err(stale) => checked.stale.push(stale),
            }
        }
        checked
    }

    /// The entries for what fails now; those that are still right keep their words.
    #[must_use]
    pub fn updated(&self, results: &[CaseResult], manifest: &str, words: &Words<'_>) -> Self {
        let failing = results.iter().filter(|result| !result.is_fine());
        let entry = |result: &CaseResult| {
            let old = self.expect.iter().find(|entry| entry.case == result.id && entry.saw(result));
            let (reason, link, expires) = old.map_or((words.reason, words.link, words.expires), |old| {
                (&old.reason, &old.link, &old.expires)
            });
            Entry {
                case: result.id.clone(),
                outcome: result.verdict.outcome,
                cat: result.verdict.cat.clone(),
                reason: reason.into(),
                link: link.into(),
                expires: expires.into(),
                manifest: manifest.into(),
            }
        };
        Self { expect: failing.map(entry).collect() }
    }

    /// The file's text.
    ///
    /// # Errors
    /// When it cannot be written as TOML.
    pub fn to_text(&self) -> Result<String, String> {
        toml::to_string(self).map_err(|error| error.to_string())
    }
}

/// The words of new entries.
#[derive(Clone, Copy, Debug)]
pub struct Words<'a> {
    /// Why.
    pub reason: &'a str,
    /// Where it is tracked.
    pub link: &'a str,
    /// The last day.
    pub expires: &'a str,
}

impl Entry {
    /// The cases that the entry is about, if it is an entry at all.
    fn whole<'s>(&self, suite: &'s Suite, today: &str) -> Result<Vec<&'s str>, String> {
        let stale = |what: &str| Err(format!("{}: {what}", self.case));
        if self.manifest != suite.digest {
            return stale("written for other vectors");
        }
        if today > self.expires.as_str() {
            return stale(&format!("expired on {}", self.expires));
        }
        let ids: Vec<&str> =
            suite.cases.iter().map(|case| case.id.as_str()).filter(|id| glob(&self.case, id)).collect();
        match ids.len() {
            0 => stale("matches no case"),
            1..=GLOB_MOST => Ok(ids),
            hits => stale(&format!("matches {hits} cases, over {GLOB_MOST}")),
        }
    }

    fn compare(&self, ids: &[&str], results: &[CaseResult], checked: &mut Checked) {
        for result in results.iter().filter(|result| ids.contains(&result.id.as_str())) {
            if self.saw(result) {
                checked.excused.push((result.id.clone(), self.reason.clone()));
            } else {
                let cat =
                    |cat: &Option<String>| cat.as_ref().map(|cat| format!(" ({cat})")).unwrap_or_default();
                checked.stale.push(format!(
                    "{}: is {}{} now, not {}{}",
                    result.id,
                    result.verdict.outcome,
                    cat(&result.verdict.cat),
                    self.outcome,
                    cat(&self.cat),
                ));
            }
        }
    }

    fn saw(&self, result: &CaseResult) -> bool {
        self.outcome == result.verdict.outcome && self.cat == result.verdict.cat
    }
}

/// `YYYY-MM-DD`, so that days compare as texts do.
#[must_use]
pub fn is_day(text: &str) -> bool {
    text.parse::<jiff::civil::Date>().is_ok() && text.len() == 10
}
