//! Damaged modules give errors or ends, never a panic.

use crate::common::Random;
use crate::programs::{OBJECTS, compile_file};
use evergreen_explore::{Machine, Pause};
use evergreen_symbolic::{Exprs, InputKind, Ints};
use evergreen_wasm::{ExportKind, File, Module, Options, OutByte, Slot, WasmMachine, World, text};
use std::cell::RefCell;
use std::rc::Rc;

/// One to four changes of a byte, an insertion, or the end cut off.
fn mutant(random: &mut Random, module: &[u8], from: usize) -> Vec<u8> {
    let mut bytes = module.to_vec();
    for _ in 0..1 + random.below(4) {
        let at = from + random.below(bytes.len() - from);
        match random.below(8) {
            0..=2 => bytes[at] ^= 1 << random.below(8),
            3..=5 => bytes[at] = random.next() as u8,
            6 => bytes.insert(at, random.next() as u8),
            _ if random.one_in(8) => bytes.truncate(at.max(from + 1)),
            _ => bytes[at] = bytes[at].wrapping_add(1),
        }
    }
    bytes
}

/// Runs some arms of a function with inputs for some steps.
fn run(module: Module, random: &mut Random, options: Options) {
    let entry = module
        .exports
        .iter()
        .find(|e| e.kind == ExportKind::Function && (e.name == "_start" || e.name == "f"));
    let Some(entry) = entry.map(|export| export.index) else { return };
    // What runs before the entry has no bound but a large one.
    if module.start.is_some()
        || module.function("_start").is_none() && module.function("_initialize").is_some()
    {
        return;
    }
    let exprs = Rc::new(RefCell::new(Exprs::new(Ints::Wrapped)));
    let params = module.signature(entry).params.len();
    let mut machine = WasmMachine::new(Rc::new(module), exprs.clone(), options);
    let mut world = World::default();
    world.args = vec![text(b"p"), text(b"x")];
    let input = |name: &str, kind| exprs.borrow_mut().input(name, kind, None);
    world.stdin =
        File::new("stdin", vec![OutByte::Symbolic(input("s", InputKind::Octet)), OutByte::Number(b'1')]);
    let arguments: Vec<Slot> =
        (0..params).map(|n| if n == 0 { Slot::Number(random.next()) } else { Slot::Number(3) }).collect();
    let Ok(mut state) = machine.begin(entry, &arguments, world) else { return };
    for _ in 0..40 {
        let mut arms = Vec::new();
        match machine.run(&mut state, 2_000, &mut arms) {
            // Nobody has asked whether the arms so far are feasible together.
            Pause::Branch if arms.is_empty() => return,
            Pause::Branch | Pause::Choice => machine.take(&mut state, random.below(arms.len())),
            Pause::Ended(_) => return,
            Pause::OutOfSteps | Pause::Met => {}
        }
    }
}

/// How many of so many mutants are modules.
fn mutate(module: &[u8], from: usize, count: usize, seed: u64) -> usize {
    let mut random = Random(seed);
    let mut valid = 0;
    for _ in 0..count {
        let bytes = mutant(&mut random, module, from);
        if let Ok(module) = Module::read(&bytes) {
            valid += 1;
            let models = random.one_in(2);
            run(module, &mut random, Options { models, most_calls: 100, ..Options::default() });
        }
    }
    valid
}

const SMALL: &str = r#"(module
    (import "wasi_snapshot_preview1" "fd_read" (func $read (param i32 i32 i32 i32) (result i32)))
    (import "env" "klee_int" (func $int (param i32) (result i32)))
    (import "env" "__VERIFIER_nondet_double" (func $double (result f64)))
    (import "env" "klee_make_symbolic" (func $make (param i32 i32 i32)))
    (import "env" "klee_assume" (func $assume (param i32)))
    (memory (export "memory") 1)
    (table 4 funcref)
    (global $g (mut i32) (i32.const 0))
    (global $wide (mut i64) (i64.const 5))
    (data (i32.const 8) "\10\00\00\00\04\00\00\00abcd")
    (data $passive "0123456789")
    (elem (i32.const 0) $count $count $sum)
    (func $count (param i32) (result i32)
        (block (loop (br_if 1 (i32.eqz (local.get 0)))
            (local.set 0 (i32.sub (local.get 0) (i32.const 1))) (br 0)))
        (local.get 0))
    (func $sum (param i64 i64) (result i64 i32)
        (i64.add (local.get 0) (local.get 1)) (i32.wrap_i64 (i64.div_s (local.get 0) (local.get 1))))
    (func (export "f") (param i32 i32) (result i32) (local $x i32) (local $d f64)
        (drop (call $read (i32.const 0) (i32.const 8) (i32.const 1) (i32.const 100)))
        (call $make (i32.const 32) (i32.const 8) (i32.const 8))
        (local.set $x (call $int (i32.const 8)))
        (local.set $d (call $double))
        (call $assume (i32.lt_u (local.get $x) (i32.const 40)))
        (global.set $g (i32.load8_s offset=4 (local.get $x)))
        (i64.store (i32.const 48) (i64.mul (i64.load (i32.const 32)) (i64.extend_i32_u (local.get $x))))
        (drop (i32.trunc_f64_s (f64.add (local.get $d) (f64.load (i32.const 34)))))
        (memory.init $passive (i32.const 64) (i32.const 0) (i32.const 5))
        (memory.copy (i32.const 70) (i32.const 30) (i32.and (local.get $x) (i32.const 7)))
        (block (block (block (br_table 0 1 2 0 (i32.rem_u (local.get $x) (i32.const 5))))
            (drop (call $count (i32.const 3)))))
        (drop (drop (call_indirect (param i64 i64) (result i64 i32) 
            (i64.const 7) (global.get $wide) (i32.const 2))))
        (if (result i32) (i32.eq (local.get $x) (global.get $g))
            (then (call_indirect (param i32) (result i32) (i32.const 9) (local.get $x)))
            (else (select (local.get $x) (i32.load16_u (i32.const 65)) (local.get 0))))))"#;

#[test]
fn mutants_of_a_small_module() {
    let module = wat::parse_str(SMALL).unwrap();
    let valid = mutate(&module, 8, 8_000, 1);
    assert!(valid > 1000, "only {valid} mutants are modules");
}

#[test]
#[ignore = "takes minutes"]
fn many_mutants() {
    let small = wat::parse_str(SMALL).unwrap();
    let valid = mutate(&small, 8, 500_000, 100) + mutate(&program(), 8, 100_000, 200);
    println!("{valid} of 600000 mutants are modules");
}

#[test]
fn mutants_of_a_program() {
    let valid = mutate(&program(), 8, 2_500, 2);
    assert!(valid > 50, "only {valid} mutants are modules");
}

fn program() -> Vec<u8> {
    let text = "#include <klee/klee.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
        static const char *names[] = {\"one\", \"two\", \"three\"};\n\
        int main(void) { char a[4]; klee_make_symbolic(a, 4, \"a\"); char *p = malloc(8);\n\
        strcpy(p, names[a[0] & 1]);\n\
        if (memcmp(a, p, 3) == 0) puts(p); int c = getchar();\n\
        switch (c) { case 'a': free(p); break; case 'b': return a[1]; }\n\
        return atoi(a) / (a[2] + 1); }";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("program.c");
    std::fs::write(&file, text).unwrap();
    // Debug information is most of a module, and damage there changes nothing.
    compile_file(&file, &[], OBJECTS, &["-g0", "-Wl,--strip-debug"])
}
