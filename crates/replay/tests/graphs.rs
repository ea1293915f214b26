//! Test cases whose inputs are object graphs: made on the real JVM exactly as they are given, and written as
//! JUnit source that makes the same.

use crate::common::{compile, jdks, oldest_jdk, options, returns, throws};
use evergreen_classfile::Type;
use evergreen_replay::{
    Build, BuildCall, Built, Ending, Fate, GraphBody, GraphField, GraphObject, JavaValue, Junit, JunitJars,
    JunitOptions, Message, Observed, Receiver, Suite, Target, TestCase, junit, junit_suites, replay,
    run_junit,
};
use evergreen_testing::tools;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

const NODE: &str = "shop.Graphs$Node";

fn classes() -> PathBuf {
    static COMPILED: OnceLock<PathBuf> = OnceLock::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
    COMPILED
        .get_or_init(|| compile("graphs", &[folder.join("shop/Graphs.java"), folder.join("Loose.java")]))
        .clone()
}

use JavaValue::{Int, Long, Null, Ref};

fn object(class: &str, name: &str, fields: &[(&str, JavaValue)]) -> GraphObject {
    let field = |(name, value): &(&str, JavaValue)| {
        let (owner, name) = name.split_once(':').unwrap_or((class, name));
        GraphField { owner: owner.into(), name: name.into(), value: value.clone() }
    };
    let body = GraphBody::Fields(fields.iter().map(field).collect());
    GraphObject { class: class.into(), name: name.into(), body }
}

fn node(name: &str, key: i64, left: JavaValue, right: JavaValue) -> GraphObject {
    object(NODE, name, &[("key", Long(key)), ("left", left), ("right", right)])
}

/// A case of a method: `class.method(descriptor)`; with a receiver unless that is null.
fn case(
    method: &str,
    objects: Vec<GraphObject>,
    receiver: JavaValue,
    arguments: Vec<JavaValue>,
    ending: Ending,
) -> TestCase {
    let (name, _) = method.split_once('(').unwrap();
    let descriptor = &method[name.len()..];
    let (class, name) = name.rsplit_once('.').unwrap();
    let target = Target {
        class: class.into(),
        method: name.into(),
        descriptor: descriptor.into(),
        receiver: if receiver == Null { Receiver::Static } else { Receiver::Given },
        hidden: false,
        parameters: vec![],
        exceptions: vec![],
    };
    TestCase {
        target: Arc::new(target),
        objects,
        build: None,
        receiver: (receiver != Null).then_some(receiver),
        arguments,
        draws: vec![],
        output: Some(String::new()),
        title: "ends as it should".into(),
        ending,
        arms: None,
    }
}

fn graphs(fields: &[(&str, JavaValue)]) -> GraphObject {
    object("shop.Graphs", "this", fields)
}

fn trees() -> Vec<TestCase> {
    let rooted = || graphs(&[("root", Ref(1))]);
    let this = |method: &str, objects: Vec<GraphObject>, ending| {
        case(&format!("shop.Graphs.{method}"), objects, Ref(0), vec![], ending)
    };
    let tree = || {
        vec![
            rooted(),
            node("this.root", 5, Ref(2), Ref(3)),
            node("this.root.left", -3, Null, Null),
            node("this.root.right", 1 << 40, Null, Null),
        ]
    };
    let tagged =
        |value: JavaValue| vec![graphs(&[("root", Ref(1))]), object(NODE, "graph.root", &[("tag", value)])];
    let tag = "shop.Graphs.tagOf(Lshop/Graphs;)Ljava/lang/Object;";
    vec![
        this("constructed()I", vec![graphs(&[])], returns(Int(0))),
        this("sum()J", vec![graphs(&[("root", Null)])], returns(Long(0))),
        this("sum()J", tree(), returns(Long((1 << 40) + 2))),
        this("round()I", vec![rooted(), node("this.root", 0, Null, Ref(1))], returns(Int(1))),
        this(
            "isShared()Z",
            vec![rooted(), node("this.root", 0, Ref(2), Ref(2)), node("this.root.left", 0, Null, Null)],
            returns(JavaValue::Boolean(true)),
        ),
        this("counts()I", vec![graphs(&[("count", Int(7)), ("shop.Base:count", Int(9))])], returns(Int(709))),
        this("limit()I", vec![graphs(&[("limit", Int(-4))])], returns(Int(-4))),
        this("rootOf()Ljava/lang/Object;", tree(), returns(JavaValue::Object { class: Some(NODE.into()) })),
        this("fail()V", tree(), throws("java.lang.IllegalStateException", Message::text("root 5"))),
        this("round()I", vec![graphs(&[])], throws("java.lang.NullPointerException", Message::Unknown)),
        case(tag, tagged(Null), Null, vec![Ref(0)], returns(Null)),
        case(tag, tagged(JavaValue::string("a\"b")), Null, vec![Ref(0)], returns(JavaValue::string("a\"b"))),
        case(
            tag,
            tagged(JavaValue::Boxed(Box::new(Int(1000)))),
            Null,
            vec![Ref(0)],
            returns(JavaValue::Boxed(Box::new(Int(1000)))),
        ),
    ]
}

