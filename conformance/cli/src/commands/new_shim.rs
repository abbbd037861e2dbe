//! `new-shim`: writes the skeleton of a shim.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use conformance::report::Exit;

use super::print;
use crate::args::{Lang, NewShim};
use crate::failure::Failure;

/// A file's name and what it holds, as it stands under `conformance/shims/templates`.
type Template = (&'static str, &'static str);

macro_rules! templates {
    ($folder:literal: $($name:literal),+) => {
        &[$(($name, include_str!(concat!("../../../shims/templates/", $folder, "/", $name)))),+]
    };
}

const PYTHON: &[Template] = templates!("python": "shim.py", "jc.py", "README.md");
const GO: &[Template] = templates!("go": "main.go", "jc.go", "go.mod", "README.md", ".gitignore");
const TS: &[Template] = templates!("ts": "shim.mjs", "jc.mjs", "tsconfig.json", "README.md");

pub(crate) fn run(arguments: &NewShim) -> Result<Exit, Failure> {
    let folder = &arguments.dir;
    let name = folder.to_str().ok_or_else(|| {
        Failure::usage(format!("{}: the folder's name is not UTF-8: name another", folder.display()))
    })?;
    check_empty(folder)?;
    fs::create_dir_all(folder).map_err(|error| Failure::file(folder, error))?;
    let templates = match arguments.lang {
        Lang::Python => PYTHON,
        Lang::Go => GO,
        Lang::Ts => TS,
    };
    for (file, text) in templates {
        let path = folder.join(file);
        let written = File::create_new(&path).and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|error| Failure::file(&path, error))?;
    }
    let files: Vec<&str> = templates.iter().map(|(file, _)| *file).collect();
    print(format!("Wrote {} into {name}. Next:\n\n", files.join(", ")));
    print(next(arguments.lang, name));
    print("\nThe example op, token.parse, passes its cases; README.md there says how to go on.\n");
    Ok(Exit::AsExpected)
}

/// Only what is not there, or is an empty folder, is written into.
fn check_empty(folder: &Path) -> Result<(), Failure> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Failure::usage(format!("{}: {error}: {INSTEAD}", folder.display()))),
    };
    let first = entries.flatten().map(|entry| entry.file_name()).min();
    first.map_or(Ok(()), |first| {
        let (folder, first) = (folder.display(), first.to_string_lossy());
        Err(Failure::usage(format!("{folder} is not empty, {first} is in it: {INSTEAD}")))
    })
}

const INSTEAD: &str = "name a new or an empty folder (nothing was written)";

/// The commands to run next, a line each, as a shell takes them.
fn next(lang: Lang, folder: &str) -> String {
    // A name that begins with a dash would be read as an option.
    let folder = if folder.starts_with('-') { format!("./{folder}") } else { folder.to_owned() };
    let file = |name: &str| quoted(&Path::new(&folder).join(name).to_string_lossy());
    let (build, shim) = match lang {
        Lang::Python => (None, format!("python3 {}", file("shim.py"))),
        Lang::Go => (Some(format!("(cd {} && go build -o shim .)", quoted(&folder))), file("shim")),
        Lang::Ts => (None, format!("node {}", file("shim.mjs"))),
    };
    let judge = ["doctor", "run"].map(|command| format!("cargo conformance {command} -- {shim}"));
    build.into_iter().chain(judge).map(|line| format!("    {line}\n")).collect()
}

/// One word of a POSIX shell.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+,:@%=".contains(letter);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_quoted_where_a_shell_would_take_it_apart() {
        assert_eq!(quoted("a/b-c_1.py"), "a/b-c_1.py");
        assert_eq!(quoted("it's a $HOME"), r"'it'\''s a $HOME'");
        assert_eq!(quoted("~"), "'~'");
        assert!(next(Lang::Python, "-c").contains("python3 ./-c/shim.py"));
    }
}
