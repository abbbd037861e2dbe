//! Documents: one H1 each, links that lead somewhere, source files of a size that one can read.

use std::path::Path;

use crate::source::files;

/// The longest source file, in lines.
const FILE_LINES_MAX: usize = 500;

/// The problems in the checkout at `root`.
#[must_use]
pub fn check(root: &Path) -> Vec<String> {
    let mut problems = Vec::new();
    for path in files(root, "md") {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        problems.extend(headings(&name, &text));
        let folder = path.parent().unwrap_or(root);
        problems.extend(links(&name, &text, |target| folder.join(target).exists()));
    }
    for path in ["rs", "py"].iter().flat_map(|extension| files(root, extension)) {
        let lines = std::fs::read_to_string(&path).unwrap_or_default().lines().count();
        if lines > FILE_LINES_MAX {
            let name = path.strip_prefix(root).unwrap_or(&path).display();
            problems.push(format!(
                "{name} has {lines} lines, more than {FILE_LINES_MAX}: does one idea live here?"
            ));
        }
    }
    problems
}

/// A document has one H1.
#[must_use]
pub fn headings(name: &str, text: &str) -> Vec<String> {
    let count = prose(text).filter(|line| line.starts_with("# ")).count();
    if count == 1 { Vec::new() } else { vec![format!("{name} has {count} H1 headings, not one")] }
}

/// A relative link leads to a file or folder; `exists` is asked for each target.
#[must_use]
pub fn links(name: &str, text: &str, exists: impl Fn(&str) -> bool) -> Vec<String> {
    prose(text)
        .flat_map(|line| line.split("](").skip(1))
        .filter_map(|rest| rest.split([')', '#']).next())
        .filter(|target| !target.is_empty() && !target.contains("://") && !exists(target))
        .map(|target| format!("{name} links to {target}, which is not there"))
        .collect()
}

/// The lines outside fenced code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documents_hold() {
        assert_eq!(check(&crate::root()), Vec::<String>::new());
    }

    #[test]
    fn two_headings_and_a_dead_link_are_named() {
        assert_eq!(headings("a.md", "# A\n```\n# not one\n```\n# B\n"), ["a.md has 2 H1 headings, not one"]);
        let text = "[x](there.md#part) [y](gone.md) [z](https://example.org)\n";
        assert_eq!(
            links("a.md", text, |target| target == "there.md"),
            ["a.md links to gone.md, which is not there"]
        );
    }
}
