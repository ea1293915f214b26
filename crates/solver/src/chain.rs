//! Programs that start each other as solvers, and how that ends.
//!
//! A stand-in for z3 looks for the real z3. If it finds the stand-in again (`EVERGREEN_Z3` names it, or a
//! script on `PATH` runs it), each process starts the next one, and the machine is full of them within
//! seconds. Two variables, set only for processes that are started *as solvers*, prevent that:
//!
//! - `EVERGREEN_CHAIN`: the executables that stand in for solvers on the way here, by device and inode. The
//!   search along `PATH` passes over them.
//! - `EVERGREEN_STARTED`: the commands that were started as solvers on the way here. A
//!   repeated command is a cycle.
//!
//! Nesting that makes progress is legitimate: a portfolio script as the solver, which calls solvers through
//! their stand-ins, or a wrapper that sets `EVERGREEN_Z3` before such a call. It may be [`DEEPEST`] levels
//! deep, which ends cycles whose command lines grow.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::command::{Command, Kind};
use crate::error::SolverError;

const CHAIN: &str = "EVERGREEN_CHAIN";
const STARTED: &str = "EVERGREEN_STARTED";
/// The most levels of stand-ins.
const DEEPEST: usize = 4;

pub(crate) fn identity(file: &fs::Metadata) -> String {
    format!("{:x}:{:x}", file.dev(), file.ino())
}

fn words(variable: &str) -> Vec<String> {
    std::env::var(variable).unwrap_or_default().split_whitespace().map(str::to_string).collect()
}

fn own() -> Option<String> {
    std::env::current_exe().ok().and_then(|path| fs::metadata(path).ok()).as_ref().map(identity)
}

/// The executables that stand in for solvers on the way to this process, this one included. Two *copies* of a
/// stand-in on `PATH` would otherwise start each other for ever.
pub(crate) fn stand_ins() -> Vec<String> {
    words(CHAIN).into_iter().chain(own()).collect()
}

/// A command as it is recorded. Under a solver's name the file alone identifies it, whatever a script adds to
/// its arguments; other programs, such as interpreters, are distinguished by their arguments.
fn link(command: &Command, file: &Path) -> Option<String> {
    let mut link = identity(&fs::metadata(file).ok()?);
    if Kind::of_program(file) == Kind::Other {
        let mut hasher = DefaultHasher::new();
        command.args.hash(&mut hasher);
        link.push_str(&format!(":{:x}", hasher.finish()));
    }
    Some(link)
}

/// Refuses a command that leads back to where this process came from.
pub(crate) fn check(command: &Command, file: &Path) -> Result<(), SolverError> {
    let circle = |how| Err(SolverError::Circle { program: file.to_path_buf(), how });
    let found = fs::metadata(file).ok().as_ref().map(identity);
    if found.is_some_and(|found| stand_ins().contains(&found)) {
        return circle(Circle::Itself);
    }
    if link(command, file).is_some_and(|link| words(STARTED).contains(&link)) {
        return circle(Circle::Again);
    }
    if words(CHAIN).len() >= DEEPEST {
        return circle(Circle::Deep);
    }
    Ok(())
}

/// How a command leads back to where it came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Circle {
    /// It is the program that is running, or one that has started it.
    Itself,
    /// It was started before, and has led here.
    Again,
    /// There are too many levels.
    Deep,
}

/// Records in the environment of a process that it is started as a solver, and which commands led to it.
pub fn mark(process: &mut std::process::Command, command: &Command, file: &Path) {
    let started = words(STARTED).into_iter().chain(link(command, file));
    process.env(CHAIN, stand_ins().join(" ")).env(STARTED, started.collect::<Vec<_>>().join(" "));
}
