//! The documents as data: fenced blocks, links, anchors, and the commands that a page shows, compared with a
//! program's own help.

use crate::tools::repository;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The pages of the manual, relative to the repository and sorted: every Markdown file below `docs`.
///
/// # Panics
/// If the folder cannot be read.
pub fn pages() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![PathBuf::from("docs")];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(repository().join(&folder)).expect("the folder of the manual") {
            let path = folder.join(entry.expect("an entry").file_name());
            if repository().join(&path).is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The text of a document, named relative to the repository.
///
/// # Panics
/// If it cannot be read.
pub fn read(page: &Path) -> String {
    std::fs::read_to_string(repository().join(page)).unwrap_or_else(|e| panic!("{}: {e}", page.display()))
}

/// A fenced block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// What stands behind the fence: `console`, `sh`, `java` or nothing.
    pub language: String,
    /// The number of its first line, from 1.
    pub line: usize,
    /// Its lines.
    pub lines: Vec<String>,
}

/// The fenced blocks of a page, and the page with their lines emptied.
pub fn blocks(page: &str) -> (Vec<Block>, String) {
    let (mut found, mut prose) = (Vec::new(), String::new());
    let mut open: Option<Block> = None;
    for (number, line) in page.lines().enumerate() {
        let fence = line.trim_start().strip_prefix("```");
        match (&mut open, fence) {
            (None, Some(language)) => {
                let language = language.trim().to_string();
                open = Some(Block { language, line: number + 2, lines: Vec::new() });
            }
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(block), None) => block.lines.push(line.to_string()),
            (None, None) => prose.push_str(line),
        }
        prose.push('\n');
    }
    found.extend(open);
    (found, prose)
}

/// A command of a `console` block and the output that is shown below it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The number of its line in the page.
    pub line: usize,
    /// The command, behind `$ `; lines that end with a backslash are joined.
    pub command: String,
    /// The output that is shown.
    pub output: Vec<String>,
}

/// The steps of a `console` block.
pub fn steps(block: &Block) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut goes_on = false;
    for (number, text) in block.lines.iter().enumerate() {
        let last = steps.last_mut();
        match (last, text.strip_prefix("$ ")) {
            (Some(last), _) if goes_on => {
                last.command.truncate(last.command.len() - 1);
                last.command.push_str(text.trim_start());
            }
            (_, Some(command)) => {
                steps.push(Step {
                    line: block.line + number,
                    command: command.to_string(),
                    output: Vec::new(),
                });
            }
            (Some(last), None) => last.output.push(text.clone()),
            (None, None) => {}
        }
        goes_on = steps.last().is_some_and(|step| step.output.is_empty() && step.command.ends_with('\\'));
    }
    steps
}

/// Whether a program printed what is shown. Numbers before `ms` and `s` may be any; a line `...` stands for
/// any lines, and ` ...` at the end of a line for the rest of it.
pub fn is_shown(shown: &[String], printed: &[&str]) -> bool {
    let Some((first, rest)) = shown.split_first() else { return printed.is_empty() };
    if first.trim() == "..." {
        return (0..=printed.len()).any(|skipped| is_shown(rest, &printed[skipped..]));
    }
    let Some((line, others)) = printed.split_first() else { return false };
    let line = without_times(line);
    let fits = match first.strip_suffix(" ...") {
        Some(start) => line.starts_with(&without_times(start)),
        None => line == without_times(first),
    };
    fits && is_shown(rest, others)
}

/// A line with `_` in place of every number that a unit of time follows.
fn without_times(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let is_unit = |word: Option<&&str>| {
        word.is_some_and(|word| matches!(word.trim_end_matches([',', ';', ')']), "ms" | "s" | "µs"))
    };
    let is_number = |word: &str| word.parse::<f64>().is_ok();
    let masked = words
        .iter()
        .enumerate()
        .map(|(i, word)| if is_number(word) && is_unit(words.get(i + 1)) { "_" } else { *word });
    masked.collect::<Vec<_>>().join(" ").trim_end().to_string()
}

/// The relative links of a page, with the number of the line.
pub fn links(page: &str) -> Vec<(usize, String)> {
    let (_, prose) = blocks(page);
    let mut found = Vec::new();
    for (number, line) in prose.lines().enumerate() {
        let mut rest = without_code(line);
        while let Some(at) = rest.find("](") {
            let target: String = rest[at + 2..].chars().take_while(|c| *c != ')').collect();
            if !target.contains("://") {
                found.push((number + 1, target));
            }
            rest = rest[at + 2..].to_string();
        }
    }
    found
}

/// A line without its inline code, in which brackets mean nothing.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("")
}

