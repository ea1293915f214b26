//! Damaged modules give errors or ends, never a panic.

use crate::common::{compile, wat, world};
use evergreen_engine::{Limits, Natives, Probed, Test};

/// Numbers that look random, the same every time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % below
    }
}

/// Runs mutants of a module; how many could be planted.
fn mutate(module: &[u8], count: usize, seed: u64) -> usize {
    let mut numbers = Numbers(seed);
    let limits = Limits { fuel: 100_000, memory_bytes: 4 << 20, output_bytes: 1 << 16 };
    let test = Test { world: world(&["p", "x"], "some input"), ..Test::default() };
    let mut planted = 0;
    for _ in 0..count {
        let mut mutant = module.to_vec();
        for _ in 0..=numbers.next(3) {
            let at = numbers.next(mutant.len());
            match numbers.next(4) {
                0 => mutant[at] ^= 1 << numbers.next(8),
                1 => mutant[at] = numbers.next(256) as u8,
                2 => mutant.truncate(at.max(8)),
                _ => mutant.insert(at, numbers.next(256) as u8),
            }
        }
        if let Ok(probed) = Probed::plant(&mutant, &Natives::default()) {
            planted += 1;
            let _ = probed.run(&test, &limits);
        }
    }
    planted
}

#[test]
fn mutants_of_a_small_module() {
    let module = wat(r#"(module
        (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
        (memory (export "memory") 1)
        (table 2 funcref)
        (global $g (mut i32) (i32.const 0))
        (data (i32.const 0) "\08\00\00\00\04\00\00\00abcd")
        (elem (i32.const 0) $count $count)
        (func $count (param i32) (result i32)
            (block (loop (br_if 1 (i32.eqz (local.get 0)))
                (local.set 0 (i32.sub (local.get 0) (i32.const 1))) (br 0)))
            (local.get 0))
        (func (export "_start")
            (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 100)))
            (drop (call_indirect (param i32) (result i32) (i32.const 9) (i32.const 1)))
            (block (block (br_table 0 1 0 (global.get $g))))
            (if (call $count (i32.const 3)) (then (unreachable)))))"#);
    let planted = mutate(&module, 9_000, 1);
    assert!(planted > 500, "only {planted} mutants are modules");
}

#[test]
fn mutants_of_a_program() {
    let module = compile("#include <stdio.h>\nint main(void) { puts(\"hello\"); return getchar(); }");
    let planted = mutate(&module, 1_000, 2);
    assert!(planted > 50, "only {planted} mutants are modules");
}