/// A ring of many objects.
fn ring(count: usize) -> TestCase {
    let mut all = vec![graphs(&[("root", Ref(1))])];
    let name = |i: usize| format!("this.root{}", ".right".repeat(i - 1));
    all.extend((1..=count).map(|i| node(&name(i), 0, Null, Ref(i % count + 1))));
    case("shop.Graphs.round()I", all, Ref(0), vec![], returns(Int(count as i32)))
}

fn others() -> Vec<TestCase> {
    let same = |method: &str, objects: Vec<GraphObject>, other: JavaValue, is: bool| {
        let method = format!("shop.Graphs.{method}(Lshop/Graphs;)Z");
        let parameters = vec!["other".to_string()];
        let mut case = case(&method, objects, Ref(0), vec![other], returns(JavaValue::Boolean(is)));
        Arc::make_mut(&mut case.target).parameters = parameters;
        case
    };
    let two = || {
        let other = object("shop.Graphs", "other", &[("root", Ref(1))]);
        vec![graphs(&[("root", Ref(1))]), node("this.root", 0, Null, Null), other]
    };
    let cursor = |fields: &[(&str, JavaValue)]| {
        let all: Vec<(&str, JavaValue)> = [("this$0", Ref(0))].into_iter().chain(fields.to_vec()).collect();
        object("shop.Graphs$Cursor", "cursor", &all)
    };
    let array = |items: Vec<JavaValue>| GraphObject {
        class: format!("[L{NODE};"),
        name: "nodes".into(),
        body: GraphBody::Elements { element: Type::Class(NODE.replace('.', "/").into()), items },
    };
    let mut peek = case(
        "shop.Graphs.peek(Lshop/Graphs$Cursor;[Lshop/Graphs$Node;)J",
        vec![graphs(&[("limit", Int(8))]), cursor(&[]), array(vec![Null, Null])],
        Ref(0),
        vec![Ref(1), Ref(2)],
        returns(Long(10)),
    );
    Arc::make_mut(&mut peek.target).hidden = true;
    let size = "Gr\u{f6}\u{df}e";
    let named = |name: &str, case: GraphObject| GraphObject { name: name.into(), ..case };
    let ints = |items: &[i32]| GraphObject {
        class: "[I".into(),
        name: "numbers".into(),
        body: GraphBody::Elements { element: Type::Int, items: items.iter().map(|n| Int(*n)).collect() },
    };
    let objects = |items: Vec<JavaValue>| GraphObject {
        class: "[Ljava.lang.Object;".into(),
        name: "this".into(),
        body: GraphBody::Elements { element: Type::Class("java/lang/Object".into()), items },
    };
    let nested = "shop.Graphs.depth([Ljava/lang/Object;)I";
    let sum = "shop.Graphs.sum([I[I[Lshop/Graphs;)I";
    let several = || {
        vec![
            ints(&[1, 2]),
            GraphObject {
                class: "[Lshop.Graphs;".into(),
                name: "graphs".into(),
                body: GraphBody::Elements {
                    element: Type::Class("shop/Graphs".into()),
                    items: vec![Null, Ref(2)],
                },
            },
            named("graphs[1]", graphs(&[("count", Int(40))])),
        ]
    };
    vec![
        case(sum, several(), Null, vec![Ref(0), Ref(0), Ref(1)], returns(Int(1043))),
        case(sum, several(), Null, vec![Null, Ref(0), Ref(1)], returns(Int(43))),
        // It is in itself.
        case(nested, vec![objects(vec![Ref(0)])], Null, vec![Ref(0)], returns(Int(-1))),
        case(
            nested,
            vec![objects(vec![Ref(1)]), objects(vec![Ref(2)]), ints(&[0; 5])],
            Null,
            vec![Ref(0)],
            returns(Int(2)),
        ),
        same("isSame", two(), Ref(0), true),
        same("isSame", two(), Ref(2), false),
        same("sharesRoot", two(), Ref(2), true),
        case(
            "shop.Graphs.read(Ljava/lang/Object;)J",
            vec![graphs(&[("count", Int(4))]), cursor(&[("at", Ref(2))]), node("cursor.at", 6, Null, Null)],
            Null,
            vec![Ref(1)],
            returns(Long(10)),
        ),
        peek,
        case(
            "shop.Graphs.total(Ljava/lang/Object;)J",
            vec![array(vec![Ref(1), Null, Ref(1)]), node("nodes[0]", 5, Null, Null)],
            Null,
            vec![Ref(0)],
            returns(Long(1010)),
        ),
        case(
            "Loose.wert()I",
            vec![
                object("Loose", "this", &[("gr\u{f6}\u{df}e", Ref(1))]),
                object(
                    &format!("Loose${size}"),
                    "this.gr\u{f6}\u{df}e",
                    &[("wert", Int(12)), ("n\u{e4}chste", Ref(1))],
                ),
            ],
            Ref(0),
            vec![],
            returns(Int(12)),
        ),
        map(),
        set(),
    ]
}

