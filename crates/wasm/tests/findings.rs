//! One program for each kind of finding, with the function where it happens; and programs of the same shape
//! without one.

use crate::programs::{OBJECTS, Program, compile};
use evergreen_c_in_tests::Checks;
use evergreen_wasm::{FailureKind, Options, Outcome, World};
use std::collections::BTreeSet;

/// The functions of a text that are to be explored: those without `static`.
fn exports(text: &str) -> Vec<String> {
    let heads = text.lines().filter_map(|line| line.strip_prefix("int ")?.split_once("(void) {"));
    heads.map(|(name, _)| name.to_string()).collect()
}

/// All findings of a function: kinds, and functions by name.
fn findings(program: &mut Program, function: &str) -> BTreeSet<(FailureKind, String)> {
    let mut all = BTreeSet::new();
    let mut goes_on = 0;
    for path in program.paths(function, World::default()) {
        match &path.ended.how {
            Outcome::Unsupported { what, .. } => panic!("{function}: {what}"),
            Outcome::Failed(_) => all.extend(program.place(&path.ended.how)),
            _ => goes_on += 1,
        }
    }
    assert!(goes_on + all.len() > 0, "{function} has no path");
    all
}

const HEAD: &str = r#"
#include <assert.h>
#include <evergreen.h>
#include <klee/klee.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int in(int low, int high) { return evergreen_range(low, high, "i"); }
static int global[4] = {1, 2, 3, 4};
static char text[8] = "abc";
static int other = 7;
"#;

/// Each has one finding.
const FAILING: &str = r#"
int stack_write(void) { int a[4]; int n = 4; a[n] = 1; return a[0]; }
int stack_write_symbolic(void) { int a[4] = {0}; a[in(0, 9)] = 1; return a[1]; }
int stack_read_symbolic(void) { char a[5] = "abcd"; return a[in(0, 5)]; }
int stack_before(void) { int a[4] = {0}; int n = -1; return a[n]; }
int stack_before_symbolic(void) { int a[4] = {0}; return a[in(-1, 3)]; }
int global_write(void) { int n = 4; global[n] = 1; return global[0]; }
int global_read_symbolic(void) { return global[in(0, 4)]; }
int global_write_symbolic(void) { global[in(2, 100)] = 1; return global[3]; }
int global_text(void) { return text[in(0, 8)]; }
int heap_write(void) { char *p = malloc(5); p[5] = 1; free(p); return 0; }
int heap_read_symbolic(void) { int *p = calloc(6, 4); int r = p[in(0, 6)]; free(p); return r; }
int heap_write_symbolic(void) { int *p = malloc(24); p[in(-3, 5)] = 1; free(p); return 0; }
int heap_before(void) { char *p = malloc(5); return p[-1]; }
int heap_off_by_one(void) { char *p = malloc(4); for (int i = 0; i <= 4; i++) p[i] = 'x'; free(p); return 0; }
int heap_neighbour(void) { char *p = malloc(20), *q = malloc(100), *r = p + in(0, 70); *q = 1; return *r; }
int heap_far(void) { int *p = malloc(8); int *q = malloc(8); p[in(0, 12)] = 3; return *q; }
int after_free(void) { int *p = malloc(4); *p = 1; free(p); return *p; }
int after_free_write(void) { int *p = malloc(4); free(p); if (in(0, 3) == 2) *p = 1; return 0; }
int after_realloc(void) { int *p = malloc(4); *p = 1; int *q = realloc(p, 100); return *p + *q; }
int twice(void) { int *p = malloc(4); free(p); if (in(0, 1)) free(p); return 0; }
int invalid_inside(void) { char *p = malloc(4); free(p + 1); return 0; }
int invalid_stack(void) { int a[2]; int *p = a; free(p); return 0; }
int invalid_global(void) { int *p = global; free(p); return 0; }
int null_read(void) { int *p = in(0, 1) ? &other : 0; return *p; }
int null_write(void) { int *p = 0; *p = 1; return 0; }
int null_field(void) { struct { int a[3]; int b; } *p = 0; return p->b; }
int after_scope(void) { int *p; { int x[2] = {4, 5}; p = x; } return *p; }
static int *escape(void) { int x[2] = {4, 5}, *p = x; return p; }
int after_return(void) { return *escape(); }
int grown(void) { int n = in(1, 3); char a[n]; a[n] = 1; return a[0]; }
int allocated(void) { char *a = __builtin_alloca(5); a[in(0, 5)] = 1; return 0; }
int asserted(void) { int n = in(0, 9); assert(n < 9); return n; }
int asserted_klee(void) { klee_assert(in(0, 9) != 4); return 0; }
int checked(void) { evergreen_check(in(0, 9) != 4); return 0; }
int aborted(void) { if (in(0, 9) == 3) abort(); return 0; }
int reported(void) { if (in(0, 9) == 3) klee_report_error("f", 1, "wrong", "err"); return 0; }
int divided(void) { return 100 / in(-3, 3); }
int remainder_of(void) { return 100 % in(-3, 3); }
static int deep(int n) { volatile char a[16]; a[0] = n; return n + deep(n + 1) + a[0]; }
int recursion(void) { return deep(1); }
int copied_text(void) { char a[4]; strcpy(a, in(0, 1) ? "four" : "abc"); return a[0]; }
int copied(void) { char a[4]; memcpy(a, "abcdefg", in(3, 5)); return a[0]; }
int copied_from(void) { char a[20]; memcpy(a, text, in(7, 9)); return a[0]; }
int set(void) { char *a = malloc(4); memset(a, 1, in(3, 5)); free(a); return 0; }
int measured(void) { char a[3]; evergreen_bytes(a, 3, "a"); return (int)strlen(a); }
int compared(void) { char a[3]; evergreen_bytes(a, 3, "a"); return strcmp(a, "abcd"); }
int unreachable_code(void) { if (in(0, 1)) __builtin_trap(); return 0; }
static int one(int a) { return a; }
int called(void) { int (*f)(void) = (int (*)(void))one; return in(0, 1) ? f() : 0; }
int called_nothing(void) { int (*f)(int) = in(0, 1) ? one : 0; return f(1); }
static int wide(int n) { volatile char a[50000]; a[n] = n; return wide(n + 1) + a[n]; }
int full_stack(void) { return in(0, 1) ? wide(0) : 1; }
"#;

