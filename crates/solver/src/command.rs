//! Which program to run, and with which arguments: command lines, the path, and each
//! solver's interactive flags.

use std::fmt;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::chain;
use crate::error::SolverError;

/// The solvers whose habits are known here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Z3: continues after an error.
    Z3,
    /// cvc5: exits after its first error.
    Cvc5,
    /// Bitwuzla: exits after its first error.
    Bitwuzla,
    /// `yices-smt2`: exits after its first error.
    Yices,
    /// Any other program that reads SMT-LIB 2 from its standard input.
    Other,
    /// No program at all: what is not known without one stays unknown.
    None,
}

impl Kind {
    /// The kind of a program, by the start of its file name (`z3-4.8.12` is a z3).
    pub fn of_program(program: &Path) -> Kind {
        let name = program.file_name().and_then(|name| name.to_str()).unwrap_or("").to_ascii_lowercase();
        let starts =
            [("z3", Kind::Z3), ("cvc5", Kind::Cvc5), ("bitwuzla", Kind::Bitwuzla), ("yices", Kind::Yices)];
        starts.iter().find(|(start, _)| is_named(&name, start)).map_or(Kind::Other, |(_, kind)| *kind)
    }

    /// Flags without which the solver does not read commands one by one from a pipe, as groups of spellings:
    /// a group is added (its first spelling) when none of its spellings was given.
    fn interactive_flags(self) -> &'static [&'static [&'static str]] {
        match self {
            Kind::Z3 => &[&["-in", "--in", "/in"], &["-smt2", "--smt2", "/smt2"]],
            // Measured with 1.0.3: `--interactive` changes nothing on a pipe, and a parse
            // error is fatal either way.
            Kind::Cvc5 => &[
                &["--incremental", "-i", "--no-incremental"],
                &["--lang=smt2", "--lang", "-L", "--input-language", "--input-language=smt2"],
            ],
            // `--interactive` only turns print-success on; errors are fatal with and without it (2.6.5).
            Kind::Yices => &[&["--incremental"]],
            Kind::Bitwuzla | Kind::Other | Kind::None => &[],
        }
    }

    /// The logic to name to the solver for a problem of that logic (or of none named).
    ///
    /// Measured with z3 5.4, push-check-pop on one process: naming `QF_LIA`, `QF_LRA`, `QF_UFLIA` or
    /// `QF_AUFBV` saves 15 to 25 %; naming `QF_BV` switches to a solver that starts over at each push (9.8 ms
    /// for small 32-bit queries, 4.2 ms without a logic), where `QF_ABV`, the same language and arrays
    /// besides, takes 1.3 ms; products of 13-bit primes 582, 784 and 142 ms. Without a logic z3 chooses by
    /// itself; the others want one named.
    pub fn logic_to_name(self, logic: Option<&str>) -> Option<&str> {
        match (self, logic) {
            (Kind::Z3, Some("QF_BV")) => Some("QF_ABV"),
            (Kind::Z3, logic) => logic,
            (_, logic) => logic.or(Some("ALL")),
        }
    }
}

/// `z3`, `z3.exe`, `z3-4.8`, `yices-smt2`, `yices_smt2`; not `z3str`.
fn is_named(name: &str, start: &str) -> bool {
    name.strip_prefix(start).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
}

/// The flag of cvc5 and Yices that allows more than one check.
const INCREMENTAL: &str = "--incremental";
/// The word that stands for no solver program.
const NONE: &str = "none";
/// The programs that are looked for when none is named: those that know every theory.
const GENERAL: [&str; 2] = ["z3", "cvc5"];

/// A solver's program and arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Command {
    /// The program to run.
    pub program: PathBuf,
    /// Its arguments, in the user's order.
    pub args: Vec<String>,
    /// Whose habits it has.
    pub kind: Kind,
}

impl Command {
    /// A program at a known place, without arguments.
    pub fn new(program: impl Into<PathBuf>) -> Command {
        let program = program.into();
        let kind = Kind::of_program(&program);
        Command { program, args: Vec::new(), kind }
    }

    /// No solver program.
    pub fn none() -> Command {
        Command { program: PathBuf::from(NONE), args: Vec::new(), kind: Kind::None }
    }

    /// Whether it stands for no solver program.
    pub fn is_none(&self) -> bool {
        self.kind == Kind::None
    }

