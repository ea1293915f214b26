//! Which language a program is written in, by the names of its files; and flags that only one of them has.

use crate::again::Given;
use crate::flags::c;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The languages of programs.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Written {
    /// Java: sources, class files, jars, folders.
    #[default]
    Java,
    /// C, and what else compiles to WebAssembly: sources, modules.
    C,
}

/// How the names of files in C and WebAssembly end.
const C: [&str; 5] = ["c", "cc", "cpp", "cxx", "wasm"];

/// Flags that mean nothing to C programs.
const ONLY_JAVA: [&str; 11] = [
    "class_path",
    "old_class_path",
    "chars",
    "heap",
    "invariant",
    "rep_ok",
    "ints",
    "no_calls",
    "junit",
    "draw",
    "draw_most",
];

impl Written {
    /// The language of a file, by its name. Whatever is not known is Java's: names of classes, folders.
    fn of(target: &Path) -> Written {
        let ending = target.extension().and_then(|ending| ending.to_str());
        match ending.is_some_and(|ending| C.contains(&ending)) {
            true => Written::C,
            false => Written::Java,
        }
    }

    /// The one language of all targets.
    ///
    /// # Errors
    /// There are several.
    pub(crate) fn of_all<'t>(targets: impl IntoIterator<Item = &'t PathBuf>) -> Result<Written, String> {
        let mut targets = targets.into_iter();
        let Some(first) = targets.next() else { return Ok(Written::default()) };
        let language = Written::of(first);
        match targets.find(|target| Written::of(target) != language) {
            None => Ok(language),
            Some(other) => Err(format!(
                "{} is a {} program and {} a {} program\nhelp: explore programs of one language at a time",
                first.display(),
                language.name(),
                other.display(),
                Written::of(other).name()
            )),
        }
    }

    /// As users call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Written::Java => "Java",
            Written::C => "C",
        }
    }

    /// Fails if a flag was given that is for programs of another language.
    pub(crate) fn check_flags(self, given: &Given) -> Result<(), String> {
        let (others, owner) = match self {
            Written::Java => (c::ids(), Written::C),
            Written::C => (ONLY_JAVA.map(String::from).to_vec(), Written::Java),
        };
        match given.first_of(&others) {
            Some(flag) => Err(format!("{flag} is for {} programs", owner.name())),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::Cli;
    use clap::CommandFactory;

    fn of(targets: &[&str]) -> Result<Written, String> {
        Written::of_all(&targets.iter().map(PathBuf::from).collect::<Vec<_>>())
    }

    #[test]
    fn names_of_files_say_the_language() {
        for java in ["A.java", "A.class", "app.jar", "build/classes", "java.util.TreeMap", "a.rs", ".c"] {
            assert_eq!(of(&[java]), Ok(Written::Java), "{java}");
        }
        for c in ["a.c", "a.cc", "a.cpp", "a.cxx", "dir.java/a.wasm"] {
            assert_eq!(of(&[c]), Ok(Written::C), "{c}");
        }
        assert_eq!(of(&["a.c", "b.wasm"]), Ok(Written::C));
        let mixed = of(&["a.c", "b.wasm", "lib.jar"]).unwrap_err();
        assert_eq!(
            mixed,
            "a.c is a C program and lib.jar a Java program\nhelp: explore programs of one language at a time"
        );
    }

    fn checked(language: Written, words: &[&str]) -> Result<(), String> {
        let words = ["evergreen", "explore", "X"].iter().chain(words);
        language.check_flags(&Given::of(&Cli::command().try_get_matches_from(words).expect("flags")))
    }

    #[test]
    fn flags_of_the_other_language_are_refused() {
        assert_eq!(checked(Written::Java, &["--range", "x=0..3", "--heap", "li"]), Ok(()));
        assert_eq!(checked(Written::C, &["--range", "x=0..3", "--sym-args", "0", "2", "4"]), Ok(()));
        let refused = [
            (Written::Java, &["--sym-stdin", "4"][..], "--sym-stdin is for C programs"),
            (Written::Java, &["--sym-args", "0", "2", "4"], "--sym-args is for C programs"),
            (Written::Java, &["-I", "include"], "--include is for C programs"),
            (Written::Java, &["--out", "x", "--ktest"], "--ktest is for C programs"),
            (Written::C, &["--heap", "li"], "--heap is for Java programs"),
            (Written::C, &["--chars", "a..z"], "--chars is for Java programs"),
        ];
        for (language, words, why) in refused {
            assert_eq!(checked(language, words), Err(why.into()));
        }
        let command = Cli::command();
        for task in ["explore", "diff"].iter().filter_map(|task| command.find_subcommand(task)) {
            let known: Vec<&str> = task.get_arguments().map(|arg| arg.get_id().as_str()).collect();
            assert!(known.contains(&"heap"), "{known:?}");
        }
        let known: Vec<String> = command
            .get_subcommands()
            .flat_map(|task| task.get_arguments())
            .map(|arg| arg.get_id().to_string())
            .collect();
        assert!(ONLY_JAVA.iter().all(|id| known.iter().any(|one| one == id)));
        assert!(c::ids().iter().all(|id| known.contains(id)));
    }
}
