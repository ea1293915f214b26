//! Test cases whose objects are built by public calls: every graph that calls can make is found among all valid ones, and nothing else is taken
//! for it; the real JVM agrees.

use evergreen::Evergreen;
use evergreen::explore::jvm::Options as JvmOptions;
use evergreen::explore::replay::{
    Build, BuildCall, Built, Ending, GraphBody, GraphField, GraphObject, JavaValue, Receiver, Target,
    TestCase,
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
            Tree::Leaf => -1,
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

/// The calls for an object, for people: `add(10) add(20)`.
fn shown(built: &Built) -> String {
    let value = |value: &JavaValue| match value {
        JavaValue::Int(n) => n.to_string(),
        JavaValue::Boxed(inner) if matches!(**inner, JavaValue::Int(_)) => {
            format!("{:?}", inner).replace("Int", "")
        }
        other => format!("{other:?}"),
    };
    let call = |call: &BuildCall| {
        format!("{}({})", call.method, call.arguments.iter().map(value).collect::<Vec<_>>().join(", "))
    };
    built.calls.iter().map(call).collect::<Vec<_>>().join(" ")
}

fn calls(build: Option<Build>) -> String {
    build.map_or("none".into(), |build| build.objects.iter().map(shown).collect::<Vec<_>>().join("; "))
}

/// Of all trees of so many nodes, how many are built.
fn built(exploration: &mut Exploration, class: &str, all: Vec<Vec<GraphObject>>) -> (usize, usize) {
    let count = all.len();
    let found = |objects| exploration.find_calls(&case(class, "dfs", "()I", objects)).is_some();
    (all.into_iter().map(found).filter(|found| *found).count(), count)
}

#[test]
fn red_black_trees_are_built() {
    let mut exploration = subject("TreeSet");
    let mut found = Vec::new();
    for count in 0..=7 {
        let color = |black| vec![("color", JavaValue::Boolean(black == 1))];
        let trees = (0..5).flat_map(|blacks| red_black(count, blacks, true));
        let all = trees.map(|tree| objects("heap.TreeSet", "heap.TreeSet$Node", &tree, color));
        found.push(built(&mut exploration, "heap.TreeSet", all.collect()));
    }
    assert_eq!(found, [(1, 1), (1, 1), (2, 2), (2, 2), (4, 4), (8, 8), (16, 16), (32, 33)]);
}

#[test]
fn balanced_trees_are_built() {
    let mut exploration = subject("AvlTree");
    let mut found = Vec::new();
    for count in 0..=7 {
        let height = |height| vec![("height", JavaValue::Int(height))];
        let all =
            avl(count).into_iter().map(|tree| objects("heap.AvlTree", "heap.AvlTree$Node", &tree, height));
        found.push(built(&mut exploration, "heap.AvlTree", all.collect()));
    }
    assert!(found.iter().all(|(found, all)| found == all), "{found:?}");
}

#[test]
fn trees_that_are_wrong_are_not_built() {
    let mut exploration = subject("TreeSet");
    let tree = Tree::Node(Tree::Leaf.into(), 1, Tree::Node(Tree::Leaf.into(), 0, Tree::Leaf.into()).into());
    let color = |black| vec![("color", JavaValue::Boolean(black == 1))];
    let good = objects("heap.TreeSet", "heap.TreeSet$Node", &tree, color);
    let mut build = |change: &dyn Fn(&mut Vec<GraphObject>)| {
        let mut objects = good.clone();
        change(&mut objects);
        calls(exploration.find_calls(&case("heap.TreeSet", "dfs", "()I", objects)))
    };
    fn set(object: &mut GraphObject, name: &str, value: JavaValue) {
        let GraphBody::Fields(fields) = &mut object.body else { panic!() };
        fields.iter_mut().find(|field| field.name == name).unwrap().value = value;
    }
    assert_eq!(build(&|_| {}), "add(10) add(20)");
    // A red root, keys out of order, a cycle, a node that hangs on both sides, another class, a field that is not there.
    assert_eq!(build(&|all| set(&mut all[1], "color", JavaValue::Boolean(false))), "none");
    assert_eq!(build(&|all| set(&mut all[2], "key", JavaValue::Int(5))), "none");
    assert_eq!(build(&|all| set(&mut all[2], "left", JavaValue::Ref(1))), "none");
    assert_eq!(build(&|all| set(&mut all[1], "left", JavaValue::Ref(2))), "none");
    assert_eq!(build(&|all| all[2].class = "heap.TreeSet".into()), "none");
    assert_eq!(build(&|all| all[2].class = "heap.Missing".into()), "none");
    assert_eq!(build(&|all| set(&mut all[0], "root", JavaValue::Ref(7))), "none");
    assert_eq!(
        build(&|all| all[2] = object("heap.TreeSet$Node", "", &[("weight", JavaValue::Int(0))])),
        "none"
    );
    // What is not listed is free.
    assert_eq!(
        build(&|all| all[2] = object("heap.TreeSet$Node", "", &[("key", JavaValue::Int(20))])),
        "add(10) add(20)"
    );
    assert_eq!(build(&|all| all[0] = object("heap.TreeSet", "this", &[])), "");
}

#[test]
fn lists_with_headers_are_built() {
    let (class, entry) = ("heap.LinkedList", "heap.LinkedList$Entry");
    let mut exploration = subject("LinkedList");
    let mut list = |elements: &[i32]| {
        let count = elements.len() + 1;
        let mut objects = vec![object(class, "this", &[("header", JavaValue::Ref(1))])];
        for place in 0..count {
            let next = JavaValue::Ref((place + 1) % count + 1);
            let previous = JavaValue::Ref((place + count - 1) % count + 1);
            let mut fields = vec![("next", next), ("previous", previous)];
            if place > 0 {
                fields.push(("element", JavaValue::Int(elements[place - 1])));
            }
            objects.push(object(entry, "", &fields));
        }
        calls(exploration.find_calls(&case(class, "count", "()I", objects)))
    };
    assert_eq!(list(&[]), "");
    assert_eq!(list(&[7]), "add(7)");
    assert_eq!(list(&[7, 7, -1]), "add(7) add(7) add(-1)");
    let many: Vec<i32> = (0..62).map(|i| i * 37 % 11).collect();
    assert_eq!(list(&many).split(' ').count(), 62);
}

#[test]
fn several_objects_are_built_unless_they_share() {
    let (class, node) = ("heap.TreeSet", "heap.TreeSet$Node");
    let mut exploration = subject("TreeSet");
    let mut build = |second: usize, other: JavaValue| {
        let leaf = |key| object(node, "", &[("key", JavaValue::Int(key)), ("left", JavaValue::Null)]);
        let set = |root| object(class, "", &[("root", JavaValue::Ref(root))]);
        let objects = vec![set(1), leaf(3), set(second), leaf(4)];
        let mut case = case(class, "equals", "(Ljava/lang/Object;)Z", objects);
        case.arguments = vec![other];
        calls(exploration.find_calls(&case))
    };
    assert_eq!(build(3, JavaValue::Ref(2)), "add(3); add(4)");
    assert_eq!(build(3, JavaValue::Ref(0)), "add(3)");
    assert_eq!(build(3, JavaValue::Null), "add(3)");
    assert_eq!(build(1, JavaValue::Ref(2)), "none");
}