    /// What is used when no solver is named: z3 if it is installed, else cvc5, else none.
    pub fn installed() -> Command {
        let found = GENERAL.iter().find_map(|name| Command::for_name(name).ok());
        found.unwrap_or_else(Command::none)
    }

    /// The installed solver of that name (`yices` stands for `yices-smt2`), without arguments.
    pub fn for_name(name: &str) -> Result<Command, SolverError> {
        let file = if name == "yices" { "yices-smt2" } else { name };
        match find_program(file) {
            Some(program) => Ok(Command::new(program)),
            None => Err(SolverError::NotFound { program: file.to_string() }),
        }
    }

    /// A command line such as `z3 -in` or `'/opt/my solver/z3' -T:10`; `none` is no solver program. Words are
    /// split at white space; quotes and backslashes work as in a shell, nothing else does.
    pub fn parse(text: &str) -> Result<Command, SolverError> {
        let (program, args) = program_and_args(text)?;
        if program == NONE {
            return match args[..] {
                [] => Ok(Command::none()),
                _ => Err(SolverError::BadCommandLine {
                    text: text.to_string(),
                    reason: "\"none\" is no solver and takes no arguments",
                }),
            };
        }
        let command =
            if program.contains('/') { Command::new(program) } else { Command::for_name(&program)? };
        Ok(Command { args, ..command })
    }

    /// The same for a program that need not be installed yet: one that is not found is looked for when it is
    /// started.
    pub fn parse_for_later(text: &str) -> Result<Command, SolverError> {
        match Command::parse(text) {
            Err(SolverError::NotFound { program }) => {
                let (_, args) = program_and_args(text)?;
                Ok(Command { args, ..Command::new(program) })
            }
            other => other,
        }
    }

    /// As [`Command::parse_for_later`], for a text that may be no command at all: what is wrong with it is
    /// reported by [`Command::file`] when the solver is needed.
    pub fn parse_or_missing(text: &str) -> Command {
        Command::parse_for_later(text).unwrap_or_else(|_| Command::new(text))
    }

    /// The program's file, if it can be started from here. A name that was not found when the
    /// command was made is looked up once more, by our own rules: the system's rules would find
    /// the calling stand-in itself.
    pub fn file(&self) -> Result<PathBuf, SolverError> {
        if self.is_none() {
            return Err(SolverError::NoSolver);
        }
        let file = if self.program.components().count() > 1 {
            self.program.clone()
        } else {
            let name = self.program.to_string_lossy();
            find_program(&name).ok_or_else(|| SolverError::NotFound { program: name.into_owned() })?
        };
        chain::check(self, &file)?;
        Ok(file)
    }

    /// The arguments with the flags appended that make this kind of solver read one check from a pipe, and
    /// not more than that: what only a second check needs can cost the first one its answer.
    pub fn once_args(&self) -> Vec<String> {
        let mut args = self.args.clone();
        for spellings in self.kind.interactive_flags() {
            let given = args.iter().any(|arg| spellings.contains(&arg.as_str()));
            if !given && spellings[0] != INCREMENTAL {
                args.push(spellings[0].to_string());
            }
        }
        args
    }

    /// The arguments with the flags appended that make this kind of solver read
    /// commands one by one from a pipe.
    pub fn interactive_args(&self) -> Vec<String> {
        let mut args = self.args.clone();
        for spellings in self.kind.interactive_flags() {
            if !args.iter().any(|arg| spellings.contains(&arg.as_str())) {
                args.push(spellings[0].to_string());
            }
        }
        args
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.program.display())?;
        self.args.iter().try_for_each(|arg| write!(f, " {arg}"))
    }
}

/// The program of that name in `$EVERGREEN_TOOLS/bin`, else on `PATH`. Skips the running
/// executable itself (also under another name or link) and the executables that called it: a
/// stand-in for `z3` looks for the real `z3`.
pub fn find_program(name: &str) -> Option<PathBuf> {
    let stand_ins = chain::stand_ins();
    let is_own = |found: &fs::Metadata| stand_ins.contains(&chain::identity(found));
    let tools = std::env::var_os("EVERGREEN_TOOLS").map(|tools| Path::new(&tools).join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    tools.into_iter().chain(std::env::split_paths(&path)).map(|folder| folder.join(name)).find(|candidate| {
        fs::metadata(candidate)
            .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0 && !is_own(&found))
    })
}

