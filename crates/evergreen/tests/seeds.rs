//! Old tests as seeds: what is kept, what is new, what is retired and why; and never a path more or less than without them.

#[allow(dead_code, reason = "only replays are needed here")]
#[path = "common/heaps.rs"]
mod heap_runs;

use evergreen::Evergreen;
use evergreen::explore::classfile::find_jdk;
use evergreen::explore::heap::Technique;
use evergreen::explore::jvm::{ClassInvariant, LazyOptions, Options as JvmOptions};
use evergreen::explore::replay::{GraphBody, JavaValue, TestCase};
use evergreen::explore::symbolic::Ints;
use evergreen::explore::{
    Bounds, DecisionKind, Exploration, How, Inputs, Limit, Old, OldTests, Options, PathEnd, Program, Range,
    Summary,
};
use evergreen::store::{Memory, Store};
use evergreen_testing::tools::put_on_path;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// The classes of a source, compiled once.
fn compiled(source: &str) -> Vec<PathBuf> {
    static KNOWN: Mutex<BTreeMap<String, Vec<PathBuf>>> = Mutex::new(BTreeMap::new());
    if let Some(places) = KNOWN.lock().expect("no panic").get(source) {
        return places.clone();
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let name = source.split("public class ").nth(1).and_then(|rest| rest.split([' ', '{']).next());
    let file = folder.path().join(format!("{}.java", name.expect("a public class")));
    std::fs::write(&file, source).expect("a file can be written");
    let jdk = find_jdk().expect("these tests need a JDK");
    let program = Program::open(&[file], None, jdk).unwrap_or_else(|e| panic!("{e}"));
    let places = program.places.clone();
    // The program holds the compiled classes.
    std::mem::forget(program);
    KNOWN.lock().expect("no panic").insert(source.into(), places.clone());
    places
}

/// What a run found.
struct Run {
    paths: Vec<PathEnd>,
    retired: Vec<(usize, String)>,
    summary: Summary,
    solver_calls: u64,
}

impl Run {
    fn tests(&self) -> Vec<TestCase> {
        self.paths.iter().filter_map(|path| path.case.clone()).collect()
    }

    fn positions(&self) -> Vec<Vec<u32>> {
        self.paths.iter().map(|path| path.position.clone()).collect()
    }
}

/// Machine and store for versions of a class.
struct Subject {
    store: Arc<dyn Store>,
    lazy: Option<LazyOptions>,
    inputs: Inputs,
    bounds: Bounds,
}

impl Subject {
    fn new() -> Subject {
        let store = Arc::new(Memory::new(1 << 24));
        Subject { store, lazy: None, inputs: Inputs::default(), bounds: Bounds::default() }
    }

    fn begin(&self, source: &str) -> Exploration {
        put_on_path();
        let jdk = find_jdk().expect("these tests need a JDK");
        let program = Program::open(&compiled(source), None, jdk).unwrap_or_else(|e| panic!("{e}"));
        let store = self.store.clone();
        let make = move || Evergreen::builder().with_store(store.clone()).solver("z3").build();
        let options = JvmOptions { lazy: self.lazy.clone(), record: 100_000, ..JvmOptions::default() };
        let exploration = Exploration::new(program, Ints::Wrapped, options, Box::new(make));
        exploration.unwrap_or_else(|e| panic!("{e}"))
    }

    fn explore(&self, source: &str, method: &str, old: Option<OldTests>) -> Run {
        let mut exploration = self.begin(source);
        let methods = exploration.program().methods(Some(method)).unwrap_or_else(|e| panic!("{e}"));
        let options = Options { bounds: self.bounds.clone(), ..Options::default() };
        let run = match old {
            Some(old) => exploration.seeded(&methods[0], &self.inputs, options, old),
            None => exploration.method(&methods[0], &self.inputs, options),
        };
        let mut run = run.unwrap_or_else(|e| panic!("{e}"));
        let mut paths = Vec::new();
        while let Some(path) = run.next_path() {
            paths.push(path);
        }
        let retired = run.retired().into_iter().map(|(number, why)| (number, why.to_string())).collect();
        let summary = run.summary();
        let trouble = run.oracle().trouble();
        assert!(trouble.wrong_models.is_empty() && trouble.error.is_none(), "{trouble:?}");
        let solver_calls = run.oracle().stats().solved;
        Run { paths, retired, summary, solver_calls }
    }

    fn fresh(&self, source: &str, method: &str) -> Run {
        self.explore(source, method, None)
    }

    fn update(&self, source: &str, method: &str, tests: Vec<TestCase>) -> Run {
        self.explore(source, method, Some(OldTests { tests, ..OldTests::default() }))
    }

    /// An unchanged program keeps every test as it is, and asks no solver.
    fn check_unchanged(&self, source: &str, method: &str) -> Run {
        let first = self.fresh(source, method);
        assert!(!first.tests().is_empty());
        let second = self.update(source, method, first.tests());
        assert_eq!(second.retired.first(), None);
        assert_eq!(second.positions(), first.positions());
        for (old, new) in first.paths.iter().zip(&second.paths) {
            assert_eq!((&old.case, &old.how, &old.inputs), (&new.case, &new.how, &new.inputs));
            assert_eq!(old.conditions, new.conditions);
        }
        let mut kept = 0..first.tests().len();
        for path in second.paths.iter().filter(|path| path.case.is_some()) {
            assert_eq!(path.seeds, [kept.next().expect("a test")]);
        }
        assert_eq!(second.solver_calls, 0, "{:?}", second.summary);
        second
    }
}

/// Program 1 of [Makhdoom ASE'14].
const MID: &str = "public class Mid {
    public static int mid(int x, int y, int z) {
        if (x < y) {
            if (y < z) return y;
            else if (x < z) return z;
            else return x;
        } else if (x < z) return x;
        else if (y < z) return z;
        else return y;
    }
}";

