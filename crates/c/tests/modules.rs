//! Real C becomes modules; what clang says is what the user reads.

use evergreen_c::{Checks, Clang, CompileError, Compiled, Entry, Sources};
use evergreen_testing::tools::put_on_path;
use std::path::PathBuf;
use wasmparser::{Parser, Payload, TypeRef};

/// A compiler; without one tests fail.
pub(crate) fn clang() -> Clang {
    put_on_path();
    Clang::find(None).unwrap_or_else(|e| panic!("{e}"))
}

pub(crate) const PLAIN: Checks = Checks { objects: false, undefined: false };

/// Compiles texts, the first as `prog.c` or whatever its first line `// name` says.
pub(crate) fn compile(texts: &[&str], sources: Sources) -> Result<Compiled, CompileError> {
    let folder = tempfile::tempdir().unwrap();
    let files = write(folder.path(), texts);
    clang().compile(&Sources { files, ..sources })
}

pub(crate) fn write(folder: &std::path::Path, texts: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let name = text.lines().next().and_then(|line| line.strip_prefix("// ")).map(String::from);
        let file = folder.join(name.unwrap_or_else(|| format!("prog{index}.c")));
        std::fs::write(&file, text).unwrap();
        files.push(file);
    }
    files
}

/// The functions that a module imports from "env", and what it exports.
pub(crate) fn edges(module: &[u8]) -> (Vec<String>, Vec<String>) {
    let (mut imports, mut exports) = (Vec::new(), Vec::new());
    wasmparser::validate(module).unwrap();
    for payload in Parser::new(0).parse_all(module) {
        match payload.unwrap() {
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import.unwrap();
                    assert!(matches!(import.ty, TypeRef::Func(_)), "{import:?}");
                    if import.module == "env" {
                        imports.push(import.name.to_string());
                    }
                }
            }
            Payload::ExportSection(section) => {
                exports.extend(section.into_iter().map(|export| export.unwrap().name.to_string()));
            }
            _ => {}
        }
    }
    imports.sort();
    exports.sort();
    (imports, exports)
}

#[test]
fn a_program_is_a_command() {
    let text = "int twice(int); int main(int argc, char **argv) { (void)argv; return twice(argc); }";
    let other = "int twice(int x) { return 2 * x; }";
    let made = compile(&[text, other], Sources { checks: PLAIN, ..Sources::default() }).unwrap();
    let (imports, exports) = edges(&made.module);
    assert_eq!(imports, [""; 0]);
    assert_eq!(exports, ["__data_end", "__heap_base", "_start", "memory"]);
    assert!(made.command.contains("--target=wasm32-wasi -O0 -g "), "{}", made.command);
    assert_eq!(made.warnings, "");
}

#[test]
fn a_function_is_exported_from_a_library() {
    let text =
        "static int seen; int parse(const char *s) { return s[0] + seen++; } int other(void) { return 1; }";
    let entry = Entry::Functions(vec!["parse".into()]);
    let made = compile(&[text], Sources { checks: PLAIN, entry, ..Sources::default() }).unwrap();
    assert_eq!(edges(&made.module).1, ["__data_end", "__heap_base", "_initialize", "memory", "parse"]);
    // A program's own main is no obstacle.
    let text = "int parse(int x) { return x; } int main(void) { return parse(1); }";
    let entry = Entry::Functions(vec!["parse".into()]);
    let made = compile(&[text], Sources { checks: PLAIN, entry, ..Sources::default() }).unwrap();
    assert_eq!(edges(&made.module).1, ["__data_end", "__heap_base", "_initialize", "memory", "parse"]);
    let entry = Entry::Functions(vec!["prase".into()]);
    let said = compile(&[text], Sources { entry, ..Sources::default() }).unwrap_err().to_string();
    assert!(said.contains("symbol exported via --export not found: prase"), "{said}");
    let text = "extern int missing; int main(void) { return missing; }";
    let said = compile(&[text], Sources::default()).unwrap_err().to_string();
    assert!(said.contains("undefined symbol: missing"), "{said}");
}

#[test]
fn harnesses_compile_and_intrinsics_are_imports() {
    let text = r#"
#include <klee/klee.h>
#include <evergreen.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
int main(void) {
    char buffer[4];
    klee_make_symbolic(buffer, sizeof buffer, "buffer");
    klee_assume(buffer[3] == 0);
    int x = klee_range(0, 9, "x") + klee_int("y") + evergreen_range(1, 2, "z") + evergreen_uchar("c");
    klee_prefer_cex(buffer, buffer[0] > 'a');
    evergreen_text(buffer, 4, "text");
    evergreen_check(x != 7);
    __VERIFIER_assume(x > __VERIFIER_nondet_int());
    if (x == 3) reach_error();
    klee_assert(x > 1);
    klee_silent_exit(0);
}
"#;
    let args = ["-Wall", "-Wextra", "-Werror"].map(Into::into).into();
    let made = compile(&[text], Sources { checks: PLAIN, args, ..Sources::default() }).unwrap();
    let expected = [
        "__VERIFIER_assume",
        "__VERIFIER_nondet_int",
        "evergreen_bytes",
        "evergreen_fail",
        "evergreen_range",
        "klee_assume",
        "klee_int",
        "klee_make_symbolic",
        "klee_prefer_cex",
        "klee_range",
        "klee_silent_exit",
        "reach_error",
    ];
    assert_eq!(edges(&made.module).0, expected);
}