#[test]
fn failing() {
    use FailureKind::*;
    let elsewhere = [("recursion", "deep"), ("full_stack", "wide"), ("copied_text", "strcpy")];
    let kind = |name: &str| match name {
        "after_scope" => UseAfterScope,
        "after_return" => UseAfterReturn,
        "grown" | "allocated" | "copied_text" | "copied" | "measured" | "compared" => StackOverflow,
        "copied_from" => GlobalOverflow,
        "set" => HeapOverflow,
        "after_free" | "after_free_write" | "after_realloc" => UseAfterFree,
        "twice" => DoubleFree,
        "asserted" | "asserted_klee" | "checked" => Assertion,
        "aborted" | "reported" => Abort,
        "divided" | "remainder_of" => Trap(evergreen_wasm::Trap::DivisionByZero),
        "recursion" | "full_stack" => Trap(evergreen_wasm::Trap::StackOverflow),
        "unreachable_code" => Trap(evergreen_wasm::Trap::Unreachable),
        "called" => Trap(evergreen_wasm::Trap::BadSignature),
        "called_nothing" => Trap(evergreen_wasm::Trap::UninitializedElement),
        _ if name.starts_with("stack") => StackOverflow,
        _ if name.starts_with("global") => GlobalOverflow,
        _ if name.starts_with("heap") => HeapOverflow,
        _ if name.starts_with("invalid") => InvalidFree,
        _ if name.starts_with("null") => NullDereference,
        _ => panic!("nothing is expected of '{name}'"),
    };
    let text = format!("{HEAD}{FAILING}");
    let exports = exports(FAILING);
    assert_eq!(exports.len(), 48);
    let module = compile(&text, &exports, OBJECTS);
    let mut program = Program::new(&module, Options::default());
    for name in &exports {
        let place = elsewhere.iter().find(|(own, _)| own == name).map_or(name.as_str(), |(_, place)| place);
        let found: Vec<_> = findings(&mut program, name).into_iter().collect();
        assert_eq!(found, [(kind(name), place.to_string())], "{name}");
    }
}

