//! Lazy objects of classes with an invariant: what each technique collects, through bytecode.

mod common;

use common::Program;
use evergreen_explore::{Machine, Pause};
use evergreen_heap::Technique;
use evergreen_jvm::{ClassInvariant, Ending, LazyOptions, Outcome, Value};

const TREE_SET: &str = r#"
class TreeSet {
    static class Node { Node left, right; boolean color; int key; }
    Node root;
    int dfs() { return root == null ? 0 : size(root); }
    boolean blackRoot() { return root == null || root.color; }
    boolean blackBelow() { return root == null || root.left == null || root.left.color || root.left.left == null; }
    private static int size(Node node) {
        int nodes = 1;
        if (node.left != null) nodes += size(node.left);
        if (node.right != null) nodes += size(node.right);
        return nodes;
    }
}
"#;

fn invariant(class: &str, text: &str) -> ClassInvariant {
    ClassInvariant { class: class.into(), text: text.into(), origin: format!("{class}.inv") }
}

fn tree_set() -> ClassInvariant {
    invariant("TreeSet", include_str!("../../../subjects/heap/TreeSet.inv"))
}

/// All paths of a method; branches on symbols go every way.
fn paths(program: &mut Program, method: &str, descriptor: &str, options: LazyOptions) -> Vec<Outcome> {
    program.jvm.options.lazy = Some(options);
    program.jvm.forget_guides();
    program.jvm.lazy_counts = Default::default();
    let method = program.method(method, descriptor);
    let mut open = vec![program.jvm.start(&program.base, method, Vec::new())];
    let (mut arms, mut ended) = (Vec::new(), Vec::new());
    while let Some(mut state) = open.pop() {
        match program.jvm.run(&mut state, 1_000_000, &mut arms) {
            Pause::Ended(outcome) => ended.push(outcome),
            Pause::OutOfSteps => panic!("out of steps"),
            Pause::Branch | Pause::Choice => {
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

/// Paths that returned something other than 0.
fn collected(outcomes: &[Outcome]) -> usize {
    let some = |outcome: &&Outcome| matches!(outcome.ending, Ending::Returned(Some(Value::Int(n))) if n != 0);
    outcomes.iter().filter(some).count()
}

#[test]
fn depth_first_walks_collect_what_the_paper_collects() {
    // [Rosner TSE'15], TreeSet.dfs; the tree without nodes is left out.
    let expected = [
        (Technique::Li, [8, 22, 64, 196, 625, 2055]),
        (Technique::Bli, [4, 14, 20, 92, 385, 1511]),
        (Technique::Rbli, [4, 8, 14, 42, 151, 555]),
        (Technique::Bliss, [4, 8, 14, 26, 55, 95]),
        (Technique::BlissDb, [4, 8, 14, 26, 55, 95]),
    ];
    let mut program = Program::new("TreeSet", TREE_SET);
    for (technique, counts) in expected {
        for (scope, count) in (3..).zip(counts) {
            let options =
                LazyOptions { scope, technique, invariants: vec![tree_set()], ..LazyOptions::default() };
            let outcomes = paths(&mut program, "dfs", "()I", options);
            assert_eq!(collected(&outcomes), count, "{technique:?} at {scope}");
        }
    }
}

#[test]
fn a_colour_that_a_branch_has_tested_is_known_to_the_invariant() {
    let mut program = Program::new("TreeSet", TREE_SET);
    for (technique, refused) in [(Technique::Li, 1), (Technique::Bliss, 1)] {
        let options =
            LazyOptions { scope: 3, technique, invariants: vec![tree_set()], ..LazyOptions::default() };
        // A red root is refused at once.
        let outcomes = paths(&mut program, "blackRoot", "()Z", options.clone());
        let invalid = outcomes.iter().filter(|o| matches!(o.ending, Ending::Invalid)).count();
        assert_eq!((outcomes.len(), invalid), (3, refused), "{technique:?}");
        assert_eq!(collected(&outcomes), 2);
    }
    // Below a red node at the left of a tree of three nodes there is nothing; below a black one neither.
    let below = |program: &mut Program, technique, scope| {
        let options =
            LazyOptions { scope, technique, invariants: vec![tree_set()], ..LazyOptions::default() };
        let outcomes = paths(program, "blackBelow", "()Z", options);
        let said = |wanted: i32| {
            outcomes
                .iter()
                .filter(|o| matches!(o.ending, Ending::Returned(Some(Value::Int(n))) if n == wanted))
                .count()
        };
        (said(1), said(0))
    };
    assert_eq!(below(&mut program, Technique::Bliss, 3), (4, 0));
    assert_eq!(below(&mut program, Technique::Bliss, 7), (4, 1));
}
