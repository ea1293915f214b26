//! Random C functions of two inputs, on every input natively and on all paths of the machine.
//!
//! Each input has to satisfy the conditions of exactly one path, and that path's result has to be the native
//! one under this input. The functions have no undefined behaviour: arithmetic wraps (`-fwrapv`), shift
//! counts and indices are masked, and natively a division is a call that reports what traps in WebAssembly.

use crate::common::{Random, bits};
use crate::programs::{OBJECTS, PathFound, Program, compile};
use evergreen_symbolic::{Assignment, Const, Exprs};
use evergreen_wasm::{FailureKind, Options, Outcome, Trap, World};
use std::fmt::Write;
use std::process::Command;

const FUNCTIONS: usize = 80;

const HEAD: &str = r"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct pair { int8_t a; uint16_t b; int32_t c; int64_t d; };
static const int8_t bytes[8] = {3, -7, 120, -128, 0, 55, -1, 9};
static const uint16_t words[16] = {1, 2, 4, 8, 65535, 32768, 77, 5, 0, 9, 300, 41, 7, 1000, 12345, 2};
static const int32_t ints[4] = {-2147483647 - 1, 2147483647, 17, -5};
static int32_t state[8];
";

/// Division as a call that ends the function natively.
const NATIVE: &str = r"
#include <setjmp.h>
#include <stdio.h>
static jmp_buf out;
static int64_t div64(int64_t a, int64_t b) {
    if (b == 0) longjmp(out, 1);
    if (a == INT64_MIN && b == -1) longjmp(out, 2);
    return a / b;
}
static int32_t div32(int32_t a, int32_t b) {
    if (b == 0) longjmp(out, 1);
    if (a == INT32_MIN && b == -1) longjmp(out, 2);
    return a / b;
}
static int32_t rem32(int32_t a, int32_t b) {
    if (b == 0) longjmp(out, 1);
    return b == -1 ? 0 : a % b;
}
static uint32_t udiv32(uint32_t a, uint32_t b) {
    if (b == 0) longjmp(out, 1);
    return a / b;
}
static uint32_t urem32(uint32_t a, uint32_t b) {
    if (b == 0) longjmp(out, 1);
    return a % b;
}
";

/// The compiler does not know that `zero` and `nothing` are: what it divides, and what it divides by, is no
/// constant, and neither is the other.
const WASM: &str = r"
#include <klee/klee.h>
#include <evergreen.h>
int zero, nothing;
#define div64(a, b) (((int64_t)(a) + (int64_t)nothing) / ((int64_t)(b) + (int64_t)zero))
#define div32(a, b) (((int32_t)(a) + (int32_t)nothing) / ((int32_t)(b) + (int32_t)zero))
#define rem32(a, b) (((int32_t)(a) + (int32_t)nothing) % ((int32_t)(b) + (int32_t)zero))
#define udiv32(a, b) (((uint32_t)(a) + (uint32_t)nothing) / ((uint32_t)(b) + (uint32_t)zero))
#define urem32(a, b) (((uint32_t)(a) + (uint32_t)nothing) % ((uint32_t)(b) + (uint32_t)zero))
";

const TYPES: [&str; 8] =
    ["int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t"];

/// Writes one function.
struct Writer<'a> {
    random: &'a mut Random,
    text: String,
    /// Variables in scope.
    variables: Vec<String>,
    /// Functions that may be called: each is called in turn by at most a few.
    callees: &'a [String],
    made: usize,
    indent: usize,
    /// Whether it has arrays of several widths and pointers, on stack and heap.
    arrays: bool,
}

/// Arrays that functions with arrays have: stored into at symbolic places, read there in other widths.
const ARRAYS: &str = "    int8_t small[12] = {1, -2, 3, (int8_t)a, 5, 6, -7, 8, 9, 10, (int8_t)b, 12};
    int32_t before[40] = {0};
    uint16_t mid[6] = {a, b, 3, 4, 65535, 6};
    int64_t wide[3] = {a, -1, 5000000000ll};
    int32_t *heap = malloc(5 * sizeof *heap), *q = heap;
    for (int i = 0; i < 5; i++) heap[i] = i * a;
    before[39] = b;
