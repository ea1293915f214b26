//! Where the programs are that tests start: solvers, Redis, the real clients.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder that holds the workspace's `Cargo.toml`.
pub fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// The program `name`: in `$EVERGREEN_TOOLS/bin`, else in the repository's `.tools/bin`, else on `PATH`.
///
/// # Panics
/// If it is nowhere. A test that needs a program fails without it; it is never skipped.
pub fn find(name: &str) -> PathBuf {
    look(name).unwrap_or_else(|| panic!("the program '{name}' is not installed\nhelp: run scripts/setup.sh"))
}

/// Like [`find`], for callers that can do without.
pub fn look(name: &str) -> Option<PathBuf> {
    let set = std::env::var_os("EVERGREEN_TOOLS").map(|tools| PathBuf::from(tools).join("bin"));
    let own = repository().join(".tools/bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    set.into_iter()
        .chain([own])
        .chain(std::env::split_paths(&path))
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

/// Writes a program, such as a script that stands in for a solver.
///
/// Another process writes it: children that other threads start inherit files open for writing here until
/// their `exec`, and a file that any process has open for writing cannot be executed.
///
/// # Panics
/// If it cannot be written.
pub fn write_program(file: &Path, content: &[u8]) {
    let mut command = Command::new("install");
    command.args(["-m", "755", "/dev/stdin"]).arg(file).stdin(Stdio::piped());
    let mut child = command.spawn().expect("install starts");
    child.stdin.take().expect("a pipe").write_all(content).expect("install reads");
    assert!(child.wait().expect("install ends").success(), "{} cannot be written", file.display());
}

/// Makes the repository's tools the first that child processes and the library find.
///
/// Tests call this before anything else; every caller sets the same value.
pub fn put_on_path() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        if std::env::var_os("EVERGREEN_TOOLS").is_none() {
            // SAFETY: tests of this crate's users read the environment only after this call, which comes
            // first in each of them, and `Once` keeps concurrent callers waiting until it is set.
            unsafe { std::env::set_var("EVERGREEN_TOOLS", repository().join(".tools")) };
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_the_set_up_installed() {
        for name in ["z3", "cvc5", "yices-smt2", "bitwuzla", "redis-server"] {
            assert!(find(name).is_file());
        }
    }

    #[test]
    #[should_panic(expected = "run scripts/setup.sh")]
    fn a_missing_program_is_loud() {
        find("no-such-solver");
    }
}
