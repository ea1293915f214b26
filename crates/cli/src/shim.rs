//! Standing in for a solver: the same name, the same flags, the same behaviour.
//!
//! Every other call (help, version, another input language, an unknown form) goes to the real solver
//! unchanged: the process executes it.

use crate::COULD_NOT_RUN;
use crate::config::Settings;
use crate::flags::{ShimTask, ShimVerb};
use crate::run;
use crate::say::{remark, say};
use evergreen::identity;
use evergreen::solver::{Circle, Command, Kind, SolverError, mark};
use std::ffi::{OsStr, OsString};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The solver's name, when this program was started under one.
pub(crate) fn solver_name(program: &OsStr) -> Option<String> {
    let stem = Path::new(program).file_name()?.to_str()?.to_string();
    let own = stem.starts_with("evergreen") || stem.is_empty();
    (!own && Kind::of_program(Path::new(&stem)) != Kind::Other).then_some(stem)
}

/// How a solver was called.
#[derive(Debug, PartialEq, Eq)]
enum Call {
    /// A script in a file; the other arguments.
    File(PathBuf, Vec<String>),
    /// A script on standard input; the arguments.
    Pipe(Vec<String>),
    /// Not a script.
    Else,
}

/// Flags that ask for something other than solving a script.
const OTHER_BUSINESS: [&str; 22] = [
    "-h",
    "-?",
    "--help",
    "-help",
    "-version",
    "--version",
    "-V",
    "-p",
    "-pd",
    "-pm",
    "-pp",
    "-ps",
    "-dimacs",
    "-wcnf",
    "-opb",
    "-dl",
    "-lp",
    "-log",
    "--show-config",
    "--copyright",
    "--help-regular",
    "-pmmd",
];

/// Flags with which a solver prints more than the script asks for (models, cores or counters after the
/// answers, which are its own), or prints it elsewhere.
fn prints_more(kind: Kind, arg: &str) -> bool {
    match kind {
        Kind::Z3 => matches!(arg, "-model" | "--model" | "/model" | "/st"),
        Kind::Cvc5 => {
            (arg.starts_with("--stats") && !prints_counters(kind, arg))
                || arg == "--print-unsat-cores-full"
                || arg.starts_with("--regular-output-channel")
                || arg == "--out"
                || arg.starts_with("--out=")
                || arg.starts_with("--in=")
        }
        Kind::Yices => matches!(arg, "-s" | "--stats" | "--show-stats"),
        Kind::Bitwuzla => {
            matches!(arg, "-P" | "--parse-only" | "--pp-only")
                || arg.starts_with("--print-")
                || arg.starts_with("--write-")
        }
        Kind::Other | Kind::None => false,
    }
}

/// Flags with which a solver prints counters after its answers. Why3 gives them in every run.
fn prints_counters(kind: Kind, arg: &str) -> bool {
    match kind {
        Kind::Z3 => matches!(arg, "-st" | "--st"),
        Kind::Cvc5 => matches!(arg, "--stats" | "--stats-internal"),
        Kind::Yices | Kind::Bitwuzla | Kind::Other | Kind::None => false,
    }
}

/// z3's `name=value`.
fn is_parameter(kind: Kind, arg: &str) -> bool {
    kind == Kind::Z3 && (arg.contains('=') || arg.starts_with('/'))
}

fn understand(kind: Kind, args: &[String], is_file: impl Fn(&str) -> bool) -> Call {
    let asks_else = |a: &String| {
        let word = a.split([':', '=']).next().unwrap_or(a);
        OTHER_BUSINESS.contains(&word) || a.contains("tptp") || a.contains("sygus") || a.starts_with("--dump")
    };
    if args.iter().any(asks_else) || args.iter().any(|a| prints_more(kind, a)) {
        return Call::Else;
    }
    let stdin_flag = |a: &str| matches!(a, "-in" | "--in" | "-") || (a == "/in" && kind == Kind::Z3);
    let files: Vec<usize> =
        (0..args.len()).filter(|&i| !args[i].starts_with('-') && is_file(&args[i])).collect();
    let rest = |skip: Option<usize>| -> Vec<String> {
        let kept = args.iter().enumerate().filter(|(i, a)| Some(*i) != skip && !stdin_flag(a));
        kept.map(|(_, a)| a.clone()).collect()
    };
    // A file that is not there, or a folder: the solver says what it thinks of it.
    let is_operand = |i: usize| {
        let follows_flag = i > 0 && args[i - 1].starts_with('-') && !args[i - 1].contains('=');
        let looks_like_file = args[i].contains('/') || args[i].ends_with(".smt2");
        !args[i].starts_with('-') && !is_parameter(kind, &args[i]) && (!follows_flag || looks_like_file)
    };
    if files.is_empty() && (0..args.len()).any(|i| is_operand(i) && !stdin_flag(&args[i])) {
        return Call::Else;
    }
    match files[..] {
        [one] => Call::File(PathBuf::from(&args[one]), rest(Some(one))),
        [] if kind != Kind::Z3 || args.iter().any(|a| stdin_flag(a)) => Call::Pipe(rest(None)),
        // z3 without a file and without -in explains itself; no client passes several files.
        _ => Call::Else,
    }
}

