//! Test cases run on the real JVM: every kind of value, every way to end, and cases that try
//! to take others with them.

use crate::common::{case, jdks, oldest_jdk, options, returns, subject, throws};
use evergreen_classfile::Type;
use evergreen_replay::{CaseResult, Ending, JavaValue, Message, Observed, TestCase, printed, replay};
use std::sync::Arc;
use std::time::Duration;

fn run(cases: &[TestCase]) -> Vec<CaseResult> {
    replay(&oldest_jdk(), &[subject()], None, cases, &options()).unwrap().cases
}

/// Every kind of value, in and out.
fn values() -> Vec<(&'static str, JavaValue)> {
    let class = |name: &str| Type::Class(name.into());
    let boxed = |value| JavaValue::Boxed(Box::new(value));
    let strings = |items: &[&str]| JavaValue::Array {
        element: class("java/lang/String"),
        items: items.iter().map(|text| JavaValue::string(text)).collect(),
    };
    let color = |name: &str| JavaValue::Enum { class: "shop.Subject$Color".into(), name: name.into() };
    vec![
        ("echo(Z)Z", JavaValue::Boolean(true)),
        ("echo(B)B", JavaValue::Byte(-128)),
        ("echo(C)C", JavaValue::Char(0xd800)),
        ("echo(S)S", JavaValue::Short(-3)),
        ("echo(I)I", JavaValue::Int(i32::MIN)),
        ("echo(J)J", JavaValue::Long(i64::MAX)),
        ("echo(F)F", JavaValue::Float(1.5e-40)),
        ("echo(D)D", JavaValue::Double(-0.0)),
        ("echo(D)D", JavaValue::Double(f64::NAN)),
        ("echo(Ljava/lang/String;)Ljava/lang/String;", JavaValue::String(vec![0xdc00, 34, 0, 0x20ac])),
        ("echo(Ljava/lang/String;)Ljava/lang/String;", JavaValue::Null),
        ("echo(Ljava/lang/Object;)Ljava/lang/Object;", boxed(JavaValue::Char(65))),
        ("echo(Ljava/lang/Integer;)Ljava/lang/Integer;", boxed(JavaValue::Int(1000))),
        ("echo(Lshop/Subject$Color;)Lshop/Subject$Color;", color("RED")),
        ("echo(Lshop/Subject$Color;)Lshop/Subject$Color;", color("GREEN")),
        ("echo([I)[I", JavaValue::Array { element: Type::Int, items: vec![JavaValue::Int(7); 3] }),
        ("echo([D)[D", JavaValue::Array { element: Type::Double, items: vec![JavaValue::Double(f64::NAN)] }),
        (
            "echo([[Ljava/lang/String;)[[Ljava/lang/String;",
            JavaValue::Array {
                element: Type::Array(Box::new(class("java/lang/String"))),
                items: vec![strings(&["a", ""]), JavaValue::Null, strings(&[])],
            },
        ),
    ]
}

#[test]
fn values_go_in_and_come_out() {
    let cases: Vec<TestCase> = values()
        .into_iter()
        .map(|(method, value)| case(method, vec![value.clone()], returns(value)))
        .collect();
    for jdk in jdks() {
        let replayed = replay(&jdk, &[subject()], None, &cases, &options()).unwrap();
        for (case, result) in cases.iter().zip(&replayed.cases) {
            assert_eq!(result.divergence, None, "JDK {}: {:?}", jdk.version, case.arguments);
        }
        assert_eq!(replayed.divergences(), 0);
    }
}