#[test]
fn errors_are_those_of_clang() {
    let said = compile(&["int main(void) { return x; }"], Sources::default()).unwrap_err();
    assert!(matches!(said, CompileError::Rejected(_)), "{said:?}");
    let said = said.to_string();
    assert!(said.contains("prog0.c:1:25: error: use of undeclared identifier 'x'"), "{said}");
    // Not glibc's header, which the driver would find.
    let said =
        compile(&["#include <setjmp.h>\nint main(void) { }"], Sources::default()).unwrap_err().to_string();
    assert!(said.contains("prog0.c:1:10: fatal error: 'setjmp.h' file not found"), "{said}");
    let warned = compile(
        &["int main(void) { int y; return y; }"],
        Sources { args: vec!["-Wall".into()], ..Sources::default() },
    );
    assert!(warned.unwrap().warnings.contains("warning: variable 'y' is uninitialized"));
}

#[test]
fn the_callers_arguments_win() {
    let text = "#include \"own.h\"\nint main(void) { return OWN + MORE; }";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("own.h"),
        "#define OWN 1\n#ifndef __OPTIMIZE__\n#error plain\n#endif\n",
    )
    .unwrap();
    let include = vec![folder.path().to_path_buf()];
    let args = vec!["-DMORE=2".into(), "-O1".into()];
    compile(&[text], Sources { include: include.clone(), args, ..Sources::default() }).unwrap();
    let said = compile(&[text], Sources { include, ..Sources::default() }).unwrap_err().to_string();
    assert!(said.contains("error: plain"), "{said}");
}

/// Functions of the library stay calls, so that a machine can take them by name.
#[test]
fn library_functions_are_called_by_name() {
    let text = r#"
#include <string.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    char *copy = malloc(8);
    memset(copy, 0, 8);
    memcpy(copy, argv[0], 4);
    int n = strlen("constant") + memcmp(copy, "abcd", 4) + strcmp(copy, "x") + (strchr(copy, 'c') != 0);
    free(copy);
    return n + argc;
}
"#;
    for checks in [PLAIN, Checks::default()] {
        let made = compile(&[text], Sources { checks, ..Sources::default() }).unwrap();
        let called = called_from(&made.module, "main");
        for name in ["malloc", "memset", "memcpy", "strlen", "memcmp", "strcmp", "strchr", "free"] {
            assert!(called.iter().any(|c| c == name), "{name} is not among {called:?}");
        }
    }
}

/// The names of the functions that a function calls directly.
fn called_from(module: &[u8], caller: &str) -> Vec<String> {
    let mut names = std::collections::BTreeMap::new();
    let mut imported = 0;
    let mut bodies = Vec::new();
    for payload in Parser::new(0).parse_all(module) {
        match payload.unwrap() {
            Payload::ImportSection(section) => imported = section.into_imports().count(),
            Payload::CodeSectionEntry(body) => bodies.push(body),
            Payload::CustomSection(section) => {
                let wasmparser::KnownCustom::Name(parts) = section.as_known() else { continue };
                for part in parts {
                    let wasmparser::Name::Function(map) = part.unwrap() else { continue };
                    names.extend(map.into_iter().map(|n| n.unwrap()).map(|n| (n.index, n.name.to_string())));
                }
            }
            _ => {}
        }
    }
    let is_caller = |name: &str| name == caller || name == "__main_argc_argv" && caller == "main";
    let index = names.iter().find(|(_, name)| is_caller(name)).map(|(index, _)| *index).expect("the caller");
    let mut called = Vec::new();
    for operator in bodies[index as usize - imported].get_operators_reader().unwrap() {
        if let wasmparser::Operator::Call { function_index } = operator.unwrap() {
            called.push(names[&function_index].clone());
        }
    }
    called
}

#[test]
fn undefined_behaviour_is_named() {
    let text = r#"
int table[4];
int f(int i, int j, int *p) { return (i << j) + table[i] / j - *p; }
int main(int argc, char **argv) { (void)argv; return f(argc, argc, table); }
"#;
    let checks = Checks { objects: false, undefined: true };
    let made = compile(&[text], Sources { checks, ..Sources::default() }).unwrap();
    let imports = edges(&made.module).0;
    for name in [
        "add_overflow",
        "sub_overflow",
        "shift_out_of_bounds",
        "out_of_bounds",
        "divrem_overflow",
        "type_mismatch",
    ] {
        let name = format!("__ubsan_handle_{name}_minimal_abort");
        assert!(imports.contains(&name), "{name} is not among {imports:?}");
    }
    assert!(!imports.iter().any(|name| name.contains("pointer_overflow")), "{imports:?}");
}

/// Either the library for C++ is there and used, or the message names the package.
#[test]
fn cpp_compiles_where_its_library_is() {
    let text = "// prog.cpp\n#include <vector>\nint main() { std::vector<int> v{1, 2}; return v.size(); }";
    match compile(&[text], Sources { checks: PLAIN, ..Sources::default() }) {
        Ok(made) => assert!(edges(&made.module).1.contains(&"_start".into())),
        Err(error) => {
            let said = error.to_string();
            assert!(said.contains(": has no C++ library for wasm32-wasi\nhelp: install libc++-"), "{said}");
        }
    }
}

#[test]
fn signals_clocks_and_mappings_of_wasi_libc_are_linked() {
    let text = r#"
        #include <signal.h>
        #include <sys/mman.h>
        #include <time.h>
        #include <unistd.h>
        static volatile int seen;
        static void note(int number) { seen = number; }
        int main(void) {
            signal(SIGINT, note);
            raise(SIGINT);
            void *p = mmap(0, 8, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            return seen != SIGINT || getpid() == 0 || p == MAP_FAILED || clock() == (clock_t)-1;
        }"#;
    let made = compile(&[text], Sources { checks: PLAIN, ..Sources::default() }).unwrap();
    assert_eq!(edges(&made.module).0, [""; 0]);
}
