//! Native programs replay recorded tests.

use crate::modules::{PLAIN, write};
use evergreen_c::native::{self, Draw};
use evergreen_c::{Checks, Sources};
use std::path::Path;
use std::process::{Command, Output};

const TEXT: &str = r#"
#include <klee/klee.h>
#include <evergreen.h>
#include <stdio.h>
extern long __VERIFIER_nondet_long(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    char buffer[4];
    klee_make_symbolic(buffer, sizeof buffer, "the buffer");
    int x = evergreen_range(-5, 5, "x");
    long wide = __VERIFIER_nondet_long();
    double d = evergreen_double("d");
    printf("%.4s %d %ld %u %g %u\n", buffer, x, wide, __VERIFIER_nondet_uchar(), d, klee_is_replay());
    evergreen_check(x != 3);
    klee_assume(x != 4);
    if (x == 5) klee_silent_exit(1);
    return 7;
}
"#;

fn program(folder: &Path, texts: &[&str], checks: Checks) -> std::path::PathBuf {
    let files = write(folder, texts);
    let output = folder.join("program");
    let compiler = native::find(None).unwrap();
    native::compile(&compiler, &Sources { files, checks, ..Sources::default() }, &output).unwrap();
    output
}

fn replay(program: &Path, record: &str) -> Output {
    let file = program.with_extension("record");
    std::fs::write(&file, record).unwrap();
    Command::new(program).env(native::REPLAY, &file).output().unwrap()
}

/// The draws of `TEXT` with this x.
fn draws(x: i32) -> String {
    native::record(&[
        Draw { name: "the buffer", bytes: b"ab\0\xff" },
        Draw { name: "x", bytes: &x.to_le_bytes() },
        Draw { name: "__VERIFIER_nondet_long", bytes: &(-2i32).to_le_bytes() },
        Draw { name: "d", bytes: &1.5f64.to_le_bytes() },
        Draw { name: "", bytes: &[200] },
    ])
}

#[test]
fn a_program_draws_what_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let program = program(folder.path(), &[TEXT], PLAIN);
    let run = replay(&program, &draws(-5));
    assert_eq!(String::from_utf8_lossy(&run.stdout), "ab -5 -2 200 1.5 1\n");
    assert_eq!(run.status.code(), Some(7));
    // A finding ends by a signal.
    let run = replay(&program, &draws(3));
    assert_eq!((run.status.code(), String::from_utf8_lossy(&run.stderr).trim_end()), (None, "x != 3"));
    assert_eq!(replay(&program, &draws(4)).status.code(), Some(native::EXIT_ASSUMPTION));
    assert_eq!(replay(&program, &draws(6)).status.code(), Some(native::EXIT_ASSUMPTION), "out of range");
    assert_eq!(replay(&program, &draws(5)).status.code(), Some(native::EXIT_SILENT));
}

#[test]
fn differences_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let program = program(folder.path(), &[TEXT], PLAIN);
    let check = |record: &str, expected: &str| {
        let run = replay(&program, record);
        assert_eq!(String::from_utf8_lossy(&run.stderr).trim_end(), expected);
        assert_eq!(run.status.code(), Some(native::EXIT_DIFFERS));
    };
    check("", "replay: draw 1 \"the buffer\": the record ends before it");
    check("4 00000000 buffer\n", "replay: draw 1 \"the buffer\": the record has another name here");
    check("5 0000000000 the buffer\n", "replay: draw 1 \"the buffer\": 5 bytes are recorded, 4 wanted");
    check("3 000000 the buffer\n", "replay: draw 1 \"the buffer\": 3 bytes are recorded, 4 wanted");
    check("4 0000x000 the buffer\n", "replay: draw 1 \"the buffer\": the record is damaged");
    check("4 00000000 the buffer\n1 05 y\n", "replay: draw 2 \"x\": the record has another name here");
    let run = Command::new(&program).env_remove(native::REPLAY).output().unwrap();
    assert!(String::from_utf8_lossy(&run.stderr).contains("help: EVERGREEN_REPLAY names the file"));
}

/// A program that defines an intrinsic itself keeps its own.
#[test]
fn own_definitions_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <stdlib.h>\nvoid reach_error(void) { exit(3); }\nint main(void) { reach_error(); }";
    let program = program(folder.path(), &[text], PLAIN);
    assert_eq!(replay(&program, "").status.code(), Some(3));
}

/// The native compiler's own checks find what the machine finds.
#[test]
fn checks_are_sanitizers() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"
#include <klee/klee.h>
int main(void) { char a[4]; int i = klee_int("i"); a[i] = 1; return a[0] + i; }
"#;
    let checks = Checks { objects: true, undefined: true };
    let program = program(folder.path(), &[text], checks);
    let run = replay(&program, &native::record(&[Draw { name: "i", bytes: &4i32.to_le_bytes() }]));
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(said.contains("out of bounds") || said.contains("stack-buffer-overflow"), "{said}");
    let run = replay(&program, &native::record(&[Draw { name: "i", bytes: &0i32.to_le_bytes() }]));
    assert_eq!(run.status.code(), Some(1));
}
