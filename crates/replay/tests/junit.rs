//! Generated suites: their text, and that the real JUnit compiles, passes and fails them as expected.

use crate::common::{case, jdks, oldest_jdk, returns, subject, throws};
use evergreen_classfile::Type;
use evergreen_replay::{
    Ending, Fate, JavaValue, Junit, JunitJars, JunitOptions, Message, ReplayError, Suite, Target, TestCase,
    junit, junit_named, junit_suites, run_junit,
};
use evergreen_testing::tools;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

fn int(value: i32) -> JavaValue {
    JavaValue::Int(value)
}

fn ints(values: impl IntoIterator<Item = i32>) -> JavaValue {
    JavaValue::Array { element: Type::Int, items: values.into_iter().map(JavaValue::Int).collect() }
}

fn titled(title: &str, case: TestCase) -> TestCase {
    TestCase { title: title.into(), ..case }
}

fn changed(mut case: TestCase, change: impl FnOnce(&mut Target)) -> TestCase {
    change(Arc::make_mut(&mut case.target));
    case
}

/// Values of every kind, in every place where Java writes them differently.
fn value_cases() -> Vec<TestCase> {
    let color = JavaValue::Enum { class: "shop.Subject$Color".into(), name: "GREEN".into() };
    let boxed = |value| JavaValue::Boxed(Box::new(value));
    let echo = |descriptor: &str, value: JavaValue| {
        case(&format!("echo{descriptor}"), vec![value.clone()], returns(value))
    };
    let object = "(Ljava/lang/Object;)Ljava/lang/Object;";
    let strings = "([[Ljava/lang/String;)[[Ljava/lang/String;";
    let string = "(Ljava/lang/String;)Ljava/lang/String;";
    let string_array =
        |items: Vec<JavaValue>| JavaValue::Array { element: Type::Class("java/lang/String".into()), items };
    let mut cases = vec![
        echo("(Z)Z", JavaValue::Boolean(true)),
        echo("(Z)Z", JavaValue::Boolean(false)),
        echo("(B)B", JavaValue::Byte(-7)),
        echo("(C)C", JavaValue::Char(0xd800)),
        echo("(C)C", JavaValue::Char(b'\\' as u16)),
        echo("(S)S", JavaValue::Short(i16::MIN)),
        echo("(I)I", int(i32::MIN)),
        echo("(J)J", JavaValue::Long(-5)),
        echo("(F)F", JavaValue::Float(0.1)),
        echo("(F)F", JavaValue::Float(-0.0)),
        echo("(D)D", JavaValue::Double(f64::NAN)),
        echo("(D)D", JavaValue::Double(-0.0)),
        echo("(D)D", JavaValue::Double(f64::from_bits(1))),
        echo(string, JavaValue::String("\"\\u0041\n\u{e9}".encode_utf16().chain([0xdfff]).collect())),
        echo(string, JavaValue::Null),
        echo(object, boxed(JavaValue::Char(65))),
        echo(object, ints([1, 2])),
        echo("(Ljava/lang/Integer;)Ljava/lang/Integer;", boxed(int(1000))),
        echo("(Lshop/Subject$Color;)Lshop/Subject$Color;", color),
        echo("([I)[I", ints([3, -1])),
        echo("([I)[I", ints(0..40)),
        echo("([B)[B", JavaValue::Array { element: Type::Byte, items: vec![JavaValue::Byte(-1)] }),
        echo("([D)[D", JavaValue::Array { element: Type::Double, items: vec![JavaValue::Double(0.5)] }),
        echo("([Z)[Z", JavaValue::Array { element: Type::Boolean, items: vec![JavaValue::Boolean(true)] }),
        echo(
            strings,
            JavaValue::Array {
                element: Type::Array(Box::new(Type::Class("java/lang/String".into()))),
                items: vec![
                    string_array(vec![JavaValue::string("a"), JavaValue::Null]),
                    string_array(vec![]),
                    JavaValue::Null,
                ],
            },
        ),
        case(
            "larger(Ljava/lang/Comparable;Ljava/lang/Comparable;)Ljava/lang/Comparable;",
            vec![boxed(int(3)), boxed(int(4))],
            returns(boxed(int(4))),
        ),
    ];
    for case in &mut cases {
        case.title = "gives back what it was given".into();
    }
    cases
}