/// Looks like SMT-LIB 2: begins with a parenthesis or a comment.
fn is_script(path: &Path) -> bool {
    let mut start = [0u8; 4096];
    let read =
        std::fs::File::open(path).and_then(|mut f| std::io::Read::read(&mut f, &mut start)).unwrap_or(0);
    let first = start[..read].iter().find(|b| !b.is_ascii_whitespace());
    first.is_none_or(|b| matches!(b, b'(' | b';'))
}

/// Behaves as the solver of that name.
pub(crate) fn main(name: &str, args: Vec<OsString>) -> ExitCode {
    match try_main(name, args) {
        Ok(code) => code,
        Err(message) => {
            crate::say::warn(&format!("as {name}: {message}"));
            ExitCode::from(COULD_NOT_RUN)
        }
    }
}

fn try_main(name: &str, args: Vec<OsString>) -> Result<ExitCode, String> {
    let settings = Settings::load()?;
    let Real { mut command, by } = real_solver(name, &settings);
    refuse_circle(name, &command, &by)?;
    let off = std::env::var_os("EVERGREEN_OFF").is_some_and(|v| !v.is_empty() && v != "0");
    let text: Option<Vec<String>> = args.iter().map(|a| a.to_str().map(str::to_string)).collect();
    let call = match &text {
        Some(args) if !off => understand(command.kind, args, |a| Path::new(a).is_file()),
        _ => Call::Else,
    };
    match call {
        Call::File(file, rest) if is_script(&file) && can_count(command.kind, &rest, Some(&file)) => {
            let counters = asks_for_counters(&mut command, rest);
            run::run(&settings, or_none(command, &by), Some(&file), run::Manner::Solver { counters })
        }
        Call::Pipe(rest) if can_count(command.kind, &rest, None) => {
            let counters = asks_for_counters(&mut command, rest);
            run::run(&settings, or_none(command, &by), None, run::Manner::Solver { counters })
        }
        _ => {
            if let Some(version) =
                text.as_deref().filter(|_| !off).and_then(|a| remembered(&settings, &command, a))
            {
                let version = format!("{}\n", version.trim_end());
                // As with every solver, a closed pipe is no reason to fail.
                let _ = crate::say::verbatim(&mut std::io::stdout(), &version);
                return Ok(ExitCode::SUCCESS);
            }
            Err(become_solver(&command, &args))
        }
    }
}

/// Whether the counters that the flags ask for can be had: z3 gives them when it is asked, cvc5 in this
/// layout only at the end of a file of its own.
fn can_count(kind: Kind, args: &[String], file: Option<&Path>) -> bool {
    kind != Kind::Cvc5
        || !args.iter().any(|a| prints_counters(kind, a))
        || file.is_some_and(evergreen::asks_once)
}

/// Gives the solver its arguments; whether its counters are to be printed at the end. z3 is asked for them
/// then, and does not print them itself.
fn asks_for_counters(command: &mut Command, args: Vec<String>) -> bool {
    let kind = command.kind;
    let (own, rest): (Vec<_>, Vec<_>) = args.into_iter().partition(|a| prints_counters(kind, a));
    let is_asked = !own.is_empty();
    command.args.extend(rest);
    if kind != Kind::Z3 {
        command.args.extend(own);
    }
    is_asked
}

/// No solver, where none is configured and none is on the path: scripts are answered by what is built in.
fn or_none(command: Command, by: &str) -> Command {
    match command.file() {
        Err(SolverError::NotFound { .. }) if by == "PATH" => Command::none(),
        _ => command,
    }
}