/// A set of the JDK, whose map has one and the same object for every element: removing compares with it.
fn set() -> TestCase {
    let boxed = |n| JavaValue::Boxed(Box::new(Int(n)));
    let present = JavaValue::Static { class: "java.util.TreeSet".into(), name: "PRESENT".into() };
    let entry = [("key", boxed(10)), ("value", present), ("color", JavaValue::Boolean(true))];
    case(
        "java.util.TreeSet.remove(Ljava/lang/Object;)Z",
        vec![
            object("java.util.TreeSet", "this", &[("m", Ref(1))]),
            object("java.util.TreeMap", "this.m", &[("root", Ref(2)), ("size", Int(1))]),
            object("java.util.TreeMap$Entry", "this.m.root", &entry),
        ],
        Ref(0),
        vec![boxed(10)],
        returns(JavaValue::Boolean(true)),
    )
}

/// The JDK's own red-black tree, field by field.
fn map() -> TestCase {
    let entry = "java.util.TreeMap$Entry";
    let boxed = |n| JavaValue::Boxed(Box::new(Int(n)));
    let fields = |key, left: JavaValue, right: JavaValue, parent: JavaValue| {
        [
            ("key", boxed(key)),
            ("left", left),
            ("right", right),
            ("parent", parent),
            ("color", JavaValue::Boolean(true)),
        ]
    };
    case(
        "java.util.TreeMap.higherKey(Ljava/lang/Object;)Ljava/lang/Object;",
        vec![
            object("java.util.TreeMap", "this", &[("root", Ref(1)), ("size", Int(3)), ("modCount", Int(0))]),
            object(entry, "this.root", &fields(10, Ref(2), Ref(3), Null)),
            object(entry, "this.root.left", &fields(5, Null, Null, Ref(1))),
            object(entry, "this.root.right", &fields(15, Null, Null, Ref(1))),
        ],
        Ref(0),
        vec![boxed(7)],
        returns(boxed(10)),
    )
}

/// A record, whose fields reflection may not set.
fn record() -> TestCase {
    let pair =
        object("shop.Graphs$Pair", "pair", &[("first", Ref(0)), ("second", Int(7)), ("third", Ref(1))]);
    case(
        "shop.Graphs.second(Ljava/lang/Object;)J",
        vec![node("pair.first", 4, Null, Null), pair],
        Null,
        vec![Ref(1)],
        returns(Long(47)),
    )
}