/// Every way to end.
fn ending_cases() -> Vec<TestCase> {
    let secret = |x, ending| changed(case("secret(I)I", vec![int(x)], ending), |target| target.hidden = true);
    let fails = |case| changed(case, |target| target.exceptions = vec!["java.io.IOException".into()]);
    let name = JavaValue::string(&"long ".repeat(40));
    let join = |values: &[&str], ending| {
        let items = values.iter().map(|text| JavaValue::string(text)).collect();
        let array = JavaValue::Array { element: Type::Class("java/lang/String".into()), items };
        let join = case("join([Ljava/lang/String;)Ljava/lang/String;", vec![array], ending);
        changed(join, |target| target.hidden = true)
    };
    vec![
        titled("joins two", join(&["a", "b"], returns(JavaValue::string("ab")))),
        titled("joins many", join(&["many"; 20], returns(JavaValue::string(&"many".repeat(20))))),
        titled(
            "throws ArithmeticException at line 108",
            case(
                "quotient(II)I",
                vec![int(1), int(0)],
                throws("java.lang.ArithmeticException", Message::text("/ by zero")),
            ),
        ),
        titled("returns -3", case("quotient(II)I", vec![int(-7), int(2)], returns(int(-3)))),
        titled(
            "returns 120 after three rounds",
            changed(
                case(
                    "sum([I[J)I",
                    vec![
                        ints((0..60).map(|i| i * 1001)),
                        JavaValue::Array { element: Type::Long, items: vec![JavaValue::Long(0); 60] },
                    ],
                    returns(int(0)),
                ),
                |target| target.parameters = vec!["values".into(), "weights".into()],
            ),
        ),
        titled(
            "reaches */ the \\u000a end",
            TestCase {
                output: Some(format!("hello, {}\n", "long ".repeat(40))),
                ..case("greet(Ljava/lang/String;)V", vec![name], Ending::Returned(None))
            },
        ),
        titled(
            "returns 3",
            TestCase {
                output: Some("before".into()),
                ..fails(case("greetAndFail(I)I", vec![int(3)], returns(int(3))))
            },
        ),
        titled(
            "throws IOException",
            TestCase {
                output: Some("before".into()),
                ..fails(case(
                    "greetAndFail(I)I",
                    vec![int(4)],
                    throws("java.io.IOException", Message::text("no \"quotes\"\n")),
                ))
            },
        ),
        titled("throws", case("throwAnonymous()V", vec![], throws("shop.Subject$1", Message::Unknown))),
        titled("returns 2", secret(1, returns(int(2)))),
        titled("throws", secret(-1, throws("java.lang.IllegalArgumentException", Message::Unknown))),
        titled("returns", case("calls()I", vec![], returns(int(1)))),
        titled(
            "returns a StringBuilder",
            case(
                "someObject()Ljava/lang/Object;",
                vec![],
                returns(JavaValue::Object { class: Some("java.lang.StringBuilder".into()) }),
            ),
        ),
        titled(
            "returns a lambda",
            case("someLambda()Ljava/lang/Runnable;", vec![], returns(JavaValue::Object { class: None })),
        ),
        titled(
            "fails an assertion",
            case(
                "check(I)I",
                vec![int(0)],
                throws("java.lang.AssertionError", Message::text("not positive")),
            ),
        ),
        titled(
            "draws 66 and 'A'",
            TestCase {
                draws: vec![("x".into(), int(66)), ("c".into(), JavaValue::Char(65))],
                ..case("draw()I", vec![], returns(int(131)))
            },
        ),
        titled(
            "fails the check",
            TestCase {
                draws: vec![("x".into(), int(66)), ("c".into(), JavaValue::Char(66))],
                ..case("draw()I", vec![], throws("evergreen.CheckFailed", Message::text("different")))
            },
        ),
        titled(
            "takes an object",
            case(
                "castTo(Ljava/lang/Object;)Ljava/lang/String;",
                vec![JavaValue::Object { class: Some("shop.Subject".into()) }],
                throws("java.lang.ClassCastException", Message::Unknown),
            ),
        ),
        titled("exits", case("exit(I)V", vec![int(3)], Ending::Exited(3))),
        titled("makes one", case("<init>()V", vec![], Ending::Returned(None))),
        titled(
            "overflows the stack",
            case("recurse(I)I", vec![int(0)], throws("java.lang.StackOverflowError", Message::Null)),
        ),
    ]
}