/// Inputs of all kinds.
const KINDS: &str = r#"public class Kinds {
    enum Color { RED, GREEN, BLUE }
    static int kinds(boolean b, byte y, char c, short s, long l, float f, double d, Integer box, Boolean flag, Color color) {
        if (b) return 1;
        if (y > 3) return 2;
        if (c == 'x') return 3;
        if (s < -5) return 4;
        if (l > 5_000_000_000L) return 5;
        if (f > 1.5f) return 6;
        if (d < -0.25) return 7;
        if (box != null && box > 7) return 8;
        if (flag != null && flag) return 9;
        return color == Color.BLUE ? 10 : 11;
    }
    static int arrays(int[] a, String s, boolean[] flags) {
        if (a != null && a.length == 2 && a[1] > 2) return 1;
        if (s != null && s.length() == 2 && s.charAt(0) == 'h') return 2;
        return flags == null || flags.length == 0 || flags[0] ? 3 : 4;
    }
    static int drawn(int first) {
        int n = evergreen.Sym.choose(2)+1;
        int sum = first > 0 ? 1 : 0;
        for (int i = 0; i < n; i++) if (evergreen.Sym.anInt("x", -5, 9) > 4) sum += 10;
        if (evergreen.Sym.aBoolean("a[0]")) sum += 100;
        evergreen.Sym.assume(sum != 11);
        if (evergreen.Sym.aDouble("d") > 2.0) sum += 1000;
        return sum;
    }
    static int fails(int x, int y) {
        if (x > 100) { int[] a = new int[1]; return a[y]; }
        return x / y;
    }
}"#;

#[test]
fn unchanged_programs_keep_every_test_without_a_solver() {
    let mut subject = Subject::new();
    let run = subject.check_unchanged(MID, "mid");
    assert_eq!((run.paths.len(), run.summary.asked, run.summary.by_seed), (6, 0, 5));
    subject.check_unchanged(KINDS, "kinds");
    subject.check_unchanged(KINDS, "arrays");
    let run = subject.check_unchanged(KINDS, "drawn");
    assert!(run.paths.iter().any(|path| path.inputs.len() == 6), "x, x#2 and all");
    subject.check_unchanged(KINDS, "fails");
    subject.inputs.ranges.push(("y".into(), (0, 1)));
    subject.inputs.assumptions.push("x > 5 || y == 0".into());
    subject.check_unchanged(KINDS, "fails");
}