/// Cases whose objects public calls make.
fn built() -> Vec<TestCase> {
    let (stack, cell) = ("shop.Graphs$Stack", "shop.Graphs$Stack$Cell");
    let push =
        |value| BuildCall { method: "push".into(), descriptor: "(I)V".into(), arguments: vec![Int(value)] };
    let make = |object: usize, calls: Vec<BuildCall>| Built {
        object,
        constructor: "()V".into(),
        arguments: vec![],
        calls,
    };
    let objects = || {
        vec![
            object(stack, "this", &[("top", Ref(1))]),
            object(cell, "this.top", &[("value", Int(2)), ("below", Ref(2))]),
            object(cell, "this.top.below", &[("value", Int(1)), ("below", Null)]),
            object(stack, "other", &[("top", Ref(4))]),
            object(cell, "other.top", &[("value", Int(2)), ("below", Null)]),
        ]
    };
    let build = |objects| Some(Build { objects });
    let pop = case("shop.Graphs$Stack.pop()I", objects(), Ref(0), vec![], returns(Int(2)));
    let equal = case(
        "shop.Graphs$Stack.equalTop(Lshop/Graphs$Stack;)Z",
        objects(),
        Ref(0),
        vec![Ref(3)],
        returns(JavaValue::Boolean(true)),
    );
    let list = TestCase {
        build: build(vec![make(
            0,
            [10, 5, 15]
                .map(|key| BuildCall {
                    method: "put".into(),
                    descriptor: "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;".into(),
                    arguments: vec![JavaValue::Boxed(Box::new(Int(key))), Null],
                })
                .to_vec(),
        )]),
        ..map()
    };
    let first = || make(0, vec![push(1), push(2)]);
    vec![
        TestCase { build: build(vec![first()]), ..pop },
        TestCase { build: build(vec![first(), make(3, vec![push(2)])]), ..equal.clone() },
        // It does not make all that is needed, so it is not used.
        TestCase { build: build(vec![first()]), ..equal },
        list,
    ]
}

fn all_cases() -> Vec<TestCase> {
    [trees(), vec![ring(7)], others(), built()].concat()
}

#[test]
fn graphs_are_made_as_they_are_given() {
    let mut cases = all_cases();
    cases.push(ring(5000));
    cases.push(record());
    for jdk in jdks() {
        let replayed = replay(&jdk, &[classes()], None, &cases, &options()).unwrap();
        for (case, result) in cases.iter().zip(&replayed.cases) {
            assert_eq!(result.divergence, None, "Java {}: {:?}", jdk.feature, case.target);
        }
    }
}

#[test]
fn what_cannot_be_made_is_refused_and_harms_nobody() {
    let sum = |objects| case("shop.Graphs.sum()J", objects, Ref(0), vec![], returns(Long(0)));
    let root = |value| sum(vec![graphs(&[("root", value)])]);
    let record = |third| {
        let fields = [("first", third), ("second", Int(7))];
        case(
            "shop.Graphs.second(Ljava/lang/Object;)J",
            vec![object("shop.Graphs$Pair", "pair", &fields)],
            Null,
            vec![Ref(0)],
            returns(Long(47)),
        )
    };
    let cases = [
        root(Ref(7)),
        root(JavaValue::string("no node")),
        sum(vec![graphs(&[("branch", Null)])]),
        sum(vec![object("shop.Missing", "this", &[])]),
        sum(vec![object("java.lang.Comparable", "this", &[])]),
        sum(vec![object("shop.Base", "this", &[])]),
        record(Int(3)),
        record(JavaValue::Null),
        root(Null),
    ];
    let results = replay(&oldest_jdk(), &[classes()], None, &cases, &options()).unwrap().cases;
    let said: Vec<String> = results
        .iter()
        .map(|result| match &result.observed {
            Observed::Refused(reason) => reason.split(['@', '$']).next().unwrap().to_string(),
            Observed::Ended(ending) => match ending {
                Ending::Threw { class, .. } => class.clone(),
                _ => "ends".into(),
            },
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(
        said,
        [
            "java.lang.IllegalArgumentException: there is no object 7",
            "java.lang.IllegalArgumentException: Can not set shop.Graphs",
            "java.lang.NoSuchFieldException: branch",
            "java.lang.ClassNotFoundException: shop.Missing",
            "java.lang.InstantiationException: java.lang.Comparable",
            "java.lang.IllegalArgumentException: object is not an instance of declaring class",
            "java.lang.IllegalArgumentException: a java.lang.Integer is no shop.Graphs",
            "java.lang.NullPointerException",
            "ends",
        ]
    );
}

fn suite(version: Junit, package: &str, class_name: &str, cases: &[TestCase]) -> Suite {
    let options =
        JunitOptions { version, package: package.into(), class_name: class_name.into(), misread: Vec::new() };
    Suite { source: junit(cases, &options), options, tests: Vec::new() }
}

fn jars(version: Junit) -> JunitJars {
    tools::put_on_path();
    JunitJars::find(version, &[]).unwrap_or_else(|error| panic!("{error}"))
}

fn in_package(package: &str) -> Vec<TestCase> {
    let is_there = |case: &TestCase| case.target.class.starts_with("Loose") == package.is_empty();
    all_cases().into_iter().filter(is_there).collect()
}

/// The sources are kept as files, to be looked at. `UPDATE=1 cargo test` writes them anew.
#[test]
fn sources_look_as_they_are_kept() {
    let kept = [("shop", Junit::Five, "five/GraphsTest"), ("", Junit::Four, "four/LooseTest")];
    for (package, version, name) in kept {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/expected/{name}.java"));
        let class = name.rsplit('/').next().unwrap();
        let source = suite(version, package, class, &in_package(package)).source;
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&file, &source).unwrap();
        }
        let kept = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(source == kept, "{} is not what is generated now\nhelp: UPDATE=1 cargo test", file.display());
        assert!(source.is_ascii() && source.lines().all(|line| line.len() <= 110 && line.trim_end() == line));
    }
}