const CLEAN: &str = r#"
void *rawmemchr(const void *text, int c) { const unsigned *word = text; unsigned char *at;
    for (;;) { unsigned w = *word++; at = (unsigned char *)&w;
        for (int i = 0; i < 4; i++) if (at[i] == (unsigned char)c) return (char *)(word - 1) + i; } }
int by_words(void) { char *p = malloc(2); p[0] = 'a'; p[1] = 0;
    return rawmemchr(p, 0) == p + 1 ? in(0, 1) : 2; }
static char *letters(int n) { char *p = malloc(n + 1); memset(p, 'a', n); p[n] = 0; return p; }
int long_texts(void) { char *p = letters(100000), *q = letters(100000); q[90000] = 'b';
    assert(strlen(p) == 100000 && strcmp(p, q) < 0 && strchr(q, 'b') == q + 90000 && !strchr(p, 'b'));
    assert(strcmp(p, letters(100000)) == 0 && strncmp(p, q, 95000) < 0 && strncmp(p, q, 85000) == 0);
    return in(0, 1); }
int stack_write(void) { int a[4]; int n = 3; a[n] = 1; return a[3]; }
int stack_write_symbolic(void) { int a[4] = {0}; a[in(0, 3)] = 1; return a[1]; }
int stack_read_symbolic(void) { char a[5] = "abcd"; return a[in(0, 4)]; }
int global_write_symbolic(void) { global[in(0, 3)] = 1; return global[3]; }
int heap_write(void) { char *p = malloc(5); p[4] = 1; free(p); return 0; }
int heap_symbolic(void) { int *p = calloc(6, 4); p[in(0, 5)] = 3; int r = p[in(0, 5)]; free(p); return r; }
int heap_loop(void) { char *p = malloc(4); for (int i = 0; i < 4; i++) p[i] = 'x'; free(p); return 0; }
int end_pointer(void) { int *p = malloc(16), *end = p + 4; int n = 0; while (p < end) *p++ = n++; return n; }
int from_the_end(void) { int a[4] = {1, 2, 3, 4}; int *end = a + 4; return end[-in(1, 4)]; }
int one_less(void) { int a[4] = {1, 2, 3, 4}; return a[in(1, 4) - 1]; }
int letter_beside(void) { int before[100], a[26] = {0}, behind[100]; before[0] = behind[0] = 1;
    return a[in('a', 'z') - 'a'] + before[0] + behind[0]; }
int letter_on_heap(void) { int *before = malloc(400), *a = calloc(26, 4), *behind = malloc(400);
    before[0] = behind[0] = 1; a[in('a', 'z') - 'a'] = 5; return a[3]; }
int letter_guarded(void) { int *before = malloc(400), *a = calloc(26, 4); int c = in(0, 300); before[0] = 1;
    if (c % 7 != 3 || (c ^ 96) > 26 || c <= 96) return 0;
    return a[c - 'a']; }
int letter_kept(void) { int *before = malloc(400), *a = calloc(26, 4), *p = &a[in('a', 'z') - 'a'];
    before[0] = 1; *p = 3; p += 1; return p[-1]; }
int letter_lost(void) { int *before = malloc(400), *a = calloc(26, 4), *p = &a[in('a', 'z') - 'a'];
    int sums[20]; for (int i = 0; i < 20; i++) sums[i] = before[i] = in(0, 9) + 2000 + i;
    return *p + sums[3]; }
int freed(void) { int *p = malloc(4); free(p); free(0);
    p = realloc(0, 8); p = realloc(p, 32); p[7] = 1; free(p); return 0; }
int nullable(void) { int *p = in(0, 1) ? &other : 0; return p ? *p : 0; }
int scopes(void) { int r = 0; for (int i = 0; i < 3; i++) { int x[2] = {i, r}; r += x[i & 1]; } return r; }
int grown(void) { int r = 0;
    for (int n = 1; n < 4; n++) { char a[n]; a[n - 1] = 1; r += a[n - 1]; } return r; }