/// The anchors that headings of a page make, as mdBook and code hosts have them.
pub fn anchors(page: &str) -> BTreeSet<String> {
    let (_, prose) = blocks(page);
    let headings = prose.lines().filter_map(|line| {
        let text = line.trim_start_matches('#');
        (text.len() < line.len()).then(|| text.trim())
    });
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut found = BTreeSet::new();
    for heading in headings {
        let kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
        let anchor = heading.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-");
        let times = seen.entry(anchor.clone()).or_insert(0);
        found.insert(if *times == 0 { anchor } else { format!("{anchor}-{times}") });
        *times += 1;
    }
    found
}

/// A command that a page shows: the words behind the program's name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// The number of its line in the page; of inline code that of the line where it ends.
    pub line: usize,
    /// The words, without quotes.
    pub words: Vec<String>,
}

/// The commands of `program` on a page: in `console` and `sh` blocks, in other blocks behind a prompt, and in
/// inline code.
pub fn commands(page: &str, program: &str) -> Vec<Shown> {
    let (blocks, prose) = blocks(page);
    let mut found = Vec::new();
    for block in &blocks {
        let is_shell = matches!(block.language.as_str(), "console" | "sh" | "bash");
        let mut text = String::new();
        for (number, line) in block.lines.iter().enumerate() {
            text.push_str(line);
            if text.ends_with('\\') {
                text.pop();
                continue;
            }
            let command = match text.split_once("$ ") {
                Some((prompt, command)) if !prompt.contains(['"', '\'']) => Some(command),
                _ if is_shell && block.language != "console" => Some(&*text),
                _ => None,
            };
            found.extend(command.and_then(|c| of_program(c, program, block.line + number)));
            text.clear();
        }
    }
    let mut number = 1;
    for (i, span) in prose.split('`').enumerate() {
        number += span.matches('\n').count();
        if i % 2 == 1 {
            found.extend(of_program(span, program, number));
        }
    }
    found
}

/// The command of a program in a line of shell: behind settings of variables, `|`, `;` or `&&`.
fn of_program(line: &str, program: &str, number: usize) -> Option<Shown> {
    let words = words(line);
    let mut may_begin = true;
    for (i, word) in words.iter().enumerate() {
        let name = word.rsplit('/').next().unwrap_or(word);
        if may_begin && name == program {
            let ends = |word: &&String| !matches!(word.as_str(), "|" | ";" | "&&" | ">" | "<" | "2>&1");
            let words: Vec<String> = words[i + 1..].iter().take_while(ends).cloned().collect();
            return (!words.is_empty()).then_some(Shown { line: number, words });
        }
        let is_setting = word
            .split_once('=')
            .is_some_and(|(name, _)| name.chars().all(|c| c == '_' || c.is_ascii_uppercase()));
        may_begin = matches!(word.as_str(), "|" | ";" | "&&" | "$") || may_begin && is_setting;
    }
    None
}

/// A line of shell in words: quotes are taken away, a comment ends it.
fn words(line: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for c in line.chars() {
        match quote {
            Some(q) if q == c => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c.is_whitespace() => found.extend(word.take()),
            None if c == '#' && word.is_none() => break,
            None if c == '\'' || c == '"' => {
                word.get_or_insert_default();
                quote = Some(c);
            }
            None => word.get_or_insert_default().push(c),
        }
    }
    found.extend(word);
    found
}

/// What `--help` says of one subcommand.
#[derive(Clone, Default, Debug)]
struct Help {
    subcommands: BTreeSet<String>,
    /// Each flag, with whether a value follows.
    flags: BTreeMap<String, bool>,
}

/// A program's help, asked for when it is needed.
pub struct Helps {
    program: PathBuf,
    known: BTreeMap<Vec<String>, Help>,
}

impl Helps {
    /// Those of a program.
    pub fn new(program: &Path) -> Helps {
        Helps { program: program.to_path_buf(), known: BTreeMap::new() }
    }

    /// The help of a subcommand, by the words that lead to it.
    fn of(&mut self, path: &[String]) -> Help {
        if let Some(known) = self.known.get(path) {
            return known.clone();
        }
        let output =
            Command::new(&self.program).args(path).arg("--help").output().expect("the program starts");
        assert!(output.status.success(), "{path:?} --help failed");
        let help = parse_help(&String::from_utf8_lossy(&output.stdout));
        self.known.insert(path.to_vec(), help.clone());
        help
    }

    /// Whether the program takes these words: subcommands and flags exist. Alternatives with `|` between are
    /// taken each.
    ///
    /// # Errors
    /// What the program does not have.
    pub fn accept(&mut self, words: &[String]) -> Result<(), String> {
        let mut path: Vec<String> = Vec::new();
        let mut help = self.of(&path);
        let mut words = words.iter().peekable();
        while let Some(word) = words.next() {
            if word.starts_with('-') && word.len() > 1 {
                let (name, value) = match word.split_once('=') {
                    Some((name, _)) => (name, true),
                    None => (word.as_str(), false),
                };
                let name = name.trim_end_matches([',', ']', '…']);
                match help.flags.get(name) {
                    Some(true) if !value => drop(words.next_if(|next| !next.starts_with("--"))),
                    Some(_) => {}
                    None => return Err(format!("no flag {name} of \"{}\"", path.join(" "))),
                }
            } else if !help.subcommands.is_empty() {
                for word in word.split('|') {
                    if !help.subcommands.contains(word) {
                        return Err(format!("no subcommand \"{word}\" of \"{}\"", path.join(" ")));
                    }
                }
                path.push(word.split('|').next().unwrap_or(word).to_string());
                help = self.of(&path);
            }
        }
        Ok(())
    }
}

