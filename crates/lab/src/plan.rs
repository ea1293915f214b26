//! Plans: programs for an experiment, a line each, as arguments of `evergreen explore`.
//!
//! ```text
//! # Utilities
//! wc: wc/v2/wc.c --sym-args 0 1 2 --sym-stdin 4
//! tr: tr/v2/tr.c --arg 'a b' --sym-arg 2 --sym-stdin 3
//! ```
//! Words are split as a shell splits them, with quotes and nothing else. Files are found from the folder of
//! the plan, which is the working folder of each run.

use std::path::{Path, PathBuf};

/// A program of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Planned {
    /// Its name in tables.
    pub name: String,
    /// What `explore` is called with.
    pub words: Vec<String>,
}

/// A plan, and where its files are.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The working folder.
    pub folder: PathBuf,
    /// In the order of the lines.
    pub programs: Vec<Planned>,
}

impl Plan {
    /// Reads a plan, and keeps the programs that are named; all if none is.
    ///
    /// # Errors
    /// The file cannot be read, a line is wrong, or a name is not in the plan.
    pub(crate) fn read(file: &Path, only: &[String]) -> Result<Plan, String> {
        let shown = file.display();
        let text = std::fs::read_to_string(file).map_err(|e| format!("{shown}: {e}"))?;
        let mut programs = parse(&text).map_err(|(line, what)| format!("{shown}:{line}: {what}"))?;
        if let Some(name) = only.iter().find(|name| programs.iter().all(|program| program.name != **name)) {
            let names: Vec<&str> = programs.iter().map(|program| program.name.as_str()).collect();
            return Err(format!("{shown}: no program '{name}'\nhelp: it has {}", names.join(", ")));
        }
        programs.retain(|program| only.is_empty() || only.contains(&program.name));
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).to_path_buf();
        Ok(Plan { folder, programs })
    }
}

fn parse(text: &str) -> Result<Vec<Planned>, (usize, String)> {
    let mut programs: Vec<Planned> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let wrong = |what: &str| (number, what.to_string());
        let (name, rest) = line.split_once(':').ok_or_else(|| wrong("no colon behind the name"))?;
        let (name, words) = (name.trim().to_string(), split(rest).map_err(wrong)?);
        if name.is_empty() || words.is_empty() {
            return Err(wrong("a name and what to explore are needed: NAME: FILE FLAGS"));
        }
        if programs.iter().any(|program| program.name == name) {
            return Err((number, format!("a second '{name}'")));
        }
        programs.push(Planned { name, words });
    }
    Ok(programs)
}

/// Words between spaces; quotes of either kind keep spaces and the other kind.
pub(crate) fn split(text: &str) -> Result<Vec<String>, &'static str> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    if quote.is_some() { Err("a quote is not closed") } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_has_a_line_for_each_program() {
        let text = "# all\n\n a: x.c  --arg 'b c' --arg ''\nb : y.wasm --arg \"it's\"\n";
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_string()).collect::<Vec<_>>();
        let expected = vec![
            Planned { name: "a".into(), words: words(&["x.c", "--arg", "b c", "--arg", ""]) },
            Planned { name: "b".into(), words: words(&["y.wasm", "--arg", "it's"]) },
        ];
        assert_eq!(parse(text), Ok(expected));
    }

    #[test]
    fn wrong_lines_are_named() {
        let error = |text: &str| parse(text).unwrap_err();
        assert_eq!(error("a: x.c\nb y.c"), (2, "no colon behind the name".into()));
        assert_eq!(error("a: 'x.c"), (1, "a quote is not closed".into()));
        assert_eq!(error("a: x.c\n\na: y.c"), (3, "a second 'a'".into()));
        assert_eq!(error("a:").0, 1);
        assert_eq!(error(": x.c").0, 1);
    }
}