/// The words of a command line, the program first.
fn program_and_args(text: &str) -> Result<(String, Vec<String>), SolverError> {
    let bad = |reason| SolverError::BadCommandLine { text: text.to_string(), reason };
    let mut words = split_words(text).map_err(bad)?.into_iter();
    let program = words.next().ok_or_else(|| bad("it is empty"))?;
    Ok((program, words.collect()))
}

fn split_words(text: &str) -> Result<Vec<String>, &'static str> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next() {
                        None => return Err("a quote is not closed"),
                        Some(end) if end == c => break,
                        Some('\\') if c == '"' => word.push(chars.next().ok_or("it ends in a backslash")?),
                        Some(inner) => word.push(inner),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(chars.next().ok_or("it ends in a backslash")?),
            c if c.is_whitespace() => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_args(given: &str, expected: &str) {
        let command = Command::parse(given).expect("a command line");
        assert_eq!(command.interactive_args().join(" "), expected, "{given}");
    }

    #[test]
    fn flags_are_appended_when_missing() {
        check_args("/bin/z3", "-in -smt2");
        check_args("/bin/z3 -in -T:5", "-in -T:5 -smt2");
        check_args("/bin/cvc5 --lang smt2 -q", "--lang smt2 -q --incremental");
        check_args("/bin/cvc5", "--incremental --lang=smt2");
        check_args("/bin/yices-smt2 --mcsat", "--mcsat --incremental");
        check_args("/bin/bitwuzla -v 1", "-v 1");
        check_args("/bin/mysolver a b", "a b");
    }

    #[test]
    fn kinds_come_from_file_names() {
        let kind = |name: &str| Kind::of_program(Path::new(name));
        assert_eq!(kind("/opt/z3-4.8.12/bin/z3"), Kind::Z3);
        assert_eq!(kind("z3-4.13"), Kind::Z3);
        assert_eq!(kind("cvc5-Linux"), Kind::Cvc5);
        assert_eq!(kind("yices-smt2"), Kind::Yices);
        assert_eq!(kind("yices_smt2"), Kind::Yices);
        assert_eq!(kind("bitwuzla"), Kind::Bitwuzla);
        assert_eq!(kind("z3str"), Kind::Other);
        assert_eq!(kind("cvc4"), Kind::Other);
        assert_eq!(kind(""), Kind::Other);
    }

    #[test]
    fn command_lines_split_as_in_a_shell() {
        let words = |text| split_words(text);
        assert_eq!(words(" a  b ").unwrap(), ["a", "b"]);
        assert_eq!(words("'a b' \"c \\\" d\" e\\ f ''").unwrap(), ["a b", "c \" d", "e f", ""]);
        assert_eq!(words("'a"), Err("a quote is not closed"));
        assert_eq!(words("a\\"), Err("it ends in a backslash"));
        assert!(matches!(Command::parse("  "), Err(SolverError::BadCommandLine { .. })));
        assert!(matches!(Command::parse("no-such-solver-9 -x"), Err(SolverError::NotFound { .. })));
    }

    #[test]
    fn a_program_that_is_not_installed_is_looked_for_later() {
        let later = Command::parse_for_later("no-such-solver-9 -x 'a b'").expect("a command line");
        assert_eq!(
            (later.program.to_str(), &later.args[..]),
            (Some("no-such-solver-9"), &["-x".into(), "a b".into()][..])
        );
        assert!(matches!(later.file(), Err(SolverError::NotFound { .. })));
        assert!(matches!(Command::parse_for_later("'"), Err(SolverError::BadCommandLine { .. })));
        // One that is installed is found now.
        assert_eq!(Command::parse_for_later("sh -c").ok(), Command::parse("sh -c").ok());
    }

    #[test]
    fn none_is_no_program() {
        let none = Command::parse(" none ").expect("a command line");
        assert!(none.is_none() && none == Command::none());
        assert!(matches!(none.file(), Err(SolverError::NoSolver)));
        assert!(matches!(Command::parse("none -in"), Err(SolverError::BadCommandLine { .. })));
        // A program of that name has a path.
        assert!(!Command::parse("./none").expect("a command line").is_none());
    }

    #[test]
    fn the_running_program_is_not_its_own_solver() {
        let own = std::env::current_exe().expect("own path");
        let name = own.file_name().and_then(|name| name.to_str()).expect("a name").to_string();
        assert_eq!(find_program(&name), None);
        assert!(find_program("sh").is_some());
    }
}
