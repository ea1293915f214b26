//! Test cases whose objects are built by public calls: every graph that calls can make is found among all
//! valid ones, and no other graph is taken for it; the real JVM agrees.

use crate::exploring::heaps::{Explored, compiled, exploration, explore, replayed};
use evergreen_heap::Technique;
use evergreen_java::Exploration;
use evergreen_java::classfile::find_jdk;
use evergreen_java::jvm::{ClassInvariant, LazyOptions, Unread};
use evergreen_java::replay::{
    Build, BuildCall, Built, Ending, Fate, GraphBody, GraphField, GraphObject, JavaValue, Junit, JunitJars,
    JunitOptions, Receiver, Target, TestCase, junit_suites, run_junit,
};
use evergreen_testing::tools::{put_on_path, repository};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// The classes of the subjects, compiled once.
fn subjects() -> &'static [PathBuf] {
    static PLACES: OnceLock<Vec<PathBuf>> = OnceLock::new();
    PLACES.get_or_init(|| compiled("subjects/heap"))
}

/// A machine for the subjects.
fn machine() -> Exploration {
    exploration(subjects(), LazyOptions::default())
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
    let found = |objects| exploration.front.find_calls(&case(class, "dfs", "()I", objects)).is_some();
    (all.into_iter().map(found).filter(|found| *found).count(), count)
}

#[test]
fn red_black_trees_are_built() {
    let mut exploration = machine();
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
    let mut exploration = machine();
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
    let mut exploration = machine();
    let tree = Tree::Node(Tree::Leaf.into(), 1, Tree::Node(Tree::Leaf.into(), 0, Tree::Leaf.into()).into());
    let color = |black| vec![("color", JavaValue::Boolean(black == 1))];
    let good = objects("heap.TreeSet", "heap.TreeSet$Node", &tree, color);
    let mut build = |change: &dyn Fn(&mut Vec<GraphObject>)| {
        let mut objects = good.clone();
        change(&mut objects);
        calls(exploration.front.find_calls(&case("heap.TreeSet", "dfs", "()I", objects)))
    };
    fn set(object: &mut GraphObject, name: &str, value: JavaValue) {
        let GraphBody::Fields(fields) = &mut object.body else { panic!() };
        fields.iter_mut().find(|field| field.name == name).unwrap().value = value;
    }
    assert_eq!(build(&|_| {}), "add(10) add(20)");
    // A red root, keys out of order, a cycle, a node that hangs on both sides, another class, a field that is
    // not there.
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
fn calls_of_older_tests_are_tried_again() {
    let mut exploration = machine();
    let tree = Tree::Node(Tree::Leaf.into(), 1, Tree::Node(Tree::Leaf.into(), 0, Tree::Leaf.into()).into());
    let color = |black| vec![("color", JavaValue::Boolean(black == 1))];
    let mut old =
        case("heap.TreeSet", "dfs", "()I", objects("heap.TreeSet", "heap.TreeSet$Node", &tree, color));
    assert!(!exploration.front.makes(&old), "there are none");
    old.build = exploration.front.find_calls(&old);
    assert!(exploration.front.makes(&old));
    let mut with = |change: &dyn Fn(&mut Built)| {
        let mut other = old.clone();
        change(&mut other.build.as_mut().expect("calls").objects[0]);
        exploration.front.makes(&other)
    };
    assert!(with(&|_| {}));
    assert!(with(&|built| built.calls.push(built.calls[0].clone())), "a second time it changes nothing");
    // Another value, another order, one too few, methods and constructors that are not there, another object.
    assert!(!with(&|built| built.calls[1].arguments[0] = JavaValue::Int(21)));
    assert!(!with(&|built| built.calls.reverse()));
    assert!(!with(&|built| drop(built.calls.pop())));
    assert!(!with(&|built| built.calls[0].method = "insert".into()));
    assert!(!with(&|built| built.calls[0].descriptor = "(J)Z".into()));
    assert!(!with(&|built| built.constructor = "(I)V".into()));
    assert!(!with(&|built| built.object = 1));
    assert!(!with(&|built| built.object = 7));
}

#[test]
fn lists_with_headers_are_built() {
    let (class, entry) = ("heap.LinkedList", "heap.LinkedList$Entry");
    let mut exploration = machine();
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
        calls(exploration.front.find_calls(&case(class, "count", "()I", objects)))
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
    let mut exploration = machine();
    let mut build = |second: usize, other: JavaValue| {
        let leaf = |key| object(node, "", &[("key", JavaValue::Int(key)), ("left", JavaValue::Null)]);
        let set = |root| object(class, "", &[("root", JavaValue::Ref(root))]);
        let objects = vec![set(1), leaf(3), set(second), leaf(4)];
        let mut case = case(class, "equals", "(Ljava/lang/Object;)Z", objects);
        case.arguments = vec![other];
        calls(exploration.front.find_calls(&case))
    };
    assert_eq!(build(3, JavaValue::Ref(2)), "add(3); add(4)");
    assert_eq!(build(3, JavaValue::Ref(0)), "add(3)");
    assert_eq!(build(3, JavaValue::Null), "add(3)");
    assert_eq!(build(1, JavaValue::Ref(2)), "none");
}

/// The classes of these tests, compiled once.
fn own() -> &'static [PathBuf] {
    static PLACES: OnceLock<Vec<PathBuf>> = OnceLock::new();
    PLACES.get_or_init(|| compiled("crates/java/tests/java/calls"))
}

