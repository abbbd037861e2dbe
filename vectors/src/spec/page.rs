//! The page format: one H1, `## Rules`, `### <STEP>-<n>`, bullets marked **[D]** or **[C]**, and a `Checked:` line.

use std::collections::BTreeSet;

use super::{Checked, Choice, Clause, Page, Rule, SpecError};
use crate::schema::Source;

/// Reads one page. `file` is its name, `NN-<step>.md`.
///
/// # Errors
/// When the page breaks the format; file and line are named.
pub fn parse_page(file: &str, text: &str) -> Result<Page, SpecError> {
    let at = |line: usize, what: &str| SpecError(format!("{file}:{}: {what}", line + 1));
    let step = file
        .strip_suffix(".md")
        .and_then(|name| name.split_once('-'))
        .map(|(_, step)| step)
        .ok_or_else(|| at(0, "a page is called NN-<step>.md"))?;
    let capitals = rule_prefix(step);
    let heading = text.lines().next().unwrap_or_default();
    let title = heading
        .strip_prefix(&format!("# {capitals}: "))
        .ok_or_else(|| at(0, &format!("the H1 must be `# {capitals}: ...`")))?;
    let mut rules = Vec::new();
    for (start, block) in blocks(text) {
        let rule = parse_rule(start, &block).map_err(|(line, what)| at(line, &what))?;
        if rule.id.strip_prefix(&capitals).and_then(|rest| rest.strip_prefix('-')).is_none() {
            return Err(at(start, &format!("{} is no rule of {step}", rule.id)));
        }
        rules.push(rule);
    }
    Ok(Page { file: file.into(), step: step.into(), title: title.into(), rules })
}

/// `hardware_key` to `HARDWARE-KEY`: the beginning of the ids of a step's rules.
#[must_use]
pub fn rule_prefix(step: &str) -> String {
    step.to_ascii_uppercase().replace('_', "-")
}

/// The reasons of the closed tables: the words in code type of each table column that is headed `word` or `reason`.
#[must_use]
pub(crate) fn reasons(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let mut column = None;
    for line in text.lines() {
        if !line.starts_with('|') {
            column = None;
            continue;
        }
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        match column {
            None => column = Some(cells.iter().position(|&cell| cell == "word" || cell == "reason")),
            Some(Some(index)) => {
                let cell = cells.get(index).copied().unwrap_or_default();
                words.extend(cell.split('`').skip(1).step_by(2).map(String::from));
            }
            Some(None) => {}
        }
    }
    words
}

/// The lines of each rule, with the number of its heading's line from 0.
fn blocks(text: &str) -> Vec<(usize, Vec<&str>)> {
    let mut blocks: Vec<(usize, Vec<&str>)> = Vec::new();
    let mut inside = false;
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("### ") {
            inside = true;
            blocks.push((number, vec![line]));
        } else if line.starts_with("## ") {
            inside = false;
        } else if inside && let Some((_, block)) = blocks.last_mut() {
            block.push(line);
        }
    }
    blocks
}

fn parse_rule(start: usize, block: &[&str]) -> Result<Rule, (usize, String)> {
    let (heading, body) = block.split_first().ok_or((start, "no heading".to_owned()))?;
    let id = heading.trim_start_matches("### ").trim();
    let (mut clauses, mut checked): (Vec<Clause>, Option<String>) = (Vec::new(), None);
    // What a blank line has ended is not continued: tables and prose may follow a rule.
    let mut open = false;
    for (offset, line) in body.iter().enumerate() {
        let number = start + 1 + offset;
        if let Some(text) = line.strip_prefix("- **[") {
            open = true;
            clauses.push(parse_clause(text).ok_or((number, "a clause is marked [D] or [C]".to_owned()))?);
        } else if line.starts_with("- ") {
            return Err((number, "a clause without a mark".into()));
        } else if let Some(text) = line.strip_prefix("Checked: ") {
            open = true;
            checked = Some(text.trim().into());
        } else if line.trim().is_empty() {
            open = false;
        } else if !open {
            continue;
        } else if let Some(text) = checked.as_mut() {
            *text = format!("{text} {}", line.trim());
        } else if let Some(clause) = clauses.last_mut() {
            clause.text = format!("{} {}", clause.text, line.trim());
        }
    }
    for clause in &mut clauses {
        clause.choice = parse_choice(&clause.text);
    }
    let checked = checked.ok_or((start, format!("{id} has no Checked: line")))?;
    let checked = parse_checked(&checked).ok_or((start, format!("{id}: Checked: {checked}")))?;
    Ok(Rule { id: id.into(), clauses, checked, line: start + 1 })
}