/// Program 2, as it is printed.
const MID_2: &str = "public class Mid {
    public static int mid(int x, int y, int z) {
        if (x < y) {
            if (y < z) return y;
            else if (x <= z) return z;
            else return x;
        } else if (x < z) return z;
        else if (y < z) return z;
        else return x;
    }
}";

/// Tests of `mid` with these arguments.
fn of_mid(like: &TestCase, all: &[[i32; 3]]) -> Vec<TestCase> {
    let case = |numbers: &[i32; 3]| TestCase {
        arguments: numbers.iter().map(|n| JavaValue::Int(*n)).collect(),
        ..like.clone()
    };
    all.iter().map(case).collect()
}

fn returned(run: &Run) -> Vec<i32> {
    let number = |path: &PathEnd| match path.how {
        How::Returned(Some(JavaValue::Int(n))) => n,
        ref other => panic!("{other:?}"),
    };
    run.paths.iter().map(number).collect()
}

/// The example of section 2 of [Makhdoom ASE'14].
///
/// The paper says: the test of path 1 is kept; the test of path 2 "will not remain attached"; the range ends with path 6, "where the program
/// will be the same on both versions"; three tests are new. It does not fit its own programs in every way:
/// - it says that lines 4 and 8 are changed; as printed, line 6 returns z instead of x as well;
/// - line 8 belongs to path 6, which it takes for unchanged;
/// - a test does stay on paths 2 and 3, if x is not z in it: only the *condition* of these paths has changed.
///
/// So what changes between the two ends, 1 and 6, is: the conditions of paths 2 and 3, and the value of path 4 - three of the four paths. The
/// outcome of path 6 is a fourth change, which the paper passes over. A test is "new" in the paper's sense where condition or outcome is.
#[test]
fn the_middle_of_three_numbers() {
    let subject = Subject::new();
    let first = subject.explore(MID, "mid", Some(OldTests::default()));
    let like = &first.tests()[0];
    // In the order of the paper: X<Y<Z, X<Z<Y, Z<X<Y, Y<X<Z, Y<Z<X, Z<Y<X.
    let paper = of_mid(like, &[[1, 2, 3], [1, 3, 2], [2, 3, 1], [2, 1, 3], [3, 1, 2], [3, 2, 1]]);
    let old = subject.update(MID, "mid", paper.clone());
    assert_eq!(returned(&old), [2, 2, 2, 2, 2, 2]);
    assert_eq!((old.summary.asked, old.summary.by_seed, old.solver_calls), (0, 5, 0));
    let decisions: Vec<(DecisionKind, u32, u32)> =
        old.paths[1].decisions.iter().map(|d| (d.kind, d.ordinal, d.arm)).collect();
    let jump = DecisionKind::Jump;
    assert_eq!(decisions, [(jump, 0, 0), (jump, 1, 1), (jump, 2, 0)], "x < y, not y < z, x < z");

    let new = subject.update(MID_2, "mid", paper.clone());
    assert_eq!(new.positions(), old.positions(), "the tree has the same shape");
    assert_eq!(
        new.paths.iter().map(|path| path.seeds.clone()).collect::<Vec<_>>(),
        [[0], [1], [2], [3], [4], [5]]
    );
    assert_eq!((new.summary.asked, new.solver_calls, new.retired.len()), (0, 0, 0));
    let changed =
        |both: (&PathEnd, &PathEnd)| both.0.conditions != both.1.conditions || both.0.how != both.1.how;
    let changes: Vec<usize> = old
        .paths
        .iter()
        .zip(&new.paths)
        .enumerate()
        .filter(|(_, both)| changed(*both))
        .map(|(at, _)| at + 1)
        .collect();
    assert_eq!(changes, [2, 3, 4, 6]);
    assert_eq!(returned(&new), [2, 2, 2, 3, 2, 3], "what it calls the middle is no more, twice");

    // The range between the tests of paths 1 and 6, whose first path is the first that has changed.
    let old_tests = OldTests {
        tests: paper.clone(),
        range: Range { from: Some(Limit::Seed(1)), to: Some(Limit::Seed(5)) },
        ..OldTests::default()
    };
    let part = subject.explore(MID_2, "mid", Some(old_tests));
    assert_eq!(part.positions(), new.positions()[1..5]);
    let outside = |number| (number, "outside the range".to_string());
    assert_eq!(part.retired, [outside(0), outside(5)]);
}

