//! Objects as inputs: their fields are chosen when they are first read, and structures that the class's own
//! check refuses are dropped.

use std::collections::BTreeSet;

use crate::common::Program;
use evergreen_explore::{Machine, Pause};
use evergreen_jvm::{Ending, InputValue, LazyOptions, Outcome, Unread, Value};
use evergreen_symbolic::Assignment;

const BIN_TREE: &str = include_str!("../../../subjects/heap/BinTree.java");

/// All paths of a method without symbolic branches.
fn paths(program: &mut Program, method: &str, descriptor: &str, options: LazyOptions) -> Vec<Outcome> {
    program.jvm.options.lazy = Some(options);
    program.jvm.lazy_counts = Default::default();
    let method = program.method(method, descriptor);
    let mut open = vec![program.jvm.start(&program.base, method, Vec::new())];
    let (mut arms, mut ended) = (Vec::new(), Vec::new());
    while let Some(mut state) = open.pop() {
        match program.jvm.run(&mut state, 1_000_000, &mut arms) {
            Pause::Ended(outcome) => ended.push(outcome),
            Pause::OutOfSteps | Pause::Met => panic!("out of steps"),
            Pause::Branch => panic!("a branch on symbols: {arms:?}"),
            Pause::Choice => {
                for arm in (0..arms.len()).rev() {
                    let mut next = state.clone();
                    program.jvm.take(&mut next, arm);
                    open.push(next);
                }
            }
        }
    }
    ended
}

/// The subject, outside of its package.
fn bin_tree() -> Program {
    Program::new("BinTree", &BIN_TREE.replace("package heap;", ""))
}

fn options(scope: u32) -> LazyOptions {
    LazyOptions { scope, ..LazyOptions::default() }
}

fn searching(scope: u32) -> LazyOptions {
    LazyOptions { unread: Unread::Search, ..options(scope) }
}

fn returned(outcomes: &[Outcome]) -> usize {
    outcomes.iter().filter(|outcome| matches!(outcome.ending, Ending::Returned(_))).count()
}

// Sums of Catalan numbers; the paper leaves out the tree without nodes and has one less of each.
const TREES: [(u32, usize); 6] = [(1, 2), (2, 4), (3, 9), (4, 23), (5, 65), (6, 197)];

#[test]
fn traversals_find_every_binary_tree_once() {
    let mut program = bin_tree();
    for (scope, expected) in TREES {
        for (method, descriptor) in [("dfs", "()I"), ("repOK", "()Z")] {
            let outcomes = paths(&mut program, method, descriptor, options(scope));
            assert_eq!((returned(&outcomes), outcomes.len()), (expected, expected), "{method} at {scope}");
        }
        let outcomes = paths(&mut program, "bfs", "()I", searching(scope));
        assert_eq!((returned(&outcomes), outcomes.len()), (expected, expected), "bfs at {scope}");
    }
}

#[test]
fn a_check_in_another_order_drops_the_same_trees_later() {
    let mut program = bin_tree();
    for (scope, expected) in &TREES[..4] {
        let outcomes = paths(&mut program, "bfs", "()I", options(*scope));
        assert_eq!(returned(&outcomes), *expected, "bfs at {scope}");
        let invalid = outcomes.iter().filter(|outcome| matches!(outcome.ending, Ending::Invalid)).count();
        assert_eq!(returned(&outcomes) + invalid, outcomes.len(), "bfs at {scope}");
        assert_eq!(invalid > 0, *scope > 1, "bfs at {scope}");
    }
}

#[test]
fn without_a_check_nodes_may_be_shared() {
    let mut program = bin_tree();
    let unchecked = LazyOptions { rep_ok: String::new(), ..options(2) };
    let outcomes = paths(&mut program, "repOK", "()Z", unchecked);
    let said = |value: i32| {
        let is = |outcome: &&Outcome| {
            let Ending::Returned(Some(Value::Int(said))) = outcome.ending else { return false };
            said == value
        };
        outcomes.iter().filter(is).count()
    };
    // The trees are there, and others.
    assert_eq!(said(1), 4);
    assert_eq!(said(0), outcomes.len() - 4);
    assert!(said(0) > 0);
}

const PAIR: &str = r#"
class Pair {
    static class Cell { int value; long wide; int[] items; Cell next; }
    Cell first;
    int touch(Cell other) {
        if (first == null) return 0;
        first.next = null;
        Cell next = first.next;
        return next == null ? other == first ? 1 : 2 : 3;
    }
    int sum() { return first == null ? 0 : first.value + (int) first.wide; }
    static int same(Cell a, Cell b) { return a == null ? 0 : a == b ? 1 : 2; }
}
"#;

