//! Draws of harnesses, and imports that nobody provides.

use crate::common::{compile, text, wat, world};
use evergreen_engine::{End, Entry, Failure, Limits, Natives, Probed, Ran, Test};

fn draw(name: &str, bytes: &[u8]) -> (String, Vec<u8>) {
    (name.to_string(), bytes.to_vec())
}

fn run(module: &[u8], draws: Vec<(String, Vec<u8>)>) -> Ran {
    let probed = Probed::plant(module, &Natives::default()).expect("planted");
    let test = Test { world: world(&["p"], ""), draws, ..Test::default() };
    probed.run(&test, &Limits::default()).expect("the test runs")
}

const DRAWS: &str = r#"
    #include <stdio.h>
    #include <stdbool.h>
    void klee_make_symbolic(void *, unsigned long, const char *);
    int klee_int(const char *), klee_range(int, int, const char *);
    int evergreen_int(const char *);
    void klee_assume(unsigned long), klee_warning(const char *), klee_open_merge(void);
    long long klee_get_value_i64(long long);
    unsigned klee_is_symbolic(unsigned long);
    bool __VERIFIER_nondet_bool(void);
    char __VERIFIER_nondet_char(void);
    unsigned char __VERIFIER_nondet_uchar(void);
    short __VERIFIER_nondet_short(void);
    long long __VERIFIER_nondet_longlong(void);
    double __VERIFIER_nondet_double(void);
    float __VERIFIER_nondet_float(void);
    int main(void) {
        char text[3];
        klee_make_symbolic(text, 3, "text");
        int i = klee_int("i"), r = klee_range(-2, 5, "r"), e = evergreen_int("e");
        klee_assume(i > 0);
        klee_warning("w"); klee_open_merge();
        printf("%.3s %d %d %d %lld %u\n", text, i, r, e, klee_get_value_i64(1LL << 40), klee_is_symbolic(i));
        printf("%d %d", __VERIFIER_nondet_bool(), __VERIFIER_nondet_char());
        printf(" %d %d", __VERIFIER_nondet_uchar(), __VERIFIER_nondet_short());
        printf(" %lld %g %g\n", __VERIFIER_nondet_longlong(), __VERIFIER_nondet_double(), __VERIFIER_nondet_float());
        return 0;
    }"#;

fn values() -> Vec<(String, Vec<u8>)> {
    vec![
        draw("text", b"abc"),
        draw("i", &77i32.to_le_bytes()),
        draw("r", &(-2i32).to_le_bytes()),
        draw("e", &5i32.to_le_bytes()),
        draw("", &[7]),
        draw("", &[0xff]),
        draw("", &[0xff]),
        draw("", &(-3i16).to_le_bytes()),
        draw("", &(-1i64 << 40).to_le_bytes()),
        draw("", &1.5f64.to_le_bytes()),
        draw("", &0.25f32.to_le_bytes()),
    ]
}

#[test]
fn values_are_drawn_in_order() {
    let ran = run(&compile(DRAWS), values());
    assert_eq!(text(&ran.stdout), "abc 77 -2 5 1099511627776 0\n1 -1 255 -3 -1099511627776 1.5 0.25\n");
    assert_eq!((ran.end, ran.draws), (End::Returned(vec![]), 11));
}

#[test]
fn draws_that_do_not_fit_are_named() {
    let module = compile(DRAWS);
    let ran = run(&module, values()[..2].to_vec());
    assert_eq!(ran.end, End::Draw("draw 2: none left for 'r' of 4 bytes".to_string()));
    let mut wrong = values();
    wrong[1] = draw("old", &[1, 2]);
    let end = run(&module, wrong).end;
    assert_eq!(end, End::Draw("draw 1: 'i' takes 4 bytes, the test has 'old' of 2".to_string()));
}

#[test]
fn assumptions_reject_a_test() {
    let module = compile(DRAWS);
    let mut other = values();
    other[1] = draw("i", &0i32.to_le_bytes());
    assert_eq!(run(&module, other).end, End::Rejected);
    let mut other = values();
    other[2] = draw("r", &5i32.to_le_bytes());
    assert_eq!(run(&module, other).end, End::Rejected);
}

fn end_of(body: &str) -> End {
    let source = format!(
        "void klee_silent_exit(int), klee_report_error(const char *, int, const char *, const char *),\n\
         reach_error(void), __VERIFIER_assume(int), klee_assert(int), __asan_load4(void *);\n\
         void *__asan_memcpy(void *, const void *, unsigned long), __asan_report_load4(void *);\n\
         int main(void) {{ int i = 0; {body} return 0; }}"
    );
    run(&compile(&source), vec![]).end
}

