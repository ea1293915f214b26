//! Finds a clang that makes WebAssembly: the program, the C library, the linker, the compiler runtime.
//!
//! One start of the driver with `-###` prints the commands that it would run. They name everything: the
//! version, the headers of wasi-libc, the linker, `crt1`, the runtime. So a part that is missing is named
//! before a source is compiled, where clang's own message would be about a header or a linker that it could
//! not start. It costs about 10 ms of processor time.
//!
//! Debian's driver also searches `/usr/include`, which is glibc's: `#include <setjmp.h>` then fails inside
//! glibc's headers. So the standard places are switched off and wasi-libc's headers are named alone.

use crate::CompileError;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The target of every module.
pub(crate) const TARGET: &str = "--target=wasm32-wasi";

/// Names on `PATH`, in the order in which they are tried. `wasm-clang` is the launcher of `scripts/setup.sh
/// c`.
const NAMES: [&str; 10] = [
    "wasm-clang",
    "clang",
    "clang-19",
    "clang-18",
    "clang-17",
    "clang-16",
    "clang-15",
    "clang-20",
    "clang-21",
    "clang-14",
];

const HELP: &str =
    "help: run scripts/setup.sh c, or install clang, lld, wasi-libc and libclang-rt-dev-wasm32";

/// A compiler for WebAssembly.
#[derive(Clone, Debug)]
pub struct Clang {
    /// The program.
    pub program: PathBuf,
    /// Its major version, such as 16.
    pub version: u32,
    /// The headers of wasi-libc.
    pub(crate) headers: PathBuf,
    /// Its libraries.
    pub(crate) libraries: PathBuf,
}

impl Clang {
    /// The compiler that the caller names, else the one of `EVERGREEN_CC`, else the first that can make
    /// WebAssembly of: `wasm-clang` in `$EVERGREEN_TOOLS/bin`, in the `.tools/bin` of the workspace that this
    /// program was built in, then `wasm-clang`, `clang` and `clang-NN` on `PATH`.
    pub fn find(told: Option<&OsStr>) -> Result<Clang, CompileError> {
        let set = std::env::var_os("EVERGREEN_CC").filter(|value| !value.is_empty());
        if let Some(program) = told.map(OsStr::to_os_string).or(set) {
            let path = on_path(&program).unwrap_or_else(|| PathBuf::from(&program));
            return probe(&path).map_err(CompileError::NoCompiler);
        }
        let mut first = None;
        for candidate in candidates() {
            match probe(&candidate) {
                Ok(clang) => return Ok(clang),
                Err(why) => first = first.or(Some(why)),
            }
        }
        Err(CompileError::NoCompiler(first.unwrap_or_else(|| format!("no clang found\n{HELP}"))))
    }
}

/// Programs that exist, best first.
fn candidates() -> Vec<PathBuf> {
    let tools = std::env::var_os("EVERGREEN_TOOLS").map(|tools| PathBuf::from(tools).join("bin/wasm-clang"));
    let own = std::env::current_exe().ok().and_then(|exe| {
        let target = exe.ancestors().find(|folder| folder.ends_with("target"))?;
        Some(target.parent()?.join(".tools/bin/wasm-clang"))
    });
    let mut found: Vec<PathBuf> = tools.into_iter().chain(own).filter(|file| file.is_file()).collect();
    found.extend(NAMES.iter().filter_map(|name| on_path(OsStr::new(name))));
    found
}