/// The same call with another expectation.
fn spoiled(case: &TestCase) -> TestCase {
    let ending = match &case.ending {
        Ending::Threw { .. } => throws("java.io.IOException", Message::Unknown),
        Ending::Returned(Some(JavaValue::Boolean(is))) => returns(JavaValue::Boolean(!is)),
        Ending::Returned(Some(Long(n))) => returns(Long(n + 1)),
        Ending::Returned(Some(Int(n))) => returns(Int(n + 1)),
        Ending::Returned(_) => returns(JavaValue::string("another")),
        Ending::Exited(_) => unreachable!(),
    };
    TestCase { ending, ..case.clone() }
}

#[test]
fn junit_makes_the_same_graphs() {
    for (version, jdk) in [(Junit::Five, oldest_jdk()), (Junit::Four, jdks().pop().unwrap())] {
        let mut right = in_package("shop");
        right.extend([ring(62), ring(249)]);
        let wrong: Vec<TestCase> = right.iter().map(spoiled).collect();
        let suites = [
            suite(version, "shop", "RightTest", &right),
            suite(version, "", "LooseTest", &in_package("")),
            suite(version, "shop", "WrongTest", &wrong),
            suite(version, "shop", "RecordTest", &[record()]),
        ];
        let tests = run_junit(&jdk, &[classes()], &jars(version), &suites, Duration::from_secs(60))
            .unwrap_or_else(|error| panic!("{error}\n{}\n{}", suites[0].source, suites[1].source));
        assert_eq!(tests.len(), 2 * right.len() + 2);
        for test in tests {
            let expected = match &test.name {
                name if name.contains("WrongTest") => Fate::Failed,
                name if name.contains("RecordTest") => Fate::Skipped,
                _ => Fate::Passed,
            };
            assert_eq!(test.fate, expected, "Java {}: {test:?}", jdk.feature);
        }
    }
}

#[test]
fn what_is_too_large_for_a_class_is_split_and_for_a_method_is_left_out() {
    let options = JunitOptions {
        version: Junit::Five,
        package: "shop".into(),
        class_name: "RingTest".into(),
        misread: Vec::new(),
    };
    let suites = junit_suites(&vec![ring(199); 41], &options);
    let tests: Vec<usize> = suites.iter().map(|suite| suite.source.matches("@Test").count()).collect();
    assert_eq!(tests, [19, 19, 3]);
    let source = suite(Junit::Four, "shop", "RingTest", &[ring(1000)]).source;
    assert!(source.contains("@Ignore(\"1001 objects are too many for a method of Java\")"), "{source}");
    assert!(!source.contains("set(root"));
    assert_eq!(junit_suites(&[], &options).len(), 0);
}
