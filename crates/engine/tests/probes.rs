//! Probes: the decisions of modules whose way is known, and modules that behave as before.

use crate::common::{compile, text, wat, world};
use evergreen_engine::{Arms, End, Entry, Limits, Natives, Probed, Ran, Test, TrapKind, Val};

/// Runs an exported function with integers and records all decisions.
fn call(module: &[u8], natives: &Natives, name: &str, args: &[i32]) -> Ran {
    let probed = Probed::plant(module, natives).expect("planted");
    let args = args.iter().map(|&value| Val::I32(value)).collect();
    let entry = Entry::Export(name.to_string());
    let ran = probed.run(&Test { entry, args, trace: u32::MAX, ..Test::default() }, &Limits::default());
    let ran = ran.expect("the test runs");
    let mut arms = Arms::default();
    for &(site, arm) in &ran.trace {
        assert!(site < probed.sites());
        arms.take(site, arm);
    }
    assert_eq!(arms, ran.arms, "the module's digest is that of the recorded decisions");
    ran
}

fn check(module: &str, name: &str, args: &[i32], decisions: &[(u32, u32)]) -> Ran {
    let ran = call(&wat(module), &Natives::default(), name, args);
    assert_eq!(ran.trace, decisions, "{name} {args:?}");
    ran
}

const LOOPS: &str = r#"(module
  (func $unused (param i32) (if (local.get 0) (then)))
  (func (export "count") (param i32) (result i32) (local i32)
    (block
      (loop
        (br_if 1 (i32.eqz (local.get 0)))
        (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
        (if (i32.and (local.get 0) (i32.const 1))
          (then (local.set 1 (i32.add (local.get 1) (i32.const 10))))
          (else (local.set 1 (i32.add (local.get 1) (i32.const 1)))))
        (br 0)))
    (local.get 1))
  (func (export "pick") (param i32) (result i32)
    (select (i32.const 1) (i32.const 2) (local.get 0)))
  (func (export "switch") (param i32) (result i32)
    (block (block (block
      (br_table 1 0 1 2 0 2 (local.get 0)))
      (return (i32.const 10)))
      (return (i32.const 20)))
    (i32.const 30)))"#;

#[test]
fn conditions_are_numbered_in_the_order_of_the_code() {
    let ran = check(LOOPS, "count", &[2], &[(1, 0), (2, 1), (1, 0), (2, 0), (1, 1)]);
    assert_eq!(ran.end, End::Returned(vec![Val::I32(11)]));
    check(LOOPS, "count", &[0], &[(1, 1)]);
}

#[test]
fn a_select_is_no_decision() {
    assert_eq!(check(LOOPS, "pick", &[0], &[]).arms, Arms::default());
}

#[test]
fn arms_of_a_table_are_distinct_targets_in_order_of_appearance() {
    // Labels 1 0 1 2 0, default 2: target 1 is arm 0, target 0 is arm 1, target 2 is arm 2.
    let expected = [(0, 20, 0), (1, 10, 1), (2, 20, 0), (3, 30, 2), (4, 10, 1), (5, 30, 2), (-1, 30, 2)];
    for (selector, result, arm) in expected {
        let ran = check(LOOPS, "switch", &[selector], &[(3, arm)]);
        assert_eq!(ran.end, End::Returned(vec![Val::I32(result)]), "{selector}");
    }
}

#[test]
fn a_condition_is_not_zero_rather_than_one() {
    check(LOOPS, "count", &[1], &[(1, 0), (2, 0), (1, 1)]);
    let module = "(module (func (export \"f\") (param i32) (if (local.get 0) (then))))";
    check(module, "f", &[-7], &[(0, 1)]);
}

#[test]
fn the_digest_is_the_documented_formula() {
    let ran = check(LOOPS, "switch", &[1], &[(3, 1)]);
    let digest = (3u64 << 16 | 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    assert_eq!(ran.arms, Arms { digest, count: 1 });
    let ran = check(LOOPS, "count", &[1], &[(1, 0), (2, 0), (1, 1)]);
    let mut digest = 0u64;
    for decision in [1u64 << 16, 2 << 16, 1 << 16 | 1] {
        digest = (digest.rotate_left(23) ^ decision).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    assert_eq!(ran.arms, Arms { digest, count: 3 });
}

#[test]
fn values_on_the_stack_survive_probes() {
    let module = r#"(module
      (func (export "f") (param i32 i32) (result i32)
        (block (result i32)
          (i32.const 100)
          (br_if 0 (local.get 0))
          (drop)
          (i32.const 200)
          (br_table 0 0 (local.get 1)))))"#;
    let ran = check(module, "f", &[1, 5], &[(0, 1)]);
    assert_eq!(ran.end, End::Returned(vec![Val::I32(100)]));
    let ran = check(module, "f", &[0, 5], &[(0, 0), (1, 0)]);
    assert_eq!(ran.end, End::Returned(vec![Val::I32(200)]));
}

#[test]
fn unreachable_code_may_branch() {
    let module = r#"(module (func (export "f") (param i32) (result i32)
      (return (local.get 0))
      (if (then))
      (br_if 0)
      (br_table 0 0)))"#;
    check(module, "f", &[4], &[]);
}

