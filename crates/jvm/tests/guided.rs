//! Lazy objects of classes with an invariant: what each technique collects, through bytecode.

use crate::common::Program;
use evergreen_explore::{Machine, Pause};
use evergreen_heap::Technique;
use evergreen_jvm::{ClassInvariant, Ending, InputBound, LazyOptions, Outcome, Value};

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
            Pause::OutOfSteps | Pause::Met => panic!("out of steps"),
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

/// The error message for an invariant of `TreeSet`.
fn complaint(program: &mut Program, text: &str) -> String {
    let options = LazyOptions { invariants: vec![invariant("TreeSet", text)], ..LazyOptions::default() };
    program.jvm.options.lazy = Some(options);
    program.jvm.check_invariants().expect_err("something is wrong with it")
}

#[test]
fn names_that_the_class_does_not_have_are_pointed_at() {
    let mut program = Program::new("TreeSet", TREE_SET);
    let said = |program: &mut Program, text: &str| complaint(program, text);
    assert_eq!(
        said(&mut program, "root class TreeSet { rot: Node }\nclass Node { left: Node }"),
        "TreeSet.inv:1:22: class TreeSet has no field \"rot\"\n  root class TreeSet \
         { rot: Node }\n                       ^\nhelp: did you mean root?"
    );
    assert_eq!(
        said(&mut program, "root class TreeSet { root: Knot }\nclass Knot { left: Knot }"),
        "TreeSet.inv:2:7: class TreeSet has no class \"Knot\" in it or beside it\n  class Knot \
         { left: Knot }\n        ^\nhelp: write its whole name: class Knot = full.name.Of$Knot"
    );
    assert_eq!(
        said(&mut program, "root class TreeSet { root: Node }\nclass Node = java.util.Knot { left: Node }"),
        "TreeSet.inv:2:7: no class \"java.util.Knot\" on the class path\n  class Node = java.util.Knot \
         { left: Node }\n        ^\nhelp: write its name as Class.getName has it: java.util.TreeMap$Entry"
    );
    let kinds = [
        ("root: int", "is of type TreeSet$Node and holds no Integer"),
        ("root: bool", "is of type TreeSet$Node, not boolean"),
        ("root: TreeSet", "is of type TreeSet$Node and cannot hold a TreeSet"),
    ];
    for (field, what) in kinds {
        let found = said(&mut program, &format!("root class TreeSet {{ {field} }}"));
        assert!(found.starts_with(&format!("TreeSet.inv:1:22: field \"root\" of TreeSet {what}")), "{found}");
    }
    let kinds = [
        ("color: int", "is boolean: declare it bool, or enum with two names"),
        ("color: enum { red, black, blue }", "is boolean: declare it bool, or enum with two names"),
        ("key: bool", "is of type int, not boolean"),
        ("key: Node", "is of type int and cannot hold a TreeSet$Node"),
    ];
    for (field, what) in kinds {
        let found =
            said(&mut program, &format!("root class TreeSet {{ root: Node }}\nclass Node {{ {field} }}"));
        assert!(found.contains(&format!(" of TreeSet$Node {what}")), "{found}");
    }
    assert!(
        said(&mut program, "root class TreeSet { root: Node }\nclass Node { key: null }")
            .contains("field \"key\" is int and never null")
    );
    let statics = [
        ("left: static java.util.Knot.A", "no class \"java.util.Knot\" on the class path"),
        ("left: static java.util.TreeSet.ABSENT", "class java.util.TreeSet has no static field \"ABSENT\""),
        (
            "left: static java.util.TreeSet.PRESENT",
            "field \"left\" is of type TreeSet$Node and cannot hold a java.lang.Object",
        ),
        (
            "left: static java.util.TreeSet.serialVersionUID",
            "field \"left\" cannot hold serialVersionUID, which is no object",
        ),
        (
            "key: static java.util.TreeSet.PRESENT",
            "field \"key\" is of type int and cannot hold a java.lang.Object",
        ),
    ];
    for (field, what) in statics {
        let found =
            said(&mut program, &format!("root class TreeSet {{ root: Node }}\nclass Node {{ {field} }}"));
        assert!(found.starts_with(&format!("TreeSet.inv:2:14: {what}")), "{found}");
    }
    // Errors in the text itself have the same form.
    assert!(
        said(&mut program, "root class TreeSet { root: Node }")
            .starts_with("TreeSet.inv:1:28: no class is called \"Node\"")
    );
}

