//! The programs in `subjects/c`: every version compiles without a warning, and the known findings are real:
//! the native program, with the compiler's own sanitizers, reports them for the recorded input, and the next
//! version does not.

use crate::modules::{PLAIN, clang};
use evergreen_c::native::{self, Draw};
use evergreen_c::{Checks, Sources};
use evergreen_testing::tools::repository;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Sources below `subjects/c` and in `examples`, in order.
fn sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![repository().join("subjects/c"), repository().join("examples")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "c") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn strict(file: &Path, checks: Checks) -> Sources {
    let args = ["-Wall", "-Wextra", "-Werror"].map(Into::into).into();
    Sources { files: vec![file.to_path_buf()], args, checks, ..Sources::default() }
}

#[test]
fn every_version_compiles_without_a_warning() {
    let (clang, compiler) = (clang(), native::find(None).unwrap());
    let sources = sources();
    assert!(sources.len() > 70, "found only {}", sources.len());
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        let folder = tempfile::tempdir().unwrap();
        while let Some(file) = sources.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)) {
            let made = clang.compile(&strict(file, Checks::default()));
            let made = made.unwrap_or_else(|e| panic!("{}: {e}", file.display()));
            assert_eq!(made.warnings, "", "{}", file.display());
            let mut sources = strict(file, PLAIN);
            sources.args.push("-fsyntax-only".into());
            let native = native::compile(&compiler, &sources, &folder.path().join("program"));
            native.unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(work);
        }
    });
}

/// What one run is given.
#[derive(Default, Clone)]
struct Input<'a> {
    draws: Vec<(&'a str, Vec<u8>)>,
    args: &'a [&'a str],
    stdin: &'a str,
}

/// What a version says to an input; none if it ends without a finding.
fn finding(subject: &str, version: &str, input: &Input<'_>) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = repository().join(format!("subjects/c/{subject}/{version}/{subject}.c"));
    let program = folder.path().join("program");
    let checks = Checks { objects: true, undefined: true };
    native::compile(&native::find(None).unwrap(), &strict(&file, checks), &program).unwrap();
    let draws: Vec<Draw<'_>> = input.draws.iter().map(|(name, bytes)| Draw { name, bytes }).collect();
    let record = folder.path().join("record");
    std::fs::write(&record, native::record(&draws)).unwrap();
    let mut command = Command::new(&program);
    // Leaks are looked for by a tracer, which containers refuse.
    command.env(native::REPLAY, &record).env("ASAN_OPTIONS", "detect_leaks=0:symbolize=0").args(input.args);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.stdin.as_bytes()).unwrap();
    let run = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_ne!(run.status.code(), Some(native::EXIT_DIFFERS), "{subject} {version}: {said}");
    let found = ["AddressSanitizer", "runtime error", "Assertion"].iter().any(|word| said.contains(word));
    found.then_some(said)
}

/// The bad version reports `expected`, the good one nothing.
fn check(subject: &str, bad: &str, good: &str, input: &Input<'_>, expected: &[&str]) {
    let said = finding(subject, bad, input).unwrap_or_else(|| panic!("{subject} {bad} says nothing"));
    assert!(expected.iter().any(|text| said.contains(text)), "{subject} {bad}: {said}");
    let said = finding(subject, good, input);
    assert!(said.is_none(), "{subject} {good}: {said:?}");
}

fn text<'a>(name: &'a str, bytes: &[u8], size: usize) -> Input<'a> {
    let mut bytes = bytes.to_vec();
    bytes.resize(size, 0);
    Input { draws: vec![(name, bytes)], ..Input::default() }
}

fn ints<'a>(name: &'a str, values: &[i32]) -> (&'a str, Vec<u8>) {
    (name, values.iter().flat_map(|value| value.to_le_bytes()).collect())
}

const BOUNDS: &[&str] = &["buffer-overflow", "out of bounds", "insufficient space"];

#[test]
fn known_findings_of_parsers_are_real() {
    check("tokenizer", "v0", "v1", &text("text", b"[[[[[[", 6), BOUNDS);
    check("json", "v0", "v1", &text("text", b"[1x", 8), &["heap-use-after-free", "double-free"]);
    check("url", "v0", "v1", &text("text", b"abcdef:%", 9), BOUNDS);
    check("ini", "v0", "v1", &text("text", b"[abcd]", 7), BOUNDS);
    check("regex", "v0", "v1", &text("re", b"hell\\", 6), BOUNDS);
    check("calc", "v0", "v1", &text("text", b"1/0", 6), &["division by zero"]);
    check("calc", "v2", "v3", &text("text", b"1%0", 6), &["division by zero"]);
    check("args", "v0", "v1", &text("text", b"\"abcde", 7), BOUNDS);
    check("numbers", "v0", "v1", &text("text", b"99999", 6), &["signed integer overflow"]);
    check("chunked", "v0", "v1", &text("text", b"9\nabcd", 6), BOUNDS);
    let versions = vec![("first", b"1-a\0\0".to_vec()), ("second", b"1-b\0\0".to_vec())];
    check("semver", "v1", "v2", &Input { draws: versions, ..Input::default() }, &["Assertion"]);
}

#[test]
fn known_findings_of_structures_and_utilities_are_real() {
    let drawn = |draws| Input { draws, ..Input::default() };
    check("bst", "v1", "v2", &drawn(vec![ints("keys", &[1; 5])]), &["heap-use-after-free"]);
    check("hashtable", "v0", "v1", &drawn(vec![ints("keys", &[-1, 0, 0, 0])]), BOUNDS);
    check("machine", "v2", "v3", &text("text", b"\x80", 7), BOUNDS);
    check("crc8", "v2", "v1", &text("data", b"\x07", 8), BOUNDS);
    check("sort", "v1", "v2", &drawn(vec![ints("numbers", &[1, 0, 0, 0, 0, 0])]), BOUNDS);
    let sorted = vec![ints("numbers", &[0; 64]), ints("key", &[1])];
    check("search", "v1", "v2", &drawn(sorted), BOUNDS);
    let line = Input { stdin: "aaaaaaaa\n", ..Input::default() };
    check("cut", "v0", "v1", &line, BOUNDS);
    let zero = Input { args: &["1", "/", "0"], ..Input::default() };
    check("expr", "v0", "v1", &zero, &["division by zero"]);
    let greatest = Input { args: &["2147483647", "+", "1"], ..Input::default() };
    check("expr", "v0", "v1", &greatest, &["signed integer overflow"]);
}