#[test]
fn exceptions_have_class_and_message() {
    let arithmetic = |message| throws("java.lang.ArithmeticException", message);
    let quotient = |ending| case("quotient(II)I", vec![JavaValue::Int(1), JavaValue::Int(0)], ending);
    let results = run(&[
        quotient(arithmetic(Message::text("/ by zero"))),
        quotient(arithmetic(Message::Unknown)),
        quotient(arithmetic(Message::Null)),
        quotient(throws("java.lang.RuntimeException", Message::Unknown)),
        quotient(returns(JavaValue::Int(3))),
        case("throwHidden()V", vec![], throws("shop.Subject$Hidden", Message::Null)),
        case("throwAnonymous()V", vec![], throws("shop.Subject$1", Message::text("outer"))),
        case("someObject()Ljava/lang/Object;", vec![], returns(JavaValue::Object { class: None })),
        case(
            "check(I)I",
            vec![JavaValue::Int(0)],
            throws("java.lang.AssertionError", Message::text("not positive")),
        ),
    ]);
    let divergences: Vec<Option<&str>> = results.iter().map(|result| result.divergence.as_deref()).collect();
    let seen = "the JVM: throws java.lang.ArithmeticException with message \"/ by zero\"";
    assert_eq!(divergences[..2], [None, None]);
    assert_eq!(
        divergences[2].unwrap(),
        format!("expected: throws java.lang.ArithmeticException without message; {seen}")
    );
    assert_eq!(divergences[3].unwrap(), format!("expected: throws java.lang.RuntimeException; {seen}"));
    assert_eq!(divergences[4].unwrap(), format!("expected: returns 3; {seen}"));
    assert_eq!(divergences[5..], [None; 4]);
}

#[test]
fn messages_name_the_loader_as_an_ordinary_run_does() {
    let message = "class shop.Subject cannot be cast to class java.lang.String (shop.Subject is in unnamed \
                   module of \
                   loader 'app'; java.lang.String is in module java.base of loader 'bootstrap')";
    let ending = throws("java.lang.ClassCastException", Message::text(message));
    let cast = case("castTo(Ljava/lang/Object;)Ljava/lang/String;", vec![JavaValue::Null], ending);
    assert_eq!(run(&[cast])[0].divergence, None);
}

