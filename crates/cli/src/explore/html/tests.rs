//! The report under attack: no text of a program becomes markup.

use super::super::draw::tests::well_formed;
use super::super::programs::Programs;
use super::*;
use evergreen_java::jvm::{Described, InputObject, InputValue};
use evergreen_java::replay::{Ending, JavaValue, Receiver, Target, TestCase};
use evergreen_java::report::More;
use evergreen_java::report::html::{PICTURES, ROWS};
use evergreen_java::{
    Divergence, EntryEnd, Finding, Finished, How, Java, JavaFrontend, MethodRef, PathEnd, Place, Severity,
    Sink, Totals, Trouble, Within,
};

/// Text of a program that could break a page.
const ATTACK: &str = "\"'><script>alert(1)</script><!--</style></svg>&lt;]]>\u{0}\u{202e}\u{ffff}";

fn method() -> MethodRef {
    MethodRef {
        class: format!("a/{ATTACK}").into(),
        name: ATTACK.into(),
        descriptor: "()V".into(),
        is_static: false,
        parameters: Vec::new(),
    }
}

fn end(number: u64) -> PathEnd {
    let fields = vec![
        (ATTACK.into(), ATTACK.into(), InputValue::Plain(Described::String(ATTACK.encode_utf16().collect()))),
        (ATTACK.into(), "next".into(), InputValue::Object(0)),
    ];
    let object = InputObject { name: ATTACK.into(), class: ATTACK.into(), fields };
    PathEnd {
        number,
        position: Vec::new(),
        decisions: Vec::new(),
        seeds: Vec::new(),
        how: How::Threw {
            class: ATTACK.into(),
            message: Some(ATTACK.into()),
            place: None,
            severity: Severity::Unexpected,
        },
        inputs: vec![(ATTACK.into(), JavaValue::string(ATTACK))],
        conditions: vec![ATTACK.into(); 300],
        stops: Vec::new(),
        depth: 0,
        steps: 0,
        sampled: false,
        output: ATTACK.into(),
        case: None,
        likelihood: None,
        line: None,
        beyond: evergreen_java::JavaPath {
            objects: vec![object.clone()],
            read: vec![object],
            ..evergreen_java::JavaPath::default()
        },
    }
}

fn page() -> Page<Java> {
    let about = About { title: ATTACK.into(), command: ATTACK.into(), writes_all: Some("--out") };
    Page::new(about, Again::by(|_, _| ATTACK.into())).drawing(JavaFrontend::pictures().expect("pictures"))
}

/// What a page is shown of a run.
fn as_sink(page: &mut Page<Java>) -> &mut dyn Sink<JavaFrontend> {
    page
}

fn render(page: &Page<Java>, totals: &Totals, divergences: &[Divergence]) -> String {
    page.render(&RunEnd { totals, divergences, suite: None, more: &More::default() }, &TestNames::default())
}

fn finding() -> Finding {
    let place = Place {
        unit: ATTACK.into(),
        function: ATTACK.into(),
        signature: "()V".into(),
        file: Some(ATTACK.into()),
        line: Some(1),
        offset: 0,
    };
    let how = How::Threw {
        class: ATTACK.into(),
        message: Some(ATTACK.into()),
        place: Some(place),
        severity: Severity::Unexpected,
    };
    let end = PathEnd { how, conditions: vec![ATTACK.into()], ..end(1) };
    Finding { end: Box::new(end), test: None, paths: 2 }
}

/// A test that calls what an attacker has named.
fn case() -> TestCase {
    let target = Target {
        class: ATTACK.into(),
        method: ATTACK.into(),
        descriptor: ATTACK.into(),
        receiver: Receiver::Static,
        hidden: false,
        parameters: vec![ATTACK.into()],
        exceptions: Vec::new(),
    };
    TestCase {
        target: target.into(),
        objects: Vec::new(),
        build: None,
        receiver: None,
        arguments: vec![JavaValue::string(ATTACK)],
        draws: Vec::new(),
        ending: Ending::Returned(None),
        output: None,
        title: String::new(),
        arms: None,
    }
}

#[test]
fn nothing_that_a_program_says_is_markup() -> Result<(), String> {
    let (mut page, method) = (page(), method());
    let sink = as_sink(&mut page);
    sink.begins(&method)?;
    sink.path(&method, &end(1), None)?;
    let mut done = Finished::default();
    done.tally.disagreements.push(ATTACK.into());
    done.tally.disagrees = 1;
    let (within, trouble) = (Within::default(), Trouble::default());
    sink.ends(
        &method,
        &EntryEnd {
            findings: &[finding()],
            noted: &[finding()],
            done: &done,
            within: &within,
            trouble: &trouble,
        },
    )?;
    sink.begins(&method)?;
    sink.failed(&method, ATTACK)?;
    let mut totals = Totals::default();
    (totals.undecided, totals.stuck) = (1, 2);
    (totals.reasons, totals.error) = (vec![ATTACK.into()], Some(ATTACK.into()));
    let text = render(&page, &totals, &[Divergence { number: 0, case: case(), what: ATTACK.into() }]);
    assert_eq!(well_formed(&text), Ok(()));
    for bad in
        ["<script", "<!--", "</style></svg", "\u{0}", "\u{202e}", "\u{ffff}", " onload", "http://", "src="]
    {
        let found = text.matches(bad).count();
        // The name space of SVG is an address, but nothing is fetched from it.
        let known =
            if bad == "http://" { text.matches("xmlns=\"http://www.w3.org/2000/svg\"").count() } else { 0 };
        assert_eq!(found, known, "{bad}");
    }
    assert!(text.matches("&lt;script&gt;").count() > 20);
    assert!(text.contains("and 100 more"), "conditions are capped");
    assert!(text.contains("2 branches without a feasible arm"));
    assert!(text.contains("not explored: "), "failures are reported");
    assert!(text.contains("invariant and check disagree: "), "disagreements are reported");
    Ok(())
}

#[test]
fn large_runs_have_few_rows_and_say_so() -> Result<(), String> {
    let (mut page, method) = (page(), method());
    let sink = as_sink(&mut page);
    sink.begins(&method)?;
    for number in 1..=1_234 {
        let mut end = end(number);
        end.conditions.clear();
        sink.path(&method, &end, None)?;
    }
    let text = render(&page, &Totals::default(), &[]);
    assert_eq!(text.matches("<tr class=\"found\">").count(), ROWS);
    assert_eq!(text.matches("<svg").count(), PICTURES);
    assert!(text.contains("734 more paths have no row here"), "{}", ROWS);
    assert_eq!(well_formed(&text), Ok(()));
    Ok(())
}

#[test]
fn reports_have_no_passwords() {
    let hidden = |word: &str| super::without_password(word.into()).into_string().expect("text");
    assert_eq!(hidden("--store=redis://:se@cret@host:6379/0"), "--store=redis://host:6379/0");
    assert_eq!(hidden("rediss://user:secret@host"), "rediss://host");
    assert_eq!(hidden("redis://host"), "redis://host");
    assert_eq!(hidden("a@b.java"), "a@b.java");
}