/// The real solver, and what says that it is this one.
struct Real {
    command: Command,
    /// A variable or a setting, or `PATH`.
    by: String,
}

/// The real solver: as configured, or the next one of that name on the path.
fn real_solver(name: &str, settings: &Settings) -> Real {
    let specific = variable(name);
    if let Some(text) = std::env::var(&specific).ok().filter(|v| !v.is_empty()) {
        return Real { command: run::command(&text), by: specific };
    }
    // A solver configured for all shims is taken only by the shim of its own kind, none by all of them.
    if let Some(general) = &settings.solver {
        let command = run::command(general);
        if command.is_none() || command.kind == Kind::of_program(Path::new(name)) {
            let by =
                std::env::var_os("EVERGREEN_SOLVER").map_or("the setting \"solver\"", |_| "EVERGREEN_SOLVER");
            return Real { command, by: by.to_string() };
        }
    }
    Real { command: run::command(name), by: "PATH".to_string() }
}

/// The variable that names the solver behind a shim.
fn variable(name: &str) -> String {
    format!("EVERGREEN_{}", name.to_ascii_uppercase().replace(['-', '.'], "_"))
}

/// A solver that leads back here is refused before anything is started, and says so as solvers do: whoever
/// has started this process, another shim perhaps, passes it on.
fn refuse_circle(name: &str, command: &Command, by: &str) -> Result<(), String> {
    let Err(SolverError::Circle { program, how }) = command.file() else { return Ok(()) };
    let program = program.display();
    let message = match how {
        Circle::Itself => format!("{by}: \"{program}\" is the stand-in for {name}, not {name}"),
        Circle::Again => format!("{by}: \"{program}\" runs the stand-in that has started it"),
        Circle::Deep => format!("{by}: \"{program}\" would be one more of too many nested solvers"),
    };
    let variable = variable(name);
    let help = format!("set {variable} to the path of the real {name}");
    let help = match by {
        "PATH" => format!("{help}, or take the folder of \"{program}\" off PATH"),
        by if by == variable => format!("{help}, or unset it: then the next {name} on PATH is used"),
        _ => help,
    };
    say(&format!("(error \"{}\")", format!("evergreen: {message}; {help}").replace('"', "\"\"")));
    Err(format!("{message}\nhelp: {help}"))
}

/// Hands everything to the real solver by becoming it; returns only when that fails.
fn become_solver(command: &Command, args: &[OsString]) -> String {
    let error = match command.file() {
        Ok(file) => {
            let mut process = std::process::Command::new(&file);
            mark(&mut process, command, &file);
            process.args(&command.args).args(args).exec().to_string()
        }
        Err(e) => e.to_string(),
    };
    format!(
        "cannot start \"{}\": {error}\nhelp: install it, or name it in EVERGREEN_SOLVER",
        command.program.display()
    )
}

/// The answer to `--version` and its like, remembered while the solver's file stays the same.
fn remembered(settings: &Settings, command: &Command, args: &[String]) -> Option<String> {
    let [flag] = args else { return None };
    if !matches!(flag.as_str(), "-version" | "--version" | "-V") {
        return None;
    }
    let key = identity::key(command, flag)?;
    let store = settings.open_store().ok()??;
    let trust = settings.trust();
    if let Some((bytes, origin)) = store.get_from(&key).ok().flatten()
        && trust.trusts(origin)
        && let Some(known) = identity::decode(&bytes)
    {
        return Some(known);
    }
    let file = command.file().ok()?;
    let mut process = std::process::Command::new(&file);
    mark(&mut process, command, &file);
    let output = process.args(&command.args).arg(flag).output().ok()?;
    if !output.status.success() || !output.stderr.is_empty() {
        return None;
    }
    let text = String::from_utf8(output.stdout).ok()?;
    let _ = store.put(&key, &identity::encode(&text));
    let _ = store.flush();
    Some(text)
}

