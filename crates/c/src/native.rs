//! The same sources as a native program, for replay outside of WebAssembly.
//!
//! The runtime `crates/c/runtime/replay.c` is linked. It takes the values of draws from the file that
//! `EVERGREEN_REPLAY` names; [`record`] writes such a file. The head of the runtime describes the format and
//! the exit codes.

use crate::CompileError;
use crate::clang::{flag, on_path, shown};
use crate::compile::{Checks, Sources, as_file, is_cpp};
use crate::headers::Scratch;
use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The environment variable that names the record of a test.
pub const REPLAY: &str = "EVERGREEN_REPLAY";
/// The exit status of a program that draws something else than the record says.
pub const EXIT_DIFFERS: i32 = 120;
/// The exit status of a program whose assumption does not hold.
pub const EXIT_ASSUMPTION: i32 = 121;
/// The exit status after `klee_silent_exit`.
pub const EXIT_SILENT: i32 = 122;

/// One draw of a test: what a native program reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw<'a> {
    /// What the program calls it; empty fits any.
    pub name: &'a str,
    /// Its bytes, numbers little-endian.
    pub bytes: &'a [u8],
}

/// The text of a record.
pub fn record(draws: &[Draw<'_>]) -> String {
    let mut text = String::new();
    for draw in draws {
        let _ = write!(text, "{} ", draw.bytes.len());
        for byte in draw.bytes {
            let _ = write!(text, "{byte:02x}");
        }
        if draw.bytes.is_empty() {
            text.push('-');
        }
        let _ = writeln!(text, " {}", draw.name.replace(['\n', '\0'], "?"));
    }
    text
}

/// The native compiler: the one that the caller names, else `CC`, else `cc`, `gcc` or `clang` on `PATH`.
pub fn find(told: Option<&OsStr>) -> Result<PathBuf, CompileError> {
    let set = std::env::var_os("CC").filter(|value| !value.is_empty());
    if let Some(program) = told.map(OsStr::to_os_string).or(set) {
        return Ok(on_path(&program).unwrap_or_else(|| PathBuf::from(&program)));
    }
    let found = ["cc", "gcc", "clang"].iter().find_map(|name| on_path(OsStr::new(name)));
    found.ok_or_else(|| {
        CompileError::NoCompiler("no native C compiler found\nhelp: install gcc, or set CC".into())
    })
}

/// Compiles and links a program for this machine into `output`; returns the command. Checks become the
/// compiler's own sanitizers. A library without `main` needs a source that has one among the files.
pub fn compile(compiler: &Path, sources: &Sources, output: &Path) -> Result<String, CompileError> {
    let scratch = Scratch::new()?;
    let mut command = Command::new(compiler);
    command.args(["-O0", "-g"]).args(sanitizers(sources.checks));
    command.args(sources.include.iter().map(|folder| flag("-I", folder)));
    command.arg(flag("-I", scratch.include())).args(&sources.args);
    // A C++ driver would compile the runtime as C++: it comes as C, and what follows by its name again.
    command.args(["-x", "c"]).arg(scratch.runtime()).args(["-x", "none"]);
    command.args(sources.files.iter().map(|file| as_file(file)));
    if sources.files.iter().any(|file| is_cpp(file)) {
        command.arg("-lstdc++");
    }
    command.args(["-lm", "-o"]).arg(output);
    let run = command.output().map_err(|e| CompileError::io(compiler, e))?;
    if !run.status.success() {
        return Err(CompileError::Rejected(String::from_utf8_lossy(&run.stderr).trim_end().to_string()));
    }
    Ok(shown(&command))
}

fn sanitizers(checks: Checks) -> Vec<OsString> {
    let mut flags = Vec::new();
    if checks.objects {
        flags.push("-fsanitize=address".into());
    }
    if checks.undefined {
        flags.extend(["-fsanitize=undefined".into(), "-fno-sanitize-recover=all".into()]);
    }
    flags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_a_line_for_each_draw() {
        let draws = [
            Draw { name: "a b", bytes: &[1, 0xff] },
            Draw { name: "x\ny", bytes: &[] },
            Draw { name: "", bytes: &[0] },
        ];
        assert_eq!(record(&draws), "2 01ff a b\n0 - x?y\n1 00 \n");
    }
}
