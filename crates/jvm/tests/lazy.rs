//! Objects as inputs: their fields are chosen when they are first read, and structures that the class's own check refuses are dropped.

mod common;

use common::Program;
use evergreen_explore::{Machine, Pause};
use evergreen_jvm::{Ending, LazyOptions, Outcome, Unread};

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
            Pause::OutOfSteps => panic!("out of steps"),
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

fn options(scope: u32) -> LazyOptions {
    LazyOptions { scope, ..LazyOptions::default() }
}

fn returned(outcomes: &[Outcome]) -> usize {
    outcomes.iter().filter(|outcome| matches!(outcome.ending, Ending::Returned(_))).count()
}

#[test]
fn traversals_find_every_binary_tree_once() {
    let mut program = Program::new("BinTree", BIN_TREE);
    // Sums of Catalan numbers; the paper leaves out the tree without nodes and has one less of each.
    for (scope, expected) in [(1, 2), (2, 4), (3, 9), (4, 23), (5, 65), (6, 197)] {
        for (method, descriptor) in [("bfs", "()I"), ("dfs", "()I"), ("repOK", "()Z")] {
            let outcomes = paths(&mut program, method, descriptor, options(scope));
            assert_eq!(returned(&outcomes), expected, "{method} at {scope}");
        }
    }
}
