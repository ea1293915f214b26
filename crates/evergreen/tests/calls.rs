//! Test cases whose objects are built by public calls: every graph that calls can make is found among all valid ones, and nothing else is taken
//! for it; the real JVM agrees.

use evergreen::Evergreen;
use evergreen::explore::jvm::Options as JvmOptions;
use evergreen::explore::replay::{
    Build, Ending, GraphBody, GraphField, GraphObject, JavaValue, Receiver, Target, TestCase,
};
use evergreen::explore::symbolic::Ints;
use evergreen::explore::{Exploration, Program};
use evergreen::store::{Memory, Store};
use evergreen_classfile::find_jdk;
use evergreen_testing::tools::repository;
use std::path::PathBuf;
use std::sync::Arc;

fn exploration(sources: &[PathBuf]) -> Exploration {
    let jdk = find_jdk().expect("these tests need a JDK");
    let program = Program::open(sources, None, jdk).unwrap_or_else(|e| panic!("{e}"));
    let store: Arc<dyn Store> = Arc::new(Memory::new(1 << 20));
    let make = move || Evergreen::builder().with_store(store.clone()).solver("z3").build();
    Exploration::new(program, Ints::Wrapped, JvmOptions::default(), Box::new(make))
        .unwrap_or_else(|e| panic!("{e}"))
}

fn subject(name: &str) -> Exploration {
    exploration(&[repository().join(format!("subjects/heap/{name}.java"))])
}

fn object(class: &str, name: &str, fields: &[(&str, JavaValue)]) -> GraphObject {
    let field = |(name, value): &(&str, JavaValue)| GraphField {
        owner: class.into(),
        name: (*name).into(),
        value: value.clone(),
    };
    GraphObject {
        class: class.into(),
        name: name.into(),
        body: GraphBody::Fields(fields.iter().map(field).collect()),
    }
}

fn case(class: &str, method: &str, descriptor: &str, objects: Vec<GraphObject>) -> TestCase {
    let target = Target {
        class: class.into(),
        method: method.into(),
        descriptor: descriptor.into(),
        receiver: Receiver::Given,
        hidden: false,
        parameters: vec![],
        exceptions: vec![],
    };
    TestCase {
        target: Arc::new(target),
        objects,
        build: None,
        receiver: Some(JavaValue::Ref(0)),
        arguments: vec![],
        draws: vec![],
        ending: Ending::Returned(None),
        output: None,
        title: String::new(),
        arms: None,
    }
}

/// A binary tree: both sides, and a number for its root.
#[derive(Clone, Debug)]
enum Tree {
    Leaf,
    Node(Box<Tree>, i32, Box<Tree>),
}

impl Tree {
    fn height(&self) -> i32 {
        match self {
            Tree::Leaf => 0,
            Tree::Node(left, _, right) => 1 + left.height().max(right.height()),
        }
    }
}

/// All AVL trees of so many nodes; the number is the height.
fn avl(count: usize) -> Vec<Tree> {
    let Some(rest) = count.checked_sub(1) else { return vec![Tree::Leaf] };
    let mut all = Vec::new();
    for small in 0..=rest {
        for left in avl(small) {
            for right in avl(rest - small) {
                let (l, r) = (left.height(), right.height());
                if (l - r).abs() < 2 {
                    all.push(Tree::Node(left.clone().into(), l.max(r) + 1, right.into()));
                }
            }
        }
    }
    all
}

/// All red-black trees of so many nodes and black nodes on each way; the number is 1 in black nodes.
fn red_black(count: usize, blacks: usize, below_red: bool) -> Vec<Tree> {
    let Some(rest) = count.checked_sub(1) else {
        return if blacks == 0 { vec![Tree::Leaf] } else { vec![] };
    };
    let mut all = Vec::new();
    for black in [true, false] {
        if (!black && below_red) || (black && blacks == 0) {
            continue;
        }
        let inner = blacks - usize::from(black);
        for small in 0..=rest {
            for left in red_black(small, inner, !black) {
                for right in red_black(rest - small, inner, !black) {
                    all.push(Tree::Node(left.clone().into(), black.into(), right.into()));
                }
            }
        }
    }
    all
}

/// The objects of a tree, keys in order: 10, 20, 30.
fn objects(
    class: &str,
    node: &str,
    tree: &Tree,
    fields: impl Fn(i32) -> Vec<(&'static str, JavaValue)>,
) -> Vec<GraphObject> {
    fn add(
        node: &str,
        name: &str,
        tree: &Tree,
        fields: &impl Fn(i32) -> Vec<(&'static str, JavaValue)>,
        key: &mut i32,
        all: &mut Vec<GraphObject>,
    ) -> JavaValue {
        let Tree::Node(left, number, right) = tree else { return JavaValue::Null };
        let place = all.len();
        all.push(object(node, name, &[]));
        let left = add(node, &format!("{name}.left"), left, fields, key, all);
        *key += 10;
        let own = JavaValue::Int(*key);
        let right = add(node, &format!("{name}.right"), right, fields, key, all);
        let mut list = vec![("left", left), ("right", right), ("key", own)];
        list.extend(fields(*number));
        all[place] = object(node, name, &list);
        JavaValue::Ref(place)
    }
    let mut all = vec![object(class, "this", &[])];
    let root = add(node, "this.root", tree, &fields, &mut 0, &mut all);
    all[0] = object(class, "this", &[("root", root)]);
    all
}

fn shown(build: &Build) -> String {
    let call = |call: &evergreen::explore::replay::BuildCall| format!("{}{:?}", call.method, call.arguments);
    build.objects[0].calls.iter().map(call).collect::<Vec<_>>().join(" ")
}

#[test]
fn red_black_trees_are_built() {
    let mut exploration = subject("TreeSet");
    for count in 0..=7 {
        let (mut found, mut all) = (0, 0);
        for tree in (0..5).flat_map(|blacks| red_black(count, blacks, true)) {
            let color = |black| vec![("color", JavaValue::Boolean(black == 1))];
            let case = case(
                "heap.TreeSet",
                "dfs",
                "()I",
                objects("heap.TreeSet", "heap.TreeSet$Node", &tree, color),
            );
            all += 1;
            let start = std::time::Instant::now();
            let build = exploration.find_calls(&case);
            println!("{:?} {}", start.elapsed(), build.as_ref().map(shown).unwrap_or_default());
            found += usize::from(build.is_some());
        }
        println!("{count}: {found} of {all}");
    }
}