/// `evergreen shim`.
pub(crate) fn task(task: &ShimTask) -> Result<ExitCode, String> {
    let ShimVerb::Install { dir, names, force } = &task.verb;
    let own = std::env::current_exe().map_err(|e| format!("the path of this program is unknown: {e}"))?;
    std::fs::create_dir_all(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    for name in names {
        if name.contains('/') || Kind::of_program(Path::new(name)) == Kind::Other {
            return Err(format!(
                "\"{name}\" is not the name of a solver\nhelp: use z3, cvc5, yices-smt2 or bitwuzla"
            ));
        }
        let link = dir.join(name);
        if link.symlink_metadata().is_ok() {
            let ours = std::fs::read_link(&link).is_ok_and(|to| to == own);
            if !ours && !force {
                return Err(format!("{}: is in the way\nhelp: --force replaces it", link.display()));
            }
            std::fs::remove_file(&link).map_err(|e| format!("{}: {e}", link.display()))?;
        }
        std::os::unix::fs::symlink(&own, &link).map_err(|e| format!("{}: {e}", link.display()))?;
        let real = run::command(name);
        let found = if real.program.is_absolute() {
            format!("stands in for {}", real.program.display())
        } else {
            "no such solver is installed yet: it answers what is built in".to_string()
        };
        say(&format!("{} ({found})", link.display()));
    }
    let dir = dir.canonicalize().unwrap_or_else(|_| dir.clone());
    remark("\nput the folder first on PATH, or give a tool the path of a link:");
    remark(&format!("  export PATH={}:$PATH", dir.display()));
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(kind: Kind, line: &str) -> Call {
        let args: Vec<String> = line.split_whitespace().map(str::to_string).collect();
        understand(kind, &args, |a| a.ends_with(".smt2"))
    }

    fn strings(words: &[&str]) -> Vec<String> {
        words.iter().map(|w| w.to_string()).collect()
    }

    #[test]
    fn calls_are_understood() {
        assert_eq!(call(Kind::Z3, "-smt2 -in"), Call::Pipe(strings(&["-smt2"])));
        assert_eq!(
            call(Kind::Z3, "-T:10 smt.mbqi=false a.smt2"),
            Call::File("a.smt2".into(), strings(&["-T:10", "smt.mbqi=false"]))
        );
        assert_eq!(call(Kind::Z3, ""), Call::Else);
        assert_eq!(call(Kind::Z3, "-version"), Call::Else);
        assert_eq!(call(Kind::Z3, "-dimacs x.smt2"), Call::Else);
        assert_eq!(
            call(Kind::Cvc5, "--lang smt2 --incremental"),
            Call::Pipe(strings(&["--lang", "smt2", "--incremental"]))
        );
        assert_eq!(call(Kind::Cvc5, "--lang=tptp"), Call::Else);
        assert_eq!(call(Kind::Yices, "--incremental"), Call::Pipe(strings(&["--incremental"])));
        assert_eq!(call(Kind::Cvc5, "-"), Call::Pipe(vec![]));
        assert_eq!(call(Kind::Cvc5, "--tlimit 100"), Call::Pipe(strings(&["--tlimit", "100"])));
    }

    #[test]
    fn missing_files_and_reports_are_the_solvers_business() {
        let none = |kind, line: &str| {
            let args: Vec<String> = line.split_whitespace().map(str::to_string).collect();
            understand(kind, &args, |_| false)
        };
        for kind in [Kind::Cvc5, Kind::Yices, Kind::Bitwuzla] {
            for line in ["missing.smt2", "folder", "--incremental missing.smt2", "-v /tmp"] {
                assert_eq!(none(kind, line), Call::Else, "{kind:?} {line}");
            }
        }
        assert_eq!(none(Kind::Cvc5, "--lang=smt2 missing"), Call::Else);
        assert_eq!(none(Kind::Z3, "-in smt.mbqi=false"), Call::Pipe(strings(&["smt.mbqi=false"])));
        assert_eq!(call(Kind::Z3, "-st a.smt2"), Call::File("a.smt2".into(), strings(&["-st"])));
        assert_eq!(call(Kind::Z3, "-model a.smt2"), Call::Else);
        assert_eq!(call(Kind::Cvc5, "--stats-every-query a.smt2"), Call::Else);
        let counters = ["--stats".to_string()];
        assert!(can_count(Kind::Z3, &counters, None) && !can_count(Kind::Cvc5, &counters, None));
        assert_eq!(call(Kind::Bitwuzla, "--print-model a.smt2"), Call::Else);
    }

    #[test]
    fn names_of_solvers() {
        let name = |n: &str| solver_name(OsStr::new(n));
        assert_eq!(name("/opt/shims/z3").as_deref(), Some("z3"));
        assert_eq!(name("z3-4.8.12").as_deref(), Some("z3-4.8.12"));
        assert_eq!(name("/usr/bin/evergreen"), None);
        assert_eq!(name("evergreen-z3"), None);
        assert_eq!(name("ls"), None);
    }
}