#[test]
fn a_test_on_the_border_moves_and_leaves_a_path_to_be_found() {
    let subject = Subject::new();
    let like = &subject.fresh(MID, "mid").tests()[0];
    // x is z: line 4 sent it to "return x", and sends it to "return z" now.
    let tests = of_mid(like, &[[1, 2, 3], [1, 3, 2], [1, 3, 1], [2, 1, 3], [3, 1, 2], [3, 2, 1]]);
    assert_eq!(subject.update(MID, "mid", tests.clone()).retired, []);
    let new = subject.update(MID_2, "mid", tests);
    let seeds: Vec<_> = new.paths.iter().map(|path| path.seeds.clone()).collect();
    assert_eq!(seeds, [vec![0], vec![1, 2], vec![], vec![3], vec![4], vec![5]]);
    assert_eq!(new.retired, [(2, "takes the same path as test 2".to_string())]);
    assert_eq!((new.summary.asked, new.summary.infeasible), (1, 0), "for the one new test");
    assert_eq!(new.positions(), subject.fresh(MID_2, "mid").positions());
}

/// Versions of a method; each is updated from the tests of each other, and is as complete as a fresh exploration.
#[test]
fn updates_find_what_fresh_explorations_find() {
    let versions = [
        "int f(int a, int[] b, String s) { if (a > 3) return 1; if (b != null && b.length > 1 && b[1] == a) return 2; return s == null ? 3 : 4; }",
        "int f(int a, int[] b, String s) { if (a > 5) return 1; if (b != null && b.length > 1 && b[1] < a) return 2; return s == null ? 3 : s.length(); }",
        "int f(int x, int[] b, String s) { while (x > 5 && x < 9) x++; return b[0] / x; }",
    ];
    let text = |method: &str| format!("public class Versions {{ public static {method} }}");
    let subject = Subject::new();
    let fresh: Vec<Run> = versions.iter().map(|version| subject.fresh(&text(version), "f")).collect();
    for (from, old) in fresh.iter().enumerate() {
        for (to, whole) in fresh.iter().enumerate() {
            let run = subject.update(&text(versions[to]), "f", old.tests());
            assert_eq!(run.positions(), whole.positions(), "from {from} to {to}");
            let how = |run: &Run| {
                run.paths.iter().map(|path| std::mem::discriminant(&path.how)).collect::<Vec<_>>()
            };
            assert_eq!(how(&run), how(whole));
            assert_eq!(run.solver_calls, 0, "the store knows the rest");
            let kept: usize = run.paths.iter().map(|path| path.seeds.len()).sum();
            let shared = run.retired.iter().filter(|(_, why)| why.starts_with("takes the same path")).count();
            assert_eq!(kept + run.retired.len() - shared, old.tests().len(), "each test is kept or retired");
            assert_eq!(run.retired.len(), shared, "none is unfit: {:?}", run.retired);
        }
    }
}

