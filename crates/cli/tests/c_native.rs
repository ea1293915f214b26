//! Tests of C programs on the native program: what is a difference and what is not.

use crate::common::{Folder, find, isolated, run, stderr, stdout};
use std::path::Path;

/// Runs `evergreen explore` on a C program with one symbolic argument of one byte.
fn explored(text: &str) -> String {
    let folder = Folder::new();
    let source = folder.path("program.c");
    std::fs::write(&source, text).expect("a file");
    let mut command = isolated(Path::new(env!("CARGO_BIN_EXE_evergreen")), &folder);
    command.env("EVERGREEN_CC", find("wasm-clang")).env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.args(["explore", "--sym-arg", "1", "--solver", "none", "--store", "memory:"]).arg(&source);
    let done = run(&mut command, "");
    assert!(done.status.success(), "{}{}", stdout(&done), stderr(&done));
    stdout(&done)
}

#[test]
fn memory_that_is_not_freed_and_long_output_are_no_difference() {
    let text = explored(
        r#"
        #include <stdio.h>
        #include <stdlib.h>
        int main(int argc, char **argv) {
            char *lost = malloc(40);
            if (argv[1][0] == 'x') return 3;
            for (int i = 0; i < 2000; i++) printf("%060d\n", i);
            lost[0] = 1;
            lost = 0;
            return 4;
        }
        "#,
    );
    assert!(text.contains("the native program did the same in 2 tests"), "{text}");
}