const BOXED: &str = r#"
class Boxed {
    static class Cell<T extends Comparable<T>> { T key; Object value; Cell<T> next; Number count; String name; int[] data; }
    Cell<?> first;
    Object view;
    int size;
    int key() { return first == null ? -1 : first.key.equals(3) ? 3 : 0; }
    int view() { return view == null ? 1 : 2; }
    int count() { return first == null ? -1 : first.count.intValue() > 2 ? 2 : 1; }
    int undeclared() { return first == null || first.value == null ? 0 : 1; }
    int data() { return first == null || first.data == null ? -1 : first.data.length; }
    int sized() { return size; }
}
"#;

const BOXED_INVARIANT: &str = "
root class Boxed { first: Cell  view: null  size: int 0..scope }
class Cell { next: Cell  key: int  count: int 0..3 }
invariant ends: all c in Cell: c !in c.^next
invariant counted: this.size = #Cell
";

#[test]
fn integers_in_references_are_boxed_and_what_is_not_declared_is_told() {
    let mut program = Program::new("Boxed", BOXED);
    program.jvm.options.input_length = 1;
    let options = LazyOptions {
        scope: 2,
        technique: Technique::Bliss,
        invariants: vec![invariant("Boxed", BOXED_INVARIANT)],
        ..LazyOptions::default()
    };
    let mut said = |method: &str| {
        let outcomes = paths(&mut program, method, "()I", options.clone());
        let number = |outcome: &Outcome| match outcome.ending {
            Ending::Returned(Some(Value::Int(n))) => n,
            Ending::Returned(Some(Value::Sym(_))) => 100,
            ref other => panic!("{other:?}"),
        };
        let mut all: Vec<i32> = outcomes.iter().map(number).collect();
        all.sort_unstable();
        (all, outcomes.iter().any(|outcome| outcome.narrowed.has(InputBound::References)))
    };
    assert_eq!(said("key"), (vec![-1, 0, 3], false));
    assert_eq!(said("view"), (vec![1], false));
    assert_eq!(said("count"), (vec![-1, 1, 2], false));
    assert_eq!(said("undeclared"), (vec![0, 0], true));
    assert_eq!(said("data"), (vec![-1, -1, 0, 1], false));
    assert_eq!(said("sized"), (vec![100], false));
}

const SEVERAL: &str = r#"
class Several {
    static class Node { Node next; }
    Node first;
    int same(Several other) { return other == null ? 0 : other == this ? 1 : other.first == null ? 2 : first == other.first ? 3 : 4; }
    int holds(Node node) { return first == null ? 0 : first == node ? 1 : 2; }
}
"#;

#[test]
fn two_roots_may_be_one_but_do_not_share_what_is_below() {
    let mut program = Program::new("Several", SEVERAL);
    let text = "root class Several { first: Node }\nclass Node { next: Node }\n\
                invariant ends: all n in Node: n !in n.^next";
    let options = LazyOptions {
        scope: 2,
        technique: Technique::Bliss,
        invariants: vec![invariant("Several", text)],
        ..LazyOptions::default()
    };
    let said = |outcomes: &[Outcome]| {
        let mut all: Vec<i32> = outcomes
            .iter()
            .map(|outcome| match outcome.ending {
                Ending::Returned(Some(Value::Int(n))) => n,
                ref other => panic!("{other:?}"),
            })
            .collect();
        all.sort_unstable();
        all
    };
    let outcomes = paths(&mut program, "same", "(LSeveral;)I", options.clone());
    assert_eq!(said(&outcomes), [0, 1, 2, 4, 4]);
    assert!(outcomes.iter().all(|outcome| !outcome.narrowed.has(InputBound::References)));
    // A node from elsewhere may be one that was not found yet: this case is not explored,
    // and the outcome reports it.
    let outcomes = paths(&mut program, "holds", "(LSeveral$Node;)I", options);
    assert_eq!(said(&outcomes), [0, 0, 2, 2]);
    assert!(outcomes.iter().any(|outcome| outcome.narrowed.has(InputBound::References)));
}