#[test]
fn decisions_before_a_trap_are_kept() {
    let module = r#"(module
      (func $start (if (i32.const 1) (then)))
      (start $start)
      (func (export "f") (param i32) (if (local.get 0) (then (unreachable)))))"#;
    let ran = check(module, "f", &[1], &[(0, 1), (1, 1)]);
    assert_eq!(ran.end, End::Trapped(TrapKind::Unreachable));
    let module =
        "(module (func $s (if (i32.const 0) (then)) (unreachable)) (start $s) (func (export \"f\")))";
    let ran = check(module, "f", &[], &[(0, 0)]);
    assert_eq!(ran.end, End::Trapped(TrapKind::Unreachable));
}

const CALLS: &str = r#"(module
  (table 1 funcref)
  (elem (i32.const 0) $pure)
  (func $inner (param i32) (if (local.get 0) (then)))
  (func $pure (param i32 i32) (result i32 i32)
    (if (local.get 0) (then))
    (call $inner (local.get 1))
    (block (br_table 0 0 (local.get 0)))
    (i32.add (local.get 0) (local.get 1))
    (i32.sub (local.get 0) (local.get 1)))
  (func (export "f") (param i32) (result i32 i32)
    (call $inner (local.get 0))
    (call $pure (local.get 0) (i32.const 2))
    (call_indirect (param i32 i32) (result i32 i32) (i32.const 0))
    (if (local.get 0) (then))
    (call $inner (i32.const 0)))
  (func (export "trap") (param i32)
    (drop (drop (call $pure (local.get 0) (i32.const 2)))) (unreachable)))"#;

#[test]
fn decisions_inside_natives_do_not_count_but_have_numbers() {
    let module = wat(CALLS);
    let natives = Natives { pure: vec![1], ..Natives::default() };
    let ran = call(&module, &natives, "f", &[5]);
    assert_eq!(ran.trace, [(0, 1), (3, 1), (0, 0)]);
    assert_eq!(ran.end, End::Returned(vec![Val::I32(10), Val::I32(4)]));
    let all = call(&module, &Natives::default(), "f", &[5]);
    assert_eq!(all.end, ran.end);
    assert_eq!(all.trace.len(), 9);
    // Two natives given in the other order of the code.
    let natives = Natives { pure: vec![1, 0], ..Natives::default() };
    let ran = call(&module, &natives, "f", &[5]);
    assert_eq!((ran.trace.as_slice(), ran.end), (&[(3, 1)][..], all.end));
}

#[test]
fn the_first_decisions_can_be_recorded() {
    let probed = Probed::plant(&wat(LOOPS), &Natives::default()).unwrap();
    let entry = Entry::Export("count".to_string());
    let test = Test { entry, args: vec![Val::I32(100)], trace: 3, ..Test::default() };
    let ran = probed.run(&test, &Limits::default()).unwrap();
    assert_eq!(ran.trace, [(1, 0), (2, 1), (1, 0)]);
    assert_eq!(ran.arms.count, 201);
}

#[test]
fn a_program_in_c_has_the_decisions_of_its_source() {
    let module = compile(
        r#"
        int main(int argc, char **argv) {
            int odd = 0;
            for (int i = 0; i < 5; i++) if (i & 1) odd++;
            return odd;
        }"#,
    );
    let probed = Probed::plant(&module, &Natives::default()).unwrap();
    let test = Test { world: world(&["p"], ""), trace: u32::MAX, ..Test::default() };
    let ran = probed.run(&test, &Limits::default()).unwrap();
    assert_eq!(ran.end, End::Exited(2));
    let mut arms = Arms::default();
    ran.trace.iter().for_each(|&(site, arm)| arms.take(site, arm));
    assert_eq!(arms, ran.arms);
    // Six conditions of the loop and five inside of it, at two sites that no other code shares.
    let mut counts = std::collections::BTreeMap::new();
    ran.trace.iter().for_each(|(site, _)| *counts.entry(*site).or_insert(0) += 1);
    assert!(
        counts.values().any(|&count| count == 6) && counts.values().any(|&count| count == 5),
        "{counts:?}"
    );
    assert_eq!(text(&ran.stdout), "");
}

#[test]
fn a_module_is_shared_by_threads() {
    let probed = Probed::plant(&wat(LOOPS), &Natives::default()).unwrap();
    let count = |turns: i32| {
        let entry = Entry::Export("count".to_string());
        let test = Test { entry, args: vec![Val::I32(turns)], ..Test::default() };
        probed.run(&test, &Limits::default()).unwrap().arms
    };
    let alone: Vec<Arms> = (0..50).map(count).collect();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!((0..50).map(count).collect::<Vec<Arms>>(), alone));
        }
    });
}