#[test]
fn tests_that_do_not_fit_say_why() {
    let subject = Subject::new();
    let tests = subject.fresh(MID, "mid").tests();
    let why = |subject: &Subject, source: &str, tests: &[TestCase]| {
        let run = subject.update(source, "mid", tests[..1].to_vec());
        assert!(run.paths.iter().all(|path| path.seeds.is_empty()));
        run.retired.into_iter().map(|(_, why)| why).collect::<Vec<_>>()
    };
    let class = |method: &str| format!("public class Mid {{ public {method} }}");
    let said = [
        (
            "static int mid(int x, int y) { return x; }",
            "a parameter was removed: mid(int, int) was (int, int, int)",
        ),
        (
            "static int mid(int x, int y, int z, int u) { return x; }",
            "a parameter was added: mid(int, int, int, int) was (int, int, int)",
        ),
        (
            "static int mid(int x, long y, int z) { return x; }",
            "a parameter has another type: mid(int, long, int) was (int, int, int)",
        ),
        ("int mid(int x, int y, int z) { return x; }", "mid is an instance method now"),
    ];
    for (method, expected) in said {
        assert_eq!(why(&subject, &class(method), &tests), [expected]);
    }
    // Names do not matter, nor does the result.
    let run = subject.update(
        &class("static long mid(int a, int b, int c) { return a < b ? 1 : 0; }"),
        "mid",
        tests.clone(),
    );
    assert_eq!(run.retired.iter().filter(|(_, why)| !why.starts_with("takes the same path")).count(), 0);

    let mut outside = Subject::new();
    outside.inputs.ranges.push(("x".into(), (100, 200)));
    assert_eq!(why(&outside, MID, &tests), ["its x is outside of 100..200"]);
    let mut assumed = Subject::new();
    assumed.inputs.assumptions.push("x > 1000".into());
    assert_eq!(why(&assumed, MID, &tests), ["an assumption does not hold"]);
    let mut fixed = Subject::new();
    fixed.inputs.concrete.push(("x".into(), "77".into()));
    let said = why(&fixed, MID, &tests);
    assert!(said[0].starts_with("the path has x = 77, it has "), "{said:?}");
    let mut shallow = Subject::new();
    shallow.bounds.depth = Some(2);
    assert_eq!(why(&shallow, MID, &of_mid(&tests[0], &[[1, 3, 2]])), ["cut by --depth"]);
    let range = Range { from: Some(Limit::Seed(0)), to: None };
    let mut exploration = subject.begin(&class("static int mid(int x) { return x; }"));
    let methods = exploration.program().methods(Some("mid")).unwrap_or_else(|e| panic!("{e}"));
    let old = OldTests { tests, range, ..OldTests::default() };
    let error = exploration.seeded(&methods[0], &subject.inputs, Options::default(), old).err();
    let said = error.map(|e| e.to_string()).unwrap_or_default();
    assert_eq!(said, "test 1 cannot bound the range: it takes no path of Mid.mid(int)");
}

/// A run that was cut says nothing of tests that it did not reach.
#[test]
fn tests_that_were_not_reached_are_not_retired() {
    let mut subject = Subject::new();
    let tests = subject.fresh(MID, "mid").tests();
    subject.bounds.paths = Some(2);
    let run = subject.update(MID, "mid", tests);
    assert_eq!((run.paths.len(), run.retired.len()), (2, 0));
}

#[test]
fn the_rule_of_the_paper_misses_what_a_changed_condition_opens() {
    let source = |limit: i32| {
        format!(
            "public class Twice {{ public static int twice(int x) {{ int sum = 0; if (x < 0) sum = 1; if (x < {limit}) sum += 2; return sum; }} }}"
        )
    };
    let subject = Subject::new();
    let old = subject.explore(&source(0), "twice", Some(OldTests::default()));
    assert_eq!(old.paths.len(), 2);
    let paths: Vec<_> = old.paths.iter().map(|path| path.decisions.clone()).collect();
    let tests: Vec<TestCase> = old
        .tests()
        .into_iter()
        .zip([-100, 0])
        .map(|(case, x)| TestCase { arguments: vec![JavaValue::Int(x)], ..case })
        .collect();
    let new = |rule| {
        let old = OldTests { tests: tests.clone(), paths: paths.clone(), old: rule, ..OldTests::default() };
        subject.explore(&source(-10), "twice", Some(old))
    };
    let trusting = new(Old::TrustInfeasible);
    assert_eq!((trusting.paths.len(), trusting.summary.asked, trusting.summary.trusted), (2, 0, 2));
    assert!(!trusting.summary.is_complete());
    let asking = new(Old::TrustNothing);
    assert_eq!((asking.paths.len(), asking.summary.asked), (3, 2), "-10 to -1 is a path of its own");
    // A test that has left its path makes the rule ask.
    let strayed = OldTests {
        tests: vec![TestCase { arguments: vec![JavaValue::Int(-5)], ..tests[0].clone() }, tests[1].clone()],
        paths: paths.clone(),
        old: Old::TrustInfeasible,
        ..OldTests::default()
    };
    assert_eq!(subject.explore(&source(-10), "twice", Some(strayed)).paths.len(), 3);
}