fn parse_clause(text: &str) -> Option<Clause> {
    let (mark, text) = text.split_once("]** ")?;
    let source = match mark {
        "D" => Source::Documented,
        "C" => Source::Chosen,
        _ => return None,
    };
    Some(Clause { source, text: text.trim().into(), choice: None })
}

/// `` `choice: name` a | b ``, the values up to the end of the clause or its sentence.
fn parse_choice(text: &str) -> Option<Choice> {
    let (_, rest) = text.split_once("`choice: ")?;
    let (name, rest) = rest.split_once('`')?;
    let sentence = rest.split(['.', ';', ':', '(']).next()?;
    let values = sentence.split('|').map(|value| value.trim().trim_matches('`').to_owned()).collect();
    Some(Choice { name: name.into(), values })
}

fn parse_checked(text: &str) -> Option<Checked> {
    let (word, rest) = text.split_once(':').map_or((text, ""), |(word, rest)| (word, rest.trim()));
    match word.trim_end_matches('.') {
        "accept+reject" => Some(Checked::Vectors { accept: true, reject: true }),
        "accept" => Some(Checked::Vectors { accept: true, reject: false }),
        "reject" => Some(Checked::Vectors { accept: false, reject: true }),
        "live" => Some(Checked::Live),
        "build" if !rest.is_empty() => Some(Checked::Build(rest.trim_matches('`').into())),
        "cannot" if !rest.is_empty() => Some(Checked::Cannot(rest.into())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# SEAL: how\n\n## Rules\n\n### SEAL-1\n- **[D]** One\n  more.\n- **[C]** `choice: seal.x` a | b\n\n\
        Checked: accept+reject\n\n### SEAL-2\n- **[C]** Two.\n\nChecked: cannot: because\n  of time\n\n## Why\n- free\n";

    #[test]
    fn a_page_is_read_whole() {
        let page = parse_page("03-seal.md", PAGE).unwrap();
        assert_eq!((page.step.as_str(), page.title.as_str()), ("seal", "how"));
        let [one, two] = page.rules.as_slice() else { panic!("two rules") };
        assert_eq!((one.id.as_str(), one.line, one.clauses.len()), ("SEAL-1", 5, 2));
        assert_eq!((one.clauses[0].source, one.clauses[0].text.as_str()), (Source::Documented, "One more."));
        let choice = one.clauses[1].choice.clone().unwrap();
        assert_eq!((choice.name, choice.values), ("seal.x".into(), vec!["a".into(), "b".into()]));
        assert_eq!(one.checked, Checked::Vectors { accept: true, reject: true });
        assert_eq!(two.checked, Checked::Cannot("because of time".into()));
    }

    #[test]
    fn what_breaks_the_format_is_refused_with_its_line() {
        for (from, to, line) in [
            ("# SEAL: how", "# TOKEN: how", ":1:"),
            ("### SEAL-2", "### TOKEN-2", ":12:"),
            ("- **[C]** Two.", "- Two.", ":13:"),
            ("- **[C]** Two.", "- **[X]** Two.", ":13:"),
            ("Checked: accept+reject\n", "\n", ":5:"),
            ("accept+reject", "perhaps", ":5:"),
        ] {
            let error = parse_page("03-seal.md", &PAGE.replace(from, to)).unwrap_err();
            assert!(error.0.contains(line), "{to}: {error}");
        }
    }

    #[test]
    fn reasons_are_the_words_of_the_tables() {
        let text = "`not` this\n\n| order | word | step |\n|---|---|---|\n| 1 | `seal` | `x` |\n| 2 | `seal-key` | |\n\n\
            | word | step |\n|---|---|\n| `document` | y |\n\n| other |\n|---|\n| `no` |\n";
        assert_eq!(reasons(text), ["document", "seal", "seal-key"].map(String::from).into());
    }
}