int allocated(void) { char *a = __builtin_alloca(5); a[in(0, 4)] = 1; return 0; }
int asserted(void) { int n = in(0, 9); assert(n < 10); return n; }
int divided(void) { int n = in(-3, 3); return n ? 100 / n : 0; }
static int deep(int n) { volatile char a[16]; a[0] = n; return n > 900 ? n : deep(n + 1) + a[0]; }
int recursion(void) { return deep(1); }
int narrowed_by_the_path(void) {
    char a[6] = "abcde";
    int c = in(0, 255);
    return c < '0' || c > '3' ? 0 : a[2 + (c - '0')];
}
int two_fields(void) {
    struct { int first[200], one, two; } *p = malloc(sizeof *p), *q = malloc(sizeof *q);
    p->one = p->two = q->one = q->two = 3;
    int *field = in(0, 1) ? &p->one : &q->two;
    int r = *field;
    free(p);
    free(q);
    return r;
}
int copied_text(void) { char a[5]; strcpy(a, in(0, 1) ? "four" : "abc"); return a[0]; }
int copied(void) { char a[5]; memcpy(a, "abcdefg", in(3, 5)); return a[0]; }
int moved(void) { char a[9] = "abcdefgh"; memmove(a + 1, a, in(0, 8)); memmove(a, a + 2, 7); return a[0]; }
int words_of_text(void) {
    int r = 0;
    for (int n = 1; n < 12; n++) {
        char *p = malloc(n), *q = malloc(n);
        memset(p, 'a', n - 1);
        p[n - 1] = 0;
        strcpy(q, p);
        r += strlen(q) + (strchr(p, 'b') != 0) + (strchr(p, 0) == p + n - 1) + (memchr(p, 'z', n) != 0);
        r += strcmp(p, q) + strncmp(p, q, 30) + (strrchr(q, 'a') != 0) + (strstr(p, "aaa") != 0);
        char *t = strdup(p);
        strncpy(q, t, n);
        r += (int)strcspn(t, "b") + (int)strspn(q, "a") + (int)strnlen(p, n);
        free(t); free(p); free(q);
    }
    return r;
}
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int sorted(void) {
    int a[7] = {5, 2, 9, 1, 7, 7, 0};
    qsort(a, 7, sizeof *a, by_value);
    int key = 7, *at = bsearch(&key, a, 7, sizeof *a, by_value);
    return a[0] + 10 * a[6] + 100 * (int)(at - a > 3);
}
int printed(void) { return printf("%d %s %c %5.2f %x %lld\n", 42, "text", 'x', 1.5, 255, 5000000000ll); }
int printed_into(void) {
    char a[12];
    int n = snprintf(a, sizeof a, "%d-%s", 12345, "abcdefghijk");
    return n + (int)strlen(a) + sprintf(a, "%05d", 7);
}
int numbers(void) {
    char *end;
    long n = strtol("  -123abc", &end, 10) + strtol("0x1f", 0, 0) + (long)strtoul("777", 0, 8);
    int a = 0, b = 0;
    sscanf("12 34", "%d %d", &a, &b);
    return (int)n + *end + a + b + atoi("55") + (int)(strtod("2.5", 0) * 2);
}
int tokens(void) { char a[] = "a,b;c"; int n = 0;
    for (char *t = strtok(a, ",;"); t; t = strtok(0, ",;")) n++; return n; }
int read_text(void) { char a[3]; evergreen_text(a, 3, "a"); return (int)strlen(a) + strcmp(a, "ab"); }
"#;

#[test]
fn clean() {
    let text = format!("{HEAD}{CLEAN}");
    let exports = exports(CLEAN);
    let module = compile(&text, &exports, OBJECTS);
    for models in [true, false] {
        let mut program = Program::new(&module, Options { models, ..Options::default() });
        for name in &exports {
            let found = findings(&mut program, name);
            assert!(found.is_empty(), "{name}: {found:?}");
        }
    }
}