const BAG: &str = "public class Bag {
    static class Cell { int value; Cell next; }
    Cell first;
    int size;
    boolean repOK() {
        int n = 0;
        for (Cell c = first; c != null; c = c.next) if (++n > 3) return false;
        return n == size;
    }
    public int count(int v) {
        int n = 0;
        for (Cell c = first; c != null; c = c.next) if (c.value == v) n++;
        return n;
    }
    public static int both(Bag a, Bag b) {
        if (a == null) return 0;
        if (a == b) return 1;
        return a.first == null ? 2 : a.first.value > 7 ? 3 : 4;
    }
}";

const INVARIANT: &str = "root class Bag { first: Cell
 size: int 0..scope }
class Cell { next: Cell
 value: int }
invariant ends: all c in Cell: c !in c.^next
invariant unheld: no this.first.~next
invariant unshared: all c in Cell: lone c.~next
invariant counted: this.size = #Cell
";

fn heaps(technique: Technique) -> Subject {
    let stated = ClassInvariant { class: "Bag".into(), text: INVARIANT.into(), origin: "here".into() };
    let invariants = if technique == Technique::Li { vec![] } else { vec![stated] };
    let mut subject = Subject::new();
    subject.lazy = Some(LazyOptions { technique, invariants, ..LazyOptions::default() });
    subject.bounds.depth = Some(60);
    subject
}

#[test]
fn objects_of_old_tests_take_their_paths() {
    for technique in [Technique::Li, Technique::Bliss] {
        let subject = heaps(technique);
        let count = subject.check_unchanged(BAG, "count");
        assert_eq!(count.tests().len(), 15, "{technique:?}: lists of up to three cells, each equal or not");
        let both = subject.check_unchanged(BAG, "both");
        assert!(
            both.paths.iter().any(|path| path.how == How::Returned(Some(JavaValue::Int(1)))),
            "{technique:?}"
        );
        // Another comparison: the shapes stay, cells that are equal may not.
        let other = BAG.replace("c.value == v", "c.value > v");
        let fresh = subject.fresh(&other, "count");
        let run = subject.update(&other, "count", count.tests());
        assert_eq!(run.positions(), fresh.positions());
        let kept = run.paths.iter().filter(|path| !path.seeds.is_empty()).count();
        assert!(kept >= 4, "{technique:?}: {kept}, {:?}", run.retired);
        assert_eq!(run.retired.iter().filter(|(_, why)| !why.starts_with("takes the same path")).count(), 0);
    }
}

/// Kept tests take their paths on the real JVM, branch by branch, and end as told.
#[test]
fn the_jvm_agrees_with_what_is_kept() {
    let check = |subject: &Subject, old: &str, new: &str, method: &str, least: usize| {
        let run = subject.update(new, method, subject.fresh(old, method).tests());
        let kept = run.paths.iter().filter(|path| !path.seeds.is_empty()).count();
        assert!(kept >= least, "{method}: {kept} kept, {:?}", run.retired);
        assert_eq!(heap_runs::replayed(&compiled(new), run.paths.iter()), run.paths.len());
    };
    let plain = Subject::new();
    check(&plain, MID, MID_2, "mid", 5);
    let other = KINDS.replace("c == 'x'", "c > 'w'").replace("box > 7", "box > 6").replace("-0.25", "0.0");
    check(&plain, KINDS, &other, "kinds", 10);
    check(&plain, KINDS, &KINDS.replace("a[1] > 2", "a[1] >= s.length()"), "arrays", 10);
    check(&plain, KINDS, &KINDS.replace("> 4) sum += 10", "> 5) sum += 10"), "drawn", 8);
    for technique in [Technique::Li, Technique::Bliss] {
        check(&heaps(technique), BAG, &BAG.replace("c.value == v", "c.value >= v"), "count", 4);
    }
}