/// Subcommands and flags in a help text of clap.
fn parse_help(text: &str) -> Help {
    let mut help = Help::default();
    let mut in_commands = false;
    for line in text.lines() {
        if !line.starts_with(' ') && !line.is_empty() {
            in_commands = line == "Commands:";
        }
        let indented = line.trim_start();
        if in_commands && line.starts_with("  ") && !line.starts_with("   ") {
            help.subcommands.extend(indented.split(' ').next().map(str::to_string));
        }
        if let Some(alias) = indented.split_once("alias: ").or_else(|| indented.split_once("aliases: ")) {
            let names = alias.1.trim_end_matches(']').split(", ");
            help.flags.extend(names.map(|name| (name.to_string(), true)));
        }
        if indented.starts_with('-') && line.starts_with("  ") {
            let takes_value = indented.contains('<');
            let names = indented.split([' ', ',', '=', '[']).filter(|word| word.starts_with('-'));
            help.flags.extend(names.map(|name| (name.to_string(), takes_value)));
        }
    }
    help.subcommands.insert("help".to_string());
    if help.subcommands.len() == 1 {
        help.subcommands.clear();
    }
    help
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_string).collect()
    }

    #[test]
    fn commands_are_found_wherever_a_page_shows_them() {
        let page = "Run `evergreen solve\n--summary x`, not `evergreen: no`.\n\
                    ```sh\nA=1 evergreen count 'a b' # c\nPATH=x:$PATH evergreen-lab duel\n```\n\
                    ```console\n$ echo x | evergreen store \\\n    stats\nevergreen explore output\n```\n\
                    ```\nevergreen suite 1\nany$ evergreen work --once\n```\n";
        let found: Vec<(usize, String)> =
            commands(page, "evergreen").into_iter().map(|c| (c.line, c.words.join(" "))).collect();
        let expected = [(4, "count a b"), (9, "store stats"), (14, "work --once"), (2, "solve --summary x")];
        assert_eq!(found, expected.map(|(line, words)| (line, words.to_string())));
    }

    const HELP: &str = "Usage: x [OPTIONS] <COMMAND>\n\nCommands:\n  go    Go\n  stay  \
        Stay\n\nOptions:\n      \
                        --deep <N>  How deep\n  -v, --verbose  More\n          [alias: --loud]\n";

    #[test]
    fn only_what_the_help_lists_is_accepted() {
        let file = std::env::temp_dir().join(format!("evergreen-help-{}", std::process::id()));
        let script = format!("#!/bin/sh\ncat <<'END'\n{HELP}END\n");
        crate::tools::write_program(&file, script.as_bytes());
        let mut helps = Helps::new(&file);
        let mut check = |line: &str| helps.accept(&words(line));
        assert_eq!(check("--deep go stay"), Ok(()), "the value of a flag is no subcommand");
        assert_eq!(check("go --deep=3 -v --loud"), Ok(()));
        assert_eq!(check("go|stay --deep 3"), Ok(()));
        assert_eq!(check("run"), Err("no subcommand \"run\" of \"\"".to_string()));
        assert_eq!(check("go|run"), Err("no subcommand \"run\" of \"\"".to_string()));
        assert_eq!(check("go --deeper 3"), Err("no flag --deeper of \"go\"".to_string()));
        std::fs::remove_file(&file).expect("the program is gone");
    }

    #[test]
    fn times_may_differ_and_nothing_else() {
        let shown = lines("1 path, 0.50 s\n...\nlast line ...");
        assert!(!is_shown(&shown, &["1 path, 0.7 s", "x", "y", "another line"]));
        assert!(is_shown(&shown, &["1 path, 0.7 s", "x", "y", "last line with more"]));
        assert!(is_shown(&shown, &["1 path, 12 s", "last line"]));
        assert!(!is_shown(&shown, &["2 paths, 0.50 s", "last line x"]));
        assert!(!is_shown(&shown, &["1 path, 0.50 s", "last line x", "more"]));
        assert!(!is_shown(&lines("4 paths"), &[]));
    }

    #[test]
    fn anchors_are_those_of_code_hosts() {
        let anchors = anchors("# One, two: `x`\n```\n# no\n```\n## A\n## A\n");
        assert_eq!(anchors.into_iter().collect::<Vec<_>>(), ["a", "a-1", "one-two-x"]);
    }
}