/// Tables whose index begins at a letter. An optimizer adds the letter to the address: it is then in front of
/// the table, in another variable.
const FOLDED: &str = r#"
static const char before[6] = "12345", table[26] = "zyxwvutsrqponmlkjihgfedcb";
static const char row[2][58] = {"rows", "of"};
static const int words[26] = {3, 1, 4, 1, 5};
int use(void) { return before[in(0, 5)]; }
int letter(void) { int c = evergreen_int("c"); return c < 'A' || c > 'Z' ? 0 : table[c - 'A']; }
int word(void) { char c = (char)evergreen_int("c"); return c < 'a' || c > 'z' ? 0 : words[c - 'a']; }
int rows(void) {
    unsigned char c = (unsigned char)evergreen_int("c");
    return c - 'A' > 57u ? 0 : row[1][c - 'A'];
}
"#;

#[test]
fn folded_addresses_are_clean() {
    let exports = exports(FOLDED);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("folded.c");
    std::fs::write(&file, format!("{HEAD}{FOLDED}")).unwrap();
    for level in ["-O0", "-O1", "-O2"] {
        let module = crate::programs::compile_file(&file, &exports, OBJECTS, &["-Wno-everything", level]);
        let mut program = Program::new(&module, Options::default());
        for name in &exports {
            let found = findings(&mut program, name);
            assert!(found.is_empty(), "{name} at {level}: {found:?}");
        }
    }
}

const UNDEFINED: &str = r#"
int added(void) { return in(0, 1) + 2147483647; }
int negated(void) { int n = evergreen_int("n"); return -n; }
int shifted(void) { return 1 << in(30, 33); }
int indexed(void) { static int a[4]; return a[in(0, 4)]; }
int divided(void) { int n = evergreen_int("n"); return n / in(-1, 2); }
"#;

const UNDEFINED_CLEAN: &str = r#"
int added(void) { return in(0, 1) + 2147483646; }
int negated(void) { int n = evergreen_int("n"); return n < -5 ? 0 : -n; }
int shifted(void) { return 1 << in(0, 30); }
int unsigned_sum(void) { return (int)(evergreen_uint("n") + 4294967295u); }
"#;

#[test]
fn undefined() {
    let checks = Checks { objects: true, undefined: true };
    for (text, fails) in [(UNDEFINED, true), (UNDEFINED_CLEAN, false)] {
        let exports = exports(text);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("undefined.c");
        std::fs::write(&file, format!("{HEAD}{text}")).unwrap();
        let module = crate::programs::compile_file(&file, &exports, checks, &["-Wno-everything"]);
        let mut program = Program::new(&module, Options::default());
        for name in &exports {
            let found: Vec<_> = findings(&mut program, name).into_iter().collect();
            let expected = if fails { vec![(FailureKind::Undefined, name.clone())] } else { vec![] };
            assert_eq!(found, expected, "{name}");
        }
    }
}

const LEAKING: &str = r#"
int lost(void) { char *p = malloc(5); p[0] = 1; return 0; }
int lost_sometimes(void) { char *p = malloc(5); if (in(0, 1)) free(p); return 0; }
int overwritten(void) { char *p = malloc(5); p = malloc(6); free(p); return 0; }
int inner(void) { char **p = malloc(4); *p = malloc(5); free(p); return 0; }
"#;

const NOT_LEAKING: &str = r#"
static char *kept;
int freed(void) { char *p = malloc(5); free(p); return 0; }
int global_keeps(void) { kept = malloc(5); return 0; }
int returned(void) { return (int)malloc(5); }
int chain(void) { char **p = malloc(4); *p = malloc(5); kept = (char *)p; return 0; }
int inside(void) { kept = (char *)malloc(8) + 4; return 0; }
int in_use(void) { char *p = malloc(5); if (in(0, 1)) exit(3); free(p); return 0; }
"#;

#[test]
fn leaks() {
    for (text, fails) in [(LEAKING, true), (NOT_LEAKING, false)] {
        let exports = exports(text);
        let module = compile(&format!("{HEAD}{text}"), &exports, OBJECTS);
        let mut program = Program::new(&module, Options { leaks: true, ..Options::default() });
        for name in &exports {
            let kinds: Vec<_> = findings(&mut program, name).into_iter().map(|(kind, _)| kind).collect();
            let expected = if fails { vec![FailureKind::Leak] } else { vec![] };
            assert_eq!(kinds, expected, "{name}");
        }
    }
}