#[test]
fn output_is_compared() {
    let greet = |output: &str| TestCase {
        output: Some(output.into()),
        ..case(
            "greet(Ljava/lang/String;)V",
            vec![JavaValue::string("\u{e9}\u{1f600}")],
            Ending::Returned(None),
        )
    };
    let odd = vec![0xd83d, 0xde00, 0xd800, 66, 0xdc00];
    let line: Vec<u16> = "hello, ".encode_utf16().chain(odd.clone()).chain([10]).collect();
    let odd = TestCase {
        output: Some(printed(&line)),
        ..case("greet(Ljava/lang/String;)V", vec![JavaValue::String(odd)], Ending::Returned(None))
    };
    let results = run(&[greet("hello, \u{e9}\u{1f600}\n"), greet("hello"), odd]);
    assert_eq!(results[2].divergence, None);
    assert_eq!(results[0].divergence, None);
    assert_eq!(
        results[1].divergence.as_deref(),
        Some(r#"expected output: "hello"; the JVM: "hello, \u00e9\ud83d\ude00\n""#)
    );
}

#[test]
fn statics_and_threads_do_not_leak_into_other_cases() {
    let count = || case("count()I", vec![], returns(JavaValue::Int(1)));
    let calls = case("*calls()I", vec![], returns(JavaValue::Int(1)));
    let thread = case("leaveThread()V", vec![], Ending::Returned(None));
    let loader = case("loader()Ljava/lang/String;", vec![], returns(JavaValue::string("true")));
    let resource = case("resource()I", vec![], returns(JavaValue::Int(0xca)));
    let results = run(&[count(), count(), calls, thread, loader, resource, count()]);
    assert_eq!(results.iter().filter_map(|result| result.divergence.clone()).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn statics_do_not_leak_where_loaders_are_shared() {
    let nested = |class: &str, method: &str, arguments: &[i32], result: i32| {
        let arguments = arguments.iter().map(|value| JavaValue::Int(*value)).collect();
        let mut case = case(method, arguments, returns(JavaValue::Int(result)));
        Arc::make_mut(&mut case.target).class = format!("shop.Subject${class}");
        case
    };
    let results = run(&[
        nested("Plain", "twice(I)I", &[4], 8),
        nested("Plain", "twice(I)I", &[5], 10),
        nested("Plain", "count()I", &[], 1),
        nested("Plain", "count()I", &[], 1),
        nested("Counter", "next()I", &[], 1),
        nested("Plain", "twice(I)I", &[6], 12),
        nested("Counter", "next()I", &[], 1),
    ]);
    assert_eq!(results.iter().filter_map(|result| result.divergence.clone()).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn cases_that_end_the_jvm_take_nobody_with_them() {
    let fine = || case("echo(I)I", vec![JavaValue::Int(3)], returns(JavaValue::Int(3)));
    let int = |value| vec![JavaValue::Int(value)];
    let exit = TestCase { output: Some("bye".into()), ..case("exit(I)V", int(3), Ending::Exited(3)) };
    let cases = [
        fine(),
        exit,
        fine(),
        case("hang(I)I", int(1), returns(JavaValue::Int(0))),
        fine(),
        case("halt(I)V", int(0), Ending::Exited(0)),
        case("recurse(I)I", int(0), throws("java.lang.StackOverflowError", Message::Null)),
        case("allocate(I)I", int(i32::MAX - 8), throws("java.lang.OutOfMemoryError", Message::Unknown)),
        fine(),
        case("exit(I)V", int(0), Ending::Exited(0)),
        case("die()V", vec![], Ending::Returned(None)),
    ];
    for jdk in jdks() {
        let options = evergreen_replay::ReplayOptions { case_limit: Duration::from_millis(700), ..options() };
        let results = replay(&jdk, &[subject()], None, &cases, &options).unwrap().cases;
        assert_eq!(results.len(), cases.len());
        for (index, result) in results.iter().enumerate() {
            match index {
                3 => assert_eq!((&result.observed, &result.output[..]), (&Observed::TimedOut, "hanging")),
                10 => assert_eq!(result.observed, Observed::Died("signal: 9 (SIGKILL)".into())),
                _ => assert_eq!(result.divergence, None, "case {index} on JDK {}", jdk.version),
            }
        }
        let divergence = results[3].divergence.as_deref();
        assert_eq!(divergence, Some("expected: returns 0; the JVM: times out"));
    }
}

#[test]
fn what_bypasses_system_out_is_printed_too() {
    let direct = TestCase {
        output: Some("direct".into()),
        ..case("writeDirectly()V", vec![], Ending::Returned(None))
    };
    assert_eq!(run(&[direct])[0].divergence, None);
}

#[test]
fn drivers_draw_what_the_case_gives() {
    let draw = |c: u16, ending| TestCase {
        draws: vec![("x".into(), JavaValue::Int(66)), ("c".into(), JavaValue::Char(c))],
        ..case("draw()I", vec![], ending)
    };
    let results = run(&[
        draw(65, returns(JavaValue::Int(131))),
        draw(66, throws("evergreen.CheckFailed", Message::text("different"))),
        case("draw()I", vec![], throws("java.lang.IllegalStateException", Message::Unknown)),
    ]);
    assert!(results.iter().all(|result| result.divergence.is_none()), "{results:?}");
}

#[test]
fn what_cannot_be_called_is_refused() {
    let nothing = Ending::Returned(None);
    let mut elsewhere = case("echo(I)I", vec![JavaValue::Int(3)], nothing.clone());
    Arc::make_mut(&mut elsewhere.target).class = "shop.Nowhere".into();
    let mut broken = case("value()I", vec![], throws("java.lang.ExceptionInInitializerError", Message::Null));
    Arc::make_mut(&mut broken.target).class = "shop.Subject$Broken".into();
    let object = JavaValue::Object { class: Some("shop.Subject".into()) };
    let results = run(&[
        case("nothing()V", vec![], nothing.clone()),
        elsewhere,
        case("echo(Ljava/lang/Object;)Ljava/lang/Object;", vec![object], nothing.clone()),
        case("echo(I)I", vec![], nothing),
        broken,
        case("secret(I)I", vec![JavaValue::Int(1)], returns(JavaValue::Int(2))),
    ]);
    let refused = |index: usize| match &results[index].observed {
        Observed::Refused(reason) => reason.clone(),
        other => panic!("case {index}: {other:?}"),
    };
    assert_eq!(refused(0), "java.lang.NoSuchMethodException: shop.Subject.nothing()V");
    assert_eq!(refused(1), "java.lang.ClassNotFoundException: shop.Nowhere");
    assert_eq!(
        refused(2),
        "java.lang.InstantiationException: an object of shop.Subject cannot be made from a test case"
    );
    assert!(refused(3).contains("number of arguments"), "{}", refused(3));
    assert_eq!(results[4].divergence, None);
    assert_eq!(results[5].divergence, None);
}