/// Tests whose objects public calls make say nothing of what the path has not read; they are kept all the same.
#[test]
fn tests_that_make_their_objects_by_calls_are_kept() {
    let calls = "    int changes;
    public Bag() {}
    public void add(int v) { Cell c = new Cell(); c.value = v; c.next = first; first = c; size++; changes += 10; }
    public static int both";
    let built = BAG
        .replace("    public static int both", calls)
        .replace("n == size;", "n == size && changes >= 5 * n;");
    let subject = heaps(Technique::Li);
    let run = subject.check_unchanged(&built, "count");
    assert!(run.tests().iter().all(|case| case.build.is_some()));
    let says = |case: &TestCase, wanted: &str| {
        case.objects.iter().any(|object| match &object.body {
            GraphBody::Fields(fields) => fields.iter().any(|field| field.name == wanted),
            GraphBody::Elements { .. } => false,
        })
    };
    assert!(run.tests().iter().any(|case| !says(case, "changes")), "what is made differently is not said");
    // What they do say still counts, even if what they do not say is looked at first.
    let stricter = built.replace("n == size && changes >= 5 * n", "changes >= 6 * n && n + 1 == size");
    let run = subject.update(&stricter, "count", run.tests());
    assert_eq!(run.positions(), subject.fresh(&stricter, "count").positions());
    assert!(run.paths.iter().all(|path| path.seeds.is_empty()), "{:?}", run.retired);
}

#[test]
fn objects_that_are_no_longer_valid_are_retired() {
    let subject = heaps(Technique::Li);
    let tests = subject.fresh(BAG, "count").tests();
    // Sizes are twice what they were: only the empty bag is as it was.
    let stricter = BAG.replace("n == size", "2 * n == size");
    let fresh = subject.fresh(&stricter, "count");
    let run = subject.update(&stricter, "count", tests.clone());
    assert_eq!(run.positions(), fresh.positions());
    assert_eq!(run.paths.iter().filter(|path| !path.seeds.is_empty()).count(), 1);
    assert_eq!(run.retired.len(), tests.len() - 1);
    assert!(
        run.retired.iter().all(|(_, why)| why == "its objects are not valid any more"),
        "{:?}",
        run.retired
    );
    // A smaller scope.
    let mut small = heaps(Technique::Li);
    small.lazy = Some(LazyOptions { scope: 1, ..LazyOptions::default() });
    let run = small.update(BAG, "count", tests.clone());
    assert_eq!(run.positions(), small.fresh(BAG, "count").positions());
    assert_eq!(run.paths.iter().filter(|path| !path.seeds.is_empty()).count(), 3, "{:?}", run.retired);
    assert!(
        run.retired.iter().all(|(_, why)| why == "the path has next = null, it has an object"),
        "{:?}",
        run.retired
    );
    // Without objects as inputs they are of no use.
    let run = Subject::new().update(BAG, "count", tests[..2].to_vec());
    assert!(run.retired.iter().all(|(_, why)| why.contains("--heap")), "{:?}", run.retired);
}

/// The machine chooses what only one candidate is left for without asking anybody; a test that has something else there must not
/// be taken for one of the path.
#[test]
fn a_test_that_differs_where_nothing_is_chosen_is_not_kept() {
    let subject = heaps(Technique::Li);
    let tests = subject.fresh(BAG, "count").tests();
    // No bag has cells any more, and the field is read without a choice.
    let empty = BAG.replace("return n == size;", "return first == null && size == 0;");
    let run = subject.update(&empty, "count", tests.clone());
    assert_eq!(run.positions(), subject.fresh(&empty, "count").positions());
    let kept: usize = run.paths.iter().map(|path| path.seeds.len()).sum();
    assert_eq!((run.paths.len(), kept, run.retired.len()), (1, 1, tests.len() - 1), "{:?}", run.retired);
}
