//! Suites of Java: how its methods, values and outcomes are written in the text of a suite, and the JUnit
//! sources that are made from one.
//!
//! What a suite is, how it lives over edits and where its files are is the same in all languages, and in
//! `crates/suite`; here is its [`Format`] for Java. docs/suite-format.md shows the text.

mod body;
mod heading;
mod lines;
mod types;
mod value;

use crate::Java;
use body::Body;
use evergreen_replay::{
    Junit, JunitOptions, RESERVED_NAMES, Receiver, Target, TestCase, is_test_name, junit_named, test_name,
};
use evergreen_suite::line::{self, Line};
use std::path::PathBuf;
use std::sync::Arc;

pub use evergreen_suite::{
    Affected, Decision, Flaw, Format, Moved, Retired, SuiteError, TakenNames, Text, Update, update,
};

/// The tests of a class.
pub type Suite = evergreen_suite::Suite<Java>;
/// The tests of a method.
pub type MethodTests = evergreen_suite::MethodTests<Java>;
/// A test: a case with a name, and the path that it takes.
pub type Test = evergreen_suite::Test<Java>;
/// The end of a path.
pub type Reached = evergreen_suite::Reached<Java>;
/// What was found in a method.
pub type Explored = evergreen_suite::Explored<Java>;
/// A folder of suites and of JUnit sources.
pub type Folder = evergreen_suite::Folder<Java>;

/// What the JUnit sources of suites are to be.
#[derive(Clone, Debug)]
pub struct JunitSources {
    /// For which JUnit.
    pub version: Junit,
    /// Classes of the program that sources must not name, see [`JunitOptions::misread`].
    pub misread: Vec<String>,
}

/// The test class of a class.
fn test_class(class: &str, version: Junit) -> JunitOptions {
    JunitOptions::beside(class, "Test", version)
}

impl Format for Java {
    type Target = Target;
    type Case = TestCase;
    type Body = Body;
    type SourceOptions = JunitSources;

    const UNIT: &'static str = "class";
    const FUNCTION: &'static str = "method";
    const WORDS: &'static [&'static str] = &[
        "NaN", "Infinity", "boolean", "build", "byte", "char", "double", "draw", "enum", "exits", "false",
        "float", "hidden", "int", "long", "method", "new", "null", "object", "path", "prints", "returns",
        "short", "static", "test", "this", "throws", "true", "void",
    ];
    const RESERVED: &'static [&'static str] = RESERVED_NAMES;
    const PLACE: &'static str = "a method as in less(II)Z";

    fn unit(target: &Target) -> &str {
        &target.class
    }

    fn name(target: &Target) -> &str {
        &target.method
    }

    fn signature(target: &Target) -> &str {
        &target.descriptor
    }

    fn shown(target: &Target) -> String {
        let (parameters, _) = types::parts(&target.descriptor);
        format!("{}({})", target.method, types::write_all(&parameters))
    }

    fn is_function(text: &str) -> bool {
        text.contains('(')
    }

    fn heading(target: &Target) -> String {
        heading::write(target)
    }

    fn read_heading(unit: &str, line: &mut Line<'_>) -> Result<Target, Flaw> {
        heading::read(unit, line)
    }

    /// What a method is called on differs from test to test.
    fn section(target: &Target) -> Target {
        let receiver = match target.receiver {
            Receiver::Static => Receiver::Static,
            _ => Receiver::DefaultConstructor,
        };
        Target { receiver, ..target.clone() }
    }

    fn target(case: &TestCase) -> &Arc<Target> {
        &case.target
    }

    fn inputs(case: &TestCase, section: &Target) -> Vec<String> {
        lines::inputs(case, section)
    }

    fn outcome(case: &TestCase) -> Vec<String> {
        lines::outcome(case)
    }

    fn outcome_shown(case: &TestCase) -> String {
        lines::outcome_shown(case)
    }

    fn is_built_alike(old: &TestCase, new: &TestCase) -> bool {
        old.build == new.build
    }

    /// Its title is that of its outcome, and it has no arms.
    fn kept(case: TestCase) -> TestCase {
        TestCase { title: case.ending.title(), arms: None, ..case }
    }

    fn body(section: &Arc<Target>) -> Body {
        Body::new(section.clone())
    }

    fn read_line(body: &mut Body, line: &mut Line<'_>) -> Result<(), Flaw> {
        body.line(line)
    }

    fn end(body: Body) -> Result<TestCase, String> {
        body.end()
    }

    fn test_name(case: &TestCase) -> String {
        test_name(&case.target.method, &case.ending.title()).0
    }

    fn name_flaw(name: &str) -> Option<String> {
        (!is_test_name(name)).then(|| format!("\"{name}\" cannot be the name of a test in Java"))
    }

    fn file_parts(unit: &str) -> Vec<&str> {
        unit.split('.').collect()
    }

    fn source_file(unit: &str, number: usize) -> Option<PathBuf> {
        Some(test_class(unit, Junit::Five).numbered(number).file())
    }

    /// Its tests under their names, in their order. A class with very many tests has several sources.
    fn sources(suite: &Suite, options: &JunitSources) -> Vec<String> {
        let cases: Vec<TestCase> = suite.tests().map(|test| test.case.clone()).collect();
        let names: Vec<String> = suite.tests().map(|test| test.name.clone()).collect();
        let class = test_class(&suite.class, options.version).avoiding(&options.misread);
        junit_named(&cases, &names, &class).into_iter().map(|written| written.source).collect()
    }
}

/// A name as the format has it.
fn name(name: &str) -> String {
    line::name(name, Java::WORDS)
}