";

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:width$}{text}", "", width = 4 * self.indent);
    }

    fn constant(&mut self) -> String {
        match self.random.below(6) {
            0 => self.random.one_of(&["127", "128", "255", "256", "32767", "65535"]).to_string(),
            1 => {
                self.random.one_of(&["2147483647", "(-2147483647 - 1)", "4294967295u", "-1", "0"]).to_string()
            }
            2 => self.random.one_of(&["5000000000ll", "-5000000000ll", "0x0f0fll", "'a'"]).to_string(),
            _ => (self.random.below(24) as i32 - 8).to_string(),
        }
    }

    fn leaf(&mut self) -> String {
        match self.random.below(5) {
            0 => self.constant(),
            1 => self.random.one_of(&["p.a", "p.b", "p.c", "p.d"]).to_string(),
            _ => self.random.one_of(&self.variables).clone(),
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.one_in(6) {
            return self.leaf();
        }
        let a = self.expression(depth - 1);
        let b = self.expression(depth - 1);
        match self.random.below(24) {
            0..=2 => format!("({a} + {b})"),
            3 | 4 => format!("({a} - {b})"),
            5 => format!("({a} * {b})"),
            6 => format!("({a} & {b})"),
            7 => format!("({a} | {b})"),
            8 => format!("({a} ^ {b})"),
            9 => format!("({a} << ({b} & 7))"),
            10 if self.random.one_in(2) => format!("((uint32_t)({a}) >> ({b} & 15))"),
            10 => format!("({a} >> ({b} & 15))"),
            11 => format!("{}({a}, {b})", self.random.one_of(&["div32", "rem32", "udiv32", "urem32"])),
            12 => {
                format!("{}({a}, ({b} & 7) + 1)", self.random.one_of(&["div32", "rem32", "div64", "udiv32"]))
            }
            13 => format!("(({})({a}))", self.random.one_of(&TYPES)),
            14 => format!("(-({a}))"),
            15 => format!("(~({a}))"),
            16 => format!("bytes[{a} & 7]"),
            17 => format!("words[({a}) & 15]"),
            18 => format!("{}[({a}) & {}]", self.random.one_of(&["ints", "local"]), 3),
            22 if self.arrays => self.element(&a),
            19 => {
                let condition = self.condition(1);
                format!("({condition} ? {a} : {b})")
            }
            20 => self.condition(depth - 1),
            21 if !self.callees.is_empty() => {
                let callee = self.random.one_of(self.callees).clone();
                format!("{callee}((int)({a}) & 7, (int)({b}) & 3)")
            }
            _ => format!("(({}){a} + {b})", self.random.one_of(&TYPES)),
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        let (a, b) = (self.expression(depth), self.expression(depth));
        match self.random.below(9) {
            0 => format!("({a} && {b})"),
            1 => format!("({a} || {b})"),
            2 => format!("(!{a})"),
            _ => format!("({a} {} {b})", self.random.one_of(&["<", "<=", ">", ">=", "==", "!="])),
        }
    }

    fn block(&mut self, head: &str, depth: usize) {
        self.line(&format!("{head} {{"));
        self.indent += 1;
        let known = self.variables.len();
        for _ in 0..1 + self.random.below(2) {
            self.statement(depth - 1);
        }
        self.variables.truncate(known);
        self.indent -= 1;
        self.line("}");
    }

    /// A place in an array that an expression chooses.
    fn element(&mut self, at: &str) -> String {
        match self.random.below(9) {
            0 => format!("small[(int)({at} & 7) + {}]", self.random.below(5)),
            1 => format!("mid[(uint32_t)({at}) % 6u]"),
            2 => format!("wide[({at} & 1) + 1]"),
            3 => format!("heap[{at} & 3]"),
            4 => format!("heap[((int)({at}) & 3) + 100 - 99]"),
            5 => format!("mid[(100 + ((int)({at}) & 3)) - 'b']"),
            6 => format!("*(int32_t *)(small + ({at} & 7))"),
            7 => format!("*(int16_t *)((char *)mid + ({at} & 7))"),
            _ => "*q".to_string(),
        }
    }

    /// A statement about arrays and pointers.
    fn array_statement(&mut self) {
        let (at, value) = (self.expression(1), self.expression(1));
        match self.random.below(9) {
            0 => self.line(&format!("q = &local[{at} & 3];")),
            1 => self.line(&format!("q = ({value}) > 1 ? heap + ({at} & 3) : local + 1;")),
            2 => self.line(&format!("memcpy(small + ({at} & 3), local + ({value} & 1), 1 + ({at} & 3));")),
            3 => self.line(&format!("memset((char *)mid + ({at} & 7), (int)({value}), 2);")),
            4 => {
                let places = ["heap[1]", "heap[2]", "local[0]", "local[2]", "small[4]", "mid[2]", "wide[1]"];
                let place = *self.random.one_of(&places);
                self.line(&format!("{place} = {value};"));
            }
            _ => {
                let element = self.element(&at);
                let assign = *self.random.one_of(&["=", "+=", "^="]);
                self.line(&format!("{element} {assign} {value};"));
            }
        }
    }

    fn statement(&mut self, depth: usize) {
        if self.arrays && self.random.one_in(2) {
            return self.array_statement();
        }
        let kind = if depth == 0 { self.random.below(5) } else { self.random.below(11) };
        match kind {
            0 => {
                let (ty, name) = (*self.random.one_of(&TYPES), format!("v{}", self.made));
                let value = self.expression(2);
                self.made += 1;
                self.line(&format!("{ty} {name} = {value};"));
                self.variables.push(name);
            }
            1 => {
                let (index, value) = (self.expression(1), self.expression(2));
                self.line(&format!("local[{index} & 3] = {value};"));
            }
            2 => {
                let field = *self.random.one_of(&["p.a", "p.b", "p.c", "p.d", "state[1]"]);
                let value = self.expression(2);
                let assign = *self.random.one_of(&["=", "+=", "^=", "-="]);
                self.line(&format!("{field} {assign} {value};"));
            }
            3 | 4 => {
                let value = self.expression(2);
                let assign = *self.random.one_of(&["=", "+=", "^=", "-=", "|="]);
                self.line(&format!("x {assign} {value};"));
            }
            5..=7 => {
                let condition = self.condition(2);
                self.block(&format!("if {condition}"), depth);
                if self.random.one_in(2) {
                    self.block("else", depth);
                }
            }
            8 => {
                let (count, name) = (self.expression(1), format!("i{}", self.made));
                self.made += 1;
                let known = self.variables.len();
                self.variables.push(name.clone());
                let most = 1 + self.random.below(3);
                let head = format!("for (int {name} = 0; {name} < ({count} & {most}); {name}++)");
                self.block(&head, depth);
                self.variables.truncate(known);
            }
            9 => self.switch(depth),
            _ => {
                let (condition, value) = (self.condition(1), self.expression(1));
                self.line(&format!("if {condition} return (int){value};"));
            }
        }
    }

    fn switch(&mut self, depth: usize) {
        let value = self.expression(1);
        self.line(&format!("switch ((int)({value}) & 7) {{"));
        for case in 0..8 {
            if self.random.one_in(2) {
                self.line(&format!("case {case}:"));
                self.indent += 1;
                self.line("{");
                let known = self.variables.len();
                self.statement(depth - 1);
                self.variables.truncate(known);
                self.line("}");
                self.indent -= 1;
                if !self.random.one_in(3) {
                    self.line("    break;");
                }
            }
        }
        self.line("default: x += 1;");
        self.line("}");
    }
}

/// A function, and the ranges of its inputs.
struct Function {
    name: String,
    text: String,
    low: [i32; 2],
    high: [i32; 2],
}

fn function(random: &mut Random, number: usize, callees: &[String], arrays: bool) -> Function {
    let name = format!("f{number}");
    let mut writer = Writer {
        random,
        text: String::new(),
        variables: ["a", "b", "x"].map(String::from).into(),
        callees,
        made: 0,
        indent: 1,
        arrays,
    };
    for _ in 0..2 + writer.random.below(3) {
        writer.statement(2);
    }
    let last = writer.expression(2);
    let body = std::mem::take(&mut writer.text);
    let (arrays, sum) = match arrays {
        true => (ARRAYS, " + small[4] + mid[2] + wide[2] + heap[1] + before[39] + *q"),
        false => ("", ""),
    };
    let text = format!(
        "static int {name}(int a, int b) {{\n    int32_t local[4] = {{a, b, 7, -1}};\n    \
         struct pair p = {{(int8_t)a, (uint16_t)b, a - b, (int64_t)a * 3}};\n    int64_t x = a;\n    \
         state[1] = 3;\n{arrays}{body}    return (int)({last} + p.c + local[2]{sum});\n}}\n"
    );
    let sizes = [2 + random.below(7) as i32, 2 + random.below(5) as i32];
    let low = [random.below(8) as i32 - 5, random.below(40) as i32 - 20];
    Function { name, text, low, high: [low[0] + sizes[0] - 1, low[1] + sizes[1] - 1] }
}

fn functions(seed: u64, arrays: bool) -> Vec<Function> {
    let mut random = Random(seed);
    let mut all: Vec<Function> = Vec::new();
    let mut leaves: Vec<String> = Vec::new();
    for number in 0..FUNCTIONS {
        // Calls do not nest: the first functions call nothing, the others only them.
        let callees = if number < 10 { &[][..] } else { &leaves };
        let made = function(&mut random, number, callees, arrays);
        if number < 10 {
            leaves.push(made.name.clone());
        }
        all.push(made);
    }
    all
}

/// For each function, how it ends on each of its inputs: 0 and the value, 1 for a division by zero, 2 for an
/// overflow.
fn natively(all: &[Function]) -> Vec<Vec<(i32, i32)>> {
    let mut text = format!("{HEAD}{NATIVE}");
    let mut main = String::new();
    for f in all {
        text.push_str(&f.text);
        let _ =
            writeln!(main, "    run({}, {}, {}, {}, {});", f.name, f.low[0], f.high[0], f.low[1], f.high[1]);
    }
    text.push_str(
        "static void run(int (*f)(int, int), int a, int last_a, int b, int last_b) {\n    \
         for (volatile int i = a; i <= last_a; i++) for (volatile int j = b; j <= last_b; j++) {\n        \
         volatile int how = setjmp(out), value = 0;\n        if (how == 0) value = f(i, j);\n        \
         printf(\"%d %d\\n\", how, value);\n    }\n}\n",
    );
    let _ = writeln!(text, "int main(void) {{\n{main}    return 0;\n}}");
    let folder = tempfile::tempdir().unwrap();
    let (file, program) = (folder.path().join("native.c"), folder.path().join("native"));
    std::fs::write(&file, text).unwrap();
    let compiler = evergreen_c_in_tests::native::find(None).unwrap();
    let made = Command::new(compiler)
        .args(["-O0", "-w", "-fwrapv", "-o"])
        .arg(&program)
        .arg(&file)
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let said = Command::new(&program).output().unwrap().stdout;
    let mut lines = std::str::from_utf8(&said).unwrap().lines().map(|line| {
        let (how, value) = line.split_once(' ').unwrap();
        (how.parse().unwrap(), value.parse().unwrap())
    });
    let inputs = |f: &Function| ((f.high[0] - f.low[0] + 1) * (f.high[1] - f.low[1] + 1)) as usize;
    all.iter().map(|f| lines.by_ref().take(inputs(f)).collect()).collect()
}

/// The same functions behind draws.
fn harness(all: &[Function]) -> String {
    let mut text = format!("{HEAD}{WASM}");
    for f in all {
        let (name, [a, b], [last_a, last_b]) = (&f.name, f.low, f.high);
        text.push_str(&f.text);
        let _ = writeln!(
            text,
            "int t_{name}(void) {{ int a = klee_range({a}, {} + 1, \"a\"), \
             b = evergreen_range({b}, {last_b}, \"b\"); return {name}(a, b); }}",
            last_a
        );
    }
    text
}

fn end(exprs: &Exprs, outcome: &Outcome, under: &Assignment) -> (i32, i32) {
    match outcome {
        Outcome::Returned(values) => (0, bits(exprs, values[0], under) as i32),
        Outcome::Failed(failure) => match failure.kind {
            FailureKind::Trap(Trap::DivisionByZero) => (1, 0),
            FailureKind::Trap(Trap::Overflow) => (2, 0),
            kind => panic!("{kind:?} {}", failure.message),
        },
        other => panic!("{other:?}"),
    }
}

/// Every input has one path and its native end there.
fn check(program: &Program, f: &Function, paths: &[PathFound], native: &[(i32, i32)]) {
    let exprs = program.machine.exprs().borrow();
    // Functions before it have inputs of the same names with other ranges.
    let input = |name: &str, at: usize| {
        let range = Some((i64::from(f.low[at]), i64::from(f.high[at])));
        exprs.named(name).iter().copied().find(|input| exprs.input_of(*input).range == range)
    };
    let (Some(a), Some(b)) = (input("a", 0), input("b", 1)) else { panic!("no inputs") };
    let mut used = vec![false; paths.len()];
    let inputs = (f.low[0]..=f.high[0]).flat_map(|i| (f.low[1]..=f.high[1]).map(move |j| (i, j)));
    for ((i, j), native) in inputs.zip(native) {
        let mut under = Assignment::new();
        under.set(&exprs, a, Const::I32(i));
        under.set(&exprs, b, Const::I32(j));
        let holds = |path: &PathFound| path.conditions.iter().all(|cond| exprs.holds(*cond, &under));
        let fitting: Vec<usize> = (0..paths.len()).filter(|at| holds(&paths[*at])).collect();
        let [only] = fitting[..] else { panic!("({i}, {j}) is on {} paths of\n{}", fitting.len(), f.text) };
        used[only] = true;
        let ours = end(&exprs, &paths[only].ended.how, &under);
        assert_eq!(ours, *native, "({i}, {j}) in\n{}", f.text);
    }
    for (path, used) in paths.iter().zip(used) {
        let holds = path.conditions.iter().all(|cond| exprs.holds(*cond, &path.model));
        assert!(holds, "a model is not on its path in\n{}", f.text);
        assert!(used || path.ended.how == Outcome::Assumed, "a path without inputs in\n{}", f.text);
    }
}

fn compare(seed: u64) -> usize {
    compare_all(&functions(seed, false))
}

fn compare_all(all: &[Function]) -> usize {
    let native = natively(all);
    let exports: Vec<String> = all.iter().map(|f| format!("t_{}", f.name)).collect();
    let module = compile(&harness(all), &exports, OBJECTS);
    let mut paths = 0;
    for chunk in (0..all.len()).collect::<Vec<_>>().chunks(20) {
        let mut program = Program::new(&module, Options::default());
        for &at in chunk {
            let found = program.paths(&exports[at], World::default());
            check(&program, &all[at], &found, &native[at]);
            paths += found.len();
        }
    }
    paths
}

/// Where states are merged, each input is on one of the merged paths, whose conditional value is the native
/// one.
#[test]
fn merged_states_have_the_values_of_all_their_paths() {
    let (mut paths, mut merged) = (0, 0);
    for (seed, arrays) in [(5, false), (6, false), (52, true)] {
        let all = functions(seed, arrays);
        let native = natively(&all);
        let exports: Vec<String> = all.iter().map(|f| format!("t_{}", f.name)).collect();
        let module = compile(&harness(&all), &exports, OBJECTS);
        for chunk in (0..all.len()).collect::<Vec<_>>().chunks(20) {
            let mut program = Program::new(&module, Options::default());
            for &at in chunk {
                let (found, more) = program.merged_paths(&exports[at]);
                check(&program, &all[at], &found, &native[at]);
                paths += found.len();
                merged += more;
            }
        }
    }
    assert!(merged > 200, "{merged} merged, {paths} paths");
}

// Two tests, for two processors: 320 functions in all.

#[test]
fn functions_do_what_they_do_natively() {
    let paths = compare(1) + compare(2);
    assert!(paths > 480, "{paths} paths");
}

#[test]
fn other_functions_do_what_they_do_natively() {
    let paths = compare(3) + compare(4);
    assert!(paths > 480, "{paths} paths");
}

/// Ten times as many.
#[test]
fn functions_with_arrays_do_what_they_do_natively() {
    assert!(compare_all(&functions(51, true)) > 300);
}

/// Stores at symbolic and at known places between loads at symbolic ones, in overlapping parts of an array.
#[test]
fn loads_go_through_the_stores_before_them() {
    let bodies = [
        "int t[8] = {0}; t[a] = 5; t[3] = 9; t[b] += 2; t[6] = a; return t[(a + b) & 7] * 100 + t[a];",
        "short t[16] = {0}; t[a]++; t[b + 4]++; t[a + b]++; t[7] = 40; t[b]++; return t[a] * 64 + t[b + 7];",
        "char t[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}; t[a] = t[b]; t[b] = t[a + 4]; int v; \
         memcpy(&v, t + (a & 3), 4); t[2] = b; return v + t[b + 2] * 3 + t[a];",
        "int64_t t[8] = {0}; for (int i = 0; i < 3; i++) t[(a + i * b) & 7] += i + 1; \
         return t[a] * 16 + t[b];",
        "unsigned char s[16] = {0}, d[16]; s[a + 2] = 7; memcpy(d, s, 16); s[b + 2] = 9; s[a + 1] ^= 3; \
         return d[b + 2] * 256 + s[a + 2];",
    ];
    let function = |(number, body): (usize, &&str)| Function {
        name: format!("h{number}"),
        text: format!("static int h{number}(int a, int b) {{ {} }}\n", body),
        low: [0, 0],
        high: [7, 7],
    };
    let all: Vec<Function> = bodies.iter().enumerate().map(function).collect();
    // Nothing in them branches, so stores and loads are one path.
    assert!(compare_all(&all) < 40);
}

#[test]
#[ignore = "takes minutes"]
fn many_functions_with_arrays_do_what_they_do_natively() {
    let seeds = 100..110;
    let paths: usize = seeds.map(|seed| compare_all(&functions(seed, true))).sum();
    assert!(paths > 3000);
}

#[test]
#[ignore = "takes minutes"]
fn many_functions_do_what_they_do_natively() {
    for seed in 100..140 {
        println!("seed {seed}: {} paths", compare(seed));
    }
}

/// Orders with ties: the ordered Bell numbers.
#[test]
fn insertions_into_a_search_tree() {
    let file = evergreen_testing::tools::repository().join("subjects/c/bst/v0/bst.c");
    for (n, expected) in [(4, 75), (5, 541)] {
        let module = crate::programs::compile_file(&file, &[], OBJECTS, &[&format!("-DN={n}")]);
        let paths = Program::new(&module, Options::default()).paths("_start", World::default());
        assert_eq!(paths.len(), expected);
    }
}