#[test]
fn harnesses_end_runs() {
    assert_eq!(end_of("klee_silent_exit(4);"), End::Silent(4));
    assert_eq!(end_of("reach_error();"), End::Failed(Failure::ReachError));
    assert_eq!(end_of("__VERIFIER_assume(i);"), End::Rejected);
    let report = End::Failed(Failure::Report {
        file: "f.c".to_string(),
        line: 9,
        message: "odd".to_string(),
        suffix: "user.err".to_string(),
    });
    assert_eq!(end_of("klee_report_error(\"f.c\", 9, \"odd\", \"user.err\");"), report);
    assert!(matches!(end_of("klee_assert(i);"), End::Failed(Failure::Assert { .. })));
    let copy = "int j = 1; __asan_load4(&i); __asan_memcpy(&i, &j, 4); klee_silent_exit(i);";
    assert_eq!(end_of(copy), End::Silent(1));
    let report = End::Failed(Failure::Sanitizer("__asan_report_load4".to_string()));
    assert_eq!(end_of("__asan_report_load4(&i);"), report);
}

#[test]
fn unknown_imports_end_the_run_that_calls_them() {
    let run = |import: &str, entry: &str| {
        let module = format!(
            "(module (import {import})
                (func (export \"_start\"))
                (func (export \"calls\") (drop (call 0 (i32.const 7)))))"
        );
        let probed = Probed::plant(&wat(&module), &Natives::default()).unwrap();
        let test = Test { entry: Entry::Export(entry.to_string()), ..Test::default() };
        probed.run(&test, &Limits::default()).unwrap().end
    };
    let fork = "\"env\" \"fork\" (func (param i32) (result i32))";
    assert_eq!(run(fork, "_start"), End::Returned(Vec::new()));
    let message = |import: &str| match run(import, "calls") {
        End::Missing(message) => message,
        other => panic!("{import}: {other:?}"),
    };
    assert_eq!(message(fork), "import 'env.fork': no host provides this function");
    let typed = |module: &str, name: &str| {
        message(&format!("\"{module}\" \"{name}\" (func (param i32) (result i32))"))
    };
    let expected = "import 'wasi_snapshot_preview1.fd_fork': not a function of WASI preview 1";
    assert_eq!(typed("wasi_snapshot_preview1", "fd_fork"), expected);
    let expected = "import 'wasi_snapshot_preview1.sched_yield': has type ':i', is imported as 'i:i'";
    assert_eq!(typed("wasi_snapshot_preview1", "sched_yield"), expected);
    assert_eq!(typed("env", "klee_range"), "import 'env.klee_range': is imported with type 'i:i'");
    assert_eq!(typed("gl", "draw"), "import 'gl.draw': no host provides this module");
}

#[test]
fn an_imported_memory_is_refused() {
    let module = wat("(module (import \"env\" \"memory\" (memory 1)))");
    let error = Probed::plant(&module, &Natives::default()).err().unwrap();
    assert_eq!(error.to_string(), "import 'env.memory': memories cannot be imported");
}

#[test]
fn one_name_may_be_imported_twice() {
    let module = wat(r#"(module
        (import "env" "klee_warning" (func $a (param i32)))
        (import "env" "klee_warning" (func $b (param i64)))
        (func (export "_start") (call $a (i32.const 0)) (call $b (i64.const 0))))"#);
    assert_eq!(run(&module, vec![]).end, End::Returned(vec![]));
}

#[test]
fn our_own_functions() {
    let module = wat(r#"(module
        (import "env" "evergreen_range" (func $range (param i32 i32 i32) (result i32)))
        (import "env" "klee_range" (func $half (param i32 i32 i32) (result i32)))
        (import "env" "evergreen_int64" (func $wide (param i32) (result i64)))
        (import "env" "evergreen_float" (func $float (param i32) (result f32)))
        (import "env" "evergreen_double" (func $double (param i32) (result f64)))
        (import "env" "evergreen_fail" (func $fail (param i32)))
        (import "env" "__ubsan_handle_add_overflow_minimal_abort" (func $overflow))
        (memory (export "memory") 1) (data (i32.const 8) "why\00")
        (func (export "_start")
            (drop (call $half (i32.const 0) (i32.const 5) (i32.const 8)))
            (if (i32.eq (call $range (i32.const 0) (i32.const 5) (i32.const 8)) (i32.const 5))
                (then (call $overflow)))
            (if (i64.eq (call $wide (i32.const 8)) (i64.const -7)) (then (call $fail (i32.const 8))))
            (drop (call $float (i32.const 8))) (drop (call $double (i32.const 8)))))"#);
    let end = |half: i32, range: i32, wide: i64| {
        let mut draws = vec![draw("a", &half.to_le_bytes()), draw("b", &range.to_le_bytes())];
        draws.extend([draw("c", &wide.to_le_bytes()), draw("d", &[0; 4]), draw("e", &[0; 8])]);
        run(&module, draws).end
    };
    assert_eq!(end(4, 4, 1), End::Returned(vec![]));
    assert_eq!(end(5, 4, 1), End::Rejected);
    assert_eq!(end(4, 6, 1), End::Rejected);
    let name = "__ubsan_handle_add_overflow_minimal_abort".to_string();
    assert_eq!(end(4, 5, 1), End::Failed(Failure::Sanitizer(name)));
    assert!(matches!(end(4, 4, -7), End::Failed(Failure::Assert { condition, .. }) if condition == "why"));
}
