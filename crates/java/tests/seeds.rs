//! Old tests as seeds: what is kept, what is new, what is retired and why; and never a path more or less than
//! without them.

use crate::exploring::seeding::{Run, Subject, check_replayed};
use evergreen_java::replay::{JavaValue, TestCase};
use evergreen_java::{How, Limit, Old, OldTests, Options, PathEnd, Range};

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
    assert_eq!((run.paths.len(), run.summary.asked(), run.summary.by_seed), (6, 0, 5));
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
/// The paper says: the test of path 1 is kept; the test of path 2 "will not remain attached"; the range ends
/// with path 6, "where the program will be the same on both versions"; three tests are new. It does not fit
/// its own programs in every way:
/// - it says that lines 4 and 8 are changed; as printed, line 6 returns z instead of x as well;
/// - line 8 belongs to path 6, which it takes for unchanged;
/// - a test does stay on paths 2 and 3, if x is not z in it: only the *condition* of these paths has changed.
///
/// So what changes between the two ends, 1 and 6, is: the conditions of paths 2 and 3, and the value of path
/// 4 - three of the four paths. The outcome of path 6 is a fourth change, which the paper passes over. A test
/// is "new" in the paper's sense where condition or outcome is.
#[test]
fn the_middle_of_three_numbers() {
    let subject = Subject::new();
    let first = subject.explore(MID, "mid", Some(OldTests::default()));
    let like = &first.tests()[0];
    // In the order of the paper: X<Y<Z, X<Z<Y, Z<X<Y, Y<X<Z, Y<Z<X, Z<Y<X.
    let paper = of_mid(like, &[[1, 2, 3], [1, 3, 2], [2, 3, 1], [2, 1, 3], [3, 1, 2], [3, 2, 1]]);
    let old = subject.update(MID, "mid", paper.clone());
    assert_eq!(returned(&old), [2, 2, 2, 2, 2, 2]);
    assert_eq!((old.summary.asked(), old.summary.by_seed, old.solver_calls), (0, 5, 0));
    let decisions: Vec<(Option<char>, u32, u32)> =
        old.paths[1].decisions.iter().map(|d| (d.kind, d.ordinal, d.arm)).collect();
    let jump = None;
    assert_eq!(decisions, [(jump, 0, 0), (jump, 1, 1), (jump, 2, 0)], "x < y, not y < z, x < z");

    let new = subject.update(MID_2, "mid", paper.clone());
    assert_eq!(new.positions(), old.positions(), "the tree has the same shape");
    assert_eq!(
        new.paths.iter().map(|path| path.seeds.clone()).collect::<Vec<_>>(),
        [[0], [1], [2], [3], [4], [5]]
    );
    assert_eq!((new.summary.asked(), new.solver_calls, new.retired.len()), (0, 0, 0));
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
    assert_eq!((new.summary.asked(), new.summary.infeasible), (1, 0), "for the one new test");
    assert_eq!(new.positions(), subject.fresh(MID_2, "mid").positions());
}

/// Versions of a method; each is updated from the tests of each other, and is as complete as a fresh
/// exploration.
#[test]
fn updates_find_what_fresh_explorations_find() {
    let versions = [
        "int f(int a, int[] b, String s) { if (a > 3) return 1; \
         if (b != null && b.length > 1 && b[1] == a) return 2; return s == null ? 3 : 4; }",
        "int f(int a, int[] b, String s) { if (a > 5) return 1; \
         if (b != null && b.length > 1 && b[1] < a) return 2; return s == null ? 3 : s.length(); }",
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
    let methods = exploration.front.program().methods(Some("mid")).unwrap_or_else(|e| panic!("{e}"));
    let old = OldTests { tests, range, ..OldTests::default() };
    let error = exploration.seeded(&methods[0], &subject.inputs, Options::default(), old).err();
    let said = error.map(|e| e.to_string()).unwrap_or_default();
    assert_eq!(said, "test 1 cannot bound the range: it takes no path of Mid.mid(int)");
}

/// A run that was cut decides nothing about tests that it did not reach.
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
            "public class Twice {{ public static int twice(int x) {{ int sum = 0; \
             if (x < 0) sum = 1; if (x < {limit}) sum += 2; return sum; }} }}"
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
    assert_eq!((trusting.paths.len(), trusting.summary.asked(), trusting.summary.trusted), (2, 0, 2));
    assert!(!trusting.summary.is_complete());
    let asking = new(Old::TrustNothing);
    assert_eq!((asking.paths.len(), asking.summary.asked()), (3, 2), "-10 to -1 is a path of its own");
    // A test that has left its path makes the rule ask.
    let strayed = OldTests {
        tests: vec![TestCase { arguments: vec![JavaValue::Int(-5)], ..tests[0].clone() }, tests[1].clone()],
        paths: paths.clone(),
        old: Old::TrustInfeasible,
        ..OldTests::default()
    };
    assert_eq!(subject.explore(&source(-10), "twice", Some(strayed)).paths.len(), 3);
}

/// Kept tests take their paths on the real JVM, and end as reported.
#[test]
fn the_jvm_agrees_with_what_is_kept() {
    let plain = Subject::new();
    check_replayed(&plain, MID, MID_2, "mid", 5);
    let other = KINDS.replace("c == 'x'", "c > 'w'").replace("box > 7", "box > 6").replace("-0.25", "0.0");
    check_replayed(&plain, KINDS, &other, "kinds", 10);
    check_replayed(&plain, KINDS, &KINDS.replace("a[1] > 2", "a[1] >= s.length()"), "arrays", 10);
    check_replayed(&plain, KINDS, &KINDS.replace("> 4) sum += 10", "> 5) sum += 10"), "drawn", 8);
}
