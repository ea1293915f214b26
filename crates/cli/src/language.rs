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
const ONLY_JAVA: [&str; 15] = [
    "array_length",
    "non_null",
    "main",
    "sym_main",
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
    pub(crate) fn of(target: &Path) -> Written {
        let ending = target.extension().and_then(|ending| ending.to_str());
        match ending.is_some_and(|ending| C.contains(&ending)) {
            true => Written::C,
            false => Written::Java,
        }
    }

    /// Whether it is C.
    pub(crate) fn is_c(self) -> bool {
        self == Written::C
    }

    /// The language of what is in a folder: Java's if there is anything of Java in it.
    fn of_folder(folder: &Path) -> Option<Written> {
        let all = below(folder);
        let ends = |endings: &[&str]| {
            let ending =
                |file: &PathBuf| file.extension().is_some_and(|e| endings.iter().any(|own| e == *own));
            all.iter().any(ending)
        };
        match () {
            () if ends(&["java", "class", "jar"]) => Some(Written::Java),
            () if ends(&C) => Some(Written::C),
            () => None,
        }
    }

    /// The language of two versions: files, lists of files, folders, or revisions of what is in `source`.
    ///
    /// # Errors
    /// The versions are of two languages.
    pub(crate) fn of_versions(
        old: &Path,
        new: Option<&Path>,
        source: Option<&Path>,
    ) -> Result<Written, String> {
        let of = |place: &Path| match place.is_dir() {
            true => Written::of_folder(place),
            false => {
                // A list of files: the last has the ending of the name.
                let is_listed = place.to_string_lossy().split(',').all(|file| Path::new(file).exists());
                (place.exists() || is_listed).then(|| Written::of(place))
            }
        };
        if let Some(source) = source {
            return Ok(of(source).unwrap_or_default());
        }
        match (of(old), new.map(|new| (new, of(new)))) {
            (Some(was), Some((new, Some(is)))) if was != is => Err(format!(
                "{} is a {} program and {} a {} program\nhelp: compare programs of one language",
                old.display(),
                was.name(),
                new.display(),
                is.name()
            )),
            (Some(language), _) | (None, Some((_, Some(language)))) => Ok(language),
            // Names that are no files here: endings say more than the folder.
            (None, _) if Written::of(old).is_c() => Ok(Written::C),
            (None, _) => Ok(Written::of_folder(Path::new(".")).unwrap_or_default()),
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

/// Files that are looked at below a folder, at most.
const MOST_FILES: usize = 20_000;

/// The files below a folder, in order; without those of hidden folders.
pub(crate) fn below(folder: &Path) -> Vec<PathBuf> {
    let (mut open, mut all) = (vec![folder.to_path_buf()], Vec::new());
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !is_hidden => open.push(entry.path()),
                Ok(kind) if kind.is_file() => all.push(entry.path()),
                _ => {}
            }
        }
        if all.len() > MOST_FILES {
            break;
        }
    }
    all.sort();
    all
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