#[test]
fn parameters_may_be_the_same_object() {
    let mut program = Program::new("Pair", PAIR);
    let outcomes = paths(&mut program, "same", "(LPair$Cell;LPair$Cell;)I", options(3));
    let mut said: Vec<Value> = Vec::new();
    for outcome in &outcomes {
        if let Ending::Returned(Some(value)) = outcome.ending {
            said.push(value);
        }
    }
    said.sort_by_key(|value| value.as_int());
    // null and null, null and a cell; a cell and itself; a cell and null, a cell and another.
    assert_eq!(said, [0, 0, 1, 2, 2].map(Value::Int));
}

#[test]
fn what_is_written_before_it_is_read_is_no_choice() {
    let mut program = Program::new("Pair", PAIR);
    let outcomes = paths(&mut program, "touch", "(LPair$Cell;)I", options(2));
    let mut seen = BTreeSet::new();
    for outcome in &outcomes {
        let Ending::Returned(Some(Value::Int(said))) = outcome.ending else { panic!("{:?}", outcome.ending) };
        assert_ne!(said, 3);
        seen.insert(said);
        let objects = program.jvm.input_objects(&outcome.state, &Assignment::new());
        let names = objects.iter().flat_map(|object| object.fields.iter().map(|(_, name, _)| &**name));
        assert!(names.into_iter().all(|name| name == "first"), "{objects:?}");
    }
    assert_eq!(seen, BTreeSet::from([0, 1, 2]));
}

#[test]
fn primitive_fields_are_inputs_named_by_numbers() {
    let mut program = Program::new("Pair", PAIR);
    let outcomes = paths(&mut program, "sum", "()I", options(1));
    assert_eq!(outcomes.len(), 2);
    let inputs = program.assignment(&[("#1.value", 5), ("#1.wide", 7)]);
    let Ending::Returned(Some(value)) = outcomes[1].ending else { panic!("{:?}", outcomes[1].ending) };
    assert_eq!(program.jvm.evaluate(value, &inputs), Value::Int(12));
    let objects = program.jvm.input_objects(&outcomes[1].state, &inputs);
    assert_eq!(objects.len(), 2);
    assert_eq!(objects[0].fields[0].2, InputValue::Object(1));
    assert_eq!((&*objects[1].name, objects[1].fields.len()), ("this.first", 2));
}

#[test]
fn a_structure_is_checked_once_in_whatever_order_it_was_found() {
    let mut program = bin_tree();
    let outcomes = paths(&mut program, "bfs", "()I", searching(5));
    assert_eq!(returned(&outcomes), 65);
    let first = program.jvm.lazy_counts;
    assert!(first.checks > 0 && first.checks + first.known == first.considered, "{first:?}");
    // Depth first, some of the same partial trees are found in another order.
    paths(&mut program, "dfs", "()I", searching(5));
    assert_eq!((program.jvm.lazy_counts.checks, program.jvm.lazy_counts.known), (921, 221));
    paths(&mut program, "bfs", "()I", searching(5));
    assert_eq!((program.jvm.lazy_counts.checks, program.jvm.lazy_counts.known), (0, first.considered));
    // Another scope is another question.
    assert_eq!(returned(&paths(&mut program, "dfs", "()I", searching(2))), 4);
    assert_eq!(program.jvm.lazy_counts.known, 0);
}

const GUARDED: &str = r#"
class Guarded {
    static int limit = 1;
    Guarded next;
    boolean repOK() { int n = 0; for (Guarded at = next; at != null && n < 4; at = at.next) n++; return n <= limit; }
    int count() {
        int n = next == null ? 0 : next.next == null ? 1 : 2;
        return n;
    }
    int wider() { limit = 2; return count(); }
}
"#;

#[test]
fn what_static_variables_hold_is_a_part_of_the_question() {
    let mut program = Program::new("Guarded", GUARDED);
    assert_eq!(returned(&paths(&mut program, "count", "()I", searching(3))), 2);
    assert_eq!(returned(&paths(&mut program, "wider", "()I", searching(3))), 3);
}

#[test]
fn what_final_variables_refer_to_is_too() {
    let source = GUARDED
        .replace("static int limit = 1;", "static final int[] limit = {1};")
        .replace("n <= limit;", "n <= limit[0];")
        .replace("limit = 2;", "limit[0] = 2;");
    let mut program = Program::new("Guarded", &source);
    assert_eq!(returned(&paths(&mut program, "count", "()I", searching(3))), 2);
    assert_eq!(returned(&paths(&mut program, "wider", "()I", searching(3))), 3);
}