/// The file that a name without a folder means.
pub(crate) fn on_path(name: &OsStr) -> Option<PathBuf> {
    if Path::new(name).components().count() != 1 {
        return None;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// Asks the driver what it would run.
fn probe(program: &Path) -> Result<Clang, String> {
    let place = program.display();
    let run = Command::new(program).args(["-###", TARGET, "-x", "c", "/dev/null"]).output();
    let run = run.map_err(|e| format!("{place}: {e}\n{HELP}"))?;
    let text = String::from_utf8_lossy(&run.stderr);
    read_commands(program, &text, |file| file.exists())
}

/// Reads the driver's commands. `exists` says whether a file is there.
fn read_commands(program: &Path, text: &str, exists: impl Fn(&Path) -> bool) -> Result<Clang, String> {
    let place = program.display();
    let lacks = |what: &str| format!("{place}: {what}\n{HELP}");
    let version = text.lines().find_map(|line| line.split("clang version ").nth(1));
    let version = version.and_then(|v| v.split('.').next()?.parse().ok());
    let version = version.ok_or_else(|| lacks("not a clang"))?;
    if !text.contains("-cc1") {
        return Err(lacks("cannot make WebAssembly"));
    }
    let words: Vec<&str> = text.split('"').skip(1).step_by(2).collect();
    let after = words.windows(2).filter(|pair| pair[0] == "-internal-isystem").map(|pair| Path::new(pair[1]));
    let headers = after.into_iter().find(|folder| exists(&folder.join("stdio.h")) && is_wasi(folder));
    let headers = headers.ok_or_else(|| lacks("has no C library for wasm32-wasi"))?.to_path_buf();
    let crt = words.iter().map(Path::new).find(|file| file.ends_with("crt1-command.o") && exists(file));
    let libraries = crt.and_then(Path::parent).ok_or_else(|| lacks("has no C library for wasm32-wasi"))?;
    let runtime = words.iter().map(Path::new).find(|file| {
        file.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with("libclang_rt.builtins"))
    });
    if !runtime.is_some_and(&exists) {
        return Err(lacks("has no compiler runtime for wasm32"));
    }
    let linker = words.iter().map(Path::new).find(|file| {
        file.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with("wasm-ld"))
    });
    let is_there = |file: &Path| exists(file) || on_path(file.as_os_str()).is_some();
    if !linker.is_some_and(is_there) {
        return Err(lacks("has no linker wasm-ld"));
    }
    Ok(Clang { program: program.to_path_buf(), version, headers, libraries: libraries.to_path_buf() })
}

/// Is the folder that of wasi-libc? Newer ones call it `wasm32-wasip1`.
fn is_wasi(folder: &Path) -> bool {
    folder.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with("wasm32-wasi"))
}

/// A command as a line that a shell would read back.
pub(crate) fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let quoted = |word: &OsStr| {
        let text = word.to_string_lossy();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./,:@%".contains(c);
        if !text.is_empty() && text.chars().all(plain) {
            text.into_owned()
        } else {
            format!("'{}'", text.replace('\'', r"'\''"))
        }
    };
    words.map(quoted).collect::<Vec<_>>().join(" ")
}

/// A path as a string of C.
pub(crate) fn shown_path(path: &Path) -> String {
    path.display().to_string().replace('\\', "\\\\").replace('"', "\\\"")
}

/// A flag and its value as one word: `flag("-I", folder)`.
pub(crate) fn flag(name: &str, value: impl AsRef<OsStr>) -> OsString {
    let mut word = OsString::from(name);
    word.push(value);
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = r#"Debian clang version 16.0.6 (15~deb12u1)
Target: wasm32-unknown-wasi
 "/usr/lib/llvm-16/bin/clang" "-cc1" "-internal-isystem" "/usr/include/wasm32-wasi" "-internal-isystem" "/usr/include"
 "/usr/bin/wasm-ld-16" "-m" "wasm32" "/usr/lib/wasm32-wasi/crt1-command.o" "/rt/libclang_rt.builtins-wasm32.a" "-o" "a"
"#;

    #[test]
    fn reads_what_the_driver_would_run() {
        let clang = read_commands(Path::new("clang"), SAID, |_| true).unwrap();
        assert_eq!(clang.version, 16);
        assert_eq!(clang.headers, Path::new("/usr/include/wasm32-wasi"));
        assert_eq!(clang.libraries, Path::new("/usr/lib/wasm32-wasi"));
    }

    #[test]
    fn names_the_part_that_is_missing() {
        let check = |missing: &str, expected: &str| {
            let exists = |file: &Path| !file.to_str().unwrap().contains(missing);
            let said = read_commands(Path::new("/bin/clang"), SAID, exists).unwrap_err();
            assert_eq!(said.lines().next().unwrap(), format!("/bin/clang: {expected}"));
            assert!(said.lines().last().unwrap().starts_with("help: run scripts/setup.sh c"), "{said}");
        };
        check("stdio.h", "has no C library for wasm32-wasi");
        check("crt1", "has no C library for wasm32-wasi");
        check("builtins", "has no compiler runtime for wasm32");
        check("wasm-ld", "has no linker wasm-ld");
        let said = read_commands(Path::new("/bin/gcc"), "gcc: error", |_| true).unwrap_err();
        assert!(said.starts_with("/bin/gcc: not a clang\n"), "{said}");
    }

    #[test]
    fn a_compiler_that_is_told_is_the_only_one() {
        let said = Clang::find(Some(OsStr::new("/nowhere/clang"))).unwrap_err().to_string();
        assert!(said.starts_with("/nowhere/clang: No such file"), "{said}");
    }

    #[test]
    fn a_command_can_be_given_to_a_shell() {
        let mut command = Command::new("clang-16");
        command.args(["-DX=\"a b\"", "it's", ""]);
        assert_eq!(shown(&command), r#"clang-16 '-DX="a b"' 'it'\''s' ''"#);
    }
}