/// Replays the tests of paths, and has JUnit run them as source; how many have objects, and how many of these
/// are built by calls.
fn checked(explored: &[Explored]) -> Vec<(u64, u64)> {
    let paths = || explored.iter().flat_map(|explored| &explored.paths);
    assert!(replayed(own(), paths()) > 0);
    let cases: Vec<TestCase> = paths().filter_map(|path| path.case.clone()).collect();
    let options = JunitOptions {
        version: Junit::Five,
        package: "calls".into(),
        class_name: "SuiteTest".into(),
        misread: Vec::new(),
    };
    let suites = junit_suites(&cases, &options);
    put_on_path();
    let jars = JunitJars::find(Junit::Five, &[]).unwrap_or_else(|e| panic!("{e}"));
    let jdk = find_jdk().expect("these tests need a JDK");
    let tests = run_junit(&jdk, own(), &jars, &suites, Duration::from_secs(100))
        .unwrap_or_else(|error| panic!("{error}\n{}", suites[0].source));
    assert_eq!(tests.len(), cases.len());
    for test in tests {
        assert_eq!(test.fate, Fate::Passed, "{test:?}\n{}", suites[0].source);
    }
    explored.iter().map(|explored| (explored.tally.graphs, explored.tally.built)).collect()
}

#[test]
fn calls_with_visible_effects_are_not_made() {
    let lazy = LazyOptions { scope: 2, unread: Unread::Search, ..LazyOptions::default() };
    let mut exploration = exploration(own(), lazy);
    let methods = [
        ("Plain", "top"),
        ("Plain", "pop"),
        ("Plain", "many"),
        ("Plain", "isBelow"),
        ("Counted", "top"),
        ("Remembered", "top"),
        ("Loud", "top"),
        ("Throwing", "top"),
        ("Closed", "top"),
        ("Inner", "top"),
        ("Secret", "other"),
    ];
    let explored: Vec<Explored> = methods
        .iter()
        .map(|(class, method)| explore(&mut exploration, &format!("calls/Stacks${class}"), method))
        .collect();
    let expected = [
        (3, 3),
        // A cell below itself, a counter that is 17, cells that two stacks share: no calls make these.
        (4, 3),
        (3, 1),
        (8, 7),
        // Callers of the constructor are counted.
        (3, 0),
        // Only empty ones leave no trace; these need no push.
        (3, 1),
        (3, 1),
        (3, 1),
        // No test can make one.
        (3, 0),
        (3, 0),
        // Only the empty one, and nothing to go with it: parts are private.
        (30, 1),
    ];
    assert_eq!(checked(&explored), expected);
}

#[test]
fn collections_of_the_jdk_are_built() {
    let invariant = |class: &str| {
        let file = repository().join(format!("crates/java/invariants/{class}.inv"));
        let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        ClassInvariant { class: class.into(), text, origin: format!("{class}.inv") }
    };
    let names = ["java.util.TreeMap", "java.util.TreeSet", "java.util.LinkedList"];
    let lazy = LazyOptions {
        scope: 3,
        invariants: names.map(invariant).to_vec(),
        technique: Technique::Bliss,
        ..LazyOptions::default()
    };
    let mut exploration = exploration(own(), lazy);
    let methods = ["has", "put", "large", "beginAlike"];
    let explored: Vec<Explored> =
        methods.iter().map(|method| explore(&mut exploration, "calls/Maps", method)).collect();
    assert_eq!(checked(&explored), [(10, 10), (18, 18), (15, 15), (16, 16)]);
}