fn all_cases() -> Vec<TestCase> {
    let mut cases = value_cases();
    cases.extend(ending_cases());
    for case in &mut cases {
        if case.target.method == "calls" {
            Arc::make_mut(&mut case.target).receiver = evergreen_replay::Receiver::DefaultConstructor;
        }
    }
    cases
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

/// The sources are kept as files, to be looked at. `UPDATE=1 cargo test` writes them anew.
#[test]
fn sources_look_as_they_are_kept() {
    for (version, name) in [(Junit::Five, "five"), (Junit::Four, "four")] {
        let file =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/expected/{name}/SubjectTest.java"));
        let source = suite(version, "shop", "SubjectTest", &all_cases()).source;
        if std::env::var_os("UPDATE").is_some() {
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, &source).unwrap();
        }
        let kept = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(source == kept, "{} is not what is generated now\nhelp: UPDATE=1 cargo test", file.display());
        assert!(source.is_ascii() && source.lines().all(|line| line.len() <= 110 && line.trim_end() == line));
    }
}

/// Each case as it is, and with another expectation, in two classes.
fn right_and_wrong(version: Junit) {
    let right = all_cases();
    let wrong: Vec<TestCase> = right.iter().filter_map(spoiled).collect();
    let suites = [suite(version, "shop", "RightTest", &right), suite(version, "shop", "WrongTest", &wrong)];
    let tests = run_junit(&oldest_jdk(), &[subject()], &jars(version), &suites, Duration::from_secs(60))
        .unwrap_or_else(|error| panic!("{error}\n{}", suites[0].source));
    assert_eq!(tests.len(), right.len() + wrong.len());
    let names = |class: &str, fate| -> Vec<&str> {
        let found = tests.iter().filter(|test| test.name.contains(class) && test.fate == fate);
        let mut names: Vec<&str> = found.map(|test| test.name.rsplit('.').next().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(names("RightTest", Fate::Failed), [""; 0], "{tests:#?}");
    assert_eq!(names("RightTest", Fate::Skipped), ["castTo_takesAnObject", "exit_exits"]);
    assert_eq!(names("WrongTest", Fate::Passed), [""; 0]);
    assert_eq!(names("WrongTest", Fate::Failed).len(), wrong.len());
}

#[test]
fn junit_5_passes_what_is_right_and_fails_what_is_wrong() {
    right_and_wrong(Junit::Five);
}

#[test]
fn junit_4_passes_what_is_right_and_fails_what_is_wrong() {
    right_and_wrong(Junit::Four);
}

#[test]
fn junit_passes_it_on_every_jdk_and_in_another_package() {
    let cases: Vec<TestCase> = value_cases();
    let suites = [
        suite(Junit::Five, "elsewhere", "SubjectTest", &cases),
        suite(Junit::Five, "shop", "SubjectTest", &cases),
    ];
    for jdk in jdks().iter().filter(|jdk| jdk.feature != 17) {
        let tests =
            run_junit(jdk, &[subject()], &jars(Junit::Five), &suites, Duration::from_secs(60)).unwrap();
        assert_eq!(tests.iter().filter(|test| test.fate == Fate::Passed).count(), 2 * cases.len());
    }
}

/// The same call with another value; `None` where the case only expects some value.
fn spoiled(case: &TestCase) -> Option<TestCase> {
    let ending = match &case.ending {
        Ending::Returned(None) if case.output.is_some() => {
            return Some(TestCase { output: Some("other".into()), ..case.clone() });
        }
        Ending::Returned(None) => throws("java.lang.RuntimeException", Message::Unknown),
        Ending::Returned(Some(value)) => returns(match value {
            JavaValue::Boolean(value) => JavaValue::Boolean(!value),
            JavaValue::Byte(_) => JavaValue::Byte(1),
            JavaValue::Char(_) => JavaValue::Char(1),
            JavaValue::Short(_) => JavaValue::Short(1),
            JavaValue::Int(_) => int(77),
            JavaValue::Long(_) => JavaValue::Long(1),
            JavaValue::Float(value) => JavaValue::Float(-*value),
            JavaValue::Double(value) if value.is_nan() => JavaValue::Double(1.0),
            JavaValue::Double(value) => JavaValue::Double(-*value),
            JavaValue::Null => JavaValue::string("null"),
            JavaValue::String(units) => JavaValue::String(units[1..].to_vec()),
            JavaValue::Array { element, items } => {
                JavaValue::Array { element: element.clone(), items: items[1..].to_vec() }
            }
            JavaValue::Boxed(_) => JavaValue::Boxed(Box::new(JavaValue::Long(4))),
            JavaValue::Enum { class, .. } => JavaValue::Enum { class: class.clone(), name: "RED".into() },
            JavaValue::Object { class: None }
            | JavaValue::Ref(_)
            | JavaValue::Made(_)
            | JavaValue::Function(_)
            | JavaValue::Static { .. } => JavaValue::Null,
            JavaValue::Object { class: Some(_) } => JavaValue::Object { class: Some("a.B".into()) },
        }),
        Ending::Threw { class, message: Message::Text(_) } => throws(class, Message::text("another")),
        Ending::Threw { .. } => throws("java.io.IOException", Message::Unknown),
        Ending::Exited(_) => return None,
    };
    if case.arguments.iter().any(|value| matches!(value, JavaValue::Object { .. })) {
        return None;
    }
    Some(TestCase { ending, ..case.clone() })
}

#[test]
fn many_cases_make_several_classes() {
    let one = titled("returns 3", case("echo(I)I", vec![int(3)], returns(int(3))));
    let options = JunitOptions {
        version: Junit::Four,
        package: "shop".into(),
        class_name: "ManyTest".into(),
        misread: Vec::new(),
    };
    let suites = junit_suites(&vec![one; 1001], &options);
    let names: Vec<&str> = suites.iter().map(|suite| &suite.options.class_name[..]).collect();
    assert_eq!(names, ["ManyTest", "ManyTest2"]);
    let limit = Duration::from_secs(60);
    let tests = run_junit(&oldest_jdk(), &[subject()], &jars(Junit::Four), &suites, limit).unwrap();
    assert_eq!(tests.iter().filter(|test| test.fate == Fate::Passed).count(), 1001);
    // The names that come with a source are those that JUnit finds in it.
    let own = |suite: &Suite| -> Vec<String> {
        suite.tests.iter().map(|test| format!("{}.{test}", suite.options.full_name())).collect()
    };
    let written: BTreeSet<String> = suites.iter().flat_map(own).collect();
    let found: BTreeSet<String> = tests.into_iter().map(|test| test.name).collect();
    assert_eq!(written, found);
    assert_eq!((suites[0].tests.len(), suites[1].tests.len()), (1000, 1));
    let files: Vec<PathBuf> = suites.iter().map(|suite| suite.options.file()).collect();
    assert_eq!(files, ["shop/ManyTest.java", "shop/ManyTest2.java"].map(PathBuf::from));
}

/// A new test changes the class that it is in, wherever in the suite it comes.
#[test]
fn a_named_test_stays_in_its_class() {
    let one = titled("returns 3", case("echo(I)I", vec![int(3)], returns(int(3))));
    let options = JunitOptions {
        version: Junit::Five,
        package: "shop".into(),
        class_name: "ManyTest".into(),
        misread: Vec::new(),
    };
    let written = |names: &[String]| junit_named(&vec![one.clone(); names.len()], names, &options);
    let mut names: Vec<String> = (0..2_600).map(|n| format!("echo_returns{n}")).collect();
    let before = written(&names);
    assert_eq!(before.len(), 4, "powers of two");
    names.insert(0, "echo_new".into());
    names.insert(1_300, "echo_another".into());
    let after = written(&names);
    let changed: Vec<usize> = (0..4).filter(|&at| before[at].source != after[at].source).collect();
    let news: Vec<usize> = (0..4)
        .filter(|&at| ["echo_new()", "echo_another()"].iter().any(|new| after[at].source.contains(new)))
        .collect();
    assert_eq!(changed, news);
    // Each is in one class.
    let all: usize = after.iter().map(|suite| suite.source.matches("@Test").count()).sum();
    assert_eq!(all, 2_602);
    let is_there = |name: &String| after.iter().any(|suite| suite.source.contains(&format!(" {name}()")));
    assert!(names.iter().all(is_there));
    assert!(written(&[]).is_empty() && written(&names[..1_000]).len() == 1);
}

#[test]
fn errors_say_what_is_missing() {
    let nowhere = std::env::temp_dir().join("no-such-folder");
    let source = "package shop; class SubjectTest { int x = \"\"; }".to_string();
    let options = JunitOptions {
        version: Junit::Five,
        package: "shop".into(),
        class_name: "SubjectTest".into(),
        misread: Vec::new(),
    };
    let wrong = [Suite { options, source, tests: Vec::new() }];
    let result = run_junit(&oldest_jdk(), &[nowhere], &jars(Junit::Five), &wrong, Duration::from_secs(60));
    let Err(ReplayError::Compile { output, .. }) = result else { panic!("{result:?}") };
    assert!(output.contains("incompatible types"), "{output}");
}
